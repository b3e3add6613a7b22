"""Locks a folder of records for one writer, or for any number of readers.

The lock is on the folder itself, so there is no lock file to create or delete, and it also works for readers
who may not write to the folder. The system releases it when its holder ends, in any way.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from devportal.catalog.review.write_ahead import finish_interrupted_write
from devportal.errors import EnvironmentProblem

WAIT_S = 30.0
"""How long a command waits for the lock, in seconds."""
_PAUSE_S = 0.05
_LOCKS = Path("/proc/locks")


@contextmanager
def write_lock(folder: Path, *, wait_s: float = WAIT_S) -> Iterator[tuple[str, ...]]:
    """Hold a folder exclusively, and yield the files of an interrupted write, which is finished first.

    Raises EnvironmentProblem if there is no such folder, or another process holds it for longer than
    `wait_s`.
    """
    with _lock_folder(folder, fcntl.LOCK_EX, wait_s):
        yield finish_interrupted_write(folder)


@contextmanager
def read_lock(folder: Path, *, wait_s: float = WAIT_S) -> Iterator[None]:
    """Keep writers out of a folder while it is read. An interrupted write stays as it is.

    A folder that does not exist is not locked: the reader reports it.
    """
    if not folder.is_dir():
        yield
        return
    with _lock_folder(folder, fcntl.LOCK_SH, wait_s):
        yield


@contextmanager
def _lock_folder(folder: Path, mode: int, wait_s: float) -> Iterator[None]:
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise EnvironmentProblem(
            f"{folder}: this folder of records cannot be opened: {error.strerror}",
            help="check the path and its permissions",
        ) from error
    try:
        _acquire_lock(descriptor, mode, folder, wait_s)
        yield
    finally:
        os.close(descriptor)


def _acquire_lock(descriptor: int, mode: int, folder: Path, wait_s: float) -> None:
    ends = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(descriptor, mode | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= ends:
                raise _busy_error(descriptor, folder, wait_s) from None
            time.sleep(_PAUSE_S)
        except OSError as error:
            raise EnvironmentProblem(
                f"{folder}: this folder cannot be locked: {error.strerror}",
                help="keep records on a file system that knows locks",
            ) from error
        else:
            return


def _busy_error(descriptor: int, folder: Path, wait_s: float) -> EnvironmentProblem:
    holder = _lock_holder(descriptor)
    who = f"process {holder}" if holder else "another process"
    return EnvironmentProblem(
        f"{folder}: {who} has held these records for {wait_s:g} seconds",
        help="wait until it ends, then try again",
    )


def _lock_holder(descriptor: int) -> int | None:
    """Return the process that holds the lock, if the system shows it (proc_locks(5))."""
    status = os.fstat(descriptor)
    device = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    try:
        rows = [line.split() for line in _LOCKS.read_text(encoding="ascii").splitlines()]
    except OSError:
        return None
    held = (row for row in rows if len(row) > 5 and row[1] == "FLOCK" and row[5] == device)
    return next((int(row[4]) for row in held if row[4].isdecimal()), None)
