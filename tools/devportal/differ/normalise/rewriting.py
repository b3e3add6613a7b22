"""Schemas written in one way if there are several: a double negation, a condition that always holds, a pattern that
every name matches, and rules for objects with a property.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from devportal.contract import Constraint, Location, Schema
from devportal.contract.keywords import CONSTRAINTS
from devportal.contract.read.references import CONSTRAINING_FIELDS, has_types_only
from devportal.differ.normalise.all_of import CONDITIONAL, allows_everything, refuses_all
from devportal.differ.patterns.pattern_relations import matches_every_text

Resolve = Callable[[Schema], Schema]
"""Returns the schema that a reference leads to."""
_DEPENDENT_SCHEMAS, _DEPENDENT_REQUIRED = "dependentSchemas ", "dependentRequired"
_OF_OBJECTS = frozenset(
    {"properties", "required", "pattern_properties", "additional_properties", "constraints"}
)


class RewrittenPart(NamedTuple):
    """The parts that a part of a schema is, and the schemas that apply to the same value besides."""

    parts: tuple[Schema, ...]
    applied: tuple[Schema, ...] = ()


def may_be_rewritten(part: Schema) -> bool:
    """Say whether a part has a keyword that may be written in another way; most parts have none."""
    return bool(part.negated is not None or part.others or part.pattern_properties)


def rewrite_part(part: Schema, resolve: Resolve) -> RewrittenPart:
    """Return a part in the way in which equal schemas are written alike."""
    if not may_be_rewritten(part):
        return RewrittenPart((part,))
    applied: list[Schema] = []
    twice_negated = _twice_negated(part, resolve)
    if twice_negated is not None:
        part = replace(part, negated=None)
        applied.append(twice_negated)
    if part.others:
        part = _without_names_of_any_text(part)
        part, consequences = _without_certain_condition(part, resolve)
        applied += consequences
        part = _with_plain_dependents(_with_condition_as_dependents(part, resolve))
    return RewrittenPart((*_universal_parts(part), _without_universal_patterns(part)), tuple(applied))


def _twice_negated(part: Schema, resolve: Resolve) -> Schema | None:
    """Return the schema that a part negates twice, None if there is none."""
    inner = resolve(part.negated) if part.negated is not None else None
    return inner.negated if inner is not None and _has_only(inner, frozenset({"negated"})) else None


def _without_names_of_any_text(part: Schema) -> Schema:
    """Return a part without a `propertyNames` that only has types: each name is a text."""
    others = tuple(
        (keyword, schema)
        for keyword, schema in part.others
        if not (keyword == "propertyNames" and "string" in schema.types and has_types_only(schema))
    )
    return part if len(others) == len(part.others) else replace(part, others=others)


def _without_certain_condition(part: Schema, resolve: Resolve) -> tuple[Schema, list[Schema]]:
    """Return a part without a condition that all values meet, or none, and the schema that then applies."""
    schemas = {keyword: schema for keyword, schema in part.others if keyword in CONDITIONAL}
    test = resolve(schemas["if"]) if "if" in schemas else None
    if test is None or not (allows_everything(test) or refuses_all(test)):
        return part, []
    consequence = schemas.get("then" if allows_everything(test) else "else")
    others = tuple(other for other in part.others if other[0] not in CONDITIONAL)
    return replace(part, others=others), [] if consequence is None else [consequence]


def _with_condition_as_dependents(part: Schema, resolve: Resolve) -> Schema:
    """Return a part with a condition on the presence of one property as the rule for objects with it (JSON Schema
    2020-12 §10.2.2.4).
    """
    schemas = {keyword: schema for keyword, schema in part.others if keyword in CONDITIONAL}
    if "if" not in schemas or "then" not in schemas:
        return part
    name, consequence = _name_of_presence(resolve(schemas["if"])), schemas["then"]
    is_about_objects = part.types == ("object",) or (
        _has_only(consequence, _OF_OBJECTS) and _limits_objects_only(consequence)
    )
    if name is None or not is_about_objects:
        return part
    idle = {"then"} if "else" in schemas else CONDITIONAL
    others = [other for other in part.others if other[0] not in idle]
    return replace(part, others=(*others, (f"{_DEPENDENT_SCHEMAS}{name}", consequence)))


def _name_of_presence(test: Schema) -> str | None:
    """Return the name of the property that values have to have, None if more or less is asked of them."""
    is_presence = (
        len(test.required) == 1
        and test.types in ((), ("object",))
        and not test.nullable
        and _has_only(test, frozenset({"required", "properties", "types"}))
        and all(allows_everything(property_.schema) for property_ in test.properties)
    )
    return test.required[0] if is_presence else None


def _with_plain_dependents(part: Schema) -> Schema:
    """Return a part with `dependentRequired` in place of schemas that only have `required`."""
    names: Mapping[str, tuple[str, ...]] = {
        keyword: schema.required
        for keyword, schema in part.others
        if keyword.startswith(_DEPENDENT_SCHEMAS) and _has_only(schema, frozenset({"required"}))
    }
    if not names:
        return part
    constraints = (
        Constraint(keyword=_DEPENDENT_REQUIRED, value={keyword.removeprefix(_DEPENDENT_SCHEMAS): [*required]})
        for keyword, required in names.items()
    )
    return replace(
        part,
        constraints=(*part.constraints, *constraints),
        others=tuple(other for other in part.others if other[0] not in names),
    )


def _universal_parts(part: Schema) -> Iterator[Schema]:
    """Yield the rules for all properties that a pattern which every name matches gives."""
    for pattern_property in part.pattern_properties:
        if matches_every_text(pattern_property.name):
            schema = pattern_property.schema
            yield Schema(location=schema.location, additional_properties=schema)


def _without_universal_patterns(part: Schema) -> Schema:
    """Return a part without patterns that every name matches, beside which no property is an additional one."""
    patterns = tuple(each for each in part.pattern_properties if not matches_every_text(each.name))
    if len(patterns) == len(part.pattern_properties):
        return part
    return replace(part, pattern_properties=patterns, additional_properties=None)


def _has_only(schema: Schema, names: frozenset[str]) -> bool:
    """Say whether a schema has no rules but those in some of its fields."""
    return (schema.ref is None and not schema.broken) and all(
        getattr(schema, name) == getattr(_NOTHING, name) for name in CONSTRAINING_FIELDS - names
    )


def _limits_objects_only(schema: Schema) -> bool:
    return all(CONSTRAINTS[constraint.keyword].applies_to == "object" for constraint in schema.constraints)


_NOTHING = Schema(location=Location("", ()))
