"""When a delivery that was not taken is sent again (Standard Webhooks 1.0.0)."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

HTTP_GONE = 410
"""The status with which a receiver ends its subscription: nothing is sent again."""
_LONGEST_WAIT = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrySchedule:
    """The pauses before the second attempt, the third and so on; up to `jitter` of itself is added to each,
    so that many events do not come back at once. `scale` shortens or stretches all of them."""

    pauses: tuple[timedelta, ...]
    jitter: float = 0.2
    scale: float = 1.0

    def pause_after(self, attempt: int, rng: random.Random) -> timedelta | None:
        """Return the pause after the given attempt (from 1), None if there is no further attempt."""
        if attempt > len(self.pauses):
            return None
        return self.pauses[attempt - 1] * self.scale * (1 + self.jitter * rng.random())

    def pause_after_response(
        self, status: int | None, wait: timedelta, *, attempt: int, rng: random.Random
    ) -> timedelta | None:
        """Return the pause after an attempt (from 1) that had a status, None without a response, and how long its
        `Retry-After` asks to wait. Return None if there is no further attempt: it succeeded, or it was the last.
        """
        if is_taken(status) or status == HTTP_GONE:
            return None
        pause = self.pause_after(attempt, rng)
        return None if pause is None else max(pause, wait)


def is_taken(status: int | None) -> bool:
    """Say whether a receiver has taken a delivery, by the status of its response, None without one."""
    return status is not None and 200 <= status < 300


def retry_after(header: str | None, now: datetime) -> timedelta:
    """Return the wait of a `Retry-After` (RFC 9110 §10.2.3), at most a day; zero if unreadable."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return min(timedelta(seconds=int(text[:9])), _LONGEST_WAIT)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return timedelta(0)
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return min(max(moment - now, timedelta(0)), _LONGEST_WAIT)
