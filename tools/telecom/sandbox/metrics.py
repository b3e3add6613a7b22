"""Metrics in the text format of Prometheus.

What requests took is counted in the process that answered them, and has its number as a label: with several
at one socket each scrape shows one of them. Everything else is read from the database at a scrape, and is the
same whichever process is asked. Labels have few values: operations of the contract, statuses, states.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock

import sqlalchemy as sa
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from telecom.receipts import MessageStatus
from telecom.sandbox.calls import CALLS
from telecom.sandbox.database import Database
from telecom.sandbox.deliveries import ATTEMPTS, DELIVERIES, DeliveryState
from telecom.sandbox.heartbeats import Worker, workers
from telecom.sandbox.served import Served
from telecom.sandbox.tables import MESSAGES

KEPT_FOR = timedelta(seconds=5)
"""For how long what was read is shown again: counting reads every row."""
_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_OUTCOMES = ("2xx", "3xx", "4xx", "5xx", "none")
_NO_OPERATION = "none"


class Metrics:
    """Counts what is observed, and writes it down together with what the database has."""

    def __init__(
        self, database: Database, clock: Callable[[], datetime], real_clock: Callable[[], datetime]
    ) -> None:
        """Take the database, the time of the sandbox, by which things are due, and real time."""
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "sandbox_requests",
            "Requests by operation and status.",
            ("process", "operation", "status"),
            registry=self._registry,
        )
        self._durations = Histogram(
            "sandbox_request_duration_seconds",
            "How long requests took.",
            ("process", "operation"),
            buckets=_BUCKETS_S,
            registry=self._registry,
        )
        self._registry.register(_FromDatabase(database, clock, real_clock))

    def observe(self, served: Served) -> None:
        """Count a request that was answered."""
        process, operation = str(os.getpid()), served.operation or _NO_OPERATION
        self._requests.labels(process, operation, str(served.status)).inc()
        self._durations.labels(process, operation).observe(served.duration_s)

    def text(self) -> bytes:
        """Return everything, in the text format 0.0.4."""
        return generate_latest(self._registry)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Backlog:
    """What is due and not done yet: how much, and for how long the oldest of it."""

    number: int
    age_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """What the database has at a moment of real time."""

    at: datetime
    messages: Mapping[str, int]
    deliveries: Mapping[str, int]
    attempts: Mapping[str, int]
    due: Mapping[str, _Backlog]
    leases: int
    workers: tuple[Worker, ...]


class _FromDatabase(Collector):
    """Reads the database when it is collected, and keeps that for some seconds."""

    def __init__(
        self, database: Database, clock: Callable[[], datetime], real_clock: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._clock = clock
        self._real_clock = real_clock
        self._state: _State | None = None
        self._lock = Lock()

    def describe(self) -> Iterator[Metric]:
        """Name nothing beforehand: the registry would read the database for it."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Yield what the database has."""
        with self._lock:
            state = self._current()
        yield _gauge("sandbox_messages", "Messages by status.", "status", state.messages)
        yield _gauge("sandbox_deliveries", "Deliveries by state.", "state", state.deliveries)
        yield _gauge("sandbox_attempts", "Attempts by the class of their answer.", "outcome", state.attempts)
        numbers = {what: one.number for what, one in state.due.items()}
        ages = {what: one.age_s for what, one in state.due.items()}
        yield _gauge("sandbox_due", "What is due and not done yet.", "what", numbers)
        yield _gauge("sandbox_due_age_seconds", "How long the oldest of it has been due.", "what", ages)
        yield GaugeMetricFamily("sandbox_leases", "Deliveries that a worker is at.", value=state.leases)
        alive = sum(worker.is_alive(state.at) for worker in state.workers)
        living = {"alive": alive, "lost": len(state.workers) - alive}
        yield _gauge("sandbox_workers", "Workers, and those that are lost since an hour.", "state", living)
        if state.workers:
            silent_s = (state.at - state.workers[0].seen_at).total_seconds()
            told = "How long ago a worker gave the last sign of life."
            yield GaugeMetricFamily("sandbox_worker_silence_seconds", told, value=silent_s)

    def _current(self) -> _State:
        real = self._real_clock()
        if self._state is None or not timedelta(0) <= real - self._state.at < KEPT_FOR:
            now = self._clock()
            with self._database.read() as connection:
                self._state = _read(connection, now, real)
        return self._state


def _gauge(name: str, told: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, told, labels=(label,))
    for value, number in values.items():
        family.add_metric((value,), number)
    return family


def _read(connection: sa.Connection, now: datetime, real: datetime) -> _State:
    is_leased = DELIVERIES.c.leased_until > real
    leases = sa.select(sa.func.count()).select_from(DELIVERIES).where(is_leased)
    to_send = DELIVERIES.c.leased_until.is_(None) | (DELIVERIES.c.leased_until <= real)
    return _State(
        at=real,
        messages=_counted(connection, MESSAGES.c.status, [one.value for one in MessageStatus]),
        deliveries=_counted(connection, DELIVERIES.c.state, [one.value for one in DeliveryState]),
        attempts=_counted(connection, _OUTCOME, _OUTCOMES),
        due={
            "message": _due(connection, MESSAGES.c.due_at, now),
            "call": _due(connection, CALLS.c.due_at, now),
            "webhook": _due(connection, DELIVERIES.c.due_at, now, to_send),
        },
        leases=connection.execute(leases).scalar_one(),
        workers=workers(connection),
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
) -> _Backlog:
    query = sa.select(sa.func.count(), sa.func.min(column)).where(column <= now)
    number, oldest = connection.execute(query if condition is None else query.where(condition)).one()
    age_s = (now - oldest).total_seconds() if oldest is not None else 0.0
    return _Backlog(number=number, age_s=age_s)


_OUTCOME = sa.case(
    (ATTEMPTS.c.status.is_(None), "none"),
    (ATTEMPTS.c.status < 300, "2xx"),
    (ATTEMPTS.c.status < 400, "3xx"),
    (ATTEMPTS.c.status < 500, "4xx"),
    else_="5xx",
)
