"""References to resources whose identifiers are numbers."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.families import unknown_ids
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
  /units:
    post:
      description: The rack must exist, or the unit is refused with 422.
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [rack_id], properties: {rack_id: {type: integer, minimum: 1}}}
            example: {rack_id: 1}
      responses: {"201": {description: Added.}, "422": {description: The rack does not exist.}}
components:
  schemas:
    Rack: {type: object, required: [id], properties: {id: {type: integer}}}
"""


class Racks:
    """An ASGI application. It mounts units without a look at the rack if it `is_blind`."""

    def __init__(self, *, is_blind: bool) -> None:
        self.count, self.is_blind = 0, is_blind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request."""
        request = Request(scope, receive)
        body = await request.body()
        status, rack = self.respond(request, json.loads(body) if body else {})
        content = json.dumps({"id": rack}) if status in (200, 201) else ""
        await Response(content, status, media_type="application/json")(scope, receive, send)

    def respond(self, request: Request, data: Any) -> tuple[int, int]:
        """Return a status and the number of a rack."""
        if request.url.path == "/racks":
            self.count += 1
            return 201, self.count
        if request.url.path == "/units":
            is_known = 1 <= data["rack_id"] <= self.count
            return (201 if is_known or self.is_blind else 422), 1
        number = int(request.url.path.rpartition("/")[2])
        return (200 if 1 <= number <= self.count else 404), number


@pytest.mark.parametrize(
    ("is_blind", "titles"), [(False, set()), (True, {"'rack_id' takes what does not exist"})]
)
def test_a_number_that_nothing_has_is_refused(is_blind: object, titles: set[str], tmp_path: Path) -> None:
    """The description promises 422 for it."""
    contract = tmp_path / "racks.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")

    log = run_family(unknown_ids.FAMILY, Racks(is_blind=bool(is_blind)), subject_of(contract))

    assert {failure.title for failure in log.failures if failure.fails} == titles
