"""The formats by name, imported when they are asked for, and where results go."""

import os
import shutil
import sys
from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from pathlib import Path

import click

from devportal.differ.output.report import Report
from devportal.differ.output.text import Screen
from devportal.errors import EnvironmentProblem


class Format(StrEnum):
    """How a comparison is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"
    GITHUB = "github"
    SARIF = "sarif"


_RENDERERS = {
    Format.TEXT: "devportal.differ.output.text:to_text",
    Format.JSON: "devportal.differ.output.json_text:to_json_text",
    Format.MARKDOWN: "devportal.differ.output.markdown:to_markdown",
    Format.HTML: "devportal.differ.output.html:to_html",
    Format.GITHUB: "devportal.differ.output.annotations:to_workflow_commands",
    Format.SARIF: "devportal.differ.output.sarif:to_sarif",
}


def render_report(report: Report, form: Format) -> str:
    """Return a report in a format, with a final newline unless it is empty."""
    return _renderer(form)(report)


def _renderer(form: Format) -> Callable[[Report], str]:
    module, _, name = _RENDERERS[form].partition(":")
    make: Callable[[Report], str] = getattr(import_module(module), name)
    return make


def write_file(path: Path, text: str) -> None:
    """Write a file, in a folder that is made if it is not there. Raises EnvironmentProblem."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_encode_utf8(text))
    except OSError as error:
        raise EnvironmentProblem(
            f"{path}: this file cannot be written: {error.strerror or error}",
            help="check the path and its permissions",
        ) from error


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
