"""Values that are plainly valid: a look at them shows it, and no validator need be compiled.

Most examples and samples are. Compiling a validator for one takes longer than all else that is done with it.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import attrgetter, ge, le
from typing import Any, Final

import jsonschema_rs

from devportal.contract.model import Api
from devportal.contract.read.references import CONSTRAINING_FIELDS
from devportal.contract.regex import is_supported_pattern, matches_pattern
from devportal.contract.schemas import ABSENT, Constraint, Location, Schema

_LARGEST_EXACT: Final = 2**53
"""A validator may take a larger whole number for another one."""
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_DEPTH: Final = 60
"""Schemas within each other that are looked at, and as many values."""
_MAX_LOOKS: Final = 20_000
"""Looks at a part of a value that are worth it: schemas can be made of each other too often to count."""
_COMPARED: Final = frozenset(
    {
        *("verdict", "types", "nullable", "format", "enum", "const", "constraints", "discriminator"),
        *("properties", "additional_properties", "required", "items", "all_of", "any_of", "one_of"),
    }
)
"""The fields of a schema that are looked at; with any other rule, nothing is plain."""
_other_rules = attrgetter(*sorted(CONSTRAINING_FIELDS - _COMPARED))
_NO_OTHER_RULES = _other_rules(Schema(location=Location("", ())))
TYPES_OF_VALUES: Mapping[type, frozenset[str]] = {
    str: frozenset({"string"}),
    bool: frozenset({"boolean"}),
    int: frozenset({"integer", "number"}),
    float: frozenset({"number"}),
    dict: frozenset({"object"}),
    list: frozenset({"array"}),
    type(None): frozenset(),
}
"""The words for the types of values; null is not a type of a schema, but said by `nullable`."""
_LIMITS: Mapping[str, tuple[frozenset[type], Callable[[Any, int], bool]]] = {
    "minLength": (frozenset({str}), lambda text, limit: len(text) >= limit),
    "maxLength": (frozenset({str}), lambda text, limit: len(text) <= limit),
    "minItems": (frozenset({list}), lambda items, limit: len(items) >= limit),
    "maxItems": (frozenset({list}), lambda items, limit: len(items) <= limit),
    "minProperties": (frozenset({dict}), lambda members, limit: len(members) >= limit),
    "maxProperties": (frozenset({dict}), lambda members, limit: len(members) <= limit),
    "minimum": (frozenset({int, float}), ge),
    "maximum": (frozenset({int, float}), le),
}
"""Keywords whose value is a whole number, with the types of values that they are about."""


def is_plainly_valid(api: Api, schema: Schema, value: Any) -> bool:
    """Say whether a look shows that a value is valid for a schema as its author meant it (`Reading()`), in both
    directions.

    False says nothing: then a validator has to decide.
    """
    return _Look(api).is_valid(schema, value, 0)


class _Look:
    """A look at one value."""

    def __init__(self, api: Api) -> None:
        self._schemas = api.schemas
        self._left = _MAX_LOOKS

    def is_valid(self, schema: Schema, value: Any, depth: int) -> bool:
        self._left -= 1
        if depth > _MAX_DEPTH or self._left < 0:
            return False
        if schema.verdict is not None:
            return schema.verdict
        if value is None and schema.nullable:
            return True
        if not _has_type(schema, value) or _other_rules(schema) != _NO_OTHER_RULES:
            return False
        return _keeps_own_rules(schema, value) and self._has_valid_parts(schema, value, depth + 1)

    def _has_valid_parts(self, schema: Schema, value: Any, depth: int) -> bool:
        """Say whether a value fits what a schema refers to and combines, and its members their schemas."""
        if schema.ref is not None:
            target = self._schemas.get(schema.ref)
            if target is None or not self.is_valid(target, value, depth):
                return False
        kind, items = type(value), schema.items
        if kind is dict and not self._has_valid_members(schema, value, depth):
            return False
        if (
            kind is list
            and items is not None
            and not all(self.is_valid(items, item, depth) for item in value)
        ):
            return False
        return self._has_valid_branches(schema, value, depth)

    def _has_valid_members(self, schema: Schema, value: dict[str, Any], depth: int) -> bool:
        if not all(name in value for name in schema.required):
            return False
        names = set()
        for member in schema.properties:
            if member.name in value:
                names.add(member.name)
                if not self.is_valid(member.schema, value[member.name], depth):
                    return False
        others = schema.additional_properties
        if others is None or len(names) == len(value):
            return True
        return all(self.is_valid(others, item, depth) for name, item in value.items() if name not in names)

    def _has_valid_branches(self, schema: Schema, value: Any, depth: int) -> bool:
        """Say whether a value fits all of `allOf`, any of `anyOf`, and the only one of `oneOf` that may be for it."""
        if not all(self.is_valid(part, value, depth) for part in schema.all_of):
            return False
        if schema.any_of and not any(self.is_valid(part, value, depth) for part in schema.any_of):
            return False
        if not schema.one_of:
            return True
        possible = [part for part in schema.one_of if not self._is_for_others(part, value)]
        return len(possible) == 1 and self.is_valid(possible[0], value, depth)

    def _is_for_others(self, schema: Schema, value: Any) -> bool:
        """Say whether a schema, or the one that it refers to, is plainly for other types or texts than a value."""
        if value is None:
            return False
        target = self._schemas.get(schema.ref) if schema.ref is not None else None
        parts = (schema,) if target is None else (schema, target)
        return any(_is_for_others(part, value) for part in parts)


def _is_for_others(schema: Schema, value: Any) -> bool:
    if schema.types and not _allows_type(schema.types, value):
        return True
    return type(value) is str and not _is_listed(schema, value)


def _has_type(schema: Schema, value: Any) -> bool:
    return _is_exact(value) and (not schema.types or _allows_type(schema.types, value))


def _is_exact(value: Any) -> bool:
    """Say whether a validator takes a value for what it is, and not for another number or text."""
    match value:
        case bool() | None | dict() | list():
            return type(value) in TYPES_OF_VALUES
        case int():
            return abs(value) <= _LARGEST_EXACT
        case float():
            return math.isfinite(value)
        case str():
            return value.isascii() or not _LONE_SURROGATE.search(value)
    return False


def _allows_type(types: Iterable[str], value: Any) -> bool:
    return not TYPES_OF_VALUES.get(type(value), frozenset()).isdisjoint(types)


def _keeps_own_rules(schema: Schema, value: Any) -> bool:
    """Say whether a value keeps the rules of a schema in which there are no other schemas."""
    return (
        _is_listed(schema, value)
        and _keeps_limits(schema.constraints, value)
        and (not schema.format or type(value) is not str or _format_validator(schema.format).is_valid(value))
    )


def _is_listed(schema: Schema, value: Any) -> bool:
    """Say whether a value is among those that a schema lists, if it does."""
    if schema.enum and not _is_among(value, schema.enum):
        return False
    return schema.const is ABSENT or _is_among(value, (schema.const,))


def _is_among(value: Any, options: Iterable[Any]) -> bool:
    kind = type(value)
    return kind in (str, int, bool) and any(type(option) is kind and option == value for option in options)


def _keeps_limits(constraints: Iterable[Constraint], value: Any) -> bool:
    for constraint in constraints:
        if constraint.keyword == "pattern":
            if type(value) is str and not _has_pattern(str(constraint.value), value):
                return False
            continue
        if constraint.keyword not in _LIMITS or type(constraint.value) is not int:
            return False
        kinds, keeps = _LIMITS[constraint.keyword]
        if type(value) in kinds and not keeps(value, constraint.value):
            return False
    return True


def _has_pattern(pattern: str, text: str) -> bool:
    """Say whether a text matches a pattern; one that no validator supports is not a rule."""
    return not is_supported_pattern(pattern) or matches_pattern(pattern, text)


@lru_cache(maxsize=256)
def _format_validator(name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"format": name}, validate_formats=True)
