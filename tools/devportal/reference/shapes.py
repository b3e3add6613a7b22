"""What is inside a schema once its `allOf` parts are put together, and how much room it takes to show.

Worked out once per schema and direction for all pages of a contract.
"""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract import Api, Location, Property, Schema
from devportal.contract.json_schema import Direction

ENDLESS = 10_000
"""The weight of a schema that contains itself, in rows: more than any page shows in place."""


class Shapes:
    """The members, branches and weights of the schemas of one contract, for one direction."""

    def __init__(self, api: Api, direction: Direction) -> None:
        """Take the contract, and who reads the values."""
        self._api = api
        self._direction = direction
        self._members: dict[Location, tuple[Property, ...]] = {}
        self._weights: dict[Location, int] = {}

    def members(self, schema: Schema) -> tuple[Property, ...]:
        """Return the properties of a schema and of its `allOf` parts, each name once.

        Properties that travel in the other direction only are left out.
        """
        if schema.location not in self._members:
            self._members[schema.location] = tuple(self._collect(schema))
        return self._members[schema.location]

    def _collect(self, schema: Schema) -> Iterator[Property]:
        found: dict[str, Property] = {}
        required: set[str] = set()
        for part in self._parts(schema, ()):
            required.update(part.required)
            for one in part.properties:
                known = found.get(one.name)
                found[one.name] = one if known is None else self._merged(known, one)
        for one in found.values():
            target = self._api.resolve(one.schema)
            hidden = target.read_only if self._direction is Direction.REQUEST else target.write_only
            if not hidden:
                yield replace(one, required=True) if one.name in required and not one.required else one

    def _parts(self, schema: Schema, trail: tuple[Schema, ...]) -> Iterator[Schema]:
        """Yield the schemas that apply together: the `allOf` parts first, then the schema itself."""
        if any(one is schema for one in trail):
            return
        for part in schema.all_of:
            yield from self._parts(self._api.resolve(part), (*trail, schema))
        yield schema

    def _merged(self, old: Property, new: Property) -> Property:
        """Return one property for two parts that both speak of it: both constraints hold."""
        was, now = self._api.resolve(old.schema), self._api.resolve(new.schema)
        schema = replace(
            now,
            location=now.location.child("merged"),
            description=now.description or was.description,
            types=now.types or was.types,
            format=now.format or was.format,
            enum=now.enum or was.enum,
            examples=now.examples or was.examples,
            constraints=tuple({one.keyword: one for one in (*was.constraints, *now.constraints)}.values()),
            properties=now.properties or was.properties,
            items=now.items or was.items,
        )
        return replace(new, schema=schema, required=old.required or new.required)

    def branches(self, schema: Schema) -> tuple[tuple[Schema, ...], str]:
        """Return the branches of a union, also of one inside `allOf`, and the word that joins them."""
        for part in self._parts(schema, ()):
            if part.one_of:
                return part.one_of, "One of"
            if part.any_of:
                return part.any_of, "Any of"
        return (), ""

    def core(self, schema: Schema) -> Schema:
        """Return what an array, a map or a wrapper with a single branch finally holds."""
        for _ in range(8):
            inner = _wrapped(schema)
            if inner is None:
                break
            schema = self._api.resolve(inner)
        return schema

    def weight(self, schema: Schema) -> int:
        """Return how many rows it takes to show everything inside a schema in place."""
        core = self.core(self._api.resolve(schema))
        known = self._weights.get(core.location)
        if known is not None:
            return known
        self._weights[core.location] = ENDLESS  # what is met again on the way down contains itself
        inside = [one.schema for one in self.members(core)] + list(self.branches(core)[0])
        total = min(ENDLESS, len(inside) + sum(self.weight(one) for one in inside))
        self._weights[core.location] = total
        return total


def _wrapped(schema: Schema) -> Schema | None:
    if schema.items is not None:
        return schema.items
    if schema.properties:
        return None
    free = schema.additional_properties
    if free is not None and free.verdict is None and not schema.all_of:
        return free
    lone = [branches for branches in (schema.all_of, schema.one_of, schema.any_of) if branches]
    return lone[0][0] if len(lone) == 1 and len(lone[0]) == 1 else None
