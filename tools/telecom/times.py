"""Times as the API writes them."""

from datetime import UTC, datetime


def rfc3339(at: datetime) -> str:
    """Return an aware time in UTC with milliseconds and `Z` (RFC 3339 §5.6)."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
