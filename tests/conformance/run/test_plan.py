"""The plan of a run, and what its progress shows of it."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from devportal.conformance.deployment.client import RequestPolicy
from devportal.conformance.run.execute import show_progress
from devportal.conformance.run.options import NIGHTLY, Options
from devportal.conformance.run.plan import RunPlan, plan_run
from devportal.conformance.run.run_log import RunLog, RunStep
from tests.conformance.running import CONTRACT, subject_of

OPTIONS = Options(url="http://127.0.0.1:1", contract=CONTRACT)


def progress(step: RunStep) -> str:
    """Return the line that begins a stage."""
    stream = io.StringIO()
    with show_progress(Console(file=stream, width=200)) as on_step:
        on_step(step)
    return stream.getvalue().strip()


def test_the_plan_is_near_the_truth() -> None:
    """A run of the right parcels server sends 379 requests: the plan is not off by half."""
    assert 190 < plan_run(subject_of(), OPTIONS).requests < 570


def test_a_longer_profile_and_a_rate_limit_take_longer() -> None:
    """The plan follows the options."""
    usual = plan_run(subject_of(), OPTIONS)
    nightly = plan_run(subject_of(), replace(OPTIONS, profile=NIGHTLY))
    slow = plan_run(subject_of(), replace(OPTIONS, policy=RequestPolicy(rate_per_s=2)))

    assert nightly.requests > usual.requests
    assert slow.remaining_s(0, 0) == usual.requests / 2


@pytest.mark.parametrize(
    ("sent", "elapsed_s", "left_s"),
    [(0, 0.0, 22.0), (10, 9.0, 21.78), (500, 50.0, 50.0), (1_000, 90.0, 0.0), (1_200, 90.0, 0.0)],
)
def test_the_pace_of_the_run_counts_once_it_is_known(sent: int, elapsed_s: float, left_s: float) -> None:
    """Before, a request takes as long as those of other runs; the rest is never negative."""
    assert RunPlan(requests=1_000).remaining_s(sent, elapsed_s) == pytest.approx(left_s)


@pytest.mark.parametrize(
    ("step", "line"),
    [
        ({"planned": None, "sent": 7}, "replay (after 7 requests)"),
        (
            {"planned": 1_200, "sent": 7, "remaining_s": 26.4},
            "replay (after 7 of about 1,200 requests, about 30 s left)",
        ),
        (
            {"planned": 700, "sent": 7, "remaining_s": 0.1},
            "replay (after 7 of about 700 requests, about 5 s left)",
        ),
        (
            {"planned": 700, "sent": 7, "remaining_s": 130.0},
            "replay (after 7 of about 700 requests, about 3 min left)",
        ),
        ({"planned": 700, "sent": 760}, "replay (after 760 requests)"),
    ],
)
def test_progress_shows_the_plan(step: dict[str, float], line: str) -> None:
    """How many requests there will be, and how long the rest takes."""
    assert progress(RunStep(stage="replay", failure_count=0, **step)) == line  # type: ignore[arg-type]


def test_steps_carry_the_plan() -> None:
    """As soon as there is one."""
    steps: list[RunStep] = []
    log = RunLog(steps.append)

    log.begin_stage("preflight")
    log.plan = RunPlan(requests=40)
    log.begin_stage("checks")

    assert [step.planned for step in steps] == [None, 40]
    assert steps[1].remaining_s > 0
