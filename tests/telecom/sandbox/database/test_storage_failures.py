"""What errors of SQLite, of the system and of PostgreSQL say of the storage."""

import errno
import sqlite3

import psycopg
import pytest
import sqlalchemy as sa

from telecom.sandbox.database.database import is_busy
from telecom.sandbox.database.storage_failures import (
    QueueUnusable,
    StorageFailure,
    failure_of_system,
    storage_failure,
)


def of_sqlite(code: int) -> sa.exc.DBAPIError:
    """Return an error as SQLAlchemy raises it, with a result code of SQLite."""
    cause = sqlite3.OperationalError("for the tests")
    cause.sqlite_errorcode = code
    return sa.exc.OperationalError("INSERT", None, cause)


def of_server(state: str | None) -> sa.exc.DBAPIError:
    """Return an error as SQLAlchemy raises it, with a SQLSTATE, or none if no server responded."""
    cause = psycopg.OperationalError("for the tests")
    cause.sqlstate = state
    return sa.exc.OperationalError("INSERT", None, cause)


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (of_sqlite(sqlite3.SQLITE_FULL), StorageFailure.FULL),
        (of_sqlite(sqlite3.SQLITE_READONLY), StorageFailure.READ_ONLY),
        (of_sqlite(sqlite3.SQLITE_READONLY_DIRECTORY), StorageFailure.READ_ONLY),
        (of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED), StorageFailure.FAILING),
        (of_sqlite(sqlite3.SQLITE_CORRUPT), StorageFailure.DAMAGED),
        (of_sqlite(sqlite3.SQLITE_CORRUPT_INDEX), StorageFailure.DAMAGED),
        (of_sqlite(sqlite3.SQLITE_NOTADB), StorageFailure.DAMAGED),
        (of_sqlite(sqlite3.SQLITE_IOERR_WRITE), StorageFailure.FAILING),
        (of_sqlite(sqlite3.SQLITE_CANTOPEN), StorageFailure.FAILING),
        (of_sqlite(sqlite3.SQLITE_BUSY), None),
        (of_sqlite(sqlite3.SQLITE_CONSTRAINT_UNIQUE), None),
        (of_sqlite(sqlite3.SQLITE_ERROR), None),
        (of_sqlite(sqlite3.SQLITE_FULL).orig, StorageFailure.FULL),
        (of_server("53100"), StorageFailure.FULL),
        (of_server("25006"), StorageFailure.READ_ONLY),
        (of_server("XX001"), StorageFailure.DAMAGED),
        (of_server("58030"), StorageFailure.FAILING),
        (of_server("08006"), StorageFailure.UNREACHABLE),
        (of_server("57P01"), StorageFailure.UNREACHABLE),
        (of_server(None), StorageFailure.UNREACHABLE),
        (of_server("40P01"), None),
        (of_server("57014"), None),
        (of_server("23505"), None),
        (QueueUnusable(errno.ENOSPC, "for the tests"), StorageFailure.FULL),
        (QueueUnusable(errno.EROFS, "for the tests"), StorageFailure.READ_ONLY),
        (OSError(errno.ENOSPC, "a file that is no database"), None),
        (ValueError("for the tests"), None),
        (ExceptionGroup("many", [ValueError(), of_sqlite(sqlite3.SQLITE_FULL)]), StorageFailure.FULL),
        (ExceptionGroup("many", [ValueError()]), None),
    ],
    ids=str,
)
def test_error_shows_what_is_wrong_with_the_storage(error: Exception, failure: StorageFailure | None) -> None:
    """What lasts until somebody does something; not what is only busy, nor what a statement did wrong."""
    assert storage_failure(error) is failure


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_READONLY])
def test_failure_of_a_file_is_not_the_database_being_busy(code: int) -> None:
    """It does not pass by itself."""
    assert not is_busy(of_sqlite(code))


def test_error_of_the_system_is_known_by_its_number() -> None:
    """A quota and a limit for files leave no space either."""
    assert failure_of_system(OSError(errno.EDQUOT, "")) is StorageFailure.FULL
    assert failure_of_system(OSError(errno.EACCES, "")) is StorageFailure.READ_ONLY
    assert failure_of_system(OSError(errno.EIO, "")) is StorageFailure.FAILING


def test_every_failure_has_words() -> None:
    """Which name neither file nor server: health is for everybody."""
    assert all(failure.sentence.startswith(("it ", "its ", "no ")) for failure in StorageFailure)
