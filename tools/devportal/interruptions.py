"""What ends a command from outside: Ctrl-C, and SIGTERM and SIGHUP, which let it clean up as Ctrl-C does.

A command ended by a signal alone leaves temporary folders, and processes that go on with what nobody waits for.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_TERMINATIONS = (signal.SIGTERM,) if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP)
"""The signals of whoever started a process, and of a terminal that is closed."""
INTERRUPTIONS = (signal.SIGINT, *_TERMINATIONS)
"""The signals that end a process and what it has started."""
_FIRST_SIGNAL_EXIT_CODE = 128
"""What shells add to the number of the signal that ended a program."""
_SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG in `prctl(2)`."""


class Terminated(KeyboardInterrupt):
    """A signal other than that of Ctrl-C ends the command."""

    def __init__(self, number: int) -> None:
        """Take the number of the signal."""
        super().__init__(number)
        self.number = number


def raise_at_termination() -> None:
    """Have SIGTERM and SIGHUP raise Terminated, unless the process ignores them, as with `nohup`."""
    for number in _TERMINATIONS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _raise_terminated)


def _raise_terminated(number: int, _: FrameType | None) -> NoReturn:
    raise Terminated(number)


@contextmanager
def hangup_as_termination() -> Iterator[None]:
    """Have SIGHUP end the server in the block as SIGTERM does: uvicorn handles only that, and would be cut short."""
    if sys.platform == "win32" or signal.getsignal(signal.SIGHUP) is not _raise_terminated:
        yield
        return
    signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, _raise_terminated)


def interrupted_exit_code(error: KeyboardInterrupt) -> int:
    """Return the exit code of a command that a signal ended, as shells report it."""
    return _FIRST_SIGNAL_EXIT_CODE + (error.number if isinstance(error, Terminated) else signal.SIGINT)


def end_with_parent(parent: int) -> None:
    """Have the system end this forked process when the one that it was forked from ends, however that does."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - keeps commands fast that need no other process

        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before
            os._exit(1)
