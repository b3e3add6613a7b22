"""New resources for the members of a creation that name others: a room takes one booking for a night, and a course has
one enrolment of a student, so that the same request can be accepted only once.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.knowledge.json_api import linked_resources, resource_of_type
from devportal.conformance.knowledge.requests.request_variants import ObjectBody, object_body, valid_body
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import Resource

CreateOne = Callable[[Resource], str]
"""Creates a resource of a type and returns its identifier. Raises Unsendable if none can be created."""


def named_types(subject: Subject, body: ObjectBody, create: Operation | None) -> Mapping[str, Resource]:
    """Return the types of the resources that a creation names, by its members and relationships; only types of which
    new ones can be created, and not its own one.
    """
    others = [each for each in subject.resources if each.create is not None and each.create is not create]
    found = {}
    for name in body.members:
        named = next((each for each in others if names_resource(name, each.reference_names)), None)
        if named is not None:
            found[name] = named
    for name, identities in linked_resources(body.holder).items():
        linked = resource_of_type(subject.resources, identities[0][0]) if identities else None
        if linked is not None and any(linked is other for other in others):
            found[name] = linked
    return found


def new_references(
    subject: Subject, create: Operation | None, create_one: CreateOne, *, names: frozenset[str] | None = None
) -> dict[str, str]:
    """Return the identifiers of new resources, by the members and the relationships of a creation that name resources
    of their types, or by those of `names`.
    """
    body, found = valid_body(subject, create), dict[str, str]()
    for name, named in named_types(subject, body, create).items() if body is not None else ():
        if names is None or name in names:
            with suppress(Unsendable):
                found[name] = create_one(named)
    return found


def with_references(
    body: ObjectBody, members: Mapping[str, object], identifiers: Mapping[str, str]
) -> Request:
    """Return the request of a body in which members and relationships name other resources, by numbers where the body
    has numbers.
    """
    relationships = [name for name, linked in linked_resources(body.holder).items() if linked]
    for name in identifiers.keys() & relationships:
        body = body.with_linkage(name, identifiers[name])
    others = {
        name: int(value) if isinstance(members.get(name), int) and value.isdecimal() else value
        for name, value in identifiers.items()
        if name not in relationships
    }
    return body.request({**members, **others})


def requests_with_new_references(
    subject: Subject, create: Operation, request: Request, create_one: CreateOne, *, only_usual: bool = True
) -> Iterator[Request]:
    """Yield a creation with new resources in place of those that it names. A member stays if it names one that a probe
    has chosen; with `only_usual`, also if it does not name the one that ordinary requests name.
    """
    body, usual = object_body(subject, create, request), valid_body(subject, create)
    if body is None or usual is None:
        return
    replaced = frozenset(
        name
        for name, named in named_types(subject, body, create).items()
        if named.value_key not in subject.chosen
        and (not only_usual or body.members.get(name) == usual.members.get(name))
    )
    identifiers = new_references(subject, create, create_one, names=replaced) if replaced else {}
    if identifiers:
        yield with_references(body, body.members, identifiers)
