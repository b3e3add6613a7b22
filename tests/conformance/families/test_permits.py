# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Faults of what depends on a state, and of filters that work as their descriptions say."""

from typing import Any

import pytest
from starlette.responses import Response

from devportal.conformance.families.filters import filters
from devportal.conformance.families.responses import consistent_members
from devportal.conformance.families.states import actions, state_machines
from devportal.conformance.family import Family
from tests.conformance.families.asking import boxes, run_family, titles_for_contract
from tests.conformance.families.servers.permits import CONTRACT, Permits, now
from tests.conformance.families.servers.server import Refusal, Thing

FAMILIES = (actions, consistent_members, filters, state_machines)


def titles(family: Family, app: Permits) -> set[str]:
    """Return the titles of what a family finds wrong, all of it confirmed."""
    return {title.partition(": ")[2] for title in titles_for_contract(family, app, CONTRACT)}


class ShowsDocumentsOfAll(Permits):
    def document(self, permit: Thing) -> Response:
        return Response(b"%PDF-1.7", media_type="application/pdf")


class OpensAfterItCloses(Permits):
    def check_hours(self, hours: Thing) -> None:
        pass


class ClosesStreetsOnce(OpensAfterItCloses):
    def create(self, data: Thing, account: str) -> Thing:
        if any(permit["street"] == data["street"] for permit in self.permits.values()):
            raise Refusal(409)
        return super().create(data, account)


class TakesNoDeposit(Permits):
    def deposit(self, lanes: int) -> int:
        return 0


class ComparesCase(Permits):
    def has_street(self, permit: Thing, text: str) -> bool:
        return str(permit["street"]).startswith(text)


class FindsStreetsByTheirEnd(Permits):
    def has_street(self, permit: Thing, text: str) -> bool:
        return text.lower() in str(permit["street"]).lower()


class FindsWholeNotes(Permits):
    def has_note(self, permit: Thing, text: str) -> bool:
        return text in ("", permit.get("note"))


class LooksAtTheFirstDesk(Permits):
    def desks(self, text: str) -> list[str]:
        return text.split(",")[:1]


class ListsRevokedPermits(Permits):
    def includes_revoked(self, query: Thing) -> bool:
        return True


class HidesRevokedPermits(Permits):
    def includes_revoked(self, query: Thing) -> bool:
        return False


class IssuesAtOnce(Permits):
    def first_state(self) -> str:
        return "issued"


class NumbersApplications(Permits):
    def create(self, data: Thing, account: str) -> Thing:
        permit = super().create(data, account)
        permit["number"] = "P-0"
        return permit


class ForgetsNumbers(Permits):
    def issue(self, permit: Thing) -> Thing:
        issued = super().issue(permit)
        del issued["number"]
        return issued


class RevokesFromTheBeginning(Permits):
    def issue(self, permit: Thing) -> Thing:
        return {**super().issue(permit), "revokedAt": now()}


class StaysArchived(Permits):
    def archived_at(self, permit: Thing) -> str | None:
        known: str | None = permit["archivedAt"]
        return known or super().archived_at(permit)


@pytest.mark.parametrize(
    ("family", "app", "title"),
    [
        (actions, ShowsDocumentsOfAll, "an operation is accepted in another state"),
        (state_machines, IssuesAtOnce, "something new has another 'state'"),
        (consistent_members, OpensAfterItCloses, "'closesAt' is accepted out of order"),
        (consistent_members, ClosesStreetsOnce, "'closesAt' is accepted out of order"),
        (consistent_members, TakesNoDeposit, "'deposit' must not be less than 'lanes.closed'"),
        (filters, ComparesCase, "the filter 'street' loses items"),
        (filters, FindsStreetsByTheirEnd, "the filter 'street' lets other items through"),
        (filters, FindsWholeNotes, "the filter 'note' loses items"),
        (filters, LooksAtTheFirstDesk, "the filter 'desk' loses items"),
        (actions, ListsRevokedPermits, "a list shows resources after 'revoke'"),
        (actions, HidesRevokedPermits, "'includeRevoked' does not list what it includes"),
        (consistent_members, NumbersApplications, "'number' has a value in a state without one"),
        (consistent_members, ForgetsNumbers, "'number' has no value in a state that needs one"),
        (consistent_members, RevokesFromTheBeginning, "'revokedAt' has a value in a state without one"),
        (consistent_members, StaysArchived, "'archivedAt' has a value in a state without one"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Permits], title: str) -> None:
    """Each server breaks one promise, and the failure names it."""
    assert title in titles(family.FAMILY, app())


@pytest.mark.parametrize("family", FAMILIES)
def test_the_right_server_is_not_accused(family: Any) -> None:
    """A number that was set once stays in later states."""
    assert titles(family.FAMILY, Permits()) == set()


def test_what_can_be_read_in_one_state_is_read_there() -> None:
    """The run moves a permit to the state in which it has a document."""
    log = run_family(actions.FAMILY, Permits(), boxes(CONTRACT))

    read = [exchange for exchange in log.exchanges if exchange.operation.endswith("/document")]
    assert any(exchange.is_success for exchange in read)
