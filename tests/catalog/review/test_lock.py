"""One writer alone, or any number of readers."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from devportal.catalog.review.lock import read_lock, write_lock
from devportal.errors import EnvironmentProblem

HOLD = """
import sys
from pathlib import Path
from devportal.catalog.review import lock
with getattr(lock, sys.argv[2])(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def hold_folder(folder: Path, how: str) -> Iterator[int]:
    """Have another process hold a folder; yields its id."""
    command = [sys.executable, "-c", HOLD, str(folder), how]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process.pid
        process.communicate()


def test_a_writer_keeps_others_out(tmp_path: Path) -> None:
    """Neither a second writer nor a reader gets in, and the message names who holds the folder."""
    with hold_folder(tmp_path, "write_lock") as process:
        for enter in (write_lock, read_lock):
            with pytest.raises(EnvironmentProblem, match="has held these records") as caught:
                enter(tmp_path, wait_s=0.1).__enter__()
            if Path("/proc/locks").exists():
                assert f"process {process} " in caught.value.message


def test_readers_share(tmp_path: Path) -> None:
    """A reader lets other readers in, and no writer."""
    with hold_folder(tmp_path, "read_lock"):
        with read_lock(tmp_path, wait_s=0):
            pass
        with pytest.raises(EnvironmentProblem, match="has held these records"):
            write_lock(tmp_path, wait_s=0.1).__enter__()


def test_a_writer_waits(tmp_path: Path) -> None:
    """Who comes second gets in when the first is done."""
    with hold_folder(tmp_path, "write_lock") as process:
        waiting = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(tmp_path), "write_lock"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process != waiting.pid
    with waiting:
        assert waiting.stdout is not None
        assert waiting.stdout.read() == "held\n"


def test_nobody_locks_what_is_not_there(tmp_path: Path) -> None:
    """A reader of a missing folder gets its message from whoever reads; a writer is told here."""
    with read_lock(tmp_path / "dtaa"):
        pass
    with pytest.raises(EnvironmentProblem, match="cannot be opened: No such file"):
        write_lock(tmp_path / "dtaa").__enter__()


def test_reading_needs_no_permission_to_write(tmp_path: Path) -> None:
    """Nothing is written for a reader, so a read-only folder can be read."""
    before = os.stat(tmp_path).st_mtime_ns  # noqa: PTH116 - the folder's own time

    with read_lock(tmp_path):
        assert list(tmp_path.iterdir()) == []

    assert os.stat(tmp_path).st_mtime_ns == before  # noqa: PTH116
