"""Valid values that a deployment has not chosen: unlike those that it shows."""

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from devportal.conformance.knowledge.resources.operation_resources import different_id
from devportal.conformance.knowledge.resources.representation_match import is_equivalent, is_json_number
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import ABSENT, Schema
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.values.synthesis import synthesise

NUMBER_RANGE = 900_000
"""How many numbers of six digits there are: a deployment hardly chooses the same one."""
PAST = {"date-time": ("2001-02-03T04:05:06Z", "2001-02-03T04:05:06.000Z"), "date": ("2001-02-03",)}
"""Times that no deployment chooses for what it creates now."""


def foreign_value(subject: Subject, schema: Schema, known: Sequence[Any]) -> Any:
    """Return a valid value that is none of the known ones, ABSENT if there is none."""
    for value in _candidates(subject, schema, known):
        is_known = value in EMPTY_VALUES or any(is_equivalent(value, other) for other in known)
        if not is_known and subject.validator.is_valid(schema, value, Direction.RESPONSE):
            return value
    return ABSENT


def _candidates(subject: Subject, schema: Schema, known: Sequence[Any]) -> Iterator[Any]:
    """Yield values of the type of a schema, those that a deployment is least likely to choose first."""
    if schema.enum:
        yield from schema.enum
        return
    token = uuid.uuid4()
    if {"integer", "number"} & set(schema.types):
        number = token.int % NUMBER_RANGE + 100_000
        yield number
        yield from (value + number % 83 + 13 for value in known if is_json_number(value))
        yield from (number % size + 2 for size in (90, 9))
    if "boolean" in schema.types:
        yield from (True, False)
    if "string" in schema.types:
        yield from PAST.get(schema.format, ())
        yield from (str(token), f"https://{token.hex[:12]}.example/", f"{token.hex[:12]}@example.com")
        yield f"value-{token.hex[:12]}"
        made = synthesise(subject.api, schema, Direction.RESPONSE)
        yield from (different_id(value) for value in (*known, made) if isinstance(value, str) and value)
    if "array" in schema.types and schema.items is not None:
        item = foreign_value(subject, subject.api.resolve(schema.items), [])
        if item is not ABSENT:
            yield [item]
