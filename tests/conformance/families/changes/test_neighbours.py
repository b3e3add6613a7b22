# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Changes of one resource that reach others of its type."""

import json
from pathlib import Path

import pytest
import yaml
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server, Thing

ROOM = {
    "name": {"type": "string", "minLength": 1, "example": "Attic"},
    "seats": {"type": "integer", "minimum": 1},
    "is_quiet": {"type": "boolean"},
}
ID = {"name": "room_id", "in": "path", "required": True, "schema": {"type": "integer"}}


def _json_body(schema: Thing) -> Thing:
    return {"description": "The room.", "content": {"application/json": {"schema": schema}}}


def _operation(name: str, status: str, body: Thing | None = None) -> Thing:
    room = {"type": "object", "properties": {"id": {"type": "integer", "readOnly": True}, **ROOM}}
    responses = {status: _json_body(room), "404": {"description": "Not found."}}
    return {
        "operationId": name,
        "responses": responses,
        **({"requestBody": {"required": True, **_json_body(body)}} if body else {}),
    }


CONTRACT = {
    "openapi": "3.0.3",
    "info": {"title": "Rooms", "version": "1"},
    "paths": {
        "/rooms": {
            "post": _operation(
                "createRoom", "201", {"type": "object", "required": ["name"], "properties": ROOM}
            )
        },
        "/rooms/{room_id}": {
            "parameters": [ID],
            "get": _operation("readRoom", "200"),
            "patch": _operation("changeRoom", "200", {"type": "object", "properties": ROOM}),
        },
    },
}


class Rooms(Server):
    """The right server."""

    def __init__(self) -> None:
        self.rooms: dict[str, Thing] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "POST", "rooms":
                room = {"id": len(self.rooms) + 1, **json.loads(body)}
                self.rooms[str(room["id"])] = room
                return self.show(room, 201)
            case "PATCH", "rooms", key if key in self.rooms:
                self.change(self.rooms[key], json.loads(body))
                return self.show(self.rooms[key])
            case "GET", "rooms", key if key in self.rooms:
                return self.show(self.rooms[key])
        raise Refusal(404)

    def show(self, room: Thing, status: int = 200) -> Response:
        return Response(json.dumps(room), status, media_type="application/json")

    def change(self, room: Thing, members: Thing) -> None:
        room |= members


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


@pytest.mark.parametrize(
    ("app", "titles"),
    [
        (Rooms, set()),
        (MovesSeatsOfOthers, set()),
        (
            ChangesSeatsOfAll,
            {"PATCH /rooms/{room_id}: a request about one resource changes another"},
        ),
    ],
)
def test_values_of_one_resource_in_another_are_found(
    app: type[Rooms], titles: set[str], tmp_path: Path
) -> None:
    """Also of members that were not the first to be changed, and that the other resource did not have."""
    contract = tmp_path / "openapi.yaml"
    contract.write_text(yaml.safe_dump(CONTRACT), encoding="utf-8")

    assert titles_for_contract(updated_resources.FAMILY, app(), contract) == titles
