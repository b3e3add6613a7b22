"""What is told while a run goes on."""

import io
from dataclasses import replace

from rich.console import Console

from devportal.conformance.results.result import Failure, Standing
from devportal.conformance.run.execute import show_progress
from devportal.conformance.run.run_log import RunStep
from tests.conformance.values import FAILURE, FLUKE, HOSTILE


def progress_lines(*failures: Failure, is_terminal: bool = False) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=200, force_terminal=is_terminal, no_color=True)
    with show_progress(console) as on_step:
        for failure in failures:
            on_step(RunStep(stage="our checks", sent=5, failure_count=1, failure=failure))
    return stream.getvalue().splitlines()


def test_a_fault_is_told_when_it_is_found() -> None:
    """Once for all operations, so that nobody has to wait for the end, and no terminal is flooded."""
    lines = progress_lines(FAILURE, replace(FAILURE, operation="PUT /v1/parcels"))

    assert lines[0] == "our checks (after 5 requests)"
    (line,) = [line for line in lines if line.startswith("✗")]
    assert line.startswith("✗ POST /v1/parcels: two resources have the same 'id' [unique-ids]: two different")


def test_what_will_not_count_is_not_told() -> None:
    """Neither what did not show again nor what the baseline knows."""
    assert progress_lines(FLUKE, replace(FAILURE, standing=Standing.KNOWN)) == [
        "our checks (after 5 requests)"
    ]


def test_hostile_text_stays_text() -> None:
    """On a terminal too."""
    assert not any("\x1b[31m" in line for line in progress_lines(HOSTILE))
    assert any("✗ POST /v1/parcels" in line for line in progress_lines(FAILURE, is_terminal=True))
