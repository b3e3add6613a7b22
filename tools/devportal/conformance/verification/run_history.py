"""The runs of a deployment as a small drawing: one bar for each, from the oldest to the newest."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from devportal.changelog.pages.timeline import format_date
from devportal.conformance.results.result import Failure
from devportal.conformance.results.wording import VERDICT_FAILED, operation_verdict
from devportal.conformance.verification.runs import Run, Verdict

MOST_BARS = 40
"""How many of the latest runs the drawing has."""
BAR_WIDTH = 8
BAR_STEP = 12
HEIGHT = 32
LEAST_FAILED = 6
"""The least height of the part of a bar that stands for failures: one of many operations has to be seen too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBar:
    """The bar of one run: its left edge, the height of what failed at its top, and its text."""

    verdict: Verdict
    x: int
    failed_height: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChart:
    """The bars of some runs, the size of the drawing, and what it shows in words."""

    bars: tuple[RunBar, ...]
    width: int
    text: str


def run_chart(runs: Sequence[Run]) -> RunChart:
    """Return the drawing of runs, which are given with the newest first."""
    shown = tuple(reversed(runs[:MOST_BARS]))
    bars = tuple(
        RunBar(
            verdict=run.verdict,
            x=number * BAR_STEP,
            failed_height=_failed_height(run),
            text=f"{format_date(run.day)}: {result_text(run)}",
        )
        for number, run in enumerate(shown)
    )
    counts = Counter(run.verdict for run in shown)
    totals = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    title = f"The last {len(shown)} runs" if len(shown) > 1 else "One run"
    return RunChart(bars=bars, width=len(bars) * BAR_STEP - (BAR_STEP - BAR_WIDTH), text=f"{title}: {totals}")


def _failed_height(run: Run) -> int:
    if run.verdict is not Verdict.FAILED:
        return 0
    share = failing_operations(run) / max(1, len(run.result.operations))
    return max(LEAST_FAILED, round(share * HEIGHT))


def failing_operations(run: Run) -> int:
    """Return how many operations fail in a run."""
    verdicts = (operation_verdict(run.result, one) for one in run.result.operations)
    return sum(verdict.kind == VERDICT_FAILED for verdict in verdicts)


def result_text(run: Run) -> str:
    """Return the result of a run in a few words."""
    if run.verdict is not Verdict.FAILED:
        return run.verdict.value
    failing = failing_operations(run)
    return f"{failing} of {len(run.result.operations)} operations failed" if failing else run.verdict.value


def first_failure(run: Run) -> Failure | None:
    """Return the first failure in the report of a run; None if it has none that counts."""
    return next((one for one in run.result.failures if one.fails), None)
