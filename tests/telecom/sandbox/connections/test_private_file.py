"""Files with secrets are their owner's, whatever the umask was when they were made."""

import os
import stat
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from devportal.errors import EnvironmentProblem
from telecom.sandbox.connections.certificates import open_private, restrict_permissions, write_private
from telecom.sandbox.connections.mutual_tls import _make_certificate
from telecom.sandbox.database.database import Database, claim_database
from telecom.sandbox.monitoring.heartbeats import PROBES


@pytest.fixture(params=[0o000, 0o022, 0o277], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """Set a umask for one test: one that takes nothing, a common one, one that takes from the owner."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """Return the mode of each file of a folder."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@pytest.mark.usefixtures("umask")
def test_database_and_what_is_beside_it_are_their_owners(tmp_path: Path) -> None:
    """The file, its log, its index, the claim on it and the queue of its writers."""
    path = tmp_path / "s.sqlite3"
    with claim_database(path), closing(Database.open(path)) as database:
        with database.write() as connection:
            connection.execute(sa.insert(PROBES).values(id=7, written_at=datetime.now(UTC)))
        found = modes(tmp_path)

    beside = ("", "-wal", "-shm", ".lock", ".queue")
    assert found == {f"s.sqlite3{suffix}": 0o600 for suffix in beside}


@pytest.mark.usefixtures("umask")
def test_key_of_the_listener_for_mutual_tls_is_its_owners(tmp_path: Path) -> None:
    """In a folder that others could read as well."""
    _, key = _make_certificate(tmp_path, datetime.now(UTC))

    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_database_that_others_could_read_is_restricted(tmp_path: Path) -> None:
    """It may have been made by an older version; what its owner may do stays as it is."""
    path = tmp_path / "s.sqlite3"
    with closing(Database.open(path)):
        pass
    path.chmod(0o664)
    with closing(Database.open(path)):
        pass

    assert modes(tmp_path)["s.sqlite3"] == 0o600


def test_link_to_a_file_that_is_not_there_yet_makes_it_private(tmp_path: Path) -> None:
    """SQLite would make it with the mode that the umask leaves."""
    link = tmp_path / "s.sqlite3"
    link.symlink_to(tmp_path / "elsewhere.sqlite3")
    with closing(Database.open(link)):
        pass

    assert modes(tmp_path)["elsewhere.sqlite3"] == 0o600


def test_certificate_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    """A folder for temporary files may be full, or gone."""
    with pytest.raises(EnvironmentProblem, match=r"cannot be written: (?s:.*)--mtls-certificate"):
        _make_certificate(tmp_path / "absent", datetime.now(UTC))


def test_file_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    """A key that somebody uses stays."""
    path = tmp_path / "key"
    write_private(path, b"first")

    with pytest.raises(FileExistsError):
        write_private(path, b"second")
    assert path.read_bytes() == b"first"


def test_opening_keeps_what_a_file_holds(tmp_path: Path) -> None:
    """And leaves the mode that its owner has given it."""
    path = tmp_path / "queue"
    path.write_bytes(b"held")
    path.chmod(0o640)
    os.close(open_private(path, os.O_RDWR))

    assert path.read_bytes() == b"held"
    assert modes(tmp_path) == {"queue": 0o640}


def test_absent_file_is_not_made_by_a_restriction(tmp_path: Path) -> None:
    """There may be no log beside a database."""
    restrict_permissions(tmp_path / "absent")

    assert modes(tmp_path) == {}
