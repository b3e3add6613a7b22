"""Every case in `cases/`: what is found between two contracts is exactly what is written there."""

import datetime as dt
from collections import Counter

import pytest

from devportal.differ import compare, read_policy
from tests.differ.change_cases import ChangeCase, Found, api_of, change_cases

CASES = tuple(change_cases())
TODAY = dt.date(2026, 11, 22)


def found_between(old: str, new: str, case: ChangeCase) -> Found:
    """Return rules and verdicts between two contracts under the policy of a case, in order."""
    comparison = compare(api_of(old), api_of(new), read_policy(case.policy), today=TODAY)
    return tuple(sorted((change.rule, change.verdict.value) for change in comparison.changes))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_exactly_what_is_written_is_found(case: ChangeCase) -> None:
    """The rules and verdicts between the two contracts of a case are those written in it."""
    found = found_between(case.old, case.new, case)

    assert found == case.expected, (
        f"{case.name}\nexpected: {case.expected}\nfound:    {found}\n"
        f"policy: {case.policy}\nold: {case.old}\nnew: {case.new}"
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_contract_does_not_differ_from_itself(case: ChangeCase) -> None:
    """Between either contract of a case and itself nothing is found."""
    assert found_between(case.old, case.old, case) == ()
    assert found_between(case.new, case.new, case) == ()


def test_each_case_has_a_name_of_its_own() -> None:
    """No two cases of a file share a name, so that a failure names its case."""
    names = Counter(case.name for case in CASES)

    assert [name for name, count in names.items() if count > 1] == []
