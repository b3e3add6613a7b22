"""What a schema says of the shape of its values: the part that examples need."""

from collections.abc import Sequence
from typing import Any

from devportal.contract.keywords import CONSTRAINTS
from devportal.contract.model import Api
from devportal.contract.regex import matches_pattern, sample_for_pattern
from devportal.contract.schemas import ABSENT, Schema
from devportal.contract.validate.schema_rules import constraint_value
from devportal.contract.wording import normalise_name

_MAX_NESTING = 2
"""How deep a property is searched for an example."""


def dependent_required(schema: Schema, names: set[str]) -> list[str]:
    """Return the names that `dependentRequired` requires beside these members, over any number of steps."""
    rules: dict[str, list[str]] = next(
        (constraint.value for constraint in schema.constraints if constraint.keyword == "dependentRequired"),
        {},
    )
    required: list[str] = []
    pending = list(names & rules.keys())
    while pending:
        new = [name for name in rules.get(pending.pop(), ()) if name not in names]
        names.update(new)
        required += new
        pending += new
    return required


def additional_names(schema: Schema, count: int, most: int) -> list[str]:
    """Return names for members that may be called anything, or what `propertyNames` or a pattern says."""
    if not count:
        return []
    name_schema = dict(schema.others).get("propertyNames")
    patterns = (
        [constraint.value for constraint in name_schema.constraints if constraint.keyword == "pattern"]
        if name_schema
        else []
    )
    free = schema.additional_properties
    if not patterns and (free is None or free.verdict is False):
        patterns = [
            pattern_property.name
            for pattern_property in schema.pattern_properties
            if pattern_property.schema.verdict is not False
        ]
    name = "".join(schema.location.pointer[-1:])
    is_of_links = normalise_name(name) == "links"  # HAL, and `Links` of Spring
    first = "self" if is_of_links else "key"
    plain = [first, *(f"{first}{number}" for number in range(2, most))]
    if all(matches_pattern(pattern, name) for pattern in patterns for name in plain[:2]):
        return plain[:count]
    samples = (sample_for_pattern(patterns[0], at_least=length) for length in range(most))
    return list(dict.fromkeys(filter(None, samples)))[:count]


def count_values(value: Any) -> int:
    """Return of how many values one is made."""
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(count_values, members))


def sole_branches(api: Api, schema: Schema) -> Sequence[Schema]:
    """Return the branches that a schema is nothing but a choice of; none if it has other rules."""
    target = api.schemas.get(schema.ref) if schema.ref is not None else None
    sources = [
        *([(target,)] if target is not None else []),
        *((subschema,) for subschema in schema.all_of),
        *(union for union in (schema.one_of, schema.any_of) if union),
    ]
    has_rules = bool(
        schema.types or schema.constraints or schema.required or schema.properties or schema.prefix_items
        or schema.pattern_properties or schema.others or schema.format
        or schema.items is not None or schema.additional_properties is not None
    )  # fmt: skip
    return sources[0] if len(sources) == 1 and not has_rules else ()


def constraint_or(schema: Schema, keyword: str, otherwise: int) -> int:
    """Return the value of a numeric constraint, or another number if the schema has none."""
    value = constraint_value(schema, keyword)
    return int(value) if value is not None else otherwise


_KEYWORDS_BY_TYPE = {
    kind: {row.name for row in CONSTRAINTS.values() if row.applies_to == kind}
    for kind in ("object", "array", "number", "string")
}
"""The type that a schema without one means, by the constraints that only concern that type."""


def main_types(schema: Schema) -> tuple[str, ...]:
    """Return the types of a schema, or the one that its keywords mean; `any` if they mean none."""
    if schema.types:
        return schema.types
    if schema.properties or schema.required or schema.additional_properties is not None:
        return ("object",)
    if schema.items is not None or schema.prefix_items:
        return ("array",)
    keywords = {constraint.keyword for constraint in schema.constraints}
    implied = next((kind for kind, names in _KEYWORDS_BY_TYPE.items() if keywords & names), "")
    return (implied or ("string" if schema.format or schema.content else "any"),)


def is_empty_choice(api: Api, schema: Schema) -> bool:
    """Say whether a branch allows nothing but the empty text or null, which is how a value is taken away."""
    target = api.resolve(schema)
    values = (target.const,) if target.const is not ABSENT else target.enum
    is_empty_text = constraint_value(target, "maxLength") == 0
    return (
        is_empty_text
        or target.types == ("null",)
        or (bool(values) and all(value in ("", None) for value in values))
    )


def gives_example(api: Api, schema: Schema, nesting: int = 0) -> bool:
    """Say whether the author of a schema gave an example for it, or for a part of it."""
    target = api.resolve(schema)
    if schema.examples or target.examples:
        return True
    if nesting >= _MAX_NESTING:
        return False
    parts = (
        *target.all_of,
        *(property_.schema for property_ in target.properties),
        *filter(None, (target.items,)),
    )
    return any(gives_example(api, part, nesting + 1) for part in parts)
