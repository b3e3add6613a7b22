"""Stops a process, or lets the machine refuse, at the N-th step that it takes towards the disk."""

import errno
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

STEPS = ("open", "write", "fsync", "replace", "ftruncate", "unlink", "fchmod", "mkdir")
"""What a write asks of the system."""

Intervention = Callable[[str, tuple[Any, ...]], None]
"""Is called before the step that was chosen, with its name and arguments."""


@contextmanager
def intervening(at: int, intervene: Intervention, *, times: int = 1) -> Iterator[None]:
    """Call `intervene` before the step number `at`, from 0, of what runs inside, and before the next ones."""
    originals = {name: getattr(os, name) for name in STEPS}
    taken = iter(range(10**6))

    def wrap_step(name: str) -> Callable[..., Any]:
        def step(*args: Any, **options: Any) -> Any:
            if at <= next(taken) < at + times:
                intervene(name, args)
            return originals[name](*args, **options)

        return step

    for name in STEPS:
        setattr(os, name, wrap_step(name))
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(os, name, original)


def kill(name: str, args: tuple[Any, ...]) -> None:
    """End the process as `kill -9` does; half of what it was about to write is written."""
    if name == "write":
        descriptor, content = args
        os.pwrite(descriptor, bytes(content)[: len(content) // 2], os.lseek(descriptor, 0, os.SEEK_CUR))
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(_name: str, _args: tuple[Any, ...]) -> None:
    """Say that the disk is full."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def was_killed(at: int, work: Callable[[], object]) -> bool:
    """Do work in a process of its own that is killed at a step; False where it ended before that step."""
    process = os.fork()
    if process == 0:
        try:
            with intervening(at, kill):
                work()
        finally:
            os._exit(0)
    _, status = os.waitpid(process, 0)
    return os.WIFSIGNALED(status)
