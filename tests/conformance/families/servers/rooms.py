# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `rooms.yaml`, with seams at which the tests beside it break its promises."""

import json
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "rooms.yaml"
SUBJECT = subject_of(CONTRACT)
SCHEMAS = request_schemas(SUBJECT)
MEMBERS = {"name", "seats", "is_quiet", "equipment"}


class Rooms(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.rooms: dict[str, Thing] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "POST", "rooms":
                room = {"id": len(self.rooms) + 1, "equipment": [], **self.read("createRoom", body)}
                self.rooms[str(room["id"])] = room
                return self.show(room, 201)
            case "PATCH", "rooms", key if key in self.rooms:
                self.change(self.rooms[key], self.read("changeRoom", body))
                return self.show(self.rooms[key])
            case "GET", "rooms", key if key in self.rooms:
                return self.show(self.rooms[key])
        raise Refusal(404)

    def read(self, operation: str, body: bytes) -> Thing:
        try:
            members = read_object(SUBJECT, SCHEMAS[operation], body)
        except Refusal as refusal:
            raise Refusal(422) from refusal
        return {name: value for name, value in members.items() if name in MEMBERS}

    def show(self, room: Thing, status: int = 200) -> Response:
        return Response(json.dumps(room), status, media_type="application/json")

    def change(self, room: Thing, members: Thing) -> None:
        room |= members
