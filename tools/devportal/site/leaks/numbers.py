"""Numbers as they stand in a file: whole ones only, and none that cannot be a price."""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from devportal.site.leaks.needles import normal

_DIGITS = b"0123456789"
_LONGEST = 24
"""More digits than any price has."""
_FULL_PRECISION = 15
"""From so many digits on a number is what a spreadsheet made of a shorter one: `0.42420000000000002`."""
_NUMBER = re.compile(rb"(\d*)(?:([.,])(\d+))?(?:[eE]([-+]?\d{1,3})(?![\dA-Za-z]))?")
_CURRENCY = re.compile(rb"[A-Za-z]{3}(?![A-Za-z])")
_LETTERS_BEFORE = re.compile(rb"[A-Za-z]+$")
_SIGNS = frozenset((b"kr", b"zl", b"rs", b"fr", b"ft", b"lei"))
"""Signs of currencies that are letters and stand before a number without a blank."""
_LONGEST_TAG = 100_000
"""More bytes than the outline of any country has."""
_MINUS = "−".encode()
_PERCENT = re.compile(rb"(?:\s|&nbsp;|\xc2\xa0|\xe2\x80\xaf)?(?:%(?![0-9A-Fa-f]{2})|&percnt;)")
_ATTRIBUTE = re.compile(rb"([A-Za-z][\w:-]*)\s*=\s*$")
_GEOMETRY = frozenset(
    b"d points x y x1 x2 y1 y2 cx cy r rx ry dx dy fx fy width height viewbox transform offset stroke-width "
    b"stroke-dasharray opacity fill-opacity stroke-opacity font-size style media content-length".split()
)
"""Attributes whose numbers are lengths and places: maps are full of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number in a file."""

    start: int
    end: int
    value: Decimal
    decimals: int
    """How many digits stand behind its point or comma."""
    is_signed: bool = False
    """Whether a minus stands before it: a difference, or a price behind a dash."""


def numbers_at(data: bytes, position: int, wanted: Container[Decimal]) -> Iterator[Number]:
    """Yield the numbers that a place in a file is part of, of those that are wanted; `1,250.00` is read as
    `250` too, for a CSV has it.
    """
    start = position
    while start > 0 and position - start < _LONGEST and data[start - 1] in _DIGITS:
        start -= 1
    match = _NUMBER.match(data, start)
    if match is None or not match.group():
        return
    whole, separator, fraction, exponent = match[1] or b"0", match[2], match[3] or b"", match[4] or b"0"
    readings = [(start, whole)]
    if separator != b"," and data[start - 1 : start] == b"," and match[1]:
        grouped = _groups_before(data, start)
        readings += [(grouped[0], grouped[1] + whole)] if grouped else []
    for place, digits in readings:
        value = _value(digits, fraction, exponent)
        if value in wanted and not _is_part(data, start, match):
            is_signed = data[place - 1 : place] == b"-" and not data[place - 2 : place - 1].isalnum()
            yield Number(
                start=place, end=match.end(), value=value, decimals=len(fraction), is_signed=is_signed
            )


@lru_cache(maxsize=65536)
def _value(whole: bytes, fraction: bytes, exponent: bytes) -> Decimal:
    """Return a number without zeros at its end; one that is too long to be a price is none, so -1."""
    if abs(int(exponent)) > _LONGEST or len(whole) + len(fraction) > 2 * _LONGEST:
        return Decimal(-1)
    value = Decimal(f"{whole.decode()}.{fraction.decode()}e{int(exponent)}")
    if len(value.as_tuple().digits) >= _FULL_PRECISION:
        value = round(value, 12 - value.adjusted() - 1)
    return normal(value)


def _groups_before(data: bytes, start: int) -> tuple[int, bytes] | None:
    """Return where a number with separators of thousands starts, and the digits of the groups before."""
    found = re.search(rb"(?<![\d.,])(\d{1,3}(?:,\d{3})*),$", data[max(0, start - _LONGEST) : start])
    if found is None:
        return None
    return max(0, start - _LONGEST) + found.start(), found[1].replace(b",", b"")


def _is_part(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """Say whether what was matched is part of something else: a version, a date, a share, a change."""
    end = match.end()
    before, after = data[max(0, start - 3) : start], data[end : end + 4]
    if before[-1:] == b"." or re.match(rb"[.]\d", after):
        return True
    if before[-1:] == b"+" and not before[-2:-1].isalnum():
        return True
    if before == _MINUS or _PERCENT.match(data, end):
        return True
    word = _LETTERS_BEFORE.search(data, max(0, start - 4), start)
    is_sign = word is not None and ((before.isalpha() and before.isupper()) or word[0].lower() in _SIGNS)
    if before[-1:].isalpha() and not is_sign and before[-2:-1] != b"\\":
        return True
    return after[:1].isalpha() and not _CURRENCY.match(after)


def is_geometry(data: bytes, start: int) -> bool:
    """Say whether a number is in an attribute that holds lengths or places."""
    tag = data.rfind(b"<", max(0, start - _LONGEST_TAG), start)
    if tag < 0 or data.find(b">", tag, start) >= 0:
        return False
    quote = max(data.rfind(b'"', tag, start), data.rfind(b"'", tag, start))
    name = _ATTRIBUTE.search(data, max(tag, quote - 40), quote) if quote > 0 else None
    return name is not None and name[1].lower() in _GEOMETRY
