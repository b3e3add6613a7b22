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


NESTED = """\
paths:
  /boards/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: A}}}
  /boards/{id}/cards:
    parameters: [*id]
    get:
      responses: {'200': {description: A, content: {application/json: {schema: {type: array, items: &card
        {$ref: '#/components/schemas/Card'}}}}}}
    post:
      requestBody: {content: {application/json: {schema: *card}}}
      responses: {'201': {description: A, content: {application/json: {schema: *card}}}}
  /boards/{id}/cards/bulk:
    parameters: [*id]
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {cards: &cards
        {type: array, items: *card}}}}}}
      responses: {'201': {description: A, content: {application/json: {schema:
        {type: object, properties: {cards: *cards}}}}}}
  /boards/{id}/cards/{card_id}:
    parameters: [*id, {name: card_id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: A, content: {application/json: {schema: *card}}}}}
components:
  schemas:
    Card:
      type: object
      properties:
        id: {type: integer, readOnly: true}
        board_id: {type: integer, readOnly: true}
        title: {type: string}
"""


def test_several_are_created_below_another_resource() -> None:
    """They belong to it, and are listed there."""
    client = Client(api(NESTED))
    (board,) = {record.scope[0] for record in client.application.state.all_records() if record.scope}
    created = client.json("POST", f"/boards/{board}/cards/bulk", {"cards": [{"title": "A"}, {"title": "B"}]})

    assert [(card["title"], card["board_id"]) for card in created["cards"]] == [
        ("A", int(board)),
        ("B", int(board)),
    ]
    assert client.json("GET", f"/boards/{board}/cards")[-2:] == created["cards"]
