"""SARIF: what a log looks like whatever command wrote it."""

import json
from typing import Any

from devportal.errors import Place
from devportal.reporting import Format
from devportal.reporting.report import Report, render_report
from devportal.reporting.sarif import escape_message, sarif_location
from tests.reporting.reports import finding, report_of


def run_of(report: Report) -> dict[str, Any]:
    """Return the one run of the log."""
    log = json.loads(render_report(report, Format.SARIF))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_braces_with_a_number_are_no_placeholder() -> None:
    """A reader would put an argument there; a path template stays as it is."""
    assert escape_message("{0} of /parcels/{id}, see [a](b)") == "{{0}} of /parcels/{id}, see [a\\](b)"


def test_a_file_name_becomes_a_uri() -> None:
    """What a URI cannot hold is percent-encoded; a whole file has no region."""
    assert sarif_location(Place(file="a b/ü.yaml")) == {
        "physicalLocation": {"artifactLocation": {"uri": "a%20b/%C3%BC.yaml"}}
    }


def test_a_report_without_rules_of_its_own_lists_those_of_its_results() -> None:
    """Each once, and every result names its rule by id and by place in the list (SARIF 2.1.0 §3.27.6)."""
    run = run_of(report_of(finding(rule="b"), finding(rule="a"), finding(rule="b", line=4)))

    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["a", "b"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["b", "a", "b"]


def test_a_finding_says_what_to_do() -> None:
    """In its message: the help of a rule would be the same for all findings."""
    (result,) = run_of(report_of(finding(message="'x' is wrong", help="write 'y'")))["results"]

    assert result["message"]["text"] == "'x' is wrong. Write 'y'."
    assert "partialFingerprints" not in result
