# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Changes with an update mask."""

import json
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Kites, version: "1"}
paths:
  /kites:
    post:
      requestBody: &body {content: {application/json: {schema: {$ref: '#/components/schemas/NewKite'}}}}
      responses:
        "201":
          description: Made.
          content: &kite {application/json: {schema: {$ref: '#/components/schemas/Kite'}}}
  /kites/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: A kite., content: *kite}, "404": {description: None.}}}
    patch:
      parameters:
        - name: updateMask
          in: query
          required: REQUIRED
          description: The members to change.
          style: form
          explode: false
          schema: {type: array, minItems: 1, items: {type: string, enum: [title, tails, isLit, colours]}}
      requestBody: *body
      responses: {"200": {description: Changed., content: *kite}, "400": {description: Rejected.}}
components:
  schemas:
    NewKite:
      type: object
      properties:
        title: {type: string}
        tails: {type: integer}
        isLit: {type: boolean}
        colours: {type: array, items: {type: string}}
    Kite:
      allOf: [{$ref: '#/components/schemas/NewKite'}, {required: [id], properties: {id: {type: integer}}}]
"""


class Kites(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.kites: list[Thing] = []

    def respond(self, request: Request, body: bytes) -> Response:
        key = request.url.path.strip("/").partition("/")[2]
        if request.method == "POST":
            self.kites.append({**json.loads(body), "id": len(self.kites) + 1})
        elif not key.isdigit() or not 0 < int(key) <= len(self.kites):
            raise Refusal(404)
        kite = self.kites[int(key or 0) - 1]
        if request.method == "PATCH":
            given, wish = request.query_params.get("updateMask"), json.loads(body)
            mask = self.mask([*wish] if given is None else given.split(","), wish)
            kite |= {name: value for name, value in wish.items() if name in mask}
        return Response(json.dumps(kite), 200 if key else 201, media_type="application/json")

    def mask(self, names: list[str], wish: Thing) -> list[str]:
        return names


class StoresEverything(Kites):
    def mask(self, names: list[str], wish: Thing) -> list[str]:
        return [*wish]


class StoresTheOthers(Kites):
    def mask(self, names: list[str], wish: Thing) -> list[str]:
        return [name for name in wish if name not in names] or names


class RejectsTheOthers(Kites):
    def mask(self, names: list[str], wish: Thing) -> list[str]:
        if {*names} != {*wish}:
            raise Refusal(400)
        return names


@pytest.mark.parametrize("required", ["false", "true"])
@pytest.mark.parametrize(
    ("server", "titles"),
    [
        (Kites, set()),
        (RejectsTheOthers, set()),
        (StoresEverything, {"a change stores what its mask does not name"}),
        (StoresTheOthers, {"a change stores what its mask does not name"}),
    ],
)
def test_a_change_stores_what_its_mask_names(
    server: type[Kites], titles: set[str], required: str, tmp_path: Path
) -> None:
    """A mask that is required names the members of each change, so that right servers store them."""
    contract = tmp_path / "kites.yaml"
    contract.write_text(CONTRACT.replace("REQUIRED", required), encoding="utf-8")

    log = run_family(updated_resources.FAMILY, server(), subject_of(contract))

    assert log.tallies
    found = {failure.title for failure in log.failures if failure.fails}
    assert titles <= found
    assert bool(titles) == bool(found)
