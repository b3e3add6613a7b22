"""Writes a result to the terminal and to the requested files."""

import os
import sys
from functools import partial

from rich.console import Console

from devportal.conformance.results.report import conformance_report
from devportal.conformance.results.result import Result
from devportal.conformance.results.terminal import print_result
from devportal.reporting import checkout_path, github_workspace
from devportal.reporting.annotations import annotation_commands
from devportal.reporting.options import ReportOptions
from devportal.reporting.output import write_file
from devportal.reporting.report import render_report

WIDTH = 120
"""The width of the table if standard output is not a terminal."""


def write_reports(result: Result, reports: ReportOptions, *, shows_pedantic: bool = False) -> None:
    """Print a result and write its files; raises EnvironmentProblem if one cannot be written."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH
    console = Console(width=width, highlight=False)
    print_result(result, console, shows_pedantic=shows_pedantic)
    report = conformance_report(result, partial(checkout_path, workspace=github_workspace()))
    if reports.github:
        console.file.writelines(f"{line}\n" for line in annotation_commands(report))
    for form, path in reports.files.items():
        write_file(path, render_report(report, form))
