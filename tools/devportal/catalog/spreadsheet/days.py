"""What to do about days that stand in a sheet in another form: the day itself where it is sure."""

import re
from datetime import date, timedelta

from devportal.catalog.spreadsheet.rule import AS_TEXT, MONTH, Rule, always

_COLUMNS = frozenset({"effective_from", "effective_to", "reviewed_on"})

_SERIAL_DAY_ZERO = date(1899, 12, 30)
"""Day 0 of the numbers that spreadsheets show as dates (from March 1900 on)."""

_FORM = "write the day as YYYY-MM-DD"

_PARTED = r"(?=\d+([/-]))"
"""Before a day whose parts have the same mark between them."""

_MONTH = r"(?:0?[1-9]|1[0-2])"
_NO_MONTH = r"1[3-9]|2\d|3[01]"
"""Numbers of days that no month has."""

_YEAR = r"(\d{4}|\d{2})(?: 0?0:00(?::00)?)?"
"""A year, and the midnight that some programs put behind a day."""


def _written(day: date) -> str:
    return f"{_FORM}, here {day}; {AS_TEXT}"


def _day(year: str, month: str, day: str) -> date | None:
    """Return a day of the calendar, or None; a year of two digits is one of this century."""
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None


def _with_dots(found: re.Match[str]) -> str:
    day, month, year = found.groups()
    meant = _day(year, month, day)
    return f"with dots the day is first: {_written(meant)}" if meant else ""


def _with_month_first(found: re.Match[str]) -> str:
    _, month, day, year = found.groups()
    meant = _day(year, month, day)
    return f"only the month can be first here: {_written(meant)}" if meant else ""


def _with_day_first(found: re.Match[str]) -> str:
    _, day, month, year = found.groups()
    meant = _day(year, month, day)
    return f"only the day can be first here: {_written(meant)}" if meant else ""


def _with_year_first(found: re.Match[str]) -> str:
    meant = _day(*found.groups())
    return _written(meant) if meant else ""


def _of_serial(found: re.Match[str]) -> str:
    day = _SERIAL_DAY_ZERO + timedelta(days=int(found.group()))
    return f"a spreadsheet made a number of the day: that number stands for {day}; {AS_TEXT}"


DAY_RULES = (
    Rule(_COLUMNS, rf"(\d{{1,2}})\. ?(\d{{1,2}})\. ?{_YEAR}", _with_dots),
    Rule(_COLUMNS, rf"{_PARTED}(\d{{1,2}})[/-]({_NO_MONTH})\1{_YEAR}", _with_month_first),
    Rule(_COLUMNS, rf"{_PARTED}({_NO_MONTH})[/-](\d{{1,2}})\1{_YEAR}", _with_day_first),
    Rule(
        _COLUMNS,
        rf"{_PARTED}{_MONTH}[/-]{_MONTH}\1{_YEAR}",
        always(f"day and month cannot be told apart: {_FORM}; {AS_TEXT}"),
    ),
    Rule(_COLUMNS, r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})\.?", _with_year_first),
    Rule(_COLUMNS, r"(\d{4})-(\d{1,2})-(\d{1,2})", _with_year_first),
    Rule(_COLUMNS, r"[1-9]\d{4}", _of_serial),
    Rule(_COLUMNS, r"(\d{4}-\d{2}-\d{2})[T ].+", lambda found: f"write the day alone: {found.group(1)}"),
    Rule(
        _COLUMNS,
        rf"\d{{1,2}}[-./ ]+{MONTH}[-./, ]+\d{{2,4}}|{MONTH}[-./ ]+\d{{1,2}}[-./, ]+\d{{2,4}}",
        always(f"write the month as a number, too: {_FORM}; {AS_TEXT}"),
    ),
    Rule(
        _COLUMNS,
        rf"{MONTH}[-./ ]+\d{{2,4}}|\d{{1,2}}[-./ ]+{MONTH}",
        always(f"a spreadsheet shows a part of the day only: {_FORM}; {AS_TEXT}"),
    ),
)
"""For values in the columns of days."""
