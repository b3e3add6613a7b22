"""PostgreSQL: the server by its URL, and texts that it cannot store."""

import hashlib
import os
import re
import select
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
import sqlalchemy as sa
from anyio.to_thread import run_sync
from psycopg.abc import AdaptContext
from psycopg.types.string import StrDumperUnknown, TextLoader

from devportal.errors import EnvironmentProblem, InvalidSettings, Place
from telecom.sandbox.database.encryption import Cipher, execution_options
from telecom.sandbox.database.storage_failures import StorageFailure, storage_failure
from telecom.sandbox.database.writer import Result

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

except ImportError as error:  # pragma: no cover - the tests need the driver
    raise EnvironmentProblem(
        f"PostgreSQL cannot be used: {error}", help="run pip install 'devportal[postgresql]'"
    ) from error

_CONNECTIONS = 16
"""At most per process; a server allows 100 by default."""
_CONNECT_TIMEOUT_S = 10
_LONGEST_PAUSE_S = 60
"""How long a process may leave a transaction idle, so that one that hangs keeps no locks."""
_MAX_LIVENESS_READS = 8

_ADDRESS = re.compile(
    r"postgres(?:ql)?://(?:(?:[^:@/?#%]|%[0-9a-fA-F]{2})*(?::(?:[^:@/?#%]|%[0-9a-fA-F]{2})*)?@)?[^@?#]*(?:\?.*)?"
)
"""Like libpq's own form, but stricter, so that no part of a password is taken for a host."""


class PostgresqlServer:
    """Opens transactions. Advisory locks, which end with the transaction, keep writers apart."""

    def __init__(self, address: str, *, busy_timeout_s: float, cipher: Cipher | None = None) -> None:
        """Take an address in libpq's form; its variables and files supply what the address leaves out.

        Raises InvalidSettings if the address is invalid.
        """
        self.settings = _parse_address(address)
        self.place = Place(file=_safe_address(self.settings))
        engine = _create_engine(address, self.settings, busy_timeout_s)
        self._engine = engine.execution_options(**execution_options(cipher))

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Open a transaction that sees one state and writes nothing."""
        with self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as connection:
            yield connection

    @contextmanager
    def write(self, account: str | None, *, shared: bool) -> Iterator[sa.Connection]:
        """Open a transaction that excludes other writers as needed; see `Database.write`."""
        locks = _lock_statements(account, shared=shared)
        with self._transaction(f"BEGIN ISOLATION LEVEL READ COMMITTED; SELECT {locks}") as connection:
            yield connection

    def hold(self, connection: sa.Connection, key_parts: Sequence[str]) -> bool:
        """Take the advisory lock that the key names, unless another transaction has it."""
        return bool(connection.execute(_HOLD, {"key": lock_key(*key_parts)}).scalar_one())

    async def run(self, work: Callable[[], Result], *, writes: bool) -> Result:
        """Run work in a thread, whether it writes or not."""
        del writes
        return await run_sync(work)

    def scrub(self) -> None:
        """Do nothing: the operator decides when old versions of rows leave the server's files."""

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sa.Connection]:
        with self._engine.connect() as connection:
            connection.execution_options(begin=begin)
            with connection.begin():
                yield connection

    def open_error(self, error: Exception) -> EnvironmentProblem:
        """Return the problem that a user sees for a server that cannot be used."""
        cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
        reason = "; ".join(" ".join(line.split()) for line in str(cause).splitlines() if line.strip())
        for name in ("password", "sslpassword"):
            if secret := str(self.settings.get(name) or ""):
                reason = reason.replace(secret, "…")
        advice = _ADVICE.get(failure) if (failure := storage_failure(error)) is not None else None
        return EnvironmentProblem(
            f"the sandbox's database cannot be opened: {reason}",
            place=self.place,
            help=advice or _connection_advice(reason),
        )

    def failure(self, error: Exception) -> StorageFailure | None:
        """Return the storage failure that an error shows, None if it shows none."""
        return storage_failure(error)


_HOLD = sa.select(sa.func.pg_try_advisory_xact_lock(sa.bindparam("key", type_=sa.BigInteger)))


def lock_key(*parts: str) -> int:
    """Return the number of the advisory lock for the given parts."""
    digest = hashlib.sha256("\0".join(("devportal sandbox", *parts)).encode()).digest()
    return int.from_bytes(digest[:8], signed=True)


def _lock_statements(account: str | None, *, shared: bool) -> str:
    """Return the SQL calls that lock: everything if no account is given, else the account, with a shared lock
    on everything."""
    everything = lock_key("everything")
    if account is None:
        return f"pg_advisory_xact_lock{'_shared' if shared else ''}({everything})"
    kind = "_shared" if shared else ""
    return (
        f"pg_advisory_xact_lock_shared({everything}), "
        f"pg_advisory_xact_lock{kind}({lock_key('account', account)})"
    )


def _parse_address(address: str) -> Mapping[str, Any]:
    """Return the settings that libpq reads from an address. Its error for an invalid one may quote a
    password, so it is not passed on."""
    try:
        if not _ADDRESS.fullmatch(address):
            raise ValueError
        return conninfo_to_dict(address)
    except (ValueError, psycopg.Error):
        raise InvalidSettings(
            "the address of the database is not a PostgreSQL URL; it is not shown, as it may have a password",
            help="write it as postgresql://USER@HOST:PORT/NAME; in user and password, write @ as %40, "
            ": as %3A, / as %2F and % as %25; the password can also be in PGPASSWORD or ~/.pgpass",
        ) from None


def _safe_address(settings: Mapping[str, Any]) -> str:
    """Return the address without user, password and options."""
    host, port = settings.get("host") or os.environ.get("PGHOST", ""), settings.get("port")
    name = settings.get("dbname") or os.environ.get("PGDATABASE", "")
    local = host.startswith("/")
    return f"postgresql://{'' if local else host}{f':{port}' if port and not local else ''}/{name}"


_ADVICE = {
    StorageFailure.FULL: "free some space on the disk of the server",
    StorageFailure.DAMAGED: "see the log of the server, and restore the database from a backup",
    StorageFailure.FAILING: "see the log of the server, and its disk",
}


def _connection_advice(reason: str) -> str:
    """Return advice by the text of the reason; libpq has no error codes for failed connections."""
    if re.search(r'database "[^"]*" does not exist', reason):
        return "make it with createdb, or give another with --database"
    if re.search(r"password|role|authentication|no pg_hba", reason):
        return "give a user and a password that the server knows, in the address, PGPASSWORD or ~/.pgpass"
    if "permission denied" in reason:
        return "let the user own the database, as createdb --owner does"
    if "read-only" in reason:
        return "give the address of the primary server, and see that the database is not set to read-only"
    if "already exists" in reason:
        return "give the sandbox a separate database with --database"
    return "see that the server runs and takes connections from here, or give another with --database"


def _create_engine(address: str, settings: Mapping[str, Any], busy_timeout_s: float) -> sa.Engine:
    limits: dict[str, Any] = {}
    if "connect_timeout" not in settings and "PGCONNECT_TIMEOUT" not in os.environ:
        limits["connect_timeout"] = _CONNECT_TIMEOUT_S

    def connect() -> "psycopg.Connection[Any]":
        connection = psycopg.connect(
            address,
            autocommit=True,  # transactions are begun below, not by the driver
            client_encoding="UTF8",
            fallback_application_name="devportal sandbox",
            **limits,
        )
        _require_utf8(connection)
        hold_any_text(connection)
        connection.execute(
            "SELECT set_config('lock_timeout', %s, false), "
            "set_config('idle_in_transaction_session_timeout', %s, false)",
            (f"{round(busy_timeout_s * 1000)}ms", f"{_LONGEST_PAUSE_S}s"),
        )
        return connection

    engine = sa.create_engine(
        "postgresql+psycopg://",
        creator=connect,
        pool_size=_CONNECTIONS,
        max_overflow=0,
        pool_timeout=busy_timeout_s,
        pool_use_lifo=True,
        hide_parameters=True,
    )

    hide_values(engine)

    @sa.event.listens_for(engine, "checkout")
    def _alive(connection: Any, _record: Any, _proxy: Any) -> None:
        if not _is_alive(connection.pgconn):
            raise sa.exc.InvalidatePoolError

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN")).close()

    return engine


def _require_utf8(connection: "psycopg.Connection[Any]") -> None:
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        connection.close()
        raise EnvironmentProblem(
            f"the sandbox's database has the encoding {encoding}, which has no room for every text",
            help="make one with createdb --encoding UTF8 --template template0",
        )


def _is_alive(connection: Any) -> bool:
    """Return whether a connection is alive. Checks the socket and not the server, as it is called often."""
    waiting = select.poll()
    waiting.register(connection.socket, select.POLLIN)
    try:
        for _ in range(_MAX_LIVENESS_READS):
            if not waiting.poll(0):
                return True
            connection.consume_input()  # perhaps a notice; fails if the connection is closed
    except psycopg.Error:
        return False
    return False


_ESCAPE = "\ufffe"


def escape_nul(text: str) -> str:
    """Return a text without U+0000, which `unescape_nul` restores."""
    if "\0" not in text and _ESCAPE not in text:
        return text
    return text.replace(_ESCAPE, f"{_ESCAPE}1").replace("\0", f"{_ESCAPE}0")


def unescape_nul(text: str) -> str:
    """Return the text that `escape_nul` escaped."""
    return text.replace(f"{_ESCAPE}0", "\0").replace(f"{_ESCAPE}1", _ESCAPE)


class _Dumper(StrDumperUnknown):
    def dump(self, obj: str) -> Any:
        return super().dump(escape_nul(obj))


class _Loader(TextLoader):
    def load(self, data: Any) -> str | bytes:
        loaded = super().load(data)
        return unescape_nul(loaded) if isinstance(loaded, str) and _ESCAPE in loaded else loaded


def hold_any_text(context: AdaptContext) -> None:
    """Let a connection accept and return every text that JSON can hold."""
    adapters = context.adapters
    if adapters is not None:
        adapters.register_dumper(str, _Dumper)
        for name in ("text", "varchar"):
            adapters.register_loader(name, _Loader)


_QUOTING_CLASSES = {"22", "23"}
"""Data exceptions, and violated constraints (PostgreSQL, Appendix A)."""


def hide_values(engine: sa.Engine) -> None:
    """Make every error of an engine name what was violated, and never the values."""

    @sa.event.listens_for(engine, "handle_error")
    def hide_quoted_values(context: sa.engine.ExceptionContext) -> None:
        error = context.original_exception
        if not isinstance(error, psycopg.Error) or (error.sqlstate or "")[:2] not in _QUOTING_CLASSES:
            return
        description = _describe_without_values(error)
        error.args = (description,)
        if context.sqlalchemy_exception is not None:
            context.sqlalchemy_exception.args = (f"({type(error).__name__}) {description}",)


def _describe_without_values(error: psycopg.Error) -> str:
    objects = (
        ("table", error.diag.table_name),
        ("column", error.diag.column_name),
        ("constraint", error.diag.constraint_name),
    )
    names = [f"{kind} {name}" for kind, name in objects if name]
    return ", ".join((f"SQLSTATE {error.sqlstate}", *names))
