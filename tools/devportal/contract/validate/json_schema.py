"""A schema of the model as JSON Schema 2020-12 for validators, and what validating it may cost."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from devportal.contract.model import Api
from devportal.contract.schemas import ABSENT, Discriminator, Location, Property, Schema


def _is_beyond_json(value: Any) -> bool:
    """Say whether a value is one that YAML has and no JSON text can have: `.inf` or `.nan` (RFC 8259 §6)."""
    return isinstance(value, float) and not math.isfinite(value)


class Direction(StrEnum):
    """Requests do not carry `readOnly` properties, responses do not carry `writeOnly` ones."""

    REQUEST = "request"
    RESPONSE = "response"


def may_hide_properties(api: Api, direction: Direction) -> bool:
    """Say whether some property of a contract may not travel in this direction: in most contracts, all do."""
    return api.has_read_only if direction is Direction.REQUEST else api.has_write_only


def is_hidden(api: Api, member: Property, direction: Direction) -> bool:
    """Say whether a property does not travel in this direction (OAS 3.0.3 §4.7.24.2)."""
    schema = member.schema
    if schema.ref is None and not schema.all_of:  # most are so: what follows would say the same
        return schema.read_only if direction is Direction.REQUEST else schema.write_only
    parts = [schema] if schema.ref is None else [schema, api.resolve(schema)]
    parts += [api.resolve(schema) for part in parts for schema in part.all_of]
    if direction is Direction.REQUEST:
        return any(part.read_only for part in parts)
    return any(part.write_only for part in parts)


def hidden_properties(api: Api, schema: Schema, direction: Direction) -> frozenset[str]:
    """Return the properties that do not travel in this direction, of a schema and all that it is made of:
    one that is `required` in one part of an `allOf` may be `readOnly` in another.
    """
    if not schema.properties and not schema.all_of and schema.ref is None:
        return frozenset()
    names: set[str] = set()
    pending, seen = [schema], {schema.location}
    while pending:
        part = pending.pop()
        names.update(property_.name for property_ in part.properties if is_hidden(api, property_, direction))
        target = api.schemas.get(part.ref) if part.ref is not None else None
        below = [*part.all_of, *([target] if target is not None else [])]
        pending += [subschema for subschema in below if subschema.location not in seen]
        seen.update(subschema.location for subschema in below)
    return frozenset(names)


JsonSchema = dict[str, Any] | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a schema is taken if it is written as JSON Schema.

    With `names`, only properties of these names are written, and with `depth`, only schemas for objects and lists
    within so many others: that is enough for values that have no others, and keeps the schema of a small value
    small. `format_rules` say what formats ask for beyond what validators know of them. Unless it `is_exclusive`, a
    value may fit several branches of a `oneOf`. With `follows_discriminators`, objects fit the branch alone that
    their discriminator selects (OAS 3.0.3 §4.7.25). With `has_exact_null`, null is allowed where OAS allows it, not
    where its author meant it.
    """

    names: frozenset[str] | None = None
    depth: int | None = None
    format_rules: Mapping[str, JsonSchema] = field(default_factory=dict)
    is_exclusive: bool = True
    follows_discriminators: bool = False
    follows_parents: bool = False
    """Whether the discriminator of a parent that all branches of a `oneOf` extend says which of them an object
    is: it may fit others too.
    """
    has_exact_null: bool = False
    has_open_branches: bool = True
    """Whether objects may have members that the branch of a union does not describe; they always may if the
    branch describes none.
    """
    has_hidden_properties: bool = True
    """Whether objects may have properties that do not travel in the direction."""


def to_json_schema(
    api: Api,
    schema: Schema,
    direction: Direction,
    *,
    as_read: Callable[[str], str | None] = lambda pattern: pattern,
    annotate: Callable[[Schema], dict[str, Any]] = lambda _: {},
    reading: Reading | None = None,
) -> JsonSchema:
    """Return a self-contained JSON Schema; every shared schema that it reaches is in `$defs`.

    `as_read` returns a regular expression as the validator supports it, or None to leave it out. `annotate`
    returns annotations of a schema for readers, which validators ignore. `reading` says how strictly the
    schema is taken: by default as its author meant it.
    """
    writer = _JsonSchemaWriter(api, direction, as_read, annotate, reading or Reading())
    root = writer.schema(schema)
    writer.finish()
    if isinstance(root, bool) or not writer.definitions:
        return root
    return {**root, "$defs": writer.definitions}


_Target = tuple[Location, int | None]
"""A shared schema, and how many more levels a value has below it."""
_KEYWORDS_OF_PARTS = frozenset({"contains", "unevaluatedItems", "unevaluatedProperties"})
"""The rarer keywords with a schema for items or members (JSON Schema 2020-12 §10.3, §11)."""


class _JsonSchemaWriter:
    def __init__(
        self,
        api: Api,
        direction: Direction,
        as_read: Callable[[str], str | None],
        annotate: Callable[[Schema], dict[str, Any]],
        reading: Reading,
    ) -> None:
        self._api = api
        self._direction = direction
        self._as_read = as_read
        self._annotate = annotate
        self._reading = reading
        self._depth = reading.depth  # of the schema that is written: each level below it has one less
        self._names: dict[_Target, str] = {}
        self._pending: list[_Target] = []
        self.definitions: dict[str, JsonSchema] = {}

    def finish(self) -> None:
        while self._pending:
            location, self._depth = key = self._pending.pop()
            target = self._api.schemas.get(location)
            self.definitions[self._names[key]] = self.schema(target) if target is not None else True

    def _reference(self, location: Location) -> dict[str, Any]:
        key = location, self._depth
        if key not in self._names:
            self._names[key] = f"{len(self._names)}-{location.pointer[-1] if location.pointer else ''}"
            self._pending.append(key)
        escaped = self._names[key].replace("~", "~0").replace("/", "~1")
        return {"$ref": f"#/$defs/{quote(escaped, safe='~')}"}

    def schema(self, schema: Schema, hidden: frozenset[str] = frozenset()) -> JsonSchema:
        """Return a schema; `hidden` are properties that the schemas it is a part of do not let travel."""
        if schema.verdict is not None:
            return schema.verdict
        keywords: dict[str, Any] = self._reference(schema.ref) if schema.ref is not None else {}
        keywords |= self._values(schema)
        if schema.required or schema.all_of or schema.one_of or schema.any_of:
            hidden |= hidden_properties(self._api, schema, self._direction)
        keywords |= self._object(schema, hidden)
        keywords |= self._array(schema)
        keywords |= self._write_branches(schema, hidden)
        format_rule = self._reading.format_rules.get(schema.format)
        if format_rule is not None:
            keywords["allOf"] = [*keywords.get("allOf", ()), format_rule]
        nullable = self._allow_null(schema, keywords) if schema.nullable else keywords
        is_exclusive = self._reading.is_exclusive and self._parent_discriminator(schema) is None
        if "oneOf" in nullable and not is_exclusive:
            nullable["allOf"] = [*nullable.get("allOf", ()), {"anyOf": nullable.pop("oneOf")}]
        return {**nullable, **self._annotate(schema)}

    def _schema_of_part(self, schema: Schema) -> JsonSchema:
        """Return a schema for the members of an object or the items of a list: of no interest if there are none."""
        if self._depth is None:
            return self.schema(schema)
        if self._depth == 0 and schema.verdict is None:
            return True
        self._depth -= 1
        written = self.schema(schema)
        self._depth += 1
        return written

    def _values(self, schema: Schema) -> dict[str, Any]:
        keywords: dict[str, Any] = {}
        if schema.types:
            keywords["type"] = list(schema.types)
        if schema.format:
            keywords["format"] = schema.format
        if schema.enum or schema.has_empty_enum:
            keywords["enum"] = [value for value in schema.enum if not _is_beyond_json(value)]
        if schema.const is not ABSENT:
            keywords |= {"enum": []} if _is_beyond_json(schema.const) else {"const": schema.const}
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
                property_.name: self._property(property_)
                for property_ in schema.properties
                if self._reading.names is None or property_.name in self._reading.names
            }
        patterns = [
            (self._as_read(pattern_property.name), pattern_property.schema)
            for pattern_property in schema.pattern_properties
        ]
        if patterns:
            supported = ((pattern, subschema) for pattern, subschema in patterns if pattern is not None)
            keywords["patternProperties"] = {
                pattern: self._schema_of_part(subschema) for pattern, subschema in supported
            }
        if any(pattern is None for pattern, _ in patterns):  # any other name may be one of those
            keywords["additionalProperties"] = True
        elif schema.additional_properties is not None:
            keywords["additionalProperties"] = self._schema_of_part(schema.additional_properties)
            if keywords["additionalProperties"] is False:
                keywords.setdefault("properties", {})  # without, the validator does not name the member
        required = [name for name in schema.required if name not in hidden]
        if required:
            keywords["required"] = required
        return keywords

    def _property(self, member: Property) -> JsonSchema:
        if not self._reading.has_hidden_properties and is_hidden(self._api, member, self._direction):
            return False
        return self._schema_of_part(member.schema)

    def _array(self, schema: Schema) -> dict[str, Any]:
        keywords: dict[str, Any] = {}
        if schema.items is not None:
            keywords["items"] = self._schema_of_part(schema.items)
        if schema.prefix_items:
            keywords["prefixItems"] = [self._schema_of_part(subschema) for subschema in schema.prefix_items]
        return keywords

    def _write_branches(self, schema: Schema, hidden: frozenset[str]) -> dict[str, Any]:
        keywords: dict[str, Any] = {}
        for keyword, branches in (
            ("allOf", schema.all_of),
            ("oneOf", schema.one_of),
            ("anyOf", schema.any_of),
        ):
            if branches:
                keywords[keyword] = [self._branch(schema, branch, hidden) for branch in branches]
        if schema.negated is not None:
            keywords["not"] = self.schema(schema.negated)
        for keyword, other in schema.others:
            name, separator, member = keyword.partition(" ")
            if separator:
                keywords.setdefault(name, {})[member] = self.schema(other)
            elif name in _KEYWORDS_OF_PARTS:
                keywords[name] = self._schema_of_part(other)
            else:
                keywords[name] = self.schema(other)
        return keywords

    def _branch(self, schema: Schema, branch: Schema, hidden: frozenset[str]) -> JsonSchema:
        """Return a branch; where discriminators count, only for objects that select it."""
        written = self.schema(branch, hidden)
        is_closed = not self._reading.has_open_branches and _is_only_union(schema)
        if is_closed and self._describes_members(branch):
            written = {"allOf": [written], "unevaluatedProperties": False}
        inherited = self._parent_discriminator(schema)
        discriminator = schema.discriminator if self._reading.follows_discriminators else inherited
        if discriminator is None or branch.ref is None:
            return written
        mapped = [value for value, target in discriminator.mapping if target == branch.ref]
        if inherited is not None and not mapped:
            return written
        selector = {"enum": mapped or [branch.ref.pointer[-1]]}
        name = discriminator.property_name
        return {"allOf": [written, {"properties": {name: selector}, "required": [name]}]}

    def _parent_discriminator(self, schema: Schema) -> Discriminator | None:
        """Return the discriminator of the first parent that all branches of a `oneOf` without one extend, if the
        reading follows it: springdoc and others write unions of subtypes so (OAS 3.1.1 §4.8.25.4).
        """
        if not self._reading.follows_parents or schema.discriminator is not None or not schema.one_of:
            return None
        parents = [
            [self._api.resolve(part) for part in self._api.resolve(branch).all_of] for branch in schema.one_of
        ]
        shared = set.intersection(*({parent.location for parent in found} for found in parents))
        return next(
            (
                parent.discriminator
                for parent in parents[0]
                if parent.location in shared and parent.discriminator
            ),
            None,
        )

    def _describes_members(self, branch: Schema) -> bool:
        """Say whether a branch has properties, in whatever it is made of."""
        pending, seen = [branch], {id(branch)}
        while pending:
            part = pending.pop()
            if part.properties:
                return True
            below = [schema for schema in (self._api.resolve(part), *part.all_of) if id(schema) not in seen]
            seen.update(map(id, below))
            pending += below
        return False

    def _allow_null(self, schema: Schema, keywords: dict[str, Any]) -> dict[str, Any]:
        if not self._reading.has_exact_null:
            return _allow_null(keywords)
        if schema.has_idle_nullable:
            return keywords
        if "type" in keywords:
            return {**keywords, "type": [*keywords["type"], "null"]}
        if None in schema.enum:
            return keywords
        unions = (keyword for keyword in ("oneOf", "anyOf") if keyword in keywords)
        return {**keywords, **{keyword: [*keywords[keyword], {"type": "null"}] for keyword in unions}}


def _is_only_union(schema: Schema) -> bool:
    """Say whether a schema has nothing but branches that could describe members of objects."""
    return not (schema.ref or schema.all_of or schema.properties or (schema.one_of and schema.any_of))


def _allow_null(keywords: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with null allowed, as the author of a nullable enum or union meant it."""
    plain = set(keywords) <= {"type", "format", "properties", "required", "additionalProperties", "items"}
    if plain and "type" in keywords:
        return {**keywords, "type": [*keywords["type"], "null"]}
    return {"anyOf": [keywords, {"type": "null"}]}


MAX_VALIDATION_COST = 1_000_000
"""Looks at a part of a value that are worth it: about a second."""
MAX_VALIDATION_DEPTH = 300
"""Schemas and values within each other; validators can exhaust their stack."""
EXPLANATION_COST = 10
"""How many looks an error costs that validators collect; each look may lead to one."""
MAX_EXPLANATION_COST = MAX_VALIDATION_COST // EXPLANATION_COST // 2
"""Looks at a part of a value that are worth it if validators collect what is wrong: about half a second."""
_MAX_REPETITION = 4
"""How often each part of a larger value may be looked at for that: a long list of plain items costs little."""


def validation_cost(api: Api, schema: Schema, value: Any) -> int:
    """Return how often a validator looks at a part of a value at most; more than MAX_VALIDATION_COST if that cannot be
    bounded.
    """
    return _ValidationCost(api).of(schema, value, 0)


def is_cheap_to_validate(api: Api, schema: Schema, value: Any) -> bool:
    """Say whether a value can be validated in about a second."""
    return validation_cost(api, schema, value) <= MAX_VALIDATION_COST


def is_cheap_to_explain(api: Api, schema: Schema, value: Any) -> bool:
    """Say whether all that is wrong with a value can be found in about a second: no unions in unions multiply what
    validators would report.
    """
    cost = _ValidationCost(api)
    looks = cost.of(schema, value, 0)
    return looks <= min(MAX_VALIDATION_COST, max(MAX_EXPLANATION_COST, _MAX_REPETITION * cost.distinct_looks))


class _ValidationCost:
    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[tuple[int, int], int] = {}

    @property
    def distinct_looks(self) -> int:
        """How many pairs of a schema and a part of the value there are: a validator may look at each many times."""
        return len(self._known)

    def of(self, schema: Schema, value: Any, depth: int) -> int:
        """Return the number of steps of a validation; more than the limit if it cannot be bounded."""
        key = (id(schema), id(value))
        if key not in self._known:
            if depth > MAX_VALIDATION_DEPTH:
                return MAX_VALIDATION_COST + 1
            self._known[key] = 1  # what leads back here is a circle, which a validator leaves
            self._known[key] = 1 + sum(
                self.of(part, member, depth + 1) for part, member in self._next_values(schema, value)
            )
        return self._known[key]

    def _next_values(self, schema: Schema, value: Any) -> Iterator[tuple[Schema, Any]]:
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
        for property_ in schema.properties:
            if property_.name in value:
                yield property_.schema, value[property_.name]
        free = [pattern_property.schema for pattern_property in schema.pattern_properties]
        free += [schema.additional_properties] if schema.additional_properties is not None else []
        for part in free:
            for member in value.values():
                yield part, member

    def _items(self, schema: Schema, value: list[Any]) -> Iterator[tuple[Schema, Any]]:
        yield from zip(schema.prefix_items, value, strict=False)
        if schema.items is not None:
            for item in value:
                yield schema.items, item
