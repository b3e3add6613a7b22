"""A database in a SQLite file, in WAL mode, which several processes of one machine can use."""

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
from telecom.sandbox.connections.certificates import ensure_private, open_private, restrict_permissions
from telecom.sandbox.database.encryption import Cipher, execution_options
from telecom.sandbox.database.storage_failures import StorageFailure, failure_of_system, storage_failure
from telecom.sandbox.database.writer import Result, WriteQueue, Writer, WriteTimeout

_CONNECTIONS = 40
"""As many as the server has threads."""
_LEAST_SPACE_BYTES = 256 * 1024
"""With less space a disk counts as full: SQLite requests 32 KiB at a time for its index of the log."""
_SIDE_FILES = ("-wal", "-shm", "-journal")
"""The side files of SQLite, which hold the same data as the file."""


class SqliteFile:
    """Opens transactions on a file, one writer at a time."""

    def __init__(self, path: Path, *, busy_timeout_s: float, cipher: Cipher | None = None) -> None:
        """Take the file; it is created if missing, with its folder (OSError). Only its owner can read it:
        SQLite gives its mode to the side files."""
        path.parent.mkdir(parents=True, exist_ok=True)
        ensure_private(path)
        for suffix in _SIDE_FILES:
            restrict_permissions(path.with_name(f"{path.name}{suffix}"))
        self.place = Place(file=str(path))
        self._path = path
        self._reading = _create_engine(path, busy_timeout_s).execution_options(**execution_options(cipher))
        self._writing = self._reading.execution_options(begin="BEGIN IMMEDIATE")
        self._queue = WriteQueue(path.with_name(f"{path.name}.queue"), timeout_s=busy_timeout_s)
        self._writer = Writer(self._writer_transaction)
        self._thread_state = local()

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a transaction that sees one state; within the writer's transaction, what that has written."""
        if (outer := self._writer_connection) is not None:
            yield outer
            return
        with self._reading.begin() as connection:
            yield connection

    @contextmanager
    def write(self, account: str | None, *, shared: bool) -> Iterator[sa.Connection]:
        """Open an exclusive transaction, for whatever account."""
        del account, shared
        if (outer := self._writer_connection) is not None:
            with self._savepoint(outer):
                yield outer
            return
        with self._queue.turn(), self._writing.begin() as connection:
            yield connection

    async def run(self, work: Callable[[], Result], *, writes: bool) -> Result:
        """Run work in a thread: writing work together with other writing work."""
        return await (self._writer.do(work) if writes else run_sync(work))

    @property
    def _writer_connection(self) -> sa.Connection | None:
        """The connection of the writer's transaction, None in another thread."""
        return getattr(self._thread_state, "outer", None)

    @contextmanager
    def _writer_transaction(self) -> Iterator[None]:
        """Make what this thread reads and writes part of one transaction."""
        with self.write(None, shared=False) as connection:
            self._thread_state.outer, self._thread_state.lost = connection, None
            try:
                yield
            finally:
                self._thread_state.outer = None
            if self._thread_state.lost is not None:
                raise self._thread_state.lost

    @contextmanager
    def _savepoint(self, outer: sa.Connection) -> Iterator[None]:
        """Make a `with` block a part of the writer's transaction that can be rolled back by itself.

        If the disk fails, SQLite rolls the whole transaction back, not the part (Automatic Rollbacks, in "SQL
        As Understood By SQLite"). Then nothing more may be written in it, and all parts fail.
        """
        if self._thread_state.lost is not None:
            raise self._thread_state.lost
        savepoint = outer.begin_nested()
        try:
            yield
            savepoint.commit()
        except BaseException as error:
            if _is_open(outer):
                savepoint.rollback()
            else:
                self._thread_state.lost = error
            raise

    def hold(self, connection: sa.Connection, key_parts: Sequence[str]) -> bool:
        """Return that it is free: there is no other writer."""
        del connection, key_parts
        return True

    def failure(self, error: Exception) -> StorageFailure | None:
        """Return the storage failure that an error shows, None if it shows none."""
        return _file_failure(self._path, error)

    def open_error(self, error: Exception) -> EnvironmentProblem:
        """Return the problem that a start reports for an error of the storage."""
        return file_open_error(self._path, error)

    def scrub(self) -> None:
        """Rewrite the file without deleted and overwritten data, and empty its log."""
        with self._queue.turn(), self._reading.connect() as connection:
            driver = connection.connection.driver_connection
            for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
                driver.execute(statement)  # type: ignore[union-attr]

    def close(self) -> None:
        """Close every connection."""
        self._writer.close()
        self._reading.dispose()


@contextmanager
def claim_file(path: Path) -> Iterator[None]:
    """Keep other sandboxes off a file: two on one would each take the requests of the other. The claim is a
    lock on a file beside it, which the system releases however the process ends.

    Raises EnvironmentProblem if another has the claim, or the file cannot be made.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError
        path.parent.mkdir(parents=True, exist_ok=True)
        claim = os.fdopen(open_private(path.with_name(f"{path.name}.lock"), os.O_WRONLY), "w")
    except (OSError, ValueError) as error:
        raise file_open_error(path, error) from error
    with claim:
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise EnvironmentProblem(
                "this database is in use by another sandbox",
                place=Place(file=str(path)),
                help="stop that one, or give this one a separate file with --database",
            ) from error
        yield


def file_open_error(path: Path, error: Exception) -> EnvironmentProblem:
    """Return the problem that a start reports for a file that it cannot use, with cause and advice."""
    reason = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    failure = failure_of_system(error) if isinstance(error, OSError) else _file_failure(path, error)
    if path.is_dir():
        problem, advice = "it is a folder", "give the name of a file in it with --database"
    elif isinstance(error, WriteTimeout) or is_locked(reason):
        problem, advice = "another program is writing to it", "wait for that program, or end it"
    elif failure is not None:
        problem, advice = f"{failure.sentence} ({_describe_reason(reason)})", _ADVICE[failure]
    else:
        problem, advice = _describe_reason(reason), "give another file with --database"
    return EnvironmentProblem(
        f"the sandbox's database cannot be opened: {problem}", place=Place(file=str(path)), help=advice
    )


_ADVICE = {
    StorageFailure.FULL: "free some space there, or give a file on another disk with --database",
    StorageFailure.READ_ONLY: "let this user write to the file and to its folder, or give another file with "
    "--database",
    StorageFailure.DAMAGED: "if it is a database, restore it from a backup, or save what can be read of it "
    "with sqlite3 FILE .recover; give another file with --database meanwhile",
    StorageFailure.FAILING: "see that the folder and its disk work, or give another file with --database",
}


def _describe_reason(reason: object) -> str:
    return (isinstance(reason, OSError) and reason.strerror) or str(reason)


def _file_failure(path: Path, error: Exception) -> StorageFailure | None:
    """Return the storage failure of a file that an error shows. SQLite does not always report why a write
    failed, so the free space of the disk is checked."""
    failure = storage_failure(error)
    return StorageFailure.FULL if failure is StorageFailure.FAILING and _has_no_space(path) else failure


def _has_no_space(path: Path) -> bool:
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _LEAST_SPACE_BYTES


def is_locked(cause: BaseException | None) -> bool:
    """Return whether the driver failed because another program has the file's lock."""
    return isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


def _is_open(connection: sa.Connection) -> bool:
    """Return whether a connection still has its transaction."""
    driver = connection.connection.driver_connection
    return isinstance(driver, sqlite3.Connection) and driver.in_transaction


def _create_engine(path: Path, busy_timeout_s: float) -> sa.Engine:
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
