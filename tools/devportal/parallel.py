"""Tasks spread over the processors of the machine, with their results in order, or numbered as they come.

Tasks run in forked processes, which share everything that was read before, so that nothing is copied to them.
Where that is unsafe (other threads run, or the system is not Linux) or pointless (one processor, few tasks), they
run in this process, with the same results.
"""

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.context import ForkContext
from typing import Any, TypeVar

from devportal.interruptions import INTERRUPTIONS, end_with_parent

_Result = TypeVar("_Result")

MAX_PROCESSES = 8
"""More processes than these are used only on request: each needs memory for what it computes itself."""
MIN_TASKS = 40
"""With fewer tasks for each process, starting another costs more than it saves."""
_MAX_CHUNK = 16
"""How many tasks a process gets at once: neighbours share the most, but the last chunks should end together."""
_MAX_WAITING = 32
"""How many chunks for each process may be finished or started before their turn: their results need memory."""

_CHUNKS_PER_RANGE = 8
"""How many chunks what is left of a range is, at most: the last ones are small, so that all processes end together."""
_MAX_REQUESTED = 3
"""How many chunks of each process may be under way, or finished and not taken yet."""

_tasks: Sequence[Callable[[], Any]] = ()
"""The tasks, in a forked process."""
_ranges: "_SharedRanges | None" = None
"""What says which of the tasks are next, in a process that takes them from its own range."""
_own_range = 0
"""The number of that range."""


def processor_count() -> int:
    """Return how many processors this process may use, at most `MAX_PROCESSES`."""
    usable = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    return min(usable, MAX_PROCESSES)


def run_sources(
    sources: Sequence[Callable[[], Iterable[_Result]]],
    processes: int,
    *,
    work: int = 0,
    max_chunk: int = _MAX_CHUNK,
    max_waiting: int = _MAX_WAITING,
) -> Iterator[_Result]:
    """Yield what sources yield, one source after the other; see `run_tasks`. Each runs to its end at once."""
    tasks = [partial(_run_source, source) for source in sources]
    for results in run_tasks(tasks, processes, work=work, max_chunk=max_chunk, max_waiting=max_waiting):
        yield from results


def _run_source(source: Callable[[], Iterable[_Result]]) -> tuple[_Result, ...]:
    return tuple(source())


def run_tasks(
    tasks: Sequence[Callable[[], _Result]],
    processes: int,
    *,
    work: int = 0,
    max_chunk: int = _MAX_CHUNK,
    max_waiting: int = _MAX_WAITING,
) -> Iterator[_Result]:
    """Yield the results of tasks in their order, computed by up to this many processes.

    `work` says how many tasks of the usual size the large ones among them amount to, beyond their number. A process
    gets up to `max_chunk` tasks at once, and `max_waiting` chunks of each are finished or started before their turn:
    less if results are large, because they wait in memory.
    An exception of a task is raised when its turn comes. What a process that died left undone is done here.
    """
    processes = min(processes, len(tasks), (len(tasks) + work) // MIN_TASKS)
    if processes < 2 or not can_fork():
        yield from (task() for task in tasks)
        return
    size = max(1, min(max_chunk, len(tasks) // (processes * 8)))
    chunks = [tasks[start : start + size] for start in range(0, len(tasks), size)]
    waiting: deque[Future[list[_Result]]] = deque()
    executor = ProcessPoolExecutor(
        processes, mp_context=get_context("fork"), initializer=_start_process, initargs=(tasks,)
    )
    try:
        for number, chunk in enumerate(chunks):
            ahead = range(number + len(waiting), min(len(chunks), number + processes * max_waiting))
            waiting += (_submit(executor, _run_chunk, number * size, size) for number in ahead)
            yield from _results(waiting.popleft(), chunk)
    finally:
        executor.shutdown(cancel_futures=True)


def run_numbered_sources(
    sources: Sequence[Callable[[], Iterable[_Result]]], processes: int, *, work: int = 0
) -> Iterator[tuple[int, _Result]]:
    """Yield what sources yield, with the number of the source, in any order: that of one source stays together.

    Sources near each other share the most. So each process has a range of them, and takes half of what is left of
    another's when it is done: it computes less twice than one that takes what comes next, see `run_sources`.
    `work` and exceptions are as there.
    """
    tasks = [partial(_run_source, source) for source in sources]
    processes = min(processes, len(tasks), (len(tasks) + work) // MIN_TASKS)
    done: set[int] = set()
    if processes > 1 and can_fork():
        for start, chunk in _run_ranges(tasks, processes):
            for number, results in enumerate(chunk, start):
                done.add(number)
                yield from ((number, result) for result in results)
    for number, task in enumerate(tasks):
        if number not in done:
            yield from ((number, result) for result in task())


def _run_ranges(
    tasks: Sequence[Callable[[], _Result]], processes: int
) -> Iterator[tuple[int, list[_Result]]]:
    """Yield the results of chunks of tasks with the number of the first, until all are done or one cannot be."""
    context = get_context("fork")
    executor = ProcessPoolExecutor(
        processes,
        mp_context=context,
        initializer=_start_process_with_range,
        initargs=(tasks, _SharedRanges(context, len(tasks), processes)),
    )
    try:
        requested = {_submit(executor, _run_next_chunk) for _ in range(processes * _MAX_REQUESTED)}
        while requested:
            finished, requested = wait(requested, return_when=FIRST_COMPLETED)
            for future in finished:
                if future.exception() is not None:
                    return
                start, results = future.result()
                if results:
                    requested.add(_submit(executor, _run_next_chunk))
                    yield start, results
    finally:
        executor.shutdown(cancel_futures=True)


class _SharedRanges:
    """Which tasks nobody has taken yet, in a range of neighbours for each process; all processes see the same."""

    def __init__(self, context: ForkContext, tasks: int, processes: int) -> None:
        """Divide this many tasks evenly."""
        self._lock = context.Lock()
        self._joined = context.RawArray("l", 1)
        self._starts = context.RawArray("l", [tasks * number // processes for number in range(processes)])
        self._ends = context.RawArray("l", [*self._starts[1:], tasks])

    def join(self) -> int:
        """Return the number of the range that belongs to the process that calls this."""
        with self._lock:
            self._joined[0] += 1
            return int(self._joined[0]) - 1

    def take(self, own: int) -> range:
        """Return the numbers of the next tasks for the process with the range `own`; none if all are taken."""
        with self._lock:
            if self._starts[own] == self._ends[own]:
                self._take_half_of_longest(own)
            start, end = self._starts[own], self._ends[own]
            size = min(_MAX_CHUNK, -(-(end - start) // _CHUNKS_PER_RANGE))
            self._starts[own] = start + size
            return range(start, start + size)

    def _take_half_of_longest(self, own: int) -> None:
        left = [end - start for start, end in zip(self._starts[:], self._ends[:], strict=True)]
        longest = left.index(max(left))
        self._starts[own], self._ends[own] = self._ends[longest] - -(-left[longest] // 2), self._ends[longest]
        self._ends[longest] = self._starts[own]


def can_fork() -> bool:
    """Return whether a fork is safe: a lock that another thread holds would stay locked in the copy."""
    return sys.platform == "linux" and threading.active_count() == 1


def _start_process(tasks: Sequence[Callable[[], Any]]) -> None:
    """Take the tasks, and end without a word when Ctrl-C ends the command."""
    global _tasks  # noqa: PLW0603 - this process runs nothing else
    _tasks = tasks
    end_at_interruptions()
    gc.freeze()  # what was read before is shared as long as nobody writes to it


def _start_process_with_range(tasks: Sequence[Callable[[], Any]], ranges: _SharedRanges) -> None:
    """Take the tasks, as `_start_process` does, and a range of them."""
    global _ranges, _own_range
    _ranges, _own_range = ranges, ranges.join()
    _start_process(tasks)


@contextmanager
def interruptions_deferred() -> Iterator[None]:
    """Let Ctrl-C and other interruptions wait until the end of the block, which starts processes: none is left without
    an owner.

    Processes inherit the mask, and signals reach them when they call `end_at_interruptions`. For this process a mask is
    not enough: threads that libraries start outside Python take the signal, and Python handles it here.
    """
    deferred: list[int] = []
    handlers = {
        number: signal.signal(number, lambda received, _: deferred.append(received))
        for number in INTERRUPTIONS
    }
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTIONS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for caught in deferred:
            signal.raise_signal(caught)


def end_at_interruptions() -> None:
    """Have interruptions, and the end of the process that this one was forked from, end this one without a word: the
    other says what there is to say, and its handlers are not for this one.
    """
    parent = parent_process()
    if parent is not None and parent.pid is not None:
        end_with_parent(parent.pid)
    for number in INTERRUPTIONS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTIONS)


def _submit(executor: ProcessPoolExecutor, run: Callable[..., _Result], *arguments: int) -> Future[_Result]:
    """Ask the processes for a chunk. The first one starts them, and Ctrl-C waits until they can take it."""
    try:
        with interruptions_deferred():
            return executor.submit(run, *arguments)
    except BrokenProcessPool as error:
        broken: Future[_Result] = Future()
        broken.set_exception(error)
        return broken


def _run_chunk(start: int, size: int) -> list[Any]:
    results = [task() for task in _tasks[start : start + size]]
    if not gc.isenabled():
        gc.collect()  # what was there before is frozen: only what these tasks left is looked at, and that once
        gc.freeze()
    return results


def _run_next_chunk() -> tuple[int, list[Any]]:
    """Run the next tasks for this process; return the number of the first, and nothing if there are none."""
    numbers = _ranges.take(_own_range) if _ranges is not None else range(0)
    return numbers.start, _run_chunk(numbers.start, len(numbers))


def _results(future: Future[list[_Result]], chunk: Sequence[Callable[[], _Result]]) -> Iterator[_Result]:
    """Yield the results of a chunk. One that failed runs again here: exceptions and their tracebacks are whole."""
    try:
        results = future.result()
    except Exception:  # noqa: BLE001 - whatever it was, it is raised again below, or was of the other process
        results = None
    yield from results if results is not None else (task() for task in chunk)
