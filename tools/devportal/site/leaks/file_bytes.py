"""The bytes of a file, or of a part that it unpacks to, and their positions in the file."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

_TEXT_START = 8192
"""How many bytes are checked to decide whether a file is text."""
_TEXT_SUFFIXES = (
    ".html",
    ".htm",
    ".md",
    ".txt",
    ".json",
    ".csv",
    ".tsv",
    ".xml",
    ".rss",
    ".svg",
    ".js",
    ".css",
    ".yaml",
)
"""Files that are always searched as text: a stray NUL does not make a page binary."""


@dataclass(slots=True, kw_only=True)
class View:
    """Bytes to search.

    `positions` and `raw_positions` map positions in the view to positions in the file, or in the `decoded` view
    from its byte `start` on. Both are in order, and between two entries the bytes are the same in both.
    """

    name: str
    """The file below the site. A part that is unpacked from it is named after a `!`."""
    data: bytes = field(repr=False)
    positions: Sequence[int] = field(default=(0,), repr=False)
    raw_positions: Sequence[int] = field(default=(0,), repr=False)
    page_markets: frozenset[str] = frozenset()
    """The countries that the whole file is about."""
    is_binary: bool = False
    escape_depth: int = 0
    """How many levels of escapes were undone to give this view."""
    decoded: "View | None" = field(default=None, repr=False)
    """The view that this one is a part of, as people read it; None if it is of the file itself."""
    start: int = 0

    def offset(self, position: int) -> int:
        """Return the position in the file of a byte of the view."""
        index = bisect_right(self.positions, position) - 1
        raw = self.raw_positions[index] + position - self.positions[index]
        return raw if self.decoded is None else self.decoded.offset(self.start + raw)

    def excerpt(self, start: int, end: int) -> str:
        """Return some bytes and their surroundings as one line of text."""
        around = self.data[max(0, start - 30) : end + 30].decode("utf-8", "replace")
        return " ".join("".join(c if c.isprintable() else " " for c in around).split())


def view_of(name: str, data: bytes, *, offset: int = 0) -> View:
    """Return the view of a file's bytes, with UTF-16 and UTF-32 converted to UTF-8."""
    encoding = _wide_encoding(data)
    if encoding:
        return _decode_wide_text(name, data, encoding)
    is_binary = b"\0" in data[:_TEXT_START] and not name.lower().endswith(_TEXT_SUFFIXES)
    return View(name=name, data=data, raw_positions=(offset,), is_binary=is_binary)


def _wide_encoding(data: bytes) -> str:
    """Return the encoding of text in units of two or four bytes; empty for anything else."""
    for bom, encoding in (
        (b"\xff\xfe\0\0", "utf-32-le"),
        (b"\0\0\xfe\xff", "utf-32-be"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if data.startswith(bom):
            return encoding
    start = data[:_TEXT_START]
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros, others = start[first::2], start[1 - first :: 2]
        if len(start) > 3 and zeros.count(0) > 0.7 * len(zeros) and 10 * others.count(0) < zeros.count(0):
            return encoding
    return ""


def _decode_wide_text(name: str, data: bytes, encoding: str) -> View:
    """Return wide text as UTF-8. Each character starts a new entry of the position map, because its length
    differs between the view and the file.
    """
    text = data.decode(encoding, "replace")
    positions, raw = [], []
    position = raw_position = 0
    width = 4 if encoding.startswith("utf-32") else 2
    for character in text:
        positions.append(position)
        raw.append(raw_position)
        position += len(character.encode(errors="replace"))
        raw_position += 4 if width == 4 or ord(character) > 0xFFFF else 2
    return View(
        name=name,
        data=text.encode(errors="replace"),
        positions=positions or (0,),
        raw_positions=raw or (0,),
    )


_INLINE = (
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|"
    "strong|sub|sup|time|tspan|tt|u|var|wbr"
)
INLINE_TAG = rb"<(?:\\?/)?(?:" + _INLINE.encode() + rb")(?:[\s/][^<>]{0,2000})?>|<!--.{0,2000}?-->"
_ESCAPED = (
    rb"(?P<drop>"
    rb"\xc2\xad|\xe2\x80[\x8b-\x8d]|\xe2\x81\xa0|&(?:shy|zwnj|zwj|zerowidthspace|nobreak);"
    rb"|&\#(?:173|8203|8204|8205|8288|x0*ad|x0*200[bcd]|x0*2060);|\\u(?:00ad|200[bcd]|2060))"
    rb"|&\#x0*(?P<hex>[2-7][0-9a-f]);|&\#0*(?P<dec>\d{2,3});|\\u00(?P<json>[2-7][0-9a-f])"
    rb"|\\x(?P<js>[2-7][0-9a-f])|%(?P<percent>[2-7][0-9a-f])"
    rb"|&(?P<named>period|comma|commat|hyphen|dash|sol|lowbar|num|plus|dollar|amp|lt|gt);"
)
_FLAGS = re.IGNORECASE | re.DOTALL
_ESCAPES = re.compile(_ESCAPED, _FLAGS)
_ESCAPES_AND_TAGS = re.compile(rb"(?P<tag>" + INLINE_TAG + rb")|" + _ESCAPED, _FLAGS)
_NAMED = {
    b"period": b".", b"comma": b",", b"commat": b"@", b"hyphen": b"-", b"dash": b"-", b"sol": b"/",
    b"lowbar": b"_", b"num": b"#", b"plus": b"+", b"dollar": b"$", b"amp": b"&", b"lt": b"<", b"gt": b">",
}  # fmt: skip
_DELIMITERS = frozenset(b"\"'\\")
"""Characters that stay escaped: unescaped they would end a value."""


def decoded_views(view: View, start: int, end: int) -> Iterator[View]:
    """Yield a part of a view as people read it.

    First with escaped letters and digits unescaped and soft hyphens removed, then also without inline tags,
    which do not separate words. The attributes of these tags are lost.
    """
    for data, positions, raw_positions in _decode(view.data[start:end]):
        yield View(
            name=view.name,
            data=data,
            positions=positions,
            raw_positions=raw_positions,
            page_markets=view.page_markets,
            is_binary=view.is_binary,
            escape_depth=view.escape_depth + 1,
            decoded=view,
            start=start,
        )


class _Decoded(NamedTuple):
    """Some bytes as people read them, with a map as in `View` to positions before."""

    data: bytes
    positions: Sequence[int]
    raw_positions: Sequence[int]


@lru_cache(maxsize=1024)
def _decode(part: bytes) -> tuple[_Decoded, ...]:
    """Return the forms in which people read a part of a file. The pages of a site share most of their frames."""
    return (
        *((_unescape(part, _ESCAPES),) if _ESCAPES.search(part) else ()),
        *((_unescape(part, _ESCAPES_AND_TAGS),) if b"<" in part else ()),
    )


def _unescape(part: bytes, pattern: re.Pattern[bytes]) -> _Decoded:
    """Return bytes with each match of a pattern unescaped or left out."""
    chunks: list[bytes] = []
    positions, raw = [0], [0]
    position = end_of_last = 0
    for match in pattern.finditer(part):
        replacement = _unescape_match(match)
        if replacement is None:
            continue
        chunks += (part[end_of_last : match.start()], replacement)
        position += match.start() - end_of_last
        if replacement:
            positions.append(position)
            raw.append(match.start())
            position += len(replacement)
        end_of_last = match.end()
        positions.append(position)
        raw.append(end_of_last)
    chunks.append(part[end_of_last:])
    return _Decoded(b"".join(chunks), positions, raw)


def _unescape_match(match: re.Match[bytes]) -> bytes | None:
    """Return the replacement of a match; None if it must stay."""
    kind = match.lastgroup or ""
    if kind in {"drop", "tag"}:
        return b""
    value = match[kind]
    if kind == "named":
        return _NAMED[value.lower()]
    code = int(value, 10 if kind == "dec" else 16)
    return bytes([code]) if 0x20 <= code < 0x7F and code not in _DELIMITERS else None
