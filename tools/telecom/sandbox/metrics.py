"""Metrics in the text format of Prometheus.

What requests took is counted in the process that answered them, and has its number as a label: with several
at one socket each scrape shows one of them. Everything else is read from the database at a scrape, and is the
same whichever process is asked. Labels have few values: operations of the contract, statuses, states.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from threading import Lock

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from telecom.sandbox.census import Kept, Pressing, Totals, pressing, totals
from telecom.sandbox.database import Database
from telecom.sandbox.served import Served

_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
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


class _FromDatabase(Collector):
    """Reads the database when it is collected, and keeps that for a while."""

    def __init__(
        self, database: Database, clock: Callable[[], datetime], real_clock: Callable[[], datetime]
    ) -> None:
        def read() -> Pressing:
            now = clock()
            with database.read() as connection:
                return pressing(connection, now, real_clock())

        def count() -> Totals:
            with database.read() as connection:
                return totals(connection)

        self._pressing = Kept(read, real_clock)
        self._totals = Kept(count, real_clock)
        self._lock = Lock()

    def describe(self) -> Iterator[Metric]:
        """Name nothing beforehand: the registry would read the database for it."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Yield what the database has."""
        with self._lock:
            now, ever = self._pressing.value(), self._totals.value()
        yield _gauge("sandbox_messages", "Messages by status.", "status", ever.messages)
        yield _gauge("sandbox_deliveries", "Deliveries by state.", "state", ever.deliveries)
        yield _gauge("sandbox_attempts", "Attempts by the class of their answer.", "outcome", ever.attempts)
        numbers = {what: one.number for what, one in now.due.items()}
        ages = {what: one.age_s for what, one in now.due.items()}
        yield _gauge("sandbox_due", "What is due and not done yet.", "what", numbers)
        yield _gauge("sandbox_due_age_seconds", "How long the oldest of it has been due.", "what", ages)
        yield GaugeMetricFamily("sandbox_leases", "Deliveries that a worker is at.", value=now.leases)
        alive = sum(worker.is_alive(now.at) for worker in now.workers)
        living = {"alive": alive, "lost": len(now.workers) - alive}
        yield _gauge("sandbox_workers", "Workers, and those that are lost since an hour.", "state", living)
        if now.workers:
            silent_s = max(0.0, (now.at - now.workers[0].seen_at).total_seconds())
            told = "How long ago a worker gave the last sign of life."
            yield GaugeMetricFamily("sandbox_worker_silence_seconds", told, value=silent_s)


def _gauge(name: str, told: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, told, labels=(label,))
    for value, number in values.items():
        family.add_metric((value,), number)
    return family
