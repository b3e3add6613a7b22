"""One thread that does what writes to a SQLite file: as much as waits at a time, in one transaction.

Only one can write at a time anyway. A transaction for each request would have every thread wait for all the
others and write the same pages of the file again and again.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

Result = TypeVar("Result")
_MOST_AT_ONCE = 64
"""So that other processes have their turn too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    work: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[Any]"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What came of a job: a value or an error."""

    value: Any = None
    error: Exception | None = None


class Writer:
    """Does work in its own thread, and answers when the transaction that holds it is committed."""

    def __init__(self, together: Callable[[], AbstractContextManager[object]]) -> None:
        """Take what opens a transaction for a while: transactions that the work opens are parts of it, each
        of which can be rolled back by itself.
        """
        self._together = together
        self._waiting: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._starting = Lock()

    async def do(self, work: Callable[[], Result]) -> Result:
        """Do some work, and return what it returns, or raise what it raises, once that is lasting."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Result] = loop.create_future()
        self._start()
        self._waiting.put(_Job(work=work, loop=loop, done=done))
        return await done

    def close(self) -> None:
        """End the thread after what waits now; another `do` begins it anew."""
        with self._starting:
            if self._thread is not None:
                self._waiting.put(None)
                self._thread.join()
                self._thread = None

    def _start(self) -> None:
        """Begin the thread where there is none: not sooner, as a process that is forked has no threads."""
        if self._thread is None:
            with self._starting:
                if self._thread is None:
                    self._thread = Thread(target=self._run, name="writer", daemon=True)
                    self._thread.start()

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            taken = [self._waiting.get()]
            while len(taken) < _MOST_AT_ONCE:
                try:
                    taken.append(self._waiting.get_nowait())
                except Empty:
                    break
            jobs = [one for one in taken if one is not None]
            goes_on = len(jobs) == len(taken)
            _tell(jobs, self._outcomes(jobs))

    def _outcomes(self, jobs: list[_Job]) -> list[_Outcome]:
        """Do jobs in one transaction. What one raises is its own; where the transaction fails, all fail."""
        try:
            with self._together():
                return [_outcome(job) for job in jobs]
        except Exception as error:  # noqa: BLE001 - whoever waits is told, whatever it is
            return [_Outcome(error=error) for _ in jobs]


def _outcome(job: _Job) -> _Outcome:
    try:
        return _Outcome(value=job.work())
    except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
        return _Outcome(error=error)


def _tell(jobs: list[_Job], outcomes: list[_Outcome]) -> None:
    """Hand each outcome to who waits for it, with one call for each loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Job, _Outcome]]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        by_loop.setdefault(job.loop, []).append((job, outcome))
    for loop, told in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, told)


def _settle(told: list[tuple[_Job, _Outcome]]) -> None:
    for job, outcome in told:
        if job.done.cancelled():
            continue
        if outcome.error is not None:
            job.done.set_exception(outcome.error)
        else:
            job.done.set_result(outcome.value)
