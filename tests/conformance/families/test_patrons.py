# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Faults of values that only one resource may have."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, ClassVar

import pytest

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import unique_values
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.http import repeat_reads
from devportal.conformance.families.idempotency import idempotency_keys
from devportal.conformance.families.lists import list_totals, sorting
from devportal.conformance.families.references import unknown_ids
from devportal.conformance.families.security import tenants
from devportal.conformance.families.states import actions
from devportal.conformance.family import Family
from tests.conformance.families.asking import EVERYONE, run_family
from tests.conformance.families.servers.patrons import CONTRACT, DEFAULTS, Patrons
from tests.conformance.families.servers.server import Refusal, Thing
from tests.conformance.running import subject_of

FAMILIES = (
    actions,
    repeat_reads,
    deleted_resources,
    idempotency_keys,
    list_totals,
    sorting,
    tenants,
    unique_values,
    unknown_ids,
    updated_resources,
)


def titles(family: Family, app: Patrons) -> set[str]:
    """Return the titles of what a family finds wrong, all of it confirmed."""
    log = run_family(family, app, replace(subject_of(CONTRACT), parties=EVERYONE))
    failures = [failure for failure in log.failures if failure.check == family.name]
    assert all(failure.fails for failure in failures), failures
    return {failure.title for failure in failures}


class CreatesAgain(Patrons):
    def create(self, data: Thing) -> Thing:
        return self.add(data)


class OverwritesOnConflict(Patrons):
    def create(self, data: Thing) -> Thing:
        for patron in self.patrons.values():
            if patron["email"] == data["email"] and self.owners[patron["id"]] == self.account:
                patron.update(data)
        return super().create(data)


class ChecksAllAccounts(Patrons):
    def has_value(self, name: str, value: Any, own: Thing | None = None) -> bool:
        return any(patron[name] == value and patron is not own for patron in self.patrons.values())


class ReplacesWithoutACheck(Patrons):
    def change(self, method: str, patron: Thing, data: Thing) -> Thing:
        if method == "PUT":
            patron.update(data)
            return patron
        return super().change(method, patron, data)


class PatchesWithoutACheck(Patrons):
    def change(self, method: str, patron: Thing, data: Thing) -> Thing:
        if method == "PATCH":
            patron.update(data)
            return patron
        return super().change(method, patron, data)


class TakesEqualItems(Patrons):
    def batch(self, items: list[Thing]) -> list[Thing]:
        for item in items:
            self.check_values(item)
        return [self.add(item) for item in items]


class StoresNoSettings(Patrons):
    def set(self, key: str, data: Thing) -> Thing:
        return {**self.settings[key], **data}


class ResetsSettings(Patrons):
    def set(self, key: str, data: Thing) -> Thing:
        self.settings[key] = {**DEFAULTS, **data}
        return self.settings[key]


class DeletesTwo(Patrons):
    def delete(self, patron: Thing) -> None:
        super().delete(patron)
        self.patrons.pop(next(reversed(self.patrons), ""), None)


class DeletesTheOneBefore(Patrons):
    def delete(self, patron: Thing) -> None:
        ids = list(self.patrons)
        before = ids[: ids.index(patron["id"])][-1:]
        super().delete(patron)
        for other in before:
            self.patrons.pop(other)


class DeletesWhatHasLoans(Patrons):
    def delete(self, patron: Thing) -> None:
        del self.patrons[patron["id"]]


class CountsDeletedCards(Patrons):
    def delete_card(self, patron: Thing, card_id: str) -> None:
        super().delete_card({**patron}, card_id)


class ResetsOnReplacement(Patrons):
    reset: ClassVar[Thing] = {}

    def change(self, method: str, patron: Thing, data: Thing) -> Thing:
        changed = super().change(method, patron, data)
        changed.update(self.reset if method == "PUT" else {})
        return changed


class ResetsCounts(ResetsOnReplacement):
    reset: ClassVar[Thing] = {"cardCount": 0}


class ResetsStates(ResetsOnReplacement):
    reset: ClassVar[Thing] = {"state": "open"}


class ResetsVersions(ResetsOnReplacement):
    reset: ClassVar[Thing] = {"version": 1}


class CountsThePage(Patrons):
    def page(self, number: int, size: int) -> Thing:
        page = super().page(number, size)
        return {**page, "count": len(page["items"])}


class ForgetsTheLastPage(Patrons):
    def page(self, number: int, size: int) -> Thing:
        page = super().page(number, size)
        return {**page, "totalPages": page["count"] // size}


class MovesWhenRead(Patrons):
    def find(self, key: str) -> Thing:
        found = super().find(key)
        found["updatedAt"] = self.now()
        return found


class DeletesBlockedPatrons(Patrons):
    def check_state(self, patron: Thing) -> None:
        """Delete patrons in any state."""


class ListsNewestFirst(Patrons):
    def page(self, number: int, size: int) -> Thing:
        page = super().page(number, size)
        return {**page, "items": page["items"][::-1]}


class CreatesAllAtOnce(ListsNewestFirst):
    """Has one time for all that exist when the list is read first, and a later one afterwards."""

    is_read = False

    def now(self) -> str:
        self.moment += timedelta(seconds=3 if self.is_read else 0)
        return self.moment.isoformat().replace("+00:00", "Z")

    def page(self, number: int, size: int) -> Thing:
        page = super().page(number, size)
        self.is_read = len(page["items"]) > 1
        return page


class MovesOldPatrons(Patrons):
    """Has one creation time for all, and touches them in another order: the list is still the oldest first."""

    def now(self) -> str:
        return self.moment.isoformat().replace("+00:00", "Z")

    def page(self, number: int, size: int) -> Thing:
        page = super().page(number, size)
        for place, patron in enumerate(page["items"]):
            moved = self.moment - timedelta(seconds=9 * place)
            patron["updatedAt"] = moved.isoformat().replace("+00:00", "Z")
        return page


class UsesUpKeys(Patrons):
    def __init__(self) -> None:
        super().__init__()
        self.used: set[str] = set()

    def lend(self, data: Thing) -> Thing:
        if self.key in self.used and self.key not in self.keys:
            raise Refusal(409)
        self.used.add(self.key)
        return super().lend(data)


class LendsToNobody(Patrons):
    def check_patron(self, key: str) -> None:
        """Look for nobody."""


class TakesLoansOfOthers(Patrons):
    def check_loan(self, key: str) -> None:
        if key not in self.loans:
            raise Refusal(409)


@pytest.mark.parametrize(
    ("family", "app", "title"),
    [
        (unique_values, CreatesAgain, "two resources have one 'email'"),
        (unique_values, CreatesAgain, "two resources have one 'code'"),
        (
            unique_values,
            OverwritesOnConflict,
            "a rejected creation changes the resource that has its value",
        ),
        (unique_values, ChecksAllAccounts, "'email' is unique across accounts"),
        (unique_values, ReplacesWithoutACheck, "a change takes the 'email' of another resource"),
        (unique_values, PatchesWithoutACheck, "a change takes the 'code' of another resource"),
        (unique_values, TakesEqualItems, "two items of a bulk creation have one 'email'"),
        (deleted_resources, DeletesTwo, "a deletion removes another resource"),
        (deleted_resources, DeletesTheOneBefore, "a deletion removes another resource"),
        (deleted_resources, DeletesWhatHasLoans, "a resource is deleted that others refer to"),
        (deleted_resources, CountsDeletedCards, "a deletion does not lower 'cardCount'"),
        (list_totals, CountsThePage, "'count' is not the number of items"),
        (list_totals, ForgetsTheLastPage, "'totalPages' is not the number of pages"),
        (updated_resources, ResetsCounts, "a change resets 'cardCount'"),
        (updated_resources, ResetsStates, "a change resets 'state'"),
        (updated_resources, ResetsVersions, "a change does not raise 'version'"),
        (repeat_reads, MovesWhenRead, "a reading moves 'updatedAt'"),
        (actions, DeletesBlockedPatrons, "an operation is accepted in another state"),
        (sorting, ListsNewestFirst, "a list is not oldest first"),
        (sorting, CreatesAllAtOnce, "a list is not oldest first"),
        (idempotency_keys, UsesUpKeys, "a rejected request uses up its key"),
        (tenants, TakesLoansOfOthers, "'loanId' takes things of another account"),
        (unknown_ids, LendsToNobody, "'patronId' takes what does not exist"),
        (updated_resources, StoresNoSettings, "a change is not read back"),
        (updated_resources, ResetsSettings, "a change resets other members"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Patrons], title: str) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert title in titles(family.FAMILY, app())


@pytest.mark.parametrize("family", FAMILIES)
def test_the_right_server_is_not_accused(family: Any) -> None:
    """The right server keeps the promises of every family."""
    assert titles(family.FAMILY, Patrons()) == set()


def test_a_time_whose_order_is_unknown_excuses_the_others() -> None:
    """The list may be in the order of the times that are all the same."""
    assert titles(sorting.FAMILY, MovesOldPatrons()) == set()
