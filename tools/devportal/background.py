"""A task that another process does while this one goes on with something else."""

import gc
import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from typing import Any, Generic, TypeVar

from devportal.parallel import can_fork, end_at_ctrl_c

_Result = TypeVar("_Result")


class BackgroundTask(Generic[_Result]):
    """A task in a forked process, which shares everything that was there when it began."""

    def __init__(self, process: ForkProcess, connection: Connection) -> None:
        """Take the process and the end of the pipe that its result comes out of; see `start_in_background`."""
        self._process = process
        self._connection = connection

    def result(self) -> _Result | None:
        """Wait for the result; None if the task failed, or its process died. To be asked once."""
        result: _Result | None = None
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            result = pickle.loads(self._connection.recv_bytes())  # noqa: S301 - a copy of this process wrote it
        self.stop()
        return result

    def stop(self) -> None:
        """End the process if it still runs: nobody wants its result any more."""
        self._connection.close()
        self._process.terminate()
        self._process.join()


def start_in_background(task: Callable[[], _Result]) -> BackgroundTask[_Result] | None:
    """Start a task in another process; None where that is unsafe, see `can_fork`.

    What the task raises is not told: who needs its result does the task again, and meets the same exception.
    """
    if not can_fork():
        return None
    context = get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_send_result, args=(task, sending), daemon=True)
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        sending.close()
    return BackgroundTask(process, receiving)


def _send_result(task: Callable[[], Any], connection: Connection) -> None:
    end_at_ctrl_c()
    gc.freeze()
    try:
        connection.send_bytes(pickle.dumps(task(), pickle.HIGHEST_PROTOCOL))
    except Exception:  # noqa: BLE001 - see `start_in_background`
        os._exit(1)
