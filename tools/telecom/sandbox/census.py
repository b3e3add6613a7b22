"""What the database has, counted for monitors.

What presses is found by indexes that hold nothing else, so it costs as much as there is of it. To count all
there ever was means to read all of it, which must not be done often.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

import sqlalchemy as sa

from telecom.receipts import MessageStatus
from telecom.sandbox.calls import CALLS
from telecom.sandbox.deliveries import ATTEMPTS, DELIVERIES, DeliveryState
from telecom.sandbox.heartbeats import Worker, workers
from telecom.sandbox.leases import is_leased
from telecom.sandbox.tables import MESSAGES, UtcTime

KEPT_FOR = timedelta(seconds=5)
"""For how long at least what was read is shown again."""
_REST = 100
"""What took a second is not read again for so many: a hundredth of the time goes into reading at most."""
_OUTCOMES = ("2xx", "3xx", "4xx", "5xx", "none")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """What is due and not done yet: how much, and for how long the oldest of it."""

    number: int
    age_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressing:
    """What there is to do, and who does it, at a moment of real time."""

    at: datetime
    due: Mapping[str, Backlog]
    leases: int
    workers: tuple[Worker, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What there ever was, by status, by state, and by the class of the answer."""

    messages: Mapping[str, int]
    deliveries: Mapping[str, int]
    attempts: Mapping[str, int]


class Kept(Generic[_Value]):
    """A value that is read anew when it is wanted, but not before its time is over."""

    def __init__(self, read: Callable[[], _Value], clock: Callable[[], datetime]) -> None:
        """Take what reads it, and a clock that shows how long that takes."""
        self._read = read
        self._clock = clock
        self._kept: tuple[_Value, datetime, datetime] | None = None

    def value(self) -> _Value:
        """Return the value of now or of a while ago."""
        now = self._clock()
        if self._kept is not None:
            value, since, until = self._kept
            if since <= now < until:
                return value
        value = self._read()
        took = self._clock() - now
        self._kept = (value, now, now + max(KEPT_FOR, took * _REST))
        return value


def pressing(connection: sa.Connection, now: datetime, real: datetime) -> Pressing:
    """Read what is due in the time of the sandbox, and who works on it in real time."""
    is_planned, is_taken = DELIVERIES.c.due_at.is_not(None), is_leased(sa.literal(real, UtcTime))
    leases = sa.select(sa.func.count()).select_from(DELIVERIES).where(is_planned, is_taken)
    to_send = DELIVERIES.c.leased_until.is_(None) | sa.not_(is_taken)
    return Pressing(
        at=real,
        due={
            "message": _due(connection, MESSAGES.c.due_at, now),
            "call": _due(connection, CALLS.c.due_at, now),
            "webhook": _due(connection, DELIVERIES.c.due_at, now, to_send),
        },
        leases=connection.execute(leases).scalar_one(),
        workers=workers(connection),
    )


def totals(connection: sa.Connection) -> Totals:
    """Count everything."""
    return Totals(
        messages=_counted(connection, MESSAGES.c.status, [one.value for one in MessageStatus]),
        deliveries=_counted(connection, DELIVERIES.c.state, [one.value for one in DeliveryState]),
        attempts=_counted(connection, _OUTCOME, _OUTCOMES),
    )


def _counted(
    connection: sa.Connection, column: sa.ColumnElement[str], values: tuple[str, ...] | list[str]
) -> dict[str, int]:
    rows = connection.execute(sa.select(column, sa.func.count()).group_by(column))
    found = {row[0]: row[1] for row in rows}
    return {value: found.get(value, 0) for value in values}


def _due(
    connection: sa.Connection,
    column: sa.Column[datetime],
    now: datetime,
    condition: sa.ColumnElement[bool] | None = None,
) -> Backlog:
    query = sa.select(sa.func.count(), sa.func.min(column)).where(column <= now)
    number, oldest = connection.execute(query if condition is None else query.where(condition)).one()
    age_s = (now - oldest).total_seconds() if oldest is not None else 0.0
    return Backlog(number=number, age_s=age_s)


_OUTCOME = sa.case(
    (ATTEMPTS.c.status.is_(None), "none"),
    (ATTEMPTS.c.status < 300, "2xx"),
    (ATTEMPTS.c.status < 400, "3xx"),
    (ATTEMPTS.c.status < 500, "4xx"),
    else_="5xx",
)
