"""What a report says first: whether the deployment is fine, and what to look at first."""

from devportal.conformance.results.gravity import Gravity, failure_gravity
from devportal.conformance.results.result import Result, constraint_tally
from devportal.conformance.results.wording import (
    FailureGroup,
    group_failures,
    operations_text,
    outcome_text,
)
from devportal.reporting.printable import count_noun


def verdict_text(result: Result) -> str:
    """Return whether the deployment conforms, with the number of failures, without a full stop."""
    if result.is_clean or result.is_undecided:
        return outcome_text(result)
    groups = group_failures(result.counted_failures)
    operations = {label for group in groups for label in group.operations}
    places = f" in {count_noun(len(operations), 'operation')}" if operations else ""
    counts = [f"{count_noun(len(groups), 'failure')}{places}{_serious_text(groups)}"] if groups else []
    warnings = sum(1 for warning in result.warnings if warning.gates)
    counts += [count_noun(warnings, "warning")] if warnings else []
    counts += [coverage_shortfall(result)] if result.lacks_coverage else []
    return f"{outcome_text(result)}: {'; '.join(counts)}"


MOST_CHECKS = 4
"""How many checks that were not tested are named."""


def first_step(result: Result) -> str:
    """Return what to look at first: a common cause, the gravest failure, or what was not tested, though the
    contract promises something about it; empty if there is nothing.
    """
    if result.hints and not result.is_clean:
        return f"Look first: {result.hints[0]}"
    checks = list(dict.fromkeys(gap.check for gap in result.gaps if gap.applies))
    if result.is_clean and checks:
        names = ", ".join(checks[:MOST_CHECKS])
        more = f" and {len(checks) - MOST_CHECKS} more" if len(checks) > MOST_CHECKS else ""
        return f"Next: {count_noun(len(checks), 'check')} not tested ({names}{more})"
    groups = group_failures(result.counted_failures)
    if not groups:
        return ""
    return f"Fix first: {operations_text(groups[0])}: {groups[0].shown.title}"


def coverage_shortfall(result: Result) -> str:
    """Return by how much the constraints of a contract are exercised too little."""
    tally = constraint_tally(result.operations)
    return f"{tally.percent:g} % of the constraints exercised, below --min-coverage {result.min_coverage:g}"


def _serious_text(groups: tuple[FailureGroup, ...]) -> str:
    """Return how many failures are serious; empty if none is, or there is only one failure."""
    serious = sum(failure_gravity(group.shown) is Gravity.SERIOUS for group in groups)
    return f", {serious} serious" if serious and len(groups) > 1 else ""
