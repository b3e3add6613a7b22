"""Keeps two builds out of one folder: files of both would make a site that shows no contract as it is.

The lock is on the folder itself. The system releases it when the build ends, in any way.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from devportal.progress import start_phase

_held: set[int] = set()
"""The open folders of locks. Forked processes close theirs: one that outlives its build must not hold the lock."""


@contextmanager
def site_folder_lock(folder: Path) -> Iterator[None]:
    """Wait for other builds into a folder, and keep them out in the block.

    The folder is made, and removed behind the block if nothing is in it. Systems and file systems without such locks
    have none. Raises OSError if the folder cannot be made.
    """
    new_folders = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _lock(folder):
            yield
    finally:
        with suppress(OSError):  # the first that is not empty
            for new_folder in new_folders:
                new_folder.rmdir()


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    _held.add(descriptor)
    try:
        _acquire(descriptor, folder)
        yield
    finally:
        _held.discard(descriptor)
        os.close(descriptor)


def _acquire(descriptor: int, folder: Path) -> None:
    import fcntl  # noqa: PLC0415 - not every system has it

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        start_phase(f"Waiting for another build into {folder}")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:
        return  # the file system knows no locks


def _close_copies() -> None:
    """Close the copies of open folders that a forked process has."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_close_copies)
