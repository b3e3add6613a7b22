"""Instants and days as members of representations hold them."""

from datetime import date, datetime, timedelta
from typing import Any

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
