"""Doubtful acknowledgements."""

import datetime as dt

import pytest

from devportal.differ.policy_file import parse_policy
from devportal.differ.run import check_acknowledgements
from devportal.documents import parse_document
from devportal.findings import Level

from .comparing import small

_GONE = "8394b7fffd7fe7dd"
_TODAY = dt.date(2026, 11, 2)


def told(fingerprint: str, day: str) -> list[str]:
    """Return what is told of one acknowledgement, on the 2nd of November 2026."""
    text = f"acknowledged:\n  {fingerprint}:\n    reason: Agreed.\n    date: {day}\n"
    document = parse_document(text, name="policy.yaml")
    policy, findings = parse_policy(document)
    assert findings == ()
    found = tuple(check_acknowledgements(document, policy, small().comparison, today=_TODAY))
    assert {one.level for one in found} <= {Level.WARNING}
    return [str(one) for one in found]


@pytest.mark.parametrize("day", ["2026-11-01", "2026-11-02"])
def test_acknowledgement_in_order(day: str) -> None:
    """Of a change that there is, until today: nothing is told."""
    assert told(_GONE, day) == []


def test_day_that_has_not_come() -> None:
    """Stands at the date, with both days."""
    (one,) = told(_GONE, "2026-11-03")

    assert one == (
        "policy.yaml:4:5: warning: the day of this acknowledgement, '2026-11-03', has not come: today is "
        "2026-11-02 [diff-acknowledged]\n  help: write the day on which the change was accepted"
    )


def test_acknowledgement_of_nothing() -> None:
    """Stands at the fingerprint, and says what to do with it."""
    (one,) = told("0" * 16, "2026-11-02")

    assert one.startswith(
        "policy.yaml:2:3: warning: no change has the fingerprint '0000000000000000': there is nothing to "
        "acknowledge [diff-acknowledged]\n  help: delete it if "
    )


def test_both_at_once() -> None:
    """Each thing is told."""
    assert len(told("0" * 16, "2027-01-01")) == 2
