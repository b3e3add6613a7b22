# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""A contract that a framework writes, with almost no words: no 404 is documented, no value is called unique, and roles
name resources.
"""

import hashlib
import html
import json
from collections.abc import Mapping
from dataclasses import replace

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.paging import pagination
from devportal.conformance.families.security import tenants
from devportal.conformance.family import Family
from devportal.conformance.knowledge.requests.plain_parameters import with_plain_parameters
from tests.conformance.families.asking import EVERYONE, run_family
from tests.conformance.families.servers.boxes import MAIN, OTHER
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

CONTRACT = """\
paths:
  /depots:
    get:
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 0, default: 0}}
        - {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 20}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/DepotPage'}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewDepot'}}}}
      responses: &made
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Depot'}}}}
        '422': {description: Validation Error}
  /depots/{depot_id}:
    parameters: [{name: depot_id, in: path, required: true, schema: {type: integer}}]
    get: &reading
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Depot'}}}}
        '422': {description: Validation Error}
    put:
      <<: *reading
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewDepot'}}}}
    delete:
      responses: {'204': {description: ok}, '422': {description: Validation Error}}
  /depots/{depot_id}/alarms:
    parameters: [{name: depot_id, in: path, required: true, schema: {type: integer}}]
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewAlarm'}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Alarm'}}}}
        '422': {description: Validation Error}
  /alarms/{alarm_id}:
    parameters: [{name: alarm_id, in: path, required: true, schema: {type: integer}}]
    delete:
      responses: {'204': {description: ok}, '422': {description: Validation Error}}
  /moves:
    get:
      parameters: [{name: source_id, in: query, schema: {anyOf: [{type: integer}, {type: 'null'}]}}]
      responses:
        '200':
          description: ok
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Move'}}}}
        '422': {description: Validation Error}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewMove'}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Move'}}}}
        '422': {description: Validation Error}
  /moves/{move_id}:
    parameters: [{name: move_id, in: path, required: true, schema: {type: string, format: uuid}}]
    get:
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Move'}}}}
        '422': {description: Validation Error}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    NewDepot:
      type: object
      required: [code, name]
      properties: &depot
        code: {type: string, pattern: '^[A-Z]{2,10}$'}
        name: {type: string}
        notes: {anyOf: [{type: string}, {type: 'null'}]}
    Depot: {type: object, required: [id, code, name, notes], properties: {id: {type: integer}, <<: *depot}}
    DepotPage:
      type: object
      properties:
        content: {type: array, items: {$ref: '#/components/schemas/Depot'}}
        totalElements: {type: integer}
        numberOfElements: {type: integer}
        number: {type: integer}
        first: {type: boolean}
        last: {type: boolean}
        empty: {type: boolean}
    NewAlarm: {type: object, required: [text], properties: {text: {type: string}}}
    Alarm: {type: object, required: [id, text], properties: {id: {type: integer}, text: {type: string}}}
    NewMove:
      type: object
      required: [source_id, target_id]
      properties: {source_id: {type: integer}, target_id: {type: integer}}
    Move:
      type: object
      required: [id]
      properties: {id: {type: string, format: uuid}, source_id: {type: integer}, target_id: {type: integer}}
security: [{token: []}]
"""


def tag_of(value: object) -> str:
    """Return the tag of a representation."""
    return f'"{hashlib.sha256(json.dumps(value).encode()).hexdigest()[:8]}"'


class Depots(Server):
    """Each method is a promise; a faulty server overrides one. Nothing has the identifier of something deleted."""

    def __init__(self) -> None:
        self.count = 40
        self.owned: dict[tuple[str, str], tuple[str, Thing]] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        account = request.headers.get("authorization", "").removeprefix("Bearer ")
        if account not in (MAIN, OTHER):
            raise Refusal(401)
        sent = json.loads(body) if body else {}
        match (request.method, *request.url.path.strip("/").split("/")):
            case "GET", "depots":
                return self.json(self.page(self.list_depots(account), request.query_params), 200)
            case "POST", "depots":
                return self.open_depot(account, sent)
            case "GET", "moves":
                return self.json(self.moves(account, request.query_params.get("source_id")), 200)
            case "POST", "moves":
                return self.move(account, sent)
            case "POST", "depots", key, "alarms":
                self.find("depots", key, self.owner_of_alarms(key, account))
                return self.add("alarms", account, sent)
            case "GET", ("depots" | "moves") as kind, key:
                return self.json(self.find(kind, key, self.reader_of(kind, key, account)), 200)
            case "PUT", "depots", key:
                depot = self.find("depots", key, account)
                depot.update(self.changed_members({"notes": None, **sent}))
                return self.json(depot, 200)
            case "DELETE", ("depots" | "alarms") as kind, key:
                self.find(kind, key, account)
                self.delete((kind, key))
                return Response(status_code=204)
        raise Refusal(404)

    def open_depot(self, account: str, sent: Thing) -> Response:
        if any(depot["code"] == sent["code"] for depot in self.own_depots(account)):
            raise Refusal(422)
        return self.add("depots", account, {"notes": None, **sent, "name": self.stored_text(sent["name"])})

    def move(self, account: str, sent: Thing) -> Response:
        for end in (sent["source_id"], sent["target_id"]):
            self.find("depots", str(end), account)
        return self.add("moves", account, sent, key=f"123e4567-e89b-42d3-a456-{self.count + 1:012}")

    def json(self, value: object, status: int, *, tag: str = "") -> Response:
        headers = {"ETag": tag or tag_of(value)}
        return Response(json.dumps(value), status, headers, "application/json")

    def own_depots(self, account: str) -> list[Thing]:
        return [
            depot for (kind, _), (owner, depot) in self.owned.items() if (kind, owner) == ("depots", account)
        ]

    def moves(self, account: str, source: str | None) -> list[Thing]:
        return [
            move
            for (kind, _), (owner, move) in self.owned.items()
            if (kind, owner) == ("moves", account) and source in (None, str(move["source_id"]))
        ]

    def list_depots(self, account: str) -> list[Thing]:
        return self.own_depots(account)

    def add(self, kind: str, account: str, sent: Thing, key: str = "") -> Response:
        self.count += 1
        thing = {**sent, "id": key or self.count}
        self.owned[kind, str(thing["id"])] = account, thing
        return self.json(thing, 201, tag=self.tag_of_creation(thing))

    def tag_of_creation(self, thing: Thing) -> str:
        return tag_of(thing)

    def find(self, kind: str, key: str, account: str) -> Thing:
        owner, thing = self.owned.get((kind, key), ("", {}))
        if owner != account:
            raise Refusal(404)
        return thing

    def page(self, depots: list[Thing], query: Mapping[str, str]) -> Thing:
        try:
            number, size = int(query.get("page", "0")), int(query.get("size", "20"))
        except ValueError as error:
            raise Refusal(422) from error
        content = depots[number * size : (number + 1) * size]
        return {
            "content": content,
            "totalElements": len(depots),
            "numberOfElements": self.page_count(content, size),
            "number": number,
            "first": self.is_first(number),
            "last": self.is_last(number, size, len(depots)),
            "empty": not content,
        }

    def page_count(self, content: list[Thing], size: int) -> int:  # noqa: ARG002
        return len(content)

    def is_first(self, number: int) -> bool:
        return number == 0

    def is_last(self, number: int, size: int, count: int) -> bool:
        return (number + 1) * size >= count

    def stored_text(self, text: str) -> str:
        return text

    def changed_members(self, members: Thing) -> Thing:
        return members

    def delete(self, key: tuple[str, str]) -> None:
        self.owned.pop(key)

    def owner_of_alarms(self, key: str, account: str) -> str:  # noqa: ARG002
        return account

    def reader_of(self, kind: str, key: str, account: str) -> str:  # noqa: ARG002
        return account


class DeletesNothing(Depots):
    def delete(self, key: tuple[str, str]) -> None:
        pass


class EscapesTexts(Depots):
    def stored_text(self, text: str) -> str:
        return html.escape(text)


class TagsCreationsAlike(Depots):
    def tag_of_creation(self, thing: Thing) -> str:  # noqa: ARG002
        return '"1"'


class AnswersInAnotherOrder(Depots):
    """A framework makes the tag of a creation of its body, as Express does; a proxy makes tags of readings weak."""

    def add(self, kind: str, account: str, sent: Thing, key: str = "") -> Response:
        made = json.loads(bytes(super().add(kind, account, sent, key).body))
        turned = dict(reversed(made.items()))
        return self.json(turned, 201, tag=tag_of(turned))


class TagsReadingsWeakly(Depots):
    def json(self, value: object, status: int, *, tag: str = "") -> Response:
        response = super().json(value, status, tag=tag)
        response.headers["ETag"] = f"{'W/' * (status == 200)}{response.headers['ETag']}"
        return response


class IgnoresNotes(Depots):
    def changed_members(self, members: Thing) -> Thing:
        return {name: value for name, value in members.items() if name != "notes"}


class KeepsCurrencies(Depots):
    def changed_members(self, members: Thing) -> Thing:
        return {name: value for name, value in members.items() if name != "currency"}


class RaisesAlarmsForOthers(Depots):
    def owner_of_alarms(self, key: str, account: str) -> str:
        return self.owned["depots", key][0] if ("depots", key) in self.owned else account


class ShowsMovesOfOthers(Depots):
    def reader_of(self, kind: str, key: str, account: str) -> str:
        return self.owned[kind, key][0] if kind == "moves" and (kind, key) in self.owned else account


class IgnoresTheSource(Depots):
    def moves(self, account: str, source: str | None) -> list[Thing]:  # noqa: ARG002
        return super().moves(account, None)


class ListsDepotsOfOthers(Depots):
    def list_depots(self, account: str) -> list[Thing]:  # noqa: ARG002
        return [*self.own_depots(MAIN), *self.own_depots(OTHER)]


class CountsTheSize(Depots):
    def page_count(self, content: list[Thing], size: int) -> int:  # noqa: ARG002
        return size


class CallsEachPageTheFirst(Depots):
    def is_first(self, number: int) -> bool:  # noqa: ARG002
        return True


class CallsNoPageTheLast(Depots):
    def is_last(self, number: int, size: int, count: int) -> bool:  # noqa: ARG002
        return False


def titles(family: Family, app: Depots, text: str = CONTRACT) -> set[str]:
    """Return operation and title of what a family finds wrong with a server."""
    subject = subject_of_contract(with_plain_parameters(contract(text)))
    log = run_family(family, app, replace(subject, parties=EVERYONE))
    failures = [failure for failure in log.failures if failure.check == family.name and failure.fails]
    return {f"{failure.operation}: {failure.title}" for failure in failures}


OPEN = "a thing of one account is open to another"


@pytest.mark.parametrize(
    ("family", "server", "title"),
    [
        (deleted_resources.FAMILY, DeletesNothing, "DELETE /depots/{depot_id}: a deletion has no effect"),
        (stored_resources.FAMILY, EscapesTexts, "POST /depots: quotes of a text are read escaped"),
        (
            stored_resources.FAMILY,
            TagsCreationsAlike,
            "POST /depots: a creation answers with another ETag than that of its result",
        ),
        (updated_resources.FAMILY, IgnoresNotes, "PUT /depots/{depot_id}: a change ignores a member"),
        (tenants.FAMILY, RaisesAlarmsForOthers, f"POST /depots/{{depot_id}}/alarms: {OPEN}"),
        (tenants.FAMILY, ShowsMovesOfOthers, f"GET /moves/{{move_id}}: {OPEN}"),
        (tenants.FAMILY, ListsDepotsOfOthers, "GET /depots: a list shows things of another account"),
        (filters.FAMILY, IgnoresTheSource, "GET /moves: the filter 'source_id' lets other items through"),
        (pagination.FAMILY, CountsTheSize, "GET /depots: 'numberOfElements' is not that of the page"),
        (pagination.FAMILY, CallsEachPageTheFirst, "GET /depots: 'first' is not that of the page"),
        (pagination.FAMILY, CallsNoPageTheLast, "GET /depots: the last page is marked as having more"),
    ],
)
def test_faults_are_found_without_words(family: Family, server: type[Depots], title: str) -> None:
    """HTTP, the schemas and the names say what is right."""
    assert title in titles(family, server())


@pytest.mark.parametrize(
    "family",
    [
        deleted_resources.FAMILY,
        stored_resources.FAMILY,
        updated_resources.FAMILY,
        tenants.FAMILY,
        pagination.FAMILY,
        filters.FAMILY,
    ],
    ids=lambda family: family.name,
)
def test_a_right_server_passes(family: Family) -> None:
    """Nothing that HTTP and the contract allow is a failure."""
    assert titles(family, Depots()) == set()


@pytest.mark.parametrize("server", [AnswersInAnotherOrder, TagsReadingsWeakly])
def test_tags_that_frameworks_and_proxies_change_are_allowed(server: type[Depots]) -> None:
    """The contract promises no tag of a creation, and a weak one is of the same representation."""
    assert titles(stored_resources.FAMILY, server()) == set()


def test_a_change_may_keep_what_says_what_a_resource_is() -> None:
    """One schema for creations and changes does not say that all of it can be changed."""
    text = CONTRACT.replace("notes", "currency")

    assert titles(updated_resources.FAMILY, KeepsCurrencies(), text) == set()


def test_a_filter_may_find_what_belongs_to_resources_below_one() -> None:
    """If its description says so."""
    text = CONTRACT.replace(
        "{name: source_id, in: query,", "{name: source_id, in: query, description: Or a subdepot.,"
    )

    assert text != CONTRACT
    assert titles(filters.FAMILY, IgnoresTheSource(), text) == set()


def test_a_deletion_that_is_described_as_another_thing_may_keep_a_resource() -> None:
    """What is in the trash is gone later."""
    text = CONTRACT.replace("delete:\n", "delete:\n      summary: Move a depot to the trash\n", 1)

    assert titles(deleted_resources.FAMILY, DeletesNothing(), text) == set()
