# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Resources with the addresses of OData, and references by a name such as `tariff_code`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.creations import stored_resources, unique_ids
from devportal.conformance.families.http import repeat_reads
from devportal.conformance.families.references import unknown_ids
from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family, titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.0.3
info: {title: Shelves, version: "1"}
paths:
  /Racks:
    post:
      responses:
        "201":
          description: Added.
          content: &rack {application/json: {schema: {$ref: '#/components/schemas/Rack'}}}
  /Racks({Id}):
    get:
      parameters: &id [{name: Id, in: path, required: true, schema: {type: integer, minimum: 1}}]
      responses: {"200": {description: A rack., content: *rack}, "404": {description: None.}}
  /Tariffs:
    post:
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Tariff'}}}
      responses:
        "201":
          description: Added.
          content: &tariff {application/json: {schema: {$ref: '#/components/schemas/Tariff'}}}
  /Tariffs('{Code}'):
    get:
      parameters: [{name: Code, in: path, required: true, schema: {type: string, pattern: '^[a-z0-9]{6,12}$'}}]
      responses: {"200": {description: A tariff., content: *tariff}, "404": {description: None.}}
  /Units:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [RackId, TariffCode]
              properties:
                RackId: {type: integer, minimum: 1}
                TariffCode: {type: string}
                Code: {type: string, description: What the unit is called., example: unit-1}
      responses:
        "201":
          description: Added.
          content: &unit {application/json: {schema: {$ref: '#/components/schemas/Unit'}}}
        "422": {description: The rack or the tariff does not exist.}
  /Units({Id}):
    get:
      parameters: *id
      responses: {"200": {description: A unit., content: *unit}, "404": {description: None.}}
  /Units({Id})/Move:
    post:
      parameters: *id
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [RackId], properties: {RackId: {type: integer, minimum: 1}}}
      responses:
        "200": {description: Moved., content: *unit}
        "404": {description: None.}
        "422": {description: The rack does not exist.}
components:
  schemas:
    Rack: {type: object, required: [Id], properties: {Id: {type: integer}}}
    Tariff:
      type: object
      required: [Code]
      properties: {Code: {type: string, pattern: '^[a-z0-9]{6,12}$'}}
    Unit:
      type: object
      required: [Id, RackId, TariffCode]
      properties: {Id: {type: integer}, RackId: {type: integer}, TariffCode: {type: string}}
"""
KEY = re.compile(r"/(\w+)\('?(\w+)'?\)(/Move)?")


class Shelves(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.things: dict[str, dict[str, Thing]] = {"Racks": {}, "Tariffs": {}, "Units": {}}

    def respond(self, request: Request, body: bytes) -> Response:
        path = request.scope["path"]
        if request.method == "POST" and path.strip("/") in self.things:
            return self.json(self.create(path.strip("/"), self.read(body)), 201)
        key = KEY.fullmatch(path)
        if key is None:
            raise Refusal(404)
        thing = self.find(key[1], key[2])
        if request.method == "POST" and key[1] == "Units" and key[3]:
            data = self.read(body)
            self.check_move(data)
            thing["RackId"] = data["RackId"]
        elif request.method != "GET" or key[3]:
            raise Refusal(404)
        return self.json(thing)

    def read(self, body: bytes) -> Thing:
        try:
            data = json.loads(body or b"{}")
        except (ValueError, RecursionError) as error:
            raise Refusal(400) from error
        if not isinstance(data, dict):
            raise Refusal(400)
        return data

    def json(self, body: Any, status: int = 200) -> Response:
        return Response(json.dumps(body), status, media_type="application/json")

    def find(self, collection: str, key: str) -> Thing:
        if key not in self.things.get(collection, {}):
            raise Refusal(404)
        return self.things[collection][key]

    def create(self, collection: str, data: Thing) -> Thing:
        if collection == "Units":
            self.check_rack(data)
            if str(data.get("TariffCode")) not in self.things["Tariffs"]:
                raise Refusal(422)
        if collection == "Tariffs" and not re.fullmatch("[a-z0-9]{6,12}", str(data.get("Code"))):
            raise Refusal(400)
        thing = data if collection == "Tariffs" else {"Id": sum(map(len, self.things.values())) + 1, **data}
        self.store(collection, str(thing.get("Id", thing.get("Code"))), thing)
        return thing

    def store(self, collection: str, key: str, thing: Thing) -> None:
        self.things[collection][key] = thing

    def check_rack(self, data: Thing) -> None:
        if str(data.get("RackId")) not in self.things["Racks"]:
            raise Refusal(422)

    def check_move(self, data: Thing) -> None:
        self.check_rack(data)


class MovesAnywhere(Shelves):
    def check_move(self, data: Thing) -> None:
        if not isinstance(data.get("RackId"), int):
            raise Refusal(422)


class TakesAnyRack(Shelves):
    def check_rack(self, data: Thing) -> None:
        if not isinstance(data.get("RackId"), int):
            raise Refusal(422)


class LosesUnits(Shelves):
    def store(self, collection: str, key: str, thing: Thing) -> None:
        if collection != "Units":
            super().store(collection, key, thing)


@pytest.fixture(name="contract")
def write_contract(tmp_path: Path) -> Path:
    """Return a contract with the addresses of OData."""
    path = tmp_path / "shelves.yaml"
    path.write_text(CONTRACT, encoding="utf-8")
    return path


def test_resources_are_found_by_keys_in_parentheses(contract: Path) -> None:
    """Their addresses end in `({Id})` or `('{Code}')`."""
    resources = subject_of(contract).resources

    assert [(resource.parameter, resource.create is not None) for resource in resources] == [
        ("Id", True),
        ("Code", True),
        ("Id", True),
    ]


@pytest.mark.parametrize(
    "family",
    [stored_resources.FAMILY, unknown_ids.FAMILY, unique_ids.FAMILY, repeat_reads.FAMILY],
    ids=lambda family: family.name,
)
def test_a_right_server_of_odata_passes(family: Family, contract: Path) -> None:
    """Values are in the parentheses of addresses, and creations name existing resources."""
    failures = run_family(family, Shelves(), subject_of(contract)).failures

    assert [failure for failure in failures if failure.check == family.name] == []


@pytest.mark.parametrize(
    ("family", "server", "title"),
    [
        (unknown_ids.FAMILY, MovesAnywhere, "POST /Units({Id})/Move: 'RackId' takes what does not exist"),
        (unknown_ids.FAMILY, TakesAnyRack, "POST /Units: 'RackId' takes what does not exist"),
        (stored_resources.FAMILY, LosesUnits, "POST /Units: what was created cannot be read"),
    ],
)
def test_broken_promises_of_odata_are_failures(
    family: Family, server: type[Shelves], title: str, contract: Path
) -> None:
    """Each resource has its own `Id`, and members such as `RackId` and `TariffCode` name another one."""
    assert title in titles_for_contract(family, server(), contract)
