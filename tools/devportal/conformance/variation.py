"""Other valid requests for the same thing: with a key of its own, or with another body."""

import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Request, json_or_none
from devportal.conformance.subject import Subject
from devportal.conformance.valid_request import json_media_type
from devportal.contract import In, Operation, Parameter, Schema
from devportal.contract.json_schema import Direction

FREE_TEXT = 0
"""How free a text is that the contract says nothing of; others are changed after it."""


def key_parameter(subject: Subject, operation: Operation) -> Parameter | None:
    """Return the header that makes requests of an operation repeatable, None where it has none."""
    names = subject.conventions.idempotency_key
    headers = (one for one in operation.parameters if one.location_in is In.HEADER)
    return next((one for one in headers if is_called(one.name, names)), None)


def new_key(subject: Subject, parameter: Parameter) -> str | None:
    """Return a key that was never used; None where the contract allows none that we can make."""
    whole = str(uuid.uuid4())
    tries = [whole, whole.replace("-", ""), whole.replace("-", "")[:16], whole.upper(), whole[:8]]
    return next((one for one in tries if is_allowed(subject, parameter, one)), None)


def is_allowed(subject: Subject, parameter: Parameter, value: Any) -> bool:
    """Say whether the contract allows a value for a parameter."""
    schema = parameter.schema
    return schema is None or subject.validator.is_valid(schema, value, Direction.REQUEST)


def with_header(request: Request, name: str, value: str) -> Request:
    """Return the request with one header of this name."""
    kept = tuple(pair for pair in request.headers if pair[0].lower() != name.lower())
    return replace(request, headers=(*kept, (name, value)))


def fresh(subject: Subject, operation: Operation, request: Request) -> Request:
    """Return the request with a key of its own, where a key would have the answer of an earlier one."""
    parameter = key_parameter(subject, operation)
    key = new_key(subject, parameter) if parameter is not None else None
    return request if parameter is None or key is None else with_header(request, parameter.name, key)


def sent_value(request: Request) -> Any:
    """Return the JSON value of a request's body, None where there is none."""
    return json_or_none(request.body) if request.body is not None else None


def variants(subject: Subject, operation: Operation, request: Request) -> Iterator[Request]:
    """Yield the request with another value of one member after the other, as the contract allows it; texts
    that it says the least of come first.
    """
    schema, body = body_schema(operation), sent_value(request)
    if schema is None or not isinstance(body, dict):
        return
    described = {one.name: subject.api.resolve(one.schema) for one in _members(subject, schema)}
    names = sorted(body, key=lambda name: _strictness(described.get(name)))
    for name in names:
        for other in _others(body[name], described.get(name)):
            changed = {**body, name: other}
            if subject.validator.is_valid(schema, changed, Direction.REQUEST):
                yield replace(request, body=json.dumps(changed).encode())
                break


def body_schema(operation: Operation) -> Schema | None:
    """Return the schema of an operation's JSON body, None where it has none."""
    body = operation.request_body
    media_type = json_media_type(body.content) if body is not None else None
    return media_type.schema if media_type is not None else None


def _members(subject: Subject, schema: Schema) -> Iterator[Any]:
    schema = subject.api.resolve(schema)
    yield from schema.properties
    for branch in schema.all_of:
        yield from _members(subject, branch)


def _strictness(schema: Schema | None) -> int:
    if schema is None:
        return FREE_TEXT + 3
    if schema.enum or "string" not in schema.types:
        return FREE_TEXT + 2
    is_free = not schema.format and not any(one.keyword == "pattern" for one in schema.constraints)
    return FREE_TEXT if is_free else FREE_TEXT + 1


def _others(value: Any, schema: Schema | None) -> Iterator[Any]:
    """Yield values near one, those of the enum if the contract has one."""
    if schema is not None and schema.enum:
        yield from (one for one in schema.enum if one != value and one is not None)
        return
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (value + 1, value - 1)
        case str():
            mark = uuid.uuid4().hex[:6]
            yield from (f"{value} {mark}", f"{value}-{mark}", f"{mark}{value}", _other_digits(value))


def _other_digits(text: str) -> str:
    """Return a text with its last digit, or else its last letter, replaced by the next one."""
    last = text[-1:]
    if last.isascii() and last.isdigit():
        return text[:-1] + str((int(last) + 1) % 10)
    return text[:-1] + ("b" if last == "a" else "a")
