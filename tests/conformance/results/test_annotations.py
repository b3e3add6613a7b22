"""Annotations of GitHub Actions."""

from dataclasses import replace

from devportal.conformance.results.annotations import to_annotations
from devportal.conformance.results.result import RunWarning
from tests.conformance.values import FAILURE, FLUKE, HOSTILE, LABEL, result


def test_one_fault_is_one_annotation_at_the_promise() -> None:
    """Over two operations too: GitHub shows ten of a step."""
    other = replace(FAILURE, operation="PUT /v1/parcels")

    (line,) = to_annotations(result(FAILURE, other), lambda file: f"api/{file}").splitlines()

    assert line.startswith(
        "::error file=api/parcels.yaml,line=30,col=9,title=two resources have the same 'id' [unique-ids]::"
    )
    assert f"{LABEL}, PUT /v1/parcels: two different requests" in line
    assert "%0AReproduce: curl " in line


def test_what_does_not_count_is_no_error() -> None:
    """It is told as a notice; a warning that gates is an error."""
    warned = RunWarning(kind="missing_auth", subjects=(LABEL,), message="all is 401", gates=True)

    lines = to_annotations(result(FLUKE, warnings=(warned,))).splitlines()

    assert [line.split()[0] for line in lines] == ["::notice", "::error"]
    assert "Not counted: did not show again" in lines[0]


def test_hostile_text_makes_no_command() -> None:
    """A line break in a message would begin another."""
    text = to_annotations(result(replace(HOSTILE, message="a\n::error::b\r::set-env::c")))

    assert len(text.splitlines()) == 1
    assert "\x1b" not in text
