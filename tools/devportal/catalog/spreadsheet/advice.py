"""What to do about values that spreadsheets make of what somebody typed: dates, numbers and lost zeros."""

import re
from collections.abc import Callable
from datetime import date, timedelta

_SERIAL_DAY_ZERO = date(1899, 12, 30)
"""Day 0 of the numbers that spreadsheets show as dates (from March 1900 on)."""

_AS_TEXT = "format the column as text before typing"


def advice(column: str, value: str) -> str:
    """Return what to do about a value that does not fit its column, or nothing where that is not known."""
    if value != value.strip():
        return f"remove the blanks around it: {value.strip()}"
    for columns, pattern, say in _RULES:
        found = re.fullmatch(pattern, value)
        if found and column in columns:
            return say(found)
    return ""


def _day_of(found: re.Match[str]) -> str:
    day = _SERIAL_DAY_ZERO + timedelta(days=int(found.group()))
    return f"a spreadsheet made a number of the day: that number stands for {day}; {_AS_TEXT}"


def _always(words: str) -> Callable[[re.Match[str]], str]:
    return lambda _found: words


_DAYS = frozenset({"effective_from", "effective_to", "reviewed_on"})
_PRICE = frozenset({"price"})
_DIGITS = frozenset({"prefixes", "dialling_code", "mcc", "mnc", "version", "registration_days"})

_TRUE = frozenset({"true", "wahr", "vrai", "1", "y", "yes"})

_RULES: tuple[tuple[frozenset[str], str, Callable[[re.Match[str]], str]], ...] = (
    (
        _DAYS,
        r"\d{1,2}([/.-])\d{1,2}\1\d{2,4}",
        _always(f"day and month cannot be told apart: write the day as YYYY-MM-DD; {_AS_TEXT}"),
    ),
    (_DAYS, r"[1-9]\d{4}", _day_of),
    (_DAYS, r"(\d{4}-\d{2}-\d{2})[T ].+", lambda found: f"write the day alone: {found.group(1)}"),
    (_PRICE, r"\.\d{1,8}", lambda found: f"write a digit before the point: 0{found.group()}"),
    (
        _PRICE,
        r"(\d{1,9}),(\d{1,8})",
        lambda found: f"write the decimal comma as a point: {found.group(1)}.{found.group(2)}",
    ),
    (
        _PRICE | _DIGITS,
        r"[-+]?\d+(?:[.,]\d+)?[eE][-+]?\d+",
        _always(f"a spreadsheet shortened the number: write all its digits; {_AS_TEXT}"),
    ),
    (
        _PRICE,
        r"[^\d.,]{1,3}\s?[\d.,]+|[\d.,]+\s?[^\d.,]{1,3}",
        _always("write digits alone: the currency has a column"),
    ),
    (
        frozenset({"mcc"}),
        r"\d{1,2}",
        lambda found: f"a spreadsheet took a zero away: write {found.group():0>3}; {_AS_TEXT}",
    ),
    (
        frozenset({"mnc"}),
        r"\d",
        lambda found: (
            f"a spreadsheet took zeros away: write 0{found.group()} or 00{found.group()}; {_AS_TEXT}"
        ),
    ),
    (
        _DIGITS,
        r"\+(\d+)|00([1-9]\d*)|(\d+)[.]0+",
        lambda found: f"write the digits alone: {next(part for part in found.groups() if part)}",
    ),
    (
        frozenset({"billing_increment"}),
        r".*(?:[A-Za-z]{3}|\d[-.]\d|/.*/).*|[1-9]\d{4}",
        _always(f"a spreadsheet took it for a date: write seconds as 1/1, 60/60 or 30/6; {_AS_TEXT}"),
    ),
    (
        frozenset({"sample", "two_way", "alphanumeric_sender", "delivery_receipts", "concatenation"})
        | {"unicode", "number_portability"},
        r"(?i:true|false|wahr|falsch|vrai|faux|1|0|y|n|yes|no)",
        lambda found: f"write {'yes' if found.group().lower() in _TRUE else 'no'}",
    ),
)
"""Columns, what their value looks like, and what to do then."""
