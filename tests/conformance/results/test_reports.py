"""What is written of a result: terminal, JSON, JUnit."""

import io
import json
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree

import jsonschema_rs
import pytest
from rich.console import Console

from devportal.conformance.results.json_report import result_schema
from devportal.conformance.results.report import conformance_report
from devportal.conformance.results.result import (
    UNFINISHED,
    BaselineWarning,
    Failure,
    KnownFailure,
    Result,
    RunWarning,
    Standing,
    UntestedCheck,
)
from devportal.conformance.results.terminal import print_result
from devportal.conformance.run.execute import EXIT_FAILURES, EXIT_NOT_RUN, exit_code
from devportal.errors import Place
from devportal.reporting import Format
from devportal.reporting.annotations import annotation_commands
from tests.conformance.values import FAILURE, FLUKE, HOSTILE, LABEL, exchange, result, write_result

WARNING = RunWarning(kind="missing_auth", subjects=(LABEL,), message="all is 401", gates=True)


def terminal_text(value: Result, *, shows_pedantic: bool = False) -> str:
    """Return the report for the terminal."""
    stream = io.StringIO()
    print_result(value, Console(file=stream, width=120, highlight=False), shows_pedantic=shows_pedantic)
    return stream.getvalue()


@pytest.mark.parametrize("failures", [(), (FAILURE,), (FLUKE,), (HOSTILE, FAILURE)])
def test_the_json_report_has_its_published_shape(failures: tuple[Failure, ...]) -> None:
    """Every report is valid against the schema that comes with the package."""
    report = json.loads(write_result(result(*failures, warnings=(WARNING,)), Format.JSON))

    jsonschema_rs.Draft202012Validator(result_schema()).validate(report)
    assert len(report["failures"]) == len(failures)


def test_the_schema_refuses_a_report_of_another_format() -> None:
    """A check that cannot fail would be no check."""
    report = json.loads(write_result(result(FAILURE), Format.JSON))
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
    text = terminal_text(result(FAILURE))

    assert "two resources have the same 'id' [unique-ids]" in text
    assert "parcels.yaml:30:9" in text
    assert 'response   201 {"id": "pcl_1"}' in text
    assert "reproduce  curl " in text
    assert "no response ×1, 201 ×6" in text
    assert "does not conform to the contract: 1 failure in 1 operation (7 requests" in text


def test_the_terminal_shows_one_failure_once() -> None:
    """Over several operations, with their names; another message is told below it."""
    others = [replace(FAILURE, operation=f"GET /v1/{n}", message="both got 'pcl_2'") for n in range(3)]
    text = terminal_text(result(FAILURE, *others))

    assert text.count("two resources have the same 'id'") == 2
    assert "Fix first: POST /v1/parcels and 3 more operations: two resources have the same 'id'" in text
    assert "POST /v1/parcels and 3 more operations" in text
    assert "operations POST /v1/parcels, GET /v1/0, GET /v1/1, GET /v1/2" in text
    assert "also       GET /v1/0: both got 'pcl_2'" in text
    assert "1 failure in 4 operations" in text


def test_pedantic_failures_are_one_line_unless_asked_for() -> None:
    """What hardly any client sends does not push the others aside; it counts all the same."""
    pedantic = replace(FAILURE, check="query-parameters", title="odd spelling", is_pedantic=True)
    value = result(FAILURE, pedantic)

    assert "1 pedantic failure: use --pedantic to see them (odd spelling)" in terminal_text(value)
    assert "2. POST /v1/parcels: odd spelling" not in terminal_text(value)
    assert "2. POST /v1/parcels: odd spelling" in terminal_text(value, shows_pedantic=True)
    assert "2 failures in 1 operation" in terminal_text(value)


def test_no_line_but_a_command_is_long() -> None:
    """Long messages, promises, bodies and lists of operations are broken or cut."""
    long = replace(
        FAILURE,
        message="word " * 200,
        promise_text="x" * 900,
        exchange=exchange(200, "y" * 900, sent="z" * 900),
        also=(replace(FAILURE, message="also " * 100),),
    )
    others = [replace(long, operation=f"GET /v1/{'n' * 40}/{number}") for number in range(12)]

    lines = terminal_text(result(long, *others)).splitlines()

    assert [line for line in lines if len(line) > 200] == []
    assert len(lines) > 10


def test_a_run_that_ran_out_of_time_is_not_finished() -> None:
    """It gives no verdict about the deployment, and no failure is listed."""
    unfinished = replace(
        FAILURE, title=UNFINISHED, message="the time limit was reached", operation="", exchange=None
    )

    text = terminal_text(result(unfinished))

    assert "Not finished, so no result: the time limit was reached (7 requests" in text
    assert "failure" not in text
    assert exit_code(result(unfinished)) == EXIT_NOT_RUN
    assert exit_code(result(unfinished, FAILURE)) == EXIT_FAILURES


def test_the_terminal_tells_latency_coverage_and_gaps() -> None:
    """What was tested, how fast it was, and what was not tested."""
    text = terminal_text(result())

    assert "20 ms" in text
    assert "Exercised: statuses 1/2" in text
    assert "Not tested: tenants: needs a token of another tenant" in text


def test_the_terminal_tells_one_reason_of_several_gaps_once() -> None:
    """Checks that lack the same thing are named together; what is lacking is said once."""
    names = ("created-things", "unique-ids")
    text = terminal_text(
        replace(result(), gaps=tuple(UntestedCheck(check=name, reason="a memory") for name in names))
    )

    assert "Not tested: created-things, unique-ids: needs a memory" in text


def test_the_terminal_tells_all_requests_of_a_chain() -> None:
    """In their order: the last shows the failure."""
    assert FAILURE.exchange is not None
    before = replace(FAILURE.exchange, request=replace(FAILURE.exchange.request, method="PUT"))
    lines = terminal_text(result(replace(FAILURE, chain=(before,)))).splitlines()

    commands = [line.split(" -X ")[1].split()[0] for line in lines if " curl " in line]
    assert commands == ["PUT", "POST"]
    assert "   reproduce  as a script of bash:" in lines


def test_no_format_calls_an_unfinished_run_a_failure() -> None:
    """JUnit has an error, the others a warning; what was not reached has not passed."""
    stop = replace(
        FAILURE, check="whole-run", title=UNFINISHED, message="the time limit was reached", operation=""
    )
    unfinished = result(stop)
    junit = ElementTree.fromstring(write_result(unfinished, Format.JUNIT).encode())[0]  # noqa: S314 - our own output
    sarif = json.loads(write_result(unfinished, Format.SARIF))["runs"][0]["results"]
    markdown, page = (write_result(unfinished, form) for form in (Format.MARKDOWN, Format.HTML))

    assert (junit.get("failures"), junit.get("errors")) == ("0", "1")
    assert junit.find("testcase[@name='whole-run']/error") is not None
    assert [item["level"] for item in sarif] == ["warning"]
    assert "not finished" in markdown
    assert "failure" not in markdown.split("\n")[0]
    assert '<h2 id="failures">' not in page
    assert '<td class="verdict untested">not finished</td>' in page
    assert "the run did not finish: it has no result" in page
    assert "✓" not in terminal_text(unfinished)
    assert not any(line.startswith("::error") for line in annotation_commands(conformance_report(unfinished)))


def test_the_terminal_tells_known_failures_and_stale_entries() -> None:
    """With the reason and the day; the run is green."""
    known = KnownFailure(reason="Old store.", expires=date(2027, 1, 1))
    doubt = BaselineWarning(
        place=Place(file="b.yaml", line=2, column=5), operation="", about="a [b]", reason="expired"
    )
    text = terminal_text(
        replace(
            result(replace(FAILURE, standing=Standing.KNOWN, known=known)), doubts=(doubt,), hints=("Hm?",)
        )
    )

    assert "known until 2027-01-01: Old store." in text
    assert "Baseline: b.yaml:2:5: a [b] expired" in text
    assert "! 1 known" in text
    assert "Hm?" in text
    assert "The deployment conforms to the contract, except for known failures (" in text


def test_assumptions_are_shown() -> None:
    """Whoever reads a result sees what the run took from the contract."""
    run = replace(result(), assumptions=("POST /hooks subscribes",))

    assert "Assumed: POST /hooks subscribes" in terminal_text(run)
    assert "Assumed: POST /hooks subscribes" in write_result(run, Format.HTML)


def test_an_operation_without_a_request_has_not_passed() -> None:
    """Neither in the terminal nor on the page."""
    run = result()
    untested = replace(run, operations=(replace(run.operations[0], cases=0, statuses=()),))

    assert "– not tested" in terminal_text(untested)
    assert "✓" not in terminal_text(untested)
    assert '<td class="verdict untested">not tested</td>' in write_result(untested, Format.HTML)


def test_the_terminal_tells_what_did_not_count() -> None:
    """A failure that did not show again is not hidden."""
    text = terminal_text(result(FLUKE))

    assert "not reproduced by a replay" in text
    assert "The deployment conforms to the contract (" in text


def test_hostile_text_stays_text() -> None:
    """Neither escape sequences nor markup from a deployment reach the terminal."""
    text = terminal_text(result(HOSTILE))

    assert "\x1b" not in text
    assert "\x07" not in text
    assert "[bold]not markup[/bold]" in text


def test_junit_has_a_case_for_each_check() -> None:
    """CI sees which check of which operation failed, and those that passed."""
    suite = ElementTree.fromstring(write_result(result(FAILURE), Format.JUNIT).encode())[0]  # noqa: S314 - our own output

    cases = {
        (element.get("classname"), element.get("name"), *(outcome.tag for outcome in element))
        for element in suite.findall("testcase")
    }
    assert cases == {
        (LABEL, "unique-ids", "failure"),
        (LABEL, "methods"),
        ("whole run", "tenants", "skipped"),
    }
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")


def test_junit_of_hostile_text_is_well_formed() -> None:
    """Control characters and lone surrogates, which XML cannot hold, are escaped."""
    text = write_result(result(HOSTILE), Format.JUNIT).encode("utf-8", "backslashreplace")

    assert ElementTree.fromstring(text).find("testsuite/testcase/failure") is not None  # noqa: S314 - ours


def test_junit_has_gaps_and_coverage_as_properties() -> None:
    """CI shows them beside the seed."""
    suite = ElementTree.fromstring(write_result(result(), Format.JUNIT).encode())[0]  # noqa: S314 - our own output

    properties = {element.get("name"): element.get("value") for element in suite.iter("property")}
    assert properties["gap"] == "tenants: a token of another tenant"
    assert properties["coverage statuses"] == "1/2"


def test_junit_skips_what_does_not_count() -> None:
    """What did not show again is a skipped case with its story, not a failure."""
    suite = ElementTree.fromstring(write_result(result(FLUKE), Format.JUNIT).encode())[0]  # noqa: S314 - our own output

    skipped = [
        element.get("name") for element in suite.iter("testcase") if element.find("skipped") is not None
    ]
    assert suite.get("failures") == "0"
    assert skipped == ["unique-ids", "tenants"]
