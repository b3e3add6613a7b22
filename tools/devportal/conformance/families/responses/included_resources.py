"""Compound documents of JSON:API: `include=author` adds the authors that a response refers to (JSON:API 1.1 §6.2), once
each, and nothing else (§7.2).
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.json_api import (
    Identity,
    linked_resources,
    resource_identity,
    resource_of_type,
)
from devportal.conformance.knowledge.paging import with_query
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
    is_from_cache,
    is_success,
    read_created,
    read_resource,
    response_json,
)
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation, Parameter, ParameterLocation
from devportal.contract.resources import Resource

INCLUDE = "include"


def included_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each reading and each list of a resource that takes `include`."""
    for resource in subject.resources:
        listing = resource.listing.operation if resource.listing is not None else None
        for operation in (resource.read, listing) if resource.create is not None else ():
            parameter = _include_parameter(operation) if operation is not None else None
            if operation is not None and parameter is not None:
                run = partial(_check_included, subject, resource, operation, parameter)
                yield Probe(operation=operation_label(operation), run=run)


def _include_parameter(operation: Operation) -> Parameter | None:
    query = (each for each in operation.parameters if each.location_in is ParameterLocation.QUERY)
    return next((each for each in query if each.name == INCLUDE), None)


def _check_included(
    subject: Subject, resource: Resource, operation: Operation, parameter: Parameter, send: Send
) -> Iterator[CheckFailure]:
    """Create a resource that refers to others, and read it, or its list, with each kind of them."""
    created = create_resource(subject, resource, send)
    plain = read_created(subject, created, send)
    names = [
        name
        for shown in _primary_data(response_json(plain))
        for name, ids in linked_resources(shown).items()
        if ids
    ]
    request = with_resource_id(subject, resource, created.id).valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    is_included = False
    for name in names if is_success(plain) else ():
        exchange = send(operation, with_query(request, {INCLUDE: name}))
        document = response_json(exchange)
        if not is_success(exchange) or is_from_cache(exchange) or not _primary_data(document):
            continue
        is_included = True
        title, message = _included_difference(subject, name, document, send)
        if title:
            yield CheckFailure(
                title=title,
                message=message,
                operation=operation_label(operation),
                promise=parameter.location,
                evidence=(plain, exchange),
            )
            return
    if not is_included:
        raise Unsendable("a resource of JSON:API with relationships that can be included")


def _included_difference(subject: Subject, name: str, document: Any, send: Send) -> tuple[str, str]:
    """Return the title and the message of what is wrong with the included resources of a document, or nothing. What a
    relationship names and what no longer exists need not be included.
    """
    primary, included = _primary_data(document), document.get("included")
    included = included if isinstance(included, list) else []
    shown = [identity for resource in (*primary, *included) if (identity := resource_identity(resource))]
    linked = dict.fromkeys(identity for each in primary for identity in linked_resources(each).get(name, ()))
    for identity in linked:
        if identity not in shown and _can_be_read(subject, identity, send):
            return (
                "'include' leaves out a resource",
                f"include={name} gets no {'/'.join(identity)} in 'included', which {name!r} refers to",
            )
    for number, identity in enumerate(shown):
        if identity in shown[:number]:
            return "a document has a resource twice", f"{'/'.join(identity)} is there twice"
    every = [*primary, *included]
    referred = {identity for each in every for ids in linked_resources(each).values() for identity in ids}
    unreferred = [
        identity for each in included if (identity := resource_identity(each)) and identity not in referred
    ]
    if unreferred and all(_has_whole_linkage(each) for each in every):
        return (
            "'include' adds a resource that nothing refers to",
            f"include={name} gets {'/'.join(unreferred[0])}, and no relationship names it",
        )
    return "", ""


def _primary_data(document: Any) -> list[Any]:
    """Return the resources that a document is about, none if it is not a document of JSON:API."""
    data = document.get("data") if isinstance(document, dict) else None
    return [each for each in (data if isinstance(data, list) else [data]) if resource_identity(each)]


def _has_whole_linkage(resource: Any) -> bool:
    """Return whether each relationship of a resource states what it refers to: some have only links."""
    relationships = resource.get("relationships", {})
    return isinstance(relationships, dict) and all(
        isinstance(each, dict) and "data" in each for each in relationships.values()
    )


def _can_be_read(subject: Subject, identity: Identity, send: Send) -> bool:
    """Return whether a resource is found at the address of its type."""
    kind, key = identity
    resource = resource_of_type(subject.resources, kind)
    return resource is not None and is_success(read_resource(subject, resource, key, send))
