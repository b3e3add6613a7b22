"""Creations that take a list of what they create: each item becomes a resource."""

from tests.contract.inline import api
from tests.mock.contracts import Client

CONTRACT = """\
paths:
  /messages:
    get:
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Messages'}}}}
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: array
              minItems: 1
              items:
                type: object
                required: [to]
                properties: {to: {type: string}, encoding: {type: string, enum: [text, binary], default: text}}
      responses:
        '201': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Messages'}}}}
        '400': {description: Invalid}
  /messages/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Message'}}}}
        '404': {description: Unknown}
components:
  schemas:
    Messages: {type: array, items: {$ref: '#/components/schemas/Message'}}
    Message:
      type: object
      required: [id, to, encoding, created_at]
      properties:
        id: {type: string}
        to: {type: string}
        encoding: {type: string, enum: [text, binary]}
        created_at: {type: string, format: date-time}
"""


def test_each_item_of_a_list_is_created() -> None:
    """What a client sends is in the response, in order, and can be read and listed."""
    client = Client(api(CONTRACT))
    created = client.json("POST", "/messages", [{"to": "Ada", "encoding": "binary"}, {"to": "Bob"}])

    assert [(message["to"], message["encoding"]) for message in created] == [
        ("Ada", "binary"),
        ("Bob", "text"),
    ]
    assert created[0]["id"] != created[1]["id"]
    assert created[0]["created_at"].startswith("2026-11-27T09:00:00")
    assert client.json("GET", "/messages")[-2:] == created
    assert client.json("GET", f"/messages/{created[1]['id']}") == created[1]


def test_one_invalid_item_creates_nothing() -> None:
    """All are created, or none."""
    client = Client(api(CONTRACT))
    before = client.json("GET", "/messages")

    assert client.call("POST", "/messages", [{"to": "Ada"}, {}]).status == 400
    assert client.json("GET", "/messages") == before
