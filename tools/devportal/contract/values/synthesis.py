"""An example value for a schema that has none: deterministic, short, and valid if possible."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from devportal.contract.keyword_columns import Sampling
from devportal.contract.keywords import CONSTRAINTS, KEYWORDS, names_of
from devportal.contract.model import Api
from devportal.contract.read.references import has_no_keywords
from devportal.contract.regex import matches_pattern, sample_for_pattern
from devportal.contract.schemas import ABSENT, Discriminator, Location, Property, Schema
from devportal.contract.validate.example_values import carried_value
from devportal.contract.validate.json_schema import Direction, is_hidden
from devportal.contract.validate.schema_rules import constraint_value, number_within_bounds
from devportal.contract.validate.validator import Validator
from devportal.contract.values.conjunction import MAX_REFERENCE_CHAIN, CombinedSchema, combine_schemas
from devportal.contract.values.hints import DiscriminatorValue, discriminator_value, text_for_property_name

MAX_DEPTH = 6
"""The deepest nesting of objects and arrays; required parts below it cannot be generated."""
MAX_ITEMS = 100
"""The most items, or undeclared members, that are generated if a schema requires more."""
MAX_VALUES = 2_000
"""Values that an example is made of at most, those of its parts and members counted."""
MAX_STEPS = MAX_REFERENCE_CHAIN + 20
"""The most nested schemas for one value: the longest chain of references, with some objects around it.

Each takes five calls, and Python allows a thousand.
"""
MAX_LENGTH = 4_000
"""Code points of the longest text; one that has to be longer cannot be made."""
MAX_OPTIONAL_PROPERTIES = {Direction.REQUEST: (6, 3, 1), Direction.RESPONSE: (12, 6, 3)}
"""Optional properties shown in a synthesised object, by nesting depth; the required ones are always there.

A request example is there to be sent: with all optional properties, readers would miss the required ones.
"""

DEFAULT_TEXT = "string"
"""The text if neither the schema nor its name says more."""
_SHARES = 8
"""Into how many parts the values that are left are cut, one of them for the next optional property."""

EXAMPLES_BY_FORMAT: dict[str, Any] = {
    "date-time": "2026-01-31T12:00:00Z",
    "date": "2026-01-31",
    "time": "12:00:00Z",
    "duration": "PT1H",
    "email": "name@example.com",
    "idn-email": "name@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uri-reference": "/path",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "byte": "aGVsbG8=",
    "binary": "…",
    "password": "********",
    "json-pointer": "/a",
    "regex": "^a$",
}


class _NoExample(Exception):
    """Raised if there is no value, or only an infinite one; the parent then goes without it."""


def synthesise(api: Api, schema: Schema, direction: Direction) -> Any:
    """Return an example value for a schema, from its own examples and defaults if it has some; ABSENT if
    there is no value, or none that satisfies its conditions.

    Other rules may exclude each other, such as parts that allow no further properties: then the example shows
    what was meant.
    """
    first = _try_choice(api, schema, direction, _DEFAULT_CHOICE)
    if first is None or not first.has_conditions:
        return first.value if first is not None else ABSENT
    validator = Validator(api)
    for choice in _CONDITION_CHOICES:
        candidate = first if choice == _DEFAULT_CHOICE else _try_choice(api, schema, direction, choice)
        if candidate is not None and validator.is_valid(schema, candidate.value, direction):
            return candidate.value
    broken_keywords = {
        word for one in validator.violations(schema, first.value, direction) for word in one.path
    }
    return ABSENT if broken_keywords & _CONDITIONAL else first.value


def synthesise_smallest(api: Api, schema: Schema, direction: Direction) -> Any:
    """Return a value with nothing but what a schema requires, ABSENT if there is none. It may break
    conditions, and rules that exclude each other.
    """
    candidate = _try_choice(api, schema, direction, _SMALLEST_CHOICE)
    return candidate.value if candidate is not None else ABSENT


class _ConditionChoice(NamedTuple):
    """A choice of conditions: which `if` applies, by number (none if negative), and whether optional
    properties are included. `dependentSchemas` apply if `is_settled`.
    """

    is_settled: bool
    applied_if: int
    is_full: bool


_DEFAULT_CHOICE = _ConditionChoice(is_settled=False, applied_if=-1, is_full=True)
_SMALLEST_CHOICE = _ConditionChoice(is_settled=False, applied_if=-1, is_full=False)
_CONDITION_CHOICES = (
    _DEFAULT_CHOICE,
    *(
        _ConditionChoice(is_settled=True, applied_if=one, is_full=full)
        for full in (True, False)
        for one in range(-1, 4)
    ),
    _SMALLEST_CHOICE,
)
_CONDITIONAL = frozenset(names_of(row for row in KEYWORDS if row.sampling is Sampling.TRIED))
_CONDITIONS = ("if", "dependentSchemas")
"""The keywords whose schemas hold for some values only; those of a `dependentSchemas` are named after it."""


class _Candidate(NamedTuple):
    """A value, and whether it might break what no rule here knows of."""

    value: Any
    has_conditions: bool


def _try_choice(
    api: Api, schema: Schema, direction: Direction, choice: _ConditionChoice
) -> _Candidate | None:
    for is_exact in (True, False):
        builder = _ExampleBuilder(api, direction, choice, is_exact=is_exact)
        try:
            return _Candidate(builder.value(schema, 0, ()), builder.has_conditions)
        except _NoExample:
            continue
    return None


class _ExampleBuilder:
    """One example in the making. One that `is_exact` has no list shorter than its schema asks for."""

    def __init__(self, api: Api, direction: Direction, choice: _ConditionChoice, *, is_exact: bool) -> None:
        self._api = api
        self._direction = direction
        self._choice = choice
        self._is_exact = is_exact
        self._values_left = MAX_VALUES
        self._circles = 0
        self._cache: dict[tuple[int, int], tuple[Schema, Any]] = {}
        self.has_conditions = False

    def value(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Any:
        declared = self._declared_value(schema)
        seen: set[Location] = set()
        while (
            declared is ABSENT
            and schema.ref is not None
            and schema.ref not in seen
            and has_no_keywords(schema)
        ):
            target = self._api.schemas.get(schema.ref)
            if target is None:
                break
            seen.add(schema.ref)
            schema, declared = target, self._declared_value(target)
        if schema.verdict is False or (schema.broken and declared is ABSENT):
            raise _NoExample
        self._values_left -= 1
        if declared is not ABSENT:
            return declared
        cached = self._cache.get((id(schema), depth))
        if cached is not None:
            self._values_left -= _count_values(cached[1])
            if self._values_left >= 0:
                return cached[1]
        self._circles += id(schema) in trail
        if id(schema) in trail or depth > MAX_DEPTH or len(trail) > MAX_STEPS or self._values_left < 0:
            if schema.nullable:
                return None
            raise _NoExample
        return self._cached_value(schema, depth, (*trail, id(schema)))

    def _declared_value(self, schema: Schema) -> Any:
        """Return the value that the schema itself gives, as it travels in this direction."""
        declared = _declared_value(schema)
        if isinstance(declared, (dict, list, str)) and schema.examples:
            return carried_value(self._api, schema, declared, self._direction).value
        return declared

    def _cached_value(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Any:
        """Return a new value; one that depends on nothing but schema and depth is kept for the next time."""
        circles = self._circles
        try:
            value = self._build_value(schema, depth, trail)
        except _NoExample:
            if schema.nullable:
                return None
            raise
        if circles == self._circles:
            self._cache[id(schema), depth] = schema, value  # the schema is kept, so that its id stays its own
        return value

    def _build_value(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Any:
        """Return a value of all that a schema is made of."""
        if schema.negated is not None or schema.others:
            self._has_settled_conditions(schema)
        branches = _sole_branches(self._api, schema)
        if branches and schema.discriminator is not None and schema.ref is None and not schema.all_of:
            return self._choose_branches(
                (), branches, schema.discriminator, frozenset({id(branches)}), depth, trail
            )
        selector = self._api.marks.get(schema.location)
        discriminator_schema = self._discriminator_schema(schema, selector) if selector is not None else None
        if discriminator_schema is not None:
            return self._value_of_all((schema, discriminator_schema), frozenset(), depth, trail)
        if branches:
            return self._first_possible_branch(branches, depth, trail)
        if schema.ref is None and not (
            schema.all_of or schema.one_of or schema.any_of or self._has_settled_conditions(schema)
        ):
            return self._by_type(schema, depth, trail)
        return self._value_of_all((schema,), frozenset(), depth, trail)

    def _first_possible_branch(self, branches: Sequence[Schema], depth: int, trail: tuple[int, ...]) -> Any:
        for branch in branches:
            try:
                return self.value(branch, depth, trail)
            except _NoExample:
                continue
        raise _NoExample

    def _value_of_all(
        self, schemas: tuple[Schema, ...], chosen: frozenset[int], depth: int, trail: tuple[int, ...]
    ) -> Any:
        """Return a value for all of the schemas, with the first possible branch of each union."""
        self._values_left -= 1
        if self._values_left < 0 or len(trail) + len(chosen) > MAX_STEPS:
            raise _NoExample
        combined = combine_schemas(self._api, schemas, chosen)
        part_ids = {id(part) for part in combined.parts}
        applying = tuple(one for one in self._applying_conditions(combined.parts) if id(one) not in part_ids)
        if applying:
            return self._value_of_all((*schemas, *applying), chosen, depth, trail)
        if combined.schema.verdict is False:
            raise _NoExample
        for union in combined.unions[:1]:
            discriminator = _discriminator_of(combined.parts, union)
            return self._choose_branches(
                schemas,
                # a branch that extends what holds the union is one already
                sorted(union, key=lambda one: id(self._api.resolve(one)) not in part_ids),
                discriminator, chosen | {id(union)}, depth, trail,
            )  # fmt: skip
        return self._of_parts(combined, depth, trail)

    def _has_settled_conditions(self, schema: Schema) -> bool:
        """Return whether a schema has conditions that this choice settles; note if it has any."""
        has_some = any(name.startswith(_CONDITIONS) for name, _ in schema.others)
        if has_some or schema.negated is not None:
            self.has_conditions = True
        return has_some and self._choice.is_settled

    def _applying_conditions(self, parts: Sequence[Schema]) -> Iterator[Schema]:
        """Yield the applying conditions of the parts of a schema."""
        number = 0
        for part in parts:
            if not self._has_settled_conditions(part):
                continue
            branches = dict(part.others)
            yield from (one for name, one in part.others if name.startswith("dependentSchemas"))
            if "if" in branches:
                names = ("if", "then") if number == self._choice.applied_if else ("else",)
                yield from (branches[name] for name in names if name in branches)
                number += 1

    def _choose_branches(
        self,
        schemas: tuple[Schema, ...],
        union: Sequence[Schema],
        discriminator: Discriminator | None,
        chosen: frozenset[int],
        depth: int,
        trail: tuple[int, ...],
    ) -> Any:
        """Return a value of schemas with the first possible branch of their union, and the property that
        selects it.

        `schemas` are those that contain the union, if they have other rules.
        """
        for branch in union:
            selector = (
                discriminator_value(discriminator, branch.ref)
                if discriminator and branch.ref is not None
                else None
            )
            discriminator_schema = (
                self._discriminator_schema(branch, selector) if selector is not None else None
            )
            parts = (
                (branch, discriminator_schema, *schemas)
                if discriminator_schema is not None
                else (branch, *schemas)
            )
            is_branch_alone = not schemas and (
                discriminator_schema is None or _declared_value(self._api.resolve(branch)) is not ABSENT
            )
            try:
                if is_branch_alone:
                    return self.value(branch, depth, trail)
                return self._value_of_all(parts, chosen, depth, trail)
            except _NoExample:
                continue
        raise _NoExample

    def _discriminator_schema(self, schema: Schema, selector: DiscriminatorValue) -> Schema | None:
        """Return a schema that requires the discriminator value of another schema; None if that one excludes
        it.
        """
        combined = combine_schemas(self._api, (schema,))
        declared = next((one.schema for one in combined.schema.properties if one.name == selector.name), None)
        if declared is None and (combined.unions or combined.schema.additional_properties is not None):
            return None
        rule = Schema(location=schema.location, const=selector.value)
        if declared is not None and not _allows_text(
            combine_schemas(self._api, (declared,)).schema, selector.value
        ):
            return None
        one = Property(name=selector.name, schema=rule, required=True)
        return Schema(location=schema.location, properties=(one,), required=(selector.name,))

    def _of_parts(self, combined: CombinedSchema, depth: int, trail: tuple[int, ...]) -> Any:
        """Return a value of parts; values that they give themselves come first."""
        if combined.schema.const is not ABSENT:
            return combined.schema.const
        declared_values = [
            value for part in combined.parts if (value := self._declared_value(part)) is not ABSENT
        ]
        members = {
            name: value for one in declared_values if isinstance(one, dict) for name, value in one.items()
        }
        if declared_values and not members:
            allowed = (
                value
                for value in declared_values
                if not combined.schema.enum or value in combined.schema.enum
            )
            return next(allowed, declared_values[0])
        declared = _declared_value(combined.schema)
        if declared is not ABSENT:
            return declared
        built = self._by_type(combined.schema, depth, trail)
        if not isinstance(built, dict):
            return built
        hidden = {
            one.name
            for one in combined.schema.properties
            if one.schema.verdict is False or is_hidden(self._api, one, self._direction)
        }
        return {name: value for name, value in (built | members).items() if name not in hidden}

    def _by_type(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Any:
        match _main_type(schema):
            case "object":
                return self._object(schema, depth, trail)
            case "array":
                return self._array(schema, depth, trail)
            case kind:
                return _SCALAR_EXAMPLES[kind](schema)

    def _object(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> dict[str, Any]:
        members: dict[str, Any] = {}
        shown = [one for one in schema.properties if self._is_shown(one)]
        optional = MAX_OPTIONAL_PROPERTIES[self._direction]
        most = optional[depth] if depth < len(optional) else 0
        most = most if self._choice.is_full else 0
        spare = min(most, _constraint_or(schema, "maxProperties", MAX_VALUES) - len(schema.required))
        for one in sorted(shown, key=lambda one: not one.required):
            if not one.required and (spare <= 0 or self._api.resolve(one.schema).deprecated):
                continue
            try:
                members[one.name] = self._value_by_name(schema, one, self._member(one, depth, trail))
            except _NoExample:
                if one.required:
                    raise
            else:
                spare -= not one.required
        members = {one.name: members[one.name] for one in shown if one.name in members}
        return members | self._undeclared_members(schema, members, depth, trail)

    def _is_shown(self, one: Property) -> bool:
        """Say whether a property travels, and the contract says anything of its value."""
        if self._api.resolve(one.schema).broken and _declared_value(one.schema) is ABSENT:
            return False
        return not is_hidden(self._api, one, self._direction)

    def _value_by_name(self, holder: Schema, one: Property, value: Any) -> Any:
        """Return the value of a property, or a better text for its name if that is allowed.

        If the parent has other rules that may concern the property, the value stays.
        """
        if value != DEFAULT_TEXT or holder.pattern_properties or holder.others or holder.negated:
            return value
        text = text_for_property_name(one.name)
        return text if text and is_unconstrained_text(self._api.resolve(one.schema), text) else value

    def _member(self, one: Property, depth: int, trail: tuple[int, ...]) -> Any:
        """Return the value of a property; an optional one may only use its share of the remaining values."""
        if one.required:
            return self.value(one.schema, depth + 1, trail)
        reserved = self._values_left - self._values_left // _SHARES
        self._values_left -= reserved
        try:
            return self.value(one.schema, depth + 1, trail)
        finally:
            self._values_left += reserved

    def _undeclared_members(
        self, schema: Schema, members: dict[str, Any], depth: int, trail: tuple[int, ...]
    ) -> dict[str, Any]:
        """Return members without a property: those that are required, and as many as `minProperties` asks."""
        declared = {one.name for one in schema.properties}
        names = [name for name in schema.required if name not in declared]
        names += [
            name
            for name in _dependent_required(schema, {*members, *names})
            if name not in members and name not in names
        ]
        free = schema.additional_properties
        least = _constraint_or(schema, "minProperties", 0)
        if free is not None and free.verdict is not False and not members and not names:
            least = max(least, min(1, _constraint_or(schema, "maxProperties", 1)))
        names += _additional_names(schema, max(0, least - len(members) - len(names)))
        try:
            return {name: self._free_member(schema, name, depth, trail) for name in names}
        except _NoExample:
            if schema.required or constraint_value(schema, "minProperties"):
                raise
            return {}

    def _free_member(self, schema: Schema, name: str, depth: int, trail: tuple[int, ...]) -> Any:
        """Return the value of a member by its name: of a property, of a pattern, or of any."""
        declared = next((one.schema for one in schema.properties if one.name == name), None)
        by_pattern = (one.schema for one in schema.pattern_properties if matches_pattern(one.name, name))
        member = declared or next(by_pattern, schema.additional_properties)
        return self.value(member, depth + 1, trail) if member is not None else "string"

    def _array(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> list[Any]:
        least, most = _constraint_or(schema, "minItems", 0), _constraint_or(schema, "maxItems", MAX_ITEMS)
        items = [self.value(one, depth + 1, trail) for one in schema.prefix_items][:most]
        items += self._contained_items(schema, depth, trail)
        missing = min(max(least, 1), most, MAX_ITEMS) - len(items)
        if missing <= 0 or (schema.items is None and items and least <= len(items)):
            return items
        try:
            return items + self._items(schema, missing, least - len(items), depth, trail)
        except _NoExample:
            if least > len(items):
                raise
            return items

    def _contained_items(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> list[Any]:
        """Return the items that `contains` asks for, which are items like others too."""
        contained = dict(schema.others).get("contains")
        if contained is None:
            return []
        item_schema = (
            contained
            if schema.items is None
            else replace(contained, all_of=(schema.items, *contained.all_of))
        )
        count = min(_constraint_or(schema, "minContains", 1), MAX_ITEMS)
        return [self.value(item_schema, depth + 1, trail)] * count

    def _items(self, schema: Schema, count: int, least: int, depth: int, trail: tuple[int, ...]) -> list[Any]:
        """Return as many items as are wanted, or as there are values left for."""
        items = schema.items
        item = self.value(items, depth + 1, trail) if items is not None else "string"
        if constraint_value(schema, "uniqueItems"):
            return _distinct_items(item, self._api.resolve(items).enum if items else (), count)
        size = _count_values(item)
        count = max(1, min(count, 1 + self._values_left // size))
        if self._is_exact and count < min(least, MAX_ITEMS):
            raise _NoExample
        self._values_left -= size * (count - 1)
        return [item] * count


def _dependent_required(schema: Schema, names: set[str]) -> list[str]:
    """Return the names that `dependentRequired` requires beside these members, over any number of steps."""
    rules: dict[str, list[str]] = next(
        (one.value for one in schema.constraints if one.keyword == "dependentRequired"), {}
    )
    required: list[str] = []
    pending = list(names & rules.keys())
    while pending:
        new = [name for name in rules.get(pending.pop(), ()) if name not in names]
        names.update(new)
        required += new
        pending += new
    return required


def _additional_names(schema: Schema, count: int) -> list[str]:
    """Return names for members that may be called anything, or what `propertyNames` or a pattern says."""
    if not count:
        return []
    name_schema = dict(schema.others).get("propertyNames")
    patterns = (
        [one.value for one in name_schema.constraints if one.keyword == "pattern"] if name_schema else []
    )
    free = schema.additional_properties
    if not patterns and free is not None and free.verdict is False:
        patterns = [one.name for one in schema.pattern_properties if one.schema.verdict is not False]
    plain = ["key", *(f"key{number}" for number in range(2, MAX_ITEMS))]
    if all(matches_pattern(pattern, name) for pattern in patterns for name in plain[:2]):
        return plain[:count]
    samples = (sample_for_pattern(patterns[0], at_least=length) for length in range(MAX_ITEMS))
    return list(dict.fromkeys(filter(None, samples)))[:count]


def _count_values(value: Any) -> int:
    """Return of how many values one is made."""
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_count_values, members))


def _distinct_items(item: Any, enum: tuple[Any, ...], count: int) -> list[Any]:
    """Return distinct values like the first; fewer if the schema does not show what else is allowed."""
    if enum:
        return [item, *(value for value in enum if value != item)][:count]
    if isinstance(item, bool):
        return [item, not item][:count]
    if isinstance(item, (int, float)):
        return [item + number for number in range(count)]
    if isinstance(item, str):
        return [item, *(f"{item}{number}" for number in range(2, count + 1))][:count]
    return [item]


def _sole_branches(api: Api, schema: Schema) -> Sequence[Schema]:
    """Return the branches that a schema is nothing but a choice of; none if it has rules of its own."""
    target = api.schemas.get(schema.ref) if schema.ref is not None else None
    sources = [
        *([(target,)] if target is not None else []),
        *((one,) for one in schema.all_of),
        *(union for union in (schema.one_of, schema.any_of) if union),
    ]
    has_rules = bool(
        schema.types or schema.constraints or schema.required or schema.properties or schema.prefix_items
        or schema.pattern_properties or schema.others or schema.format
        or schema.items is not None or schema.additional_properties is not None
    )  # fmt: skip
    return sources[0] if len(sources) == 1 and not has_rules else ()


def _discriminator_of(parts: Sequence[Schema], union: Sequence[Schema]) -> Discriminator | None:
    """Return the discriminator of a union in one of the parts."""
    return next((one.discriminator for one in parts if union is one.one_of or union is one.any_of), None)


def _allows_text(schema: Schema, text: str) -> bool:
    """Return whether a schema allows a text, ignoring other schemas of the value."""
    if schema.const is not ABSENT or (schema.enum and text not in schema.enum):
        return False
    patterns = (str(one.value) for one in schema.constraints if one.keyword == "pattern")
    return schema.types in ((), ("string",)) and all(matches_pattern(pattern, text) for pattern in patterns)


def _constraint_or(schema: Schema, keyword: str, otherwise: int) -> int:
    value = constraint_value(schema, keyword)
    return int(value) if value is not None else otherwise


def _declared_value(schema: Schema) -> Any:
    """Return the value that the schema itself gives, if any."""
    if schema.const is not ABSENT:
        return schema.const
    if schema.examples:
        return schema.examples[0]
    if (
        schema.default is not ABSENT
        and schema.default is not None
        and (not schema.enum or schema.default in schema.enum)
    ):
        return schema.default
    if schema.enum:
        return next((value for value in schema.enum if value is not None), None)
    return ABSENT


_KEYWORDS_BY_TYPE = {
    kind: {row.name for row in CONSTRAINTS.values() if row.applies_to == kind}
    for kind in ("object", "array", "number", "string")
}
"""The type that a schema without one means, by the constraints that only concern that type."""


def _main_type(schema: Schema) -> str:
    if schema.types:
        return schema.types[0]
    if schema.properties or schema.required or schema.additional_properties is not None:
        return "object"
    if schema.items is not None or schema.prefix_items:
        return "array"
    keywords = {constraint.keyword for constraint in schema.constraints}
    implied = next(
        (kind for kind, type_keywords in _KEYWORDS_BY_TYPE.items() if keywords & type_keywords), ""
    )
    return implied or ("string" if schema.format else "any")


def _example_string(schema: Schema) -> str:
    pattern = next((str(one.value) for one in schema.constraints if one.keyword == "pattern"), "")
    shortest, longest = (
        min(_constraint_or(schema, "minLength", 0), MAX_LENGTH),
        constraint_value(schema, "maxLength"),
    )
    text: str = EXAMPLES_BY_FORMAT.get(schema.format, DEFAULT_TEXT)
    is_fitting = shortest <= len(text) and (longest is None or len(text) <= longest)
    if pattern and not (is_fitting and matches_pattern(pattern, text)):
        return (
            sample_for_pattern(pattern, at_least=shortest)
            or _pad_sample(sample_for_pattern(pattern), pattern, shortest)
            or text
        )
    if len(text) < shortest:
        return (text * (shortest // len(text) + 1))[:shortest]
    return text if longest is None else text[: int(longest)]


def is_unconstrained_text(schema: Schema, text: str) -> bool:
    """Say whether a schema without references says no more of its value than that it is a text as long."""
    parts = (schema.all_of, schema.one_of, schema.any_of, schema.others, schema.content)
    if schema.types[:1] != ("string",) or any(parts) or schema.negated or schema.format:
        return False
    if _declared_value(schema) is not ABSENT or any(one.keyword == "pattern" for one in schema.constraints):
        return False
    shortest, longest = _constraint_or(schema, "minLength", 0), constraint_value(schema, "maxLength")
    return shortest <= len(text) and (longest is None or len(text) <= longest)


def _pad_sample(text: str, pattern: str, shortest: int) -> str:
    """Return a sample padded to a length, if its pattern allows that; empty if not."""
    longer = text.ljust(shortest, "a")
    return longer if text and matches_pattern(pattern, longer) else ""


_SCALAR_EXAMPLES: dict[str, Callable[[Schema], Any]] = {
    "string": _example_string,
    "integer": lambda schema: number_within_bounds(schema, is_whole=True),
    "number": lambda schema: number_within_bounds(schema, is_whole=False),
    "boolean": lambda _: True,
    "any": lambda schema: None if schema.nullable else {},
}
