"""Links in JSON and XML: feeds, sets of links, site maps, drawings."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.parsers import expat

from devportal.site.links.assets import links_in_styles
from devportal.site.links.link import Link, Reader, Reading
from devportal.site.links.markup import read_html
from devportal.site.links.search import string_offsets

_LINKS = {"href", "anchor", "url", "home_page_url", "feed_url", "next_url", "external_url"}


_LinkPairs = Iterator[tuple[str, str]]
"""Links, each with the text of the file that it is, or stands in."""


def _json_reader(links: Callable[[Any], _LinkPairs], *, base: str = "") -> Reader:
    def read(text: str) -> Reading:
        found, offsets = links(json.loads(text)), string_offsets(text)
        return Reading(links=tuple(Link(one, offsets.get(around, 0)) for one, around in found), base=base)

    return read


def _links_in_json(value: Any) -> _LinkPairs:
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


def _redirect_targets(value: Any) -> _LinkPairs:
    """Yield where old addresses lead."""
    if not isinstance(value, dict):
        raise ValueError("it is no table of addresses")
    yield from ((new, new) for new in value.values() if isinstance(new, str))


read_json = _json_reader(_links_in_json)
read_redirect_table = _json_reader(_redirect_targets, base="../../")


_XML_LINKS = {"href", "url", "src"}
_ADDRESSES = {"loc", "link", "id", "guid", "url", "docs", "comments", "icon", "logo"}
"""Elements whose text is an address, if it looks like one."""
_TEXTS = {"description", "content", "summary", "encoded"}
"""Elements whose text is HTML."""


def read_xml(text: str) -> Reading:
    """Read an XML file, also the HTML in items of a feed. Raises ValueError where it is no XML.

    Entities are refused: what they stand for can be as large as it likes, or lie elsewhere.
    """
    reader = _Reader(text)
    try:
        reader.read(text)
    except expat.ExpatError as error:
        raise ValueError(f"it is no XML: {error}") from error
    return Reading(links=tuple(reader.links), anchors=frozenset(reader.anchors))


class _Reader:
    """Takes what the parser tells, element by element."""

    def __init__(self, text: str) -> None:
        self.links: list[Link] = []
        self.anchors: set[str] = set()
        self._open: list[tuple[Mapping[str, str], int, list[str]]] = []
        self._bytes = text.encode()
        self._known = (0, 0)
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = _refuse_entity

    def read(self, text: str) -> None:
        """Read it all, whatever encoding it declares: it is decoded already."""
        self._parser.Parse(text, True)  # noqa: FBT003  (it takes no keyword)

    def _offset(self) -> int:
        """Return where the parser is, in characters; it counts bytes, and never goes back."""
        at, characters = self._known
        now = self._parser.CurrentByteIndex
        self._known = now, characters + len(self._bytes[at:now].decode(errors="ignore"))
        return self._known[1]

    def _start(self, _: str, attributes: dict[str, str]) -> None:
        offset = self._offset()
        self._open.append((attributes, offset, []))
        for key, value in attributes.items():
            if _local(key) in _XML_LINKS:
                self.links.append(Link(value, offset))
            elif "url(" in value:
                self.links += (Link(one.target, offset) for one in links_in_styles(value))
            if _local(key) == "id":
                self.anchors.add(value)

    def _text(self, text: str) -> None:
        self._open[-1][2].append(text)

    def _end(self, name: str) -> None:
        attributes, offset, parts = self._open.pop()
        text = "".join(parts).strip()
        self.links += (Link(one, offset) for one in _links_in_text(_local(name), attributes, text))


def _refuse_entity(name: str, *_: object) -> None:
    raise ValueError(f"it declares the entity '{name}', and entities are not followed")


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _links_in_text(name: str, attributes: Mapping[str, str], text: str) -> Iterator[str]:
    """Yield the links in the text of an element; what a guid says is one unless that is denied (RSS 2.0)."""
    if name in _ADDRESSES and attributes.get("isPermaLink") != "false":
        if text.startswith(("http:", "https:")):
            yield text
    elif name in _TEXTS:
        yield from (one.target for one in read_html(text).links)
    elif name == "style":
        yield from (one.target for one in links_in_styles(text))
