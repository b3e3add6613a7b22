"""The runs of a deployment as a small drawing: one bar for each, from the oldest to the newest."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from devportal.conformance.results.result import Failure
from devportal.conformance.results.wording import VERDICT_FAILED, operation_verdict
from devportal.conformance.verification.runs import Run, Verdict
from devportal.reporting.printable import capitalise
from devportal.translation import format_day, gettext, gettext_noop, ngettext, ngettext_noop

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
            text=f"{format_day(run.day)}: {result_text(run)}",
        )
        for number, run in enumerate(shown)
    )
    counts = Counter(run.verdict for run in shown)
    totals = ", ".join(ngettext(*_COUNTS[verdict], counts[verdict]) for verdict in Verdict if counts[verdict])
    text = ngettext("One run: %(totals)s", "The last %(number)s runs: %(totals)s", len(shown), totals=totals)
    return RunChart(bars=bars, width=len(bars) * BAR_STEP - (BAR_STEP - BAR_WIDTH), text=text)


_COUNTS = {
    Verdict.PASSED: ngettext_noop("%(number)s passed", "%(number)s passed"),
    Verdict.FAILED: ngettext_noop("%(number)s failed", "%(number)s failed"),
    Verdict.UNDECIDED: ngettext_noop("%(number)s unfinished", "%(number)s unfinished"),
}
_RESULTS = {
    Verdict.PASSED: gettext_noop("passed"),
    Verdict.FAILED: gettext_noop("failed"),
    Verdict.UNDECIDED: gettext_noop("unfinished"),
}


def _failed_height(run: Run) -> int:
    if run.verdict is not Verdict.FAILED:
        return 0
    share = failing_operations(run) / max(1, len(run.result.operations))
    return max(LEAST_FAILED, round(share * HEIGHT))


def failing_operations(run: Run) -> int:
    """Return how many operations fail in a run."""
    verdicts = (operation_verdict(run.result, operation) for operation in run.result.operations)
    return sum(verdict.kind == VERDICT_FAILED for verdict in verdicts)


def result_text(run: Run) -> str:
    """Return the result of a run in a few words."""
    failing = failing_operations(run) if run.verdict is Verdict.FAILED else 0
    if not failing:
        return gettext(_RESULTS[run.verdict])
    return ngettext(
        "%(failing)s of %(number)s operations failed",
        "%(failing)s of %(number)s operations failed",
        len(run.result.operations),
        failing=failing,
    )


def verdict_word(run: Run) -> str:
    """Return the verdict of a run as a label: `Passed`."""
    return capitalise(gettext(_RESULTS[run.verdict]))


def first_failure(run: Run) -> Failure | None:
    """Return the first failure in the report of a run; None if it has none that counts."""
    return next((failure for failure in run.result.failures if failure.fails), None)
