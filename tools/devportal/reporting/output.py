"""Where reports go: standard output, which may be a terminal, and files."""

import errno
import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.reporting.formats import Format
from devportal.reporting.options import FormatOptions
from devportal.reporting.report import Report, render_report
from devportal.reporting.terminal import Screen, to_text

_MAX_PRINTED_LINES = 100
"""How many lines of results are printed: two screens. Files have all of them."""


def write_report(report: Report, formats: FormatOptions, *, is_complete: bool = False) -> None:
    """Write a report wherever the options say. Raises EnvironmentProblem.

    If it is not `is_complete`, text on standard output lists the most severe results and counts the others.
    """
    for form, path in formats.files:
        write_file(path, render_report(report, form))
    if formats.output is not None:
        write_file(formats.output, render_report(report, formats.form))
    elif formats.form is Format.TEXT:
        screen = detect_screen()
        print_text(to_text(report, replace(screen, height=0 if is_complete else _MAX_PRINTED_LINES)))
    else:
        print_bytes(render_report(report, formats.form))


def outcome_line(report: Report, formats: FormatOptions, *, label: str) -> str:
    """Return the last line of a command: whether it failed, with how many results, and where they are listed."""
    counts = ", ".join(report.total_texts())
    if report.fails:
        return f"{label} failed: {counts}, listed {f'in {formats.output}' if formats.output else 'above'}."
    return f"{label} passed: {counts}." if counts else report.empty_message


def refuse_overwriting(results: Iterable[Path], *, inputs: Iterable[Path]) -> None:
    """Raise InvalidSettings where a result would take the place of what it is made of, or of another one.

    Of a folder among the inputs, all files are read.
    """
    read, written = {path.resolve() for path in inputs}, set[Path]()
    for path in results:
        file = path.resolve()
        if file in read or (file.exists() and not read.isdisjoint(file.parents)):
            raise InvalidSettings(
                f"{path}: this file is read, and would be overwritten", help="name another one"
            )
        if file in written:
            raise InvalidSettings(f"{path}: two results would go into this file", help="name another one")
        written.add(file)


def write_file(path: Path, text: str) -> None:
    """Write a file, in a folder that is made if it is not there. Raises EnvironmentProblem."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_encode_utf8(text))
    except OSError as error:
        raise _unwritable(path, error) from error


def require_writable(path: Path) -> None:
    """Raise EnvironmentProblem if a file cannot be written later, at the end of a long run. Makes its folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> EnvironmentProblem:
    is_below_file = isinstance(error, FileExistsError | NotADirectoryError)
    reason = f"{error.filename} is not a folder" if is_below_file else error.strerror or error
    return EnvironmentProblem(
        f"{path}: this file cannot be written: {reason}",
        help="check the path and its permissions",
    )


def print_bytes(text: str) -> None:
    """Print text as UTF-8, whatever the terminal has: programs read it."""
    click.echo(_encode_utf8(text), nl=False)


def print_text(text: str) -> None:
    """Print text with the characters that the terminal has."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False)


def detect_screen() -> Screen:
    """Return what standard output is: a terminal, with colours unless NO_COLOR asks for none, or a file."""
    if not sys.stdout.isatty():
        return Screen()
    return Screen(
        colour="NO_COLOR" not in os.environ,
        width=shutil.get_terminal_size().columns,
    )


def _encode_utf8(text: str) -> bytes:
    """Return text as UTF-8. Half a surrogate pair, which JSON can bring in, has no bytes: it is an escape."""
    return text.encode("utf-8", "backslashreplace")
