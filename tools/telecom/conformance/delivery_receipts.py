"""Delivery receipts: they arrive, they are correct, and the events about a message agree with it."""

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
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Schema, StateMachine
from devportal.contract.media_types import json_media_type
from devportal.contract.validate.json_schema import Direction
from devportal.contract.wording import quote_value
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

TIME_TOLERANCE = timedelta(seconds=1)
"""The same time may be written with different precision in two places."""
RECEIPT_FIELDS = ("error_code", "carrier_status", "segments")
"""The members that the last receipt and the message share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMismatch:
    """What disagrees, in words for a title and a message, and the event that shows it, if one does."""

    title: str
    message: str
    event: LoggedEvent | None = None


def event_mismatches(
    machine: StateMachine, message: Mapping[str, Any], events: Sequence[LoggedEvent]
) -> Iterator[EventMismatch]:
    """Yield each mismatch between a message that has ended and the events about it."""
    steps = sorted(
        (event for event in events if event.type == STATUS_CHANGED), key=lambda event: event.sequence
    )
    receipts = tuple(event for event in events if event.type == RECEIPT)
    for event in (*steps, *receipts):
        yield from _subject_mismatches(message, event)
        yield from _finality_mismatches(machine, event)
    yield from _step_mismatches(machine, message, steps)
    yield from _time_mismatches(message, steps)
    yield from _receipt_mismatches(message, steps, receipts)


def _subject_mismatches(message: Mapping[str, Any], event: LoggedEvent) -> Iterator[EventMismatch]:
    values = {
        "type": (event.payload.get("type"), event.type),
        "subject": (event.document.get("subject"), message.get("id")),
        "message_id": (event.data.get("message_id"), message.get("id")),
        "to": (event.data.get("to"), message.get("to")),
        "channel": (event.data.get("channel"), message.get("channel")),
    }
    if differences := [
        f"{name} {quote_value(actual)}, not {quote_value(expected)}"
        for name, (actual, expected) in values.items()
        if actual != expected
    ]:
        yield EventMismatch(
            title="an event is about something else", message="; ".join(differences), event=event
        )


def _finality_mismatches(machine: StateMachine, event: LoggedEvent) -> Iterator[EventMismatch]:
    status, final = event.data.get("status"), event.data.get("final")
    if status in machine.states and final is not (status in machine.finals):
        message = f"{event.type} has the status {quote_value(status)}, and final is {quote_value(final)}"
        yield EventMismatch(
            title="an event and the contract disagree about a final status", message=message, event=event
        )


def _step_mismatches(
    machine: StateMachine, message: Mapping[str, Any], steps: Sequence[LoggedEvent]
) -> Iterator[EventMismatch]:
    """Yield each mismatch between the steps, by their numbers, and the status of the message."""
    if not steps:
        yield EventMismatch(
            title="a message has ended, but no event reports its steps",
            message=f"it is {quote_value(message.get('status'))}, and the log has no {STATUS_CHANGED} of it",
        )
        return
    numbers = [step.sequence for step in steps]
    if numbers != list(range(1, len(steps) + 1)):
        yield EventMismatch(
            title="the steps of a message are not counted from 1",
            message=f"their numbers are {numbers}",
            event=steps[-1],
        )
    status: Any = steps[0].data.get("previous_status")
    if status not in machine.initial:
        text = (
            f"the first step begins at {quote_value(status)}; messages begin as {', '.join(machine.initial)}"
        )
        yield EventMismatch(title="the first step is not from the beginning", message=text, event=steps[0])
    for step in steps:
        source, target = step.data.get("previous_status"), step.data.get("status")
        if source != status or not machine.allows(str(source), str(target)):
            text = (
                f"step {step.sequence} leads from {quote_value(source)} to {quote_value(target)}, and the "
                f"status was {quote_value(status)}"
            )
            yield EventMismatch(title="a step does not follow the one before", message=text, event=step)
        status = target
    last = steps[-1].data
    for name in ("status", "error_code"):
        if last.get(name) != message.get(name):
            text = (
                f"{name} is {quote_value(last.get(name))} in the last step, and "
                f"{quote_value(message.get(name))} in the message"
            )
            yield EventMismatch(title=f"the last step has another {name}", message=text, event=steps[-1])


def _time_mismatches(message: Mapping[str, Any], steps: Sequence[LoggedEvent]) -> Iterator[EventMismatch]:
    moments = [_parse_time(step.payload.get("timestamp")) for step in steps]
    for (earlier, later), step in zip(pairwise(moments), steps[1:], strict=True):
        if earlier is not None and later is not None and later < earlier:
            text = f"step {step.sequence} happened at {later}, and the one before at {earlier}"
            yield EventMismatch(title="a later step has an earlier time", message=text, event=step)
    for step, moment in zip(steps, moments, strict=True):
        is_last = step is steps[-1]
        name = "finished_at" if is_last else "sent_at" if step.data.get("status") == "sent" else ""
        documented = _parse_time(message.get(name))
        if moment is not None and documented is not None and abs(moment - documented) > TIME_TOLERANCE:
            text = f"{name} is {documented}, and the event of that step has {moment}"
            yield EventMismatch(title=f"an event has another time than {name}", message=text, event=step)


def _receipt_mismatches(
    message: Mapping[str, Any], steps: Sequence[LoggedEvent], receipts: Sequence[LoggedEvent]
) -> Iterator[EventMismatch]:
    """Yield a mismatch if no receipt reports the end, or if one reports it differently. Late and repeated
    receipts may report an earlier status, and then have its number."""
    status = message.get("status")
    final_receipts = [receipt for receipt in receipts if receipt.data.get("status") == status]
    if not final_receipts:
        yield EventMismatch(
            title="a message has ended, and no receipt reports how",
            message=(
                f"it is {quote_value(status)}, and the log has {len(receipts)} {RECEIPT} of it, none of that "
                "status"
            ),
            event=receipts[-1] if receipts else None,
        )
    for receipt in final_receipts:
        for name in RECEIPT_FIELDS:
            actual, expected = receipt.data.get(name), message.get(name)
            if actual != expected:
                text = f"{name} is {quote_value(actual)} in the receipt, and {quote_value(expected)} in the message"
                yield EventMismatch(title=f"a receipt has another {name}", message=text, event=receipt)
    numbers = {step.data.get("status"): step.sequence for step in steps}
    for receipt in receipts:
        number = numbers.get(receipt.data.get("status"))
        if number is not None and number != receipt.sequence:
            text = (
                f"the receipt of {quote_value(receipt.data.get('status'))} has the number {receipt.sequence}, "
                f"its step {number}"
            )
            yield EventMismatch(
                title="a receipt has another number than its step", message=text, event=receipt
            )


def _parse_time(text: Any) -> datetime | None:
    return parse_rfc3339(text) if isinstance(text, str) else None


LOG_TIMEOUT_S = 5.0
"""How long the log may take to show what the message shows."""
MAX_VIOLATIONS = 3
USUAL_NUMBER = ""
"""The key of the message to the recipient of the contract's example."""


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
    last_seen = follow_messages(
        subject, send, sent, lambda _, document: document.get("status") in machine.finals
    )
    ended_messages = {
        key: document for key, document in last_seen.items() if document.get("status") in machine.finals
    }
    if not ended_messages:
        raise Unsendable("a message that reaches a final state in time")
    titles = set[str]()
    for key, message in ended_messages.items():
        for failure in _check_message_events(subject, send, sent[key], message):
            if failure.title not in titles:
                titles.add(failure.title)
                yield failure


def _send_messages(subject: Subject, send: Send) -> Iterator[tuple[str, Exchange]]:
    """Send the usual message and, in a sandbox, one to each number at which messages end."""
    yield USUAL_NUMBER, send_message(subject, send, channel="sms")
    machines = StateMachines.read(subject.api)
    finals = machines.of(MESSAGE_STATE_MACHINE).finals
    for number, destination in DESTINATIONS.items() if settings_of(subject).is_sandbox else ():
        is_ending = destination.refusal is None and final_outcome(machines, destination).status in finals
        if is_ending and not destination.response_delay_s:
            yield number, send_message(subject, send, channel="sms", to=number)


def _check_message_events(
    subject: Subject, send: Send, sent: Exchange, message: JsonObject
) -> Iterator[CheckFailure]:
    machine = StateMachines.read(subject.api).of(MESSAGE_STATE_MACHINE)
    message_id, events = str(message.get("id")), tuple[LoggedEvent, ...]()

    def events_agree() -> bool:
        nonlocal events
        events = events_about(subject, send, message_id)
        return not any(True for _ in event_mismatches(machine, message, events))

    wait_until(subject, send, events_agree, LOG_TIMEOUT_S)
    reading = require_operation(subject, READ_EVENT)
    for mismatch in event_mismatches(machine, message, events):
        evidence = (sent, mismatch.event.exchange) if mismatch.event is not None else (sent,)
        yield response_failure(reading, mismatch.title, mismatch.message, *evidence)
    for event in events:
        yield from _payload_failures(subject, event)
    yield from _check_other_account(subject, send, message_id, events)


def _payload_failures(subject: Subject, event: LoggedEvent) -> Iterator[CheckFailure]:
    schema = _event_schema(subject, event.type)
    payload: Any = event.document.get("payload")
    # A schema that requests and responses share may mark members for one of them: an event may be either.
    if schema is None or subject.validator.is_valid(schema, payload, Direction.REQUEST):
        return
    violations = list(
        islice(subject.validator.violations(schema, payload, Direction.RESPONSE), MAX_VIOLATIONS)
    )
    if violations:
        message = "; ".join(
            f"/{'/'.join(violation.pointer)}: {violation.message}" for violation in violations
        )
        yield CheckFailure(
            title="the payload of an event breaks its schema",
            message=f"{event.type}: {message}",
            operation=operation_label(require_operation(subject, READ_EVENT)),
            promise=schema.location,
            evidence=(event.exchange,),
        )


def _event_schema(subject: Subject, name: str) -> Schema | None:
    """Return the schema of what is sent about an event of the contract, None if it has no such."""
    for webhook in subject.api.webhooks:
        for operation in webhook.operations if webhook.name == name else ():
            content = operation.request_content
            media_type = json_media_type(content)
            return media_type.schema if media_type is not None else None
    return None


def _check_other_account(
    subject: Subject, send: Send, message_id: str, events: tuple[LoggedEvent, ...]
) -> Iterator[CheckFailure]:
    """Yield a failure if another account can see the events of a message."""
    other_account = subject.other(Role.OTHER_TENANT)
    if other_account is None:
        return
    page = list_events(subject, send, message_id, credential=other_account)
    if any(item.get("subject") == message_id for item in page_items(page)):
        text = f"its list of events has {message_id!r}"
        yield response_failure(
            require_operation(subject, LIST_EVENTS), "another account can see a message", text, page
        )
    for event in events[:1]:
        event_id = str(event.document.get("id"))
        exchange = read_by_id(subject, send, READ_EVENT, event_id, other_account)
        document = response_json(exchange)
        if exchange.status == 200 and isinstance(document, dict) and document.get("subject") == message_id:
            text = f"it can read the event {event_id!r} of {message_id!r}"
            yield response_failure(
                require_operation(subject, READ_EVENT), "another account reads an event", text, exchange
            )


def _missing_requirement(subject: Subject) -> str:
    if MESSAGE_STATE_MACHINE not in StateMachines.read(subject.api).by_schema:
        return f"the state machine {MESSAGE_STATE_MACHINE} in the contract"
    return missing_operations(SEND_MESSAGE, READ_MESSAGE, LIST_EVENTS, READ_EVENT)(subject)


FAMILY = Family(
    name="delivery-receipts",
    summary="events match the message",
    words=CheckDescription(
        promise="The events about a message follow its state machine from the first status to the current "
        "one, and are counted from 1. Times, error code, carrier status and segments are those of the"
        " message, and a receipt reports its result. Each payload matches the contract, and no other "
        "account can see it.",
        test="A message is sent and followed to its end; in a sandbox, one more to each of its numbers. "
        "Then its events are read from the event log, which has a few seconds to catch up. No "
        "receiver is needed; deliveries are tested by the webhook checks.",
        remedy="Write a step of a message and its event in one transaction, from the same values.",
        sources=("the descriptions of messages and of their events in the contract", "x-state-machine"),
    ),
    probes=probes,
    lacks=_missing_requirement,
    about_state=True,
)
