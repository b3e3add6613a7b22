"""What a report says first: whether the deployment is fine, and what to look at first."""

from collections import Counter

from devportal.conformance.results.gravity import GRAVITY_ORDER, Gravity, failure_gravity
from devportal.conformance.results.result import Result, constraint_tally
from devportal.conformance.results.wording import (
    FailureGroup,
    failure_name,
    group_failures,
    operations_text,
    outcome_text,
)
from devportal.reporting.printable import count_noun

_GRAVITY_WORDS = {
    Gravity.SERIOUS: "serious",
    Gravity.WRONG_DATA: "wrong data",
    Gravity.MISSING_REFUSAL: "accepted that should be rejected",
    Gravity.HEADERS: "about headers",
    Gravity.PEDANTIC: "pedantic",
}


def failing_groups(result: Result) -> tuple[FailureGroup, ...]:
    """Return the failures that fail a run, in the order of reports."""
    return group_failures(one for one in result.failures if one.fails)


def verdict_text(result: Result) -> str:
    """Return whether the deployment conforms, with the number of failures by gravity, without a full stop."""
    if result.is_clean:
        gaps = len({(one.check, one.reason) for one in result.gaps})
        untested = f"; {count_noun(gaps, 'check')} could not be tested" if gaps else ""
        return f"{outcome_text(result)}{untested}"
    if result.is_undecided:
        return outcome_text(result)
    groups = failing_groups(result)
    operations = {label for group in groups for label in group.operations}
    places = f" in {count_noun(len(operations), 'operation')}" if operations else ""
    counts = [f"{count_noun(len(groups), 'failure')}{places}{_gravity_counts(groups)}"] if groups else []
    warnings = sum(1 for one in result.warnings if one.gates)
    counts += [count_noun(warnings, "warning")] if warnings else []
    counts += [coverage_shortfall(result)] if result.lacks_coverage else []
    return f"{outcome_text(result)}: {'; '.join(counts)}"


def first_step(result: Result) -> str:
    """Return what to look at first: a common cause, or the gravest failure; empty if there is nothing."""
    if result.hints and not result.is_clean:
        return f"Look first: {result.hints[0]}"
    groups = failing_groups(result) if not result.is_undecided else ()
    if not groups:
        return ""
    return f"Fix first: {operations_text(groups[0])}: {failure_name(groups[0].shown)}"


def coverage_shortfall(result: Result) -> str:
    """Return by how much the constraints of a contract are exercised too little."""
    tally = constraint_tally(result.operations)
    return f"{tally.percent:g} % of the constraints exercised, below --min-coverage {result.min_coverage:g}"


def _gravity_counts(groups: tuple[FailureGroup, ...]) -> str:
    """Return how many failures have which gravity; empty if there is only one failure."""
    counts = Counter(failure_gravity(one.shown) for one in groups)
    texts = [f"{counts[one]} {_GRAVITY_WORDS[one]}" for one in GRAVITY_ORDER if counts[one]]
    return f": {', '.join(texts)}" if len(groups) > 1 else ""
