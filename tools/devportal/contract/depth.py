"""Chains of schemas that are made of each other, bounded: whoever walks them may recurse.

Only what applies to the same value makes a chain: `$ref`, `allOf`, `oneOf` and `anyOf`. A property or an
item is another value, and nesting of those is bounded where values are shown or made.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from devportal.contract.schemas import Location, Schema

MAX_CHAIN = 100
"""References that may follow each other: people give up long before, Python's stack soon after."""


def cut_chains(schemas: Mapping[Location, Schema]) -> tuple[dict[Location, Schema], tuple[Location, ...]]:
    """Return the schemas without the references that make a chain too long, and where those stood."""
    heights = _Heights(schemas)
    for location in schemas:
        heights.measure(location)
    cuts = heights.cuts
    kept = {
        location: _without(schema, cuts[location]) if location in cuts else schema
        for location, schema in schemas.items()
    }
    return kept, tuple(location for location, targets in cuts.items() if targets)


class _Heights:
    """How many references follow each other below each schema, those that are cut left out."""

    def __init__(self, schemas: Mapping[Location, Schema]) -> None:
        self._schemas = schemas
        self._heights: dict[Location, int] = {}
        self.cuts: dict[Location, set[Location]] = {}

    def measure(self, location: Location) -> None:
        """Measure a schema and all that it is made of, without recursion of our own."""
        pending = [self._measuring(location)] if location not in self._heights else []
        while pending:
            target = next(pending[-1], None)
            if target is None:
                pending.pop()
            elif target not in self._heights:
                pending.append(self._measuring(target))

    def _measuring(self, location: Location) -> Iterator[Location]:
        """Yield the targets of a schema, to be measured before going on; note its own height."""
        self._heights[location] = 0  # what leads back here is a circle, which is no chain
        height = 0
        for target in _targets(self._schemas[location]):
            if target not in self._schemas:
                continue
            yield target
            if self._heights[target] >= MAX_CHAIN:
                self.cuts.setdefault(location, set()).add(target)
            else:
                height = max(height, self._heights[target] + 1)
        self._heights[location] = height


def _targets(schema: Schema) -> Iterator[Location]:
    """Yield what a schema refers to, itself or in its branches."""
    if schema.ref is not None:
        yield schema.ref
    for branch in (*schema.all_of, *schema.one_of, *schema.any_of):
        yield from _targets(branch)


def _without(schema: Schema, cut: set[Location]) -> Schema:
    """Return a schema without its references to some others; what stands beside them stays."""
    return replace(
        schema,
        ref=None if schema.ref in cut else schema.ref,
        all_of=tuple(_without(branch, cut) for branch in schema.all_of),
        one_of=tuple(_without(branch, cut) for branch in schema.one_of),
        any_of=tuple(_without(branch, cut) for branch in schema.any_of),
    )
