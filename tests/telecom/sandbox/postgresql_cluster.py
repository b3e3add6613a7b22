"""A PostgreSQL server of the tests' own: in a temporary folder, without a port, ended with the tests."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from tests.waiting import wait_until

STRANGER, PASSWORD = "stranger", "p@ss/w:rd%"
"""A role that has to give a password."""
_HASTE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
_NO_ARCHIVE = ("wal_level=minimal", "max_wal_senders=0")
_ICU_SINCE = 15
_ENDS_WITHIN_S = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A server that listens at a socket in its folder, and lets everybody in who can reach that."""

    folder: Path
    admin: "psycopg.Connection[Any]"
    _names: list[str] = field(default_factory=list)

    def address(self, name: str, *, user: str = "postgres") -> str:
        """Return the address of a database."""
        return f"postgresql://{user}@/{name}?host={self.folder}"

    def create(self, *, template: str = "template1") -> str:
        """Make a database, a copy of another which nobody is connected to; return its name."""
        name = f"sandbox_{len(self._names)}"
        self._names.append(name)
        self.admin.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
        )
        return name

    @contextmanager
    def database(self, *, template: str = "template1") -> Iterator[str]:
        """Return the address of a new database, which is deleted at the end of the `with` block."""
        name = self.create(template=template)
        try:
            yield self.address(name)
        finally:
            self.admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewound:
    """A database that can go back to what it held at first: to make one anew for each test takes longer than
    most tests, as a database is hundreds of files."""

    address: str
    connection: "psycopg.Connection[Any]"
    script: LiteralString

    @classmethod
    def of(cls, address: str, connection: "psycopg.Connection[Any]") -> "Rewound":
        """Keep what a database holds now, in a schema beside its own."""
        query = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'"
        names = [name for (name,) in connection.execute(query)]
        connection.execute("CREATE SCHEMA first")
        for name in names:
            connection.execute(f"CREATE TABLE first.{name} AS TABLE public.{name}")
        again = (f"DELETE FROM {name}; INSERT INTO {name} TABLE first.{name}" for name in names)  # noqa: S608 - our own
        return cls(address=address, connection=connection, script="; ".join(("BEGIN", *again, "COMMIT")))

    def rewind(self) -> None:
        """Go back, and end the connections of whoever was there."""
        self.connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        self.connection.execute(self.script)


def programs() -> Path | None:
    """Return the folder of the server's programs: that of the newest on Debian, or on the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).resolve().parent if on_path else None


@contextmanager
def running_cluster(bin_folder: Path) -> Iterator[Cluster]:
    """Make a cluster and run its server for the time of a `with` block."""
    with tempfile.TemporaryDirectory(prefix="postgresql-") as name:
        folder = Path(name)
        make_cluster(bin_folder, folder)
        with running_server(bin_folder, folder), connect(folder) as admin:
            role = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
            admin.execute(role.format(sql.Identifier(STRANGER), PASSWORD))
            yield Cluster(folder=folder, admin=admin)


def make_cluster(bin_folder: Path, folder: Path) -> None:
    """Make a cluster that sorts text as people do, not by code points, as most servers in use do."""
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
    version = _run(folder, bin_folder / "initdb", "--version").partition(") ")[2].partition(".")[0]
    order = ("--locale-provider=icu", "--icu-locale=en-US") if int(version) >= _ICU_SINCE else ()
    options = ("--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8")
    _run(folder, bin_folder / "initdb", "--pgdata", folder / "data", *options, *order)
    access = folder / "data" / "pg_hba.conf"
    access.write_text(f"local all {STRANGER} scram-sha-256\nlocal all all trust\n")


@contextmanager
def running_server(bin_folder: Path, folder: Path) -> Iterator[None]:
    """Run the server of a cluster for the time of a `with` block."""
    settings = ("listen_addresses=", f"unix_socket_directories={folder}", *_HASTE, *_NO_ARCHIVE)
    options = [part for setting in settings for part in ("-c", setting)]
    # The signal ends the server also where the tests are killed.
    server_command: tuple[Path | str, ...] = (bin_folder / "postgres", "-D", folder / "data", *options)
    command = ("setpriv", "--pdeathsig", "INT", *server_command)
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **_unprivileged_user())
        try:
            yield
        finally:
            server.send_signal(signal.SIGINT)
            try:
                server.wait(timeout=_ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                server.send_signal(signal.SIGQUIT)
                server.wait()


@contextmanager
def connect(folder: Path) -> Iterator["psycopg.Connection[Any]"]:
    address = f"postgresql://postgres@/postgres?host={folder}"
    wait_until(lambda: _takes_connections(address), (folder / "log").read_text)
    with psycopg.connect(address, autocommit=True) as connection:
        yield connection


def _takes_connections(address: str) -> bool:
    with suppress(psycopg.OperationalError):
        psycopg.connect(address).close()
        return True
    return False


def _run(folder: Path, *command: Path | str) -> str:
    done = subprocess.run(command, capture_output=True, check=False, cwd=folder, **_unprivileged_user())
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr).decode())
    return bytes(done.stdout).decode()


def _unprivileged_user() -> dict[str, Any]:
    """Return what makes a program run as nobody, where it would be root: the server refuses that."""
    return {"user": "nobody", "group": "nogroup", "extra_groups": ()} if os.geteuid() == 0 else {}
