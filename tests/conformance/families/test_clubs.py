# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Faults of unique texts, lists that a change does not name, merged maps, nested filters and deleted resources."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources, unique_values
from devportal.conformance.families.creations.lost_members import whole_request
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.responses import consistent_members
from devportal.conformance.families.states import actions, state_machines
from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family, titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Clubs, version: "1"}
paths:
  /clubs:
    get:
      operationId: listClubs
      description: Closed clubs are left out unless `include_closed` is true.
      parameters:
        - name: email
          in: query
          description: Only the club with this address, ignoring case.
          schema: &email {type: string, maxLength: 60, pattern: '^[^@ ]+@[^@ ]+$'}
        - {name: joinCode, in: query, schema: {type: string}}
        - {name: tag, in: query, description: Only clubs with this tag., schema: {type: string}}
        - name: land
          in: query
          description: Only clubs whose `seat.land` is this.
          schema: &land {type: string, pattern: '^[A-Z]{2}$'}
        - name: region
          in: query
          description: Only clubs whose `seat.land` is of this region.
          schema: {type: string, enum: [north, south]}
        - {name: floor, in: query, description: Only clubs whose `seat.floor` is this., schema: {type: integer}}
        - {name: include_closed, in: query, schema: {type: boolean, default: false}}
      responses:
        "200":
          description: Clubs.
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Club'}}}
        "400": {description: Wrong.}
    post:
      operationId: createClub
      description: |
        No two clubs have the same `email`, whatever its case. With `fee`, it starts as `paying`, else it starts as
        `free`.
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewClub'}}}
      responses:
        "201":
          description: Founded.
          content: &club {application/json: {schema: {$ref: '#/components/schemas/Club'}}}
        "400": {description: Wrong.}
        "409": {description: Another club has this `email`.}
  /clubs/{clubId}:
    parameters: [{name: clubId, in: path, required: true, schema: {type: integer, minimum: 1}}]
    get:
      operationId: getClub
      responses: {"200": {description: A club., content: *club}, "404": {description: None.}}
    patch:
      operationId: changeClub
      description: Members that are left out keep their values. `labels` is merged key by key. Raises `edition` by one.
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              properties: &members
                name: {type: string, minLength: 1, maxLength: 60}
                email: *email
                phone:
                  type: string
                  pattern: '^[+][1-9][0-9]{7,14}$'
                  description: Unique.
                  example: '+12025550123'
                topics: {type: array, maxItems: 5, items: {type: string, maxLength: 20}, default: []}
                labels: {type: object, additionalProperties: {type: string, maxLength: 40}}
      responses:
        "200": {description: A club., content: *club}
        "400": {description: Wrong.}
        "404": {description: None.}
        "409": {description: Another club has this `email`.}
    delete:
      operationId: deleteClub
      responses: {"204": {description: Gone.}, "404": {description: None.}}
  /clubs/{clubId}/close:
    parameters: [{name: clubId, in: path, required: true, schema: {type: integer, minimum: 1}}]
    post:
      operationId: closeClub
      responses: {"200": {description: Closed., content: *club}, "404": {description: None.}}
  /clubs/{clubId}/places:
    parameters: [{name: clubId, in: path, required: true, schema: {type: integer, minimum: 1}}]
    put:
      operationId: setPlaces
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              required: [places]
              properties: {places: {type: integer, minimum: 1, maximum: 500}}
      responses:
        "200": {description: A club., content: *club}
        "400": {description: Wrong.}
        "404": {description: None.}
components:
  schemas:
    NewClub:
      type: object
      additionalProperties: false
      required: [name, email, seat]
      properties:
        <<: *members
        fee: {type: integer, minimum: 1}
        join_code: {type: string, maxLength: 40, example: welcome}
        tags: {type: array, items: {type: string, maxLength: 40}, example: [music]}
        places: {type: integer, minimum: 0, maximum: 500, default: 0}
        guests: {type: integer, minimum: 0, maximum: 500, default: 0}
        seat:
          type: object
          required: [land, floor]
          additionalProperties: false
          properties: {land: *land, floor: {type: integer, minimum: 0, maximum: 99}}
    Club:
      type: object
      required: [id, name, email, seat, topics, labels, state, closed, places, guests, free_places]
      properties:
        id: {type: integer}
        name: {type: string}
        email: {type: string}
        topics: {type: array, items: {type: string}}
        labels: {type: object, additionalProperties: {type: string}}
        seat: {type: object, properties: {land: {type: string}, floor: {type: integer}}}
        fee: {type: integer}
        state: {type: string, enum: [free, paying]}
        closed: {type: boolean}
        join_code: {type: string}
        edition: {type: integer}
        phone: {type: string}
        tags: {type: array, items: {type: string}}
        places: {type: integer}
        guests: {type: integer}
        free_places: {type: integer, description: '`places` minus `guests`.'}
"""


class Clubs(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self, contract: Path) -> None:
        self.subject = subject_of(contract)
        self.schemas = request_schemas(self.subject)
        self.clubs: dict[int, Thing] = {}
        self.number = 0

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "GET", "clubs":
                return self.json([*map(self.show, self.find_clubs(dict(request.query_params)))])
            case "POST", "clubs":
                data = self.read("createClub", body)
                self.check_email(data["email"], None)
                self.check_phone(data, None)
                club = self.store(data)
                return self.json(self.show(self.show_created(club)), 201)
            case "GET", "clubs", key:
                return self.json(self.show(self.find(key)))
            case "POST", "clubs", key, "close":
                self.find(key)["closed"] = True
                return self.json(self.show(self.find(key)))
            case "PUT", "clubs", key, "places":
                club, data = self.find(key), self.read("setPlaces", body)
                return self.json(self.show(self.set_places(club, data["places"])))
            case "PATCH", "clubs", key:
                club, data = self.find(key), self.read("changeClub", body)
                if "email" in data:
                    self.check_change(data["email"], club)
                self.check_new_phone(data, club)
                self.change(club, data)
                return self.json(self.show(club))
            case "DELETE", "clubs", key:
                del self.clubs[self.find(key)["id"]]
                return Response(status_code=204)
        raise Refusal(404)

    def read(self, operation: str, body: bytes) -> Thing:
        return read_object(self.subject, self.schemas[operation], body)

    def json(self, body: Any, status: int = 200) -> Response:
        return Response(json.dumps(body), status, media_type="application/json")

    def store(self, data: Thing) -> Thing:
        self.number += 1
        state = "paying" if "fee" in data else "free"
        club = {
            "id": self.number,
            "topics": [],
            "labels": {},
            "places": 0,
            "guests": 0,
            "edition": 1,
            **data,
            "state": state,
            "closed": False,
        }
        self.clubs[self.number] = club
        return club

    def show(self, club: Thing) -> Thing:
        return {**club, "free_places": self.count_free_places(club)}

    def count_free_places(self, club: Thing) -> int:
        return int(club["places"] - club["guests"])

    def set_places(self, club: Thing, places: int) -> Thing:
        club["places"] = places
        return club

    def show_created(self, club: Thing) -> Thing:
        return club

    def find(self, key: str) -> Thing:
        if not (key.isascii() and key.isdecimal()):
            raise Refusal(404)
        if int(key) not in self.clubs:
            raise Refusal(self.missing())
        return self.clubs[int(key)]

    def missing(self) -> int:
        return 404

    def plain(self, email: str) -> str:
        return email.lower()

    def check_email(self, email: str, own: Thing | None) -> None:
        if any(
            self.plain(club["email"]) == self.plain(email) for club in self.clubs.values() if club is not own
        ):
            raise Refusal(409)

    def check_phone(self, data: Thing, own: Thing | None) -> None:
        phones = [club.get("phone") for club in self.clubs.values() if club is not own]
        if data.get("phone") is not None and data["phone"] in phones:
            raise Refusal(409)

    def check_new_phone(self, data: Thing, club: Thing) -> None:
        self.check_phone(data, club)

    def check_change(self, email: str, club: Thing) -> None:
        self.check_email(email, club)

    def change(self, club: Thing, data: Thing) -> None:
        club.update({**data, "labels": {**club["labels"], **data.get("labels", {})}})
        club["edition"] = self.next_edition(club["edition"])

    def next_edition(self, edition: int) -> int:
        return edition + 1

    def find_clubs(self, query: dict[str, str]) -> list[Thing]:
        email, land, floor = (query.get(name) for name in ("email", "land", "floor"))
        if query.get("include_closed", "false") not in ("true", "false"):
            raise Refusal(400)
        return [
            club
            for club in self.clubs.values()
            if self.is_open_enough(club, includes_closed=query.get("include_closed") == "true")
            and (email is None or self.has_email(club, email))
            and ("joinCode" not in query or self.has_code(club, query["joinCode"]))
            and ("tag" not in query or self.has_tag(club, query["tag"]))
            and (land is None or self.has_land(club, land))
            and ("region" not in query or (club["seat"]["land"] < "N") is (query["region"] == "north"))
            and (floor is None or self.has_floor(club, floor))
        ]

    def is_open_enough(self, club: Thing, *, includes_closed: bool) -> bool:
        return includes_closed or not club["closed"]

    def has_email(self, club: Thing, email: str) -> bool:
        return bool(club["email"].lower() == email.lower())

    def has_code(self, club: Thing, code: str) -> bool:
        return bool(club.get("join_code") == code)

    def has_tag(self, club: Thing, tag: str) -> bool:
        return tag in club.get("tags", [])

    def has_land(self, club: Thing, land: str) -> bool:
        return bool(club["seat"]["land"] == land)

    def has_floor(self, club: Thing, floor: str) -> bool:
        return str(club["seat"]["floor"]) == floor


class TakesOtherCases(Clubs):
    def plain(self, email: str) -> str:
        return email


class ChangesToTakenAddresses(Clubs):
    def check_change(self, email: str, club: Thing) -> None:
        pass


class ChangesToTakenPhones(Clubs):
    def check_new_phone(self, data: Thing, club: Thing) -> None:
        pass


class RejectsItsOwnAddress(Clubs):
    def check_change(self, email: str, club: Thing) -> None:  # noqa: ARG002
        self.check_email(email, None)


class SkipsEditions(Clubs):
    def next_edition(self, edition: int) -> int:
        return edition + 2


class KeepsEditions(Clubs):
    def next_edition(self, edition: int) -> int:
        return edition


class ForgetsTopics(Clubs):
    def change(self, club: Thing, data: Thing) -> None:
        super().change(club, {"topics": [], **data})


class ReplacesLabels(Clubs):
    def change(self, club: Thing, data: Thing) -> None:
        club.update(data)


class ComparesCase(Clubs):
    def has_email(self, club: Thing, email: str) -> bool:
        return bool(club["email"] == email)


class FindsNoCodes(Clubs):
    def has_code(self, club: Thing, code: str) -> bool:  # noqa: ARG002
        return False


class FindsNoTags(Clubs):
    def has_tag(self, club: Thing, tag: str) -> bool:  # noqa: ARG002
        return False


class IgnoresLands(Clubs):
    def has_land(self, club: Thing, land: str) -> bool:  # noqa: ARG002
        return True


class FindsNoLands(Clubs):
    def has_land(self, club: Thing, land: str) -> bool:  # noqa: ARG002
        return False


class IgnoresFloors(Clubs):
    def has_floor(self, club: Thing, floor: str) -> bool:  # noqa: ARG002
        return True


class ListsClosedClubsAlone(Clubs):
    def is_open_enough(self, club: Thing, *, includes_closed: bool) -> bool:
        return bool(club["closed"] is includes_closed)


class RejectsDeletedClubs(Clubs):
    def missing(self) -> int:
        return 400


class ForgetsPlaces(Clubs):
    def set_places(self, club: Thing, places: int) -> Thing:
        return {**club, "places": places}


class ShowsCapitals(Clubs):
    def show_created(self, club: Thing) -> Thing:
        return {**club, "name": club["name"].upper()}


@pytest.fixture(name="contract")
def write_contract(tmp_path: Path) -> Path:
    """Return the contract of the clubs."""
    path = tmp_path / "clubs.yaml"
    path.write_text(CONTRACT, encoding="utf-8")
    return path


CREATE, PATCH, LIST = "POST /clubs", "PATCH /clubs/{clubId}", "GET /clubs"


@pytest.mark.parametrize(
    ("family", "app", "title"),
    [
        (unique_values, TakesOtherCases, f"{CREATE}: two resources have one 'email' in another case"),
        (unique_values, ChangesToTakenAddresses, f"{PATCH}: a change takes the 'email' of another resource"),
        (unique_values, ChangesToTakenPhones, f"{PATCH}: a change takes the 'phone' of another resource"),
        (unique_values, RejectsItsOwnAddress, f"{PATCH}: a resource cannot keep its 'email'"),
        (updated_resources, SkipsEditions, f"{PATCH}: one change raises 'edition' by more than one"),
        (updated_resources, KeepsEditions, f"{PATCH}: a change does not raise 'edition'"),
        (updated_resources, ForgetsTopics, f"{PATCH}: a change loses what it does not name"),
        (updated_resources, ReplacesLabels, f"{PATCH}: a change of a map changes its other entries"),
        (filters, ComparesCase, f"{LIST}: the filter 'email' loses items"),
        (filters, FindsNoCodes, f"{LIST}: the filter 'joinCode' loses items"),
        (filters, FindsNoTags, f"{LIST}: the filter 'tag' loses items"),
        (filters, IgnoresLands, f"{LIST}: the filter 'land' lets other items through"),
        (filters, FindsNoLands, f"{LIST}: the filter 'land' loses items"),
        (filters, IgnoresFloors, f"{LIST}: the filter 'floor' lets other items through"),
        (filters, ListsClosedClubsAlone, f"{LIST}: the filter 'include_closed' loses items"),
        (
            deleted_resources,
            RejectsDeletedClubs,
            "GET /clubs/{clubId}: what was deleted gets another status than described",
        ),
        (actions, ForgetsPlaces, "PUT /clubs/{clubId}/places: an action is not read back"),
        (stored_resources, ShowsCapitals, f"{CREATE}: what is read differs from what was created"),
    ],
    ids=lambda value: value.__name__.rpartition(".")[2] if not isinstance(value, str) else "",
)
def test_broken_promises_of_clubs_are_failures(
    family: Any, app: type[Clubs], title: str, contract: Path
) -> None:
    """Each fault is found by the family that is about its promise."""
    assert title in titles_for_contract(family.FAMILY, app(contract), contract)


@pytest.mark.parametrize(
    "family",
    [each.FAMILY for each in (unique_values, updated_resources, filters, deleted_resources, stored_resources)]
    + [actions.FAMILY, consistent_members.FAMILY, state_machines.FAMILY],
    ids=lambda family: family.name,
)
def test_the_right_server_of_clubs_passes(family: Family, contract: Path) -> None:
    """A state that depends on what is sent is right too."""
    assert run_family(family, Clubs(contract), subject_of(contract)).failures == []


def test_a_change_without_effect_may_be_refused(contract: Path) -> None:
    """The description of 409 says it."""
    text, taken = contract.read_text(encoding="utf-8"), "Another club has this `email`."
    contract.write_text(text.replace(taken, f"{taken} Or nothing would change."), encoding="utf-8")

    titles = titles_for_contract(unique_values.FAMILY, RejectsItsOwnAddress(contract), contract)

    assert f"{PATCH}: a resource cannot keep its 'email'" not in titles


def test_values_differ_from_defaults(contract: Path) -> None:
    """What resets or ignores them would not be seen otherwise."""
    subject = subject_of(contract)
    create = next(operation for operation in subject.operations if operation.id == "createClub")

    request = whole_request(subject, create)

    assert request is not None
    members = json.loads(request.body or b"")
    assert members["topics"]
    assert {members["places"], members["guests"]} == {10}
