"""Whether a sandbox can do its work: its database takes what is written, and a worker is alive."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from anyio import move_on_after
from anyio.to_thread import run_sync

from telecom.sandbox.database.database import Database
from telecom.sandbox.monitoring.heartbeats import Worker, read_workers, try_to_recover, write_probe

CACHED_FOR = timedelta(seconds=1)
"""For how long an answer is given again, so that asking often costs nothing."""
CHECK_TIMEOUT_S = 3.0
"""How long the database may take; who asks does not wait much longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How a sandbox was at a moment of real time; `fault` is why its database could not be used."""

    at: datetime
    fault: str | None
    workers: tuple[Worker, ...] = ()

    @property
    def alive(self) -> int:
        """How many workers are."""
        return sum(worker.is_alive(self.at) for worker in self.workers)

    @property
    def is_well(self) -> bool:
        """Whether all parts do their work."""
        return self.fault is None and self.alive > 0

    def document(self) -> dict[str, Any]:
        """Return the health as JSON shows it."""
        return {
            "status": _status_word(is_well=self.is_well),
            "database": _component_status(self.fault),
            "worker": {
                **_component_status(self.worker_fault),
                "alive": self.alive,
                "lost": len(self.workers) - self.alive,
            },
        }

    @property
    def worker_fault(self) -> str | None:
        """What is wrong with the workers, None where nothing is."""
        if self.alive:
            return None
        if self.fault is not None:
            return "nobody can tell without the database"
        if not self.workers:
            return "there is no worker"
        silent_s = max(0.0, (self.at - self.workers[0].seen_at).total_seconds())
        return f"the last sign of life of a worker was {silent_s:.0f} seconds ago"


class HealthChecker:
    """Looks at a database, at most once a second."""

    def __init__(self, database: Database, real_clock: Callable[[], datetime]) -> None:
        """Take the database, and real time."""
        self._database = database
        self._now = real_clock
        self._last: Health | None = None
        self._known = database.availability.failure

    async def health(self) -> Health:
        """Return how the sandbox is now, or was less than a second ago."""
        now = self._now()
        is_known = self._known is self._database.availability.failure
        if self._last is not None and is_known and timedelta(0) <= now - self._last.at < CACHED_FOR:
            return self._last
        found = Health(at=now, fault=f"no answer within {CHECK_TIMEOUT_S:.0f} seconds")
        with move_on_after(CHECK_TIMEOUT_S):
            found = await run_sync(self._examined, now, abandon_on_cancel=True)
        self._last, self._known = found, self._database.availability.failure
        return found

    def _examined(self, now: datetime) -> Health:
        try:
            if not try_to_recover(self._database, now):
                return Health(at=now, fault=_failure_sentence(self._database))
            with self._database.write(shared=True) as connection:
                write_probe(connection, now)
                found = read_workers(connection)
        except Exception as error:  # noqa: BLE001 - whatever it is, the database is of no use
            unknown = f"it cannot be written ({type(error).__name__})"
            return Health(at=now, fault=_failure_sentence(self._database) or unknown)
        return Health(at=now, fault=None, workers=found)


def _failure_sentence(database: Database) -> str | None:
    failure = database.availability.failure
    return None if failure is None else failure.sentence


def _status_word(*, is_well: bool) -> str:
    return "ok" if is_well else "failing"


def _component_status(fault: str | None) -> dict[str, Any]:
    told = {} if fault is None else {"detail": fault}
    return {"status": _status_word(is_well=fault is None), **told}
