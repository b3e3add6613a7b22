"""Is a message that is read the one that was sent?"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.subject import Subject, label
from devportal.conformance.variation import sent_value
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
from telecom.receipts import MACHINE
from telecom.states import Machines

SENT = {"channel": "sms", "body": "Grüße, Fjord & Co: code 482913. Äußerst wichtig!"}
PAUSES_S = (0.0, 0.3, 1.0)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe: a message that is sent and read."""
    yield Probe(operation=label(needed(subject, READ)), run=partial(_read, subject))


def _read(subject: Subject, send: Send) -> Iterator[Fault]:
    exchange = send_message(subject, send, **SENT)
    shown = accepted(exchange)
    if shown is None or not isinstance(shown.get("id"), str):
        return
    document: Any = None
    for pause_s in PAUSES_S:
        send.wait(pause_s)
        document = document or read_message(subject, send, shown["id"])
    if not isinstance(document, dict):
        return
    to = sent_value(exchange.request).get("to")
    expected = {**SENT, "to": to, "segments": shown.get("segments"), "id": shown["id"]}
    wrong = [name for name, one in expected.items() if name in document and document[name] != one]
    if wrong:
        message = f"another value in: {', '.join(wrong)}"
        yield fault(needed(subject, READ), "a message is read otherwise than it was sent", message, exchange)
    if _is_wrongly_final(subject, document):
        message = f"status is {document['status']!r}, and final is {document['final']!r}"
        yield fault(needed(subject, READ), "a status and its finality disagree", message, exchange)


def _is_wrongly_final(subject: Subject, document: dict[str, Any]) -> bool:
    machines, status = Machines.read(subject.api), document.get("status")
    if MACHINE not in machines.by_schema or not isinstance(document.get("final"), bool):
        return False
    return isinstance(status, str) and machines.is_final(MACHINE, status) != document["final"]


FAMILY = Family(
    name="message-content",
    summary="a message is read as it was sent",
    words=Words(
        promise="A message keeps its recipient, its channel, its text, character by character, and the "
        "number of segments that its acceptance told; it is final when its status is one that nothing "
        "follows.",
        test="A text with letters beyond ASCII is sent as SMS and read several times.",
        remedy="Store what was sent, and answer readings from there.",
        sources=("the schema of messages in the contract",),
    ),
    probes=probes,
    lacks=lacking(SEND, READ),
    about_state=True,
)
