"""Is a message read as it was sent?"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.request_variants import request_json
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract.wording import quote_value
from telecom.conformance.sending import (
    READ_MESSAGE,
    SEND_MESSAGE,
    accepted_json,
    missing_operations,
    read_message,
    require_operation,
    response_failure,
    send_message,
)
from telecom.receipts import MESSAGE_STATE_MACHINE
from telecom.states import StateMachines

SENT_MEMBERS = {"channel": "sms", "body": "Grüße, Fjord & Co: code 482913. Äußerst wichtig!"}
PAUSES_S = (0.0, 0.3, 1.0)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe: a message that is sent and read."""
    yield Probe(
        operation=operation_label(require_operation(subject, READ_MESSAGE)),
        run=partial(_check_message, subject),
    )


def _check_message(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    exchange = send_message(subject, send, **SENT_MEMBERS)
    accepted = accepted_json(exchange)
    if accepted is None or not isinstance(accepted.get("id"), str):
        raise Unsendable("a message that the deployment accepts")
    document: Any = None
    for pause_s in PAUSES_S:
        send.wait(pause_s)
        document = document or read_message(subject, send, accepted["id"])
    if not isinstance(document, dict):
        raise Unsendable("a message that can be read")
    to = request_json(exchange.request).get("to")
    expected = {**SENT_MEMBERS, "to": to, "segments": accepted.get("segments"), "id": accepted["id"]}
    changed = [name for name, value in expected.items() if name in document and document[name] != value]
    if changed:
        message = f"another value in: {', '.join(changed)}"
        yield response_failure(
            require_operation(subject, READ_MESSAGE),
            "a message is read otherwise than it was sent",
            message,
            exchange,
        )
    if _contradicts_final(subject, document):
        message = (
            f"status is {quote_value(document['status'])}, and final is {quote_value(document['final'])}"
        )
        yield response_failure(
            require_operation(subject, READ_MESSAGE), "a status and its finality disagree", message, exchange
        )


def _contradicts_final(subject: Subject, document: dict[str, Any]) -> bool:
    machines, status = StateMachines.read(subject.api), document.get("status")
    if MESSAGE_STATE_MACHINE not in machines.by_schema or not isinstance(document.get("final"), bool):
        return False
    return isinstance(status, str) and machines.is_final(MESSAGE_STATE_MACHINE, status) != document["final"]


FAMILY = Family(
    name="message-content",
    summary="messages are read as they were sent",
    words=CheckDescription(
        promise="A message keeps its recipient, its channel, its text, character by character, and the number"
        " of segments from its acceptance. It is final if no status follows its current one.",
        test="A text with non-ASCII letters is sent as SMS and read several times.",
        remedy="Store what was sent, and read from there.",
        sources=("the schema of messages in the contract",),
    ),
    probes=probes,
    lacks=missing_operations(SEND_MESSAGE, READ_MESSAGE),
    about_state=True,
)
