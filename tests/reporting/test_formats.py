"""Every format writes every report, and every command that reports offers every format."""

import json
from xml.etree import ElementTree

import click
import jsonschema_rs
import pytest
from lxml import html as parser  # type: ignore[import-untyped]

from devportal.cli import cli
from devportal.conformance.results.report import conformance_report
from devportal.differ.output import diff_report
from devportal.findings import Level
from devportal.reporting import Format
from devportal.reporting.formats import FILE_FORMATS
from devportal.reporting.json_text import report_schema
from devportal.reporting.report import render_report
from tests.conformance.values import FAILURE, FLUKE, result
from tests.differ.output.comparing import small_diff
from tests.reporting.reports import finding, report_of

HARM = "a\n::error::b <b>`x`</b> @ada"
REPORTS = {
    "findings": report_of(finding(help="write 'y'"), finding(level=Level.NOTE, line=9)),
    "nothing": report_of(),
    "comparison": diff_report(small_diff()),
    "run": conformance_report(result(FAILURE, FLUKE)),
}


def command(*path: str) -> click.Command:
    """Return a command of ours."""
    found: click.Command = cli
    for name in path:
        assert isinstance(found, click.Group)
        below = found.get_command(click.Context(found), name)
        assert below is not None
        found = below
    return found


@pytest.mark.parametrize("form", Format)
@pytest.mark.parametrize("name", REPORTS)
def test_every_report_has_every_format(name: str, form: Format) -> None:
    """With a final newline, unless there is nothing to tell; the same report gives the same bytes."""
    text = render_report(REPORTS[name], form)

    assert text.endswith("\n") or (text == "" and (name, form) == ("nothing", Format.TEXT))
    assert render_report(REPORTS[name], form) == text


@pytest.mark.parametrize("path", [("diff",), ("check",), ("links",)])
def test_a_command_that_prints_its_result_offers_every_format(path: tuple[str, ...]) -> None:
    """In the order of the table."""
    (option,) = (param for param in command(*path).params if param.name == "form")

    assert isinstance(option.type, click.Choice)
    assert list(option.type.choices) == list(Format)


@pytest.mark.parametrize("path", [("conformance",), ("conformance", "merge")])
def test_a_command_that_prints_for_people_writes_every_format_to_a_file(path: tuple[str, ...]) -> None:
    """By an option of its name."""
    options = {name for param in command(*path).params for name in param.opts}

    assert {f"--{form}" for form in FILE_FORMATS} <= options


def test_text_of_findings_is_one_line_each() -> None:
    """As compilers print theirs, with what to do below."""
    assert render_report(REPORTS["findings"], Format.TEXT) == (
        "a.yaml:3:5: error: 'x' is wrong [some-rule]\n  help: write 'y'\n"
        "a.yaml:9:5: note: 'x' is wrong [some-rule]\n"
    )


def test_issues_of_a_merge_request_are_recognised_in_the_next_run() -> None:
    """By their fingerprints, which lines are no part of. Each is there once, as GitLab keeps one of equal ones."""
    first, second, *_ = issues = json.loads(
        render_report(
            report_of(finding(help="write 'y'"), finding(line=0), finding(level=Level.NOTE)), Format.GITLAB
        )
    )
    (moved,) = json.loads(render_report(report_of(finding(line=8)), Format.GITLAB))

    assert first["location"] == {"path": "a.yaml", "lines": {"begin": 3}}
    assert (first["description"], first["severity"]) == ("'x' is wrong. Write 'y'", "major")
    assert second["location"]["lines"] == {"begin": 1}
    assert len({issue["fingerprint"] for issue in issues}) == 3
    assert moved["fingerprint"] == first["fingerprint"]


def test_issues_of_a_merge_request_are_what_nobody_accepted() -> None:
    """Each says where in the contract it is."""
    report = REPORTS["comparison"]
    issues = json.loads(render_report(report, Format.GITLAB))

    assert len(issues) == sum(not result.is_accepted for result in report.results) < len(report.results)
    assert issues[0]["description"].startswith("schema Parcel note, sent by clients: maxLength is lowered")


@pytest.mark.parametrize("name", ["findings", "nothing"])
def test_json_of_findings_fits_its_schema(name: str) -> None:
    """That is published; results are in the order of the findings."""
    data = json.loads(render_report(REPORTS[name], Format.JSON))

    jsonschema_rs.validator_for(report_schema()).validate(data)
    assert data["fails"] is (name == "findings")
    assert [item["level"] for item in data["results"]] == (["error", "note"] if name == "findings" else [])


def test_junit_of_findings_has_a_case_for_each_rule_and_file() -> None:
    """It fails by its errors, with all of them in one element: CI shows only the first. Notes alone are skipped."""
    report = report_of(finding(), finding(line=4), finding(rule="other", level=Level.NOTE))

    suite = ElementTree.fromstring(render_report(report, Format.JUNIT))[0]  # noqa: S314 - our own

    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "1")
    assert [len(case) for case in suite] == [1, 1]
    assert (suite[0][0].get("message") or "").startswith("1 of 2: ")
    assert [(suite[0][0].text or "").count(place) for place in (":3:", ":4:")] == [1, 1]


def test_junit_of_nothing_is_one_test_that_passes() -> None:
    """A suite without tests would look as if nothing had run."""
    suite = ElementTree.fromstring(render_report(report_of(), Format.JUNIT))[0]  # noqa: S314 - our own

    assert (suite.get("tests"), suite.get("failures"), len(suite[0])) == ("1", "0", 0)


def test_markdown_and_page_of_findings_are_grouped_by_level() -> None:
    """Errors stand open, notes are folded."""
    markdown = render_report(REPORTS["findings"], Format.MARKDOWN)
    root = parser.fromstring(render_report(REPORTS["findings"], Format.HTML))

    assert "## Check: 1 error, 1 note\n" in markdown
    assert "### 🔴 Errors (1)\n" in markdown
    assert "<summary><b>⚪ Notes (1)</b></summary>" in markdown
    assert root.xpath("//section/@class") == ["errors", "notes"]


@pytest.mark.parametrize("form", [Format.GITHUB, Format.MARKDOWN, Format.HTML, Format.SARIF, Format.JUNIT])
def test_no_text_of_a_finding_is_obeyed(form: Format) -> None:
    """Neither as markup nor as a command nor as a mention."""
    written = render_report(report_of(finding(message=HARM)), form)

    assert form is not Format.GITHUB or "\n::error::b" not in written
    assert form in (Format.GITHUB, Format.SARIF) or "<b>`x`" not in written
    assert form is not Format.MARKDOWN or "@ada" not in written


def test_the_markdown_of_a_run_says_what_does_not_count() -> None:
    """Folded, with the reason; each failure has a command that reproduces it."""
    markdown = render_report(REPORTS["run"], Format.MARKDOWN)

    assert markdown.startswith("## Conformance: 1 failure, 1 not counted\n")
    assert "**Reproduce:** `curl " in markdown
    assert "**Not counted:** not reproduced by a replay" in markdown
    assert "conforms to the contract" in render_report(conformance_report(result()), Format.MARKDOWN)
