"""The time of the sandbox: real time, or one that runs faster, or one that stands still until it is moved.

It follows from real time by a line: at one moment it was such a time, and so many seconds of it pass in each
real one. So whoever knows the line has the time, on every machine, and a restart goes on where it is.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from devportal.errors import InvalidSettings
from telecom.times import from_rfc3339, rfc3339

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
"""Identifiers count milliseconds from here."""
LATEST = datetime(2999, 12, 31, tzinfo=UTC)
"""The time stands still here: what is due days later is still a date."""
FASTEST = 86_400.0
"""A day in a second."""
_SPEED = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)x")


class Mode(StrEnum):
    """How the time of a sandbox goes."""

    REAL = "real"
    """As outside, and nothing can change that until the next start."""
    RUNNING = "running"
    MANUAL = "manual"
    """It stands still until it is moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What the time follows from: it was `at` when real time was `real_at`, and is `speed` times as fast."""

    mode: Mode
    speed: float
    at: datetime
    real_at: datetime

    def time(self, real: datetime) -> datetime:
        """Return the time of the sandbox at a moment of real time."""
        if self.mode is Mode.REAL:
            return real
        passed = max(real - self.real_at, timedelta(0)) * self.speed
        return LATEST if passed >= LATEST - self.at else self.at + passed

    def moved(self, at: datetime, real: datetime) -> "Line":
        """Return the line from a time on, as fast as before; the time never goes back."""
        return replace(self, at=max(at, self.time(real)), real_at=real)

    def going(self, mode: Mode, speed: float, real: datetime) -> "Line":
        """Return the line that goes on from here at another speed."""
        return Line(mode=mode, speed=speed, at=self.time(real), real_at=real)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a start asks for: how the time goes, and where a new database begins."""

    mode: Mode = Mode.REAL
    speed: float = 1.0
    start: datetime | None = None

    def line(self, before: Line | None, real: datetime) -> Line:
        """Return the line of a sandbox that had another before, or none.

        Raises InvalidSettings where its time would go back.
        """
        now = real if before is None else before.time(real)
        match self.mode:
            case Mode.REAL:
                if now > real:
                    raise _ahead(now)
                now = real
            case Mode.RUNNING | Mode.MANUAL:
                now = self._beginning(before, now)
        return Line(mode=self.mode, speed=self.speed, at=now, real_at=real)

    def _beginning(self, before: Line | None, now: datetime) -> datetime:
        if self.start is None or before is None:
            return self.start or now
        if before.mode is Mode.REAL and self.start < now:
            raise InvalidSettings(
                f"this database was used in real time until now, so its time cannot begin at "
                f"{rfc3339(self.start)}",
                help="give --clock-start with a --database that is new",
            )
        return max(self.start, now)


def parse_clock(text: str, start: str | None) -> Choice:
    """Read `real`, `manual`, or a speed such as `60x`, and where the time begins; raises InvalidSettings."""
    if start is not None and text == Mode.REAL:
        raise InvalidSettings(
            f"real time cannot begin at {start!r}", help="give --clock manual or --clock 1x with it"
        )
    begins = _read_start(start) if start is not None else None
    if text == Mode.REAL:
        return Choice()
    if text == Mode.MANUAL:
        return Choice(mode=Mode.MANUAL, speed=0.0, start=begins)
    found = _SPEED.fullmatch(text)
    if found is None or not 0 < float(found[1]) <= FASTEST:
        raise InvalidSettings(
            f"there is no clock {text!r}",
            help=f"give real, manual, or how many times faster: up to {FASTEST:.0f}x, such as 60x",
        )
    return Choice(mode=Mode.RUNNING, speed=float(found[1]), start=begins)


def _read_start(text: str) -> datetime:
    moment = from_rfc3339(text)
    if moment is None or not EARLIEST <= moment < LATEST:
        raise InvalidSettings(
            f"the time cannot begin at {text!r}",
            help="give a moment from 1970 to 2999 with its offset, such as 2026-01-01T00:00:00Z",
        )
    return moment


def _ahead(now: datetime) -> InvalidSettings:
    return InvalidSettings(
        f"in this database it is {rfc3339(now)} already, which is ahead of real time",
        help="go on with --clock manual or --clock 1x, or give another with --database",
    )
