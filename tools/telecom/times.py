"""Times as the API writes them."""

from datetime import UTC, datetime


def rfc3339(at: datetime) -> str:
    """Return an aware time in UTC with milliseconds and `Z` (RFC 3339 §5.6)."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def from_rfc3339(text: str) -> datetime | None:
    """Return the aware time in UTC that a text stands for, None where it stands for none.

    RFC 3339 §5.6 allows the leap second 23:59:60 and the year 0000, which no `datetime` can hold.
    """
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None
