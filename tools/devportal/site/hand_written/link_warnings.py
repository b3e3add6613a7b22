"""Warnings of MkDocs about links in hand-written pages, with the place of each link and where its page is now."""

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from devportal.errors import Place
from devportal.reference.redirects.redirect_table import address_of

_WARNING = re.compile(r"Doc file '(?P<page>[^']+)' contains an? .*?link '(?P<link>[^']+)', .*", re.DOTALL)
"""How MkDocs reports a link that leads nowhere, or that it does not follow."""


def locate_link_warnings(
    messages: Iterable[str],
    *,
    docs: Path,
    name: Callable[[Path], str],
    pages: Collection[str],
    redirects: Mapping[str, str],
) -> Iterator[str]:
    """Yield messages of MkDocs, those about links with their place and advice, if there is some.

    `docs` is the folder of hand-written pages, `name` says what messages call a file, `pages` are the uris of the
    pages of the site, and `redirects` the new addresses by the old ones. A link that is several times on a page has a
    message for each. One that an insert wrote has no line.
    """
    times: Counter[str] = Counter()
    uris = {address_of(uri): uri for uri in pages}
    for message in messages:
        matched = _WARNING.fullmatch(message)
        path = docs / matched["page"] if matched else None
        if matched is None or path is None or not path.is_file():
            yield message
            continue
        place = _place_of_link(path, name(path), matched["link"], times[message])
        times[message] += 1
        moved = _moved_link(matched["page"], matched["link"], uris, redirects)
        yield f"{place}: {message}" + (f"\n  help: write {moved!r}: that page moved" if moved else "")


def _place_of_link(path: Path, name: str, link: str, number: int) -> Place:
    """Return the place of a link in a page, of the one with this number if it is there several times."""
    text = path.read_text(encoding="utf-8-sig")
    starts = [
        found.start() for found in re.finditer(rf"(?<=[(\s<\"':]){re.escape(link)}(?=[)\s>\"'])", f"{text}\n")
    ]
    if not starts:
        return Place(file=name)
    before = text[: starts[min(number, len(starts) - 1)]]
    return Place(file=name, line=before.count("\n") + 1, column=len(before) - before.rfind("\n"))


def _moved_link(page: str, link: str, uris: Mapping[str, str], redirects: Mapping[str, str]) -> str:
    """Return the link to the page at the new address, if there is a redirect from that of a link."""
    path, hash_mark, anchor = link.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path)))
    address = redirects.get(address_of(target))
    new, _, new_anchor = (address or "").partition("#")
    if address is None or new not in uris:
        return ""
    relative = posixpath.relpath(uris[new], posixpath.dirname(page) or ".")
    return f"{relative}#{new_anchor}" if new_anchor else f"{relative}{hash_mark}{anchor}"
