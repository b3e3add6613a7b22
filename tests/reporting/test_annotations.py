"""Annotations: workflow commands of GitHub Actions."""

from devportal.errors import Place
from devportal.findings import Level
from devportal.reporting import Format
from devportal.reporting.annotations import workflow_command
from devportal.reporting.report import render_report
from tests.reporting.reports import finding, report_of


def test_nothing_of_a_text_is_read_as_a_command() -> None:
    """Colons and commas end properties, line breaks end commands: each travels as an escape."""
    place = Place(file="a,b:c.yaml", line=3, column=5)

    command = workflow_command("error", place, title="one: two", message="100 %\nnext: line")

    assert command == ("::error file=a%2Cb%3Ac.yaml,line=3,col=5,title=one%3A two::100 %25%0Anext: line")


def test_a_whole_file_has_no_line() -> None:
    """Line 0 is none."""
    assert workflow_command("notice", Place(file="a.yaml"), title="t", message="m") == (
        "::notice file=a.yaml,title=t::m"
    )


def test_findings_are_annotations_by_level() -> None:
    """Errors first; the last line has the counts and is no command."""
    report = report_of(finding(level=Level.NOTE), finding(help="h"))

    lines = render_report(report, Format.GITHUB).splitlines()

    assert lines == [
        "::error file=a.yaml,line=3,col=5,title=some-rule::'x' is wrong%0AWhat to do: h%0APlace: a.yaml:3:5",
        "::notice file=a.yaml,line=3,col=5,title=some-rule::'x' is wrong%0APlace: a.yaml:3:5",
        "1 error, 1 note",
    ]
