"""Links in JSON: feeds, sets of links, what has moved, and the index of the search."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from devportal.site.leaks.index import lines_of
from devportal.site.links.link import Link, Reader, Reading
from devportal.site.links.markup import read_html

_LINKS = {"href", "anchor", "url", "home_page_url", "feed_url", "next_url", "external_url"}


def _reader(links: Callable[[Any], Iterator[str]], *, base: str = "") -> Reader:
    def read(text: str) -> Reading:
        found = links(json.loads(text))
        return Reading(links=tuple(Link(one, max(0, text.find(json.dumps(one)))) for one in found), base=base)

    return read


def _links_in_json(value: Any) -> Iterator[str]:
    """Yield what stands under the names that feeds and link sets give to links."""
    if isinstance(value, dict):
        for name, member in value.items():
            if name in _LINKS and isinstance(member, str):
                yield member
            elif name == "content_html" and isinstance(member, str):
                yield from (one.target for one in read_html(member).links)
            else:
                yield from _links_in_json(member)
    elif isinstance(value, list):
        for member in value:
            yield from _links_in_json(member)


def _moved(value: Any) -> Iterator[str]:
    """Yield where old addresses lead."""
    if not isinstance(value, dict):
        raise ValueError("it is no table of addresses")
    yield from (new for new in value.values() if isinstance(new, str))


def _found(value: Any) -> Iterator[str]:
    """Yield where a search leads: addresses that are written whole, and the page of an anchor that is not.

    The index of a portal leaves out the end of an address that follows from a title; a blank stands for it.
    """
    try:
        if "docs" in value:
            addresses = [str(one["location"]) for one in value["docs"]]
        else:
            addresses = [one for columns in value["pages"].values() for one in lines_of(columns[0])]
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError("it is no index of a search") from error
    for address in addresses:
        if not address.endswith(" "):
            yield address
        elif "#" in address:
            yield address.partition("#")[0]


read_json = _reader(_links_in_json)
read_moved = _reader(_moved, base="../../")
read_search_index = _reader(_found, base="../")
