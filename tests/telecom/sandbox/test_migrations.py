"""The forms of the database, and the ways from each to the newest."""

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

import telecom.sandbox.app  # noqa: F401 - declares every table
from devportal.errors import EnvironmentProblem
from telecom.sandbox.database.database import Database
from telecom.sandbox.database.migrations import versions
from telecom.sandbox.database.tables import METADATA

pytestmark = pytest.mark.both_databases
FORMAT_4 = Path(__file__).with_name("format_4.sql")
"""The tables, and some rows, of a file that was made before there were migrations."""


def tables_of(database: Database) -> set[str]:
    with database.read() as connection:
        return set(sa.inspect(connection).get_table_names())


def older_file(folder: Path) -> Path:
    path = folder / "sandbox.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FORMAT_4.read_text())
    return path


def test_migrations_make_the_tables(address: str | Path) -> None:
    """What the migrations make is what the program works with."""
    with closing(Database.open(address)) as database, database.write() as connection:
        context = MigrationContext.configure(connection)

        assert compare_metadata(context, METADATA) == []
    assert versions() == tuple(f"{number:04d}" for number in range(1, len(versions()) + 1))


def test_older_file_is_upgraded_and_keeps_its_rows(tmp_path: Path) -> None:
    """A sandbox of an older version goes on with its messages, and its program no longer opens the file."""
    path = older_file(tmp_path)

    with closing(Database.open(path)) as database, database.read() as connection:
        context = MigrationContext.configure(connection)
        messages = connection.exec_driver_sql("SELECT id, status, created_at FROM messages ORDER BY id").all()
        events = connection.exec_driver_sql("SELECT account, id, subject FROM events").all()
        tokens = connection.exec_driver_sql("SELECT count(*) FROM tokens").scalar()

        assert compare_metadata(context, METADATA) == []
        assert messages == [("msg_1", "delivered", 1795253400000000), ("msg_2", "queued", 1795253400000001)]
        assert events == [("ada", "evt_1", "msg_1")]
        assert tokens == 1
        assert connection.exec_driver_sql("PRAGMA user_version").scalar() == 5


def test_newer_database_is_refused(address: str | Path) -> None:
    """A program does not guess at what those after it have changed."""
    with closing(Database.open(address)) as database, database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(EnvironmentProblem, match="has the format 9999, and this version reads 0"):
        Database.open(address)


@pytest.mark.parametrize("number", [3, 99])
def test_file_of_another_format_is_refused(tmp_path: Path, number: int) -> None:
    """Files from before the oldest form that can be upgraded, and those of other programs."""
    path = tmp_path / "sandbox.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version={number}")

    with pytest.raises(EnvironmentProblem, match=f"format {number}"):
        Database.open(path)


def test_failed_migration_leaves_nothing(address: str | Path) -> None:
    """All migrations are one transaction: a table of another program that is in the way undoes them."""
    with closing(Database.open(address)) as database, database.write() as connection:
        for table in [*METADATA.tables, "alembic_version"]:
            connection.exec_driver_sql(f"DROP TABLE {table}")
        connection.exec_driver_sql("CREATE TABLE rate_versions (other INTEGER)")
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA user_version=0")

    with pytest.raises(EnvironmentProblem, match=r"rate_versions.* already exists"):
        Database.open(address)

    engine = sa.create_engine(_plain(address))
    assert sa.inspect(engine).get_table_names() == ["rate_versions"]
    engine.dispose()


def test_start_does_without_alembic(address: str | Path) -> None:
    """A database of the newest form is told by one query: to import Alembic would double the time."""
    Database.open(address).close()
    program = "import sys; from telecom.sandbox.database.database import Database; Database.open(sys.argv[1]).close()"

    done = subprocess.run(
        (sys.executable, "-c", f"{program}; print('alembic' in sys.modules)", address),
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "False\n"


@pytest.mark.deep
def test_processes_that_start_together_agree(address: str | Path) -> None:
    """One makes the tables, and the others find them made."""
    program = "import sys; from telecom.sandbox.database.database import Database; Database.open(sys.argv[1]).close()"
    command = (sys.executable, "-c", program, address)

    starting = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]

    assert [process.communicate()[1] for process in starting] == ["", "", ""]
    with closing(Database.open(address)) as database:
        assert tables_of(database) == {*METADATA.tables, "alembic_version"}


def _plain(address: str | Path) -> str:
    if isinstance(address, Path):
        return f"sqlite:///{address}"
    return re.sub("^postgresql", "postgresql+psycopg", address)
