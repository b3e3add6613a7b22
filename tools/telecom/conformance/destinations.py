"""Do messages to the numbers of the sandbox fare as the guide says? Only where the settings call it one."""

from collections.abc import Iterator, Mapping
from functools import partial

from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.subject import Subject, label
from telecom.conformance.event_log import LIST, READ_EVENT, events_about
from telecom.conformance.following import Document, followed
from telecom.conformance.refusing import misrefusal
from telecom.conformance.sending import (
    READ,
    SEND,
    accepted,
    fault,
    lacking,
    message,
    needed,
    operation_of,
    send_message,
)
from telecom.conformance.settings import lacks_sandbox
from telecom.conformance.waiting import WITHIN_S, awaited
from telecom.magic_numbers import DESTINATIONS, Destination, fate
from telecom.receipts import MACHINE, RECEIPT
from telecom.states import Machines

LOG_WITHIN_S = 5.0
"""How long the receipts of a message may take that has ended: some come late, or again."""
ENDING = {
    number: there
    for number, there in DESTINATIONS.items()
    if there.refusal is None and not there.answered_after_s
}
"""The numbers whose messages are accepted, and answered before a run gives up."""
REFUSING = {number: there for number, there in DESTINATIONS.items() if there.refusal is not None}


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for the numbers that accept messages, and one for those that refuse them."""
    yield Probe(operation=label(needed(subject, READ)), run=partial(_reached, subject))
    yield Probe(operation=label(needed(subject, SEND)), run=partial(_refused, subject))


def _reached(subject: Subject, send: Send) -> Iterator[Fault]:
    sent = {number: send_message(subject, send, channel="sms", to=number) for number in ENDING}
    waiting = {number: exchange for number, exchange in sent.items() if accepted(exchange) is not None}
    machines = Machines.read(subject.api)
    seen = followed(
        subject,
        send,
        waiting,
        lambda number, shown: shown.get("status") == fate(machines, ENDING[number]).status,
    )
    if wrong := [number for number in sent if number not in waiting]:
        text = f"{wrong[0]} gets {sent[wrong[0]].status}, and is told to accept messages"
        yield fault(needed(subject, SEND), "a number of the sandbox refuses messages", text, sent[wrong[0]])
    yield from _ends(subject, machines, waiting, seen)
    if operation_of(subject, LIST) is not None and operation_of(subject, READ_EVENT) is not None:
        yield from _receipts(subject, send, machines, seen)


def _ends(
    subject: Subject, machines: Machines, sent: Mapping[str, Exchange], seen: Mapping[str, Document]
) -> Iterator[Fault]:
    for number, exchange in sent.items():
        wanted, shown = fate(machines, ENDING[number]), seen.get(number, {})
        status, error = shown.get("status"), shown.get("error_code")
        if status != wanted.status or error != (wanted.error.value if wanted.error else None):
            text = (
                f"{number} is {status!r} ({error}) after at most {WITHIN_S:g} s; the guide tells "
                f"{str(wanted.status)!r} ({wanted.error})"
            )
            yield fault(needed(subject, READ), "a number of the sandbox ends otherwise", text, exchange)
            return


def _receipts(
    subject: Subject, send: Send, machines: Machines, seen: Mapping[str, Document]
) -> Iterator[Fault]:
    """Yield where other receipts came than the guide tells, or in another order."""
    for number, shown in seen.items():
        wanted = [one.value for one in fate(machines, ENDING[number]).receipts]
        name, told = str(shown.get("id")), list[object]()

        def have_come(name: str = name, told: list[object] = told, wanted: list[str] = wanted) -> bool:
            newest_first = (one for one in events_about(subject, send, name) if one.type == RECEIPT)
            told[:] = [one.data.get("status") for one in newest_first][::-1]
            return told == wanted

        if not awaited(subject, send, have_come, LOG_WITHIN_S):
            text = f"of {number} the receipts {told} are told, and by the guide {wanted}"
            yield fault(needed(subject, LIST), "a number of the sandbox has other receipts", text)
            return


def _refused(subject: Subject, send: Send) -> Iterator[Fault]:
    operation = needed(subject, SEND)
    for number, there in REFUSING.items():
        for channel in sorted(there.refused):
            # At once, and not one after the other: 429 is what is asked for, and not to be waited for.
            (exchange,) = send.at_once(operation, [message(subject, to=number, channel=channel.value)])
            if wrong := _wrongly(subject, there, exchange):
                text = f"{channel.value} to {number} {wrong}"
                yield fault(operation, "a number of the sandbox is refused otherwise", text, exchange)
                return


def _wrongly(subject: Subject, there: Destination, exchange: Exchange) -> str:
    return misrefusal(subject, exchange, there.refusal) if there.refusal is not None else ""


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
        promise="Messages to the numbers of the sandbox end with the status, the error code and the receipts "
        "of the guide, or are refused with its problem.",
        test="One message goes to each number, and is read until it has ended, for at most 20 seconds; its "
        "receipts are read from the event log. Where the clock of the sandbox can be moved, `clock` in the "
        "settings says how, and no second is waited for. The number whose answer takes 35 seconds is left "
        "out: a run takes that for no answer. Only where the settings say that the deployment is a sandbox.",
        remedy="Compare the deployment's table of numbers with the guide's.",
        sources=("the guide to the sandbox",),
    ),
    probes=probes,
    lacks=_lacks,
    about_state=True,
)
