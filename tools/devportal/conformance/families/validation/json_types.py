"""Member × JSON type: a value of a type that the schema does not allow is rejected."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.forbidden_requests import (
    ForbiddenRequest,
    check_forbidden_requests,
)
from devportal.conformance.knowledge.requests.inputs import (
    Input,
    authorised_request,
    body_input,
    inputs,
    is_forbidden,
    valid_request_values,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation

WRONG_TYPE_ACCEPTED = "a value of another JSON type is accepted"
WRONG_TYPE_BREAKS_SERVER = "a value of another JSON type is a server error"


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation with a JSON body."""
    for operation in subject.operations:
        valid = valid_request_values(subject, operation)
        whole = body_input(subject, valid[0]) if valid else None
        places = (*inputs(subject, valid), *((whole,) if whole is not None else ()))
        request_inputs = tuple(place for place in places if place.parameter is None and not place.is_in_form)
        if operation.method != "DELETE" and request_inputs:
            yield Probe(
                operation=operation_label(operation),
                run=partial(_check_other_types, subject, operation, request_inputs),
            )


def values_of_other_types(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield values of other JSON types. Those that a parser may convert come first."""
    match value:
        case bool():
            yield "a text", str(value).lower()
            yield "a number", int(value)
        case int() | float():
            yield "a text", str(value)
            yield "a boolean", True
        case str():
            yield "a number", int(value) if value.isascii() and value.isdigit() and len(value) < 16 else 1
            yield "a boolean", True
    if not isinstance(value, list):
        yield "a list", [value]
    if not isinstance(value, dict):
        yield "an object", {"value": value}
    if isinstance(value, list | dict):
        yield "a text", "devportal"
        yield "a number", 1
    if value is not None:
        yield "null", None


def _check_other_types(
    subject: Subject, operation: Operation, request_inputs: tuple[Input, ...], send: Send
) -> Iterator[CheckFailure]:
    requests = (
        ForbiddenRequest(
            case=f"{title} at {request_input.name}",
            promise=request_input.location,
            request=authorised_request(subject, request_input.request_values_with(value)),
        )
        for request_input in request_inputs
        for title, value in values_of_other_types(request_input.value)
        if is_forbidden(subject, request_input.request_values_with(value))
    )
    lacks = yield from check_forbidden_requests(
        operation,
        requests,
        send,
        accepted_title=WRONG_TYPE_ACCEPTED,
        server_error_title=WRONG_TYPE_BREAKS_SERVER,
    )
    if lacks:
        raise Unsendable(lacks)


FAMILY = Family(
    name="json-types",
    summary="values have the JSON type of their schema",
    words=CheckDescription(
        promise="A member of a request body with the wrong JSON type is rejected if the contract documents a "
        "rejection. It never causes a server error.",
        test="Each member of a valid body, including nested ones, is replaced by a text, a number, a "
        "boolean, a list, an object and null, if its schema forbids them: above all, a number written"
        " as text.",
        remedy="Validate against the contract's schemas before converting values, or disable the framework's"
        " conversions (strict mode).",
        sources=("JSON Schema 2020-12 Validation §6.1.1", "OAS 3.0.3 §4.7.24"),
    ),
    needs="a JSON request body with members",
    probes=probes,
    beside=True,
)
