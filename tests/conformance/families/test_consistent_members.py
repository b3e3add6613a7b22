# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Members that do not add up, or are out of order."""

from datetime import datetime, timedelta

import pytest

from devportal.conformance.families import consistent_members
from tests.conformance.families.asking import run_family
from tests.conformance.families.ledger import CONTRACT, Ledger, Thing
from tests.conformance.running import subject_of

FAMILY = consistent_members.FAMILY


class CountsTwoLines(Ledger):
    def show(self, entry: Thing) -> Thing:
        return {**super().show(entry), "line_count": 2}


class CountsOneLineLess(Ledger):
    def show(self, entry: Thing) -> Thing:
        return {**super().show(entry), "line_count": len(entry["lines"]) - 1}


class AddsTheFirstLine(Ledger):
    def show(self, entry: Thing) -> Thing:
        return {**super().show(entry), "total_debit": entry["lines"][0]["debit"] * 2}


class AddsBothSides(Ledger):
    def show(self, entry: Thing) -> Thing:
        shown = super().show(entry)
        return {**shown, "balance": shown["total_debit"] + shown["total_credit"]}


class ChangesBeforeCreation(Ledger):
    def store(self, entry: Thing) -> Thing:
        earlier = datetime.fromisoformat(entry["created_at"]) - timedelta(hours=1)
        return super().store({**entry, "updated_at": earlier.isoformat()})


class ChecksNoPeriod(Ledger):
    def check_period(self, data: Thing) -> None:
        pass


class ChecksPeriodsThatAreSent(Ledger):
    def check_period(self, data: Thing) -> None:
        if "id" not in data:
            super().check_period(data)


POST, PATCH = "POST /entries", "PATCH /entries/{entryId}"
OUT_OF_ORDER = "'valid_until' is accepted out of order"


def failures_of(app: Ledger) -> set[tuple[str, str]]:
    """Return operation and title of what the family finds wrong with a server, all of it confirmed."""
    log = run_family(FAMILY, app, subject_of(CONTRACT))
    assert log.tallies
    assert all(failure.fails for failure in log.failures)
    return {(failure.operation, failure.title) for failure in log.failures}


def test_the_good_server_passes() -> None:
    """Its members add up; a page may count entries that it does not show."""
    log = run_family(FAMILY, Ledger(), subject_of(CONTRACT))

    assert (log.failures, log.untested_probes) == ([], {})


@pytest.mark.parametrize(
    ("app", "operation", "title"),
    [
        (CountsTwoLines, POST, "'line_count' is not what its description says"),
        (CountsOneLineLess, POST, "'line_count' is not what its description says"),
        (AddsTheFirstLine, POST, "'total_debit' is not what its description says"),
        (AddsBothSides, POST, "'balance' is not what its description says"),
        (ChangesBeforeCreation, POST, "'updated_at' must not be before 'created_at'"),
        (ChecksNoPeriod, POST, OUT_OF_ORDER),
        (ChecksNoPeriod, PATCH, OUT_OF_ORDER),
        (ChecksPeriodsThatAreSent, PATCH, OUT_OF_ORDER),
    ],
)
def test_what_does_not_agree_is_found(app: type[Ledger], operation: str, title: str) -> None:
    """In responses, and in what is accepted."""
    assert (operation, title) in failures_of(app())


def test_a_message_quotes_the_sentence_and_both_values() -> None:
    """It says what came, what the other members give, and why that is wrong."""
    log = run_family(FAMILY, CountsOneLineLess(), subject_of(CONTRACT))

    message = next(failure.message for failure in log.failures if failure.operation == POST)
    assert message == (
        "'line_count' is 3, but its other members give 4. The contract says: \"The number of `lines`\""
    )
