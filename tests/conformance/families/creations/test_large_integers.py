# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Integers of 64 bits, which programs that read them as binary fractions round."""

import json
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.creations import stored_resources
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.0.3
info: {title: Meters, version: "1"}
paths:
  /meters:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewMeter'}}}}
      responses:
        "201": {description: Added., content: &meter {application/json: {schema: {$ref: '#/components/schemas/Meter'}}}}
        "400": {description: Rejected.}
  /meters/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: A meter., content: *meter}, "404": {description: None.}}
components:
  schemas:
    NewMeter:
      type: object
      required: [serial]
      properties: {serial: {type: integer, format: int64, minimum: 1}, pulses: {type: integer}}
    Meter:
      allOf: [{$ref: '#/components/schemas/NewMeter'}, {required: [id], properties: {id: {type: integer}}}]
"""


class Meters(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.meters: list[Thing] = []

    def respond(self, request: Request, body: bytes) -> Response:
        key = request.url.path.strip("/").partition("/")[2]
        if request.method == "POST":
            wish = json.loads(body)
            self.meters.append({**wish, "serial": self.serial(wish["serial"]), "id": len(self.meters) + 1})
        elif not key.isdigit() or not 0 < int(key) <= len(self.meters):
            raise Refusal(404)
        meter = self.meters[int(key or 0) - 1]
        return Response(json.dumps(meter), 200 if key else 201, media_type="application/json")

    def serial(self, number: int) -> int:
        return number


class TakesBinaryFractions(Meters):
    def serial(self, number: int) -> int:
        return int(float(number))


class Takes32Bits(Meters):
    def serial(self, number: int) -> int:
        return number % 2**32


class RejectsLargeOnes(Meters):
    def serial(self, number: int) -> int:
        if number > 2**53:
            raise Refusal(400)
        return number


@pytest.mark.parametrize(
    ("server", "titles"),
    [
        (Meters, set()),
        (RejectsLargeOnes, set()),
        (TakesBinaryFractions, {"an integer loses digits"}),
        (Takes32Bits, {"an integer loses digits"}),
    ],
)
def test_large_integers_keep_their_digits(server: type[Meters], titles: set[str], tmp_path: Path) -> None:
    """`format: int64` promises them; a rule of the server may forbid them."""
    contract = tmp_path / "meters.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")

    log = run_family(stored_resources.FAMILY, server(), subject_of(contract))

    assert {failure.title for failure in log.failures if failure.fails} == titles
