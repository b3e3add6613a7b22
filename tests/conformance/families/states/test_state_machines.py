# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""States follow each other as the contract says."""

import pytest

from devportal.conformance.families.states import state_machines
from tests.apps.library import Library, Thing
from tests.conformance.families.lending import failure_titles


class BeginsLate(Library):
    def lend(self, wish: Thing) -> Thing:
        loan = super().lend(wish)
        self.loans[loan["id"]]["status"] = "lent"
        return {**loan, "status": "lent"}


class GoesBack(Library):
    def loan(self, key: str) -> Thing:
        loan = super().loan(key)
        if self.passed_s - self.begun[key] > 0.8:
            return {**loan, "status": "asked"}
        return loan


class LeavesTheEnd(Library):
    def loan(self, key: str) -> Thing:
        loan = super().loan(key)
        if loan["status"] != "asked":
            loan["status"] = "refused" if self.passed_s - self.begun[key] < 0.8 else "lent"
        return loan


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (BeginsLate, "something new has a later 'status'"),
        (GoesBack, "'status' goes a forbidden way"),
        (LeavesTheEnd, "'status' leaves its last value"),
    ],
)
def test_each_wrong_server_is_found(app: type[Library], title: str) -> None:
    """A late beginning, a way back, and a way out of the end are told apart."""
    assert failure_titles(state_machines.FAMILY, app()) == {title}


def test_the_right_server_is_left_in_peace() -> None:
    """States that pass unseen between two readings are no fault."""
    assert not failure_titles(state_machines.FAMILY, Library())
