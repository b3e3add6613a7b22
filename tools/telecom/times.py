"""Times as the API writes them."""

import re
from datetime import UTC, datetime, timedelta

_LEAP_SECOND = re.compile(r"(T[0-9]{2}:[0-9]{2}):60(\.[0-9]+)?")
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def format_rfc3339(at: datetime) -> str:
    """Return an aware time in UTC with milliseconds and `Z` (RFC 3339 §5.6)."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def parse_rfc3339(text: str) -> datetime | None:
    """Return the time that a text stands for, aware and in UTC, None if it is not a time.

    A leap second (RFC 3339 §5.7) stands for the moment at which it ends. RFC 3339 §5.6 also allows the year
    0000, which no `datetime` can hold.
    """
    text_without_leap_second, leaps = _LEAP_SECOND.subn(r"\1:59", text, count=1)
    try:
        moment = datetime.fromisoformat(text_without_leap_second)
        if moment.tzinfo is None:
            return None
        moment = moment.astimezone(UTC)
        return _after_leap_second(moment) if leaps else moment
    except (ValueError, OverflowError):
        return None


def parse_rfc3339_clamped(text: str) -> datetime | None:
    """Return the time that a text stands for, limited to the first or last that a `datetime` can hold; None
    if the text is not a time."""
    moment = parse_rfc3339(text)
    if moment is not None or parse_rfc3339(f"2000{text[4:]}") is None:
        return moment
    if text[:4] == "0000" or text[:10] == "0001-01-01":
        return _FIRST
    return _LAST if text[:10] == "9999-12-31" else None


def _after_leap_second(before: datetime) -> datetime | None:
    """Return when the leap second after a second ends, None if no day ends there."""
    is_last = (before.hour, before.minute, before.second) == (23, 59, 59)
    return before + timedelta(seconds=1) if is_last else None
