"""Findings as a report: what a check of files has found, for every format."""

from collections.abc import Iterable
from dataclasses import replace

from devportal.findings import Finding, Level, has_errors
from devportal.reporting.checkout import checkout_path, workspace
from devportal.reporting.printable import count_noun
from devportal.reporting.report import Report, ReportedResult, Total


def findings_report(findings: Iterable[Finding], *, tool: str, heading: str, title: str) -> Report:
    """Return the report of findings; `title` is what was checked."""
    found = tuple(findings)
    counts = {level: sum(one.level is level for one in found) for level in Level}
    return Report(
        tool=tool,
        heading=heading,
        title=title,
        results=tuple(map(_reported_finding, found)),
        totals=tuple(
            Total(kind=f"{level}s", count=count, label=count_noun(count, level).split()[-1])
            for level, count in counts.items()
        ),
        noun="finding",
        none="nothing found",
        outcome="Fails: there are errors" if counts[Level.ERROR] else "Passes: there are no errors",
        fails=has_errors(found),
    )


def _reported_finding(finding: Finding) -> ReportedResult:
    file = checkout_path(finding.place.file, workspace=workspace())
    return ReportedResult(
        rule=finding.rule,
        level=finding.level,
        message=finding.message,
        place=finding.place,
        forge_place=replace(finding.place, file=file),
        fails=finding.level is Level.ERROR,
        details="\n".join(
            (
                finding.message,
                *([f"What to do: {finding.help}"] if finding.help else []),
                f"Place: {finding.place}",
            )
        ),
        help=finding.help,
        code=finding.rule,
    )
