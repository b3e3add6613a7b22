"""References to resources whose identifiers are numbers."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.references import unknown_ids
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Racks, version: "1"}
paths:
  /racks:
    post:
      responses:
        "201":
          description: Added.
          content: &rack {application/json: {schema: {$ref: '#/components/schemas/Rack'}}}
  /racks/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer, minimum: 1}}]
      responses: {"200": {description: A rack., content: *rack}, "404": {description: None.}}
    delete:
      description: A rack with units cannot be deleted (409).
      parameters: [{name: id, in: path, required: true, schema: {type: integer, minimum: 1}}]
      responses: {"204": {description: Gone.}, "404": {description: None.}, "409": {description: It has units.}}
  /units:
    post:
      description: The rack must exist, or the unit is refused with 422.
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [rack_id], properties: {rack_id: {type: integer, minimum: 1}}}
            example: {rack_id: 1}
      responses:
        "201":
          description: Added.
          content: &unit {application/json: {schema: {$ref: '#/components/schemas/Unit'}}}
        "422": {description: The rack does not exist.}
  /units/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer, minimum: 1}}]
      responses: {"200": {description: A unit., content: *unit}, "404": {description: None.}}
components:
  schemas:
    Rack: {type: object, required: [id], properties: {id: {type: integer}}}
    Unit: {type: object, required: [id, rack_id], properties: {id: {type: integer}, rack_id: {type: integer}}}
"""


class Racks:
    """An ASGI application. It mounts units and deletes racks without a look at the other ones if it `is_blind`."""

    def __init__(self, *, is_blind: bool) -> None:
        self.racks: dict[int, Any] = {}
        self.units: dict[int, Any] = {}
        self.is_blind = is_blind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request."""
        request = Request(scope, receive)
        body = await request.body()
        status, shown = self.respond(request, json.loads(body) if body else {})
        content = json.dumps(shown) if shown else None
        await Response(content, status, media_type="application/json")(scope, receive, send)

    def respond(self, request: Request, data: Any) -> tuple[int, Any]:
        """Return a status and what the response shows."""
        kind, _, key = request.url.path.strip("/").partition("/")
        known = self.racks if kind == "racks" else self.units
        number = int(key or len(known) + 1)
        if request.method == "POST":
            if kind == "units" and data["rack_id"] not in self.racks and not self.is_blind:
                return 422, None
            known[number] = {"id": number, **data}
        if number not in known:
            return 404, None
        if request.method == "DELETE":
            if any(unit["rack_id"] == number for unit in self.units.values()) and not self.is_blind:
                return 409, None
            known[number] = None
            return 204, None
        return (201 if request.method == "POST" else 200 if known[number] else 404), known[number]


@pytest.mark.parametrize(
    ("family", "title"),
    [
        (unknown_ids, "'rack_id' takes what does not exist"),
        (deleted_resources, "a resource is deleted that others refer to"),
    ],
)
def test_numbers_that_name_resources_are_followed(family: Any, title: str, tmp_path: Path) -> None:
    """A unit needs its rack, and a rack with units stays: the descriptions say so."""
    contract = tmp_path / "racks.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")

    for is_blind, titles in ((False, set()), (True, {title})):
        log = run_family(family.FAMILY, Racks(is_blind=is_blind), subject_of(contract))

        assert {failure.title for failure in log.failures if failure.fails} == titles
