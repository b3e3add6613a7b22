"""A database on a PostgreSQL server: who is kept apart, lost connections, and what is told of servers."""

import traceback
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.telecom.sandbox.postgresql_cluster import PASSWORD, STRANGER, Cluster

from devportal.errors import EnvironmentProblem
from telecom.sandbox.database.database import Database, is_busy


@pytest.fixture
def server_database(cluster: Cluster) -> Iterator[Database]:
    """Return a database on a server, which waits for nobody."""
    with cluster.database() as address, closing(Database.open(address, busy_timeout_s=0.1)) as opened:
        yield opened


ALL, ALL_SHARED, ADA, ADA_SHARED = (None, False), (None, True), ("ada", False), ("ada", True)
VALUE = "a text\nof somebody's"
BOB, BOB_SHARED = ("bob", False), ("bob", True)


@pytest.mark.parametrize(
    ("first", "beside", "kept_off"),
    [
        (ALL, (), (ALL, ALL_SHARED, ADA, ADA_SHARED)),
        (ALL_SHARED, (ALL_SHARED, ADA, ADA_SHARED), (ALL,)),
        (ADA, (ALL_SHARED, BOB, BOB_SHARED), (ALL, ADA, ADA_SHARED)),
        (ADA_SHARED, (ALL_SHARED, ADA_SHARED, BOB), (ALL, ADA)),
    ],
)
def test_server_keeps_writers_apart(
    server_database: Database, first: Any, beside: Any, kept_off: Any
) -> None:
    """Whom a transaction is alone with; those who wait too long are told that the database is busy."""
    account, shared = first
    with server_database.write(account, shared=shared):
        for account, shared in beside:
            with server_database.write(account, shared=shared) as connection:
                assert connection.execute(sa.select(1)).scalar() == 1
        for account, shared in kept_off:
            with (
                pytest.raises(sa.exc.OperationalError) as raised,
                server_database.write(account, shared=shared),
            ):
                pytest.fail("two wrote at once")
            assert is_busy(raised.value)
    with server_database.write():
        pass


def test_connection_that_was_lost_is_replaced(cluster: Cluster) -> None:
    """A server that was started anew meanwhile costs no request."""
    with cluster.database() as address, closing(Database.open(address)) as database:
        _end_connections(cluster, address)

        with database.read() as connection:
            assert connection.execute(sa.select(1)).scalar() == 1


def test_connection_that_is_lost_under_way_is_told_as_busy(cluster: Cluster) -> None:
    """The same may succeed later, and does."""
    with cluster.database() as address, closing(Database.open(address)) as database:

        def write(*, loses: bool) -> int | None:
            with database.write() as connection:
                if loses:
                    _end_connections(cluster, address)
                return connection.execute(sa.select(1)).scalar()

        with pytest.raises(sa.exc.DBAPIError) as raised:
            write(loses=True)

        assert is_busy(raised.value)
        assert write(loses=False) == 1


def _end_connections(cluster: Cluster, address: str) -> None:
    cluster.admin.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
        (_name(address),),
    )


def test_password_may_be_part_of_the_address(cluster: Cluster) -> None:
    """Any character goes, written as a URL has it."""
    with cluster.database() as address:
        cluster.admin.execute(f"ALTER DATABASE {_name(address)} OWNER TO {STRANGER}")
        quoted = "p%40ss%2Fw%3Ard%25"
        opened = Database.open(address.replace("postgres@", f"{STRANGER}:{quoted}@"))

        with closing(opened), opened.read() as connection:
            assert connection.execute(sa.text("SELECT current_user")).scalar() == STRANGER


def test_variables_of_libpq_hold(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an address leaves out comes from where PostgreSQL's other programs have it from."""
    with cluster.database() as address:
        monkeypatch.setenv("PGHOST", str(cluster.folder))
        monkeypatch.setenv("PGUSER", "postgres")
        monkeypatch.setenv("PGDATABASE", _name(address))

        with closing(Database.open("postgresql://")) as database, database.read() as connection:
            assert connection.execute(sa.text("SELECT current_database()")).scalar() == _name(address)


@pytest.mark.parametrize(
    ("user", "name", "said", "advice"),
    [
        ("postgres", "nowhere", 'database "nowhere" does not exist', "createdb"),
        (f"{STRANGER}:wrong-one", "postgres", "password authentication failed", "a password that the server"),
        (STRANGER, "postgres", "no password supplied", "PGPASSWORD or ~/.pgpass"),
        ("nobody-here", "postgres", 'role "nobody-here" does not exist', "a user and a password"),
        (f"{STRANGER}:p%40ss%2Fw%3Ard%25", "template1", "permission denied", "--owner"),
    ],
)
def test_server_that_refuses_is_told_as_such(
    cluster: Cluster, user: str, name: str, said: str, advice: str
) -> None:
    """Why, what to do, and not the password."""
    with pytest.raises(EnvironmentProblem) as raised:
        Database.open(f"postgresql://{user}@/{name}?host={cluster.folder}")

    message = str(raised.value)
    assert message.startswith(f"postgresql:///{name}: the sandbox's database cannot be opened: ")
    assert said in message
    assert advice in message.partition("help: ")[2]
    assert "wrong-one" not in message
    assert PASSWORD not in message


def test_server_that_is_not_there_is_told_as_such(tmp_path: Path) -> None:
    """Nobody listens."""
    with pytest.raises(EnvironmentProblem, match=r"No such file(?s:.*)see that the server runs"):
        Database.open(f"postgresql://ada:secret@/sandbox?host={tmp_path}")


def test_database_without_room_for_every_text_is_refused(cluster: Cluster) -> None:
    """Messages have characters that no older encoding has."""
    cluster.admin.execute(
        "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0"
    )

    with pytest.raises(EnvironmentProblem, match="has the encoding LATIN1"):
        Database.open(cluster.address("latin"))


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("SELECT CAST(:value AS bigint)", "SQLSTATE 22P02"),
        (
            "INSERT INTO rules (value) VALUES (:value), (:value)",
            "SQLSTATE 23505, table rules, constraint once",
        ),
        (
            "INSERT INTO rules (value, other) VALUES (:value, NULL)",
            "SQLSTATE 23502, table rules, column other",
        ),
        (
            "INSERT INTO rules (value, other) VALUES (:value, 9)",
            "SQLSTATE 23514, table rules, constraint low",
        ),
    ],
)
def test_value_that_is_refused_is_not_quoted(server_database: Database, statement: str, told: str) -> None:
    """Which rule it breaks is told; the value may be anybody's text or number."""
    table = (
        "CREATE TABLE rules (value text CONSTRAINT once UNIQUE, "
        "other integer NOT NULL DEFAULT 1 CONSTRAINT low CHECK (other < 5))"
    )
    with server_database.write() as connection:
        connection.execute(sa.text(table))

    with pytest.raises(sa.exc.DBAPIError) as raised, server_database.write() as connection:
        connection.execute(sa.text(statement), {"value": VALUE})

    shown = "".join(traceback.format_exception(raised.value))
    assert told in shown
    assert not any(line in shown for line in VALUE.splitlines())


def _name(address: str) -> str:
    return address.partition("@/")[2].partition("?")[0]
