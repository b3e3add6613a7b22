"""Integers of 64 bits that no binary fraction holds: they are rejected, or read with all of their digits.

Programs that read numbers of JSON as binary fractions, as those in JavaScript do, round integers above 2^53 (RFC 8259
§6).
"""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.requests.request_variants import valid_body, with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    at_new_address,
    identify_created,
    is_from_cache,
    is_success,
    read_created,
    resource_json,
)
from devportal.conformance.knowledge.resources.representation_match import is_json_number
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Schema
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import Resource, object_properties
from devportal.contract.validate.schema_rules import constraint_value

LARGEST_EXACT = 2**53
"""Above it, a binary fraction of double precision holds only every second integer."""
MOST_DIGITS_LOST = 2**10
"""How far an integer near `LARGEST_EXACT` is moved at most that is rounded, in whichever way."""
WORD_BITS = 32
LONG_FORMATS = ("int64", "uint64")


def large_integer_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each member of a creation that takes integers of 64 bits."""
    for resource in subject.resources:
        create = resource.create
        if create is not None and resource.read is not None:
            for name in _long_members(subject, resource, create):
                run = partial(_check_digits, subject, resource, create, name)
                yield Probe(operation=operation_label(create), run=run)


def _long_members(subject: Subject, resource: Resource, create: Operation) -> Iterator[str]:
    body = valid_body(subject, create)
    for property_ in object_properties(subject.api, body.schema) if body is not None else ():
        meaning = subject.api.resolve(property_.schema)
        is_named = names_resource(property_.name, (*resource.key[-1:], *subject.reference_names))
        if _is_long(meaning) and not meaning.read_only and not meaning.enum and not is_named:
            yield property_.name


def _is_long(schema: Schema) -> bool:
    largest = constraint_value(schema, "maximum")
    return (
        "integer" in schema.types
        and "string" not in schema.types
        and (schema.format in LONG_FORMATS or (largest is not None and largest > LARGEST_EXACT))
    )


def _check_digits(
    subject: Subject, resource: Resource, create: Operation, name: str, send: Send
) -> Iterator[CheckFailure]:
    """Create a resource with a large odd integer: if it is accepted, it is read unchanged."""
    body, number = valid_body(subject, create), _large_odd_integer()
    if body is None:
        raise Unsendable(NO_VALID_REQUEST)
    members = {**body.members, name: number}
    if not body.is_valid(subject, members):
        raise Unsendable(f"an integer above {LARGEST_EXACT} that the contract allows")
    request = at_new_address(subject, resource, body.request(members))
    exchange = send(create, with_new_idempotency_key(subject, create, request))
    if not is_success(exchange) or exchange.status == ACCEPTED:
        return
    created = identify_created(subject, resource, request, exchange)
    reading = read_created(subject, created, send)
    shown = resource_json(resource, reading)
    value = shown.get(name) if isinstance(shown, dict) else None
    if is_success(reading) and not is_from_cache(reading) and _has_lost_digits(number, value):
        yield CheckFailure(
            title="an integer loses digits",
            message=f"{name!r} was sent as {number} and is read as {value}",
            operation=operation_label(create),
            promise=response_location(create, exchange),
            evidence=(exchange, reading),
            member=name,
        )


def _large_odd_integer() -> int:
    """Return an odd integer that differs from those of other requests: it may have to be unique."""
    return LARGEST_EXACT + 2 * random.randrange(1, 2**40) + 1  # noqa: S311 - no secret


def _has_lost_digits(sent: int, shown: Any) -> bool:
    """Return whether a number that is read is another one that was rounded, or cut to 32 bits."""
    if not is_json_number(shown) or shown == sent:
        return False
    return abs(int(shown) - sent) <= MOST_DIGITS_LOST or int(shown) % 2**WORD_BITS == sent % 2**WORD_BITS
