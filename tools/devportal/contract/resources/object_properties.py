"""The members of the objects that a schema describes: those of `allOf`, of unions, and of envelopes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from devportal.contract.model import Api
from devportal.contract.read.references import merge_ref_siblings
from devportal.contract.schemas import Location, Property, Schema, are_alike
from devportal.contract.values.per_contract import PerContract

JSON_API_MEMBERS = frozenset({"type", "id", "attributes"})


def unwrapped_schema(api: Api, schema: Schema, envelope: str) -> Schema:
    """Return the schema of the representation in a response: that of the `envelope` if the response has it."""
    members = object_properties(api, schema) if envelope else ()
    return next((member.schema for member in members if member.name == envelope), schema)


def object_properties(api: Api, schema: Schema) -> Iterator[Property]:
    """Yield the members of an object that a schema describes, those of its `allOf` too, and those that all branches
    of a union describe alike. The schema of a member that only wraps another one, in an `allOf` or in a union with
    null, has the keywords of that one.

    Each schema counts once, however many branches lead to it.
    """
    return _Members(api).of(schema)


class _Members:
    """The members of one object. The branches of its unions are read once each, however many unions have them."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._branches: dict[Location, tuple[Property, ...]] = {}

    def of(self, schema: Schema) -> Iterator[Property]:
        """Yield the members that a schema describes."""
        return self._new_members(schema, set(), set())

    def _new_members(
        self, schema: Schema, seen: set[Location], found: set[tuple[str, Location]]
    ) -> Iterator[Property]:
        """Yield the members of a schema, of its `allOf` and its unions, but for those of schemas that were seen, and
        those of unions that were found.
        """
        schema = self._api.resolve(schema)
        if schema.location in seen:
            return
        seen.add(schema.location)
        for property_ in schema.properties:
            inner = inner_schema(self._api, property_.schema)
            found.add((property_.name, inner.location))
            yield property_ if inner is property_.schema else replace(property_, schema=inner)
        for branch in schema.all_of:
            yield from self._new_members(branch, seen, found)
        for union in (schema.one_of, schema.any_of):
            for property_ in self._shared_members(union, seen):
                key = property_.name, property_.schema.location
                if key not in found:
                    found.add(key)
                    yield property_

    def _shared_members(self, union: Sequence[Schema], seen: set[Location]) -> Iterator[Property]:
        """Yield the members that all branches of a union but null have with the same schema, as the `id` of each kind
        of payment. They are required if they are in all branches. A union with a schema that was seen has none.
        """
        kinds = [branch for branch in map(self._api.resolve, union) if not _is_null(branch)]
        if any(branch.location in seen for branch in kinds):
            return
        branches = [{property_.name: property_ for property_ in self._branch(branch)} for branch in kinds]
        for name, first in branches[0].items() if branches else ():
            others = [branch[name] for branch in branches[1:] if name in branch]
            if len(others) == len(branches) - 1 and all(
                are_alike(first.schema, other.schema) for other in others
            ):
                yield replace(first, required=first.required and all(other.required for other in others))

    def _branch(self, branch: Schema) -> tuple[Property, ...]:
        """Return the members of a branch of a union, none while they are being read: some unions contain themselves."""
        if branch.location not in self._branches:
            self._branches[branch.location] = ()
            self._branches[branch.location] = tuple(self._new_members(branch, set(), set()))
        return self._branches[branch.location]


def item_properties(api: Api, item: Schema) -> Iterator[Property]:
    """Yield the members of the items of a list, and those of their `attributes` if they are resources of JSON:API
    (§5.2).
    """
    members = tuple(object_properties(api, item))
    yield from members
    names = {member.name for member in members}
    if names >= JSON_API_MEMBERS:
        attributes = next(member for member in members if member.name == "attributes")
        yield from (
            member for member in object_properties(api, attributes.schema) if member.name not in names
        )


def inner_schema(api: Api, schema: Schema) -> Schema:
    """Return the only schema of an `allOf`, or the only one of a union beside null, with the keywords beside it;
    any other schema itself. Contracts write `allOf` around a `$ref` to give it a description or `readOnly`, and
    a union to allow null.
    """
    if schema.types and schema.ref is None:  # most are so
        return schema
    return _inner_schemas(api)(schema)


class _InnerSchemas:
    """The schemas of members without what only wraps them. Operations that return one object share them."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[int, tuple[Schema, Schema]] = {}

    def __call__(self, schema: Schema) -> Schema:
        if id(schema) not in self._known:  # a schema is kept, so that its id stays its own
            self._known[id(schema)] = schema, _find_inner_schema(self._api, schema)
        return self._known[id(schema)][1]


_inner_schemas = PerContract(_InnerSchemas)


def _find_inner_schema(api: Api, schema: Schema) -> Schema:
    outer = api.resolve(schema)
    if outer.types or outer.enum or outer.properties:
        return schema
    union = outer.one_of or outer.any_of
    branches = outer.all_of if not union else () if outer.all_of else union
    inner = [subschema for subschema in map(api.resolve, branches) if not _is_null(subschema)]
    if len(inner) != 1:
        return schema
    merged = merge_ref_siblings(inner[0], replace(outer, all_of=(), one_of=(), any_of=()))
    return replace(merged, nullable=merged.nullable or len(branches) > 1)


def _is_null(schema: Schema) -> bool:
    """Return whether null is the only value of a schema."""
    return schema.enum == (None,) or schema.types == ("null",) or (schema.nullable and not schema.types)
