"""Links in each kind of file of a site: pages, twins, feeds, JSON, the search index."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.parsers import expat

from markdown_it import MarkdownIt
from markdown_it.token import Token

from devportal.contract.wording import split_camel_case
from devportal.site.links.assets import links_in_styles, read_module, read_robots, read_styles
from devportal.site.links.link import Link, Reader, Reading
from devportal.site.links.markup import read_html
from devportal.site.search.columns import COLUMN_SEPARATOR, lines_of

_TEXT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')


def string_offsets(text: str) -> Mapping[str, int]:
    """Return the first offset of each string in valid JSON, names of members included: that of its quote."""
    offsets: dict[str, int] = {}
    for match in _TEXT.finditer(text):
        written = match.group()
        offsets.setdefault(json.loads(written) if "\\" in written else written[1:-1], match.start())
    return offsets


def json_string_at(text: str, offset: int) -> str:
    """Return the text that stands at an offset as it is written, quotes included; nothing if none does."""
    match = _TEXT.match(text, offset)
    return match.group() if match else ""


_DERIVED_MARK = " "
"""Stands for the end of a cell that is derived from other cells."""
_COLUMN_END = re.compile(r"\x7f|\\u007[fF]")
"""The end of a line of a column, as JSON may write it."""
_INDEX_TEXTS, _METHODS = 5, 5
"""How many columns hold texts: address, title, first tag, other tags, text; and the one that has methods."""


def read_search_index(text: str) -> Reading:
    """Read a search index. Raises ValueError if it is none."""
    index, offsets = json.loads(text), string_offsets(text)
    try:
        links = (
            _theme_index_links(index["docs"], offsets)
            if "docs" in index
            else _own_index_links(index["pages"], text, offsets)
        )
        return Reading(links=tuple(links), base="../")
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError("it is not an index of a search") from error


def _theme_index_links(entries: Sequence[Any], offsets: Mapping[str, int]) -> Iterator[Link]:
    for entry in entries:
        address = str(entry["location"])
        yield Link(address, offsets.get(address, 0))


def _own_index_links(
    pages: Mapping[str, Sequence[str]], text: str, offsets: Mapping[str, int]
) -> Iterator[Link]:
    """Yield the address of each entry, and where its line of the column begins."""
    for columns in pages.values():
        start = offsets.get(columns[0], 0)
        lines = [
            start + 1,
            *(start + match.end() for match in _COLUMN_END.finditer(json_string_at(text, start))),
        ]
        for address, offset in zip(addresses_of(columns), lines, strict=False):
            page, *anchor = address.split("#")
            yield Link("#".join((page, *anchor[:1])), offset)


def addresses_of(columns: Sequence[str]) -> Iterator[str]:
    """Yield the whole address of each entry of a kind of page."""
    addresses, *cells = (list(lines_of(column)) for column in columns[:_INDEX_TEXTS])
    methods = columns[_METHODS].split(COLUMN_SEPARATOR) if len(columns) > _METHODS else []
    for row, address in enumerate(addresses):
        title, path, others = ([*(column[row] if row < len(column) else "" for column in cells), "", "", ""])[
            :3
        ]
        *_, method, _ = ("", *(methods[row] if row < len(methods) else "").split(" "))
        code = f"{method} {path}" if method else path
        names = [text for text in (code, *_complete_cell(others, _path_id(code)).split("\t")) if text]
        name = names[-1] if names else title
        yield _complete_cell(address, name if "#" in address else f"{_slugify(name)}/")


def _complete_cell(cell: str, ending: str) -> str:
    return cell.removesuffix(_DERIVED_MARK) + ending if cell.endswith(_DERIVED_MARK) else cell


def _path_id(code: str) -> str:
    """Return what `pathId` makes of method and path: `POST /v1/charges` → `PostCharges`."""
    method, _, rest = code.partition(" ")
    words = [
        alphanumeric_part
        for alphanumeric_part in _alphanumeric_parts(rest.partition(" ")[0])
        if not re.fullmatch(r"v[0-9]+", alphanumeric_part)
    ]
    return "".join(word[:1].upper() + word[1:] for word in (method.lower(), *words))


def _slugify(name: str) -> str:
    return "-".join(_alphanumeric_parts(split_camel_case(name, " "))).lower()


def _alphanumeric_parts(text: str) -> list[str]:
    return [part for part in re.split(r"[^A-Za-z0-9]+", text) if part]


_LINKS = {"href", "anchor", "url", "home_page_url", "feed_url", "next_url", "external_url"}


_LinkPairs = Iterator[tuple[str, str]]
"""Links, each with the text of the file that it is, or stands in."""


def _json_reader(links: Callable[[Any], _LinkPairs], *, base: str = "") -> Reader:
    def read(text: str) -> Reading:
        link_pairs, offsets = links(json.loads(text)), string_offsets(text)
        return Reading(
            links=tuple(Link(target, offsets.get(around, 0)) for target, around in link_pairs),
            base=base,
        )

    return read


def _links_in_json(value: Any) -> _LinkPairs:
    """Yield what stands under the names that feeds and link sets give to links."""
    if isinstance(value, dict):
        for name, member in value.items():
            if name in _LINKS and isinstance(member, str):
                yield member, member
            elif name == "content_html" and isinstance(member, str):
                yield from ((link.target, member) for link in read_html(member).links)
            else:
                yield from _links_in_json(member)
    elif isinstance(value, list):
        for member in value:
            yield from _links_in_json(member)


def _redirect_targets(value: Any) -> _LinkPairs:
    """Yield where old addresses lead, and the links in notices about removed parts."""
    if not isinstance(value, dict):
        raise ValueError("it is not a table of addresses")
    for new in value.values():
        linked = (
            [item[-1] for item in new if isinstance(item, list) and item] if isinstance(new, list) else [new]
        )
        yield from ((to, to) for to in linked if isinstance(to, str) and to)


read_json = _json_reader(_links_in_json)
read_redirect_table = _json_reader(_redirect_targets, base="../../")


_XML_LINKS = {"href", "url", "src"}
_ADDRESSES = {"loc", "link", "id", "guid", "url", "docs", "comments", "icon", "logo"}
"""Elements whose text is an address, if it looks like one."""
_TEXTS = {"description", "content", "summary", "encoded"}
"""Elements whose text is HTML."""


def read_xml(text: str) -> Reading:
    """Read an XML file, also the HTML in items of a feed. Raises ValueError if it is not XML.

    Entities are refused: what they stand for can be as large as it likes, or lie elsewhere.
    """
    reader = _Reader(text)
    try:
        reader.read(text)
    except expat.ExpatError as error:
        raise ValueError(f"it is not XML: {error}") from error
    return Reading(links=tuple(reader.links), anchors=frozenset(reader.anchors))


class _Reader:
    """Handles the events of the XML parser, element by element."""

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
        """Return the position of the parser in characters; the parser counts bytes, and never goes back."""
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
                self.links += (Link(link.target, offset) for link in links_in_styles(value))
            if _local(key) == "id":
                self.anchors.add(value)

    def _text(self, text: str) -> None:
        self._open[-1][2].append(text)

    def _end(self, name: str) -> None:
        attributes, offset, parts = self._open.pop()
        text = "".join(parts).strip()
        self.links += (Link(link, offset) for link in _links_in_text(_local(name), attributes, text))


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
        yield from (link.target for link in read_html(text).links)
    elif name == "style":
        yield from (link.target for link in links_in_styles(text))


_MAY_LINK = ("[", "<")
"""Text without any of these has no link, and is not parsed."""


class _Parser(MarkdownIt):
    """A parser that leaves every address as it is written."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        """Return an address as it is."""
        return url

    def validateLink(self, url: str) -> bool:  # noqa: N802
        """Take every address, also one that a page must not have."""
        return bool(url)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    """Return a parser of CommonMark with tables; inline content is parsed separately."""
    return _Parser("commonmark").enable("table").disable("inline")


def read_markdown(text: str) -> Reading:
    """Read CommonMark: links, references, autolinks, pictures and HTML, outside code."""
    context: dict[str, object] = {}
    lines = [0]
    for line in text.split("\n"):
        lines.append(lines[-1] + len(line) + 1)
    return Reading(
        links=tuple(
            Link(target, max(start, text.find(target, start)))
            for token in _parser().parse(text, context)
            for start in [lines[token.map[0]] if token.map else 0]
            for target in _links_of(_inline_tokens(token, context))
        )
    )


def _inline_tokens(token: Token, context: dict[str, object]) -> Iterable[Token]:
    """Return the inline tokens of a block, parsed only if it may have a link."""
    if token.type != "inline":
        return (token,)
    if not any(text in token.content for text in _MAY_LINK):
        return ()
    inside: list[Token] = []
    _parser().inline.parse(token.content, _parser(), context, inside)
    return inside


def _links_of(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "link_open":
            yield str(token.attrs["href"])
        elif token.type == "image":
            yield str(token.attrs["src"])
        elif token.type in {"html_block", "html_inline"}:
            yield from (link.target for link in read_html(token.content).links)


_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(rf"(?:\A|/)(?:{name})\Z", re.IGNORECASE), reader)
    for name, reader in (
        (r".*\.(?:x?html|htm)", read_html),
        (r".*\.md|llms(?:/[^/]+)?\.txt", read_markdown),  # llms-full.txt has what is in these
        (r".*\.(?:rss|atom|xml|svg)", read_xml),
        (r"feed\.json|feed/\d+\.json|api-catalog", read_json),
        (r"assets/devportal/redirects\.json", read_redirect_table),
        (r"search/search_(?:index|details)\.json", read_search_index),
        (r".*\.css", read_styles),
        (r".*\.m?js", read_module),
        (r"robots\.txt", read_robots),
    )
)
"""By the end of a name, after a slash or as a whole."""


def reader_for(name: str) -> Reader | None:
    """Return the reader for a file by its name; None if its links are not followed."""
    return next((reader for pattern, reader in _READERS if pattern.search(name)), None)


UNREADABLE = (ValueError, RecursionError, OSError)
"""The errors for a file that is not text, or not of the kind that its name promises."""


class Files:
    """The files of a site, each read once; their anchors are cached."""

    def __init__(self, site: Path) -> None:
        self.site = site
        self.names = frozenset(
            path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()
        )
        self._read: dict[str, Reading] = {}
        self._anchors: dict[str, frozenset[str] | None] = {}

    def text(self, name: str) -> str:
        """Return the text of a file. Raises one of UNREADABLE if it cannot be read."""
        return (self.site / name).read_text(encoding="utf-8-sig")

    def reading(self, name: str) -> Reading:
        """Return the links and anchors of a file. Raises one of UNREADABLE if it cannot be read."""
        if name not in self._read:
            reader = reader_for(name)
            self._read[name] = reader(self.text(name)) if reader else Reading()
            self._anchors[name] = self._read[name].anchors
        return self._read.pop(name)

    def anchors(self, name: str) -> frozenset[str] | None:
        """Return the anchors of a file, of a twin those of its page; None if they cannot be known."""
        page = name.removesuffix(".md") + ".html"
        if name.endswith(".md"):
            return self.anchors(page) if page in self.names else None
        if name not in self._anchors:
            try:
                self._read[name] = self.reading(name)
            except UNREADABLE:
                self._anchors[name] = None
        return self._anchors[name]
