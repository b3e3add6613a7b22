"""The members and unions of a schema with its `allOf` parts merged, and the rows it takes to show them.

Computed once per schema and direction for all pages of a contract.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Any, Generic, TypeVar, assert_never

from devportal.contract import ABSENT, Api, Location, Property, Schema
from devportal.contract.validate.example_values import carried_value
from devportal.contract.validate.json_schema import Direction
from devportal.translation import gettext_noop

UNBOUNDED_NODES = 10_000
"""The weight of a schema that contains itself, in rows: more than any page shows in place."""
_MAX_VALUE_LAYERS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaLayer:
    """One layer of nested schemas of a value: `of` is "item" inside an array, "value" inside a map.

    `written` is the schema before its reference is resolved, if this layer is the first of an item or value.
    """

    schema: Schema
    of: str = ""
    written: Schema | None = None


class RowKind(StrEnum):
    """The meaning of the name of a row: a property name, or another way to reach a nested value.

    A body or a branch of a union has no row; a group is a row for a part of a long list.
    """

    NAMED = "named"
    PATTERN = "pattern"
    OTHER = "other"
    ITEM = "item"
    RULE = "rule"
    BODY = "body"
    GROUP = "group"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraSchema:
    """A subschema that is not a property; `kind` and `name` say what it applies to."""

    kind: RowKind
    name: str
    schema: Schema


T = TypeVar("T")


class SchemaCache(Generic[T]):
    """A cache of one result per schema object.

    Keys are identities: comparing schemas, or hashing their locations, would take longer than the cache saves.
    """

    def __init__(self, work: Callable[[Schema], T]) -> None:
        """Take the function whose results are cached."""
        self._compute = work
        self._results: dict[int, T] = {}
        self._kept: list[Schema] = []

    def __call__(self, schema: Schema) -> T:
        """Return the result for a schema, computed on first use."""
        try:
            return self._results[id(schema)]
        except KeyError:
            self._kept.append(schema)  # so that its id stays its own
            result = self._results[id(schema)] = self._compute(schema)
            return result


class SchemaShapes:
    """The members, branches and weights of the schemas of one contract, for one direction."""

    def __init__(self, api: Api, direction: Direction | None) -> None:
        """Take the contract and the direction of values; None keeps properties of both directions."""
        self._api = api
        self._direction = direction
        self._targets = SchemaCache(self._resolve_schema)
        self._layers = SchemaCache(self._unwrap_layers)
        self._parts = SchemaCache(lambda schema: tuple(self._applying(schema)))
        self._members = SchemaCache(lambda schema: tuple(self._collect(schema)))
        self._weights: dict[Location, int] = {}

    def towards(self, direction: Direction | None) -> "SchemaShapes":
        """Return the shapes for another direction. What does not depend on it is shared."""
        shapes = SchemaShapes(self._api, direction)
        shapes._targets, shapes._layers, shapes._parts = self._targets, self._layers, self._parts
        return shapes

    def target(self, schema: Schema) -> Schema:
        """Return the resolved schema; a reference with sibling keywords (3.1) is an `allOf` of both."""
        return schema if schema.ref is None else self._targets(schema)

    def _resolve_schema(self, schema: Schema) -> Schema:
        if not has_rules(schema):
            extended = extended_schema(self._api, schema)
            return self._api.resolve(schema) if extended is None else self.target(extended)
        reference = Schema(location=schema.location, ref=schema.ref)
        return replace(schema, ref=None, all_of=(reference, *schema.all_of))

    def layers(self, schema: Schema) -> tuple[SchemaLayer, ...]:
        """Return the schema, then the schema inside each array, map or wrapper with a single branch."""
        return self._layers(schema)

    def _unwrap_layers(self, schema: Schema) -> tuple[SchemaLayer, ...]:
        found = [SchemaLayer(schema=self.target(schema))]
        while len(found) < _MAX_VALUE_LAYERS:
            inner = self._wrapped_schema(found[-1].schema)
            if inner is None:
                break
            schema, of = inner
            written = schema if of else None
            found.append(SchemaLayer(schema=self.target(schema), of=of or found[-1].of, written=written))
        return tuple(found)

    def _wrapped_schema(self, schema: Schema) -> tuple[Schema, str] | None:
        """Return the schema that a schema wraps: its items, its values, or the only branch with rules."""
        if schema.properties or schema.pattern_properties or schema.prefix_items:
            return None
        free = schema.additional_properties
        branches = wrapped_branches(schema)
        if schema.items is not None:
            return None if branches or schema.items.verdict is not None else (schema.items, "item")
        if free is not None and free.verdict is None:
            return None if branches else (free, "value")
        if len(branches) == 1:
            return branches[0], ""
        items = None if schema.one_of or schema.any_of else self._common_items(schema)
        return (items, "item") if items is not None else None

    def _common_items(self, schema: Schema) -> Schema | None:
        """Return one schema for the items that several `allOf` parts describe, if all they describe is lists."""
        parts = self.parts(schema)
        found = [part.items for part in parts if part.items is not None and part.items.verdict is None]
        has_more = any(
            part.properties or part.pattern_properties or part.prefix_items or part.one_of or part.any_of
            for part in parts
        )
        if not found or has_more:
            return None
        return found[0] if len(found) == 1 else _all_of(schema.location.child("items"), tuple(found))

    def core(self, schema: Schema) -> Schema:
        """Return the innermost schema of arrays, maps and wrappers."""
        return self.layers(schema)[-1].schema

    def members(self, schema: Schema) -> tuple[Property, ...]:
        """Return the properties of a schema and of its `allOf` parts, each name once.

        Properties that travel in the other direction only are left out.
        """
        return self._members(schema)

    def _collect(self, schema: Schema) -> Iterator[Property]:
        found: dict[str, Property] = {}
        required: set[str] = set()
        for part in self.parts(schema):
            required.update(part.required)
            for property_ in part.properties:
                known = found.get(property_.name)
                found[property_.name] = (
                    property_ if known is None else self._merge_properties(known, property_)
                )
        for property_ in found.values():
            if not any(map(self._is_hidden, self.parts(self.target(property_.schema)))):
                yield (
                    replace(property_, required=True)
                    if property_.name in required and not property_.required
                    else property_
                )

    def carried_value(self, schema: Schema, value: Any) -> Any:
        """Return an example of a schema as it travels in this direction; as written, if there is none."""
        if self._direction is None:
            return value
        return carried_value(self._api, schema, value, self._direction).value

    def _is_hidden(self, schema: Schema) -> bool:
        """Say whether a property travels in the other direction only."""
        match self._direction:
            case Direction.REQUEST:
                return schema.read_only
            case Direction.RESPONSE:
                return schema.write_only
            case None:
                return False
        assert_never(self._direction)

    def parts(self, schema: Schema) -> tuple[Schema, ...]:
        """Return the schemas that apply together: the `allOf` parts first, then the schema itself.

        A part shared by several others is listed once.
        """
        return self._parts(schema) if schema.all_of else (schema,)

    def _applying(self, schema: Schema) -> Iterator[Schema]:
        seen = {schema.location}
        open_parts = [(schema, iter(schema.all_of))]
        while open_parts:
            here, below = open_parts[-1]
            part = next(below, None)
            if part is None:
                open_parts.pop()
                yield here
                continue
            target = self.target(part)
            if target.location not in seen:
                seen.add(target.location)
                open_parts.append((target, iter(target.all_of)))

    def _merge_properties(self, old: Property, new: Property) -> Property:
        """Merge a property that two parts declare: both schemas apply."""
        old_target, new_target = self.target(old.schema), self.target(new.schema)
        required = old.required or new.required
        if (
            new_target.verdict is True or old_target.verdict is True
        ):  # it allows anything: all that counts is the other
            return replace(old if new_target.verdict is True else new, required=required)
        if old_target.location == new_target.location:  # both refer to one schema: it keeps its name and page
            is_bare = new.schema == Schema(location=new.schema.location, ref=new.schema.ref)
            return replace(old if is_bare else new, required=required)
        location = new_target.location.child("merged", str(old_target.location))
        return replace(new, schema=_all_of(location, (old.schema, new.schema)), required=required)

    def unions(self, schema: Schema) -> tuple[tuple[str, tuple[Schema, ...]], ...]:
        """Return the unions of a schema and of its `allOf` parts: the words that join, and the branches."""
        return tuple(
            (words, branches)
            for part in self.parts(schema)
            for words, branches in (
                (gettext_noop("One of"), part.one_of),
                (gettext_noop("Any of"), part.any_of),
            )
            if branches
        )

    def extras(self, layer: SchemaLayer, *, is_core: bool) -> Iterator[ExtraSchema]:
        """Yield the subschemas of a layer besides its properties, unions and the next layer."""
        for part in self.parts(layer.schema) if is_core else (layer.schema,):
            for pattern_property in part.pattern_properties:
                yield ExtraSchema(
                    kind=RowKind.PATTERN, name=pattern_property.name, schema=pattern_property.schema
                )
            free = part.additional_properties
            if is_core and free is not None and free.verdict is None:
                yield ExtraSchema(kind=RowKind.OTHER, name="", schema=free)
            for number, item in enumerate(part.prefix_items, start=1):
                yield ExtraSchema(kind=RowKind.ITEM, name=str(number), schema=item)
            if is_core and part.items is not None and part.items.verdict is None:
                kind, name = (RowKind.RULE, "items") if part.prefix_items else (RowKind.ITEM, "")
                yield ExtraSchema(kind=kind, name=name, schema=part.items)
            if part.negated is not None:
                yield ExtraSchema(kind=RowKind.RULE, name="not", schema=part.negated)
            for keyword, rule in part.others:
                if rule.verdict is None:
                    yield ExtraSchema(kind=RowKind.RULE, name=keyword, schema=rule)

    def weight(self, schema: Schema) -> int:
        """Return how many rows a schema takes in full, shown in place."""
        core = self.core(schema)
        if core.location not in self._weights:
            self._weigh(core)
        return self._weights[core.location]

    def _weigh(self, core: Schema) -> None:
        """Compute the weights of a schema and its nested schemas, without recursion: chains can be long."""
        pending = [self._weighing(core)]
        while pending:
            inner = next(pending[-1], None)
            if inner is None:
                pending.pop()
            elif inner.location not in self._weights:
                pending.append(self._weighing(inner))

    def _weighing(self, core: Schema) -> Iterator[Schema]:
        """Yield the nested schemas, which must be weighed first, then record the weight of the schema."""
        self._weights[core.location] = UNBOUNDED_NODES  # a schema met again below itself is recursive
        inside = [member.schema for member in self.members(core)]
        inside += [branch for _, branches in self.unions(core) for branch in branches]
        inside += [extra.schema for extra in self.extras(SchemaLayer(schema=core), is_core=True)]
        total = len(inside)
        for schema in inside:
            inner = self.core(schema)
            yield inner
            total += self._weights[inner.location]
        self._weights[core.location] = min(UNBOUNDED_NODES, total)


def is_leaf(layers: tuple[SchemaLayer, ...]) -> bool:
    """Say whether a value has no nested rows, in either direction."""
    core = layers[-1].schema
    is_held = core.properties or core.all_of or core.one_of or core.any_of
    is_open = core.items is not None or core.additional_properties is not None
    return not (is_held or is_open or any(map(_has_extras, layers)))


def _has_extras(layer: SchemaLayer) -> bool:
    schema = layer.schema
    return bool(schema.pattern_properties or schema.prefix_items or schema.others or schema.negated)


def extended_schema(api: Api, schema: Schema) -> Schema | None:
    """Return the first shared schema in a chain of references that is a reference with sibling keywords.

    From OAS 3.1 on that is a separate schema.
    """
    seen = set()
    while schema.ref is not None and schema.ref in api.schemas and schema.ref not in seen:
        seen.add(schema.ref)
        schema = api.schemas[schema.ref]
        if schema.ref is not None and has_rules(schema):
            return schema
    return None


def has_rules(schema: Schema) -> bool:
    """Say whether a schema has more than annotations."""
    return bool(
        schema.types or schema.format or schema.constraints or schema.enum or schema.required
        or schema.properties or schema.pattern_properties or schema.prefix_items or schema.others
        or schema.all_of or schema.one_of or schema.any_of or schema.const is not ABSENT
        or schema.items is not None or schema.additional_properties is not None or schema.negated is not None
    )  # fmt: skip


def wrapped_branches(schema: Schema) -> tuple[Schema, ...]:
    """Return the branches of the only combination of a schema, without those of `allOf` that only annotate."""
    all_of = tuple(
        subschema
        for subschema in schema.all_of
        if subschema.ref is not None or subschema.broken or has_rules(subschema)
    )
    combinations = [item for item in (all_of, schema.one_of, schema.any_of) if item]
    return combinations[0] if len(combinations) == 1 else tuple(chain.from_iterable(combinations))


def described_branches(schema: Schema) -> tuple[Schema, ...]:
    """Return the branches whose texts are about every value of a schema: not those of which one is chosen."""
    unions = (item for item in (schema.one_of, schema.any_of) if len(item) == 1)
    return (*schema.all_of, *chain.from_iterable(unions))


def _all_of(location: Location, schemas: tuple[Schema, ...]) -> Schema:
    return Schema(location=location, all_of=schemas)
