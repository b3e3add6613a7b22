"""Identifiers of existing resources that a run finds in a deployment: in lists, or by creating one of each type."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any
from urllib.parse import unquote, urlsplit

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send, send_or_none
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    request_json,
    valid_body,
)
from devportal.conformance.knowledge.requests.valid_request import is_reference_name
from devportal.conformance.knowledge.resources.created_resources import (
    GONE_STATUSES,
    TAKEN_STATUSES,
    create_resource,
    created_id,
    representation_id,
    response_json,
)
from devportal.conformance.knowledge.resources.dangling_references import (
    without_dangling_references,
    without_rejected_members,
)
from devportal.conformance.knowledge.resources.new_references import named_types
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation
from devportal.contract.path_templates import names_resource, value_at_end
from devportal.contract.resources import Resource
from devportal.documents import member_at

_MOST_TYPES = 10
"""How many types a creation is tried with whose members name resources by their roles alone."""


def with_existing_values(subject: Subject, send: Send) -> Subject:
    """Return the subject with identifiers of existing resources. Values that cannot be found stay as they
    are.
    """
    missing = list[Resource]()
    for resource in _named_first(subject):
        subject = without_dangling_references(subject, resource, send)
        if not _exists(subject, resource, send):
            subject = _with_found_id(subject, resource, send)
            if resource.value_key not in subject.values:
                subject = without_rejected_members(subject, resource, send)
                missing.append(resource)
    for resource in missing:  # those that name resources which were found after them
        subject = _with_found_id(subject, resource, send)
        if resource.value_key not in subject.values:
            subject = _with_unnamed_references(subject, resource, send)
    return _with_second_references(subject, send)


def _named_first(subject: Subject) -> Iterator[Resource]:
    """Yield the resource types in their order, but those last whose creations name one of a later type."""
    resources, last = subject.resources, list[Resource]()
    for position, resource in enumerate(resources):
        body = valid_body(subject, resource.create) if resource.create is not None else None
        named = named_types(subject, body, resource.create).values() if body is not None else ()
        if any(each is later for each in named for later in resources[position + 1 :]):
            last.append(resource)
        else:
            yield resource
    yield from last


def _with_found_id(subject: Subject, resource: Resource, send: Send) -> Subject:
    """Return the subject with the identifier of a resource from a list or from a creation, if there is one."""
    found_id = _id_from_list(subject, resource, send) or _id_from_creation(subject, resource, send)
    return subject.with_values({resource.value_key: found_id}) if found_id is not None else subject


def _with_second_references(subject: Subject, send: Send) -> Subject:
    """Return the subject with other resources for the members that name one of a type in another role: a transfer from
    an account to itself is rejected by most.
    """
    for resource in subject.resources:
        known_id, names = subject.values.get(resource.value_key), resource.reference_names
        roles = {
            name: None
            for operation in subject.operations
            for name in _second_references(_sent_json(subject, operation), names)
        }
        if known_id is None or not roles:
            continue
        second_id = _second_id(subject, resource, known_id, send)
        if second_id is not None:
            subject = subject.with_values(dict.fromkeys(roles, second_id))
    return subject


def _with_unnamed_references(subject: Subject, resource: Resource, send: Send) -> Subject:
    """Return the subject with identifiers for members of a rejected creation that name resources of a type by their
    roles alone, such as the `source_id` and `target_id` of a transfer between warehouses: those of the first type with
    which the creation is accepted.
    """
    create = resource.create
    body = valid_body(subject, create) if create is not None else None
    names = [
        name
        for name, value in (body.members.items() if body is not None else ())
        if is_reference_name(name)
        and isinstance(value, str | int)
        and not names_resource(name, subject.reference_names)
    ]
    known = (
        (named, known_id)
        for named in (subject.resources if body is not None and names else ())
        if named is not resource and (known_id := _known_id(subject, named)) is not None
    )
    fitting = ((named, each) for named, each in known if body and _fits(subject, body, names, each))
    for named, known_id in islice(fitting, _MOST_TYPES):
        second_id = _second_id(subject, named, known_id, send) if len(names) > 1 else None
        ids = dict.fromkeys(names, second_id or known_id) | {names[0]: known_id}
        candidate = _with_found_id(subject.with_values(ids), resource, send)
        if resource.value_key in candidate.values:
            return candidate
    return subject


def _known_id(subject: Subject, resource: Resource) -> str | None:
    """Return the identifier in the addresses of requests about a resource, None if nothing reads it."""
    request = subject.valid(resource.read) if resource.read is not None else None
    return unquote(value_at_end(resource.path, urlsplit(request.url).path)) if request is not None else None


def _fits(subject: Subject, body: ObjectBody, names: Iterable[str], identifier: str) -> bool:
    """Return whether the contract allows an identifier in members of a body."""
    values = {
        name: int(identifier)
        if isinstance(body.members[name], int) and identifier.isdecimal()
        else identifier
        for name in names
    }
    return body.is_valid(subject, {**body.members, **values})


def _second_id(subject: Subject, resource: Resource, known_id: str, send: Send) -> str | None:
    """Return the identifier of another resource than a known one, None if there is none."""
    return _id_from_list(subject, resource, send, other_than=known_id) or _id_from_creation(
        subject, resource, send
    )


def _sent_json(subject: Subject, operation: Operation) -> Any:
    request = subject.valid(operation) if operation.request_body is not None else None
    return request_json(request) if request is not None else None


def _second_references(body: Any, reference_names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the members of a body that name a resource of a type, but for the first one."""
    members = body if isinstance(body, dict) else {}
    named = [
        name
        for name, value in members.items()
        if isinstance(value, str | int) and names_resource(name, reference_names)
    ]
    return tuple(named[1:])


def _exists(subject: Subject, resource: Resource, send: Send) -> bool:
    """Return whether the resource of the default request exists, or cannot be checked."""
    if resource.read is None or not resource.key:
        return True
    exchange = _send_valid_request(subject, resource.read, send)
    return exchange is None or exchange.status not in GONE_STATUSES


def _id_from_list(subject: Subject, resource: Resource, send: Send, *, other_than: str = "") -> str | None:
    if resource.listing is None:
        return None
    exchange = _send_valid_request(subject, resource.listing.operation, send)
    items = member_at(response_json(exchange), resource.listing.items) if exchange is not None else None
    ids = (representation_id(resource, item) for item in items) if isinstance(items, list) else ()
    return next((found_id for found_id in ids if found_id and found_id != other_than), None)


def _id_from_creation(subject: Subject, resource: Resource, send: Send) -> str | None:
    if resource.create is None:
        return None
    exchange = _send_valid_request(subject, resource.create, send)
    if exchange is not None and exchange.is_success:
        return created_id(resource, exchange) or None
    if exchange is not None and exchange.status in TAKEN_STATUSES:
        with suppress(Unsendable):
            return create_resource(subject, resource, send).id
    return None


def _send_valid_request(subject: Subject, operation: Operation, send: Send) -> Exchange | None:
    return send_or_none(send, operation, subject.valid(operation))
