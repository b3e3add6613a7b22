"""A creation that names a resource which does not exist is rejected if the contract documents that."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.created_resources import (
    ACCEPTED,
    GONE_STATUSES,
    create_resource,
    is_allowed_id,
    is_success,
    read_resource,
)
from devportal.conformance.knowledge.operation_resources import different_id
from devportal.conformance.knowledge.reference_rules import promised_refusal
from devportal.conformance.knowledge.request_variants import valid_body, with_new_idempotency_key
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import is_below, singular
from devportal.contract.resources import Resource

_MISSING_RESOURCE = "an unknown identifier that returns 404"
"""What is lacking where an identifier that nothing has cannot be tried."""
FAR_ABOVE = 900_007
"""How far a number that nothing has is above one that something has."""


def missing_reference_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each member of a creation that has to name an existing resource, by its words."""
    for operation in subject.operations:
        body = valid_body(subject, operation) if operation.method == "POST" else None
        is_below_resource = any(is_below(operation.path, resource.path) for resource in subject.resources)
        if is_below_resource or body is None:
            continue
        for member, value in body.members.items():
            is_list = isinstance(value, list) and bool(value) and all(map(_is_id, value))
            sought = singular(member) if is_list else member
            for resource in subject.resources if is_list or _is_id(value) else ():
                is_reference = (
                    matches_any_name(sought, resource.reference_names) and resource.create is not None
                )
                if is_reference and resource.read is not None and resource.create is not operation:
                    if status := promised_refusal(operation, sought):
                        run = partial(_check_reference, subject, operation, member, resource, status)
                        yield Probe(operation=operation_label(operation), run=run)
                    break


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def find_missing(subject: Subject, resource: Resource, known_id: str, send: Send) -> tuple[str, Exchange]:
    """Return an identifier of the form of a known one that nothing has, and its reading. Raises Unsendable if there is
    none that the contract allows, or if it is found.
    """
    unknown_id = _missing_id(known_id)
    if unknown_id == known_id or not is_allowed_id(subject, resource, unknown_id):
        raise Unsendable("an identifier that nothing has")
    nothing = read_resource(subject, resource, unknown_id, send)
    if nothing.status not in GONE_STATUSES:
        raise Unsendable(_MISSING_RESOURCE)
    return unknown_id, nothing


def _missing_id(existing_id: str) -> str:
    """Return an identifier of the same form that nothing has; a number is far above those that are given."""
    is_number = existing_id.isascii() and existing_id.isdigit() and existing_id == str(int(existing_id))
    return str(int(existing_id) + FAR_ABOVE) if is_number else different_id(existing_id)


def _check_reference(
    subject: Subject, operation: Operation, member: str, resource: Resource, status: int, send: Send
) -> Iterator[CheckFailure]:
    """Name an existing resource, and one that does not exist: only the second is rejected."""
    body = valid_body(subject, operation)
    existing = create_resource(subject, resource, send)
    if body is None:
        raise Unsendable(NO_VALID_REQUEST)
    unknown_id, nothing = find_missing(subject, resource, existing.id, send)
    value = body.members.get(member)
    is_number = isinstance(value[0] if isinstance(value, list) else value, int)
    missing, known = (int(text) if is_number else text for text in (unknown_id, existing.id))
    members = {**body.members, member: [known, missing] if isinstance(value, list) else missing}
    if not body.is_valid(subject, members):
        raise Unsendable(_MISSING_RESOURCE)
    attempt = send(operation, with_new_idempotency_key(subject, operation, body.request(members)))
    if is_success(attempt) and attempt.status != ACCEPTED:
        response = documented_response(operation, status)
        yield CheckFailure(
            title=f"{member!r} takes what does not exist",
            message=f"{unknown_id!r} gets {nothing.status} when it is read, and a request that names it gets "
            f"{attempt.status}",
            operation=operation_label(operation),
            promise=response.location if response is not None else operation.location,
            evidence=(nothing, attempt),
        )
