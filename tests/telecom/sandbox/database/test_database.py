"""The database of either kind, and what is told of files that cannot be used."""

import re
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from devportal.errors import EnvironmentProblem, InvalidSettings
from telecom.sandbox.database.database import Database, claim_database, is_busy
from telecom.sandbox.database.writer import WriteTimeout

pytestmark = pytest.mark.both_databases
NOTES = sa.Table(
    "notes",
    sa.MetaData(),
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)
"""A table of the tests' own."""
NOTE = {"id": 1, "text": "Grüße 👋"}


@pytest.fixture
def database(address: str | Path) -> Iterator[Database]:
    """Return a database of each kind, which waits for nobody."""
    with closing(Database.open(address, busy_timeout_s=0.1)) as opened:
        with opened.write() as connection:
            NOTES.create(connection)
        yield opened


def test_database_keeps_what_was_written(address: str | Path) -> None:
    """Opening it again finds what was committed, and not what was rolled back."""
    with closing(Database.open(address)) as first:
        with first.write() as connection:
            NOTES.create(connection)
            connection.execute(sa.insert(NOTES), NOTE)
        with suppress(ZeroDivisionError), first.write() as connection:
            connection.execute(sa.delete(NOTES))
            _ = 1 / 0

    with closing(Database.open(address)) as second, second.read() as connection:
        found = connection.execute(sa.select(NOTES)).mappings().one()

    assert dict(found) == NOTE


def test_reader_sees_one_state(database: Database) -> None:
    """What is written meanwhile is seen by the next transaction."""
    count = sa.select(sa.func.count()).select_from(NOTES)
    with database.read() as reader:
        before = reader.execute(count).scalar()
        with database.write("ada") as writer:
            writer.execute(sa.insert(NOTES), NOTE)
        meanwhile = reader.execute(count).scalar()
    with database.read() as reader:
        after = reader.execute(count).scalar()

    assert (before, meanwhile, after) == (0, 0, 1)


def test_file_has_one_writer(tmp_path: Path) -> None:
    """SQLite has one lock for all; who waits too long for it is told that the database is busy."""
    with closing(Database.open(tmp_path / "sandbox.sqlite3", busy_timeout_s=0.05)) as database:
        with database.write("ada", shared=True):
            with pytest.raises(WriteTimeout) as raised, database.write("bob", shared=True):
                pytest.fail("two wrote at once")
            assert is_busy(raised.value)
        with database.write("bob"):
            pass


def test_fault_of_a_statement_is_not_the_database_being_busy(database: Database) -> None:
    """What would fail again is not to be tried again."""
    with pytest.raises(sa.exc.IntegrityError) as raised, database.write() as connection:
        connection.execute(sa.insert(NOTES), [NOTE, NOTE])

    assert not is_busy(raised.value)
    assert not is_busy(ValueError("no database"))


def test_values_are_not_shown(database: Database) -> None:
    """Errors go to the log, and texts and numbers of messages do not belong there."""
    with pytest.raises(sa.exc.DBAPIError) as raised, database.write() as connection:
        connection.execute(sa.text("DELETE FROM nowhere WHERE number = :number"), {"number": "+12025550123"})

    assert "+12025550123" not in str(raised.value)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ada:sec@ret@host/sandbox",
        "postgresql://ada:sec/ret@host/sandbox",
        "postgresql://ada:sec%ret@host/sandbox",
        "postgresql://ada:sec#ret@host/sandbox",
        "postgresql://host/sandbox?sec=ret",
        "mysql://ada:secret@host/sandbox",
        "sqlite:///secret",
    ],
)
def test_address_that_is_none_is_not_shown(address: str) -> None:
    """A part of a password may stand anywhere in it."""
    with pytest.raises(InvalidSettings) as raised:
        Database.open(address)

    assert "sec" not in str(raised.value)
    assert "ret" not in str(raised.value).partition("help")[0]
    assert "postgresql://USER@HOST" in str(raised.value)


def test_memory_is_no_place_for_a_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever knows SQLite may try it; no file of that name is left behind."""
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InvalidSettings, match=r"in a file, not in ':memory:'"):
        Database.open(":memory:")
    with pytest.raises(InvalidSettings, match=r"in a file, not in ':memory:'"), claim_database(":memory:"):
        pass

    assert list(tmp_path.iterdir()) == []


def test_file_that_is_no_database_is_told_as_such(tmp_path: Path) -> None:
    """The message names the file and says what to do."""
    path = tmp_path / "notes.txt"
    path.write_text("this is text, and long enough to be read as a header of a database file " * 20)

    with pytest.raises(EnvironmentProblem, match=r"notes\.txt.*not a database"):
        Database.open(path)


def test_folder_that_cannot_be_made_is_told_as_such(tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "file").write_text("")

    with pytest.raises(EnvironmentProblem, match="cannot be opened"):
        Database.open(tmp_path / "file" / "sandbox.sqlite3")


def test_claim_keeps_others_off_until_it_ends(tmp_path: Path) -> None:
    """A file has one sandbox; after the first, the second may."""
    path = tmp_path / "deep" / "sandbox.sqlite3"

    with (
        claim_database(path),
        pytest.raises(EnvironmentProblem, match="in use by another sandbox"),
        claim_database(path),
    ):
        pass

    with claim_database(path):
        pass


def test_server_has_room_for_many() -> None:
    """No claim is laid to a database on a server."""
    with claim_database("postgresql://host/sandbox"), claim_database("postgresql://host/sandbox"):
        pass


def test_help_fits_what_cannot_be_opened(tmp_path: Path) -> None:
    """What is there may be somebody's data: nothing is to be deleted."""
    (tmp_path / "notes.txt").write_text("no database " * 400)

    for path, expected in (
        (tmp_path, "it is a folder.*a file in it"),
        (tmp_path / "notes.txt", "not a database.*give another file"),
    ):
        with pytest.raises(EnvironmentProblem) as raised:
            Database.open(path)

        assert re.search(expected, str(raised.value), re.DOTALL)
        assert "delete" not in str(raised.value)


def test_no_claim_is_laid_beside_a_folder(tmp_path: Path) -> None:
    """A folder given for a database is refused before anything is written."""
    folder = tmp_path / "data"
    folder.mkdir()

    with pytest.raises(EnvironmentProblem, match="it is a folder"), claim_database(folder):
        pass

    assert [*tmp_path.iterdir()] == [folder]
