"""What is written of a result: terminal, JSON, JUnit."""

import io
import json
from xml.etree import ElementTree

import jsonschema_rs
import pytest
from rich.console import Console

from devportal.conformance.reports.json_report import result_schema, to_json
from devportal.conformance.reports.junit import to_junit
from devportal.conformance.reports.terminal import print_result
from devportal.conformance.result import Failure, Result, Warned
from tests.conformance.values import FAILURE, FLUKE, HOSTILE, LABEL, result

WARNING = Warned(kind="missing_auth", subjects=(LABEL,), message="all is 401", gates=True)


def printed(value: Result) -> str:
    """Return what the terminal gets."""
    stream = io.StringIO()
    print_result(value, Console(file=stream, width=120, highlight=False))
    return stream.getvalue()


@pytest.mark.parametrize("failures", [(), (FAILURE,), (FLUKE,), (HOSTILE, FAILURE)])
def test_the_json_report_has_its_published_shape(failures: tuple[Failure, ...]) -> None:
    """Every report is valid against the schema that comes with the package."""
    report = json.loads(to_json(result(*failures, warnings=(WARNING,))))

    jsonschema_rs.Draft202012Validator(result_schema()).validate(report)
    assert len(report["failures"]) == len(failures)


def test_the_schema_refuses_a_report_of_another_format() -> None:
    """A check that cannot fail would be no check."""
    report = json.loads(to_json(result(FAILURE)))
    report["format"] = 2

    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.Draft202012Validator(result_schema()).validate(report)


def test_what_makes_a_result_red() -> None:
    """A confirmed failure and a gating warning do; what did not show again does not."""
    verdicts = [
        result().is_clean,
        result(FLUKE).is_clean,
        result(FAILURE).is_clean,
        result(warnings=(WARNING,)).is_clean,
    ]

    assert verdicts == [True, True, False, False]


def test_the_terminal_names_promise_answer_and_command() -> None:
    """A failure is told with where the contract promises, what came back and what reproduces it."""
    text = printed(result(FAILURE))

    assert "two resources have the same 'id' [unique-ids]" in text
    assert "parcels.yaml:30:9" in text
    assert 'came back  201 {"id": "pcl_1"}' in text
    assert "reproduce  curl " in text
    assert "no answer ×1, 201 ×6" in text
    assert "breaks its contract: 1 failure" in text


def test_the_terminal_tells_what_did_not_count() -> None:
    """A failure that did not show again is not hidden."""
    text = printed(result(FLUKE))

    assert "did not show again" in text
    assert "keeps its contract" in text


def test_hostile_text_stays_text() -> None:
    """Neither escape sequences nor markup from a deployment reach the terminal."""
    text = printed(result(HOSTILE))

    assert "\x1b" not in text
    assert "\x07" not in text
    assert "[bold]not markup[/bold]" in text


def test_junit_has_a_case_for_each_check() -> None:
    """CI sees which check of which operation failed, and those that passed."""
    suite = ElementTree.fromstring(to_junit(result(FAILURE)).encode())[0]  # noqa: S314 - our own output

    cases = {
        (one.get("classname"), one.get("name"), one.find("failure") is not None)
        for one in suite.findall("testcase")
    }
    assert cases == {(LABEL, "unique-ids", True), (LABEL, "methods", False)}
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")


def test_junit_of_hostile_text_is_well_formed() -> None:
    """Control characters and lone surrogates, which XML cannot hold, are escaped."""
    text = to_junit(result(HOSTILE)).encode("utf-8", "backslashreplace")

    assert ElementTree.fromstring(text).find("testsuite/testcase/failure") is not None  # noqa: S314 - ours


def test_junit_skips_what_does_not_count() -> None:
    """What did not show again is a skipped case with its story, not a failure."""
    suite = ElementTree.fromstring(to_junit(result(FLUKE)).encode())[0]  # noqa: S314 - our own output

    assert suite.get("failures") == "0"
    assert suite.get("skipped") == "1"
