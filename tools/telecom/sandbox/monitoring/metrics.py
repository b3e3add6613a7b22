"""Metrics in the text format of Prometheus, and the database counts behind them."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Generic, TypeVar

import sqlalchemy as sa
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from telecom.receipts import MessageStatus
from telecom.sandbox.api.exchange import ServedRequest
from telecom.sandbox.database.database import Database
from telecom.sandbox.database.tables import MESSAGES, UtcTime
from telecom.sandbox.delivery.deliveries import ATTEMPTS, DELIVERIES, DeliveryState
from telecom.sandbox.delivery.leases import is_leased
from telecom.sandbox.monitoring.heartbeats import Worker, read_workers
from telecom.sandbox.stores.call_store import CALLS

CACHED_FOR = timedelta(seconds=5)
"""How long a value is cached at least."""
_CACHE_FACTOR = 100
"""A value that took a second to read is cached for this many seconds: at most a hundredth of the time is spent on
reading."""
_OUTCOMES = ("2xx", "3xx", "4xx", "5xx", "none")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """The due work of one kind: how much, and how long the oldest of it has been due."""

    count: int
    age_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingWork:
    """The pending work and the workers, at a moment of real time."""

    at: datetime
    due: Mapping[str, Backlog]
    leases: int
    workers: tuple[Worker, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseTotals:
    """The totals by status, by state, and by the class of the response."""

    messages: Mapping[str, int]
    deliveries: Mapping[str, int]
    attempts: Mapping[str, int]


class CachedValue(Generic[_Value]):
    """A value that is read when needed, and cached for a while."""

    def __init__(self, read: Callable[[], _Value], clock: Callable[[], datetime]) -> None:
        """Take the function that reads it, and a clock that measures how long that takes."""
        self._read = read
        self._clock = clock
        self._cached: tuple[_Value, datetime, datetime] | None = None

    def value(self) -> _Value:
        """Return the current or the cached value."""
        now = self._clock()
        if self._cached is not None:
            value, since, until = self._cached
            if since <= now < until:
                return value
        value = self._read()
        duration = self._clock() - now
        self._cached = (value, now, now + max(CACHED_FOR, duration * _CACHE_FACTOR))
        return value


def read_pending_work(connection: sa.Connection, now: datetime, real: datetime) -> PendingWork:
    """Read what is due in the time of the sandbox, and the leases and workers in real time."""
    is_planned, is_taken = DELIVERIES.c.due_at.is_not(None), is_leased(sa.literal(real, UtcTime))
    leases = sa.select(sa.func.count()).select_from(DELIVERIES).where(is_planned, is_taken)
    to_send = DELIVERIES.c.leased_until.is_(None) | sa.not_(is_taken)
    return PendingWork(
        at=real,
        due={
            "message": _read_backlog(connection, MESSAGES.c.due_at, now),
            "call": _read_backlog(connection, CALLS.c.due_at, now),
            "webhook": _read_backlog(connection, DELIVERIES.c.due_at, now, to_send),
        },
        leases=connection.execute(leases).scalar_one(),
        workers=read_workers(connection),
    )


def count_totals(connection: sa.Connection) -> DatabaseTotals:
    """Count all rows."""
    return DatabaseTotals(
        messages=_count_by(
            connection, MESSAGES.c.status, [message_status.value for message_status in MessageStatus]
        ),
        deliveries=_count_by(
            connection, DELIVERIES.c.state, [delivery_state.value for delivery_state in DeliveryState]
        ),
        attempts=_count_by(connection, _OUTCOME, _OUTCOMES),
    )


def _count_by(
    connection: sa.Connection, column: sa.ColumnElement[str], values: tuple[str, ...] | list[str]
) -> dict[str, int]:
    rows = connection.execute(sa.select(column, sa.func.count()).group_by(column))
    counts = {row[0]: row[1] for row in rows}
    return {value: counts.get(value, 0) for value in values}


def _read_backlog(
    connection: sa.Connection,
    column: sa.Column[datetime],
    now: datetime,
    condition: sa.ColumnElement[bool] | None = None,
) -> Backlog:
    query = sa.select(sa.func.count(), sa.func.min(column)).where(column <= now)
    count, oldest = connection.execute(query if condition is None else query.where(condition)).one()
    age_s = (now - oldest).total_seconds() if oldest is not None else 0.0
    return Backlog(count=count, age_s=age_s)


_OUTCOME = sa.case(
    (ATTEMPTS.c.status.is_(None), "none"),
    (ATTEMPTS.c.status < 300, "2xx"),
    (ATTEMPTS.c.status < 400, "3xx"),
    (ATTEMPTS.c.status < 500, "4xx"),
    else_="5xx",
)


_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_NO_OPERATION = "none"


class Metrics:
    """Counts requests, and exports these counts together with those of the database."""

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
        self._registry.register(_DatabaseCollector(database, clock, real_clock))

    def observe(self, served: ServedRequest) -> None:
        """Count a served request."""
        process, operation = str(os.getpid()), served.operation or _NO_OPERATION
        self._requests.labels(process, operation, str(served.status)).inc()
        self._durations.labels(process, operation).observe(served.duration_s)

    def text(self) -> bytes:
        """Return all metrics, in the text format 0.0.4."""
        return generate_latest(self._registry)


class _DatabaseCollector(Collector):
    """Reads the database when it is collected, and caches the result for a while."""

    def __init__(
        self, database: Database, clock: Callable[[], datetime], real_clock: Callable[[], datetime]
    ) -> None:
        def read() -> PendingWork:
            now = clock()
            with database.read() as connection:
                return read_pending_work(connection, now, real_clock())

        def count() -> DatabaseTotals:
            with database.read() as connection:
                return count_totals(connection)

        self._pending = CachedValue(read, real_clock)
        self._totals = CachedValue(count, real_clock)
        self._lock = Lock()

    def describe(self) -> Iterator[Metric]:
        """Describe nothing beforehand: the registry would read the database for it."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of the database."""
        with self._lock:
            pending, totals = self._pending.value(), self._totals.value()
        yield _gauge("sandbox_messages", "Messages by status.", "status", totals.messages)
        yield _gauge("sandbox_deliveries", "Deliveries by state.", "state", totals.deliveries)
        yield _gauge(
            "sandbox_attempts", "Attempts by the class of their response.", "outcome", totals.attempts
        )
        numbers = {kind: backlog.count for kind, backlog in pending.due.items()}
        ages = {kind: backlog.age_s for kind, backlog in pending.due.items()}
        yield _gauge("sandbox_due", "What is due and not done yet.", "what", numbers)
        yield _gauge("sandbox_due_age_seconds", "How long the oldest of it has been due.", "what", ages)
        yield GaugeMetricFamily("sandbox_leases", "Deliveries that a worker is at.", value=pending.leases)
        alive = sum(worker.is_alive(pending.at) for worker in pending.workers)
        workers = {"alive": alive, "lost": len(pending.workers) - alive}
        yield _gauge("sandbox_workers", "Workers, and those that are lost since an hour.", "state", workers)
        if pending.workers:
            silent_s = max(0.0, (pending.at - pending.workers[0].seen_at).total_seconds())
            documentation = "How long ago a worker gave the last sign of life."
            yield GaugeMetricFamily("sandbox_worker_silence_seconds", documentation, value=silent_s)


def _gauge(name: str, documentation: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, documentation, labels=(label,))
    for value, number in values.items():
        family.add_metric((value,), number)
    return family
