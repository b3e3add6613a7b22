"""The options of reports: which files a run or a merge writes, and whether it prints annotations."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

_file = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """The files to write, and whether annotations are printed."""

    junit: Path | None = None
    json: Path | None = None
    sarif: Path | None = None
    html: Path | None = None
    github: bool = False


def report_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of reports; it gets them as one argument, `reports`."""

    @wraps(command)
    def with_reports(
        *,
        junit: Path | None,
        json_file: Path | None,
        sarif: Path | None,
        html: Path | None,
        github: bool,
        **others: Any,
    ) -> None:
        reports = ReportOptions(junit=junit, json=json_file, sarif=sarif, html=html, github=github)
        command(reports=reports, **others)

    for option in reversed(_OPTIONS):
        with_reports = option(with_reports)
    return with_reports


_OPTIONS = (
    click.option("--junit", type=_file, metavar="FILE", help="Write a JUnit XML report."),
    click.option("--json", "json_file", type=_file, metavar="FILE", help="Write the whole result as JSON."),
    click.option(
        "--html", type=_file, metavar="FILE", help="Write a page for people: one file without scripts."
    ),
    click.option("--sarif", type=_file, metavar="FILE", help="Write SARIF 2.1.0, for code scanning."),
    click.option(
        "--github", is_flag=True, help="Print annotations for GitHub Actions too, at the contract's lines."
    ),
)
