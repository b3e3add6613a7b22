"""When a failed webhook is sent again: the schedule as data, and what the receiver's answer changes."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_LONGEST_WAIT = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The pauses before the second attempt, the third and so on; each is made longer by up to `jitter` of
    itself, so that many events do not come back at once. `scale` shortens or stretches all of them."""

    pauses: tuple[timedelta, ...]
    jitter: float = 0.2
    scale: float = 1.0

    def pause_after(self, attempt: int, rng: random.Random) -> timedelta | None:
        """Return the pause after the given attempt (from 1), None where there is no further attempt."""
        if attempt > len(self.pauses):
            return None
        return self.pauses[attempt - 1] * self.scale * (1 + self.jitter * rng.random())


STANDARD = Schedule(
    pauses=(
        timedelta(seconds=5),
        timedelta(minutes=5),
        timedelta(minutes=30),
        timedelta(hours=2),
        timedelta(hours=5),
        timedelta(hours=10),
        timedelta(hours=14),
        timedelta(hours=20),
        timedelta(hours=24),
    )
)
"""Ten attempts within about 75 hours (Standard Webhooks 1.0.0, its example schedule)."""

NEVER = Schedule(pauses=())
"""One attempt, and no other."""


def retry_after(header: str | None, now: datetime) -> timedelta:
    """Return how long a `Retry-After` asks to wait (RFC 9110 §10.2.3), a day at most; zero if unreadable."""
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return min(timedelta(seconds=int(text[:9])), _LONGEST_WAIT)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return timedelta(0)
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return min(max(moment - now, timedelta(0)), _LONGEST_WAIT)
