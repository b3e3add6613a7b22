"""A database in a SQLite file, in WAL mode, with which several processes of one machine can work."""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import local
from typing import Any

import sqlalchemy as sa
from anyio.to_thread import run_sync

from devportal.errors import EnvironmentProblem, Place
from telecom.sandbox.encryption import Cipher, options_of
from telecom.sandbox.private_file import make_private, open_private, restrict
from telecom.sandbox.write_queue import WriteQueue
from telecom.sandbox.writer import Result, Writer

_CONNECTIONS = 40
"""As many as the server has threads."""
_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file; all of it holds what the file holds."""


class SqliteFile:
    """Hands out transactions on a file, those that write one at a time."""

    def __init__(self, path: Path, *, busy_timeout_s: float, cipher: Cipher | None = None) -> None:
        """Take the file; it is made if it is missing, with its folder (OSError). Nobody but its owner reads
        it: SQLite gives its mode to the files that it makes beside it.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        make_private(path)
        for suffix in _BESIDE:
            restrict(path.with_name(f"{path.name}{suffix}"))
        self.place = Place(file=str(path))
        self._reading = _engine(path, busy_timeout_s).execution_options(**options_of(cipher))
        self._writing = self._reading.execution_options(begin="BEGIN IMMEDIATE")
        self._queue = WriteQueue(path.with_name(f"{path.name}.queue"), timeout_s=busy_timeout_s)
        self._writer = Writer(self._together)
        self._of_thread = local()

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a transaction that sees one state: within the writer's, what that has written."""
        if (outer := self._outer) is not None:
            yield outer
            return
        with self._reading.begin() as connection:
            yield connection

    @contextmanager
    def write(self, account: str | None, *, shared: bool) -> Iterator[sa.Connection]:
        """Open a transaction that nobody writes beside, for whomever it is."""
        del account, shared
        if (outer := self._outer) is not None:
            with outer.begin_nested():
                yield outer
            return
        with self._queue.turn(), self._writing.begin() as connection:
            yield connection

    async def run(self, work: Callable[[], Result], *, writes: bool) -> Result:
        """Do some work away from the event loop, what writes together with what else does."""
        return await (self._writer.do(work) if writes else run_sync(work))

    @property
    def _outer(self) -> sa.Connection | None:
        """The connection of the writer's transaction, where this is the writer's thread."""
        return getattr(self._of_thread, "outer", None)

    @contextmanager
    def _together(self) -> Iterator[None]:
        """Let what this thread reads and writes be part of one transaction."""
        with self.write(None, shared=False) as connection:
            self._of_thread.outer = connection
            try:
                yield
            finally:
                self._of_thread.outer = None

    def hold(self, connection: sa.Connection, words: Sequence[str]) -> bool:
        """Say that it is free, whatever it is: nobody else writes."""
        del connection, words
        return True

    def scrub(self) -> None:
        """Write the file anew without what was deleted from it or overwritten, and empty its log."""
        with self._queue.turn(), self._reading.connect() as connection:
            driver = connection.connection.driver_connection
            for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
                driver.execute(statement)  # type: ignore[union-attr]

    def close(self) -> None:
        """Close every connection."""
        self._writer.close()
        self._reading.dispose()


@contextmanager
def claimed_file(path: Path) -> Iterator[None]:
    """Keep other sandboxes off a file: two on one would each take the requests of the other. The claim is a
    lock on a file beside it, which the system gives back however the process ends.

    Raises EnvironmentProblem where another has the claim, or the file cannot be made.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError
        path.parent.mkdir(parents=True, exist_ok=True)
        claim = os.fdopen(open_private(path.with_name(f"{path.name}.lock"), os.O_WRONLY), "w")
    except (OSError, ValueError) as error:
        raise cannot_be_opened(path, error) from error
    with claim:
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise EnvironmentProblem(
                "this database is in use by another sandbox",
                place=Place(file=str(path)),
                help="end that one, or give this one a file of its own with --database",
            ) from error
        yield


def cannot_be_opened(path: Path, error: Exception) -> EnvironmentProblem:
    """Return what a user is told about a file that is no database of ours."""
    reason = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    other = "give the name of a file in a folder that you may write to with --database"
    return EnvironmentProblem(
        f"the sandbox's database cannot be opened: {'it is a folder' if path.is_dir() else reason}",
        place=Place(file=str(path)),
        help="give another file with --database, or delete this one" if path.is_file() else other,
    )


def is_locked(cause: BaseException | None) -> bool:
    """Say whether the driver gave up since another program has the file's lock."""
    return isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


def _engine(path: Path, busy_timeout_s: float) -> sa.Engine:
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        connect_args={"timeout": busy_timeout_s},
        pool_size=_CONNECTIONS,
        pool_timeout=busy_timeout_s,
        hide_parameters=True,
    )

    @sa.event.listens_for(engine, "connect")
    def _configure(connection: Any, record: Any) -> None:
        del record
        connection.isolation_level = None  # transactions are begun below, not by the driver
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))

    return engine
