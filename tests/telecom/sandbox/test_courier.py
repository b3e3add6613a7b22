"""Delivery receipts: signed, repeated with growing pauses, given up in the end, never sent twice at once."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from devportal.contract import Api, Webhook
from devportal.contract.json_schema import Direction
from devportal.contract.validation import Validator
from telecom.receipts import OUTCOMES
from telecom.sandbox import courier as courier_module
from telecom.sandbox import messages
from telecom.sandbox.courier import Subscription
from telecom.sandbox.outbox import EventState, attempts_of, record_attempt
from telecom.sandbox.receiver import Receiver
from telecom.sandbox.retries import STANDARD, Schedule
from telecom.sandbox.tables import EVENTS, MESSAGES
from telecom.signature import Secret, SignatureRefused, verify

SECRETS = (Secret(b"the secret of now, 32 bytes long"), Secret(b"the secret before, 32 bytes long"))
URL = "http://receiver.test:9000/webhooks?from=sandbox"
STEADY = Schedule(pauses=STANDARD.pauses, jitter=0)


@dataclass(slots=True)
class Recorder:
    """A receiver that answers as told and remembers what came."""

    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    requests: list[tuple[dict[str, str], bytes, str]] = field(default_factory=list)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Take one delivery."""
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.requests.append((headers, body, scope["path"]))
        status, extra = self.answers.pop(0) if self.answers else (204, {})
        raw = [(name.encode(), value.encode()) for name, value in extra.items()]
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def subscription() -> Subscription:
    return Subscription(receiver=Receiver(url=URL), secrets=SECRETS, schedule=STEADY)


@pytest.fixture
def listening(subscribed: Callable[[Subscription], Any], subscription: Subscription) -> Any:
    """Return a sandbox with one accepted message and its receipt due."""
    sandbox = subscribed(subscription)
    sandbox.send()
    sandbox.clock.forward(seconds=1)
    return sandbox


def event(sandbox: Any) -> Any:
    with sandbox.database.read() as connection:
        return connection.execute(EVENTS.select()).one()


def attempts(sandbox: Any) -> Any:
    with sandbox.database.read() as connection:
        return attempts_of(connection, event(sandbox).id)


def receipt_webhook(api: Api) -> Webhook:
    return next(one for one in api.webhooks if one.name == "message.delivery_receipt")


def keeps_contract(api: Api, headers: dict[str, str], body: bytes) -> None:
    operation = receipt_webhook(api).operations[0]
    validator = Validator(api)
    assert operation.request_body is not None
    schema = operation.request_body.content[0].schema
    assert schema is not None
    assert list(validator.violations(schema, json.loads(body), Direction.REQUEST)) == []
    for parameter in operation.parameters:
        value: Any = headers[parameter.name]
        assert parameter.schema is not None
        typed = int(value) if "integer" in parameter.schema.types else value
        assert validator.is_valid(parameter.schema, typed, Direction.REQUEST), parameter.name


def test_receipt_is_delivered_once_and_recorded(listening: Any, api: Api) -> None:
    """The event keeps the contract, its signature fits each secret, and 2xx ends the matter."""
    receiver = Recorder()

    steps = [listening.step(receiver), listening.step(receiver)]

    ((headers, body, path),) = receiver.requests
    assert steps == [2, 0]
    assert path == "/webhooks"
    assert headers["host"] == "receiver.test:9000"
    assert headers["content-type"] == "application/json"
    keeps_contract(api, headers, body)
    for secret in SECRETS:
        assert verify(body, headers, secrets=(secret,), now=listening.clock()) == event(listening).id
    with pytest.raises(SignatureRefused):
        verify(body + b" ", headers, secrets=SECRETS, now=listening.clock())
    assert event(listening).state == EventState.DELIVERED
    assert [(a.number, a.status, a.error) for a in attempts(listening)] == [(1, 204, None)]


def test_receipt_agrees_with_its_message(listening: Any) -> None:
    """Identifier, destination, segments and status are those of the message."""
    receiver = Recorder()
    listening.step(receiver)

    with listening.database.read() as connection:
        message = connection.execute(MESSAGES.select()).one()
    data = json.loads(receiver.requests[0][1])["data"]
    assert data == {
        "message_id": message.id,
        "to": message.to,
        "channel": "sms",
        "status": "delivered",
        "carrier_status": "DELIVRD",
        "error_code": None,
        "segments": message.segments,
    }
    assert message.status == "delivered"


@pytest.mark.parametrize("number", OUTCOMES)
def test_special_numbers_have_their_outcomes(
    subscribed: Any, subscription: Subscription, api: Api, number: str
) -> None:
    """Each outcome is reported with its status and its reason."""
    sandbox, receiver = subscribed(subscription), Recorder()
    sandbox.send({"to": number, "channel": "sms", "body": "Hello"})
    sandbox.clock.forward(seconds=1)
    sandbox.step(receiver)

    headers, body, _ = receiver.requests[0]
    data = json.loads(body)["data"]
    keeps_contract(api, headers, body)
    assert data["status"] == OUTCOMES[number].status
    assert data["error_code"] == OUTCOMES[number].error


def test_nothing_is_sent_before_it_happened(subscribed: Any, subscription: Subscription) -> None:
    """A message that is still queued has no event."""
    sandbox = subscribed(subscription)
    sandbox.send()
    sandbox.clock.forward(seconds=0.9)

    assert sandbox.step() == 0
    assert sandbox.count(EVENTS) == 0


def test_failed_delivery_is_repeated_with_growing_pauses(listening: Any) -> None:
    """Each attempt has the same identifier and body and its own time; the tenth is the last."""
    receiver = Recorder(answers=[(500, {})] * 20)
    pauses = []
    for _ in range(10):
        listening.step(receiver)
        pauses.append(event(listening).due_at - listening.clock())
        listening.clock.forward(seconds=max(pauses[-1].total_seconds() - 1, 0))
        assert listening.step(receiver) == 0
        listening.clock.forward(seconds=1)
    listening.clock.forward(days=30)
    listening.step(receiver)

    stamps = [int(headers["webhook-timestamp"]) for headers, _, _ in receiver.requests]
    assert len(receiver.requests) == 10
    assert pauses[:9] == list(STANDARD.pauses)
    assert len({(headers["webhook-id"], body) for headers, body, _ in receiver.requests}) == 1
    assert stamps == sorted(set(stamps))
    assert [a.number for a in attempts(listening)] == list(range(1, 11))
    assert event(listening).state == EventState.FAILED


@pytest.mark.parametrize("status", [301, 302, 307, 400, 404, 429, 500, 503])
def test_only_2xx_is_success(listening: Any, status: int) -> None:
    """Redirects are not followed, and everything else is tried again."""
    receiver = Recorder(answers=[(status, {"location": "http://127.0.0.1/elsewhere"})])
    listening.step(receiver)
    after_first = event(listening).state
    listening.clock.forward(seconds=5)
    listening.step(receiver)

    assert after_first == EventState.PENDING
    assert [path for _, _, path in receiver.requests] == ["/webhooks", "/webhooks"]
    assert [a.status for a in attempts(listening)] == [status, 204]
    assert event(listening).state == EventState.DELIVERED


def test_retry_after_is_honoured(listening: Any) -> None:
    """A receiver that asks for more time gets it; one that asks for less gets the schedule."""
    receiver = Recorder(answers=[(503, {"retry-after": "90"}), (429, {"retry-after": "1"})])
    listening.step(receiver)
    first = event(listening).due_at - listening.clock()
    listening.clock.forward(seconds=90)
    listening.step(receiver)
    second = event(listening).due_at - listening.clock()

    assert (first, second) == (timedelta(seconds=90), timedelta(minutes=5))


def test_gone_receiver_is_turned_off_until_configured_again(listening: Any) -> None:
    """410 fails the event, sets later ones aside, and a new start turns the receiver on."""
    receiver = Recorder(answers=[(410, {})])
    listening.step(receiver)
    listening.send()
    listening.clock.forward(seconds=1)
    listening.step(receiver)
    with listening.database.read() as connection:
        states = [row.state for row in connection.execute(EVENTS.select().order_by(EVENTS.c.id))]
    listening.restart()
    listening.send()
    listening.clock.forward(seconds=1)
    listening.step(receiver)

    assert states == [EventState.FAILED, EventState.UNADDRESSED]
    assert len(receiver.requests) == 2


def test_without_a_receiver_events_are_set_aside(sandbox: Any) -> None:
    """What nobody listens to is kept in the log and not sent later."""
    sandbox.send()
    sandbox.clock.forward(seconds=1)
    sandbox.step()

    assert event(sandbox).state == EventState.UNADDRESSED


def test_unreachable_receiver_is_recorded(listening: Any) -> None:
    """No answer is a failure with its reason."""

    async def refuses(_scope: Any, _receive: Any, _send: Any) -> None:
        raise httpx.ConnectError("connection refused")

    listening.step(refuses)

    assert [(a.status, a.error) for a in attempts(listening)] == [(None, "connection refused")]
    assert event(listening).state == EventState.PENDING


def test_unforeseen_trouble_is_recorded(listening: Any) -> None:
    """Whatever goes wrong in an attempt is the attempt's error, so that it is counted and has an end."""

    async def breaks(_scope: Any, _receive: Any, _send: Any) -> None:
        raise RuntimeError("nobody thought of this")

    listening.step(breaks)

    assert [(a.status, a.error) for a in attempts(listening)] == [(None, "nobody thought of this")]
    assert event(listening).state == EventState.PENDING


def test_fault_in_one_delivery_waits_for_the_others(
    subscribed: Any, subscription: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step whose record of one attempt fails is over only when the other attempts are recorded."""
    sandbox = subscribed(subscription)
    asked: list[bool] = []
    recorded: list[str] = []
    sandbox.send()
    sandbox.send()
    sandbox.clock.forward(seconds=1)

    def fails_first(connection: Any, attempt: Any, **verdict: Any) -> None:
        recorded.append(attempt.event_id)
        if len(recorded) == 1:
            raise RuntimeError("the disk is full")
        record_attempt(connection, attempt, **verdict)

    async def answers_the_second_late(scope: Any, receive: Any, send: Any) -> None:
        asked.append(True)
        await asyncio.sleep(0.2 if len(asked) > 1 else 0)
        await Recorder()(scope, receive, send)

    monkeypatch.setattr(courier_module, "record_attempt", fails_first)

    with pytest.raises(ExceptionGroup, match="could not be recorded") as caught:
        sandbox.step(answers_the_second_late)

    assert [str(one) for one in caught.value.exceptions] == ["the disk is full"]
    with sandbox.database.read() as connection:
        states = sorted(row.state for row in connection.execute(EVENTS.select()))
    assert states == [EventState.DELIVERED, EventState.PENDING]


def test_slow_receiver_is_a_failure(listening: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time-out the attempt is over."""
    monkeypatch.setattr(courier_module, "TIMEOUT_S", 0.05)

    async def sleeps(_scope: Any, _receive: Any, _send: Any) -> None:
        await asyncio.sleep(5)

    listening.step(sleeps)

    assert attempts(listening)[0].status is None
    assert "no answer within" in attempts(listening)[0].error


def test_name_that_leads_elsewhere_later_is_not_followed(listening: Any) -> None:
    """The receiver's address is looked up, and tested, at each attempt."""
    listening.rim = replace(listening.rim, lookup=lambda _host, _port: ("10.0.0.1",))
    listening.step()

    assert "10.0.0.1" in attempts(listening)[0].error


def test_event_and_settlement_are_one_transaction(listening: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the event cannot be written the message is not settled."""

    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patch:
        patch.setattr(messages, "add_event", fails)
        with pytest.raises(RuntimeError, match="killed here"):
            listening.step()
    with listening.database.read() as connection:
        status = connection.execute(MESSAGES.select()).one().status
    listening.step(Recorder())

    assert status == "queued"
    assert event(listening).state == EventState.DELIVERED


def test_many_events_are_all_delivered(subscribed: Any, subscription: Subscription) -> None:
    """Steps go on until nothing is due."""
    sandbox, receiver = subscribed(subscription), Recorder()
    identifiers = {sandbox.send().json()["id"] for _ in range(45)}
    sandbox.clock.forward(seconds=1)
    while sandbox.step(receiver):
        pass

    seen = [json.loads(body)["data"]["message_id"] for _, body, _ in receiver.requests]
    assert sorted(seen) == sorted(identifiers)
