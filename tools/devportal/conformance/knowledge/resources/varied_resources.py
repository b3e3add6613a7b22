"""Resources that differ in every member, so that a list of them can be sorted and filtered."""

from collections.abc import Iterator, Mapping
from datetime import timedelta, timezone
from itertools import chain
from typing import Any

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.family import Send
from devportal.conformance.knowledge.paging import ListTarget, listed_resource
from devportal.conformance.knowledge.requests.request_variants import (
    valid_body,
    varied_texts_request,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    at_new_address,
    create_resource,
    renewed_requests,
)
from devportal.conformance.knowledge.resources.new_references import (
    new_references,
    with_references,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation, Schema
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.instants import in_zone, parse_day, parse_instant, shift_time, time_text

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
REJECTED_STATUSES = (400, 422)


def create_varied(target: ListTarget, send: Send) -> None:
    """Create resources that differ in every member, if resources of the list can be created. One that the deployment
    rejects has the usual numbers: a number may have another bound, such as the capacity of a room.
    """
    owner = listed_resource(target.subject, target.listing)
    if owner is not None and owner.create is not None:
        subject, create = target.subject, owner.create

        def create_one(named: Resource) -> str:
            return create_resource(subject, named, send).id

        identifiers = new_references(subject, create, create_one)
        usual = _varied_requests(subject, create, identifiers, has_usual_numbers=True)
        for request in _varied_requests(subject, create, identifiers):
            other = next(usual)
            if (
                _create_unique(subject, owner, create, request, send) in REJECTED_STATUSES
                and other != request
            ):
                _create_unique(subject, owner, create, other, send)


def _create_unique(subject: Subject, owner: Resource, create: Operation, request: Request, send: Send) -> int:
    """Send a creation, with other texts or references if what exists forbids it; return the last status."""
    addressed = at_new_address(subject, owner, request)
    unique = varied_texts_request(subject, create, addressed)
    renewed = renewed_requests(subject, create, unique, send, (owner,), only_usual=False)
    status = CONFLICT
    for candidate in chain((addressed, unique), renewed):
        status = send(create, with_new_idempotency_key(subject, create, candidate)).status
        if status != CONFLICT:
            break
    return status


def _varied_requests(
    subject: Subject,
    create: Operation,
    identifiers: Mapping[str, str],
    *,
    has_usual_numbers: bool = False,
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
            is_number = not member.enum and bool({"integer", "number"} & set(member.types))
            if member.read_only or (is_number and has_usual_numbers):
                continue
            # Neighbouring choices take turns differently, so that every pair of their values occurs.
            choice = turn >> 1 if name in choices[1::2] else turn
            for value in _values(member, varied.get(name), turn, choice):
                changed = {**varied, name: value}
                if body.is_valid(subject, changed):
                    varied = changed
                    break
        yield with_references(body, varied, identifiers) if turn % 2 else body.request(varied)


def _values(schema: Schema, value: Any, turn: int, choice: int) -> Iterator[Any]:
    """Yield values of a member for one of the resources, the best first."""
    if schema.enum:
        values = [item for item in schema.enum if item is not None]
        yield values[choice % len(values)]
    elif schema.types == ("boolean",):
        yield bool(choice % 2)
    elif {"integer", "number"} & set(schema.types):
        yield NUMBERS[turn]
        usual = value if isinstance(value, int | float) else 1
        yield from (usual + NUMBERS[turn] % 7, usual + turn, usual - turn, usual - 1)
    elif isinstance(value, str) and schema.format == "date":
        day = parse_day(value)
        later_day = shift_time(day, timedelta(days=MIXED_DAYS[turn])) if day is not None else None
        if later_day is not None:
            yield later_day.isoformat()
    elif isinstance(value, str) and schema.format == "date-time":
        time = parse_instant(value)
        later = shift_time(time, timedelta(days=MIXED_DAYS[turn])) if time is not None else None
        elsewhere = in_zone(later, OFFSETS[turn]) if later is not None else None
        for moved in filter(None, (elsewhere, later)):
            yield time_text(moved)
    elif isinstance(value, str) and value and not schema.format:
        yield f"{LETTERS[turn]}{value}"
        yield f"{LETTERS[turn]}{value[1:]}"
        yield f"{value[:-1]}{LETTERS[turn >> 1].upper()}"
