# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Faults of resources whose identifiers stand in resource names, such as `festivals/42` (AIP-122)."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.http import preconditions
from devportal.conformance.families.idempotency import idempotency, idempotency_keys
from devportal.conformance.families.lists import list_totals, listed_resources, nested_resources, sorting
from devportal.conformance.families.security import tenants
from devportal.conformance.family import Family
from tests.conformance.families.asking import EVERYONE, run_family
from tests.conformance.families.servers.festivals import CONTRACT, Festivals
from tests.conformance.families.servers.server import Refusal, Thing
from tests.conformance.running import subject_of

FAMILIES = (
    deleted_resources,
    filters,
    idempotency,
    idempotency_keys,
    list_totals,
    listed_resources,
    nested_resources,
    preconditions,
    sorting,
    stored_resources,
    tenants,
    updated_resources,
)


def titles(family: Family, app: Festivals) -> set[str]:
    """Return the titles of what a family finds wrong, all of it confirmed."""
    log = run_family(family, app, replace(subject_of(CONTRACT), parties=EVERYONE))
    failures = [failure for failure in log.failures if failure.check == family.name]
    assert all(failure.fails for failure in failures), failures
    return {f"{failure.operation}: {failure.title}" for failure in failures}


class IgnoresCapacity(Festivals):
    def change(self, festival: Thing, data: Thing) -> Thing:
        return super().change(festival, {name: data[name] for name in data if name != "capacity"})


class ForgetsWhetherItIsFree(Festivals):
    def create(self, data: Thing, account: str) -> Thing:
        return super().create({**data, "is_free": False}, account)


class TakesAnyEtag(Festivals):
    def check_etag(self, festival: Thing, data: Thing) -> None:
        pass


class HasOneEtag(Festivals):
    def etag(self, festival: Thing) -> str:
        return '"1"'


class ListsOnlySmallOnes(Festivals):
    def items(self, account: str, *, with_deleted: bool = False) -> list[Thing]:
        shown = super().items(account, with_deleted=with_deleted)
        return [festival for festival in shown if festival["capacity"] < 100]


class ListsDeletedOnes(Festivals):
    def items(self, account: str, *, with_deleted: bool = False) -> list[Thing]:
        return super().items(account, with_deleted=True)


class NeverListsDeletedOnes(Festivals):
    def items(self, account: str, *, with_deleted: bool = False) -> list[Thing]:
        return super().items(account)


class ForgetsDeletedOnes(Festivals):
    def find(self, key: str, account: str) -> Thing:
        if "deleteTime" in self.festivals.get(key, {}):
            raise Refusal(404)
        return super().find(key, account)


class ListsInTheOrderOfCreation(Festivals):
    def sort(self, festivals: list[Thing]) -> list[Thing]:
        return festivals


class LooksAtTheFirstGenre(Festivals):
    def has_genre(self, festival: Thing, genre: str | None) -> bool:
        return genre is None or festival.get("genres", [])[:1] == [genre]


class IgnoresGenres(Festivals):
    def has_genre(self, festival: Thing, genre: str | None) -> bool:
        return True


class KeepsWhatItListedFirst(Festivals):
    def __init__(self) -> None:
        super().__init__()
        self.first: dict[str, Thing] = {}

    def items(self, account: str, *, with_deleted: bool = False) -> list[Thing]:
        shown = super().items(account, with_deleted=with_deleted)
        return [{**self.first.setdefault(item["name"], item), "etag": item["etag"]} for item in shown]


class CountsThePage(Festivals):
    def total(self, festivals: list[Thing], page: list[Thing]) -> int:
        return len(page)


class CreatesTwice(Festivals):
    def once(self, request_id: str, account: str, respond: Callable[[], Response]) -> Response:
        return respond()


class ShowsAllToAll(Festivals):
    def may_see(self, key: str, account: str) -> bool:
        return True


class ReadsPassesOfOthers(Festivals):
    def find_pass(self, key: str, pass_id: str) -> Thing:
        found = next((passes[pass_id] for passes in self.passes.values() if pass_id in passes), None)
        if found is None:
            raise Refusal(404)
        return found


class ListsPassesOfOthers(Festivals):
    def passes_of(self, key: str) -> list[Thing]:
        return [item for passes in self.passes.values() for item in passes.values()]


CREATE, LIST = "POST /v1/festivals", "GET /v1/festivals"
ONE = "/v1/festivals/{festival}"


@pytest.mark.parametrize(
    ("app", "family", "expected"),
    [
        (IgnoresCapacity, updated_resources, f"PATCH {ONE}: a change ignores a member"),
        (ForgetsWhetherItIsFree, stored_resources, f"{CREATE}: members of a creation are replaced"),
        (TakesAnyEtag, preconditions, f"PATCH {ONE}: a change of another version is not rejected"),
        (HasOneEtag, preconditions, f"PATCH {ONE}: a change does not move 'etag'"),
        (ListsOnlySmallOnes, listed_resources, f"{LIST}: what was created is not in its list"),
        (ListsDeletedOnes, deleted_resources, f"DELETE {ONE}: what was deleted is still listed"),
        (
            NeverListsDeletedOnes,
            deleted_resources,
            f"{LIST}: 'showDeleted' does not include what was deleted",
        ),
        (ForgetsDeletedOnes, deleted_resources, f"DELETE {ONE}: what was deleted cannot be read any more"),
        (ListsInTheOrderOfCreation, sorting, f"{LIST}: a list is not in the order of its description"),
        (LooksAtTheFirstGenre, filters, f"{LIST}: the filter 'genre' loses items"),
        (IgnoresGenres, filters, f"{LIST}: the filter 'genre' lets other items through"),
        (KeepsWhatItListedFirst, listed_resources, f"{LIST}: a list shows other values than a reading"),
        (CountsThePage, list_totals, f"{LIST}: 'totalSize' is not the number of items"),
        (CreatesTwice, idempotency, f"{CREATE}: a repeated request makes a second thing"),
        (ShowsAllToAll, tenants, f"GET {ONE}: a thing of one account is open to another"),
        (
            ReadsPassesOfOthers,
            nested_resources,
            f"GET {ONE}/passes/{{pass}}: a nested resource is read below another parent",
        ),
        (
            ListsPassesOfOthers,
            nested_resources,
            f"GET {ONE}/passes: a list shows resources of another parent",
        ),
    ],
)
def test_a_fault_is_found(app: type[Festivals], family: object, expected: str) -> None:
    """The identifier in the name leads to the resource, and finds it in lists."""
    assert expected in titles(family.FAMILY, app())  # type: ignore[attr-defined]


def test_the_right_server_is_clean() -> None:
    """Soft-deleted festivals can be read, and so can their passes; an etag in a body is not stored."""
    assert {family.__name__: titles(family.FAMILY, Festivals()) for family in FAMILIES} == {
        family.__name__: set() for family in FAMILIES
    }
