"""Where something is rendered: on which page, at which heading level, after which headers."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from devportal.contract import Grounds
from devportal.language import mark_blocks
from devportal.markup import href, render_markdown, twin_href
from devportal.reference.links import DescriptionLinks
from devportal.reference.markup import commonmark_to_line
from devportal.reference.pages.stability import grounds_html, grounds_markdown
from devportal.reference.pages.views import RepeatedHeader, ResponseView

_PARAGRAPH = re.compile(r"<p>(?:[^<]|<(?!/?p>|br))*</p>\s*")
"""HTML of one paragraph that breaks no line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderContext:
    """A spot on a page of the reference or on its Markdown twin: what links and texts depend on there."""

    source: str
    below: int
    links: DescriptionLinks = field(repr=False)

    def to(self, target: str) -> str:
        """Return the address of a page as seen from here."""
        return href(self.source, target)

    def to_twin(self, target: str) -> str:
        """Return the address of the twin of a page as seen from the twin here."""
        return twin_href(self.source, target)

    def html(self, commonmark: str) -> str:
        """Return CommonMark as safe HTML, its links to parts of the contract leading to their pages.

        Its blocks are marked as text of the contract, whatever they stand in.
        """
        return mark_blocks(self._html(commonmark)) if commonmark else ""

    def _html(self, commonmark: str) -> str:
        return self.resolved(render_markdown(commonmark, first_heading=self.below))

    def resolved(self, fragment: str) -> str:
        """Return HTML with the links of its author to anchors leading to pages."""
        return self.links.resolved(fragment, self.source)

    def grounds(self, grounds: Grounds | None) -> str:
        """Return what a stability rests on as HTML, with a space before it; nothing where it is not said."""
        told = grounds_html(grounds, self.links.grounds, self.source) if grounds else ""
        return f" {told}" if told else ""

    def grounds_markdown(self, grounds: Grounds | None) -> str:
        """Return what a stability rests on for the twin; nothing where it is not said."""
        return grounds_markdown(grounds, self.links.grounds, self.source)

    def markdown(self, commonmark: str) -> str:
        """Return CommonMark made safe for the twin, its links to parts of the contract leading to twins."""
        return self.links.markdown(commonmark, self.source, first_heading=self.below)

    def cell(self, commonmark: str) -> str:
        """Return CommonMark as a cell of a table of the twin: a lone paragraph as it is, else its words."""
        is_paragraph = _PARAGRAPH.fullmatch(self._html(commonmark)) is not None
        return " ".join(self.markdown(commonmark).split()) if is_paragraph else commonmark_to_line(commonmark)

    def item(self, *texts: str) -> str:
        """Return texts as they follow the first words of an item that is not indented, as `item_markdown`."""
        return self.links.item(*texts, source=self.source, indent=2)


def name_repeated_headers(responses: Iterable[ResponseView]) -> tuple[ResponseView, ...]:
    """Return the responses of one page; a header that one above has too is only named."""
    return tuple(_name_repeated_headers(responses))


def _name_repeated_headers(responses: Iterable[ResponseView]) -> Iterator[ResponseView]:
    first: dict[tuple[str, int, bool], str] = {}
    for response in responses:
        new, repeated = [], []
        for one in response.headers:
            if one.fields or one.unions or one.more:
                new.append(one)
                continue
            key = (one.name, id(one.said), one.required)  # sayings with the same values are one object
            above = first.setdefault(key, response.anchor)
            if above == response.anchor:
                new.append(one)
            else:
                repeated.append(RepeatedHeader(name=one.name, anchor=one.anchor, above=above))
        yield replace(response, headers=tuple(new), repeated=tuple(repeated))
