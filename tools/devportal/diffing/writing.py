"""Where results go: to files, and to standard output as the terminal can show them."""

import os
import shutil
import sys
from pathlib import Path

import click

from devportal.diffing.text import Screen
from devportal.errors import EnvironmentProblem


def write_file(path: Path, text: str) -> None:
    """Write a file, in a folder that is made if it is not there. Raises EnvironmentProblem."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(text))
    except OSError as error:
        raise EnvironmentProblem(
            f"{path}: this file cannot be written: {error.strerror or error}",
            help="check the path and its permissions",
        ) from error


def print_bytes(text: str) -> None:
    """Print text as UTF-8, whatever the terminal has: programs read it."""
    click.echo(_bytes(text), nl=False)


def print_text(text: str) -> None:
    """Print text with the characters that the terminal has."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False)


def screen() -> Screen:
    """Return what standard output is: a terminal, with colours unless NO_COLOR asks for none, or a file."""
    if not sys.stdout.isatty():
        return Screen()
    return Screen(
        colour="NO_COLOR" not in os.environ,
        width=shutil.get_terminal_size().columns,
    )


def _bytes(text: str) -> bytes:
    """Return text as UTF-8. Half a surrogate pair, which JSON can bring in, has no bytes: it is an escape."""
    return text.encode("utf-8", "backslashreplace")
