"""The time of the sandbox in the database, where every process of every machine finds the same.

Who moves it by hand holds it for a while in real time, so that nobody else does, and so that workers leave
what becomes due to who moves the time: then it happens in its order. Where who holds it is killed, the hold
ends by itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from telecom.sandbox.clock import Choice, Line, Mode
from telecom.sandbox.database import Database
from telecom.sandbox.tables import METADATA, UtcTime, is_running

HELD_FOR = timedelta(seconds=60)
"""How long a hold lasts that is not kept up; an attempt with its record takes less."""
_ONLY = 1

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
"""One row, which each start writes; `held_until` is real time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """How fast the time of the sandbox goes just now, and whether somebody is moving it by hand."""

    speed: float = 1.0
    is_held: bool = False


AS_OUTSIDE = Flow()


class SandboxClock:
    """The time of a sandbox whose time is not the real one: each call reads it, in one query."""

    def __init__(self, database: Database, real: Callable[[], datetime]) -> None:
        """Take the database that has the line of the time, and real time."""
        self._database = database
        self._real = real

    def __call__(self) -> datetime:
        """Return the time."""
        with self._database.read() as connection:
            line = line_in(connection)
        return line.time(self._real())

    def flow(self) -> Flow:
        """Return how the time goes just now."""
        with self._database.read() as connection:
            row = connection.execute(_READ_FLOW, {"real": self._real()}).one()
        return Flow(speed=row.speed, is_held=bool(row.is_held))


def configure_clock(connection: sa.Connection, choice: Choice, real: datetime) -> None:
    """Write down how the time goes from this start on; whoever held it is gone.

    Raises InvalidSettings where the time would go back.
    """
    row = connection.execute(_READ).one_or_none()
    line = choice.line(_line(row) if row is not None else None, real)
    unheld = {"holder": None, "held_until": None}
    connection.execute(sa.delete(CLOCK))
    connection.execute(sa.insert(CLOCK).values(id=_ONLY, **_columns(line), **unheld))


def line_in(connection: sa.Connection) -> Line:
    """Return the line of the time."""
    return _line(connection.execute(_READ).one())


def time_in(connection: sa.Connection, real: datetime) -> datetime:
    """Return the time of a sandbox; it is the real one where no start has said otherwise."""
    row = connection.execute(_READ).one_or_none()
    return real if row is None else _line(row).time(real)


def take_hold(connection: sa.Connection, holder: str, real: datetime) -> bool:
    """Hold the time, or go on holding it; say if nobody else does."""
    hold = {"holder_is": holder, "real": real, "until": real + HELD_FOR}
    return connection.execute(_HOLD, hold).rowcount == 1


def set_line(connection: sa.Connection, holder: str, line: Line, real: datetime) -> bool:
    """Change the time, and go on holding it; say if it is still held by who does that."""
    if not take_hold(connection, holder, real):
        return False
    connection.execute(sa.update(CLOCK).values(**_columns(line)))
    return True


def release_hold(connection: sa.Connection, holder: str) -> None:
    """Hold the time no longer."""
    connection.execute(sa.update(CLOCK).where(CLOCK.c.holder == holder).values(holder=None, held_until=None))


def _line(row: sa.Row[tuple[object, ...]]) -> Line:
    return Line(mode=Mode(row.mode), speed=row.speed, at=row.at, real_at=row.real_at)


def _columns(line: Line) -> dict[str, object]:
    return {"mode": line.mode.value, "speed": line.speed, "at": line.at, "real_at": line.real_at}


_IS_HELD = is_running(CLOCK.c.held_until, sa.bindparam("real", type_=UtcTime), HELD_FOR)
_READ = sa.select(CLOCK)
_READ_FLOW = sa.select(CLOCK.c.speed, _IS_HELD.label("is_held"))
_HOLD = (
    sa.update(CLOCK)
    .where(CLOCK.c.held_until.is_(None) | sa.not_(_IS_HELD) | (CLOCK.c.holder == sa.bindparam("holder_is")))
    .values(holder=sa.bindparam("holder_is"), held_until=sa.bindparam("until", type_=UtcTime))
)
