"""Where a value may be broken by a tag inside a word, or stand escaped."""

import re
from collections.abc import Iterable, Iterator

from devportal.site.leaks.view import INLINE_TAG

_PLAIN_TAGS = (
    "b", "i", "u", "s", "q", "em", "del", "dfn", "ins", "sub", "sup", "var", "tt", "big", "kbd", "abbr",
    "bdi", "bdo", "cite", "data", "font", "mark", "samp", "small", "strike", "tspan", "wbr",
)  # fmt: skip

"""Tags that are rare enough to stop at each."""
_FREQUENT_TAGS = ("span", "code", "a", "strong", "time")
"""Those that code samples and tables are full of: we stop where one stands at a letter or digit."""
_LETTERS = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CHARACTERS = (
    "&shy;", "&ZeroWidthSpace;", "&zwnj;", "&zwj;", "&NoBreak;", "&period;", "&comma;", "&commat;",
    "&hyphen;", "&dash;", "&lowbar;", "\\u00ad", "\\u00AD", "\\u200", "\\u2060",
    "\u00ad", "\u200b", "\u200c", "\u200d", "\u2060",
)  # fmt: skip
_AROUND = 100
_GOES_ON = re.compile(rb"[.,@-]?[0-9A-Za-z]|[.,]" + INLINE_TAG, re.IGNORECASE)
_IS_OPEN = re.compile(rb"[0-9A-Za-z][.,@-]?$")
_TAGS = re.compile(rb"(?:" + INLINE_TAG + rb")+", re.IGNORECASE)
_TAG = re.compile(INLINE_TAG, re.IGNORECASE)
_REACH = 200
"""How many bytes of tags may stand before one that breaks a word."""


def breaking_hooks() -> Iterator[bytes]:
    """Yield the bytes at which something may be broken or escaped."""
    for tag in _PLAIN_TAGS:
        for name in (tag, tag.upper()):
            yield from (f"{start}{name}{end}".encode() for start in ("<", "</") for end in "> \n/")
    for tag in _FREQUENT_TAGS:
        for code in (*_LETTERS, *b"-.@"):
            yield b"%c<%s" % (code, tag.encode())
            yield b"</%s>%c" % (tag.encode(), code)
    yield from (b"</code><code", b"</a><a")
    for digit in b"0123456789.-":
        yield from (b"%c%s" % (digit, bracket) for bracket in (b"&lt;", b"\\u003c", b"\\u003C", b"<\\/"))
        yield b"%c</span><span" % digit
        yield b"%c<!--" % digit
        yield b"-->%c" % digit
    yield from (text.encode() for text in _CHARACTERS)
    yield from _escapes()


def _escapes() -> Iterator[bytes]:
    """Yield the starts of what stands for a letter, a digit, or one of `,-.@` in HTML, JSON and addresses."""
    for digit in "01456789":
        yield f"&#{digit}".encode()
    codes = [*b",-.@", *_LETTERS]
    for form in dict.fromkeys(spelt for code in codes for spelt in (f"{code:02x}", f"{code:02X}")):
        yield from (f"{start}{form}".encode() for start in ("&#x", "&#X", "\\u00", "\\x", "%"))
    yield from (b"&#x0", b"&#X0", b"&#xad", b"&#xAD", b"&#x200", b"&#x2060", b"%25", b"&amp;#", b"&amp;shy")


def breaks_in(data: bytes, stops: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a file in which something is broken or escaped, none overlapping another."""
    low = high = -1
    for start, end in stops:
        if not _is_break(data, start, end):
            continue
        if start - _AROUND <= high:
            high = max(high, end + _AROUND)
            continue
        if high >= 0:
            yield low, high
        low, high = start - _AROUND, end + _AROUND
    if high >= 0:
        yield max(0, low), high


def _is_break(data: bytes, start: int, end: int) -> bool:
    """Say whether a tag stands inside a word; whatever is no tag breaks or escapes."""
    opening = data.find(b"<", start, end)
    if opening < 0 or data[opening : opening + 2] == b"<\\" or data[opening : opening + 4] == b"<!--":
        return True
    tags = _TAGS.match(data, opening)
    if tags is None or _GOES_ON.match(data, tags.end()) is None:
        return False
    first = _before_tags(data, opening)
    return _IS_OPEN.search(data, max(0, first - 2), first) is not None


def _before_tags(data: bytes, end: int) -> int:
    """Return where the first of the tags starts that stand directly before a place."""
    low = max(0, end - _REACH)
    while data[end - 1 : end] == b">":
        start = data.rfind(b"<", low, end)
        if start < 0 or _TAG.fullmatch(data, start, end) is None:
            break
        end = start
    return end
