"""Messages and other requests that checks send, and operations found by their operationId."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Fault, Send
from devportal.conformance.line import Unsendable
from devportal.conformance.parties import Party
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


def message(subject: Subject, **members: Any) -> Request:
    """Return a request for the usual message with other members, under a key of its own. Raises Unsendable
    where there is no usual one.
    """
    return usual(subject, SEND, **members)


def usual(subject: Subject, name: str, **members: Any) -> Request:
    """Return the usual request for an operation that takes an object, with other members, under a key of its
    own. Raises Unsendable where there is no usual one.
    """
    operation = needed(subject, name)
    request = subject.valid(operation)
    body = json.loads(request.body) if request is not None and request.body else None
    if request is None or not isinstance(body, dict):
        raise Unsendable(f"there is no valid request for {name}")
    return fresh(subject, operation, replace(request, body=json.dumps({**body, **members}).encode()))


def send_message(subject: Subject, send: Send, **members: Any) -> Exchange:
    """Send the usual message with other members. Raises Unsendable where there is no usual one."""
    return send(needed(subject, SEND), message(subject, **members))


def read_one(subject: Subject, send: Send, reads: str, name: str, party: Party | None = None) -> Exchange:
    """Read the thing that a name stands for, by the operation that reads such things. Raises Unsendable where
    there is no way to.
    """
    operation = needed(subject, reads)
    resource = next((one for one in subject.resources if one.read == operation), None)
    request = about(subject, resource, name).valid(operation, party) if resource is not None else None
    if request is None:
        raise Unsendable(f"there is no way to ask {reads} about it")
    return send(operation, request)


def read_message(subject: Subject, send: Send, name: str) -> Any:
    """Return what is read of a message, None where it is not found."""
    exchange = read_one(subject, send, READ, name)
    return body_of(exchange) if exchange.status == 200 else None


def accepted(exchange: Exchange) -> dict[str, Any] | None:
    """Return what the answer to an accepted message shows, None where it was not accepted."""
    shown = body_of(exchange)
    is_good = exchange.answer is not None and exchange.answer.is_success and isinstance(shown, dict)
    return shown if is_good else None


def fault(operation: Operation, title: str, told: str, *evidence: Exchange) -> Fault:
    """Return a fault; its promise is the response that came last, where the contract has one."""
    response = response_for(operation, evidence[-1].status) if evidence else None
    return Fault(
        title=title,
        message=told,
        operation=label(operation),
        promise=response.location if response is not None else operation.location,
        evidence=evidence,
    )
