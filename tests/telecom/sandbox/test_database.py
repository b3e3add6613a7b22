"""The database file."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from devportal.errors import EnvironmentProblem
from telecom.sandbox.database import Database, claimed
from telecom.sandbox.tables import TOKENS
from telecom.sandbox.tokens import Grant, find_grant, new_token, replace_tokens

SCOPES = frozenset({"messages:read", "messages:write"})


def test_database_keeps_what_was_written(tmp_path: Path) -> None:
    """Opening the file again finds what was committed, and not what was rolled back."""
    path = tmp_path / "deep" / "sandbox.sqlite3"
    token = new_token(Grant(account="ada", scopes=SCOPES), lambda size: b"x" * size)
    first = Database.open(path)
    with first.write() as connection:
        replace_tokens(connection, [token])
    with suppress(ZeroDivisionError), first.write() as connection:
        connection.execute(sa.delete(TOKENS))
        _ = 1 / 0
    first.close()

    second = Database.open(path)
    with second.read() as connection:
        assert find_grant(connection, token.text) == token.grant
        assert find_grant(connection, token.text + "x") is None
    second.close()


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


def test_database_of_another_format_is_refused(tmp_path: Path) -> None:
    """An older or newer file is not guessed at."""
    path = tmp_path / "sandbox.sqlite3"
    database = Database.open(path)
    with database.write() as connection:
        connection.exec_driver_sql("PRAGMA user_version=99")
    database.close()

    with pytest.raises(EnvironmentProblem, match="format 99"):
        Database.open(path)


def test_claim_keeps_others_off_until_it_ends(tmp_path: Path) -> None:
    """Two sandboxes on one database would each deliver its events; after the first, the second may."""
    path = tmp_path / "deep" / "sandbox.sqlite3"

    with claimed(path), pytest.raises(EnvironmentProblem, match="in use by another sandbox"), claimed(path):
        pass

    with claimed(path):
        pass


def test_help_fits_what_cannot_be_opened(tmp_path: Path) -> None:
    """A folder is not to be deleted, a file that is no database may be."""
    (tmp_path / "notes.txt").write_text("no database " * 400)

    for path, expected in (
        (tmp_path, "it is a folder.*a file in a folder that you may write to"),
        (tmp_path / "notes.txt", "not a database.*or delete this one"),
    ):
        with pytest.raises(EnvironmentProblem) as raised:
            Database.open(path)

        assert re.search(expected, str(raised.value), re.DOTALL)


def test_no_claim_is_laid_beside_a_folder(tmp_path: Path) -> None:
    """A folder given for a database is refused before anything is written."""
    folder = tmp_path / "data"
    folder.mkdir()

    with pytest.raises(EnvironmentProblem, match="it is a folder"), claimed(folder):
        pass

    assert [*tmp_path.iterdir()] == [folder]
