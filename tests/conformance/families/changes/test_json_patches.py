# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Faults of changes by JSON Patch, and of responses to a change of one version."""

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.responses import documented_responses
from devportal.conformance.results.result import Standing
from devportal.contract.validate.json_schema import Direction
from tests.conformance.families.asking import boxes, run_family, titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = """
openapi: 3.1.0
info: {title: Switches, version: "1"}
paths:
  /switches:
    post:
      operationId: add
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/New"}}}}
      responses:
        "201": {description: Added., headers: &tag {ETag: {required: true, schema: {type: string}}}, content: &one
          {application/json: {schema: {$ref: "#/components/schemas/New"}}}}
        "400": &refused {description: The body is invalid., content: &problem {application/problem+json: {}}}
        "409": {description: There is a switch with this `key`., content: *problem}
        "422": {description: There is no such position., content: *problem}
  /switches/{key}:
    parameters: [{name: key, in: path, required: true, schema: {type: string, pattern: "^[a-z0-9-]{1,30}$"}}]
    get:
      responses: {"200": {description: Read., headers: *tag, content: *one}, "404": *refused}
    patch:
      operationId: alter
      parameters: [{name: If-Match, in: header, schema: {type: string}}]
      requestBody:
        required: true
        content:
          application/json-patch+json:
            schema:
              type: array
              items:
                type: object
                required: [op, path]
                properties:
                  op: {enum: [add, remove, replace, test]}
                  path: {type: string, pattern: "^/(title|note|on|tags|room)(/([0-9]+|-))?$"}
                  value: {}
              example: [{op: replace, path: /title, value: Lamp}]
      responses: {"200": {description: Altered., headers: *tag, content: *one}, "400": *refused, "404": *refused,
        "409": {description: A `test` failed., content: *problem}, "412": {description: Altered., content: *problem},
        "422": *refused}
components:
  schemas:
    New:
      type: object
      required: [key, title, positions, initial]
      additionalProperties: false
      properties:
        key: {type: string, pattern: "^[a-z0-9-]{1,30}$", description: Unique., example: lamp}
        title: {type: string, maxLength: 60, example: Lamp}
        note: {type: string, maxLength: 60}
        "on": {type: boolean}
        tags: {type: array, items: {type: string, maxLength: 20}, example: [hall]}
        room: {type: string, maxLength: 60}
        positions: {type: array, items: {type: object, required: [name], properties: {name: {type: string}}},
          example: [{name: up}, {name: down}]}
        initial: {type: string, description: The `name` of one of the `positions`., example: down}
"""


class Switches(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self, contract: Path) -> None:
        self.switches: dict[str, Thing] = {}
        self.versions: dict[str, int] = {}
        self.subject = subject_of(contract)
        self.schemas = request_schemas(self.subject)

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "switches":
                data = read_object(self.subject, self.schemas["add"], body)
                if data["key"] in self.switches:
                    raise Refusal(409)
                if data["initial"] not in [position.get("name") for position in data["positions"]]:
                    raise Refusal(422)
                self.switches[data["key"]] = data
                return self.show(data, 201)
            case "GET", "switches", key:
                return self.show(self.find(key))
            case "PATCH", "switches", key:
                switch = self.find(key)
                if request.headers.get("if-match", self.tag(switch)) not in ("*", self.tag(switch)):
                    raise Refusal(412)
                self.alter(switch, self.read_patch(body))
                self.versions[key] = self.versions.get(key, 0) + 1
                return self.show_altered(switch)
            case _:
                raise Refusal(404)

    def read_patch(self, body: bytes) -> list[Thing]:
        try:
            patch = json.loads(body)
        except ValueError as error:
            raise Refusal(400) from error
        schema = self.schemas["alter"]
        if schema is None or not self.subject.validator.is_valid(schema, patch, Direction.REQUEST):
            raise Refusal(400)
        return list(patch)

    def show(self, body: Thing, status: int = 200) -> Response:
        return Response(json.dumps(body), status, {"ETag": self.tag(body)}, media_type="application/json")

    def show_altered(self, switch: Thing) -> Response:
        return self.show(switch)

    def tag(self, switch: Thing) -> str:
        return f'"{switch["key"]}-{self.versions.get(switch["key"], 0)}"'

    def find(self, key: str) -> Thing:
        if key not in self.switches:
            raise Refusal(404)
        return self.switches[key]

    def alter(self, switch: Thing, patch: list[Thing]) -> None:
        altered = copy.deepcopy(switch)
        for operation in patch:
            self.apply(altered, operation)
        switch.clear()
        switch.update(altered)

    def apply(self, switch: Thing, operation: Thing) -> None:
        name, _, place = operation["path"].removeprefix("/").partition("/")
        value, holder = operation.get("value"), switch.get(name)
        match operation["op"]:
            case "add" | "replace" if place and isinstance(holder, list):
                at = len(holder) if place == "-" else int(place)
                self.place(holder, at, value, is_added=operation["op"] == "add")
            case "test":
                self.test(holder, value)
            case "remove":
                self.remove(switch, name)
            case _ if not place and self.subject.validator.is_valid(
                self.member(name), value, Direction.REQUEST
            ):
                switch[name] = value
            case _:
                raise Refusal(422)

    def member(self, name: str) -> Any:
        schema = self.subject.api.resolve(self.schemas["add"])  # type: ignore[arg-type]
        return next(each.schema for each in schema.properties if each.name == name)

    def place(self, items: list[Any], at: int, value: Any, *, is_added: bool) -> None:
        if not isinstance(value, str) or at > len(items):
            raise Refusal(422)
        items[at : at if is_added else at + 1] = [value]

    def test(self, shown: Any, value: Any) -> None:
        if shown != value:
            raise Refusal(409)

    def remove(self, switch: Thing, name: str) -> None:
        if name not in ("note", "tags", "room") or name not in switch:
            raise Refusal(422)
        del switch[name]


class IgnoresTests(Switches):
    def test(self, shown: Any, value: Any) -> None:
        pass


class AltersInPart(Switches):
    def alter(self, switch: Thing, patch: list[Thing]) -> None:
        for operation in patch:
            self.apply(switch, operation)


class ReplacesTheFirstTag(Switches):
    def place(self, items: list[Any], at: int, value: Any, *, is_added: bool) -> None:
        super().place(items, at, value, is_added=False)


class RemovesNothing(Switches):
    def remove(self, switch: Thing, name: str) -> None:
        pass


class StoresTagsInCapitals(Switches):
    def place(self, items: list[Any], at: int, value: Any, *, is_added: bool) -> None:
        super().place(items, at, str(value).upper(), is_added=is_added)


class SetsAnUndocumentedDefault(Switches):
    """The room of a creation is the one that a switch has by default."""

    def __init__(self, contract: Path) -> None:
        super().__init__(contract)
        self.rooms: dict[str, Any] = {}

    def find(self, key: str) -> Thing:
        switch = super().find(key)
        self.rooms.setdefault(key, switch.get("room"))
        return switch

    def remove(self, switch: Thing, name: str) -> None:
        super().remove(switch, name)
        if name == "room":
            switch["room"] = self.rooms[switch["key"]]


class ShowsChangesLater(Switches):
    """The first reading after a change shows what was there before."""

    def __init__(self, contract: Path) -> None:
        super().__init__(contract)
        self.before: dict[str, Thing] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        key = request.url.path.rpartition("/")[2]
        if request.method == "PATCH" and key in self.switches:
            self.before[key] = copy.deepcopy(self.switches[key])
        if request.method == "GET" and key in self.before:
            return self.show(self.before.pop(key))
        return super().respond(request, body)


class NeverTurnsOn(Switches):
    def apply(self, switch: Thing, operation: Thing) -> None:
        if operation["path"] != "/on":
            super().apply(switch, operation)


class ForgetsTheTag(Switches):
    def show_altered(self, switch: Thing) -> Response:
        return Response(json.dumps(switch), media_type="application/json")


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the contract of the servers."""
    path = tmp_path_factory.mktemp("switches") / "switches.yaml"
    path.write_text(CONTRACT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("server", "title"),
    [
        (Switches, ""),
        (StoresTagsInCapitals, ""),
        (SetsAnUndocumentedDefault, ""),
        (ShowsChangesLater, ""),
        (IgnoresTests, "a JSON Patch is applied although its `test` fails"),
        (AltersInPart, "a rejected JSON Patch is applied in part"),
        (ReplacesTheFirstTag, "a JSON Patch adds an item wrongly"),
        (RemovesNothing, "a JSON Patch does not remove a member"),
        (NeverTurnsOn, "a JSON Patch does not replace a member"),
    ],
)
def test_what_a_json_patch_does(server: type[Switches], title: str, contract: Path) -> None:
    """Each operation has its effect, and all of them or none (RFC 6902 §5)."""
    found = titles_for_contract(updated_resources.FAMILY, server(contract), contract)

    assert {each.partition(": ")[2] for each in found} == ({title} if title else set())


def test_a_response_to_a_change_of_one_version_is_confirmed(contract: Path) -> None:
    """The tag of the request is outdated when it is sent again, and a creation needs another key."""
    family = replace(updated_resources.FAMILY, sees=documented_responses.find_failures)
    log = run_family(family, ForgetsTheTag(contract), boxes(contract))
    missing = [failure for failure in log.failures if "header" in failure.title]

    assert [failure.standing for failure in missing] == [Standing.CONFIRMED]
