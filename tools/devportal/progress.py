"""The progress of a long command: code names its phases here, and a command decides how they are shown.

On a terminal one line is updated. Anywhere else, in CI for example, each phase is a separate line.
"""

import logging
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeVar

_Step = TypeVar("_Step")
_STEPS_PER_UPDATE = 25
"""A terminal shows the count after this many steps: writing to it costs more than most steps do."""
_STEPS_PER_LINE = 250
"""A log gets a line after this many steps."""
_CLEAR_LINE = "\r\x1b[K"
_log = logging.getLogger("devportal.progress")
_log.propagate = False


def start_phase(name: str) -> None:
    """Report that a phase begins."""
    _log.info(name)


def count_steps(steps: Iterable[_Step], phase: str) -> Iterator[_Step]:
    """Yield the steps of a phase, and report how many are done."""
    for number, step in enumerate(steps, start=1):
        if number % _STEPS_PER_UPDATE == 0:
            level = logging.DEBUG if number % _STEPS_PER_LINE else logging.INFO
            _log.log(level, "%s: %s", phase, f"{number:,}")
        yield step


@contextmanager
def show_progress(*, quiet: bool = False, stream: TextIO | None = None) -> Iterator[None]:
    """Show the phases that are reported in the block on standard error, or on another stream."""
    if quiet:
        yield
        return
    output = sys.stderr if stream is None else stream
    is_terminal = output.isatty() and not os.environ.get("CI")
    handler = _TerminalLine(output) if is_terminal else logging.StreamHandler(output)
    level = _log.level
    _log.addHandler(handler)
    _log.setLevel(logging.DEBUG if is_terminal else logging.INFO)
    try:
        yield
    finally:
        _log.setLevel(level)
        _log.removeHandler(handler)
        handler.close()


@contextmanager
def progress_in_log(log: logging.Logger) -> Iterator[None]:
    """Write the phases that are reported in the block into another log, unless they are shown already."""
    if _log.handlers or not log.isEnabledFor(logging.INFO):
        yield
        return
    handler, level = _LogLines(log), _log.level
    _log.addHandler(handler)
    _log.setLevel(logging.INFO)
    try:
        yield
    finally:
        _log.setLevel(level)
        _log.removeHandler(handler)


class _LogLines(logging.Handler):
    """Writes each phase as a line of another log."""

    def __init__(self, log: logging.Logger) -> None:
        super().__init__()
        self._target = log

    def emit(self, record: logging.LogRecord) -> None:
        self._target.info(record.getMessage())


class _TerminalLine(logging.Handler):
    """Writes each phase in place of the one before, and leaves nothing behind."""

    def __init__(self, terminal: TextIO) -> None:
        super().__init__()
        self._terminal = terminal

    def emit(self, record: logging.LogRecord) -> None:
        width = shutil.get_terminal_size().columns - 1
        self._write(f"{_CLEAR_LINE}{record.getMessage()[:width]}")

    def close(self) -> None:
        self._write(_CLEAR_LINE)
        super().close()

    def _write(self, text: str) -> None:
        self._terminal.write(text)
        self._terminal.flush()
