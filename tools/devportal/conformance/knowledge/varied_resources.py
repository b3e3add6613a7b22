"""Resources that differ in every member, so that a list of them can be sorted and filtered."""

from collections.abc import Iterator
from typing import Any

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.family import Send
from devportal.conformance.knowledge.paging import ListTarget, listed_resource
from devportal.conformance.knowledge.request_variants import (
    body_schema,
    request_json,
    with_json,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources import object_properties
from devportal.conformance.knowledge.test_target import Subject
from devportal.contract import Operation, Schema
from devportal.contract.validate.json_schema import Direction

NUMBERS = (80, 9, 700, 10)
"""Numbers that have another order as texts."""
LETTERS = "mbrd"


def create_varied(target: ListTarget, send: Send) -> None:
    """Create resources that differ in every member, if resources of the list can be created."""
    owner = listed_resource(target.subject, target.listing)
    if owner is not None and owner.create is not None:
        for request in _varied_requests(target.subject, owner.create):
            send(owner.create, with_new_idempotency_key(target.subject, owner.create, request))


def _varied_requests(subject: Subject, create: Operation) -> Iterator[Request]:
    """Yield valid requests. A value that the contract does not allow stays as it is."""
    request, schema = subject.valid(create), body_schema(create)
    body = request_json(request) if request is not None else None
    if request is None or schema is None or not isinstance(body, dict):
        return
    members = {one.name: subject.api.resolve(one.schema) for one in object_properties(subject.api, schema)}
    choices = [name for name, member in members.items() if member.enum or member.types == ("boolean",)]
    for turn in range(len(NUMBERS)):
        varied = dict(body)
        for name, member in members.items():
            # Neighbouring choices take turns differently, so that every pair of their values occurs.
            choice = turn >> 1 if name in choices[1::2] else turn
            for value in _values(member, body.get(name), turn, choice):
                if subject.validator.is_valid(schema, {**varied, name: value}, Direction.REQUEST):
                    varied[name] = value
                    break
        yield with_json(request, varied)


def _values(schema: Schema, value: Any, turn: int, choice: int) -> Iterator[Any]:
    """Yield values of a member for one of the resources, the best first."""
    if schema.enum:
        values = [one for one in schema.enum if one is not None]
        yield values[choice % len(values)]
    elif schema.types == ("boolean",):
        yield bool(choice % 2)
    elif {"integer", "number"} & set(schema.types):
        yield NUMBERS[turn]
        yield (value if isinstance(value, int | float) else 1) + NUMBERS[turn] % 7
    elif isinstance(value, str) and not schema.format:
        yield f"{LETTERS[turn]}{value}"
        yield f"{LETTERS[turn]}{value[1:]}"
