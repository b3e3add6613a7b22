# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Resources at addresses that the client chooses, and changes in an envelope."""

from pathlib import Path

import pytest

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.http import repeat_reads
from devportal.conformance.families.lists import listed_resources
from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.shelves import CONTRACT, Shelves, Thing, titles
from tests.conformance.running import subject_of


class LosesNewShelves(Shelves):
    def put(self, code: str, members: Thing) -> Thing:
        made = super().put(code, members)
        return self.shelves.pop(code) if members.get("boards") else made


class LosesLabels(Shelves):
    def put(self, code: str, members: Thing) -> Thing:
        return super().put(code, {name: member for name, member in members.items() if name != "label"})


class KeepsDeletedShelves(Shelves):
    def delete(self, code: str) -> None:
        return


class ListsNoNewShelves(Shelves):
    def shown_things(self) -> list[Thing]:
        return []


class LosesOftenReadShelves(Shelves):
    """Loses a shelf after it was read a dozen times."""

    def __init__(self) -> None:
        super().__init__()
        self.readings: dict[str, int] = {}

    def read(self, code: str) -> Thing:
        self.readings[code] = self.readings.get(code, 0) + 1
        shelf = super().read(code)
        if self.readings[code] >= 12:
            del self.shelves[code]
        return shelf


class ResetsBoards(Shelves):
    def change(self, shelf: Thing, members: Thing) -> Thing:
        return super().change(shelf, {"boards": 0, **members})


class IgnoresColours(Shelves):
    def change(self, shelf: Thing, members: Thing) -> Thing:
        return super().change(shelf, {name: member for name, member in members.items() if name != "colour"})


class DoublesBoards(Shelves):
    def change(self, shelf: Thing, members: Thing) -> Thing:
        return super().change(
            shelf, {name: 2 * member if name == "boards" else member for name, member in members.items()}
        )


class MovesCreation(Shelves):
    def change(self, shelf: Thing, members: Thing) -> Thing:
        return super().change(shelf, {**members, "created_at": self.now()})


class RoundsPrices(Shelves):
    def put(self, code: str, members: Thing) -> Thing:
        books = [{"price": f"{book['price'].partition('.')[0]}.00"} for book in members.get("books", ())]
        return super().put(code, {**members, "books": books})


class MovesDays(Shelves):
    def put(self, code: str, members: Thing) -> Thing:
        return super().put(code, {**members, "built": "2024-02-27"})


class TakesFalseForNothing(Shelves):
    def put(self, code: str, members: Thing) -> Thing:
        return super().put(code, {**members, "wide": members.get("wide") or True})


class Ignores(Shelves):
    """Ignores one of the filters of the list."""

    ignored: str

    def fits(self, shelf: Thing, query: dict[str, str]) -> bool:
        return super().fits(shelf, {name: value for name, value in query.items() if name != self.ignored})


class IgnoresLeast(Ignores):
    ignored = "min_boards"


class IgnoresMost(Ignores):
    ignored = "max_boards"


class IgnoresDays(Ignores):
    ignored = "built_from"


class IgnoresRooms(Ignores):
    ignored = "room"


class ExcludesTheBound(Shelves):
    def fits(self, shelf: Thing, query: dict[str, str]) -> bool:
        return super().fits(shelf, query) and str(shelf.get("boards")) != query.get("min_boards")


@pytest.mark.parametrize(
    ("family", "app", "title"),
    [
        (stored_resources.FAMILY, LosesNewShelves, "what was created cannot be read"),
        (stored_resources.FAMILY, LosesLabels, "members of a creation are lost"),
        (deleted_resources.FAMILY, KeepsDeletedShelves, "what was deleted can still be read"),
        (listed_resources.FAMILY, ListsNoNewShelves, "what was created is not in its list"),
        (repeat_reads.FAMILY, LosesOftenReadShelves, "a thing comes and goes"),
        (updated_resources.FAMILY, ResetsBoards, "a change loses what it does not name"),
        (updated_resources.FAMILY, IgnoresColours, "a change ignores a member"),
        (updated_resources.FAMILY, DoublesBoards, "a change stores another value"),
        (stored_resources.FAMILY, RoundsPrices, "members of a creation are replaced"),
        (stored_resources.FAMILY, MovesDays, "members of a creation are replaced"),
        (stored_resources.FAMILY, TakesFalseForNothing, "members of a creation are replaced"),
        (filters.FAMILY, IgnoresLeast, "the filter 'min_boards' lets other items through"),
        (filters.FAMILY, IgnoresMost, "the filter 'max_boards' lets other items through"),
        (filters.FAMILY, IgnoresDays, "the filter 'built_from' lets other items through"),
        (filters.FAMILY, IgnoresRooms, "the filter 'room' lets other items through"),
        (filters.FAMILY, ExcludesTheBound, "the filter 'min_boards' loses items"),
        (updated_resources.FAMILY, MovesCreation, "a change moves the creation time"),
    ],
)
def test_each_wrong_server_is_found(family: Family, app: type[Shelves], title: str) -> None:
    """A PUT that creates is tested like a POST, and members in an envelope like others."""
    assert title in titles(family, app())


class RoundsTimes(Shelves):
    """Shows the creation time more precisely before a shelf is stored than afterwards."""

    def change(self, shelf: Thing, members: Thing) -> Thing:
        return super().change(shelf, {**members, "created_at": f"{shelf['created_at'][:19]}+00:00"})


class ExcludesTheDay(Shelves):
    """Takes the bound of a day for one that is not part of the range."""

    def fits(self, shelf: Thing, query: dict[str, str]) -> bool:
        return super().fits(shelf, query) and shelf.get("built") != query.get("built_from")


class ReversesBooks(Shelves):
    def put(self, code: str, members: Thing) -> Thing:
        return super().put(code, {**members, "books": members.get("books", [])[::-1]})


@pytest.mark.parametrize("app", [Shelves, RoundsTimes, ExcludesTheDay, ReversesBooks])
@pytest.mark.parametrize(
    "family",
    [
        stored_resources.FAMILY,
        deleted_resources.FAMILY,
        listed_resources.FAMILY,
        repeat_reads.FAMILY,
        updated_resources.FAMILY,
        filters.FAMILY,
    ],
    ids=lambda item: item.name,
)
def test_right_servers_are_left_in_peace(family: Family, app: type[Shelves]) -> None:
    """The good server breaks no promise; the precision of a time, a day that is no part of its range, and the
    order of a list are none.
    """
    assert titles(family, app()) == set()


def test_a_day_that_belongs_to_its_range_by_its_words_is_shown(tmp_path: Path) -> None:
    """“The first day, inclusive” is a promise about shelves of that very day."""
    contract = tmp_path / "shelves.yaml"
    described = "built_from, in: query, description: 'The first day, inclusive.',"
    contract.write_text(CONTRACT.read_text().replace("built_from, in: query,", described))
    subject = subject_of(contract)

    assert {failure.title for failure in run_family(filters.FAMILY, ExcludesTheDay(), subject).failures} == {
        "the filter 'built_from' loses items"
    }
    assert not run_family(filters.FAMILY, Shelves(), subject).failures
