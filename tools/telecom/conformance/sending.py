"""Messages and other requests that checks send, and operations found by their operationId."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from devportal.conformance.deployment.credentials import Credential
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.created_resources import with_resource_id
from devportal.conformance.knowledge.path_values import response_json
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.knowledge.variation import with_new_idempotency_key
from devportal.contract import Operation

SEND_MESSAGE, READ_MESSAGE = "sendMessage", "retrieveMessage"


def operation_of(subject: Subject, name: str) -> Operation | None:
    """Return the tested operation with an operationId, None where there is none."""
    return next((one for one in subject.operations if one.id == name), None)


def missing_operations(*names: str) -> Callable[[Subject], str]:
    """Return what says which of some operations a run does not test."""

    def lacks(subject: Subject) -> str:
        missing = [one for one in names if operation_of(subject, one) is None]
        return f"operations that are tested: {', '.join(missing)}" if missing else ""

    return lacks


def require_operation(subject: Subject, name: str) -> Operation:
    """Return a tested operation; raises Unsendable where it is not tested."""
    operation = operation_of(subject, name)
    if operation is None:
        raise Unsendable(f"{name} is not tested")
    return operation


def message_request(subject: Subject, **members: Any) -> Request:
    """Return a request for the usual message with other members, under a key of its own. Raises Unsendable
    where there is no usual one.
    """
    return request_with_members(subject, SEND_MESSAGE, **members)


def request_with_members(subject: Subject, name: str, **members: Any) -> Request:
    """Return the usual request for an operation that takes an object, with other members, under a key of its
    own. Raises Unsendable where there is no usual one.
    """
    operation = require_operation(subject, name)
    request = subject.valid(operation)
    body = json.loads(request.body) if request is not None and request.body else None
    if request is None or not isinstance(body, dict):
        raise Unsendable(f"there is no valid request for {name}")
    return with_new_idempotency_key(
        subject, operation, replace(request, body=json.dumps({**body, **members}).encode())
    )


def send_message(subject: Subject, send: Send, **members: Any) -> Exchange:
    """Send the usual message with other members. Raises Unsendable where there is no usual one."""
    return send(require_operation(subject, SEND_MESSAGE), message_request(subject, **members))


def read_by_id(
    subject: Subject, send: Send, reads: str, name: str, party: Credential | None = None
) -> Exchange:
    """Read the thing that a name stands for, by the operation that reads such things. Raises Unsendable where
    there is no way to.
    """
    operation = require_operation(subject, reads)
    resource = next((one for one in subject.resources if one.read == operation), None)
    request = (
        with_resource_id(subject, resource, name).valid(operation, party) if resource is not None else None
    )
    if request is None:
        raise Unsendable(f"there is no way to ask {reads} about it")
    return send(operation, request)


def read_message(subject: Subject, send: Send, name: str) -> Any:
    """Return what is read of a message, None where it is not found."""
    exchange = read_by_id(subject, send, READ_MESSAGE, name)
    return response_json(exchange) if exchange.status == 200 else None


def accepted_json(exchange: Exchange) -> dict[str, Any] | None:
    """Return what the answer to an accepted message shows, None where it was not accepted."""
    shown = response_json(exchange)
    is_good = exchange.answer is not None and exchange.answer.is_success and isinstance(shown, dict)
    return shown if is_good else None


def response_failure(operation: Operation, title: str, told: str, *evidence: Exchange) -> CheckFailure:
    """Return a fault; its promise is the response that came last, where the contract has one."""
    response = documented_response(operation, evidence[-1].status) if evidence else None
    return CheckFailure(
        title=title,
        message=told,
        operation=operation_label(operation),
        promise=response.location if response is not None else operation.location,
        evidence=evidence,
    )
