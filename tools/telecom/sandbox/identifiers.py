"""Identifiers that sort by time, and correlation identifiers."""

import re
from collections.abc import Callable
from datetime import datetime

RandomBytes = Callable[[int], bytes]
"""A source of randomness: takes a number of bytes."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


def new_id(prefix: str, now: datetime, random_bytes: RandomBytes) -> str:
    """Return `prefix` and 26 characters: 48 bits of milliseconds and 80 random ones in base 32."""
    number = int(now.timestamp() * 1000) << 80 | int.from_bytes(random_bytes(10))
    digits = (_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
    return prefix + "".join(digits)


def correlation_id(traceparent: str | None, random_bytes: RandomBytes) -> str:
    """Return the trace-id of a valid `traceparent` (W3C Trace Context §3.2), or 32 new hexadecimal digits.

    An invalid header is ignored, as that standard asks.
    """
    match = _TRACEPARENT.fullmatch(traceparent) if traceparent is not None else None
    return match.group(1) if match is not None else random_bytes(16).hex()
