# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Faults of changes that reach other resources, and of lists of words."""

from typing import Any

import pytest
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.family import Family
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.rooms import CONTRACT, Rooms
from tests.conformance.families.servers.server import Thing

PATCH = "PATCH /rooms/{room_id}"


class ChangesSeatsOfAll(Rooms):
    def change(self, room: Thing, members: Thing) -> None:
        super().change(room, members)
        for other in self.rooms.values() if "seats" in members else ():
            other["seats"] = members["seats"]


class MovesSeatsOfOthers(Rooms):
    """Changes others in another way: that may be what it is for."""

    def change(self, room: Thing, members: Thing) -> None:
        super().change(room, members)
        for other in self.rooms.values() if "seats" in members else ():
            if other is not room:
                other["seats"] = members["seats"] + 1


class AddsEquipment(Rooms):
    def change(self, room: Thing, members: Thing) -> None:
        items = [*room["equipment"], *members.get("equipment", ())]
        super().change(room, {**members, "equipment": list(dict.fromkeys(items))})


class KeepsEquipment(Rooms):
    def change(self, room: Thing, members: Thing) -> None:
        super().change(room, {**members, "equipment": room["equipment"]})


class StoresOneItem(Rooms):
    def show(self, room: Thing, status: int = 200) -> Response:
        return super().show({**room, "equipment": room["equipment"][:1]}, status)


@pytest.mark.parametrize(
    ("family", "app", "failure"),
    [
        (updated_resources, ChangesSeatsOfAll, f"{PATCH}: a request about one resource changes another"),
        (updated_resources, AddsEquipment, f"{PATCH}: a change of a list keeps items that it does not have"),
        (updated_resources, KeepsEquipment, f"{PATCH}: a change of a list is not read back"),
        (stored_resources, StoresOneItem, "POST /rooms: members of a creation are lost"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Rooms], failure: str) -> None:
    """Also in members that were not the first to be changed, and that another resource did not have."""
    assert titles_for_contract(family.FAMILY, app(), CONTRACT) == {failure}


@pytest.mark.parametrize("app", [Rooms, MovesSeatsOfOthers])
@pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.probes is not None], ids=lambda item: str(item.name)
)
def test_a_right_server_is_not_accused(family: Family, app: type[Rooms]) -> None:
    """Nor one that changes other resources in another way."""
    assert titles_for_contract(family, app(), CONTRACT) == set()
