"""Do the events about a message tell what the message shows? By the event log: nobody need receive them."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.parties import Role
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject, label
from devportal.conformance.valid_request import json_media_type
from devportal.contract import Schema
from devportal.contract.json_schema import Direction
from telecom.conformance.event_log import LIST, READ_EVENT, Event, events_about, items_of, listed
from telecom.conformance.following import Document, followed
from telecom.conformance.receipt_story import disagreements
from telecom.conformance.sending import READ, SEND, accepted, fault, lacking, needed, read_one, send_message
from telecom.conformance.settings import settings_of
from telecom.conformance.waiting import awaited
from telecom.magic_numbers import DESTINATIONS, fate
from telecom.receipts import MACHINE
from telecom.states import Machines

LOG_WITHIN_S = 5.0
"""How long the log may take to show what the message shows."""
MOST_TOLD = 3
USUAL = ""
"""The key of the message that goes where the contract's example goes."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe: messages that end, and the events about them."""
    yield Probe(operation=label(needed(subject, READ_EVENT)), run=partial(_told, subject))


def _told(subject: Subject, send: Send) -> Iterator[Fault]:
    machine = Machines.read(subject.api).of(MACHINE)
    sent = {number: exchange for number, exchange in _sent(subject, send) if accepted(exchange) is not None}
    ended = followed(subject, send, sent, lambda _, shown: shown.get("status") in machine.finals)
    stories = {key: shown for key, shown in ended.items() if shown.get("status") in machine.finals}
    if not stories:
        raise Unsendable("no message ended in time")
    told = set[str]()
    for key, message in stories.items():
        for one in _of_one(subject, send, sent[key], message):
            if one.title not in told:
                told.add(one.title)
                yield one


def _sent(subject: Subject, send: Send) -> Iterator[tuple[str, Exchange]]:
    """Send the usual message and, in a sandbox, one to each number at which messages end."""
    yield USUAL, send_message(subject, send, channel="sms")
    machines = Machines.read(subject.api)
    finals = machines.of(MACHINE).finals
    for number, there in DESTINATIONS.items() if settings_of(subject).is_sandbox else ():
        is_ending = there.refusal is None and fate(machines, there).status in finals
        if is_ending and not there.answered_after_s:
            yield number, send_message(subject, send, channel="sms", to=number)


def _of_one(subject: Subject, send: Send, sent: Exchange, message: Document) -> Iterator[Fault]:
    machine = Machines.read(subject.api).of(MACHINE)
    name, events = str(message.get("id")), tuple[Event, ...]()

    def agree() -> bool:
        nonlocal events
        events = events_about(subject, send, name)
        return not any(True for _ in disagreements(machine, message, events))

    awaited(subject, send, agree, LOG_WITHIN_S)
    reading = needed(subject, READ_EVENT)
    for one in disagreements(machine, message, events):
        evidence = (sent, one.event.exchange) if one.event is not None else (sent,)
        yield fault(reading, one.title, one.message, *evidence)
    for event in events:
        yield from _payload(subject, event)
    yield from _foreign(subject, send, name, events)


def _payload(subject: Subject, event: Event) -> Iterator[Fault]:
    schema = _schema(subject, event.type)
    payload: Any = event.shown.get("payload")
    # A schema that requests and answers share may mark members for one of them: an event may be either.
    if schema is None or subject.validator.is_valid(schema, payload, Direction.REQUEST):
        return
    wrong = list(islice(subject.validator.violations(schema, payload, Direction.RESPONSE), MOST_TOLD))
    if wrong:
        told = "; ".join(f"/{'/'.join(one.pointer)}: {one.message}" for one in wrong)
        yield Fault(
            title="the payload of an event breaks its schema",
            message=f"{event.type}: {told}",
            operation=label(needed(subject, READ_EVENT)),
            promise=schema.location,
            evidence=(event.exchange,),
        )


def _schema(subject: Subject, name: str) -> Schema | None:
    """Return the schema of what is sent about an event of the contract, None where it has no such."""
    for webhook in subject.api.webhooks:
        for operation in webhook.operations if webhook.name == name else ():
            content = operation.request_body.content if operation.request_body is not None else ()
            media_type = json_media_type(content)
            return media_type.schema if media_type is not None else None
    return None


def _foreign(subject: Subject, send: Send, message: str, events: tuple[Event, ...]) -> Iterator[Fault]:
    """Yield a fault where another account is told of a message."""
    stranger = subject.other(Role.OTHER_TENANT)
    if stranger is None:
        return
    page = listed(subject, send, message, party=stranger)
    if any(one.get("subject") == message for one in items_of(page)):
        text = f"its list of events has {message!r}"
        yield fault(needed(subject, LIST), "another account is told of a message", text, page)
    for event in events[:1]:
        name = str(event.shown.get("id"))
        exchange = read_one(subject, send, READ_EVENT, name, stranger)
        shown = body_of(exchange)
        if exchange.status == 200 and isinstance(shown, dict) and shown.get("subject") == message:
            text = f"it can read the event {name!r} of {message!r}"
            yield fault(needed(subject, READ_EVENT), "another account reads an event", text, exchange)


def _lacks(subject: Subject) -> str:
    if MACHINE not in Machines.read(subject.api).by_schema:
        return f"the state machine {MACHINE} in the contract"
    return lacking(SEND, READ, LIST, READ_EVENT)(subject)


FAMILY = Family(
    name="delivery-receipts",
    summary="events tell of a message what the message shows",
    words=Words(
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
    lacks=_lacks,
    about_state=True,
)
