"""Do the events about a message tell what the message shows? By the event log: nobody need receive them."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.deployment.credentials import Role
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.path_values import response_json
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.knowledge.valid_request import json_media_type
from devportal.contract import Schema
from devportal.contract.validate.json_schema import Direction
from telecom.conformance.event_log import (
    LIST_EVENTS,
    READ_EVENT,
    LoggedEvent,
    events_about,
    list_events,
    page_items,
)
from telecom.conformance.following import JsonObject, follow_messages
from telecom.conformance.receipt_story import event_mismatches
from telecom.conformance.sending import (
    READ_MESSAGE,
    SEND_MESSAGE,
    accepted_json,
    missing_operations,
    read_by_id,
    require_operation,
    response_failure,
    send_message,
)
from telecom.conformance.settings import settings_of
from telecom.conformance.waiting import wait_until
from telecom.magic_numbers import DESTINATIONS, final_outcome
from telecom.receipts import MESSAGE_STATE_MACHINE
from telecom.states import StateMachines

LOG_WITHIN_S = 5.0
"""How long the log may take to show what the message shows."""
MOST_TOLD = 3
USUAL_NUMBER = ""
"""The key of the message that goes where the contract's example goes."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe: messages that end, and the events about them."""
    yield Probe(
        operation=operation_label(require_operation(subject, READ_EVENT)), run=partial(_check_events, subject)
    )


def _check_events(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    machine = StateMachines.read(subject.api).of(MESSAGE_STATE_MACHINE)
    sent = {
        number: exchange
        for number, exchange in _send_messages(subject, send)
        if accepted_json(exchange) is not None
    }
    ended = follow_messages(subject, send, sent, lambda _, shown: shown.get("status") in machine.finals)
    stories = {key: shown for key, shown in ended.items() if shown.get("status") in machine.finals}
    if not stories:
        raise Unsendable("no message ended in time")
    told = set[str]()
    for key, message in stories.items():
        for one in _check_message_events(subject, send, sent[key], message):
            if one.title not in told:
                told.add(one.title)
                yield one


def _send_messages(subject: Subject, send: Send) -> Iterator[tuple[str, Exchange]]:
    """Send the usual message and, in a sandbox, one to each number at which messages end."""
    yield USUAL_NUMBER, send_message(subject, send, channel="sms")
    machines = StateMachines.read(subject.api)
    finals = machines.of(MESSAGE_STATE_MACHINE).finals
    for number, there in DESTINATIONS.items() if settings_of(subject).is_sandbox else ():
        is_ending = there.refusal is None and final_outcome(machines, there).status in finals
        if is_ending and not there.answered_after_s:
            yield number, send_message(subject, send, channel="sms", to=number)


def _check_message_events(
    subject: Subject, send: Send, sent: Exchange, message: JsonObject
) -> Iterator[CheckFailure]:
    machine = StateMachines.read(subject.api).of(MESSAGE_STATE_MACHINE)
    name, events = str(message.get("id")), tuple[LoggedEvent, ...]()

    def agree() -> bool:
        nonlocal events
        events = events_about(subject, send, name)
        return not any(True for _ in event_mismatches(machine, message, events))

    wait_until(subject, send, agree, LOG_WITHIN_S)
    reading = require_operation(subject, READ_EVENT)
    for one in event_mismatches(machine, message, events):
        evidence = (sent, one.event.exchange) if one.event is not None else (sent,)
        yield response_failure(reading, one.title, one.message, *evidence)
    for event in events:
        yield from _payload_failures(subject, event)
    yield from _check_other_account(subject, send, name, events)


def _payload_failures(subject: Subject, event: LoggedEvent) -> Iterator[CheckFailure]:
    schema = _event_schema(subject, event.type)
    payload: Any = event.shown.get("payload")
    # A schema that requests and answers share may mark members for one of them: an event may be either.
    if schema is None or subject.validator.is_valid(schema, payload, Direction.REQUEST):
        return
    wrong = list(islice(subject.validator.violations(schema, payload, Direction.RESPONSE), MOST_TOLD))
    if wrong:
        told = "; ".join(f"/{'/'.join(one.pointer)}: {one.message}" for one in wrong)
        yield CheckFailure(
            title="the payload of an event breaks its schema",
            message=f"{event.type}: {told}",
            operation=operation_label(require_operation(subject, READ_EVENT)),
            promise=schema.location,
            evidence=(event.exchange,),
        )


def _event_schema(subject: Subject, name: str) -> Schema | None:
    """Return the schema of what is sent about an event of the contract, None where it has no such."""
    for webhook in subject.api.webhooks:
        for operation in webhook.operations if webhook.name == name else ():
            content = operation.request_body.content if operation.request_body is not None else ()
            media_type = json_media_type(content)
            return media_type.schema if media_type is not None else None
    return None


def _check_other_account(
    subject: Subject, send: Send, message: str, events: tuple[LoggedEvent, ...]
) -> Iterator[CheckFailure]:
    """Yield a fault where another account is told of a message."""
    stranger = subject.other(Role.OTHER_TENANT)
    if stranger is None:
        return
    page = list_events(subject, send, message, party=stranger)
    if any(one.get("subject") == message for one in page_items(page)):
        text = f"its list of events has {message!r}"
        yield response_failure(
            require_operation(subject, LIST_EVENTS), "another account is told of a message", text, page
        )
    for event in events[:1]:
        name = str(event.shown.get("id"))
        exchange = read_by_id(subject, send, READ_EVENT, name, stranger)
        shown = response_json(exchange)
        if exchange.status == 200 and isinstance(shown, dict) and shown.get("subject") == message:
            text = f"it can read the event {name!r} of {message!r}"
            yield response_failure(
                require_operation(subject, READ_EVENT), "another account reads an event", text, exchange
            )


def _missing_requirement(subject: Subject) -> str:
    if MESSAGE_STATE_MACHINE not in StateMachines.read(subject.api).by_schema:
        return f"the state machine {MESSAGE_STATE_MACHINE} in the contract"
    return missing_operations(SEND_MESSAGE, READ_MESSAGE, LIST_EVENTS, READ_EVENT)(subject)


FAMILY = Family(
    name="delivery-receipts",
    summary="events tell of a message what the message shows",
    words=CheckDescription(
        promise="The events about a message lead step by step, as its state machine allows, from its first "
        "status to the one that it has, and are counted from 1. Times, error code, carrier status and "
        "segments are those of the message, and a receipt reports how it ended. Each payload is as the "
        "contract documents its event, and no other account is told.",
        test="A message is sent and followed until it has ended, in a sandbox one more to each of its "
        "numbers. Then its events are read from the event log, which has some seconds to catch up. Nobody "
        "need receive them; what is received is tested by the checks of webhooks.",
        remedy="Write a step of a message and the event that tells of it in one transaction, from the same "
        "values.",
        sources=("the descriptions of messages and of their events in the contract", "x-state-machine"),
    ),
    probes=probes,
    lacks=_missing_requirement,
    about_state=True,
)
