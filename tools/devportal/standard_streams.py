"""Standard input, output and error as the caller left them: closed, a pipe that nobody reads, a full disk."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

CLOSED_PIPE_EXIT_CODE = 141
"""What shells report of a program that wrote to a pipe without readers (128 and SIGPIPE)."""


def prepare_streams() -> None:
    """Make each standard stream one that takes all that commands write.

    What the caller closed, as in `>&-`, is opened: reading finds nothing, and what is written is gone. Python has
    None in its place, and the next file that is opened would get its number, which other programs take for their
    standard output.

    What an encoding lacks, such as that of a Windows console, is written as an escape.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def ending_at_a_closed_pipe() -> Iterator[None]:
    """End the process without a word if nobody reads its output any more, as after `| head -1`."""
    try:
        yield
    except BrokenPipeError:
        # what is left to write at the end is not an error either
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(CLOSED_PIPE_EXIT_CODE)
