"""The thread that writes to a SQLite file, and the queue that it shares with other processes."""

import asyncio
import fcntl
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from telecom.sandbox.connections.certificates import open_private
from telecom.sandbox.database.storage_failures import QueueUnusable

Result = TypeVar("Result")
_MAX_BATCH = 64
"""Limits a batch so that other processes get their turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _WriteJob:
    work: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[Any]"


@dataclass(frozen=True, slots=True, kw_only=True)
class _JobOutcome:
    """The outcome of a job: a value or an error."""

    value: Any = None
    error: Exception | None = None


class Writer:
    """Runs work in its own thread, and returns when the transaction that holds it is committed."""

    def __init__(self, open_transaction: Callable[[], AbstractContextManager[object]]) -> None:
        """Take the function that opens a transaction: transactions that the work opens are parts of it, each
        of which can be rolled back by itself."""
        self._open_transaction = open_transaction
        self._waiting: SimpleQueue[_WriteJob | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._starting = Lock()

    async def do(self, work: Callable[[], Result]) -> Result:
        """Run work, and return what it returns, or raise what it raises, once it is committed."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Result] = loop.create_future()
        self._start()
        self._waiting.put(_WriteJob(work=work, loop=loop, done=done))
        return await done

    def close(self) -> None:
        """Stop the thread after the waiting work; another `do` starts it again."""
        with self._starting:
            if self._thread is not None:
                self._waiting.put(None)
                self._thread.join()
                self._thread = None

    def _start(self) -> None:
        """Start the thread if there is none. It starts lazily because a forked process has no threads."""
        if self._thread is None:
            with self._starting:
                if self._thread is None:
                    self._thread = Thread(target=self._run, name="writer", daemon=True)
                    self._thread.start()

    def _run(self) -> None:
        is_open = True
        while is_open:
            entries = [self._waiting.get()]
            while len(entries) < _MAX_BATCH:
                try:
                    entries.append(self._waiting.get_nowait())
                except Empty:
                    break
            jobs = [entry for entry in entries if entry is not None]
            is_open = len(jobs) == len(entries)
            _deliver_outcomes(jobs, self._run_jobs(jobs))

    def _run_jobs(self, jobs: list[_WriteJob]) -> list[_JobOutcome]:
        """Run jobs in one transaction. Each job has its own error; if the transaction fails, all fail."""
        try:
            with self._open_transaction():
                return [_run_job(job) for job in jobs]
        except Exception as error:  # noqa: BLE001 - whoever waits gets the error, whatever it is
            return [_JobOutcome(error=error) for _ in jobs]


def _run_job(job: _WriteJob) -> _JobOutcome:
    try:
        return _JobOutcome(value=job.work())
    except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
        return _JobOutcome(error=error)


def _deliver_outcomes(jobs: list[_WriteJob], outcomes: list[_JobOutcome]) -> None:
    """Pass each outcome to the loop that waits for it, with one call for each loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_WriteJob, _JobOutcome]]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        by_loop.setdefault(job.loop, []).append((job, outcome))
    for loop, loop_outcomes in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle_futures, loop_outcomes)


def _settle_futures(outcomes: list[tuple[_WriteJob, _JobOutcome]]) -> None:
    for job, outcome in outcomes:
        if job.done.cancelled():
            continue
        if outcome.error is not None:
            job.done.set_exception(outcome.error)
        else:
            job.done.set_result(outcome.value)


class WriteTimeout(Exception):
    """Other writers kept the lock for longer than the timeout."""


class WriteQueue:
    """A lock on a file. The system releases it however a process ends."""

    def __init__(self, path: Path, *, timeout_s: float) -> None:
        """Take the file, which is created if missing, and how long to wait for a turn."""
        self._path = path
        self._timeout_s = timeout_s
        self._process_lock = Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn and hold it; raises WriteTimeout, QueueUnusable."""
        if not self._process_lock.acquire(timeout=self._timeout_s):
            raise WriteTimeout
        try:
            lock = self._lock_file()
            try:
                yield
            finally:
                os.close(lock)
        finally:
            self._process_lock.release()

    def _lock_file(self) -> int:
        """Return a descriptor of the locked file. The system's wait for a lock has no timeout, so a thread
        waits for it, and releases it if nobody wants it any more."""
        try:
            lock = open_private(self._path, os.O_RDWR)
        except OSError as error:
            raise QueueUnusable(error.errno, error.strerror, str(self._path)) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            turn: Future[None] = Future()
            Thread(target=_wait_for_lock, args=(lock, turn), daemon=True).start()
            try:
                turn.result(self._timeout_s)
            except TimeoutError:
                if turn.cancel():
                    raise WriteTimeout from None
        return lock


def _wait_for_lock(lock: int, turn: "Future[None]") -> None:
    fcntl.flock(lock, fcntl.LOCK_EX)
    if turn.set_running_or_notify_cancel():
        turn.set_result(None)
    else:
        os.close(lock)
