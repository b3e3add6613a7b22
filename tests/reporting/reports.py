"""Small reports to test with."""

from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.reporting.findings_report import findings_report
from devportal.reporting.report import Report


def finding(
    *,
    rule: str = "some-rule",
    level: Level = Level.ERROR,
    message: str = "'x' is wrong",
    help: str = "",  # noqa: A002
    line: int = 3,
) -> Finding:
    """Return a finding."""
    place = Place(file="a.yaml", line=line, column=5)
    return Finding(rule=rule, level=level, place=place, message=message, help=help)


def report_of(*findings: Finding) -> Report:
    """Return the report of findings."""
    return findings_report(findings, tool="devportal check", heading="Check", title="a.yaml")
