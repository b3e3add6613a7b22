"""Files are written whole, and stay what they were to everybody else."""

from pathlib import Path

import pytest

from devportal.atomic_files import FileWrite, leftover_files, remove_files, write_atomically
from devportal.errors import EnvironmentProblem


@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    """Who could read and write it still can, and nobody else."""
    path = tmp_path / "entry.md"
    path.write_bytes(b"old")
    path.chmod(mode)

    write_atomically([FileWrite(path=path, content=b"new")])

    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", mode)


def test_new_file_is_for_all_to_read(tmp_path: Path) -> None:
    """Its folder is made, and nothing else is left in it."""
    path = tmp_path / "releases" / "1.0.0.yaml"

    write_atomically([FileWrite(path=path, content=b"new")])

    assert path.stat().st_mode & 0o777 == 0o644
    assert list(path.parent.iterdir()) == [path]


def test_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """What was written before it stays, and nothing is left beside it."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "in the way").touch()

    with pytest.raises(EnvironmentProblem, match="b cannot be written"):
        write_atomically([FileWrite(path=tmp_path / name, content=b"new") for name in ("a", "b", "c")])

    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_leftovers_are_files_of_ours(tmp_path: Path) -> None:
    """Nothing that somebody else may have put there is one, and a folder that is not there has none."""
    (tmp_path / ".new-abcd1234").touch()
    (tmp_path / ".new-abcd12345").touch()
    (tmp_path / "a.new-abcd1234").touch()
    (tmp_path / ".new-folder00").mkdir()

    left = leftover_files(tmp_path)
    remove_files(left)

    assert left == (tmp_path / ".new-abcd1234",)
    assert leftover_files(tmp_path) == leftover_files(tmp_path / "none") == ()
