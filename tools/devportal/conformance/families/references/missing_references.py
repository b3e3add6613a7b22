"""A creation, a change or an action that names a resource which does not exist is rejected if the contract documents
that.
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.reference_rules import promised_refusal
from devportal.conformance.knowledge.failures import status_failure
from devportal.conformance.knowledge.json_api import linked_resources, resource_of_type
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    valid_body,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    GONE_STATUSES,
    create_resource,
    is_allowed_id,
    is_success,
    read_resource,
)
from devportal.conformance.knowledge.resources.operation_resources import different_id, with_new_resource
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.path_templates import is_below, names_resource, singular
from devportal.contract.resources import Resource, object_properties

_MISSING_RESOURCE = "an unknown identifier that returns 404"
"""What is lacking where an identifier that nothing has cannot be tried."""
NAMING_METHODS = ("POST", "PUT", "PATCH")
_PREFIXED = re.compile(r"(?P<prefix>.*[^A-Za-z0-9])(?P<rest>[A-Za-z0-9]+)")
FAR_ABOVE = 900_007
"""How far a number that nothing has is above one that something has."""


def missing_reference_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each member of a body that has to name an existing resource, by the words of its operation."""
    for operation in subject.operations:
        body = valid_body(subject, operation) if operation.method in NAMING_METHODS else None
        if body is None:
            continue
        described = {
            property_.name: subject.api.resolve(property_.schema).description
            for property_ in object_properties(subject.api, body.schema)
        }
        yield from _relationship_probes(subject, operation, body)
        for member, value in body.members.items():
            is_list = isinstance(value, list) and bool(value) and all(map(_is_id, value))
            sought = singular(member) if is_list else member
            for resource in subject.resources if is_list or _is_id(value) else ():
                # A name that any type may have, such as `code`, is that of what is sent: `plan_code` names another.
                is_reference = (
                    names_resource(sought, resource.reference_names[-1:])
                    and resource.create is not None
                    and not _is_in_path(resource, operation)
                )
                if is_reference and resource.read is not None and resource.create is not operation:
                    names, words = resource.reference_names, described.get(member, "")
                    if status := promised_refusal(operation, sought, names, words):
                        run = partial(_check_reference, subject, operation, member, resource, status)
                        yield Probe(operation=operation_label(operation), run=run)
                    break


def _is_in_path(resource: Resource, operation: Operation) -> bool:
    """Return whether the path of an operation names a resource of a type, which then exists. A parameter that any type
    may have, such as `id`, names one below the path of the type alone.
    """
    is_general = len(resource.reference_names) > 1
    is_at_resource = operation.path.rstrip("/") == resource.value_key or is_below(
        operation.path, resource.value_key
    )
    return f"{{{resource.parameter}}}" in operation.path and (is_at_resource or not is_general)


def _relationship_probes(subject: Subject, operation: Operation, body: ObjectBody) -> Iterator[Probe]:
    """Yield a probe for each relationship of JSON:API that has to name an existing resource."""
    for name, identities in linked_resources(body.holder).items():
        resource = resource_of_type(subject.resources, identities[0][0]) if identities else None
        if resource is None or resource.create in (None, operation):
            continue
        names = (name, f"{singular(identities[0][0])}_id")
        if not _is_in_path(resource, operation) and (status := promised_refusal(operation, name, names)):
            run = partial(_check_reference, subject, operation, name, resource, status, is_relationship=True)
            yield Probe(operation=operation_label(operation), run=run)


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def find_missing(subject: Subject, resource: Resource, known_id: str, send: Send) -> tuple[str, Exchange]:
    """Return an identifier of the form of a known one that nothing has, and its reading. Raises Unsendable if there is
    none that the contract allows, or if it is found.
    """
    candidates = (each for each in _missing_ids(known_id) if is_allowed_id(subject, resource, each))
    unknown_id = next(candidates, known_id)
    if unknown_id == known_id:
        raise Unsendable("an identifier that nothing has")
    nothing = read_resource(subject, resource, unknown_id, send)
    if nothing.status not in GONE_STATUSES:
        raise Unsendable(_MISSING_RESOURCE)
    return unknown_id, nothing


def _missing_ids(existing_id: str) -> Iterator[str]:
    """Yield identifiers of the same form that nothing has; a number is far above those that are given. The letters
    before a mark, such as `wrd_`, may be those of the type.
    """
    is_number = existing_id.isascii() and existing_id.isdigit() and existing_id == str(int(existing_id))
    if is_number:
        yield str(int(existing_id) + FAR_ABOVE)
        return
    yield different_id(existing_id)
    prefixed = _PREFIXED.fullmatch(existing_id)
    if prefixed is not None:
        yield prefixed["prefix"] + different_id(prefixed["rest"])


def _check_reference(
    subject: Subject,
    operation: Operation,
    member: str,
    resource: Resource,
    status: int,
    send: Send,
    *,
    is_relationship: bool = False,
) -> Iterator[CheckFailure]:
    """Name a resource that does not exist: the request is rejected."""
    with with_new_resource(subject, operation, send) as prepared:
        yield from _reference_failures(
            prepared, operation, member, resource, status, send, is_relationship=is_relationship
        )


def _reference_failures(
    subject: Subject,
    operation: Operation,
    member: str,
    resource: Resource,
    status: int,
    send: Send,
    *,
    is_relationship: bool,
) -> Iterator[CheckFailure]:
    body = valid_body(subject, operation)
    existing = create_resource(subject, resource, send)
    if body is None:
        raise Unsendable(NO_VALID_REQUEST)
    unknown_id, nothing = find_missing(subject, resource, existing.id, send)
    attempted, members = body, body.members
    if is_relationship:
        attempted = body.with_linkage(member, unknown_id)
    else:
        members = {**members, member: _missing_value(members.get(member), unknown_id, existing.id)}
    if not attempted.is_valid(subject, members):
        raise Unsendable(_MISSING_RESOURCE)
    attempt = send(operation, with_new_idempotency_key(subject, operation, attempted.request(members)))
    if is_success(attempt) and attempt.status != ACCEPTED:
        message = (
            f"{unknown_id!r} gets {nothing.status} when it is read, and a request that names it gets "
            f"{attempt.status}"
        )
        title = f"{member!r} takes what does not exist"
        yield status_failure(operation, status, title, message, nothing, attempt)


def _missing_value(value: Any, unknown_id: str, known_id: str) -> Any:
    """Return a value of the kind of another one that names what does not exist; in a list beside what does."""
    is_number = isinstance(value[0] if isinstance(value, list) else value, int)
    missing, known = (int(text) if is_number else text for text in (unknown_id, known_id))
    return [known, missing] if isinstance(value, list) else missing
