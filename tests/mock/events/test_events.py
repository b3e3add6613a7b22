"""Callbacks and webhooks report what happened, to those who asked for it."""

import base64
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from devportal.conformance.webhooks.signature import STANDARD_WEBHOOKS
from devportal.mock.events.delivery_writer import EventTime
from devportal.mock.events.events import Events
from devportal.mock.http.credentials import Grant
from devportal.mock.http.exchange import MockRequest, Moment
from devportal.mock.resources.store import State
from devportal.mock.run import make_mock, new_signing_secret
from devportal.mock.startup import signature_lines
from tests.contract.inline import api
from tests.mock.contracts import FOLDER, START, TOKEN
from tests.mock.serving import listening_mock
from tests.waiting import wait_until

HOOKS = Path(__file__).parents[2] / "conformance" / "webhooks"
APPS = Path(__file__).parents[2] / "apps" / "webhooks"
SECRET = "whsec_bW9ja19zZWNyZXRfb2ZfYV90ZXN0X3J1bg=="
AUTHORISED = {"Authorization": f"Bearer {TOKEN}"}


class _Receiver(HTTPServer):
    """Keeps what it receives; it fails as often as a test asks for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[tuple[dict[str, str], bytes]] = []
        self.failures = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook"

    def bodies(self) -> list[Any]:
        return [json.loads(body) for _, body in self.received]


class _Handler(BaseHTTPRequestHandler):
    server: _Receiver

    def do_POST(self) -> None:
        """Take a delivery."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((dict(self.headers), body))
        is_failing = len(self.server.received) <= self.server.failures
        self.send_response(500 if is_failing else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        """Print nothing."""


@contextmanager
def receiving() -> Iterator[_Receiver]:
    with _Receiver() as receiver:
        thread = threading.Thread(target=receiver.serve_forever, daemon=True)
        thread.start()
        yield receiver
        receiver.shutdown()


def place_order(url: str, **members: Any) -> str:
    """Create an order and place it; return its identifier."""
    body = {"product": "Tea", "quantity": 1, **members}
    created = httpx.post(f"{url}/orders", json=body, headers=AUTHORISED).raise_for_status()
    identifier = str(created.json()["id"])
    httpx.post(f"{url}/orders/{identifier}/place", headers=AUTHORISED).raise_for_status()
    return identifier


def test_a_webhook_is_signed_as_the_contract_documents() -> None:
    """With the headers of Standard Webhooks, about the resource as it is."""
    with receiving() as receiver, listening_mock(FOLDER / "orders.yaml", webhook_urls=(receiver.url,)) as url:
        identifier = place_order(url)
        wait_until(lambda: receiver.received)

    headers, body = receiver.received[0]
    event = json.loads(body)
    assert event["type"] == "order.placed"
    assert (event["data"]["id"], event["data"]["status"]) == (identifier, "placed")
    assert STANDARD_WEBHOOKS.is_signed_with(tuple(headers.items()), body, SECRET)


def test_a_callback_waits_for_the_state_that_it_reports() -> None:
    """The state goes on by itself: the machine has a step that no operation leads to."""
    with receiving() as receiver, listening_mock(FOLDER / "orders.yaml") as url:
        identifier = place_order(url, notify_url=receiver.url)
        wait_until(lambda: receiver.received)

    assert [(body["type"], body["order"]["id"], body["order"]["status"]) for body in receiver.bodies()] == [
        ("shipped", identifier, "shipped")
    ]


def test_a_delivery_that_fails_is_repeated() -> None:
    """With the same identifier, until it is taken."""
    with receiving() as receiver, listening_mock(FOLDER / "orders.yaml", webhook_urls=(receiver.url,)) as url:
        receiver.failures = 2
        place_order(url)
        wait_until(lambda: len(receiver.received) == 3)

    assert len({headers["webhook-id"] for headers, _ in receiver.received}) == 1


def test_an_event_reports_the_states_that_its_payload_can_have() -> None:
    """A new order is in none of them; the next two states are two events, which are numbered."""
    with receiving() as receiver, listening_mock(HOOKS / "orders.yaml") as url:
        hook = {"url": receiver.url, "wants": ["order.changed"]}
        httpx.post(f"{url}/hooks", json=hook, headers=AUTHORISED).raise_for_status()
        order = httpx.post(f"{url}/orders", json={"item": "a lamp"}, headers=AUTHORISED).json()["order_id"]
        wait_until(
            lambda: len([body for body in receiver.bodies() if body["data"]["order_id"] == order]) == 2
        )

    own = [body for body in receiver.bodies() if body["data"]["order_id"] == order]
    assert {item["type"] for item in own} == {"order.changed"}
    assert [(item["data"]["step"], item["data"]["status"]) for item in own] == [(1, "packed"), (2, "shipped")]


def test_a_list_of_deliveries_shows_each_event_once() -> None:
    """With the number of its attempts and its state, below the receiver that it went to, and gone with it."""
    with receiving() as receiver, listening_mock(APPS / "orders.yaml") as url:
        receiver.failures = 1
        hook, other = (
            httpx.post(
                f"{url}/hooks", json={"target": target, "events": ["order.placed"]}, headers=AUTHORISED
            )
            for target in (receiver.url, "https://other.example/")
        )
        log = f"{url}/hooks/{hook.json()['id']}/deliveries"
        httpx.post(f"{url}/orders", json={"article": "lamp"}, headers=AUTHORISED).raise_for_status()

        def rows() -> list[dict[str, Any]]:
            return list(httpx.get(log, headers=AUTHORISED).json()["items"])

        wait_until(lambda: [row["state"] for row in rows()] == ["delivered"])
        shown = rows()
        others = httpx.get(f"{url}/hooks/{other.json()['id']}/deliveries", headers=AUTHORISED).json()["items"]
        httpx.delete(f"{url}/hooks/{hook.json()['id']}", headers=AUTHORISED).raise_for_status()
        gone = httpx.get(log, headers=AUTHORISED).status_code

    assert [(item["state"], item["attempts"]) for item in shown] == [("delivered", 2)]
    assert shown[0]["event_id"].startswith("evt_")
    assert (others, gone) == ([], 404)


SUBSCRIPTIONS = """
openapi: 3.1.0
info: {title: Subscriptions, version: '1'}
paths:
  /webhooks:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [url]
              properties: {url: {type: string, format: uri}, events: {type: array, items: {type: string}}}
      responses:
        '201': {description: Added., content: {application/json: {schema: {$ref: '#/components/schemas/Hook'}}}}
  /webhooks/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    delete: {responses: {'204': {description: Gone.}}}
  /pets:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses:
        '201': {description: Added., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    delete: {responses: {'204': {description: Gone.}}}
webhooks:
  pet.created:
    post: &event
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}}
      responses: {'200': {description: Ok}}
  pet.deleted: {post: *event}
components:
  schemas:
    Hook:
      type: object
      properties: {id: {type: string}, url: {type: string}, events: {type: array, items: {type: string}}}
    Pet: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}
    Event:
      type: object
      required: [type, pet]
      properties: {type: {type: string}, pet: {$ref: '#/components/schemas/Pet'}}
"""


def test_a_subscription_gets_the_events_that_it_names(tmp_path: Path) -> None:
    """And none once it is deleted."""
    contract = tmp_path / "subscriptions.yaml"
    contract.write_text(SUBSCRIPTIONS, encoding="utf-8")
    with receiving() as receiver, listening_mock(contract) as url:
        hook = httpx.post(f"{url}/webhooks", json={"url": receiver.url, "events": ["pet.deleted"]}).json()
        pet = httpx.post(f"{url}/pets", json={"name": "Rex"}).json()
        httpx.delete(f"{url}/pets/{pet['id']}").raise_for_status()
        wait_until(lambda: receiver.received)
        httpx.delete(f"{url}/webhooks/{hook['id']}").raise_for_status()
        httpx.delete(f"{url}/pets/{httpx.post(f'{url}/pets', json={}).json()['id']}").raise_for_status()

    assert receiver.bodies() == [{"type": "pet.deleted", "pet": pet}]


BOXES = """\
paths:
  /boxes:
    post:
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {name: {type: string}}}
      responses:
        '201':
          description: A box
          content:
            application/json:
              schema: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}
  /boxes/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200':
          description: A box
          content:
            application/json:
              schema: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}
webhooks:
  box.created:
    post:
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [box_id], properties: {box_id: {type: string}}}
      responses: {'204': {description: Taken}}
"""


def test_an_event_is_about_the_resource_that_its_name_has() -> None:
    """By the word for one of them, whatever its plural: `box.created` reports a new resource of `/boxes`."""
    mock = make_mock(api(BOXES), grants=(Grant(token=TOKEN),))
    request = MockRequest(
        method="POST", path="/boxes", headers=(("content-type", "application/json"),), body=b"{}"
    )
    outcome = mock.respond(request, State(), Moment(now=START, serial=1))
    events = Events(mock, ("https://receiver.example",))

    (delivery,) = events.deliveries(outcome.happenings[0], State(), EventTime(now=START, sent=START), 1)

    assert json.loads(delivery.body) == {"box_id": outcome.response.value["id"]}


WASHES = """\
paths:
  /washes:
    post:
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {notify: {type: string, format: uri}}}
      responses:
        '201':
          description: Started
          content:
            application/json:
              schema: {type: object, required: [id], properties: {id: {type: string, readOnly: true}}}
      callbacks:
        ended:
          '{$request.body#/notify}':
            post:
              parameters:
                - {name: X-Signature, in: header, required: true, SIGNATURE}
              requestBody: {content: {application/json: {schema: {type: object}}}}
              responses: {'204': {description: Received}}
  /washes/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A wash}}
"""


@pytest.mark.parametrize(
    ("described", "form"),
    [
        ("schema: {type: string}", "sha256={hex}"),
        ("schema: {type: string, pattern: '^[0-9a-f]{64}$'}", "{hex}"),
        ("description: Base64 of the digest, schema: {type: string, pattern: '=$'}", "sha256={base64}"),
        ("description: Base64, schema: {type: string, pattern: '^[^=]{43}=$'}", "{base64}"),
    ],
)
def test_a_callback_without_a_secret_is_signed_by_that_of_the_mock(described: str, form: str) -> None:
    """In the form of the contract: a required header that is missing would be a lie about the callback."""
    mock = make_mock(api(WASHES.replace("SIGNATURE", described)), grants=(Grant(token=TOKEN),))
    body = b'{"notify": "http://127.0.0.1:9/"}'
    request = MockRequest(
        method="POST", path="/washes", headers=(("content-type", "application/json"),), body=body
    )
    outcome = mock.respond(request, State(), Moment(now=START, serial=1))
    events = Events(mock, secret="s3cret")

    (delivery,) = events.deliveries(outcome.happenings[0], State(), EventTime(now=START, sent=START), 1)

    digest = hmac.digest(b"s3cret", delivery.body, "sha256")
    expected = form.format(hex=digest.hex(), base64=base64.b64encode(digest).decode())
    assert dict(delivery.headers)["X-Signature"] == expected


def test_the_start_shows_the_secret_of_signatures() -> None:
    """Nobody could verify them without it."""
    contract = api(WASHES.replace("SIGNATURE", "schema: {type: string}"))

    assert [*signature_lines(contract, "s3cret")] == [
        "  X-Signature: signed with s3cret, if the receiver has no other secret"
    ]


def test_the_secret_of_callbacks_has_the_form_of_standard_webhooks() -> None:
    """Libraries for the header of Standard Webhooks take no other secret."""
    text = WASHES.replace("SIGNATURE", "schema: {type: string}")

    assert new_signing_secret(api(text.replace("X-Signature", "webhook-signature")), 1).startswith("whsec_")
    assert not new_signing_secret(api(text), 1).startswith("whsec_")
