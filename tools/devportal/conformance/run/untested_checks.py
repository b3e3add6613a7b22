"""Finds the checks that compared nothing in a run: none of them has passed."""

from collections.abc import Iterator, Mapping, Sequence

from devportal.conformance.family import Family
from devportal.conformance.results.result import UntestedCheck
from devportal.conformance.run.run_log import RunLog
from devportal.conformance.schemathesis.comparisons import COMPARISONS

NOT_REACHED = "a run that comes to its end: this one stopped before the check"


def untested_checks(
    families: Sequence[Family], log: RunLog, *, is_finished: bool = True
) -> Iterator[UntestedCheck]:
    """Yield the checks that compared nothing, of one operation or at all, if the log does not have them yet."""
    known = {untested_check.check for untested_check in log.untested_checks if not untested_check.operation}
    compared = compared_operations(log)
    for family in families:
        if family.name not in known:
            yield from _untested_family(family, log, compared.get(family.name, frozenset()))
    for name, comparison in COMPARISONS.items():
        if name not in compared and is_finished:
            yield UntestedCheck(check=name, reason=comparison.needs, applies=not comparison.of_contract)
        elif name not in compared:
            yield UntestedCheck(check=name, reason=NOT_REACHED)


def compared_operations(log: RunLog) -> Mapping[str, frozenset[str]]:
    """Return the operations for which each check compared anything, by its name."""
    found: dict[str, set[str]] = {}
    for (operation, check, _, _), count in log.tallies.items():
        if count:
            found.setdefault(check, set()).add(operation)
    return {check: frozenset(operations) for check, operations in found.items()}


def _untested_family(family: Family, log: RunLog, compared: frozenset[str]) -> Iterator[UntestedCheck]:
    reasons = {
        operation: reason
        for (check, operation), reason in log.untested_probes.items()
        if check == family.name and operation not in compared
    }
    if compared or len(set(reasons.values())) > 1:
        for operation, reason in reasons.items():
            yield UntestedCheck(check=family.name, reason=reason, operation=operation)
    elif reasons:
        yield UntestedCheck(check=family.name, reason=next(iter(reasons.values())))
    elif family.name in log.finished_checks:
        yield UntestedCheck(check=family.name, reason=family.needs, applies=False)
    else:
        yield UntestedCheck(check=family.name, reason=NOT_REACHED)
