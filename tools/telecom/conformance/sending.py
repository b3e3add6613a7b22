"""Messages that checks send, and operations found by their operationId."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Fault, Send
from devportal.conformance.line import Unsendable
from devportal.conformance.response_check import response_for
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import about
from devportal.conformance.variation import fresh
from devportal.contract import Operation

SEND, READ = "sendMessage", "retrieveMessage"


def operation_of(subject: Subject, name: str) -> Operation | None:
    """Return the tested operation with an operationId, None where there is none."""
    return next((one for one in subject.operations if one.id == name), None)


def lacking(*names: str) -> Callable[[Subject], str]:
    """Return what says which of some operations a run does not test."""

    def lacks(subject: Subject) -> str:
        missing = [one for one in names if operation_of(subject, one) is None]
        return f"operations that are tested: {', '.join(missing)}" if missing else ""

    return lacks


def needed(subject: Subject, name: str) -> Operation:
    """Return a tested operation; raises Unsendable where it is not tested."""
    operation = operation_of(subject, name)
    if operation is None:
        raise Unsendable(f"{name} is not tested")
    return operation


def send_message(subject: Subject, send: Send, **members: Any) -> Exchange:
    """Send the usual message with other members. Raises Unsendable where there is no usual one."""
    operation = needed(subject, SEND)
    request = subject.valid(operation)
    usual = json.loads(request.body) if request is not None and request.body else None
    if request is None or not isinstance(usual, dict):
        raise Unsendable("there is no valid message")
    body = json.dumps({**usual, **members}).encode()
    return send(operation, fresh(subject, operation, replace(request, body=body)))


def read_message(subject: Subject, send: Send, name: str) -> Any:
    """Return what is read of a message, None where it is not found."""
    operation = needed(subject, READ)
    resource = next((one for one in subject.resources if one.read == operation), None)
    request = about(subject, resource, name).valid(operation) if resource is not None else None
    if request is None:
        raise Unsendable("there is no way to read a message")
    exchange = send(operation, request)
    return body_of(exchange) if exchange.status == 200 else None


def accepted(exchange: Exchange) -> dict[str, Any] | None:
    """Return what the answer to an accepted message shows, None where it was not accepted."""
    shown = body_of(exchange)
    is_good = exchange.answer is not None and exchange.answer.is_success and isinstance(shown, dict)
    return shown if is_good else None


def fault(operation: Operation, title: str, message: str, *evidence: Exchange) -> Fault:
    """Return a fault; its promise is the response that came last, where the contract has one."""
    response = response_for(operation, evidence[-1].status) if evidence else None
    return Fault(
        title=title,
        message=message,
        operation=label(operation),
        promise=response.location if response is not None else operation.location,
        evidence=evidence,
    )
