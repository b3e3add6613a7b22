"""New resources are as they are before anything has happened to them, and actions say what happened."""

from typing import Any

import pytest

from devportal.contract import ABSENT
from devportal.mock.resources.initial_values import is_past_time, untouched_values
from tests.contract.inline import api, schema
from tests.mock.contracts import Client

SHOW = """\
paths:
  /shows:
    get:
      operationId: listShows
      responses:
        '200':
          description: Shows
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Show'}}}}
    post:
      operationId: createShow
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewShow'}}}
      responses:
        '201': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Show'}}}}
  /shows/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getShow
      responses:
        '200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Show'}}}}
        '404': {description: None}
  /shows/{id}/cancel:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: cancelShow
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties: {reason: {type: string}, ticketReference: {type: string}, price: {type: integer}}
      responses:
        '200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Show'}}}}
        '404': {description: None}
components:
  schemas:
    NewShow:
      type: object
      required: [name]
      properties: {name: {type: string}, price: {type: integer}, refundReason: {type: string}}
    Show:
      allOf:
      - $ref: '#/components/schemas/NewShow'
      - type: object
        required: [id, status, ticketsSold, failureReason]
        properties:
          id: {type: string}
          status: {type: string, enum: [draft, sold_out, cancelled, lost]}
          ticketsSold: {type: integer}
          averageRating: {type: [number, 'null']}
          failureReason: {type: string}
          cancellationReason: {type: string}
          cancelledBy: {type: string}
          cancelledAt: {type: string, format: date-time}
          soldOut: {type: boolean}
          isLost: {type: boolean}
          isIndoors: {type: boolean}
          reviews: {type: array, items: {type: string}}
          ticketReference: {type: string}
          statistics:
            type: object
            properties: {viewCount: {type: integer}, deliveryAttempts: {type: integer}, seats: {const: 9}}
"""


@pytest.fixture(name="client")
def _client() -> Client:
    return Client(api(SHOW))


def test_nothing_has_happened_to_a_new_resource(client: Client) -> None:
    """Counts are zero, reasons and times are not there, or empty if they are required; what clients send stays."""
    show = client.json("POST", "/shows", {"name": "Medea", "refundReason": "Rain"})

    assert (show["status"], show["ticketsSold"], show["averageRating"], show["failureReason"]) == (
        "draft",
        0,
        None,
        "",
    )
    assert (show["soldOut"], show["isLost"], show["isIndoors"], show["reviews"]) == (False, False, True, [])
    assert show["statistics"] == {"viewCount": 0, "deliveryAttempts": 0, "seats": 9}
    assert show["refundReason"] == "Rain"
    assert not {"cancellationReason", "cancelledBy", "cancelledAt"} & show.keys()
    assert client.json("GET", f"/shows/{show['id']}") == show


def test_seeds_have_nothing_of_later_states(client: Client) -> None:
    """A draft is not lost and has no reason of a cancellation. Its numbers stay those of the sample."""
    [show] = client.json("GET", "/shows")

    assert show["status"] == "draft"
    assert not {"cancellationReason", "cancelledBy", "cancelledAt"} & show.keys()
    assert (show["isLost"], show["soldOut"], show["statistics"]["viewCount"] > 0) == (False, False, True)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("enum: [sent, draft]", "draft"),
        ("enum: [draft, sent], default: sent", "sent"),
        ("enum: [sent, draft, null], nullable: true", "draft"),
        ("enum: [north, south]", None),
    ],
)
def test_a_state_that_a_client_may_send_has_its_default_or_is_the_first(
    state: str, expected: str | None
) -> None:
    """If the client leaves it out; a state that nothing says is not made up."""
    schema = f"{{properties: {{id: {{type: string}}, status: {{type: string, {state}}}}}}}"
    body = f"content: {{application/json: {{schema: {schema}}}}}"
    text = f"""\
paths:
  /letters:
    post:
      requestBody: {{{body}}}
      responses: {{'201': {{description: It, {body}}}}}
  /letters/{{id}}:
    get:
      parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
      responses: {{'200': {{description: It, {body}}}}}
"""
    client = Client(api(text, version="3.0.3"))

    assert client.json("POST", "/letters", {}).get("status") == expected


def test_an_action_keeps_what_its_request_says(client: Client) -> None:
    """Its reason, under the name that the resource has for it, and texts of the same name, but no numbers."""
    show = client.json("POST", "/shows", {"name": "Medea", "price": 30})
    said = {"reason": "The lead is ill", "ticketReference": "T-1", "price": 5}
    cancelled = client.json("POST", f"/shows/{show['id']}/cancel", said)

    assert (cancelled["status"], cancelled["cancellationReason"]) == ("cancelled", "The lead is ill")
    assert (cancelled["ticketReference"], cancelled["price"]) == ("T-1", 30)
    assert client.json("GET", f"/shows/{show['id']}") == cancelled


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("seats_taken", "type: integer", [0]),
        ("refundedAmount", "type: number", [0]),
        ("failedAttempts", "type: integer", [0]),
        ("progress", "type: integer", [0]),
        ("percent_complete", "type: number", [0]),
        ("maxAttempts", "type: integer", []),
        ("remainingDownloads", "type: integer", []),
        ("readTimeout", "type: integer", []),
        ("estimated_days", "type: integer", []),
        ("count", "type: integer", []),
        ("wordCount", "type: integer", []),
        ("retryCount", "{type: integer, default: 3}", []),
        ("isArchived", "type: boolean", [False]),
        ("enabled", "type: boolean", []),
        ("isActive", "type: boolean", [False]),
        ("lastError", "type: object", [None, ABSENT]),
        ("error_code", "{type: string, enum: [A]}", []),
        ("errorCode", "type: string", [None, ABSENT, ""]),
        ("closeReason", "type: string", [None, ABSENT, ""]),
        ("reason", "type: string", []),
        ("statusReason", "type: string", []),
        ("createdBy", "type: string", []),
        ("returnCode", "type: string", []),
        ("deletedAt", "{type: string, format: date-time}", [None, ABSENT]),
        ("startsAt", "{type: string, format: date-time}", []),
    ],
)
def test_values_of_names(name: str, text: str, values: list[Any]) -> None:
    """Only words that nearly always mean what happened later count, and what the contract gives stays."""
    assert [*untouched_values(name, schema(text), ("active", "lost"))] == values


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("placedAt", True),
        ("paid_at", True),
        ("lastLoginAt", True),
        ("dateShipped", True),
        ("scheduledAt", False),
        ("expected_on", False),
        ("startsAt", False),
    ],
)
def test_times_of_what_happened(name: str, *, expected: bool) -> None:
    """Not those of plans."""
    assert is_past_time(name, schema("{type: string, format: date-time}")) is expected


def test_a_number_that_representations_show_as_text_is_the_number_that_was_sent() -> None:
    """And the other way round. What is a number in neither is not made one."""
    text = r"{type: string, pattern: '^\d+(\.\d+)?$'}"
    sent = "anyOf: [{type: number}, {type: string}]"
    client = Client(
        api(f"""\
paths:
  /items:
    post:
      requestBody:
        content:
          application/json: {{schema: {{type: object, properties: {{price: {{{sent}}}, count: {{{sent}}}}}}}}}
      responses:
        '201': &item
          description: It
          content: {{application/json: {{schema: {{$ref: '#/components/schemas/Item'}}}}}}
  /items/{{id}}:
    parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
    get: {{responses: {{'200': *item}}}}
components:
  schemas:
    Item:
      type: object
      properties: {{id: {{type: string}}, price: {text}, count: {{type: integer}}}}
""")
    )

    first = client.json("POST", "/items", {"price": 12.5, "count": "3"})
    second = client.json("POST", "/items", {"price": "7", "count": "three"})

    assert (first["price"], first["count"]) == ("12.5", 3)
    assert second["price"] == "7"
    assert isinstance(second["count"], int)


@pytest.mark.parametrize(("kind", "is_found"), [("string, format: uuid", True), ("boolean", False)])
def test_a_response_that_is_an_identifier_alone_is_that_of_what_was_created(
    kind: str,
    is_found: bool,  # noqa: FBT001 - a case
) -> None:
    """As handlers of commands answer: `"0f4c…"`. Other values stay those of the contract."""
    content = "content: {application/json: {schema: {type: object, properties: {id: {type: string, format: uuid}}}}}"
    client = Client(
        api(f"""\
paths:
  /orders:
    post:
      requestBody: {{content: {{application/json: {{schema: {{type: object}}}}}}}}
      responses: {{'201': {{description: It, content: {{application/json: {{schema: {{type: {kind}}}}}}}}}}}
  /orders/{{id}}:
    parameters: [{{name: id, in: path, required: true, schema: {{type: string, format: uuid}}}}]
    get: {{responses: {{'200': {{description: It, {content}}}, '404': {{description: No}}}}}}
""")
    )

    first, second = (client.json("POST", "/orders", {}) for _ in range(2))

    assert (first != second) is is_found
    if is_found:
        assert client.json("GET", f"/orders/{second}") == {"id": second}
