"""A task that another process does while this one goes on with something else."""

import gc
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from tempfile import TemporaryFile
from typing import IO, Any, Generic, TypeVar

from devportal.parallel import can_fork, end_at_interruptions, interruptions_deferred

_Result = TypeVar("_Result")


class ForkedTask(Generic[_Result]):
    """A task in a forked process, which has a copy of everything in memory at its start.

    Its results wait in a file: they may be large, and the process need not wait for whoever takes them.
    """

    def __init__(self, process: ForkProcess, file: IO[bytes]) -> None:
        """Take the process and the file that it writes to; see `start_forked_task`."""
        self._process = process
        self._file = file

    def results(self) -> Iterator[_Result] | None:
        """Wait for the end of the task; return its results, None if it failed or its process died. To be asked once."""
        self._process.join()
        if self._process.exitcode != 0:
            self._file.close()
            return None
        return self._read()

    def has_succeeded(self) -> bool:
        """Wait for the end of a task that is to have an effect, and no results; return whether it did all of it."""
        results = self.results()
        for _ in results or ():
            pass
        return results is not None

    def _read(self) -> Iterator[_Result]:
        with self._file:
            self._file.seek(0)
            while True:
                try:
                    result = pickle.load(self._file)  # noqa: S301 - a copy of this process wrote it
                except EOFError:
                    return
                yield result

    def stop(self) -> None:
        """End the process if it still runs: nobody wants its results any more."""
        self._process.terminate()
        self._process.join()
        self._file.close()


def start_forked_task(task: Callable[[], Iterable[_Result]]) -> ForkedTask[_Result] | None:
    """Start a task in another process; None if that is unsafe, see `can_fork`.

    What the task raises is not passed on: who needs its results does the task again, and meets the same exception.
    """
    if not can_fork():
        return None
    file = TemporaryFile()  # noqa: SIM115 - it is closed with the task
    process = get_context("fork").Process(target=_write_results, args=(task, file), daemon=True)
    with interruptions_deferred():
        process.start()
    return ForkedTask(process, file)


@contextmanager
def computed_meanwhile(
    compute: Callable[[], _Result], *, is_worth_a_process: bool
) -> Iterator[Callable[[], _Result]]:
    """Have another process compute a value while the block goes on; yields what returns the value, to be asked once.

    It is computed here when it is asked for if another process is not worth it, is unsafe, or fails.
    """
    task = start_forked_task(lambda: [compute()]) if is_worth_a_process else None

    def value() -> _Result:
        nonlocal task
        results = task.results() if task is not None else None
        task = None
        return next(results) if results is not None else compute()

    try:
        yield value
    finally:
        if task is not None:
            task.stop()


def _write_results(task: Callable[[], Iterable[Any]], file: IO[bytes]) -> None:
    end_at_interruptions()
    gc.freeze()
    try:
        for result in task():
            pickle.dump(result, file, pickle.HIGHEST_PROTOCOL)
        file.flush()
    except Exception:  # noqa: BLE001 - see `start_forked_task`
        os._exit(1)
