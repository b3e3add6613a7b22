"""The queue of those who write to a SQLite file: one at a time, of all threads and of all processes.

SQLite itself has no queue. Who finds the file locked sleeps and asks again, and of many the last may never
have its turn; here the system wakes who waits.
"""

import fcntl
import os
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, Thread

from telecom.sandbox.private_file import open_private
from telecom.sandbox.storage_failures import QueueUnusable


class WaitedTooLong(Exception):
    """Others have been writing for as long as somebody was ready to wait."""


class WriteQueue:
    """A lock on a file. The system gives it back however a process ends."""

    def __init__(self, path: Path, *, timeout_s: float) -> None:
        """Take the file, which is made where it is missing, and how long to wait for a turn."""
        self._path = path
        self._timeout_s = timeout_s
        self._here = Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn and hold it; raises WaitedTooLong, QueueUnusable."""
        if not self._here.acquire(timeout=self._timeout_s):
            raise WaitedTooLong
        try:
            lock = self._locked()
            try:
                yield
            finally:
                os.close(lock)
        finally:
            self._here.release()

    def _locked(self) -> int:
        """Return a descriptor of the file that has the lock. The system's wait for it has no limit of time,
        so where others have the lock, a thread waits, which gives it back where nobody wants it any more."""
        try:
            lock = open_private(self._path, os.O_RDWR)
        except OSError as error:
            raise QueueUnusable(error.errno, error.strerror, str(self._path)) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            turn: Future[None] = Future()
            Thread(target=_wait, args=(lock, turn), daemon=True).start()
            try:
                turn.result(self._timeout_s)
            except TimeoutError:
                if turn.cancel():
                    raise WaitedTooLong from None
        return lock


def _wait(lock: int, turn: "Future[None]") -> None:
    fcntl.flock(lock, fcntl.LOCK_EX)
    if turn.set_running_or_notify_cancel():
        turn.set_result(None)
    else:
        os.close(lock)
