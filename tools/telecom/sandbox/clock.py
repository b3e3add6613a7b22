"""The clock of the sandbox: real, accelerated or stopped, and kept in the database for all processes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from devportal.errors import InvalidSettings
from devportal.serving.clock import EARLIEST, LATEST, MAX_SPEED, ClockMode, ClockState, parse_speed
from telecom.sandbox.database.database import Database
from telecom.sandbox.database.tables import METADATA, UtcTime, is_running
from telecom.times import format_rfc3339, parse_rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockOptions:
    """The options of a start: how the clock runs, and at which time a new database begins."""

    mode: ClockMode = ClockMode.REAL
    speed: float = 1.0
    start: datetime | None = None

    def start_state(self, previous: ClockState | None, real: datetime) -> ClockState:
        """Return the state at a start, which continues the previous one if there is any.

        Raises InvalidSettings if the time would go back.
        """
        now = real if previous is None else previous.time(real)
        match self.mode:
            case ClockMode.REAL:
                if now > real:
                    raise _ahead_of_real_time_error(now)
                now = real
            case ClockMode.RUNNING | ClockMode.MANUAL:
                now = self._start_time(previous, now)
        return ClockState(mode=self.mode, speed=self.speed, at=now, real_at=real)

    def _start_time(self, previous: ClockState | None, now: datetime) -> datetime:
        if self.start is None or previous is None:
            return self.start or now
        if previous.mode is ClockMode.REAL and self.start < now:
            raise InvalidSettings(
                f"this database was used in real time until now, so its time cannot begin at "
                f"{format_rfc3339(self.start)}",
                help="give --clock-start with a --database that is new",
            )
        return max(self.start, now)


def parse_clock(text: str, start: str | None) -> ClockOptions:
    """Read `real`, `manual`, or a speed such as `60x`, and the start time; raises InvalidSettings."""
    if start is not None and text == ClockMode.REAL:
        raise InvalidSettings(
            f"real time cannot begin at {start!r}", help="give --clock manual or --clock 1x with it"
        )
    start_time = _read_start(start) if start is not None else None
    if text == ClockMode.REAL:
        return ClockOptions()
    if text == ClockMode.MANUAL:
        return ClockOptions(mode=ClockMode.MANUAL, speed=0.0, start=start_time)
    speed = parse_speed(text)
    if speed is None:
        raise InvalidSettings(
            f"there is no clock {text!r}",
            help=f"give real, manual, or how many times faster: up to {MAX_SPEED:.0f}x, such as 60x",
        )
    return ClockOptions(mode=ClockMode.RUNNING, speed=speed, start=start_time)


def _read_start(text: str) -> datetime:
    moment = parse_rfc3339(text)
    if moment is None or not EARLIEST <= moment < LATEST:
        raise InvalidSettings(
            f"the time cannot begin at {text!r}",
            help="give a moment from 1970 to 2999 with its offset, such as 2026-01-01T00:00:00Z",
        )
    return moment


def _ahead_of_real_time_error(now: datetime) -> InvalidSettings:
    return InvalidSettings(
        f"in this database it is {format_rfc3339(now)} already, which is ahead of real time",
        help="go on with --clock manual or --clock 1x, or give another with --database",
    )


HOLD_DURATION = timedelta(seconds=60)
"""How long a hold lasts if it is not renewed; an attempt with its record takes less."""
_ONLY_ROW = 1

CLOCK = sa.Table(
    "clock",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("mode", sa.String(16), nullable=False),
    sa.Column("speed", sa.Float(53), nullable=False),
    sa.Column("at", UtcTime, nullable=False),
    sa.Column("real_at", UtcTime, nullable=False),
    sa.Column("holder", sa.String(64)),
    sa.Column("held_until", UtcTime),
)
"""One row, which each start writes; `held_until` is in real time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFlow:
    """How fast the clock of the sandbox runs now, and whether somebody is moving it by hand."""

    speed: float = 1.0
    is_held: bool = False


REAL_TIME_FLOW = ClockFlow()


class SandboxClock:
    """The clock of a sandbox that does not run in real time: each call reads it, in one query."""

    def __init__(self, database: Database, real: Callable[[], datetime]) -> None:
        """Take the database that holds the state of the clock, and real time."""
        self._database = database
        self._real = real

    def __call__(self) -> datetime:
        """Return the time."""
        with self._database.read() as connection:
            state = read_clock_state(connection)
        return state.time(self._real())

    def flow(self) -> ClockFlow:
        """Return how the clock runs now."""
        with self._database.read() as connection:
            row = connection.execute(_READ_FLOW, {"real": self._real()}).one()
        return ClockFlow(speed=row.speed, is_held=bool(row.is_held))


def configure_clock(connection: sa.Connection, options: ClockOptions, real: datetime) -> None:
    """Store how the clock runs from this start on, and drop any hold.

    Raises InvalidSettings if the time would go back.
    """
    row = connection.execute(_READ).one_or_none()
    state = options.start_state(_clock_state(row) if row is not None else None, real)
    no_holder = {"holder": None, "held_until": None}
    connection.execute(sa.delete(CLOCK))
    connection.execute(sa.insert(CLOCK).values(id=_ONLY_ROW, **_clock_columns(state), **no_holder))


def read_clock_state(connection: sa.Connection) -> ClockState:
    """Return the stored state of the clock. Raises NoResultFound before the first start."""
    return _clock_state(connection.execute(_READ).one())


def read_time(connection: sa.Connection, real: datetime) -> datetime:
    """Return the time of a sandbox; it is real time if no start has stored a clock yet."""
    row = connection.execute(_READ).one_or_none()
    return real if row is None else _clock_state(row).time(real)


def hold_clock(connection: sa.Connection, holder: str, real: datetime) -> bool:
    """Hold the clock, or renew the hold; return whether nobody else holds it."""
    hold = {"holder_is": holder, "real": real, "until": real + HOLD_DURATION}
    return connection.execute(_HOLD, hold).rowcount == 1


def set_clock_state(connection: sa.Connection, holder: str, state: ClockState, real: datetime) -> bool:
    """Change the clock and renew the hold; return whether the holder still holds it."""
    if not hold_clock(connection, holder, real):
        return False
    connection.execute(sa.update(CLOCK).values(**_clock_columns(state)))
    return True


def release_clock(connection: sa.Connection, holder: str) -> None:
    """Release the clock if this holder still has it."""
    connection.execute(sa.update(CLOCK).where(CLOCK.c.holder == holder).values(holder=None, held_until=None))


def _clock_state(row: sa.Row[tuple[object, ...]]) -> ClockState:
    return ClockState(mode=ClockMode(row.mode), speed=row.speed, at=row.at, real_at=row.real_at)


def _clock_columns(state: ClockState) -> dict[str, object]:
    return {"mode": state.mode.value, "speed": state.speed, "at": state.at, "real_at": state.real_at}


_IS_HELD = is_running(CLOCK.c.held_until, sa.bindparam("real", type_=UtcTime), HOLD_DURATION)
_READ = sa.select(CLOCK)
_READ_FLOW = sa.select(CLOCK.c.speed, _IS_HELD.label("is_held"))
_HOLD = (
    sa.update(CLOCK)
    .where(CLOCK.c.held_until.is_(None) | sa.not_(_IS_HELD) | (CLOCK.c.holder == sa.bindparam("holder_is")))
    .values(holder=sa.bindparam("holder_is"), held_until=sa.bindparam("until", type_=UtcTime))
)
