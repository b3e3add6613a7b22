"""Every case in `cases/`: what is found between two contracts is exactly what is written there.

The cases of a file are one test: thousands of tests of a millisecond would cost more than what they test.
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from devportal.contract import Api
from devportal.differ import compare, read_policy
from tests.differ.change_cases import FILES, ChangeCase, Found, api_of, change_cases

TODAY = dt.date(2026, 11, 22)


def found_between(old: Api, new: Api, case: ChangeCase) -> Found:
    """Return rules and verdicts between two contracts under the policy of a case, in order."""
    comparison = compare(old, new, read_policy(case.policy), today=TODAY)
    return tuple(sorted((change.rule, change.verdict.value) for change in comparison.changes))


def faults_of(case: ChangeCase) -> Iterator[str]:
    """Yield what is found and not written between the contracts, or written and not found."""
    found = found_between(api_of(case.old), api_of(case.new), case)
    if found != case.expected:
        yield (
            f"{case.name}\nexpected: {case.expected}\nfound:    {found}\n"
            f"policy: {case.policy}\nold: {case.old}\nnew: {case.new}"
        )


def differences_from_itself(case: ChangeCase) -> Iterator[str]:
    """Yield what is found between either contract and itself read anew."""
    for name, text in (("old", case.old), ("new", case.new)):
        if itself := found_between(api_of(text), api_of(text), case):
            yield f"{case.name}\n{name} differs from itself: {itself}\n{name}: {text}"


def found_by(look: Callable[[ChangeCase], Iterator[str]], case: ChangeCase) -> list[str]:
    """Return what a look at a case finds; what fails instead says in which case."""
    try:
        return [*look(case)]
    except Exception as error:
        error.add_note(f"in the case {case.name}: old {case.old}, new {case.new}")
        raise


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_exactly_what_is_written_is_found(file: Path) -> None:
    """The rules and verdicts between the two contracts of each case are those written in it. No two cases share a
    name, so that a failure names its case.
    """
    cases = [*change_cases(file)]

    faults = [fault for case in cases for fault in found_by(faults_of, case)]

    assert cases
    assert not faults, "\n\n".join(faults)
    assert [name for name, count in Counter(case.name for case in cases).items() if count > 1] == []


@pytest.mark.deep
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_contract_of_a_case_differs_from_itself(file: Path) -> None:
    """Read anew, it has other objects and the same meaning."""
    cases = [*change_cases(file)]

    assert cases
    assert [told for case in cases for told in found_by(differences_from_itself, case)] == []


def test_what_is_found_and_not_written_is_a_fault() -> None:
    """A case whose expectation lacks what is found is told with both, and so is what is expected in vain."""
    case = next(change_cases(FILES[0]))

    (silent,) = faults_of(replace(case, expected=()))
    (vain,) = faults_of(replace(case, contracts={**case.contracts, "new": case.contracts["old"]}))

    assert f"expected: ()\nfound:    {case.expected}" in silent
    assert f"expected: {case.expected}\nfound:    ()" in vain
    assert [*faults_of(case)] == []
