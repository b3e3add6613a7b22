"""Delivery receipts: they come, they are true, and they tell one story of a message."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import islice, pairwise
from typing import Any

from devportal.conformance.deployment.credentials import Role
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.created_resources import response_json
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.conformance.knowledge.valid_request import json_media_type
from devportal.contract import Schema, StateMachine
from devportal.contract.validate.json_schema import Direction
from telecom.conformance.event_log import (
    LIST_EVENTS,
    READ_EVENT,
    LoggedEvent,
    events_about,
    list_events,
    page_items,
)
from telecom.conformance.sending import (
    READ_MESSAGE,
    SEND_MESSAGE,
    JsonObject,
    accepted_json,
    follow_messages,
    missing_operations,
    read_by_id,
    require_operation,
    response_failure,
    send_message,
    wait_until,
)
from telecom.conformance.settings import settings_of
from telecom.magic_numbers import DESTINATIONS, final_outcome
from telecom.receipts import MESSAGE_STATE_MACHINE, RECEIPT, STATUS_CHANGED
from telecom.states import StateMachines
from telecom.times import parse_rfc3339

ABOUT_A_SECOND = timedelta(seconds=1)
"""Times of one moment may be written with other precision in one place and another."""
CARRIED_OVER = ("error_code", "carrier_status", "segments")
"""What the last receipt and the message both tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMismatch:
    """What disagrees, in words for a title and a message, and the event that shows it, if one does."""

    title: str
    message: str
    event: LoggedEvent | None = None


def event_mismatches(
    machine: StateMachine, message: Mapping[str, Any], events: Sequence[LoggedEvent]
) -> Iterator[EventMismatch]:
    """Yield where the events about a message that has ended tell another story than the message."""
    steps = sorted((one for one in events if one.type == STATUS_CHANGED), key=lambda one: one.sequence)
    receipts = tuple(one for one in events if one.type == RECEIPT)
    for event in (*steps, *receipts):
        yield from _subject_mismatches(message, event)
        yield from _finality_mismatches(machine, event)
    yield from _step_mismatches(machine, message, steps)
    yield from _time_mismatches(message, steps)
    yield from _receipt_mismatches(message, steps, receipts)


def _subject_mismatches(message: Mapping[str, Any], event: LoggedEvent) -> Iterator[EventMismatch]:
    told = {
        "type": (event.payload.get("type"), event.type),
        "subject": (event.shown.get("subject"), message.get("id")),
        "message_id": (event.data.get("message_id"), message.get("id")),
        "to": (event.data.get("to"), message.get("to")),
        "channel": (event.data.get("channel"), message.get("channel")),
    }
    if wrong := [f"{name} {one!r}, not {right!r}" for name, (one, right) in told.items() if one != right]:
        yield EventMismatch(title="an event is about something else", message="; ".join(wrong), event=event)


def _finality_mismatches(machine: StateMachine, event: LoggedEvent) -> Iterator[EventMismatch]:
    status, final = event.data.get("status"), event.data.get("final")
    if status in machine.states and final is not (status in machine.finals):
        message = f"{event.type} has the status {status!r}, and final is {final!r}"
        yield EventMismatch(
            title="an event tells another finality than the contract", message=message, event=event
        )


def _step_mismatches(
    machine: StateMachine, message: Mapping[str, Any], steps: Sequence[LoggedEvent]
) -> Iterator[EventMismatch]:
    """Yield where the steps, by their numbers, do not lead from a first status to the one that is there."""
    if not steps:
        yield EventMismatch(
            title="a message has ended, and no event tells of its steps",
            message=f"it is {message.get('status')!r}, and the log has no {STATUS_CHANGED} of it",
        )
        return
    numbers = [one.sequence for one in steps]
    if numbers != list(range(1, len(steps) + 1)):
        yield EventMismatch(
            title="the steps of a message are not counted from 1",
            message=f"their numbers are {numbers}",
            event=steps[-1],
        )
    before: Any = steps[0].data.get("previous_status")
    if before not in machine.initial:
        text = f"the first step begins at {before!r}; messages begin as {', '.join(machine.initial)}"
        yield EventMismatch(title="the first step is not from the beginning", message=text, event=steps[0])
    for one in steps:
        source, target = one.data.get("previous_status"), one.data.get("status")
        if source != before or not machine.allows(str(source), str(target)):
            text = f"step {one.sequence} leads from {source!r} to {target!r}, and the status was {before!r}"
            yield EventMismatch(title="a step does not follow the one before", message=text, event=one)
        before = target
    last = steps[-1].data
    for name in ("status", "error_code"):
        if last.get(name) != message.get(name):
            text = f"{name} is {last.get(name)!r} in the last step, and {message.get(name)!r} in the message"
            yield EventMismatch(title=f"the last step has another {name}", message=text, event=steps[-1])


def _time_mismatches(message: Mapping[str, Any], steps: Sequence[LoggedEvent]) -> Iterator[EventMismatch]:
    moments = [_parse_time(one.payload.get("timestamp")) for one in steps]
    for (earlier, later), step in zip(pairwise(moments), steps[1:], strict=True):
        if earlier is not None and later is not None and later < earlier:
            text = f"step {step.sequence} happened at {later}, and the one before at {earlier}"
            yield EventMismatch(title="a later step has an earlier time", message=text, event=step)
    for step, moment in zip(steps, moments, strict=True):
        is_last = step is steps[-1]
        name = "finished_at" if is_last else "sent_at" if step.data.get("status") == "sent" else ""
        shown = _parse_time(message.get(name))
        if moment is not None and shown is not None and abs(moment - shown) > ABOUT_A_SECOND:
            text = f"{name} is {shown}, and the event of that step has {moment}"
            yield EventMismatch(title=f"an event has another time than {name}", message=text, event=step)


def _receipt_mismatches(
    message: Mapping[str, Any], steps: Sequence[LoggedEvent], receipts: Sequence[LoggedEvent]
) -> Iterator[EventMismatch]:
    """Yield where no receipt reports the end, or where one reports it otherwise. Late and repeated ones may
    report what is no longer so, and have no higher number for that.
    """
    status = message.get("status")
    ends = [one for one in receipts if one.data.get("status") == status]
    if not ends:
        yield EventMismatch(
            title="a message has ended, and no receipt reports how",
            message=f"it is {status!r}, and the log has {len(receipts)} {RECEIPT} of it, none of that status",
            event=receipts[-1] if receipts else None,
        )
    for one in ends:
        for name in CARRIED_OVER:
            said, right = one.data.get(name), message.get(name)
            if said != right:
                text = f"{name} is {said!r} in the receipt, and {right!r} in the message"
                yield EventMismatch(title=f"a receipt has another {name}", message=text, event=one)
    numbers = {step.data.get("status"): step.sequence for step in steps}
    for one in receipts:
        number = numbers.get(one.data.get("status"))
        if number is not None and number != one.sequence:
            text = (
                f"the receipt of {one.data.get('status')!r} has the number {one.sequence}, its step {number}"
            )
            yield EventMismatch(title="a receipt has another number than its step", message=text, event=one)


def _parse_time(text: Any) -> datetime | None:
    return parse_rfc3339(text) if isinstance(text, str) else None


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
