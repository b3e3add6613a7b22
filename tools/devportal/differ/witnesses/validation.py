"""What a contract allows, as a validator sees it that knows nothing of the differ."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from typing import Any

import jsonschema_rs

from devportal.contract import Api, Location, Schema
from devportal.contract.validate.json_schema import Direction as Travel
from devportal.contract.validate.json_schema import Reading
from devportal.contract.validate.validator import ValidationIssue, Validator
from devportal.differ.rule import Direction
from devportal.differ.schemas.format_values import BASE64_PATTERN, NUMBER_FORMATS, NumberFormat
from devportal.differ.schemas.position import SCALAR_DEPTH, WHOLE_TEXT, Schemas, Side


def _number_rule(numbers: NumberFormat) -> Mapping[str, Any]:
    """Return the rule of a format of numbers as keywords of JSON Schema."""
    if numbers.is_whole:
        return {"minimum": int(numbers.low), "maximum": int(numbers.high), "multipleOf": 1}
    return {"minimum": float(numbers.low), "maximum": float(numbers.high)}


TRAVELS: Mapping[Direction, Travel] = {
    Direction.TO_PROVIDER: Travel.REQUEST,
    Direction.TO_CONSUMER: Travel.RESPONSE,
}
"""What the validator of contracts calls the directions."""
FORMAT_RULES: Mapping[str, Any] = {
    **{name: _number_rule(number_format) for name, number_format in NUMBER_FORMATS.items()},
    "byte": {"pattern": BASE64_PATTERN},
}
"""What the formats of OpenAPI ask for that JSON Schema does not have (OAS 3.0.3 §4.4)."""
AS_WRITTEN = Reading(format_rules=FORMAT_RULES, has_exact_null=True)
BY_DISCRIMINATOR = replace(AS_WRITTEN, follows_discriminators=True)
WITHOUT_OVERLAP = replace(BY_DISCRIMINATOR, is_exclusive=False, has_open_branches=False)
"""Where branches of a union overlap by an oversight, a change of one has no effect if they are taken as
written: no value fits `oneOf`, or an open object takes whatever another branch refuses.
"""
_MAX_READINGS = 64
_ANYTHING = Schema(location=Location("", ()), verdict=True)


def allowing_side(direction: Direction) -> Side:
    """Return the side that allows a witness: the old contract if clients send it, the new one if they receive
    it.
    """
    return Side.OLD if direction is Direction.TO_PROVIDER else Side.NEW


class JoinedSchemas:
    """One schema for several that apply to the same value; the same schema each time it is asked for."""

    def __init__(self) -> None:
        """Start without schemas."""
        self._joined: dict[tuple[int, ...], tuple[Schema, Schemas]] = {}

    def of(self, schemas: Schemas) -> Schema:
        """Return one schema for all, which allows anything if there are none."""
        if len(schemas) < 2:
            return schemas[0] if schemas else _ANYTHING
        key = tuple(map(id, schemas))
        if key not in self._joined:
            self._joined[key] = Schema(location=schemas[-1].location, all_of=schemas), schemas
        return self._joined[key][0]


class MessageValidators:
    """Validates values of messages against the schemas of both contracts.

    Values that are written as text are allowed if one reading of the text is, and refused if none is.
    """

    def __init__(self, old: Api, new: Api, joined: JoinedSchemas, reading: Reading) -> None:
        """Take both contracts, and how their schemas are taken."""
        self._joined = joined
        self._validators = {
            side: Validator(api, reading=reading, is_sliced=True)
            for side, api in ((Side.OLD, old), (Side.NEW, new))
        }

    def allows(self, side: Side, schemas: Schemas, value: Any, travel: Travel, *, text_depth: int) -> bool:
        """Return whether a contract allows a value; False if the validator cannot work with its schemas."""
        schema, validator = self._joined.of(schemas), self._validators[side]
        try:
            return any(
                validator.is_valid(schema, reading, travel)
                for reading in _readings(value, text_depth=text_depth)
            )
        except (ValueError, jsonschema_rs.ValidationError):
            return False

    def issues(
        self, side: Side, schemas: Schemas, value: Any, travel: Travel, *, text_depth: int
    ) -> tuple[ValidationIssue, ...]:
        """Return why a contract refuses a value, nothing if it allows it or nobody can say.

        Of a text, those of a reading whose type is right if there is one, or else of its last reading: the number or
        truth value that it looks like.
        """
        schema, validator = self._joined.of(schemas), self._validators[side]
        found: list[tuple[ValidationIssue, ...]] = []
        try:
            for reading in _readings(value, text_depth=text_depth):
                found.append(tuple(validator.violations(schema, reading, travel)))
                if not found[-1]:
                    return ()
        except (ValueError, jsonschema_rs.ValidationError):
            return ()
        is_of_right_type = (issues for issues in found if all(issue.keyword != "type" for issue in issues))
        return next(is_of_right_type, found[-1] if found else ())


def _readings(value: Any, *, text_depth: int) -> Iterator[Any]:
    """Yield a value, and what else its text may be read as."""
    if text_depth == SCALAR_DEPTH:
        text_depth = 0 if isinstance(value, dict | list) else WHOLE_TEXT
    yield from islice(_text_readings(value, text_depth), _MAX_READINGS)


def _text_readings(value: Any, depth: int) -> Iterator[Any]:
    """Yield the readings of a value: members of objects are text as far down as the depth says."""
    if depth < 1:
        yield value
        return
    match value:
        case dict():
            members = [list(_text_readings(item, depth - 1)) for item in value.values()]
            yield from (dict(zip(value, chosen, strict=True)) for chosen in product(*members))
        case list():
            yield from map(list, product(*(list(_text_readings(item, depth)) for item in value)))
        case bool() | int() | float():
            yield json.dumps(value)
            yield value
        case str():
            yield value
            yield from _plain_reading(value)
        case _:
            yield value


def _plain_reading(text: str) -> Iterator[Any]:
    """Yield the number or truth value that a text looks like."""
    try:
        value = json.loads(text)
    except ValueError:
        return
    if isinstance(value, (bool, int, float)):
        yield value
