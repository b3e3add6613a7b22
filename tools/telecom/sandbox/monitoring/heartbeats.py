"""Heartbeats: each worker stores one every few seconds, which also shows that the storage works."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from telecom.sandbox.api.identifiers import RandomBytes, new_id
from telecom.sandbox.database.database import Database
from telecom.sandbox.database.storage_failures import QueueUnusable
from telecom.sandbox.database.tables import METADATA, UtcTime, insert_or_update
from telecom.sandbox.database.writer import WriteTimeout

_SMALL_ROW_ID, _LARGE_ROW_ID = 1, 2
_FILLER = "0" * 262_144
"""More than any request writes: a nearly full disk accepts a small row, and refuses a message."""

PROBES = sa.Table(
    "probes",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("written_at", UtcTime, nullable=False),
    sa.Column("filler", sa.Text),
)
"""One row, which each health check writes, and for a moment a large one."""


def write_probe(connection: sa.Connection, now: datetime) -> None:
    """Write the probe row."""
    _upsert_probe(connection, {"id": _SMALL_ROW_ID, "written_at": now, "filler": None})


def try_to_recover(database: Database, now: datetime) -> bool:
    """Try to write to a failing database; return whether it accepts writes, at once if it has no failure.
    Raises the error of a refused write."""
    failure = database.availability.failure
    if failure is None:
        return True
    if not failure.ends_with_write:
        return False
    with database.write(shared=True) as connection:
        _upsert_probe(connection, {"id": _LARGE_ROW_ID, "written_at": now, "filler": _FILLER})
    with database.write(shared=True) as connection:
        connection.execute(sa.delete(PROBES).where(PROBES.c.id == _LARGE_ROW_ID))
    database.availability.note_write()
    return True


def _upsert_probe(connection: sa.Connection, row: dict[str, object]) -> None:
    connection.execute(_WRITE[connection.dialect.name], row)


_WRITE = insert_or_update(PROBES, "written_at", "filler")


HEARTBEAT_INTERVAL = timedelta(seconds=2)
ALIVE_FOR = timedelta(seconds=10)
"""How long after its last heartbeat a worker counts as alive, in real time. A slow attempt does not delay
heartbeats, as they go on in parallel."""
_LOG = logging.getLogger("telecom.sandbox")
_REMEMBERED_FOR = timedelta(hours=1)

WORKERS = sa.Table(
    "workers",
    METADATA,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("started_at", UtcTime, nullable=False),
    sa.Column("seen_at", UtcTime, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A worker that has not signed off; times are real ones."""

    id: str
    started_at: datetime
    seen_at: datetime

    def is_alive(self, now: datetime) -> bool:
        """Return whether it was seen lately, and not in the future: then the clock has been set back since."""
        return abs(now - self.seen_at) < ALIVE_FOR


class Heartbeat:
    """The heartbeat of one worker."""

    def __init__(
        self, database: Database, real_clock: Callable[[], datetime], random_bytes: RandomBytes
    ) -> None:
        """Give the worker a new identifier."""
        self._database = database
        self._real_clock = real_clock
        self._started_at = real_clock()
        self._seen_at: datetime | None = None
        self.id = new_id("wrk_", self._started_at, random_bytes)

    def beat(self) -> None:
        """Store that the worker is alive, unless it did so just now. If the database fails, try first whether
        it works again: perhaps nobody else does."""
        now = self._real_clock()
        try_to_recover(self._database, now)
        if self._seen_at is not None and timedelta(0) <= now - self._seen_at < HEARTBEAT_INTERVAL:
            return
        with self._database.write(shared=True) as connection:
            if self._seen_at is None:
                connection.execute(sa.delete(WORKERS).where(WORKERS.c.seen_at < now - _REMEMBERED_FOR))
            values = {"id": self.id, "started_at": self._started_at, "seen_at": now}
            connection.execute(_UPSERT_WORKER[connection.dialect.name], values)
        self._seen_at = now

    def sign_off(self) -> None:
        """Delete the heartbeat: the worker stops as requested. If that fails, it counts as lost."""
        try:
            with self._database.write(shared=True) as connection:
                connection.execute(sa.delete(WORKERS).where(WORKERS.c.id == self.id))
        except (sa.exc.SQLAlchemyError, WriteTimeout, QueueUnusable) as error:
            _LOG.warning("a worker ends without saying so: %s", type(error).__name__)


def read_workers(connection: sa.Connection) -> tuple[Worker, ...]:
    """Return the workers, the one that was seen last first."""
    rows = connection.execute(sa.select(WORKERS).order_by(WORKERS.c.seen_at.desc(), WORKERS.c.id))
    return tuple(Worker(id=row.id, started_at=row.started_at, seen_at=row.seen_at) for row in rows)


_UPSERT_WORKER = insert_or_update(WORKERS, "seen_at")
