"""Links that descriptions make to other parts of the same contract, as authors write them.

Documentation that is one long page names its parts by anchors: `#operation/createOrder`, `#tag/Orders`,
`#section/Errors`; some authors write JSON pointers into the contract. Here each part has a page.
"""

import re
from collections.abc import Iterable
from functools import partial
from html import escape, unescape
from urllib.parse import unquote

from devportal.contract import Api
from devportal.contract.words import loose
from devportal.pages import href, item_markdown, render_markdown, safe_markdown, twin_href
from devportal.reference.addresses import Addresses
from devportal.reference.grounds import GroundsPages
from devportal.reference.introduction import CHAPTERS, chapters_of

_ANCHOR = re.compile(r'(<a [^<>]*?href=")(#[^"]*)"')
_OPERATION = re.compile(r"(?:tag/.+?/)?operation/(.+)")
_SCHEMA = re.compile(r"(?:/components/schemas|schemas?|model)/(.+)")
_TAG = re.compile(r"tag/(.+)")
_CHAPTER = re.compile(rf"{CHAPTERS}(.+)")


class Links:
    """Finds the pages that anchors in descriptions mean, and those of sources and decisions."""

    def __init__(self, api: Api, addresses: Addresses, grounds: GroundsPages | None = None) -> None:
        """Take the contract, where its parts are shown, and where what their stability rests on is."""
        self.grounds = grounds or GroundsPages()
        self._overview = addresses.overview
        self._chapters = self._known_chapters(api)
        self._pointers = {str(one.location): addresses.operation(one) for one in reversed(api.operations)}
        self._pointers |= {str(one.key): addresses.operation(one) for one in api.operations}
        self._operations = _Names((one.id, addresses.operation(one)) for one in api.operations)
        self._groups = _Names((one.name, addresses.group_of(one)) for one in api.groups)
        self._schemas = _Names((api.schemas[at].name, uri) for at, uri in addresses.schemas.items())

    def _known_chapters(self, api: Api) -> "_Names":
        """Return where the chapters of the contract's description are, by the whole way to each and by the
        last step of it: authors write both.
        """
        ways = [(one.anchor.removeprefix(CHAPTERS), one.anchor) for one in chapters_of(api.description)]
        ways += [(way.rpartition("/")[2], anchor) for way, anchor in ways]
        return _Names((way, f"{self._overview}#{anchor}") for way, anchor in ways)

    def rendered(self, text: str, source: str, *, first_heading: int = 3) -> str:
        """Return CommonMark on the page `source` as safe HTML with its links to anchors leading to pages."""
        return self.resolved(render_markdown(text, first_heading=first_heading), source)

    def resolved(self, fragment: str, source: str) -> str:
        """Return HTML with its links to anchors leading to pages; the rest is left as it is."""

        def link(match: re.Match[str]) -> str:
            target = self.target(unquote(unescape(match.group(2))))
            return f'{match.group(1)}{escape(href(source, target))}"'

        return _ANCHOR.sub(link, fragment) if 'href="#' in fragment else fragment

    def markdown(self, text: str, source: str, *, first_heading: int = 3) -> str:
        """Return CommonMark for the Markdown twin of the page `source`: safe, its links leading to twins."""
        return safe_markdown(text, first_heading=first_heading, leads=partial(self._twin, source))

    def item(self, *texts: str, source: str, indent: int) -> str:
        """Return texts behind the first words of a list item of a twin, as `item_markdown` does."""
        return item_markdown(*texts, indent=indent, leads=partial(self._twin, source))

    def _twin(self, source: str, anchor: str) -> str:
        return twin_href(source, self.target(unquote(anchor)).partition("#")[0])

    def target(self, anchor: str) -> str:
        """Return the uri of the page that an anchor means; the overview where nothing is known by it."""
        if anchor in self._pointers:
            return self._pointers[anchor]
        for pattern, known in (
            (_OPERATION, self._operations),
            (_TAG, self._groups),
            (_SCHEMA, self._schemas),
            (_CHAPTER, self._chapters),
        ):
            match = pattern.fullmatch(anchor[1:])
            found = known.get(match.group(1)) if match is not None else None
            if found is not None:
                return found
        return self._overview


class _Names:
    """Where the parts of one kind are by name: the one that is called exactly so, or else the first that is
    nearly.
    """

    def __init__(self, known: Iterable[tuple[str, str]]) -> None:
        self._exactly: dict[str, str] = {}
        self._nearly: dict[str, str] = {}
        for name, uri in known:
            self._exactly.setdefault(name, uri)
            self._nearly.setdefault(loose(name), uri)
        self._nearly.pop("", None)

    def get(self, name: str) -> str | None:
        return self._exactly.get(name) or self._nearly.get(loose(name))
