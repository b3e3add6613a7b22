# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Members that name resources of one type in several roles, such as both accounts of a transfer."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.references import unknown_ids
from devportal.conformance.families.security import tenants
from devportal.conformance.family import Family
from tests.conformance.families.asking import EVERYONE, run_family
from tests.conformance.families.servers.boxes import MAIN, OTHER
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Pipes, version: "1"}
security: [{token: []}]
paths:
  /tanks:
    post:
      responses:
        "201":
          description: Built.
          content: &tank {application/json: {schema: {$ref: '#/components/schemas/Tank'}}}
  /tanks/{tankId}:
    get:
      parameters: [{name: tankId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: A tank., content: *tank}, "404": {description: None.}}
  /pipes:
    get:
      parameters:
        - {name: targetTankId, in: query, description: Only pipes to this tank., schema: {type: string}}
      responses:
        "200":
          description: All pipes.
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pipe'}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewPipe'}}}}
      responses:
        "201": {description: Laid., content: &pipe {application/json: {schema: {$ref: '#/components/schemas/Pipe'}}}}
        "422": {description: The pipe cannot be laid.}
  /pipes/{pipeId}:
    get:
      parameters: [{name: pipeId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: A pipe., content: *pipe}, "404": {description: None.}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Tank: {type: object, required: [id], properties: {id: {type: string}}}
    NewPipe:
      type: object
      required: [sourceTankId, targetTankId]
      properties:
        sourceTankId: {type: string, description: Must be an existing tank.}
        targetTankId: {type: string, description: Must be an existing tank.}
        label: {type: string}
    Pipe:
      allOf: [{$ref: '#/components/schemas/NewPipe'}, {required: [id], properties: {id: {type: string}}}]
"""


class Pipes(Server):
    """Each method is a promise; a faulty server overrides one. A pipe from a tank to itself is rejected."""

    def __init__(self) -> None:
        self.tanks: dict[str, str] = {}
        self.pipes: dict[str, Thing] = {}
        self.owners: dict[str, str] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        account = request.headers.get("authorization", "").removeprefix("Bearer ")
        if account not in (MAIN, OTHER):
            raise Refusal(401)
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "tanks":
                tank = f"tank-{len(self.tanks) + 1:08}"
                self.tanks[tank] = account
                return self.json({"id": tank}, 201)
            case "GET", "tanks", tank if self.tanks.get(tank) == account:
                return self.json({"id": tank}, 200)
            case "POST", "pipes":
                return self.json(self.lay(json.loads(body), account), 201)
            case "GET", "pipes":
                own = [pipe for key, pipe in self.pipes.items() if self.owners[key] == account]
                return self.json(self.filter_pipes(own, request.query_params.get("targetTankId")), 200)
            case "GET", "pipes", pipe if self.owners.get(pipe) == account:
                return self.json(self.pipes[pipe], 200)
        raise Refusal(404)

    def json(self, value: object, status: int) -> Response:
        return Response(json.dumps(value), status, media_type="application/json")

    def lay(self, wish: Thing, account: str) -> Thing:
        ends = [wish["sourceTankId"], wish["targetTankId"]]
        if len({*ends}) == 1 or not self.can_join(ends, account):
            raise Refusal(422)
        pipe = {**self.stored_members(wish), "id": f"pipe-{len(self.pipes) + 1:08}"}
        self.pipes[pipe["id"]], self.owners[pipe["id"]] = pipe, account
        return pipe

    def can_join(self, ends: Sequence[str], account: str) -> bool:
        return all(self.tanks.get(tank) == account for tank in ends)

    def stored_members(self, wish: Thing) -> Thing:
        return wish

    def filter_pipes(self, pipes: list[Thing], target: str | None) -> list[Thing]:
        return [pipe for pipe in pipes if target in (None, pipe["targetTankId"])]


class LooksAtTheSourceOnly(Pipes):
    def can_join(self, ends: Sequence[str], account: str) -> bool:
        return super().can_join(ends[:1], account)


class JoinsTanksOfOthers(Pipes):
    def can_join(self, ends: Sequence[str], account: str) -> bool:
        return all(tank in self.tanks for tank in ends)


class LosesLabels(Pipes):
    def stored_members(self, wish: Thing) -> Thing:
        return {name: value for name, value in wish.items() if name != "label"}


class IgnoresTheTarget(Pipes):
    def filter_pipes(self, pipes: list[Thing], target: str | None) -> list[Thing]:
        return pipes


def titles(family: Family, app: Pipes, folder: Path) -> set[str]:
    """Return the titles of what a family finds wrong with a server."""
    contract = folder / "pipes.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")
    log = run_family(family, app, replace(subject_of(contract), parties=EVERYONE))
    assert log.tallies
    return {failure.title for failure in log.failures if failure.check == family.name and failure.fails}


@pytest.mark.parametrize(
    ("family", "server", "title"),
    [
        (unknown_ids.FAMILY, LooksAtTheSourceOnly, "'targetTankId' takes what does not exist"),
        (tenants.FAMILY, JoinsTanksOfOthers, "'sourceTankId' takes things of another account"),
        (stored_resources.FAMILY, LosesLabels, "members of a creation are lost"),
        (filters.FAMILY, IgnoresTheTarget, "the filter 'targetTankId' lets other items through"),
    ],
)
def test_resources_in_several_roles_are_told_apart(
    family: Family, server: type[Pipes], title: str, tmp_path: Path
) -> None:
    """A pipe leads from one tank to another one, and both must exist and belong to the account."""
    assert titles(family, Pipes(), tmp_path) == set()
    assert title in titles(family, server(), tmp_path)
