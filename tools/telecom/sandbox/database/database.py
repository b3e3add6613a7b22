"""The database: opening, migrations, transactions, and availability."""

import logging
import mmap
import multiprocessing
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from threading import local
from typing import Protocol

import sqlalchemy as sa

from devportal.errors import EnvironmentProblem, InvalidSettings, Place
from telecom.sandbox.database.encryption import Cipher
from telecom.sandbox.database.migrations import is_current, upgrade
from telecom.sandbox.database.sqlite_file import SqliteFile, claim_file, file_open_error, is_locked
from telecom.sandbox.database.storage_failures import StorageFailure
from telecom.sandbox.database.writer import Result, WriteTimeout

_LOG = logging.getLogger("telecom.sandbox")
_FAILURES = tuple(StorageFailure)
_AVAILABLE = 0
_LONGEST_WAIT_S = 1.0
"""How long to wait for another process that notes the same; one that was killed meanwhile never releases the
lock."""


class Availability:
    """The current failure of a database, from the first refused write to the first accepted one.

    It is in memory that forked processes share, so that its begin and its end are logged once, whichever
    process saw it first.
    """

    def __init__(self) -> None:
        """Begin with an available database."""
        self._shared = mmap.mmap(-1, 1)
        self._lock = multiprocessing.get_context("fork").Lock()

    @property
    def failure(self) -> StorageFailure | None:
        """Why writes are refused, None if they are not."""
        number = self._shared[0]
        return None if number == _AVAILABLE else _FAILURES[number - 1]

    def note_failure(self, failure: StorageFailure) -> None:
        """Note that a write was refused, or that the database could not be read."""
        if self.failure is None and self._set_state(_FAILURES.index(failure) + 1):
            _LOG.error(
                "the database is unavailable: %s; requests that need it get 503 until it is back",
                failure.sentence,
                extra={"fields": {"storage": failure.value}},
            )

    def note_write(self) -> None:
        """Note that a write was accepted."""
        if self.failure is not None and self._set_state(_AVAILABLE):
            _LOG.warning("the database is available again", extra={"fields": {"storage": "ok"}})

    def _set_state(self, number: int) -> bool:
        """Store the state; return whether the database became available or unavailable by it."""
        is_locked = self._lock.acquire(timeout=_LONGEST_WAIT_S)
        try:
            previous = self._shared[0]
            self._shared[0] = number
        finally:
            if is_locked:
                self._lock.release()
        return (previous == _AVAILABLE) != (number == _AVAILABLE)


BUSY_TIMEOUT_S = 10.0
"""How long a transaction waits for its turn to write, or for a connection."""
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_IN_MEMORY = ":memory:"
"""What SQLite takes for a database in memory ("In-Memory Databases" of its documentation)."""


class Storage(Protocol):
    """The interface of both kinds of database."""

    place: Place
    """The address, without a secret."""

    def read(self) -> AbstractContextManager[sa.Connection]:
        """Open a transaction that sees one state."""

    def write(self, account: str | None, *, shared: bool) -> AbstractContextManager[sa.Connection]:
        """Open a transaction that writes."""

    async def run(self, work: Callable[[], Result], *, writes: bool) -> Result:
        """Run work in a thread."""

    def hold(self, connection: sa.Connection, key_parts: Sequence[str]) -> bool:
        """Take the lock that the key names, until the end of the transaction; return whether it was free."""

    def scrub(self) -> None:
        """Remove overwritten data from the files."""

    def failure(self, error: Exception) -> StorageFailure | None:
        """Return the storage failure that an error shows, None if it shows none."""

    def open_error(self, error: Exception) -> EnvironmentProblem:
        """Return the problem that a start reports for an error of the storage."""

    def close(self) -> None:
        """Close every connection."""


class Database:
    """Opens transactions. A process that is killed leaves either all of one or nothing of it."""

    def __init__(self, storage: Storage) -> None:
        """Take a storage whose tables exist."""
        self._storage = storage
        self._thread_state = local()
        self.availability = Availability()

    @classmethod
    def open(
        cls,
        address: str | Path,
        *,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        cipher: Cipher | None = None,
    ) -> "Database":
        """Open a file (created with its folder if missing) or a database by its postgresql:// URL, and
        migrate it to the newest schema. With a cipher, webhook secrets are encrypted in it.

        Raises EnvironmentProblem if that fails, InvalidSettings if the address is invalid.
        """
        if is_file_address(address):
            return cls(_open_file(Path(address), busy_timeout_s, cipher))
        return cls(_open_server(str(address), busy_timeout_s, cipher))

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a transaction that sees one state of the database and writes nothing."""
        with self._note_failures(), self._storage.read() as connection:
            yield connection

    @contextmanager
    def write(self, account: str | None = None, *, shared: bool = False) -> Iterator[sa.Connection]:
        """Open a transaction that may read and then write.

        `write()` is exclusive in the whole database; `write(account)` is exclusive in the account;
        `write(account, shared=True)` excludes only transactions that are exclusive in the account, and
        `write(shared=True)` only those that are exclusive in the whole database. Shared writes must be safe
        by other means: by new keys, by locked rows. On SQLite every write is exclusive.
        """
        with self._note_failures(), self._storage.write(account, shared=shared) as connection:
            yield connection
        self._thread_state.has_written = True

    async def run(self, work: Callable[[], Result], *, writes: bool) -> Result:
        """Run work in a thread; return when what it `writes` is durable."""

        def run_and_note() -> tuple[Result, bool]:
            self._thread_state.has_written = False
            return work(), self._thread_state.has_written

        with self._note_failures():
            result, has_written = await self._storage.run(run_and_note, writes=writes)
        if has_written:
            self.availability.note_write()
        return result

    def failure(self, error: Exception) -> StorageFailure | None:
        """Return the storage failure that an error shows, None if it shows none."""
        return self._storage.failure(error)

    @contextmanager
    def _note_failures(self) -> Iterator[None]:
        """Note a storage failure that an error in a `with` block shows."""
        try:
            yield
        except Exception as error:
            if (failure := self._storage.failure(error)) is not None:
                self.availability.note_failure(failure)
            raise

    def open_error(self, error: Exception) -> EnvironmentProblem:
        """Return the problem that a start reports for an error of the storage."""
        return self._storage.open_error(error)

    @property
    def is_single_machine(self) -> bool:
        """Whether all its users are on one machine, under one start."""
        return isinstance(self._storage, SqliteFile)

    @property
    def place(self) -> Place:
        """The address, without a secret."""
        return self._storage.place

    def hold(self, connection: sa.Connection, *key_parts: str) -> bool:
        """Take the lock that the key names, for a writing transaction; return whether it was free. Never
        waits."""
        return self._storage.hold(connection, key_parts)

    def scrub(self) -> None:
        """Remove overwritten data from the files, if they are ours."""
        self._storage.scrub()

    def close(self) -> None:
        """Close every connection."""
        self._storage.close()


@contextmanager
def open_database(address: str | Path, *, cipher: Cipher | None = None) -> Iterator[Database]:
    """Open a database for the `with` block of a command.

    Raises EnvironmentProblem, with cause and advice, for every storage failure in the block.
    """
    with closing(Database.open(address, cipher=cipher)) as database:
        try:
            yield database
        except Exception as error:
            if database.failure(error) is None and not is_busy(error):
                raise
            raise database.open_error(error) from error


def is_file_address(address: str | Path) -> bool:
    """Return whether an address is that of a SQLite file.

    Raises InvalidSettings for unsupported servers, and for a database in memory: each connection would have its own.
    """
    if str(address) == _IN_MEMORY:
        raise InvalidSettings(
            f"the sandbox keeps its data in a file, not in {_IN_MEMORY!r}",
            help="give the path of a SQLite file, for instance of a new one in a temporary folder",
        )
    if isinstance(address, Path) or (scheme := _SCHEME.match(address)) is None:
        return True
    if scheme[1].lower() not in {"postgresql", "postgres"}:
        raise InvalidSettings(
            f"the sandbox cannot keep its data at {scheme[1]}://…",
            help="give the path of a SQLite file, or postgresql://USER@HOST/NAME",
        )
    return False


@contextmanager
def claim_database(address: str | Path) -> Iterator[None]:
    """Keep other sandboxes off a SQLite file; a server can have many.

    Raises EnvironmentProblem if another has the claim, or the file cannot be made.
    """
    if is_file_address(address):
        with claim_file(Path(address)):
            yield
    else:
        yield


def is_busy(error: Exception) -> bool:
    """Return whether a transaction failed only because of others, or because the server is temporarily away:
    the same may succeed later."""
    if isinstance(error, WriteTimeout | sa.exc.TimeoutError):
        return True
    if not isinstance(error, sa.exc.DBAPIError):
        return False
    return is_locked(error.orig) or _is_transient(error)


_OTHER_DRIVER = ""
_TRANSIENT_CLASSES = {"08", "40", "53", "57"}
"""Connection lost; transaction rolled back (deadlock, serialization); resources; operator (a shutdown)."""
_TRANSIENT_STATES = {"55P03", "25P03", "25006"}
"""Lock not available; a transaction that did nothing for too long; a server that only reads (a standby)."""


def _is_transient(error: sa.exc.DBAPIError) -> bool:
    """Return whether a server refused for a reason that has nothing to do with the statement."""
    state: str | None = getattr(error.orig, "sqlstate", _OTHER_DRIVER)
    if state is None:  # no response of the server: the connection is lost, or there was none
        return isinstance(error, sa.exc.OperationalError)
    return state[:2] in _TRANSIENT_CLASSES or state in _TRANSIENT_STATES


def _open_file(path: Path, busy_timeout_s: float, cipher: Cipher | None) -> Storage:
    try:
        storage = SqliteFile(path, busy_timeout_s=busy_timeout_s, cipher=cipher)
    except OSError as error:
        raise file_open_error(path, error) from error
    try:
        _upgrade_if_needed(storage)
    except (OSError, WriteTimeout, sa.exc.DatabaseError) as error:
        storage.close()
        raise file_open_error(path, error) from error
    except EnvironmentProblem:
        storage.close()
        raise
    return storage


def _open_server(address: str, busy_timeout_s: float, cipher: Cipher | None) -> Storage:
    from telecom.sandbox.database.postgresql_server import PostgresqlServer  # noqa: PLC0415 - its driver is optional

    storage = PostgresqlServer(address, busy_timeout_s=busy_timeout_s, cipher=cipher)
    try:
        _upgrade_if_needed(storage)
    except sa.exc.DBAPIError as error:
        storage.close()
        raise storage.open_error(error) from error
    except EnvironmentProblem:
        storage.close()
        raise
    return storage


def _upgrade_if_needed(storage: Storage) -> None:
    with storage.read() as connection:
        if is_current(connection):
            return
    with storage.write(None, shared=False) as connection:
        upgrade(connection, storage.place)
