"""Instants and days as members of representations hold them: read, and written in the form that a schema asks for."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, TypeVar

from devportal.contract.schemas import Schema

_Time = TypeVar("_Time", date, datetime)

PRECISION = timedelta(seconds=1)
"""A database may store a time less precisely than the program that wrote it."""


def parse_instant(value: Any) -> datetime | None:
    """Return the instant of an RFC 3339 text or of a number of seconds since 1970 (or milliseconds); None if
    it is neither.
    """
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if value > 1e11 else value
            return datetime.fromisoformat("1970-01-01T00:00:00+00:00") + timedelta(seconds=seconds)
        if isinstance(value, str) and "T" in value.upper():
            found = datetime.fromisoformat(value.upper())
            return found if found.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
    return None


def parse_day(value: Any) -> date | None:
    """Return the day of an RFC 3339 text without a time, None if it is none."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def shift_time(time: _Time, shift: timedelta) -> _Time | None:
    """Return a time or a day moved by a shift, None outside of the years 1 to 9999: `9999-12-31T23:59:59Z` may stand
    for never, and `0001-01-01T00:00:00Z` for no time at all.
    """
    with suppress(OverflowError):
        return time + shift
    return None


def in_zone(time: datetime, zone: tzinfo) -> datetime | None:
    """Return a time with another offset, None outside of the years 1 to 9999."""
    with suppress(OverflowError):
        return time.astimezone(zone)
    return None


def time_text(time: date | datetime) -> str:
    """Return a time or a day as RFC 3339 writes it, with `Z` for UTC."""
    return time.isoformat().replace("+00:00", "Z")


def time_value(schema: Schema, example: Any, now: datetime, is_valid: Callable[[Any], bool]) -> Any:
    """Return a time as a schema asks for it, the example if none fits: RFC 3339, a date, or a number of seconds or
    milliseconds since 1970.
    """
    return next((form for form in _forms(schema, example, now) if is_valid(form)), example)


def _forms(schema: Schema, example: Any, now: datetime) -> Iterator[Any]:
    is_number = bool({"integer", "number"} & set(schema.types)) or isinstance(example, int | float)
    if is_number and "string" not in schema.types:
        is_in_ms = isinstance(example, int | float) and example > 1e11
        yield int(now.timestamp() * (1000 if is_in_ms else 1))
        return
    precise = now.isoformat(timespec="microseconds").replace("+00:00", "Z")
    if schema.format == "date":
        yield now.date().isoformat()
    elif schema.format == "date-time-rfc-2822":
        yield now.strftime("%a, %d %b %Y %H:%M:%S +0000")
    elif schema.format == "date-time" or _looks_like_rfc3339(example):
        digits = len(str(example).partition(".")[2].rstrip("Zz")) if "." in str(example) else 0
        yield precise if digits > 3 or not isinstance(example, str) else _in_milliseconds(now)
        yield from (_in_milliseconds(now), now.isoformat(timespec="seconds").replace("+00:00", "Z"), precise)
    elif isinstance(example, str) and len(example) > 20 and example[3:5] == ", ":
        yield now.strftime("%a, %d %b %Y %H:%M:%S +0000")


def _in_milliseconds(now: datetime) -> str:
    return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _looks_like_rfc3339(example: Any) -> bool:
    return isinstance(example, str) and len(example) >= 19 and example[4:5] == "-" and example[10:11] == "T"
