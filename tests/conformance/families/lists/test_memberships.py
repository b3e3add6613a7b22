# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Lists into which a PUT puts what exists elsewhere: the users of a team."""

import json
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.lists import nested_resources
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server, Thing

CONTRACT = """\
openapi: 3.1.0
info: {title: Teams, version: "1"}
paths:
  /users:
    post: &create
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name],
        properties: {name: {type: string}}}}}}
      responses: {"201": {description: Created., content: {application/json: {schema: &thing
        {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string},
        memberLimit: {type: integer, description: The number of members allowed.},
        memberCount: {type: integer, description: The number of members.}}}}}}}
  /teams: {post: *create}
  /users/{userId}:
    get: &user
      parameters: [&userId {name: userId, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: It., content: {application/json: {schema: *thing}}}, "404": {description: None.}}
  /teams/{teamId}:
    get:
      parameters: [&teamId {name: teamId, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: It., content: {application/json: {schema: *thing}}}, "404": {description: None.}}
  /teams/{teamId}/members:
    get:
      parameters: [*teamId]
      responses: {"200": {description: All., content: {application/json: {schema: {type: array, items: *thing}}}}}
  /teams/{teamId}/members/{userId}:
    parameters: [*teamId, *userId]
    put: {responses: {"204": {description: Added.}, "404": {description: None.}}}
    delete: {responses: {"204": {description: Removed.}, "404": {description: None.}}}
"""


class Teams(Server):
    """An ASGI application."""

    def __init__(self) -> None:
        self.things: dict[str, Thing] = {}
        self.members: dict[str, list[str]] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        _, kind, *ids = request.scope["path"].split("/")
        if request.method == "POST":
            number = len(self.things) + 1
            self.things[f"{kind}/{number}"] = {"id": number, "name": json.loads(body)["name"]}
            return Response(json.dumps(self.things[f"{kind}/{number}"]), 201, media_type="application/json")
        if not ids or f"{kind}/{ids[0]}" not in self.things:
            raise Refusal(404)
        members = self.members.setdefault(ids[0], [])
        if len(ids) == 3:
            (self.put if request.method == "PUT" else self.remove)(members, ids[2])
            return Response(status_code=204)
        thing = {**self.things[f"{kind}/{ids[0]}"], "memberLimit": 5, "memberCount": self.count(members)}
        shown = [self.show(self.things[f"users/{each}"]) for each in members] if len(ids) == 2 else thing
        return Response(json.dumps(shown), media_type="application/json")

    def put(self, members: list[str], user: str) -> None:
        if f"users/{user}" not in self.things:
            raise Refusal(404)
        if user not in members:
            members.append(user)

    def remove(self, members: list[str], user: str) -> None:
        if user not in members:
            raise Refusal(404)
        members.remove(user)

    def count(self, members: list[str]) -> int:
        return len(members)

    def show(self, user: Thing) -> Thing:
        return user


class ShowsRoles(Teams):
    """Its items have their own identifiers; it is right."""

    def show(self, user: Thing) -> Thing:
        return {"id": 1, "name": "member", "userId": user["id"]}


class ShowsOthers(Teams):
    """Its items name what else belongs to them; it is right."""

    def show(self, user: Thing) -> Thing:
        return {**user, "address": {"id": 99}, "createdByUserId": 98}


class CountsLate(Teams):
    """Its numbers are right when they are read again; it is right."""

    counted = 0

    def count(self, members: list[str]) -> int:
        earlier, self.counted = self.counted, len(members)
        return earlier


class PutsNothing(Teams):
    def put(self, members: list[str], user: str) -> None:
        pass


class PutsTwice(Teams):
    def put(self, members: list[str], user: str) -> None:
        members.append(user)


class RemovesNothing(Teams):
    def remove(self, members: list[str], user: str) -> None:
        pass


class RemovesAll(Teams):
    def remove(self, members: list[str], user: str) -> None:  # noqa: ARG002
        members.clear()


class CountsNothing(Teams):
    def count(self, members: list[str]) -> int:  # noqa: ARG002
        return 0


LIST, ITEM = "/teams/{teamId}/members", "/teams/{teamId}/members/{userId}"


def titles_of(app: Teams, folder: Path) -> set[str]:
    """Return what the family finds wrong with a server, after the operations."""
    path = folder / "teams.yaml"
    path.write_text(CONTRACT, encoding="utf-8")
    return titles_for_contract(nested_resources.FAMILY, app, path)


def test_what_is_not_put_into_a_list_is_found(tmp_path: Path) -> None:
    """The response was a success."""
    assert titles_of(PutsNothing(), tmp_path) == {f"GET {LIST}: a list does not show what was put into it"}


def test_a_list_that_shows_more_than_its_items_is_right(tmp_path: Path) -> None:
    """An address with an identifier, and who created an item."""
    assert titles_of(ShowsOthers(), tmp_path) == set()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("app", "title"),
    [
        (Teams, ""),
        (ShowsRoles, ""),
        (CountsLate, ""),
        (PutsTwice, f"PUT {ITEM}: a repeated PUT adds the same again"),
        (RemovesNothing, f"DELETE {ITEM}: a list shows what was taken out of it"),
        (RemovesAll, f"DELETE {ITEM}: what is taken out of a list takes others with it"),
        (CountsNothing, f"PUT {ITEM}: 'memberCount' does not count what is put into a list"),
    ],
)
def test_lists_hold_what_is_put_into_them(app: type[Teams], title: str, tmp_path: Path) -> None:
    """Each once, until it is taken out; the numbers follow."""
    assert title in (titles_of(app(), tmp_path) or {""})
