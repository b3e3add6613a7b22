# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Sums of lists that other resources fill: the balance of an account, and its entries."""

import json
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.lists import list_totals
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Tokens, version: "1"}
paths:
  /purses:
    post:
      responses:
        "201":
          description: Opened.
          content: &purse {application/json: {schema: {$ref: '#/components/schemas/Purse'}}}
  /purses/{purseId}:
    get:
      parameters: [&id {name: purseId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: A purse., content: *purse}, "404": {description: None.}}
  /purses/{purseId}/entries:
    get:
      description: DESCRIPTION
      parameters: [*id]
      responses:
        "200":
          description: The entries.
          content:
            application/json:
              schema: {type: array, items: {properties: {id: {type: string}, amount: {type: integer}}}}
  /gifts:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [fromPurseId, toPurseId, tokens]
              properties: {fromPurseId: {type: string}, toPurseId: {type: string}, tokens: {type: integer, minimum: 1}}
            example: {fromPurseId: p9, toPurseId: p8, tokens: 3}
      responses:
        "201":
          description: Given.
          content: &gift {application/json: {schema: {properties: {id: {type: string}}}}}
        "422": {description: Refused.}
  /gifts/{giftId}:
    get:
      parameters: [{name: giftId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: A gift., content: *gift}, "404": {description: None.}}
components:
  schemas:
    Purse:
      type: object
      required: [id, balance]
      properties:
        id: {type: string}
        balance: {type: integer, description: The sum of the `amount` of all entries of the purse.}
"""


class Purses(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.entries: dict[str, list[int]] = {}
        self.gifts: list[Thing] = []

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "purses":
                key = f"p{len(self.entries) + 1}"
                self.entries[key] = []
                return self.json({"id": key, "balance": 0}, 201)
            case "GET", "purses", key if key in self.entries:
                return self.json({"id": key, "balance": self.balance(self.entries[key])}, 200)
            case "GET", "purses", key, "entries" if key in self.entries:
                shown = self.show(self.entries[key])
                return self.json([{"id": f"e{at}", "amount": amount} for at, amount in enumerate(shown)], 200)
            case "POST", "gifts":
                return self.json(self.give(json.loads(body)), 201)
            case "GET", "gifts", key if key.isdigit() and 0 < int(key) <= len(self.gifts):
                return self.json(self.gifts[int(key) - 1], 200)
        raise Refusal(404)

    def json(self, value: object, status: int) -> Response:
        return Response(json.dumps(value), status, media_type="application/json")

    def give(self, wish: Thing) -> Thing:
        ends = wish["fromPurseId"], wish["toPurseId"]
        if ends[0] == ends[1] or not self.entries.keys() >= {*ends}:
            raise Refusal(422)
        for end, amount in zip(ends, (-wish["tokens"], wish["tokens"]), strict=True):
            self.entries[end].append(amount)
        self.gifts.append({"id": str(len(self.gifts) + 1)})
        return self.gifts[-1]

    def balance(self, amounts: list[int]) -> int:
        return sum(amounts)

    def show(self, amounts: list[int]) -> list[int]:
        return amounts


class NeverMoves(Purses):
    def balance(self, amounts: list[int]) -> int:
        return 0


class AddsUpWhatLeaves(Purses):
    def balance(self, amounts: list[int]) -> int:
        return sum(amount for amount in amounts if amount < 0)


class ShowsTheLatest(Purses):
    def show(self, amounts: list[int]) -> list[int]:
        return amounts[-1:]


TITLES = {"'balance' is not the sum of the list"}


@pytest.mark.parametrize(
    ("server", "description", "titles"),
    [
        (Purses, "All entries.", set()),
        (NeverMoves, "All entries.", TITLES),
        (AddsUpWhatLeaves, "All entries.", TITLES),
        (ShowsTheLatest, "All entries.", TITLES),
        (ShowsTheLatest, "Shows only the latest entry.", set()),
    ],
)
def test_a_sum_agrees_with_the_list_below_it(
    server: type[Purses], description: str, titles: set[str], tmp_path: Path
) -> None:
    """Gifts in both directions make entries; a list that shows only a part of them says nothing."""
    contract = tmp_path / "purses.yaml"
    contract.write_text(CONTRACT.replace("DESCRIPTION", description), encoding="utf-8")

    log = run_family(list_totals.FAMILY, server(), subject_of(contract))

    assert {failure.title for failure in log.failures if failure.fails} == titles


LEAVE = """\
openapi: 3.1.0
info: {title: Leave, version: "1"}
paths:
  /employees:
    post:
      responses: {"201": {description: Hired., content: &one {application/json: {schema: &id
        {type: object, properties: {id: {type: string}}}}}}}
  /employees/{employeeId}:
    parameters: &of [{name: employeeId, in: path, required: true, schema: {type: string}}]
    get:
      responses: {"200": {description: Read., content: *one}, "404": {description: None.}}
  /employees/{employeeId}/balance:
    parameters: *of
    get:
      responses:
        "200": {description: The balance., content: {application/json: {schema: {type: object, properties: {grantedDays:
          {type: number, description: The sum of `days` of all grants of the employee.}}}}}}
        "404": {description: None.}
  /employees/{employeeId}/grants:
    parameters: *of
    get:
      responses:
        "200": {description: The grants., content: {application/json: {schema: {type: array, items: &grant
          {type: object, properties: {id: {type: string}, days: {type: number}}}}}}}
        "404": {description: None.}
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [days],
        properties: {days: {type: number, example: 2.5}}}}}}
      responses: {"201": {description: Granted., content: {application/json: {schema: *grant}}},
        "404": {description: None.}}
  /employees/{employeeId}/grants/{grantId}:
    parameters: [*employee, {name: grantId, in: path, required: true, schema: {type: string}}]
    get:
      responses: {"200": {description: Read., content: {application/json: {schema: *grant}}}}
""".replace("*employee", "{name: employeeId, in: path, required: true, schema: {type: string}}")


class Leave(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.grants: list[list[float]] = []

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "employees":
                self.grants.append([])
                return self.json({"id": str(len(self.grants))}, 201)
            case method, "employees", key, *rest if key.isdigit() and 0 < int(key) <= len(self.grants):
                grants = self.grants[int(key) - 1]
                match (method, *rest):
                    case ("GET",):
                        return self.json({"id": key})
                    case "GET", "balance":
                        return self.json({"grantedDays": self.grant_total(grants)})
                    case "GET", "grants":
                        return self.json([{"id": str(at), "days": days} for at, days in enumerate(grants)])
                    case "POST", "grants":
                        grants.append(json.loads(body)["days"])
                        return self.json({"id": str(len(grants) - 1), "days": grants[-1]}, 201)
        raise Refusal(404)

    def json(self, value: object, status: int = 200) -> Response:
        return Response(json.dumps(value), status, media_type="application/json")

    def grant_total(self, grants: list[float]) -> float:
        return sum(grants)


class CountsTheLastGrant(Leave):
    def grant_total(self, grants: list[float]) -> float:
        return sum(grants[-1:])


class CutsHalves(Leave):
    def grant_total(self, grants: list[float]) -> float:
        return int(sum(grants))


@pytest.mark.parametrize(
    ("server", "is_wrong"), [(Leave, False), (CountsTheLastGrant, True), (CutsHalves, True)]
)
def test_a_sum_beside_a_list_is_compared(server: type[Leave], *, is_wrong: bool, tmp_path: Path) -> None:
    """What has its own address below a resource adds up the items of a list there."""
    contract = tmp_path / "leave.yaml"
    contract.write_text(LEAVE, encoding="utf-8")

    log = run_family(list_totals.FAMILY, server(), subject_of(contract))

    titles = {failure.title for failure in log.failures}
    assert titles == ({"'grantedDays' is not the sum of the list"} if is_wrong else set())


def test_a_sum_for_a_part_is_not_compared(tmp_path: Path) -> None:
    """A reading with a query may be about one year, and a list with a required filter shows a part."""
    contract = tmp_path / "leave.yaml"
    year = "{name: year, in: query, schema: {type: integer}}"
    text = LEAVE.replace("*of\n    get:", f"*of\n    get:\n      parameters: [{year}]", 1)
    contract.write_text(text, encoding="utf-8")

    log = run_family(list_totals.FAMILY, CountsTheLastGrant(), subject_of(contract))

    assert text != LEAVE
    assert not log.failures
