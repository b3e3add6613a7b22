"""Which event of the contract a delivery is: its type counts before its schema, that before its name."""

from typing import Any

import pytest

from devportal.conformance.webhooks.event_matching import callback_key, event_matcher, promised_events
from devportal.contract import Api
from tests.contract.inline import api

CALLBACKS = """\
paths:
  /messages:
    post:
      responses: {'202': {description: Accepted.}}
      callbacks:
        onStatus:
          '{$request.body#/url}':
            post:
              requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Status'}}}}
              responses: {'200': {description: Received.}}
        onReply:
          '{$request.body#/url}':
            post:
              requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Reply'}}}}
              responses: {'200': {description: Received.}}
components:
  schemas:
    Status:
      type: object
      required: [type, message]
      properties: {type: {type: string, enum: [message.sent, message.failed]}, message: {type: string}}
    Reply:
      type: object
      required: [from, text]
      properties:
        type: {type: string}
        from: {type: string}
        text: {type: string}
        channel_type: {type: string, enum: [other]}
"""


ONE_NAME = """\
paths:
  /calls:
    post:
      responses: {'202': {description: Accepted.}}
      callbacks: {onDone: {'{$request.body#/url}': {$ref: '#/components/pathItems/Call'}}}
  /faxes:
    post:
      responses: {'202': {description: Accepted.}}
      callbacks: {onDone: {'{$request.body#/url}': {$ref: '#/components/pathItems/Fax'}}}
  /urgent-faxes:
    post:
      responses: {'202': {description: Accepted.}}
      callbacks: {onDone: {'{$request.body#/url}': {$ref: '#/components/pathItems/Fax'}}}
components:
  pathItems:
    Call:
      post:
        requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Call'}}}}
        responses: {'200': {description: Received.}}
    Fax:
      post:
        requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Fax'}}}}
        responses: {'200': {description: Received.}}
  schemas:
    Call: {type: object, required: [id, seconds], properties: {id: {type: string}, seconds: {type: integer}}}
    Fax: {type: object, required: [id, pages], properties: {id: {type: string}, pages: {type: integer}}}
"""
FAX = "onDone of POST /faxes"


ONE_PAYLOAD = """\
webhooks:
  event.created: {$ref: '#/components/pathItems/Notice'}
  eventCancelled: {$ref: '#/components/pathItems/Notice'}
components:
  pathItems:
    Notice:
      post:
        requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Notice'}}}}
        responses: {'200': {description: Received.}}
  schemas:
    Notice:
      type: object
      required: [type]
      properties: {type: {type: string, enum: [event.created, event.cancelled, event.imported]}}
"""


def test_events_with_one_payload_have_the_types_that_are_not_names_of_others() -> None:
    """A schema that lists the types of all events says nothing about which one a delivery is: its type does."""
    matcher = event_matcher(api(ONE_PAYLOAD))

    assert [sorted(kind.type_values) for kind in matcher.kinds] == [
        ["event.created", "event.imported"],
        ["event.cancelled", "event.imported"],
    ]
    cancelled = {"type": "event.cancelled"}
    assert matcher.event_name(cancelled, "event.cancelled") == "eventCancelled"


def test_callbacks_of_one_name_are_told_apart_by_their_operations() -> None:
    """Each operation has its own payload; operations with the same payload have the same event."""
    contract = api(ONE_NAME)
    events = promised_events(contract)
    calls, faxes = (operation for operation in contract.operations if operation.path in ("/calls", "/faxes"))
    matcher = event_matcher(contract)

    assert set(events) == {"onDone", FAX, "onDone of POST /urgent-faxes"}
    assert [callback_key(events, operation, "onDone") for operation in (calls, faxes)] == ["onDone", FAX]
    assert matcher.event_name({"id": "f", "pages": 2}, "onDone", frozenset({FAX})) == FAX
    assert matcher.event_name({"id": "c", "seconds": 2}, "onDone", frozenset({"onDone"})) == "onDone"
    assert matcher.event_name({"id": "f"}, None, frozenset({FAX})) == FAX
    assert matcher.contract_name(FAX) == "onDone"


@pytest.fixture(scope="module")
def contract() -> Api:
    """Return a contract whose callbacks have names that no delivery says."""
    return api(CALLBACKS)


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"type": "message.sent", "message": "m"}, "onStatus"),
        ({"type": "message.sent"}, "onStatus"),
        ({"type": "reply", "from": "a", "text": "b"}, "onReply"),
        ({"from": "a", "text": "b"}, "onReply"),
        ({"type": "onReply", "from": 1}, "onReply"),
        ({"type": "other"}, "other"),
        ({"a": 1}, ""),
        (None, ""),
    ],
)
def test_a_delivery_is_known_by_type_then_schema_then_name(contract: Api, body: Any, name: str) -> None:
    """The key of a callback is a name for people."""
    declared = body.get("type") if isinstance(body, dict) else None

    assert event_matcher(contract).event_name(body, declared) == name


def test_settings_may_name_an_event_by_its_type(contract: Api) -> None:
    """A value of the type is an event too; both lead to one operation."""
    matcher = event_matcher(contract, ["message.sent"])

    assert matcher.event_name({"type": "message.sent"}, "message.sent") == "message.sent"
    assert matcher.event_name({"type": "message.failed"}, "message.failed") == "onStatus"
    assert matcher.operation("message.sent") is promised_events(contract)["onStatus"]
    assert matcher.contract_name("message.sent") == "onStatus"
    assert matcher.operation("message.lost") is None


@pytest.mark.parametrize(
    ("name", "listed", "wanted"),
    [
        ("onStatus", ["message.failed", "reply", "message.sent"], ["message.failed", "message.sent"]),
        ("message.sent", ["message.sent", "message.failed"], ["message.sent"]),
        ("onStatus", ["onStatus", "message.sent"], ["onStatus"]),
        ("onReply", ["reply"], ["onReply"]),
        ("onReply", None, ["onReply"]),
    ],
)
def test_a_subscription_lists_keys_or_types(name: str, listed: Any, wanted: list[str]) -> None:
    """An event of one endpoint alone is asked for in the words that the subscription knows."""
    assert event_matcher(api(CALLBACKS)).listed_names(name, listed) == wanted
