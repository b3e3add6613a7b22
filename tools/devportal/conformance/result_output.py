"""Writes a result to the terminal and to the requested files."""

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from rich.console import Console

from devportal.conformance.command import ReportOptions
from devportal.conformance.results.annotations import to_annotations
from devportal.conformance.results.html import to_html
from devportal.conformance.results.json_report import to_json
from devportal.conformance.results.junit import to_junit
from devportal.conformance.results.result import Result
from devportal.conformance.results.sarif import to_sarif
from devportal.conformance.results.terminal import print_result
from devportal.errors import EnvironmentProblem
from devportal.reporting import checkout_path

WIDTH = 120
"""The width of the table if standard output is no terminal."""
_WORKSPACE = "GITHUB_WORKSPACE"


def write_reports(result: Result, reports: ReportOptions) -> None:
    """Print a result and write its files; raises EnvironmentProblem if one cannot be written."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH
    console = Console(width=width, highlight=False)
    print_result(result, console)
    checkout = _checkout_path_function()
    if reports.github:
        console.file.write(to_annotations(result, checkout))
    for path, write in _report_writers(reports, checkout):
        write_file(path, write(result))


def write_file(path: Path, text: str) -> None:
    """Write a file, and create its folders."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise EnvironmentProblem(f"{path} cannot be written: {error.strerror}") from error


def _report_writers(
    reports: ReportOptions, checkout: Callable[[str], str]
) -> Iterator[tuple[Path, Callable[[Result], str]]]:
    writers = (
        (reports.junit, to_junit),
        (reports.json, to_json),
        (reports.html, to_html),
        (reports.sarif, partial(to_sarif, checkout=checkout)),
    )
    return ((path, write) for path, write in writers if path is not None)


def _checkout_path_function() -> Callable[[str], str]:
    workspace = os.environ.get(_WORKSPACE)
    return partial(checkout_path, workspace=Path(workspace) if workspace else None)
