"""The findings of a check of files, as a report for every format."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from devportal.findings import Finding, Level, has_errors
from devportal.reporting.checkout import checkout_path, github_workspace
from devportal.reporting.printable import count_noun
from devportal.reporting.report import Report, ReportedResult, Total


def findings_report(
    findings: Iterable[Finding], *, tool: str, heading: str, title: str, folder: Path = Path()
) -> Report:
    """Return the report of findings in files of a folder; `title` is what was checked."""
    found = tuple(findings)
    counts = {level: sum(finding.level is level for finding in found) for level in Level}
    return Report(
        tool=tool,
        heading=heading,
        title=title,
        results=tuple(_reported_finding(finding, folder) for finding in found),
        totals=tuple(
            Total(kind=f"{level}s", count=count, label=count_noun(count, level).split()[-1])
            for level, count in counts.items()
        ),
        noun="finding",
        empty_total="no problems found",
        empty_message="No problems found.",
        outcome="Fails: there are errors" if counts[Level.ERROR] else "Passes: there are no errors",
        fails=has_errors(found),
    )


def _reported_finding(finding: Finding, folder: Path) -> ReportedResult:
    file = checkout_path(str(folder / finding.place.file), workspace=github_workspace())
    related = tuple(("the same problem", replace(place, file=file)) for place in finding.other_places)
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
                *([finding.other_places_text] if finding.other_places else []),
                *([f"What to do: {finding.help}"] if finding.help else []),
                f"Place: {finding.place}" + (f" in {finding.place.within}" if finding.place.within else ""),
            )
        ),
        help=finding.help,
        code=finding.rule,
        related=related,
        other_places=finding.other_places,
    )
