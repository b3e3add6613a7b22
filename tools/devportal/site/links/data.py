"""Links in JSON: feeds, sets of links, and what has moved."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from devportal.site.links.json_texts import offsets_in
from devportal.site.links.link import Link, Reader, Reading
from devportal.site.links.markup import read_html

_LINKS = {"href", "anchor", "url", "home_page_url", "feed_url", "next_url", "external_url"}


_Found = Iterator[tuple[str, str]]
"""Links, each with the text of the file that it is, or stands in."""


def _reader(links: Callable[[Any], _Found], *, base: str = "") -> Reader:
    def read(text: str) -> Reading:
        found, offsets = links(json.loads(text)), offsets_in(text)
        return Reading(links=tuple(Link(one, offsets.get(around, 0)) for one, around in found), base=base)

    return read


def _links_in_json(value: Any) -> _Found:
    """Yield what stands under the names that feeds and link sets give to links."""
    if isinstance(value, dict):
        for name, member in value.items():
            if name in _LINKS and isinstance(member, str):
                yield member, member
            elif name == "content_html" and isinstance(member, str):
                yield from ((one.target, member) for one in read_html(member).links)
            else:
                yield from _links_in_json(member)
    elif isinstance(value, list):
        for member in value:
            yield from _links_in_json(member)


def _moved(value: Any) -> _Found:
    """Yield where old addresses lead."""
    if not isinstance(value, dict):
        raise ValueError("it is no table of addresses")
    yield from ((new, new) for new in value.values() if isinstance(new, str))


read_json = _reader(_links_in_json)
read_moved = _reader(_moved, base="../../")
