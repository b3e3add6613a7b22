"""The time of a server whose clock can be moved, run faster or stopped, computed from one stored state."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
"""Identifiers count milliseconds from here."""
LATEST = datetime(2999, 12, 31, tzinfo=UTC)
"""The clock stops here: what is due days later is still a date."""
MAX_SPEED = 86_400.0
"""One day per second."""


_SPEED = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)x")


class ClockMode(StrEnum):
    """How the clock of a sandbox runs."""

    REAL = "real"
    """Real time, and nothing can change that until the next start."""
    RUNNING = "running"
    MANUAL = "manual"
    """It stops until it is moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockState:
    """The state from which the time is computed: it was `at` when real time was `real_at`, and runs `speed`
    times as fast."""

    mode: ClockMode
    speed: float
    at: datetime
    real_at: datetime

    def time(self, real: datetime) -> datetime:
        """Return the time of the sandbox at a moment of real time."""
        if self.mode is ClockMode.REAL:
            return real
        elapsed = max(real - self.real_at, timedelta(0)) * self.speed
        return LATEST if elapsed >= LATEST - self.at else self.at + elapsed

    def move_to(self, at: datetime, real: datetime) -> "ClockState":
        """Return the state moved to a time, at the same speed; the time never goes back."""
        return replace(self, at=max(at, self.time(real)), real_at=real)

    def with_speed(self, mode: ClockMode, speed: float, real: datetime) -> "ClockState":
        """Return the state that continues from now at another speed."""
        return ClockState(mode=mode, speed=speed, at=self.time(real), real_at=real)


def parse_speed(text: str) -> float | None:
    """Return how many times faster a clock runs: `60x` → 60.0; None if the text is no such speed or too high."""
    match = _SPEED.fullmatch(text)
    speed = float(match[1]) if match is not None else 0.0
    return speed if 0 < speed <= MAX_SPEED else None
