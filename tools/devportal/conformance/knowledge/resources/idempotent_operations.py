"""Operations that take an idempotency key, and first requests with such keys."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.requests.request_variants import (
    idempotency_key_of,
    idempotency_key_parameter,
    new_idempotency_key,
    request_variants,
    with_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    MOST_VARIANTS,
    REFUSED_STATUSES,
    created_id,
    is_success,
    renewed_requests,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Parameter
from devportal.contract.resources import Resource


@dataclass(frozen=True, slots=True, kw_only=True)
class IdempotentOperation:
    """An operation with the parameter that takes its idempotency key, and the resource type that it creates, if any."""

    subject: Subject
    operation: Operation
    parameter: Parameter
    resource: Resource | None

    def with_key(self, request: Request, key: str) -> Request:
        """Return a request with a key."""
        return with_idempotency_key(request, self.parameter, key)

    def created_id(self, exchange: Exchange) -> Any:
        """Return the identifier of what a response says was created, None if it has none."""
        return (created_id(self.resource, exchange) or None) if self.resource is not None else None


def idempotent_operations(subject: Subject) -> Iterator[IdempotentOperation]:
    """Yield the operations that can be repeated by a key."""
    for operation in subject.operations:
        parameter = idempotency_key_parameter(subject, operation)
        if parameter is not None and operation.method != "GET":
            owner = next((resource for resource in subject.resources if resource.create is operation), None)
            yield IdempotentOperation(
                subject=subject, operation=operation, parameter=parameter, resource=owner
            )


def send_first_request(idempotent: IdempotentOperation, send: Send) -> tuple[Request, Exchange]:
    """Send a request with a key until one of several bodies is accepted; return it without its key.

    Raises Unsendable if none is.
    """
    valid_request = idempotent.subject.valid(idempotent.operation)
    if valid_request is None:
        raise Unsendable(NO_VALID_REQUEST)
    subject, operation = idempotent.subject, idempotent.operation
    variants = islice(request_variants(subject, operation, valid_request), MOST_VARIANTS)
    for request in chain(
        (valid_request,), variants, renewed_requests(subject, operation, valid_request, send)
    ):
        exchange = send(idempotent.operation, idempotent.with_key(request, unused_key(idempotent)))
        if is_success(exchange):
            return request, exchange
        if exchange.status not in REFUSED_STATUSES:
            break
    raise Unsendable("a request with an idempotency key that the deployment accepts")


def unused_key(idempotent: IdempotentOperation) -> str:
    """Return a key that was never used. Raises Unsendable if the contract allows none that can be generated."""
    key = new_idempotency_key(idempotent.subject, idempotent.parameter)
    if key is None:
        raise Unsendable("an idempotency key that matches its schema")
    return key


def sent_key(idempotent: IdempotentOperation, exchange: Exchange) -> str:
    """Return the key that a request was sent with. Raises Unsendable if it has none."""
    key = idempotency_key_of(exchange.request, idempotent.parameter)
    if key is None:
        raise Unsendable("a request with an idempotency key")
    return key


def idempotency_failure(
    idempotent: IdempotentOperation, title: str, message: str, *evidence: Exchange
) -> CheckFailure:
    """Return a failure of an operation that takes a key."""
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(idempotent.operation),
        promise=idempotent.parameter.location,
        evidence=evidence,
    )
