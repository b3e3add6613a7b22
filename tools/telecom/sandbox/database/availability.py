"""Whether a database takes what is written, as all processes of a start know it together (decision 0045)."""

import logging
import mmap
import multiprocessing

from telecom.sandbox.database.storage_failures import StorageFailure

_LOG = logging.getLogger("telecom.sandbox")
_FAILURES = tuple(StorageFailure)
_AVAILABLE = 0
_LONGEST_WAIT_S = 1.0
"""How long to wait for another process that notes the same; one that was killed meanwhile never ends."""


class Availability:
    """The failure that a database has just now, from the first refused write to the first accepted one.

    It is in memory that a fork shares, so each end of it is logged once, whichever process saw it first.
    """

    def __init__(self) -> None:
        """Begin with a database that takes what is written."""
        self._shared = mmap.mmap(-1, 1)
        self._lock = multiprocessing.get_context("fork").Lock()

    @property
    def failure(self) -> StorageFailure | None:
        """Why writes are refused, None if they are not."""
        number = self._shared[0]
        return None if number == _AVAILABLE else _FAILURES[number - 1]

    def note_failure(self, failure: StorageFailure) -> None:
        """Note that a write was refused, or that the database could not be read."""
        if self.failure is None and self._changed(_FAILURES.index(failure) + 1):
            _LOG.error(
                "the database is unavailable: %s; requests that need it get 503 until it is back",
                failure.sentence,
                extra={"fields": {"storage": failure.value}},
            )

    def note_write(self) -> None:
        """Note that a write was accepted."""
        if self.failure is not None and self._changed(_AVAILABLE):
            _LOG.warning("the database is available again", extra={"fields": {"storage": "ok"}})

    def _changed(self, number: int) -> bool:
        """Set what is known; return whether it was another before, of failure or none."""
        is_locked = self._lock.acquire(timeout=_LONGEST_WAIT_S)
        try:
            before = self._shared[0]
            self._shared[0] = number
        finally:
            if is_locked:
                self._lock.release()
        return (before == _AVAILABLE) != (number == _AVAILABLE)
