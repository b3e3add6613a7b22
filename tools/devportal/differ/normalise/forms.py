"""Schemas in normal form, and where each of their keywords was written."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import Any

from devportal.contract import ABSENT, Discriminator, Location, Schema
from devportal.contract.keywords import CONSTRAINTS
from devportal.contract.regex import matches_pattern
from devportal.contract.schemas import Xml
from devportal.differ.rule import Direction


def keyword_sources(parts: Sequence[Schema]) -> dict[str, Location]:
    """Return the location of each keyword; the last part that has it counts."""
    return {keyword: part.location for part in parts for keyword in _used_keywords(part)}


def _used_keywords(part: Schema) -> Iterator[str]:
    """Yield the keywords of a part."""
    yield from (constraint.keyword for constraint in part.constraints)
    values = {
        "type": part.types,
        "format": part.format,
        "enum": part.enum or part.has_empty_enum or part.const is not ABSENT,
        "items": part.items,
        "prefixItems": part.prefix_items,
        "additionalProperties": part.additional_properties,
        "required": part.required,
        "properties": part.properties,
        "oneOf": part.one_of,
        "anyOf": part.any_of,
        "not": part.negated,
        "discriminator": part.discriminator,
        "content": part.content,
        "default": part.default is not ABSENT,
        "readOnly": part.read_only,
        "writeOnly": part.write_only,
        "x-extensible-enum": part.extensible_enum is not ABSENT,
        "nullable": part.nullable,
        "xml": part.xml,
    }
    yield from (keyword for keyword, value in values.items() if value)
    yield from (keyword for keyword, _ in part.others)


SCALARS = frozenset({"string", "number", "integer", "boolean"})
"""The types whose values are written as plain text in parameters, headers and forms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """An end of a range of numbers, and whether the range stops short of it."""

    value: Fraction
    is_exclusive: bool = False

    def display_value(self) -> int | float:
        """Return the number as contracts write it."""
        return int(self.value) if self.value.denominator == 1 else float(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Union:
    """Branches of which a value must match exactly one (`oneOf`) or at least one (`anyOf`)."""

    keyword: str
    branches: tuple[Schema, ...]
    discriminator: Discriminator | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """The schemas for values that match `test` (`then`), and for those that do not (`else`)."""

    test: Schema
    consequences: Mapping[str, Schema]


@dataclass(frozen=True, slots=True, kw_only=True)
class Containment:
    """How many items of an array must match a schema: at least `low`, at most `high` (`contains`)."""

    schema: Schema
    low: int
    high: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalProperty:
    """A property of an object, with every schema that its parts give it; none if it is only required."""

    name: str
    schemas: tuple[Schema, ...]
    is_required: bool
    is_read_only: bool = False
    is_write_only: bool = False

    def travels(self, direction: Direction) -> bool:
        """Say whether the property exists in messages of a direction (OAS 3.0.3 §4.7.24.2)."""
        return not (self.is_read_only if direction is Direction.TO_PROVIDER else self.is_write_only)


@dataclass(frozen=True, kw_only=True)
class NormalSchema:
    """What a schema says once everything that applies to its value is put together.

    `types` is empty if any type will do, `values` None if there is no enum; null is in neither.
    `parts` are the schemas it is made of, its own last.
    """

    schema: Schema
    parts: tuple[Schema, ...]
    allows_nothing: bool = False
    types: frozenset[str] = frozenset()
    declared_types: frozenset[str] = frozenset()
    """The types that are written; `types` may also follow from values and branches."""
    allows_null: bool = True
    has_null_twice: bool = False
    """Whether null fits more than one branch of a `oneOf`, which refuses it for that."""
    format: str = ""
    values: tuple[Any, ...] | None = None
    is_const: bool = False
    listed: Mapping[str, Schema] = field(default_factory=dict)
    """The branches with one value each, by the value as text: their union counts as `values`."""
    extensible: tuple[Any, ...] | None = None
    """The known values of a set that may grow (`x-extensible-enum`), None if it is not declared as one."""
    lower: Bound | None = None
    upper: Bound | None = None
    multiple_of: Fraction | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    """The smallest and largest counts that are limits, by keyword: `minLength`, `maxItems`…"""
    patterns: frozenset[str] = frozenset()
    content: tuple[tuple[str, str], ...] = ()
    unique_items: bool = False
    items: tuple[Schema, ...] = ()
    prefix_items: tuple[Schema, ...] = ()
    containments: tuple[Containment, ...] = ()
    """The `contains` of all parts; each counts for itself."""
    members: Mapping[str, NormalProperty] = field(default_factory=dict)
    pattern_members: Mapping[str, tuple[Schema, ...]] = field(default_factory=dict)
    additional: tuple[Schema, ...] = ()
    is_closed: bool = False
    """Whether properties that are not listed are refused: `additionalProperties: false`."""
    dependent_required: Mapping[str, frozenset[str]] = field(default_factory=dict)
    unions: tuple[Union, ...] = ()
    negated: tuple[Schema, ...] = ()
    conditions: tuple[Condition, ...] = ()
    """The `if` of all parts, unless nothing follows from it; each counts for itself."""
    others: Mapping[str, tuple[Schema, ...]] = field(default_factory=dict)
    """Schemas under the rarer keywords by keyword: `propertyNames`, `dependentSchemas name`…"""
    discriminator: Discriminator | None = None
    default: Any = ABSENT
    xml: Xml | None = None
    dialect: str = ""

    @cached_property
    def sources(self) -> Mapping[str, Location]:
        """Return the location of each keyword: in the schema, or in a part of it."""
        return keyword_sources(self.parts)

    def min_count(self, keyword: str) -> int:
        """Return a smallest count, 0 if there is none."""
        return self.counts.get(keyword, 0)

    def max_count(self, keyword: str) -> float:
        """Return a largest count, infinity if there is none."""
        return self.counts.get(keyword, math.inf)

    @property
    def is_only_null(self) -> bool:
        """Say whether the schema allows null and nothing else."""
        return self.allows_null and self.values == ()

    @property
    def location(self) -> Location:
        """Return the location of the schema."""
        return self.schema.location

    def keyword_location(self, keyword: str) -> Location:
        """Return the location of a keyword: in the schema, or in a part of it."""
        return self.sources.get(keyword, self.schema.location)

    def keyword_location_beside(self, keyword: str, other: "NormalSchema") -> Location:
        """Return the location of a keyword. If only the other form has it, return the part that it was
        removed from or added to, so that the change of a shared part is one change.
        """
        if keyword in self.sources or keyword not in other.sources:
            return self.keyword_location(keyword)
        location = other.sources[keyword]
        return location if any(part.location == location for part in self.parts) else self.location

    def allows_type(self, kind: str, *, is_text: bool = False) -> bool:
        """Return whether values of a type may be valid; as text, any scalar is a string."""
        if not self.types:
            return not self.is_only_null
        if kind == "number":
            return bool(self.types & {"number", "integer"})
        return kind in self.types or (is_text and kind == "string" and bool(self.types & SCALARS))


TYPE_OF_KEYWORD = {row.name: row.applies_to for row in CONSTRAINTS.values()}
"""The type of values that a constraint limits."""


def permitted_properties(form: NormalSchema) -> Mapping[str, NormalProperty]:
    """Return the properties of a form without those that a part of it refuses.

    A part with `additionalProperties: false` refuses what it does not list itself, whatever the parts beside
    it list (JSON Schema 2020-12 §10.3.2.3); where such a property is required, that alone is left of it.
    """
    closed = [part for part in form.parts if _is_closed(part)]
    if not closed or len(form.parts) == 1:
        return form.members
    permitted: dict[str, NormalProperty] = {}
    for name, member in form.members.items():
        if all(_lists_property(part, name) for part in closed):
            permitted[name] = member
        elif member.is_required:
            permitted[name] = replace(member, schemas=())
    return permitted


def _is_closed(part: Schema) -> bool:
    return part.additional_properties is not None and part.additional_properties.verdict is False


def _lists_property(part: Schema, name: str) -> bool:
    return any(property_.name == name for property_ in part.properties) or any(
        matches_pattern(pattern_property.name, name) for pattern_property in part.pattern_properties
    )


def property_schemas(form: NormalSchema, name: str) -> tuple[Schema, ...]:
    """Return the schemas for a property, listed or not."""
    member = form.members.get(name)
    return member.schemas if member is not None and member.schemas else unlisted_property_schemas(form, name)


def unlisted_property_schemas(form: NormalSchema, name: str) -> tuple[Schema, ...]:
    """Return the schemas for a property that a form does not list."""
    by_pattern = tuple(
        schema
        for pattern, schemas in form.pattern_members.items()
        if matches_pattern(pattern, name)
        for schema in schemas
    )
    return by_pattern or (() if form.is_closed else form.additional)


_FIELDS_WITHOUT_RULES = frozenset(
    {"schema", "parts", "is_const", "default", "discriminator", "declared_types", "listed", "xml", "dialect"}
)  # fmt: skip
"""What decides nothing on its own."""

_rule_values = attrgetter(
    *(item.name for item in fields(NormalSchema) if item.name not in _FIELDS_WITHOUT_RULES)
)
_NO_RULES = _rule_values(NormalSchema(schema=Schema(location=Location("", ())), parts=()))


def allows_any_value(form: NormalSchema) -> bool:
    """Return whether a form allows any value."""
    return bool(_rule_values(form) == _NO_RULES) and not is_broken(form)


def is_broken(form: NormalSchema) -> bool:
    """Say whether a part of a form cannot be looked at, as its reference leads nowhere."""
    return any(part.broken for part in form.parts)


def may_be_of_type(form: NormalSchema, kind: str) -> bool:
    """Say whether a value of a form may be of a type."""
    return not form.allows_nothing and (not form.types or kind in form.types)


def refuses_unlisted_properties(form: NormalSchema) -> bool:
    """Say whether a form refuses properties that no part of it lists."""
    return form.is_closed or any(
        unevaluatedProperty.verdict is False
        for unevaluatedProperty in form.others.get("unevaluatedProperties", ())
    )
