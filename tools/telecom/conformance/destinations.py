"""Do messages to the numbers of the sandbox fare as the guide says? Only where the settings call it one."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.subject import Subject, label
from telecom.conformance.sending import (
    READ,
    SEND,
    accepted,
    fault,
    lacking,
    needed,
    read_message,
    send_message,
)
from telecom.conformance.settings import lacks_sandbox
from telecom.magic_numbers import DESTINATIONS, Destination, fate
from telecom.receipts import MACHINE
from telecom.states import Machines

WITHIN_S = 20.0
STEP_S = 0.5


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe: a message to each number."""
    yield Probe(operation=label(needed(subject, READ)), run=partial(_reached, subject))


def _reached(subject: Subject, send: Send) -> Iterator[Fault]:
    waiting: dict[str, Exchange] = {}
    for number, there in DESTINATIONS.items():
        if there.refusal is None and not there.answered_after_s:
            exchange = send_message(subject, send, channel="sms", to=number)
            if accepted(exchange) is not None:
                waiting[number] = exchange
    seen = _watched(subject, waiting, send)
    machines = Machines.read(subject.api)
    for number, exchange in waiting.items():
        wanted, shown = fate(machines, DESTINATIONS[number]), seen.get(number, {})
        status, error = shown.get("status"), shown.get("error_code")
        if status != wanted.status or error != (wanted.error.value if wanted.error else None):
            message = f"{number} ends as {status!r} ({error}), and {wanted.status!r} ({wanted.error}) is told"
            yield fault(needed(subject, READ), "a number of the sandbox ends otherwise", message, exchange)
            return


def _watched(subject: Subject, waiting: Mapping[str, Exchange], send: Send) -> dict[str, dict[str, Any]]:
    """Return the last reading of each message, when all have ended as told or the time is over."""
    seen: dict[str, dict[str, Any]] = {}
    machines, waited_s = Machines.read(subject.api), 0.0
    left = dict(waiting)
    while left and waited_s < WITHIN_S:
        send.wait(STEP_S)
        waited_s += STEP_S
        for number, exchange in list(left.items()):
            shown = accepted(exchange) or {}
            document = read_message(subject, send, str(shown.get("id")))
            if isinstance(document, dict):
                seen[number] = document
                if document.get("status") == _end(machines, DESTINATIONS[number]):
                    del left[number]
    return seen


def _end(machines: Machines, there: Destination) -> str:
    return fate(machines, there).status


def _lacks(subject: Subject) -> str:
    if missing := lacks_sandbox(subject):
        return missing
    if MACHINE not in Machines.read(subject.api).by_schema:
        return f"the state machine {MACHINE} in the contract"
    return lacking(SEND, READ)(subject)


FAMILY = Family(
    name="sandbox-destinations",
    summary="the numbers of the sandbox do what the guide says",
    words=Words(
        promise="Messages to the numbers of the sandbox end with the status and the error code of the guide.",
        test="One message goes to each number, and is read until it has ended, for at most 20 seconds. Only "
        "where the settings say that the deployment is a sandbox.",
        remedy="Compare the deployment's table of numbers with the guide's.",
        sources=("the guide to the sandbox",),
    ),
    probes=probes,
    lacks=_lacks,
)
