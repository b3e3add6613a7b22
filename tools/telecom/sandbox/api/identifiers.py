"""Identifiers that sort by time, and correlation identifiers."""

import re
from collections.abc import Callable
from datetime import datetime
from threading import Lock

RandomBytes = Callable[[int], bytes]
"""A source of randomness: takes a number of bytes."""

_RANDOM_BITS = 80
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_TRACEPARENT = re.compile(
    r"(?:(?P<first>00)|(?!00|ff)[0-9a-f]{2})-(?P<trace_id>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
    r"(?(first)|(?:-.*)?)"
)
"""Versions after 00 may have more fields behind a dash (W3C Trace Context §3.2.2)."""


class _LatestNumber:
    """The number of the last identifier of this process, so that those of one millisecond increase."""

    def __init__(self) -> None:
        """Start with no number."""
        self._number = 0
        self._lock = Lock()

    def next_from(self, number: int, step: int) -> int:
        """Return the number. If it is in the millisecond of the last one and not above it, return the last
        one plus `step`."""
        with self._lock:
            is_same_millisecond = number >> _RANDOM_BITS == self._number >> _RANDOM_BITS
            self._number = self._number + step if is_same_millisecond and number <= self._number else number
            return self._number


_LATEST_NUMBER = _LatestNumber()


def new_id(prefix: str, now: datetime, random_bytes: RandomBytes) -> str:
    """Return `prefix` and 26 characters in base 32: 48 bits of milliseconds, then random bits.

    Those of one process in one millisecond increase, so that simultaneous events are listed in order. Of the
    80 random bits the first is 0, which leaves room for 32768 steps of 64 random bits.
    """
    start = int.from_bytes(random_bytes(10)) >> 1
    step = 1 + int.from_bytes(random_bytes(8))
    number = _LATEST_NUMBER.next_from(int(now.timestamp() * 1000) << _RANDOM_BITS | start, step)
    digits = (_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
    return prefix + "".join(digits)


def correlation_id(traceparent: str | None, random_bytes: RandomBytes) -> str:
    """Return the trace-id of a valid `traceparent` (W3C Trace Context §3.2), or 32 new hexadecimal digits.

    An invalid header is ignored, as the standard requires.
    """
    match = _TRACEPARENT.fullmatch(traceparent) if traceparent is not None else None
    return match["trace_id"] if match is not None else random_bytes(16).hex()
