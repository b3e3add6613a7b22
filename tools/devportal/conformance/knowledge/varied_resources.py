"""Resources that differ in every member, so that a list of them can be sorted and filtered."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta, timezone
from typing import Any

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.created_resources import at_new_address, create_resource
from devportal.conformance.knowledge.json_api import linked_resources, resource_of_type
from devportal.conformance.knowledge.paging import ListTarget, listed_resource
from devportal.conformance.knowledge.request_variants import (
    ObjectBody,
    valid_body,
    varied_texts_request,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.test_target import Subject
from devportal.contract import Operation, Schema
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.instants import parse_instant

NUMBERS = (80, 9, 700, 10)
"""Numbers that have another order as texts."""
VARIED_COUNT = len(NUMBERS)
"""How many resources `create_varied` creates: as many values of an enumeration occur."""
LETTERS = "mbrd"
MIXED_DAYS = (2, 0, 3, 1)
"""How many days later the days and times of each resource are: not in the order of their creation."""
OFFSETS = tuple(timezone(timedelta(hours=hours)) for hours in (0, 14, 0, -12))
"""The offsets of these times: as texts, two of them have another order than as times."""
CONFLICT = 409


def create_varied(target: ListTarget, send: Send) -> None:
    """Create resources that differ in every member, if resources of the list can be created."""
    owner = listed_resource(target.subject, target.listing)
    if owner is not None and owner.create is not None:
        identifiers = _other_identifiers(target.subject, owner, send)
        for request in _varied_requests(target.subject, owner.create, identifiers):
            addressed = at_new_address(target.subject, owner, request)
            exchange = send(owner.create, with_new_idempotency_key(target.subject, owner.create, addressed))
            if exchange.status == CONFLICT:
                unique = varied_texts_request(target.subject, owner.create, addressed)
                send(owner.create, with_new_idempotency_key(target.subject, owner.create, unique))


def _other_identifiers(subject: Subject, owner: Resource, send: Send) -> dict[str, str]:
    """Return identifiers of new resources, by the members and the relationships of a creation that name resources of
    their types.
    """
    body, found = valid_body(subject, owner.create), dict[str, str]()
    for name in body.members if body is not None else ():
        others = (
            resource
            for resource in subject.resources
            if resource is not owner and resource.create is not None
        )
        named = next(
            (resource for resource in others if names_resource(name, resource.reference_names)), None
        )
        if named is not None:
            with suppress(Unsendable):
                found[name] = create_resource(subject, named, send).id
    for name, identities in linked_resources(body.holder).items() if body is not None else ():
        linked = resource_of_type(subject.resources, identities[0][0]) if identities else None
        if linked is not None and linked is not owner:
            with suppress(Unsendable):
                found[name] = create_resource(subject, linked, send).id
    return found


def _varied_requests(
    subject: Subject, create: Operation, identifiers: Mapping[str, str]
) -> Iterator[Request]:
    """Yield valid requests, every second one with other `identifiers` of resources that it names. A value
    that the contract does not allow stays as it is.
    """
    body = valid_body(subject, create)
    if body is None:
        return
    members = {
        property_.name: subject.api.resolve(property_.schema)
        for property_ in object_properties(subject.api, body.schema)
    }
    choices = [name for name, member in members.items() if member.enum or member.types == ("boolean",)]
    for turn in range(len(NUMBERS)):
        varied = body.members
        for name, member in members.items():
            if member.read_only:
                continue
            # Neighbouring choices take turns differently, so that every pair of their values occurs.
            choice = turn >> 1 if name in choices[1::2] else turn
            for value in _values(member, varied.get(name), turn, choice):
                changed = {**varied, name: value}
                if body.is_valid(subject, changed):
                    varied = changed
                    break
        yield _with_identifiers(body, varied, identifiers) if turn % 2 else body.request(varied)


def _with_identifiers(
    body: ObjectBody, members: Mapping[str, Any], identifiers: Mapping[str, str]
) -> Request:
    """Return the request of a body in which members and relationships name other resources."""
    relationships = [name for name, linked in linked_resources(body.holder).items() if linked]
    for name in identifiers.keys() & relationships:
        body = body.with_linkage(name, identifiers[name])
    others = {name: value for name, value in identifiers.items() if name not in relationships}
    return body.request({**members, **others})


def _values(schema: Schema, value: Any, turn: int, choice: int) -> Iterator[Any]:
    """Yield values of a member for one of the resources, the best first."""
    if schema.enum:
        values = [item for item in schema.enum if item is not None]
        yield values[choice % len(values)]
    elif schema.types == ("boolean",):
        yield bool(choice % 2)
    elif {"integer", "number"} & set(schema.types):
        yield NUMBERS[turn]
        yield (value if isinstance(value, int | float) else 1) + NUMBERS[turn] % 7
    elif isinstance(value, str) and schema.format == "date":
        with suppress(ValueError, OverflowError):
            yield str(date.fromisoformat(value) + timedelta(days=MIXED_DAYS[turn]))
    elif isinstance(value, str) and schema.format == "date-time":
        time = parse_instant(value)
        if time is not None:
            later = time + timedelta(days=MIXED_DAYS[turn])
            yield later.astimezone(OFFSETS[turn]).isoformat().replace("+00:00", "Z")
            yield later.isoformat().replace("+00:00", "Z")
    elif isinstance(value, str) and value and not schema.format:
        yield f"{LETTERS[turn]}{value}"
        yield f"{LETTERS[turn]}{value[1:]}"
        yield f"{value[:-1]}{LETTERS[turn >> 1].upper()}"
