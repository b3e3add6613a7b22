"""A schema of the model as JSON Schema 2020-12 for validators, and what validating it may cost."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from devportal.contract.model import Api
from devportal.contract.schemas import ABSENT, Location, Property, Schema


class Direction(StrEnum):
    """Requests do not carry `readOnly` properties, responses do not carry `writeOnly` ones."""

    REQUEST = "request"
    RESPONSE = "response"


def is_hidden(api: Api, member: Property, direction: Direction) -> bool:
    """Say whether a property does not travel in this direction (OAS 3.0.3 §4.7.24.2)."""
    target = api.resolve(member.schema)
    if direction is Direction.REQUEST:
        return member.schema.read_only or target.read_only
    return member.schema.write_only or target.write_only


def hidden_properties(api: Api, schema: Schema, direction: Direction) -> frozenset[str]:
    """Return the properties that do not travel in this direction, of a schema and all that it is made of:
    one that is `required` in one part of an `allOf` may be `readOnly` in another.
    """
    names: set[str] = set()
    pending, seen = [schema], {schema.location}
    while pending:
        part = pending.pop()
        names.update(one.name for one in part.properties if is_hidden(api, one, direction))
        target = api.schemas.get(part.ref) if part.ref is not None else None
        below = [*part.all_of, *([target] if target is not None else [])]
        pending += [one for one in below if one.location not in seen]
        seen.update(one.location for one in below)
    return frozenset(names)


JsonSchema = dict[str, Any] | bool


def to_json_schema(
    api: Api,
    schema: Schema,
    direction: Direction,
    *,
    as_read: Callable[[str], str | None] = lambda pattern: pattern,
    annotate: Callable[[Schema], dict[str, Any]] = lambda _: {},
    format_rule: Callable[[Schema], JsonSchema] = lambda _: True,
    names: frozenset[str] | None = None,
    is_exclusive: bool = True,
) -> JsonSchema:
    """Return a self-contained JSON Schema; every shared schema that it reaches is in `$defs`.

    `as_read` returns a regular expression as the validator supports it, or None to leave it out. `annotate`
    returns annotations of a schema for readers, which validators ignore. `format_rule` returns what a format
    asks for beyond what validators know of it. With `names`, only properties of these names are written:
    that is enough for values that have no others, and keeps the schema of a small value small. Unless it
    `is_exclusive`, a value may fit several branches of a `oneOf`.
    """
    writer = _JsonSchemaWriter(api, direction, as_read, annotate, format_rule, names, is_exclusive)
    root = writer.schema(schema)
    writer.finish()
    if isinstance(root, bool) or not writer.definitions:
        return root
    return {**root, "$defs": writer.definitions}


class _JsonSchemaWriter:
    def __init__(
        self,
        api: Api,
        direction: Direction,
        as_read: Callable[[str], str | None],
        annotate: Callable[[Schema], dict[str, Any]],
        format_rule: Callable[[Schema], JsonSchema],
        names: frozenset[str] | None,
        is_exclusive: bool,  # noqa: FBT001 - as in `to_json_schema`
    ) -> None:
        self._api = api
        self._direction = direction
        self._as_read = as_read
        self._annotate = annotate
        self._format_rule = format_rule
        self._written_names = names
        self._is_exclusive = is_exclusive
        self._names: dict[Location, str] = {}
        self._pending: list[Location] = []
        self.definitions: dict[str, JsonSchema] = {}

    def finish(self) -> None:
        while self._pending:
            location = self._pending.pop()
            target = self._api.schemas.get(location)
            self.definitions[self._names[location]] = self.schema(target) if target is not None else True

    def _reference(self, location: Location) -> dict[str, Any]:
        if location not in self._names:
            self._names[location] = f"{len(self._names)}-{location.pointer[-1] if location.pointer else ''}"
            self._pending.append(location)
        escaped = self._names[location].replace("~", "~0").replace("/", "~1")
        return {"$ref": f"#/$defs/{quote(escaped, safe='~')}"}

    def schema(self, schema: Schema, hidden: frozenset[str] = frozenset()) -> JsonSchema:
        """Return a schema; `hidden` are properties that the schemas it is a part of do not let travel."""
        if schema.verdict is not None:
            return schema.verdict
        keywords: dict[str, Any] = self._reference(schema.ref) if schema.ref is not None else {}
        keywords |= self._values(schema)
        hidden |= hidden_properties(self._api, schema, self._direction)
        keywords |= self._object(schema, hidden)
        keywords |= self._array(schema)
        keywords |= self._write_branches(schema, hidden)
        format_rule = self._format_rule(schema) if schema.format else True
        if format_rule is not True:
            keywords["allOf"] = [*keywords.get("allOf", ()), format_rule]
        nullable = _allow_null(keywords) if schema.nullable else keywords
        return {**nullable, **self._annotate(schema)}

    def _values(self, schema: Schema) -> dict[str, Any]:
        keywords: dict[str, Any] = {}
        if schema.types:
            keywords["type"] = list(schema.types)
        if schema.format:
            keywords["format"] = schema.format
        if schema.enum:
            keywords["enum"] = list(schema.enum)
        if schema.const is not ABSENT:
            keywords["const"] = schema.const
        for constraint in schema.constraints:
            if constraint.keyword != "pattern":
                keywords[constraint.keyword] = constraint.value
            elif (pattern := self._as_read(str(constraint.value))) is not None:
                keywords["pattern"] = pattern
        if "pattern" in keywords:  # used in the message for a value that breaks it
            texts = {"title": schema.title, "description": schema.description}
            keywords |= {name: text for name, text in texts.items() if text}
        return keywords

    def _object(self, schema: Schema, hidden: frozenset[str]) -> dict[str, Any]:
        keywords: dict[str, Any] = {}
        if schema.properties:
            keywords["properties"] = {
                one.name: self.schema(one.schema)
                for one in schema.properties
                if self._written_names is None or one.name in self._written_names
            }
        patterns = [(self._as_read(one.name), one.schema) for one in schema.pattern_properties]
        if patterns:
            supported = ((pattern, one) for pattern, one in patterns if pattern is not None)
            keywords["patternProperties"] = {pattern: self.schema(one) for pattern, one in supported}
        if any(pattern is None for pattern, _ in patterns):  # any other name may be one of those
            keywords["additionalProperties"] = True
        elif schema.additional_properties is not None:
            keywords["additionalProperties"] = self.schema(schema.additional_properties)
        required = [name for name in schema.required if name not in hidden]
        if required:
            keywords["required"] = required
        return keywords

    def _array(self, schema: Schema) -> dict[str, Any]:
        keywords: dict[str, Any] = {}
        if schema.items is not None:
            keywords["items"] = self.schema(schema.items)
        if schema.prefix_items:
            keywords["prefixItems"] = [self.schema(one) for one in schema.prefix_items]
        return keywords

    def _write_branches(self, schema: Schema, hidden: frozenset[str]) -> dict[str, Any]:
        keywords: dict[str, Any] = {}
        for keyword, branches in (
            ("allOf", schema.all_of),
            ("oneOf", schema.one_of),
            ("anyOf", schema.any_of),
        ):
            if branches:
                keywords[keyword] = [self.schema(branch, hidden) for branch in branches]
        if "oneOf" in keywords and not self._is_exclusive:
            keywords["allOf"] = [*keywords.get("allOf", ()), {"anyOf": keywords.pop("oneOf")}]
        if schema.negated is not None:
            keywords["not"] = self.schema(schema.negated)
        for keyword, other in schema.others:
            name, separator, member = keyword.partition(" ")
            if separator:
                keywords.setdefault(name, {})[member] = self.schema(other)
            else:
                keywords[name] = self.schema(other)
        return keywords


def _allow_null(keywords: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with null allowed, as the author of a nullable enum or union meant it."""
    plain = set(keywords) <= {"type", "format", "properties", "required", "additionalProperties", "items"}
    if plain and "type" in keywords:
        return {**keywords, "type": [*keywords["type"], "null"]}
    return {"anyOf": [keywords, {"type": "null"}]}


MAX_VALIDATION_COST = 1_000_000
"""Looks at a part of a value that are worth it: about a second."""
MAX_VALIDATION_DEPTH = 300
"""Schemas and values within each other; validators have a stack of their own to exhaust."""


def is_cheap_to_validate(api: Api, schema: Schema, value: Any) -> bool:
    """Say whether a value can be validated in about a second."""
    return _ValidationCost(api).of(schema, value, 0) <= MAX_VALIDATION_COST


class _ValidationCost:
    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[tuple[int, int], int] = {}

    def of(self, schema: Schema, value: Any, depth: int) -> int:
        """Return the number of steps of a validation; more than the limit if it cannot be bounded."""
        key = (id(schema), id(value))
        if key not in self._known:
            if depth > MAX_VALIDATION_DEPTH:
                return MAX_VALIDATION_COST + 1
            self._known[key] = 1  # what leads back here is a circle, which a validator leaves
            self._known[key] = 1 + sum(
                self.of(part, member, depth + 1) for part, member in self._below(schema, value)
            )
        return self._known[key]

    def _below(self, schema: Schema, value: Any) -> Iterator[tuple[Schema, Any]]:
        """Yield the next schemas and values: the same value with other schemas, and its members."""
        target = self._api.schemas.get(schema.ref) if schema.ref is not None else None
        if target is not None:
            yield target, value
        for branch in (*schema.all_of, *schema.one_of, *schema.any_of):
            yield branch, value
        if schema.negated is not None:
            yield schema.negated, value
        for _, other in schema.others:
            yield other, value
        if isinstance(value, dict):
            yield from self._members(schema, value)
        elif isinstance(value, list):
            yield from self._items(schema, value)

    def _members(self, schema: Schema, value: dict[str, Any]) -> Iterator[tuple[Schema, Any]]:
        for one in schema.properties:
            if one.name in value:
                yield one.schema, value[one.name]
        free = [one.schema for one in schema.pattern_properties]
        free += [schema.additional_properties] if schema.additional_properties is not None else []
        for part in free:
            for member in value.values():
                yield part, member

    def _items(self, schema: Schema, value: list[Any]) -> Iterator[tuple[Schema, Any]]:
        yield from zip(schema.prefix_items, value, strict=False)
        if schema.items is not None:
            for item in value:
                yield schema.items, item
