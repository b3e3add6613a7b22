"""The sandbox's database: SQLite in WAL mode, every write transaction one at a time."""

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from devportal.errors import EnvironmentProblem, Place
from telecom.sandbox.tables import METADATA

SCHEMA_VERSION = 5
BUSY_TIMEOUT_S = 10.0
"""How long a transaction waits for the write lock."""


class Database:
    """Hands out transactions. A process that is killed leaves either all of one or nothing of it."""

    def __init__(self, engine: sa.Engine) -> None:
        """Take an engine whose tables exist."""
        self._reading = engine
        self._writing = engine.execution_options(begin="BEGIN IMMEDIATE")

    @classmethod
    def open(cls, path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> "Database":
        """Open the file, or make it with its folder; raises EnvironmentProblem where that cannot be."""
        engine = _engine(path, busy_timeout_s)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            database = cls(engine)
            _prepare(database, path)
        except (OSError, sa.exc.DatabaseError) as error:
            engine.dispose()
            raise _cannot_be_opened(path, error) from error
        except EnvironmentProblem:
            engine.dispose()
            raise
        return database

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a transaction that sees one state of the database and writes nothing."""
        with self._reading.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Open a transaction that holds the only write lock until it is committed or rolled back."""
        with self._writing.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close every connection."""
        self._reading.dispose()


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Keep other sandboxes off a database: two would send each event twice. The claim is a lock on a file
    beside it, which the system gives back however the process ends.

    Raises EnvironmentProblem where another has the claim, or the file cannot be made.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError
        path.parent.mkdir(parents=True, exist_ok=True)
        claim = path.with_name(f"{path.name}.lock").open("a")
    except (OSError, ValueError) as error:
        raise _cannot_be_opened(path, error) from error
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


def _cannot_be_opened(path: Path, error: Exception) -> EnvironmentProblem:
    reason = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    other = "give the name of a file in a folder that you may write to with --database"
    return EnvironmentProblem(
        f"the sandbox's database cannot be opened: {'it is a folder' if path.is_dir() else reason}",
        place=Place(file=str(path)),
        help="give another file with --database, or delete this one" if path.is_file() else other,
    )


def is_busy(error: Exception) -> bool:
    """Say whether a transaction failed only because it waited too long for the write lock."""
    cause = error.orig if isinstance(error, sa.exc.OperationalError) else None
    return isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


def _engine(path: Path, busy_timeout_s: float) -> sa.Engine:
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)), connect_args={"timeout": busy_timeout_s}
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


def _prepare(database: Database, path: Path) -> None:
    with database.write() as connection:
        version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        if version not in {0, SCHEMA_VERSION}:
            raise EnvironmentProblem(
                f"the sandbox's database has the format {version}, and this version reads {SCHEMA_VERSION}",
                place=Place(file=str(path)),
                help="give another file with --database, or delete this one",
            )
        METADATA.create_all(connection)
        connection.exec_driver_sql(f"PRAGMA user_version={SCHEMA_VERSION}")
