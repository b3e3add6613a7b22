"""Lists that are streams, and the method QUERY of OAS 3.2."""

import json

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client

READINGS = """\
paths:
  /meters:
    get:
      responses: &meters {'200': {description: All, content: {application/json: {schema: {
        type: array, items: {$ref: '#/components/schemas/Meter'}}}}}}
    query:
      requestBody: {content: {application/json: {schema: {
        type: object, properties: {place: {type: string}}}}}}
      responses: *meters
    post:
      requestBody: &meter {content: {application/json: {schema: {$ref: '#/components/schemas/Meter'}}}}
      responses: {'201': {description: New, content: {application/json: {schema: {
        $ref: '#/components/schemas/Meter'}}}}}
  /meters/{id}:
    get:
      parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Meter'}}}}
        '404': {description: None}
  /meters/{id}/readings:
    parameters: *id
    get:
      responses:
        '200':
          description: All
          content:
            application/jsonl: {itemSchema: {$ref: '#/components/schemas/Reading'}}
            text/event-stream: {itemSchema: {type: object, required: [data], properties: {
              event: {const: reading}, data: {type: string}}}}
        '404': {description: None}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Reading'}}}}
      responses:
        '201': {description: New, content: {application/json: {schema: {$ref: '#/components/schemas/Reading'}}}}
        '404': {description: None}
components:
  schemas:
    Meter: {type: object, required: [place], properties: {id: {type: string, readOnly: true}, place: {type: string}}}
    Reading: {type: object, required: [value], properties: {value: {type: integer}}}
"""


@pytest.fixture(name="meters")
def _meters() -> Client:
    return Client(api(READINGS, version="3.2.0"))


def test_a_stream_has_what_was_created_at_its_path(meters: Client) -> None:
    """As lines, and in the data of the events that the contract describes; without anything created, nothing."""
    first, other = (f"/meters/{meters.json('POST', '/meters', {'place': text})['id']}" for text in "ab")
    for value in (7, 8):
        meters.json("POST", f"{first}/readings", {"value": value})
    lines = meters.call("GET", f"{first}/readings", accept="application/jsonl").body.splitlines()
    events = meters.call("GET", f"{first}/readings", accept="text/event-stream").body.decode()

    assert [json.loads(line) for line in lines] == [{"value": 7}, {"value": 8}]
    assert events == 'event: reading\ndata: {"value":7}\n\nevent: reading\ndata: {"value":8}\n\n'
    assert meters.call("GET", f"{other}/readings", accept="application/jsonl").body == b""


def test_query_searches_the_collection_of_its_path(meters: Client) -> None:
    """By the members of its body (RFC 9110 has no QUERY: draft-ietf-httpbis-safe-method-w-body §2)."""
    for place in ("roof", "cellar"):
        meters.json("POST", "/meters", {"place": place})

    assert [item["place"] for item in meters.json("QUERY", "/meters", {"place": "roof"})] == ["roof"]
    assert len(meters.json("QUERY", "/meters", {})) == len(meters.json("GET", "/meters"))
