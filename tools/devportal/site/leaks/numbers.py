"""Numbers as they stand in a file: whole ones only, and none that cannot be a price."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from devportal.site.leaks.needles import normal

_DIGITS = b"0123456789"
_LONGEST = 24
"""More digits than any price has."""
_FULL_PRECISION = 15
"""From so many digits on a number is what a spreadsheet made of a shorter one: `0.42420000000000002`."""
_NUMBER = re.compile(rb"(\d*)(?:([.,])(\d+))?(?:[eE]([-+]?\d{1,3})(?![\dA-Za-z]))?")
_CURRENCY = re.compile(rb"[A-Za-z]{3}(?![A-Za-z])")
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


def numbers_at(data: bytes, position: int) -> Iterator[Number]:
    """Yield the numbers that a place in a file is part of; `1,250.00` is read as `250` too (a CSV has it)."""
    start = position
    while start > 0 and position - start < _LONGEST and data[start - 1] in _DIGITS:
        start -= 1
    match = _NUMBER.match(data, start)
    if match is None or not match.group() or _is_part(data, start, match):
        return
    yield from _read(match, start, match[1] or b"0")
    grouped = _groups_before(data, start) if match[1] and match[2] != b"," else None
    if grouped:
        yield from _read(match, grouped[0], grouped[1] + match[1])


def _read(match: re.Match[bytes], start: int, whole: bytes) -> Iterator[Number]:
    fraction, exponent = match[3] or b"", int(match[4] or 0)
    if abs(exponent) > _LONGEST or len(whole) + len(fraction) > 2 * _LONGEST:
        return
    value = Decimal(f"{whole.decode()}.{fraction.decode()}e{exponent}")
    if len(value.as_tuple().digits) >= _FULL_PRECISION:
        value = round(value, 12 - value.adjusted() - 1)
    yield Number(start=start, end=match.end(), value=normal(value), decimals=len(fraction))


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
    if before[-1:] in (b"+", b"-") and not before[-2:-1].isalnum():
        return True
    if before == _MINUS or _PERCENT.match(data, end):
        return True
    if before[-1:].isalpha() and not (before.isalpha() and before.isupper()) and before[-2:-1] != b"\\":
        return True
    return after[:1].isalpha() and not _CURRENCY.match(after)


def is_geometry(data: bytes, start: int) -> bool:
    """Say whether a number is in an attribute that holds lengths or places."""
    quote = max(data.rfind(b'"', 0, start), data.rfind(b"'", 0, start))
    if quote <= 0 or b"<" in data[quote:start]:
        return False
    name = _ATTRIBUTE.search(data, max(0, quote - 40), quote)
    return name is not None and name[1].lower() in _GEOMETRY
