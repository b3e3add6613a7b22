# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Faults of searches, lists of one parent, counts, actions, maps and versions."""

from typing import Any

import pytest

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.http import preconditions
from devportal.conformance.families.lists import list_totals, nested_resources
from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.families.states import actions
from devportal.conformance.family import Family
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.gardens import CONTRACT, Gardens
from tests.conformance.families.servers.server import Thing


class FindsAll(Gardens):
    def holds(self, garden: Thing, text: str) -> bool:  # noqa: ARG002
        return True


class FindsNamesOnly(Gardens):
    def holds(self, garden: Thing, text: str) -> bool:
        return text.casefold() in garden["name"].casefold()


class FindsOneCase(Gardens):
    def holds(self, garden: Thing, text: str) -> bool:
        return text in f"{garden['name']}\n{garden.get('notes', '')}"


class FindsBeginnings(Gardens):
    def holds(self, garden: Thing, text: str) -> bool:
        return f"{garden['name']}\n{garden.get('notes', '')}".casefold().startswith(text.casefold())


class FindsTheNewest(Gardens):
    def holds(self, garden: Thing, text: str) -> bool:
        return super().holds(garden, text) or garden["id"] == max(self.gardens)


class ListsAllPlants(Gardens):
    def plants_of(self, garden_id: int) -> list[Thing]:  # noqa: ARG002
        return [plant for garden in self.gardens for plant in super(ListsAllPlants, self).plants_of(garden)]


class ListsNoPlants(Gardens):
    def plants_of(self, garden_id: int) -> list[Thing]:  # noqa: ARG002
        return []


class ListsTheLastPlant(Gardens):
    def plants_of(self, garden_id: int) -> list[Thing]:
        return super().plants_of(garden_id)[-1:]


class IgnoresGardens(Gardens):
    def is_in_garden(self, bed: Thing, garden_id: str | None) -> bool:  # noqa: ARG002
        return True


class FindsNoGardens(Gardens):
    def is_in_garden(self, bed: Thing, garden_id: str | None) -> bool:  # noqa: ARG002
        return garden_id is None


class ForgetsArchive(Gardens):
    def archive(self, garden: Thing) -> Thing:
        return super().archive({**garden})


class ArchivesTwice(Gardens):
    def archive(self, garden: Thing) -> Thing:
        return super().archive(garden | {"isArchived": False} if garden["isArchived"] else garden)


class SetsTheTimeOnly(Gardens):
    def archive(self, garden: Thing) -> Thing:
        garden["archivedAt"] = self.now()
        return garden


class SetsNoTime(Gardens):
    def archive(self, garden: Thing) -> Thing:
        super().archive(garden)["archivedAt"] = None
        return garden


class ForgetsWater(Gardens):
    def water(self, garden: Thing) -> Thing:
        return super().water({**garden})


class FindsTheFirstStatus(Gardens):
    """Hides beds from all lists once they are planted."""

    def is_in_garden(self, bed: Thing, garden_id: str | None) -> bool:
        return super().is_in_garden(bed, garden_id) and bed["status"] == "planned"


class ForgetsRain(Gardens):
    def rain(self, garden: Thing) -> int:
        return super().rain({**garden})


class CountsNoBeds(Gardens):
    def count_beds(self, key: int) -> int:  # noqa: ARG002
        return 0


class CountsAllBeds(Gardens):
    def count_beds(self, key: int) -> int:  # noqa: ARG002
        return len(self.beds)


class CountsDeletedBeds(Gardens):
    def __init__(self) -> None:
        super().__init__()
        self.deleted: list[Thing] = []

    def delete_bed(self, key: int) -> None:
        self.deleted.append(self.beds[key])
        super().delete_bed(key)

    def count_beds(self, key: int) -> int:
        return super().count_beds(key) + [bed["gardenId"] for bed in self.deleted].count(key)


class DropsLabels(Gardens):
    def add_garden(self, data: Thing) -> Thing:
        return super().add_garden({**data, "labels": {}})


class DropsTheSecondLabel(Gardens):
    def add_garden(self, data: Thing) -> Thing:
        labels = [*data.get("labels", {}).items()]
        return super().add_garden({**data, "labels": dict(labels[:1])})


class LowersLabels(Gardens):
    def add_garden(self, data: Thing) -> Thing:
        labels = {name.lower(): value for name, value in data.get("labels", {}).items()}
        return super().add_garden({**data, "labels": labels})


class StoresOneValue(Gardens):
    def add_garden(self, data: Thing) -> Thing:
        return super().add_garden({**data, "labels": dict.fromkeys(data.get("labels", {}), "true")})


class ReplacesLabels(Gardens):
    def change(self, garden: Thing, data: Thing) -> None:
        garden.update(data)


class IgnoresLabels(Gardens):
    def change(self, garden: Thing, data: Thing) -> None:
        super().change(garden, {name: value for name, value in data.items() if name != "labels"})


class LosesLabels(Gardens):
    def change(self, garden: Thing, data: Thing) -> None:
        super().change(garden, data)
        if "labels" not in data:
            garden["labels"] = {}


class WatersAll(Gardens):
    """Changes other resources in another way than the one that is named, which may be meant."""

    def water(self, garden: Thing) -> Thing:
        super().water(garden)
        for other in self.gardens.values():
            other["timesWatered"] += 1
        return garden


class ArchivesAll(Gardens):
    def archive(self, garden: Thing) -> Thing:
        super().archive(garden)
        for other in self.gardens.values():
            other["isArchived"] = True
        return garden


class ChangesAll(Gardens):
    def change(self, garden: Thing, data: Thing) -> None:  # noqa: ARG002
        for other in self.gardens.values():
            super().change(other, data)


class TakesAnyVersion(Gardens):
    def check_version(self, garden: Thing, version: int) -> None:
        pass


class KeepsTheVersion(Gardens):
    def raise_version(self, garden: Thing) -> None:
        pass


class ChangesAllTheSame(Gardens):
    def check_version(self, garden: Thing, version: int) -> None:
        if garden["version"] != version:
            garden["name"] = "Another"
        super().check_version(garden, version)


ARCHIVE, PATCH = "POST /gardens/{gardenId}:archive", "PATCH /gardens/{gardenId}"
PLANTS = "/gardens/{gardenId}/plants"


@pytest.mark.parametrize(
    ("family", "app", "failure"),
    [
        (filters, FindsAll, "GET /gardens: the filter 'q' lets other items through"),
        (filters, FindsTheNewest, "GET /gardens: the filter 'q' lets other items through"),
        (filters, FindsNamesOnly, "GET /gardens: the filter 'q' loses items"),
        (filters, FindsOneCase, "GET /gardens: the filter 'q' loses items"),
        (filters, FindsBeginnings, "GET /gardens: the filter 'q' loses items"),
        (nested_resources, ListsAllPlants, f"GET {PLANTS}: a list shows resources of another parent"),
        (
            nested_resources,
            ListsNoPlants,
            f"GET {PLANTS}: a list does not show what was created for its parent",
        ),
        (
            nested_resources,
            ListsTheLastPlant,
            f"GET {PLANTS}: a list does not show what was created for its parent",
        ),
        (nested_resources, IgnoresGardens, "GET /beds: the filter 'gardenId' lets other items through"),
        (nested_resources, FindsNoGardens, "GET /beds: the filter 'gardenId' loses items"),
        (actions, ForgetsArchive, f"{ARCHIVE}: an action is not read back"),
        (actions, ArchivesTwice, f"{ARCHIVE}: an action is accepted twice"),
        (actions, SetsTheTimeOnly, f"{ARCHIVE}: an action leaves 'isArchived' as it was"),
        (actions, SetsNoTime, f"{ARCHIVE}: an action leaves 'archivedAt' as it was"),
        (actions, ForgetsWater, "POST /gardens/{gardenId}/water: an action is not read back"),
        (actions, FindsTheFirstStatus, "GET /beds: the filter 'status' loses items"),
        (actions, ForgetsRain, "POST /gardens/{gardenId}/rain: an action is not read back"),
        (list_totals, CountsNoBeds, "POST /beds: a creation does not raise 'bedCount' by one"),
        (list_totals, CountsAllBeds, "POST /beds: a creation does not raise 'bedCount' by one"),
        (list_totals, CountsDeletedBeds, "DELETE /beds/{bedId}: a deletion does not lower 'bedCount' by one"),
        (stored_resources, DropsLabels, "POST /gardens: members of a creation are lost"),
        (stored_resources, DropsTheSecondLabel, "POST /gardens: members of a creation are lost"),
        (stored_resources, LowersLabels, "POST /gardens: members of a creation are lost"),
        (stored_resources, StoresOneValue, "POST /gardens: members of a creation are replaced"),
        (updated_resources, ReplacesLabels, f"{PATCH}: a change of a map changes its other entries"),
        (updated_resources, IgnoresLabels, f"{PATCH}: a change of a map is not read back"),
        (updated_resources, LosesLabels, f"{PATCH}: a change loses what it does not name"),
        (updated_resources, ChangesAll, f"{PATCH}: a request about one resource changes another"),
        (actions, ArchivesAll, f"{ARCHIVE}: a request about one resource changes another"),
        (preconditions, TakesAnyVersion, f"{PATCH}: a change of another version is not rejected"),
        (preconditions, KeepsTheVersion, f"{PATCH}: a change does not raise 'version'"),
        (preconditions, ChangesAllTheSame, f"{PATCH}: a rejected change is made all the same"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Gardens], failure: str) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert titles_for_contract(family.FAMILY, app(), CONTRACT) == {failure}


def test_another_effect_on_others_is_no_failure() -> None:
    """An action may change other resources in its own way, such as their positions."""
    assert titles_for_contract(actions.FAMILY, WatersAll(), CONTRACT) == set()


@pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.probes is not None], ids=lambda item: str(item.name)
)
def test_the_right_server_is_not_accused(family: Family) -> None:
    """The right server keeps the promises of every family."""
    assert titles_for_contract(family, Gardens(), CONTRACT) == set()
