"""Why a database refuses writes, as SQLite, the system and PostgreSQL report it.

See decision 0045. What only takes too long is not a storage failure: see `database.is_busy`.
"""

import errno
import sqlite3
from collections.abc import Iterable, Mapping
from enum import StrEnum

import sqlalchemy as sa


class StorageFailure(StrEnum):
    """A failure that lasts until somebody fixes it."""

    FULL = "full"
    READ_ONLY = "read-only"
    DAMAGED = "damaged"
    FAILING = "failing"
    UNREACHABLE = "unreachable"

    @property
    def sentence(self) -> str:
        """The reason in words; it names neither file nor server."""
        return _SENTENCES[self]

    @property
    def ends_with_write(self) -> bool:
        """Whether a successful write shows that it is over: in a damaged file other pages can still be
        written."""
        return self is not StorageFailure.DAMAGED


class QueueUnusable(OSError):
    """The file of the writers' queue of a SQLite database cannot be opened."""


def storage_failure(error: BaseException) -> StorageFailure | None:
    """Return why the storage failed, None if it did not, or not for a reason of this kind."""
    if isinstance(error, BaseExceptionGroup):
        return _first_failure(storage_failure(exception) for exception in error.exceptions)
    if isinstance(error, QueueUnusable):
        return failure_of_system(error)
    if isinstance(error, sqlite3.Error):
        return _failure_of_sqlite(error)
    if not isinstance(error, sa.exc.DBAPIError):
        return None
    if isinstance(error.orig, sqlite3.Error):
        return _failure_of_sqlite(error.orig)
    return _failure_of_server(error)


def failure_of_system(error: OSError) -> StorageFailure:
    """Return the storage failure that an error of the system shows."""
    return _BY_ERRNO.get(error.errno or 0, StorageFailure.FAILING)


def _failure_of_sqlite(error: sqlite3.Error) -> StorageFailure | None:
    code = getattr(error, "sqlite_errorcode", 0)  # not every error of the module comes from SQLite
    return _BY_SQLITE_CODE.get(code) or _BY_SQLITE_CODE.get(code & 0xFF)


def _failure_of_server(error: sa.exc.DBAPIError) -> StorageFailure | None:
    state: str | None = getattr(error.orig, "sqlstate", None)
    if state is None:  # the server did not respond: the connection is lost, or there was none
        return StorageFailure.UNREACHABLE if isinstance(error, sa.exc.OperationalError) else None
    return _BY_SQLSTATE.get(state) or _BY_SQLSTATE.get(state[:2])


def _first_failure(failures: Iterable[StorageFailure | None]) -> StorageFailure | None:
    return next((failure for failure in failures if failure is not None), None)


_SENTENCES: Mapping[StorageFailure, str] = {
    StorageFailure.FULL: "no space is left for it",
    StorageFailure.READ_ONLY: "it is read-only",
    StorageFailure.DAMAGED: "it is damaged",
    StorageFailure.FAILING: "its storage reports errors",
    StorageFailure.UNREACHABLE: "its server cannot be reached",
}
_BY_ERRNO: Mapping[int, StorageFailure] = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), StorageFailure.FULL),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), StorageFailure.READ_ONLY),
}
_BY_SQLITE_CODE: Mapping[int, StorageFailure] = {
    sqlite3.SQLITE_FULL: StorageFailure.FULL,
    sqlite3.SQLITE_READONLY: StorageFailure.READ_ONLY,
    sqlite3.SQLITE_READONLY_DBMOVED: StorageFailure.FAILING,
    sqlite3.SQLITE_PERM: StorageFailure.READ_ONLY,
    sqlite3.SQLITE_CORRUPT: StorageFailure.DAMAGED,
    sqlite3.SQLITE_NOTADB: StorageFailure.DAMAGED,
    sqlite3.SQLITE_IOERR: StorageFailure.FAILING,
    sqlite3.SQLITE_CANTOPEN: StorageFailure.FAILING,
}
"""By extended and by primary result code."""
_BY_SQLSTATE: Mapping[str, StorageFailure] = {
    "53100": StorageFailure.FULL,
    "25006": StorageFailure.READ_ONLY,
    "42501": StorageFailure.READ_ONLY,
    "XX001": StorageFailure.DAMAGED,
    "XX002": StorageFailure.DAMAGED,
    "58": StorageFailure.FAILING,
    "08": StorageFailure.UNREACHABLE,
    **dict.fromkeys(("57P01", "57P02", "57P03", "57P04"), StorageFailure.UNREACHABLE),
}
"""By SQLSTATE and by its class (PostgreSQL, Appendix A)."""
