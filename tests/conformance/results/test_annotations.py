"""Annotations of GitHub Actions."""

from dataclasses import replace

from devportal.conformance.results.report import conformance_report
from devportal.conformance.results.result import RunWarning
from devportal.reporting.annotations import annotation_commands
from tests.conformance.values import FAILURE, FLUKE, HOSTILE, LABEL, result


def test_one_fault_is_one_annotation_at_the_promise() -> None:
    """Over two operations too: GitHub shows ten of a step."""
    other = replace(FAILURE, operation="PUT /v1/parcels")

    (line,) = annotation_commands(conformance_report(result(FAILURE, other), lambda file: f"api/{file}"))

    assert line.startswith(
        "::error file=api/parcels.yaml,line=30,col=9,title=two resources have the same 'id' [unique-ids]::"
    )
    assert f"{LABEL}, PUT /v1/parcels: two different requests" in line
    assert "%0AReproduce: curl " in line


def test_what_does_not_count_is_no_error() -> None:
    """It is told as a notice; a warning that gates is an error."""
    warned = RunWarning(kind="missing_auth", subjects=(LABEL,), message="all is 401", gates=True)

    lines = [*annotation_commands(conformance_report(result(FLUKE, warnings=(warned,))))]

    assert [line.split()[0] for line in lines] == ["::notice", "::error"]
    assert "Not counted: not reproduced by a replay" in lines[0]


def test_hostile_text_makes_no_command() -> None:
    """A line break in a message would begin another."""
    hostile = result(replace(HOSTILE, message="a\n::error::b\r::set-env::c"))
    (text,) = annotation_commands(conformance_report(hostile))

    assert len(text.splitlines()) == 1
    assert "\x1b" not in text
