# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""What can be created only for something in a certain state: the run brings that there first."""

import json
import uuid
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.lists import nested_resources
from devportal.conformance.families.states import actions
from devportal.conformance.family import Family
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = """
openapi: 3.1.0
info: {title: Concerts, version: "1"}
paths:
  /concerts:
    post:
      operationId: plan
      description: A new concert is a `draft`.
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title],
        additionalProperties: false, properties: {title: {type: string, maxLength: 40}}}}}}
      responses:
        "201": {description: Planned., content: &concert {application/json: {schema: {$ref: "#/components/schemas/C"}}}}
        "400": &refused {description: The body is invalid., content: &problem {application/problem+json: {}}}
  /concerts/{concertId}:
    parameters: &about [{name: concertId, in: path, required: true, schema: {type: string}}]
    get:
      responses: {"200": {description: Read., content: *concert}, "404": *refused}
  /concerts/{concertId}/publish:
    parameters: *about
    post:
      description: Moves a `draft` to `onSale`.
      responses: {"200": {description: Published., content: *concert}, "404": *refused,
        "409": {description: The concert is not a draft., content: *problem}}
  /concerts/{concertId}/holds:
    parameters: *about
    get:
      responses:
        "200": {description: Listed., content: {application/json: {schema: {type: array,
          items: {$ref: "#/components/schemas/Hold"}}}}}
        "404": *refused
    post:
      operationId: hold
      description: The concert must be `onSale`.
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [seats],
        additionalProperties: false, properties: {seats: {type: integer, minimum: 1, maximum: 8},
        note: {type: string, maxLength: 40}}}}}}
      responses:
        "201": {description: Held., content: &hold {application/json: {schema: {$ref: "#/components/schemas/Hold"}}}}
        "400": *refused
        "404": *refused
        "409": {description: The concert is not on sale., content: *problem}
  /holds/{holdId}:
    parameters: [{name: holdId, in: path, required: true, schema: {type: string}}]
    get:
      responses: {"200": {description: Read., content: *hold}, "404": *refused}
components:
  schemas:
    C:
      type: object
      required: [id, title, status, publishedAt]
      properties:
        id: {type: string}
        title: {type: string}
        status: {enum: [draft, onSale]}
        publishedAt: {type: [string, "null"], format: date-time, description: "`null` until the concert is published."}
    Hold:
      type: object
      required: [id, concertId, seats]
      properties: {id: {type: string}, concertId: {type: string}, seats: {type: integer}, note: {type: string}}
"""


class Concerts(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self, contract: Path) -> None:
        self.concerts: dict[str, Thing] = {}
        self.holds: dict[str, Thing] = {}
        self.subject = subject_of(contract)
        self.schemas = request_schemas(self.subject)

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "concerts":
                data = read_object(self.subject, self.schemas["plan"], body)
                made = {
                    "id": str(uuid.uuid4()),
                    **data,
                    "status": self.first_status(),
                    "publishedAt": self.first_time(),
                }
                self.concerts[made["id"]] = made
                return self.show(made, 201)
            case "GET", "concerts", key:
                return self.show(self.find(self.concerts, key))
            case "POST", "concerts", key, "publish":
                concert = self.find(self.concerts, key)
                self.check_draft(concert)
                concert["status"], concert["publishedAt"] = "onSale", self.time()
                return self.show(concert)
            case "GET", "concerts", key, "holds":
                self.find(self.concerts, key)
                return self.show([hold for hold in self.holds.values() if self.is_of(hold, key)])
            case "POST", "concerts", key, "holds":
                concert = self.find(self.concerts, key)
                data = read_object(self.subject, self.schemas["hold"], body)
                self.check(concert)
                made = {"id": str(uuid.uuid4()), "concertId": key, **self.without_forgotten(data)}
                self.holds[made["id"]] = made
                return self.show(made, 201)
            case "GET", "holds", key:
                return self.show(self.find(self.holds, key))
            case _:
                raise Refusal(404)

    def show(self, body: object, status: int = 200) -> Response:
        return Response(json.dumps(body), status, media_type="application/json")

    def find(self, known: dict[str, Thing], key: str) -> Thing:
        if key not in known:
            raise Refusal(404)
        return known[key]

    def first_status(self) -> str:
        return "draft"

    def first_time(self) -> str | None:
        return None

    def check_draft(self, concert: Thing) -> None:
        if concert["status"] != "draft":
            raise Refusal(409)

    def time(self) -> str | None:
        return "2026-12-01T10:00:00Z"

    def check(self, concert: Thing) -> None:
        if concert["status"] != "onSale":
            raise Refusal(409)

    def without_forgotten(self, data: Thing) -> Thing:
        return data

    def is_of(self, hold: Thing, key: str) -> bool:
        return bool(hold["concertId"] == key)


class LosesNotes(Concerts):
    def without_forgotten(self, data: Thing) -> Thing:
        return {"seats": data["seats"]}


class ListsHoldsOfAll(Concerts):
    def is_of(self, hold: Thing, key: str) -> bool:
        return True


class HoldsSeatsOfDrafts(Concerts):
    def check(self, concert: Thing) -> None:
        pass


class IsPublishedAtOnce(Concerts):
    def first_time(self) -> str | None:
        return self.time()


class SellsAtOnce(IsPublishedAtOnce):
    def first_status(self) -> str:
        return "onSale"

    def check_draft(self, concert: Thing) -> None:
        pass


class ForgetsTheTime(Concerts):
    def time(self) -> str | None:
        return None


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the contract of the servers."""
    path = tmp_path_factory.mktemp("concerts") / "concerts.yaml"
    path.write_text(CONTRACT, encoding="utf-8")
    return path


@pytest.mark.parametrize("family", [stored_resources.FAMILY, nested_resources.FAMILY, actions.FAMILY])
def test_a_right_server_has_no_failures(family: Family, contract: Path) -> None:
    """What the run did to prepare a creation is not held against anyone."""
    assert titles_for_contract(family, Concerts(contract), contract) == set()


def test_a_hold_is_created_for_a_concert_that_is_on_sale(contract: Path) -> None:
    """A hold that loses a member is found, although the run has to publish a concert before."""
    assert titles_for_contract(stored_resources.FAMILY, LosesNotes(contract), contract) == {
        "POST /concerts/{concertId}/holds: members of a creation are lost"
    }


def test_holds_of_two_concerts_are_told_apart(contract: Path) -> None:
    """A concert that a probe has made is published too."""
    found = titles_for_contract(nested_resources.FAMILY, ListsHoldsOfAll(contract), contract)

    assert {title.partition(": ")[0] for title in found} == {"GET /concerts/{concertId}/holds"}


def test_a_hold_for_a_draft_is_found(contract: Path) -> None:
    """A sentence such as "The concert must be `onSale`" is a rule beside a 409."""
    assert titles_for_contract(actions.FAMILY, HoldsSeatsOfDrafts(contract), contract) == {
        "POST /concerts/{concertId}/holds: an operation is accepted in another state"
    }


@pytest.mark.parametrize(
    ("server", "title"),
    [
        (IsPublishedAtOnce, "'publishedAt' has a value before the action"),
        (ForgetsTheTime, "an action leaves 'publishedAt' as it was"),
    ],
)
def test_a_member_has_a_value_once_the_action_is_done(
    server: type[Concerts], title: str, contract: Path
) -> None:
    """“`null` until the concert is published”: not before, and then for certain."""
    assert titles_for_contract(actions.FAMILY, server(contract), contract) == {
        f"POST /concerts/{{concertId}}/publish: {title}"
    }


def test_a_member_has_a_value_at_once_in_the_state_of_the_action(tmp_path: Path) -> None:
    """A concert that is on sale from the beginning is published from the beginning."""
    path = tmp_path / "concerts.yaml"
    text = CONTRACT.replace("A new concert is a `draft`.", "Adds a concert.")
    text = text.replace("Moves a `draft` to", "Sets").replace("The concert is not a draft.", "In conflict.")
    path.write_text(text, encoding="utf-8")

    assert titles_for_contract(actions.FAMILY, SellsAtOnce(path), path) == set()
