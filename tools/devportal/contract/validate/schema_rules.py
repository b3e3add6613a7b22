"""Rules between the keywords of a schema, and a number within bounds, in exact arithmetic."""

import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from devportal.contract.keywords import CONSTRAINTS
from devportal.contract.load import Contract
from devportal.contract.model import Api
from devportal.contract.operation_names import every_schema
from devportal.contract.regex import matches_pattern
from devportal.contract.schemas import ABSENT, Location, Schema
from devportal.contract.validate.plain_validity import TYPES_OF_VALUES
from devportal.contract.wording import quote_value
from devportal.findings import Finding, Level
from devportal.suggestions import closest_name

_BOUND_PAIRS = tuple((row.name, upper) for row in CONSTRAINTS.values() for upper in row.upper)
"""The keywords of which the first has to be below the second, or at it where neither is exclusive."""
_MAX_LISTED_NAMES = 5
"""How many names a message lists."""

_SchemaProblem = tuple[Location, str, str, str]
"""Place, rule, message and advice."""


def check_schemas(contract: Contract) -> Iterator[Finding]:
    """Yield keywords that no value can satisfy, or that cannot be meant like that, at their place."""
    schemas = tuple(every_schema(contract.api))
    for schema in schemas:
        for check in (
            _crossed_bounds,
            _repeated_values,
            _null_outside_types,
            _values_outside_types,
            _unlisted_beta_values,
            _forbidden_required_names,
            _misspelt_required_names,
        ):
            for location, rule, message, advice in check(schema):
                yield Finding(
                    rule=rule,
                    level=Level.WARNING,
                    place=contract.place(location),
                    message=message,
                    help=advice,
                )
    yield from _unshown_state_machines(contract, schemas)
    yield from _idle_nullables(contract, schemas)
    for location, message in _circular_all_of(contract.api):
        yield Finding(
            rule="contract-endless",
            level=Level.ERROR,
            place=contract.place(location),
            message=message,
            help="leave one of them out of the 'allOf'",
        )


def _unshown_state_machines(contract: Contract, schemas: Iterable[Schema]) -> Iterator[Finding]:
    """Yield the state machines of inline schemas: only the pages of shared schemas show them."""
    for schema in schemas:
        if schema.state_machine is not None and schema.location not in contract.api.schemas:
            yield Finding(
                rule="contract-state-machine",
                level=Level.WARNING,
                place=contract.place(schema.location.child("x-state-machine")),
                message="this state machine is in a schema without a page, so it is not shown",
                help="move the schema to 'components.schemas', and refer to it",
            )


def _idle_nullables(contract: Contract, schemas: Iterable[Schema]) -> Iterator[Finding]:
    """Yield each `nullable` of OAS 3.0 that does not allow null, since no `type` is beside it."""
    for schema in schemas:
        is_written = schema.nullable and schema.has_idle_nullable and not schema.types
        if is_written and (schema.all_of or schema.one_of or schema.any_of or schema.enum):
            yield Finding(
                rule="contract-nullable",
                level=Level.NOTE,
                place=contract.place(schema.location.child("nullable")),
                message="this 'nullable' does not allow null: there is no 'type' beside it (OAS 3.0.3 "
                "§4.7.24.1)",
                help="write the 'type' beside it, or remove it; in OAS 3.1 a branch 'type: \"null\"' allows null",
            )


def _circular_all_of(api: Api) -> Iterator[tuple[Location, str]]:
    """Yield where schemas begin that are made of themselves by `allOf`: no validator comes to an end with
    those (JSON Schema 2020-12 §9.4.1).
    """
    seen: set[Location] = set()
    for root in api.schemas.values():
        open_ones: list[tuple[Schema, Iterator[Schema]]] = [(root, _all_of_parts(api, root))]
        around = {root.location}
        while open_ones and (len(open_ones) > 1 or root.location not in seen):
            schema, below = open_ones[-1]
            part = next(below, None)
            if part is None:
                open_ones.pop()
                around.discard(schema.location)
                seen.add(schema.location)
            elif part.location in around:
                chain = [schema for schema, _ in open_ones]
                chain = chain[[schema.location for schema in chain].index(part.location) :]
                yield [*chain, part][1].location, _circle_message([*chain, part])
            elif part.location not in seen:
                open_ones.append((part, _all_of_parts(api, part)))
                around.add(part.location)


def _all_of_parts(api: Api, schema: Schema) -> Iterator[Schema]:
    target = api.schemas.get(schema.ref) if schema.ref is not None else None
    yield from (*([target] if target is not None else ()), *schema.all_of)


def _circle_message(chain: list[Schema]) -> str:
    names = [quote_value(schema.name) for schema in chain if schema.name]
    return f"this schema is made of itself: {' → '.join(names)}" if names else "this schema is made of itself"


def _crossed_bounds(schema: Schema) -> Iterator[_SchemaProblem]:
    if len(schema.constraints) < 2:
        return
    bounds = {constraint.keyword: constraint.value for constraint in schema.constraints}
    for lower, upper in _BOUND_PAIRS:
        if lower not in bounds or upper not in bounds:
            continue
        low, high = bounds[lower], bounds[upper]
        is_exclusive = lower.startswith("exclusive") or upper.startswith("exclusive")
        if low > high or (low == high and is_exclusive):
            yield (
                schema.location.child(lower),
                "contract-bounds",
                f"no value fits between {lower!r} {low} and {upper!r} {high}",
                "fix one of the two",
            )


def _repeated_values(schema: Schema) -> Iterator[_SchemaProblem]:
    seen: set[Hashable] = set()
    for number, value in enumerate(schema.enum):
        key = _equality_key(value)
        if key in seen:
            yield (
                schema.location.child("enum", number),
                "contract-enum",
                f"this enum holds {quote_value(value)} more than once",
                "remove the further ones",
            )
        seen.add(key)


def _null_outside_types(schema: Schema) -> Iterator[_SchemaProblem]:
    """Yield a null in an `enum` that no type beside it allows."""
    if not schema.types or schema.nullable:
        return
    for number, value in enumerate(schema.enum):
        if value is None:
            yield (
                schema.location.child("enum", number),
                "contract-enum",
                f"this enum lists null, but {_types_of(schema)} does not allow it",
                "allow null: 'nullable: true' in OAS 3.0, \"null\" among the types in OAS 3.1; or remove the value",
            )


def _values_outside_types(schema: Schema) -> Iterator[_SchemaProblem]:
    """Yield the first value of an `enum`, and a `const`, that no type beside it allows, such as 12 among texts."""
    if not schema.types:
        return
    values = [(number, value) for number, value in enumerate(schema.enum) if not _fits_types(value, schema)]
    if values:
        (number, first), others = values[0], len(values) - 1
        listed = f"{quote_value(first)} and {others} more" if others else quote_value(first)
        yield (
            schema.location.child("enum", number),
            "contract-enum",
            f"this enum lists {listed}, but {_types_of(schema)} does not allow {'them' if others else 'it'}",
            _advice_outside_types(first, schema),
        )
    if schema.const is not ABSENT and not _fits_types(schema.const, schema):
        yield (
            schema.location.child("const"),
            "contract-enum",
            f"this const is {quote_value(schema.const)}, but {_types_of(schema)} does not allow it",
            _advice_outside_types(schema.const, schema),
        )


def _fits_types(value: Any, schema: Schema) -> bool:
    """Say whether a type of a schema allows a value; null is not asked about. 1.0 is an integer (2020-12 §4.2.3)."""
    if value is None:
        return True
    whole = ("integer",) if isinstance(value, float) and value.is_integer() else ()
    return not {*TYPES_OF_VALUES[type(value)], *whole}.isdisjoint(schema.types)


def _types_of(schema: Schema) -> str:
    return f"the 'type' {' or '.join(schema.types)}"


def _advice_outside_types(value: Any, schema: Schema) -> str:
    if "string" in schema.types and isinstance(value, (bool, int, float)):
        return "put it in quotes, so that it is text, or allow its type"
    if isinstance(value, str) and not {"integer", "number", "boolean"}.isdisjoint(schema.types):
        return "remove the quotes, or allow text"
    if "array" in schema.types and not isinstance(value, list):
        return "move it into 'items', if it is about the items"
    return "remove it, or allow its type"


def _unlisted_beta_values(schema: Schema) -> Iterator[_SchemaProblem]:
    """Yield the values marked as beta that the schema does not list: their badge would not appear."""
    listed = {_equality_key(value) for value in schema.enum}
    listed |= {_equality_key(schema.const)} if schema.const is not ABSENT else set()
    for number, value in enumerate(schema.beta_values):
        if _equality_key(value) not in listed:
            yield (
                schema.location.child("x-beta-values", number),
                "contract-stability",
                f"{quote_value(value)} is marked as beta, but this schema lists no such value",
                "list it in the 'enum' of the same schema, or remove it here",
            )


def _equality_key(value: Any) -> Hashable:
    """Return a key that is equal for values that JSON Schema calls equal (2020-12 §4.2.2): 1 and 1.0, not
    true.
    """
    match value:
        case bool():
            return bool, value
        case dict():
            return dict, frozenset((name, _equality_key(member)) for name, member in value.items())
        case list():
            return list, tuple(map(_equality_key, value))
    key: Hashable = value
    return key


def _forbidden_required_names(schema: Schema) -> Iterator[_SchemaProblem]:
    """Yield the required properties that `additionalProperties: false` forbids. It ignores other schemas, so
    properties declared beside a `$ref` or in an `allOf` do not count.
    """
    additional = schema.additional_properties
    if additional is None or additional.verdict is not False:
        return
    patterns = [pattern_property.name for pattern_property in schema.pattern_properties]
    names = [
        name
        for name in _undeclared_required(schema)
        if not any(matches_pattern(pattern, name) for pattern in patterns)
    ]
    if names:
        yield (
            schema.location.child("required"),
            "contract-required",
            f"{_quote_names(names)} required, but 'additionalProperties' lets no property be called so",
            "declare it under 'properties' of the same schema, or do not require it",
        )


def _misspelt_required_names(schema: Schema) -> Iterator[_SchemaProblem]:
    """Yield the required names that are nearly, but not quite, those of properties."""
    additional = schema.additional_properties
    is_closed = additional is not None and additional.verdict is False
    if (
        not schema.required
        or is_closed
        or schema.ref is not None
        or schema.all_of
        or schema.one_of
        or schema.any_of
    ):
        return
    optional = [property_.name for property_ in schema.properties if not property_.required]
    for name in _undeclared_required(schema):
        if meant := closest_name(name, optional, likeness=0.8):
            yield (
                schema.location.child("required"),
                "contract-required",
                f"{quote_value(name)} is required, but is not a property of this schema",
                f"did you mean {meant!r}?",
            )


def _undeclared_required(schema: Schema) -> Iterator[str]:
    declared = {property_.name for property_ in schema.properties}
    return (name for name in schema.required if name not in declared)


def _quote_names(names: list[str]) -> str:
    shown = ", ".join(map(quote_value, names[:_MAX_LISTED_NAMES]))
    more = f" and {len(names) - _MAX_LISTED_NAMES} more" if len(names) > _MAX_LISTED_NAMES else ""
    return f"{shown}{more} {'is' if len(names) == 1 else 'are'}"


def constraint_value(schema: Schema, keyword: str) -> int | float | None:
    """Return the value of a numeric constraint, None if the schema has none."""
    return next(
        (constraint.value for constraint in schema.constraints if constraint.keyword == keyword), None
    )


def numbers_within_bounds(schema: Schema, *, is_whole: bool, first: float = 1) -> Iterator[int | float]:
    """Yield numbers that the bounds and `multipleOf` allow: the first if they allow it, then numbers near it
    and near the bounds.
    """
    span = _NumberRange.of(schema, is_whole=is_whole)
    for value in filter(span.holds, span.candidates(first)):
        yield int(value) if value.denominator == 1 else float(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class _NumberRange:
    low: Fraction | None
    high: Fraction | None
    above: Fraction | None
    below: Fraction | None
    step: Fraction | None

    @classmethod
    def of(cls, schema: Schema, *, is_whole: bool) -> "_NumberRange":
        multiple = _to_fraction(constraint_value(schema, "multipleOf"))
        if is_whole:
            multiple = Fraction(multiple.numerator if multiple is not None else 1)
        return cls(
            low=_to_fraction(constraint_value(schema, "minimum")),
            high=_to_fraction(constraint_value(schema, "maximum")),
            above=_to_fraction(constraint_value(schema, "exclusiveMinimum")),
            below=_to_fraction(constraint_value(schema, "exclusiveMaximum")),
            step=multiple,
        )

    def holds(self, value: Fraction) -> bool:
        return (
            (self.low is None or value >= self.low)
            and (self.high is None or value <= self.high)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )

    def candidates(self, first: float) -> Iterator[Fraction]:
        """Yield numbers from the nicest on: the first, then what lies at the bounds, next to them, between them."""
        ends = [end for end in (self.low, self.above, self.high, self.below) if end is not None]
        near = self.step or Fraction(1)
        middle = [sum(ends, Fraction(0)) / len(ends)] if ends else []
        for value in (
            Fraction(first),
            *ends,
            *(end + near for end in ends),
            *(end - near for end in ends),
            *middle,
        ):
            if self.step is None:
                yield value
            else:
                yield math.ceil(value / self.step) * self.step
                yield math.floor(value / self.step) * self.step


def _to_fraction(value: float | None) -> Fraction | None:
    return Fraction(repr(value)) if value is not None else None
