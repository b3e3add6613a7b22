"""Faults in what becomes of messages: events that tell another story, numbers that stand for other fates."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.apps.faults.proxy import Asked, Fault, Forward, Given
from tests.apps.faults.twists import (
    EVENTS,
    MESSAGES,
    READ,
    READ_EVENT,
    SEND,
    Make,
    answer,
    as_ada,
    request,
    text_of,
)

EVENTS_TOO = (*MESSAGES, "listEvents", "retrieveEvent")
SANDBOX: Mapping[str, Any] = {"devportal-telecom": {"is_sandbox": True}}
RECEIPT, STEP = "message.delivery_receipt", "message.status_changed"


def _events(name: str, breaks: str, make: Make) -> Fault:
    return Fault(name=name, breaks=breaks, check="delivery-receipts", operations=EVENTS_TOO, make=make)


def _data(kind: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Make:
    """Change what events of a kind say of their message."""

    def with_changed_data(given: Given) -> Given:
        payload = given.json["payload"]
        if given.json["type"] != kind:
            return given
        return given.with_members(payload={**payload, "data": change(payload["data"])})

    return answer(READ_EVENT, with_changed_data)


def _payload(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Make:
    return answer(READ_EVENT, lambda given: given.with_members(payload=change(given.json["payload"])))


def _filter_events(is_kept: Callable[[dict[str, Any]], bool]) -> Make:
    return answer(
        EVENTS, lambda given: given.with_members(data=[item for item in given.json["data"] if is_kept(item)])
    )


RECEIPTS = (
    _events(
        "receipts-with-an-error-that-there-was-not",
        "a receipt has the error code of the message",
        _data(RECEIPT, lambda data: {**data, "error_code": "unknown"}),
    ),
    _events(
        "receipts-without-the-carriers-word",
        "a receipt has the carrier status of the message",
        _data(RECEIPT, lambda data: {**data, "carrier_status": None}),
    ),
    _events(
        "receipts-that-bill-one-segment-more",
        "a receipt has the segments of the message",
        _data(RECEIPT, lambda data: {**data, "segments": data["segments"] + 1}),
    ),
    _events(
        "receipts-that-only-say-sent",
        "a receipt reports how the message ended",
        _data(RECEIPT, lambda data: {**data, "status": "sent", "final": False}),
    ),
    _events(
        "messages-that-end-without-a-receipt",
        "a receipt reports how the message ended",
        _filter_events(lambda item: item["type"] != RECEIPT),
    ),
    _events(
        "receipts-counted-by-themselves",
        "a receipt has the number of its step",
        _data(RECEIPT, lambda data: {**data, "sequence": 1}),
    ),
    _events(
        "events-of-another-message",
        "an event names its message",
        _data(STEP, lambda data: {**data, "message_id": data["message_id"][:-1]}),
    ),
    _events(
        "steps-that-begin-anew",
        "a step follows the one before",
        _data(STEP, lambda data: {**data, "previous_status": "queued"}),
    ),
    _events(
        "steps-counted-from-nought",
        "steps are counted from 1",
        _data(STEP, lambda data: {**data, "sequence": data["sequence"] - 1}),
    ),
    _events(
        "steps-that-nobody-tells-of",
        "each step is an event",
        _filter_events(lambda item: item["type"] != STEP),
    ),
    _events(
        "events-that-are-never-final",
        "an event tells whether its status is final",
        _data(STEP, lambda data: {**data, "final": False}),
    ),
    _events(
        "events-with-the-time-of-their-writing",
        "an event has the time of its step",
        _payload(lambda payload: {**payload, "timestamp": "2036-01-01T00:00:00.000Z"}),
    ),
    _events(
        "payloads-without-a-type",
        "a payload is as its event is documented",
        _payload(lambda payload: {name: value for name, value in payload.items() if name != "type"}),
    ),
    _events(
        "events-of-everybody",
        "no other account is told",
        request(EVENTS, as_ada),
    ),
)


def _sandbox(name: str, breaks: str, make: Make, operations: tuple[str, ...] = EVENTS_TOO) -> Fault:
    return Fault(
        name=name,
        breaks=breaks,
        check="sandbox-destinations",
        operations=operations,
        make=make,
        plugins=SANDBOX,
    )


def treat_number_as(number: str, other: str) -> Make:
    """Treat a number as if it were another one."""
    return request(
        SEND, lambda asked: asked.with_members(to=other), when=lambda asked: text_of(asked, "to") == number
    )


def _lists_receipts_once() -> Callable[[Asked, Forward], Any]:
    """List one delivery receipt for each message."""

    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if not asked.has(EVENTS) or given.status != 200:
            return given
        last = {
            (item["type"], item["subject"]): item for item in given.json["data"] if item["type"] == RECEIPT
        }
        kept = [item for item in given.json["data"] if item["type"] != RECEIPT or item in last.values()]
        return given.with_members(data=kept)

    return twist


DESTINATIONS = (
    _sandbox(
        "a-landline-that-gets-messages",
        "a number of the sandbox ends as the guide says",
        treat_number_as("+12025550176", "+12025550123"),
    ),
    _sandbox(
        "one-error-code-for-all",
        "a number of the sandbox ends with the error code of the guide",
        answer(READ, lambda given: given.with_members(error_code=given.json["error_code"] and "unknown")),
        MESSAGES,
    ),
    _sandbox("receipts-told-once", "a carrier that reports twice is told of twice", _lists_receipts_once),
    _sandbox(
        "a-number-without-mms-that-takes-it",
        "a number of the sandbox refuses what the guide says",
        treat_number_as("+12025550193", "+12025550123"),
    ),
    _sandbox(
        "a-breakdown-instead-of-a-full-quota",
        "a number of the sandbox is refused with the problem of the guide",
        treat_number_as("+12025550196", "+12025550197"),
    ),
)
FAULTS = (*RECEIPTS, *DESTINATIONS)
