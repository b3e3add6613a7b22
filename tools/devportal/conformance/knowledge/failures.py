"""Failures whose promise is an operation of the contract, one of its responses, or what it says of a status."""

from collections.abc import Iterable, Iterator

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckFailure
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import operation_label
from devportal.contract import Location, Operation


def response_location(operation: Operation, exchange: Exchange) -> Location:
    """Return where the contract describes a response: by its status, or else all of them."""
    response = documented_response(operation, exchange.status)
    return response.location if response is not None else operation.location.child("responses")


def operation_failure(operation: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    """Return a failure whose promise is an operation."""
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=operation.location,
        evidence=evidence,
    )


def status_failure(
    operation: Operation, status: int, title: str, message: str, *evidence: Exchange
) -> CheckFailure:
    """Return a failure whose promise is the response that the contract documents for a status, such as 404 of a
    resource that does not exist, or else the operation.
    """
    response = documented_response(operation, status)
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=response.location if response is not None else operation.location,
        evidence=evidence,
    )


def response_failure(
    operation: Operation, response: Exchange, title: str, message: str, *evidence: Exchange
) -> CheckFailure:
    """Return a failure of an operation whose promise is what the contract says of one of its responses."""
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=response_location(operation, response),
        evidence=evidence,
    )


def first_response_failure(
    operation: Operation, title: str, message: str, *evidence: Exchange
) -> CheckFailure:
    """Return a failure whose promise is what the contract says of the first response of the operation in the
    evidence. Raises StopIteration if there is none.
    """
    first = next(_own_exchanges(operation, evidence))
    return response_failure(operation, first, title, message, *evidence)


def last_response_failure(
    operation: Operation, title: str, message: str, *evidence: Exchange
) -> CheckFailure:
    """Return a failure whose promise is what the contract says of the last response of the operation in the
    evidence. Raises StopIteration if there is none.
    """
    last = next(_own_exchanges(operation, reversed(evidence)))
    return response_failure(operation, last, title, message, *evidence)


def _own_exchanges(operation: Operation, exchanges: Iterable[Exchange]) -> Iterator[Exchange]:
    label = operation_label(operation)
    return (exchange for exchange in exchanges if exchange.operation == label)
