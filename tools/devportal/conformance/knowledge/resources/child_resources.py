"""Resources that belong to another one: created below its path, or with its identifier in their body."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.requests.request_variants import (
    object_body,
    valid_body,
    varied_texts_request,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CREATED_ID,
    REFUSED_STATUSES,
    creator,
    is_success,
    renewed_requests,
    resource_json,
)
from devportal.conformance.knowledge.resources.prepared_creations import prepared_requests
from devportal.conformance.knowledge.subject import Subject, with_resource_id
from devportal.contract import Operation, Parameter, ParameterLocation
from devportal.contract.conventions import filtered_member, matches_any_name, normalize_name
from devportal.contract.path_templates import last_segment, parent_path, singular
from devportal.contract.resources import Listing, Resource, id_in_resource_name, object_properties
from devportal.documents import member_at

UNIQUE_IDENTIFIERS = 4
"""How many of the conventional identifiers are unique in a collection; a name or a number need not be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildType:
    """Resources that belong to one of the type `parent`: the operation that creates one, and the `member` of its body
    that names the parent, empty if its path does. `resource` is their type, None if none has an address.
    """

    parent: Resource
    create: Operation
    member: str
    resource: Resource | None

    @property
    def collection(self) -> str:
        """The name of the collection: `plants`."""
        return last_segment(self.create.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildList:
    """A list of the resources of one parent, which its path names, or its query parameter."""

    listing: Listing
    parameter: Parameter | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A resource that was created for a parent, with its representation, and the path to what identifies it in a list:
    `item_key`.
    """

    id: str
    item_key: str
    key: tuple[str, ...]
    members: Mapping[str, Any]
    exchange: Exchange


def parent_names(subject: Subject, parent: Resource) -> tuple[str, ...]:
    """Return the names by which others refer to a resource: `garden_id` and `garden` for `/gardens/{id}`. A name that
    any type may have, such as `slug`, refers to none.
    """
    word, name = singular(last_segment(parent_path(parent.path))), parent.reference_names[-1]
    if len(parent.reference_names) > 1:
        return tuple(dict.fromkeys((name, f"{word}_id", word)))
    is_general = matches_any_name(name, subject.conventions.identifier)
    return (f"{word}_{name}", f"{word}_id", word) if is_general else (name, word)


def count_names(collection: str) -> frozenset[str]:
    """Return the normalized names of members that count the resources of a collection: `plantCount`,
    `number_of_plants`.
    """
    plural, word = normalize_name(collection), normalize_name(singular(collection))
    return frozenset(
        (
            f"{word}count",
            f"{plural}count",
            f"numberof{plural}",
            f"num{plural}",
            f"total{plural}",
            f"{plural}total",
        )
    )


def child_types(subject: Subject, parents: Iterable[Resource] | None = None) -> Iterator[ChildType]:
    """Yield the types of resources that belong to others that can be created, or to those of `parents`."""
    owners = {id(resource.create): resource for resource in subject.resources if resource.create is not None}
    listed = {listing.operation.path for listing in subject.listings}
    creations = [operation for operation in subject.operations if operation.method == "POST"]
    members = {
        id(operation): tuple(_scalar_members(subject, operation))
        for operation in creations
        if id(operation) in owners
    }
    for parent in subject.resources if parents is None else parents:
        names = parent_names(subject, parent)
        for operation in creations if parent.create is not None else ():
            own = owners.get(id(operation))
            if own is parent or operation is parent.create:
                continue
            is_collection = operation.path in listed and _is_plural(last_segment(operation.path))
            if parent_path(operation.path) == parent.value_key and (own or is_collection):
                yield ChildType(parent=parent, create=operation, member="", resource=own)
            elif own is not None and not operation.path.startswith(f"{parent.value_key}/"):
                found = (name for name in members[id(operation)] if matches_any_name(name, names))
                if member := next(found, ""):
                    yield ChildType(parent=parent, create=operation, member=member, resource=own)


def _is_plural(word: str) -> bool:
    """Return whether a word names several, by its ending: a POST to one thing changes that."""
    return singular(word) != word


def _scalar_members(subject: Subject, create: Operation) -> Iterator[str]:
    """Yield the members of a creation that can be identifiers: texts and whole numbers, also optional ones that the
    ordinary request leaves out.
    """
    body = valid_body(subject, create)
    if body is None:
        return
    for name, value in body.members.items():
        if isinstance(value, str | int) and not isinstance(value, bool):
            yield name
    for property_ in object_properties(subject.api, body.schema):
        meaning = subject.api.resolve(property_.schema)
        is_scalar = bool({"string", "integer"} & set(meaning.types)) and not meaning.read_only
        if is_scalar and body.members.get(property_.name) is None:
            yield property_.name


def child_lists(subject: Subject, child: ChildType) -> Iterator[ChildList]:
    """Yield the lists of the resources of one parent: below its path, or with a query parameter that names it."""
    for listing in subject.listings:
        path = listing.operation.path
        if last_segment(path) != child.collection:
            continue
        if parent_path(path) == child.parent.value_key:
            yield ChildList(listing=listing, parameter=None)
        elif not path.startswith(f"{child.parent.value_key}/"):
            for parameter in listing.operation.parameters:
                is_query = parameter.location_in is ParameterLocation.QUERY
                if is_query and matches_any_name(
                    filtered_member(parameter.name), parent_names(subject, child.parent)
                ):
                    yield ChildList(listing=listing, parameter=parameter)


def create_child(
    subject: Subject, child: ChildType, parent_id: str, send: Send, *, is_varied: bool = False
) -> Child:
    """Create a resource for a parent, with other texts if it `is_varied`. Raises Unsendable if none can be created at
    once, or if it has no identifier.
    """
    below = with_resource_id(subject, child.parent, parent_id)
    plain = below.valid(child.create)
    if plain is None:
        raise Unsendable(NO_VALID_REQUEST)
    request = _naming_parent(below, child, plain, parent_id)
    variants = (request, varied_texts_request(below, child.create, request))
    dependents = (child.resource,) if child.resource is not None else ()
    prepared = prepared_requests(
        below, child.resource, child.create, variants[is_varied], send, creator(below, send, dependents)
    )
    renewed = renewed_requests(below, child.create, request, send, dependents)
    for candidate in chain(variants[1:] if is_varied else variants, prepared, renewed):
        named = _naming_parent(below, child, candidate, parent_id)
        exchange = send(child.create, with_new_idempotency_key(below, child.create, named))
        if is_success(exchange) and exchange.status != ACCEPTED:
            return _child_of(subject, child, exchange)
        if exchange.status not in REFUSED_STATUSES:
            break
    raise Unsendable("a request to create a resource of another one that the deployment accepts")


def _naming_parent(subject: Subject, child: ChildType, request: Request, parent_id: str) -> Request:
    """Return the request with the identifier of the parent in its body, if its body names the parent."""
    if not child.member:
        return request
    body = object_body(subject, child.create, request)
    if body is None:
        raise Unsendable(NO_VALID_REQUEST)
    for value in id_values(parent_id):
        members: Mapping[str, Any] = {**body.members, child.member: value}
        if body.is_valid(subject, members):
            return body.request(members)
    raise Unsendable(f"a creation with {child.member!r}")


def id_values(resource_id: str) -> tuple[str | int, ...]:
    """Return the values that an identifier may be in JSON: a text, or the number that it is."""
    is_number = resource_id.isascii() and resource_id.isdigit()
    return (int(resource_id), resource_id) if is_number else (resource_id,)


def _child_of(subject: Subject, child: ChildType, exchange: Exchange) -> Child:
    shown = resource_json(child.resource or child.parent, exchange)
    keys = [child.resource.key] if child.resource is not None and child.resource.key else []
    names = subject.conventions.identifier[:UNIQUE_IDENTIFIERS]
    members = shown if isinstance(shown, dict) else {}
    keys += [(name,) for known in names for name in members if matches_any_name(name, (known,))]
    for key in keys:
        value = member_at(shown, key)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            in_name = id_in_resource_name(child.resource.path, value) if child.resource is not None else ""
            return Child(
                id=in_name or str(value), item_key=str(value), key=key, members=members, exchange=exchange
            )
    raise Unsendable(CREATED_ID)
