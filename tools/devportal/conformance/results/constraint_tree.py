"""The constraints of a schema as a tree that values are compared with, one part for each value within a value."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from devportal.contract import ABSENT, Api, Schema
from devportal.contract.regex import is_supported_pattern, matches_pattern
from devportal.contract.validate.json_schema import Direction, hidden_properties
from devportal.contract.validate.validator import Validator
from devportal.contract.values.conjunction import combine_schemas

DEEPEST = 5
"""How many steps into a value constraints are listed: schemas may contain themselves."""
MOST_PARTS = 150
"""How many parts of one schema are listed."""
MOST_ITEMS = 20
"""How many items of a list are compared."""
LOWER_BOUNDS = {"minimum": 0, "minLength": 1, "minItems": 1, "minProperties": 1}
"""Lower bounds, with the least value that a smaller one can break; numbers have none."""
UPPER_BOUNDS = ("maximum", "maxLength", "maxItems", "maxProperties")
EXCLUSIVE_BOUNDS = ("exclusiveMinimum", "exclusiveMaximum")


@dataclass(frozen=True, slots=True)
class Rule:
    """One constraint: where it applies, its keyword, its value as JSON. Values can obey and break it, unless
    `is_breakable` or `is_obeyable` is false.
    """

    path: str
    keyword: str
    value: str = ""
    is_obeyable: bool = True
    is_breakable: bool = True


@dataclass(frozen=True, slots=True)
class Observation:
    """A value that obeys or breaks a constraint."""

    rule: Rule
    is_obeyed: bool


@dataclass(slots=True, kw_only=True)
class SchemaPart:
    """The constraints of one value: its rules, and the parts of its members, items and union branches."""

    path: str
    schema: Schema
    rules: tuple[Rule, ...] = ()
    members: dict[str, "SchemaPart"] = field(default_factory=dict)
    other_members: "SchemaPart | None" = None
    items: "SchemaPart | None" = None
    branches: tuple[tuple[Rule, Schema, "SchemaPart"], ...] = ()


class ConstraintTree:
    """The constraints of one schema in one direction: of a request, of a response, which can only obey them,
    or of a parameter, whose value is a text that stands for another one.
    """

    def __init__(
        self,
        api: Api,
        validator: Validator,
        schema: Schema,
        direction: Direction,
        *,
        is_parameter: bool = False,
    ) -> None:
        """Take the schema; its parts are listed at once."""
        self._is_parameter = is_parameter
        self._api = api
        self._validator = validator
        self._direction = direction
        self._count = 0
        self.root = self._part(schema, "", DEEPEST)

    def rules(self) -> Iterator[Rule]:
        """Yield all rules, those of a value before those of its parts."""
        yield from _part_rules(self.root)

    def observations(self, value: Any) -> Iterator[Observation]:
        """Yield what a value obeys and breaks."""
        yield from self._observe(self.root, value)

    def _part(self, schema: Schema, path: str, depth: int) -> SchemaPart:
        self._count += 1
        combined = combine_schemas(self._api, [schema])
        meaning = combined.schema
        part = SchemaPart(path=path, schema=meaning)
        hidden = hidden_properties(self._api, schema, self._direction)
        names = dict.fromkeys((*(property_.name for property_ in meaning.properties), *meaning.required))
        rules = (
            *_value_rules(meaning, path),
            *_member_rules(meaning, path, [name for name in names if name not in hidden]),
        )
        part.rules = tuple(rule for rule in rules if self._is_listed(meaning, rule))
        if depth and self._count < MOST_PARTS:
            part.members = {
                property_.name: self._part(property_.schema, f"{path}/{property_.name}", depth - 1)
                for property_ in meaning.properties
                if property_.name not in hidden
            }
            part.items = self._child(meaning.items, f"{path}/*", depth)
            part.other_members = self._child(meaning.additional_properties, f"{path}/*", depth)
            part.branches = tuple(
                (
                    Rule(path, f"branch {number}", _branch_name(self._api, branch), is_breakable=False),
                    branch,
                    self._part(branch, path, depth - 1),
                )
                for union in combined.unions
                for number, branch in enumerate(union, start=1)
            )
        return part

    def _is_listed(self, schema: Schema, rule: Rule) -> bool:
        """Return whether the values of this direction can exercise a rule."""
        if self._direction is Direction.RESPONSE:
            return rule.is_obeyable and rule.keyword in ("enum", "nullable", "property")
        is_any_text = rule.keyword == "type" and "string" in schema.types
        return not self._is_parameter or not (rule.keyword == "nullable" or is_any_text)

    def _child(self, schema: Schema | None, path: str, depth: int) -> SchemaPart | None:
        if schema is None or schema.verdict is not None or self._count >= MOST_PARTS:
            return None
        return self._part(schema, path, depth - 1)

    def _observe(self, part: SchemaPart, value: Any) -> Iterator[Observation]:
        for rule in part.rules:
            is_obeyed = _is_obeyed(part.schema, rule, value)
            if is_obeyed is not None:
                yield Observation(rule, is_obeyed)
        yield from self._observe_branches(part, value)
        if isinstance(value, dict):
            for name, member in value.items():
                below = part.members.get(name, part.other_members)
                if below is not None:
                    yield from self._observe(below, member)
        if isinstance(value, list) and part.items is not None:
            for item in value[:MOST_ITEMS]:
                yield from self._observe(part.items, item)

    def _observe_branches(self, part: SchemaPart, value: Any) -> Iterator[Observation]:
        """Yield what a value obeys of the branches that it fits; of all if it fits none."""
        fitting = [
            branch for branch in part.branches if self._validator.is_valid(branch[1], value, self._direction)
        ]
        yield from (Observation(rule, is_obeyed=True) for rule, _, _ in fitting)
        for _, _, below in fitting or part.branches:
            yield from self._observe(below, value)


def _part_rules(part: SchemaPart) -> Iterator[Rule]:
    yield from part.rules
    for rule, _, _ in part.branches:
        yield rule
    below = [
        *part.members.values(),
        *(schema_part for schema_part in (part.items, part.other_members) if schema_part is not None),
    ]
    for child in (*(schema_part for _, _, schema_part in part.branches), *below):
        yield from _part_rules(child)


def _branch_name(api: Api, branch: Schema) -> str:
    return branch.name or branch.title or "/".join(api.resolve(branch).types)


def _value_rules(schema: Schema, path: str) -> Iterator[Rule]:
    """Yield the rules about a value itself."""
    if schema.types:
        yield Rule(path, "type", "/".join(schema.types))
    if schema.nullable:
        yield Rule(path, "nullable", is_breakable=False)
    values = schema.enum or (() if schema.const is ABSENT else (schema.const,))
    for value in values:
        yield Rule(path, "enum", _as_json(value), is_breakable=False)
    if values:
        yield Rule(path, "enum", "another value", is_obeyable=False)
    for constraint in schema.constraints:
        keyword, value = constraint.keyword, constraint.value
        if keyword in LOWER_BOUNDS:
            floor = LOWER_BOUNDS[keyword]
            yield Rule(path, keyword, _as_json(value), is_breakable=not floor or value >= floor)
        elif keyword in (*UPPER_BOUNDS, *EXCLUSIVE_BOUNDS, "multipleOf"):
            yield Rule(path, keyword, _as_json(value))
        elif keyword == "pattern" and is_supported_pattern(value):
            yield Rule(path, keyword, value)
        elif keyword == "uniqueItems" and value:
            yield Rule(path, keyword)


def _member_rules(schema: Schema, path: str, names: Sequence[str]) -> Iterator[Rule]:
    """Yield the rules about which members an object has; `names` are those that travel in this direction."""
    for name in names:
        yield Rule(
            path,
            "required" if name in schema.required else "property",
            name,
            is_breakable=name in schema.required,
        )
    closed = schema.additional_properties
    if closed is not None and closed.verdict is False and not schema.pattern_properties:
        yield Rule(path, "additionalProperties", is_obeyable=False)


def _is_obeyed(schema: Schema, rule: Rule, value: Any) -> bool | None:
    """Return whether a value obeys a rule, None if it shows nothing about it."""
    match rule.keyword:
        case "type":
            return _has_type(schema, value)
        case "nullable":
            return True if value is None else None
        case "enum":
            return _obeys_enum(schema, rule, value)
        case "required" | "property":
            return _obeys_membership(rule, value)
        case "additionalProperties":
            is_open = isinstance(value, dict) and set(value) - {
                property_.name for property_ in schema.properties
            }
            return False if is_open else None
        case "pattern":
            return matches_pattern(rule.value, value) if isinstance(value, str) else None
        case "uniqueItems":
            if not isinstance(value, list) or len(value) < 2:
                return None
            return len({_as_json(item) for item in value}) == len(value)
        case _:
            return _obeys_bound(schema, rule, value)


def _has_type(schema: Schema, value: Any) -> bool | None:
    if value is None:
        return None if schema.nullable else False
    found = {bool: "boolean", str: "string", list: "array", dict: "object", int: "integer"}.get(
        type(value), "number"
    )
    if found == "integer" or (found == "number" and float(value).is_integer()):
        return "integer" in schema.types or "number" in schema.types
    return found in schema.types


def _obeys_enum(schema: Schema, rule: Rule, value: Any) -> bool | None:
    if rule.is_obeyable:
        return True if _as_json(value) == rule.value else None
    known = schema.enum or (schema.const,)
    return None if value is None or _as_json(value) in map(_as_json, known) else False


def _obeys_membership(rule: Rule, value: Any) -> bool | None:
    if not isinstance(value, dict):
        return None
    if rule.value in value:
        return True
    return False if rule.keyword == "required" else None


def _obeys_bound(schema: Schema, rule: Rule, value: Any) -> bool | None:
    """Return True for a value at the bound, False for one beyond it, None for another."""
    size, bound = _measure(rule.keyword, value), json.loads(rule.value)
    if size is None:
        return None
    match rule.keyword:
        case "multipleOf":
            return bool(size % bound == 0) if isinstance(bound, int) and isinstance(size, int) else None
        case "exclusiveMinimum":
            return False if size <= bound else _is_next(schema, size, bound + 1)
        case "exclusiveMaximum":
            return False if size >= bound else _is_next(schema, size, bound - 1)
        case _ if size == bound:
            return True
        case _:
            is_beyond = size < bound if rule.keyword in LOWER_BOUNDS else size > bound
            return False if is_beyond else None


def _is_next(schema: Schema, size: float, nearest: float) -> bool | None:
    """Return whether a number is the first that an exclusive bound allows; one of many has no first."""
    return True if size == nearest or "integer" not in schema.types else None


def _measure(keyword: str, value: Any) -> int | float | None:
    """Return what a bound limits: a number, or the length of a text, list or object; None for other values."""
    if keyword.endswith("Length"):
        return len(value) if isinstance(value, str) else None
    if keyword.endswith("Items"):
        return len(value) if isinstance(value, list) else None
    if keyword.endswith("Properties"):
        return len(value) if isinstance(value, dict) else None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
