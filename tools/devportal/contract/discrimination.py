"""Which value a discriminator's property has in a schema: what tells a car from a van."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from devportal.contract.schemas import Discriminator, Location, Schema, parts_of


class Mark(NamedTuple):
    """The property that tells which schema a value keeps, and what stands there."""

    name: str
    value: str


def mark_in(discriminator: Discriminator, target: Location) -> Mark | None:
    """Return what tells that a schema is meant: the value mapped to it, or else its name (OAS 3.0.3 §4.7.25).

    A schema that is no component has no name.
    """
    mapped = (value for value, location in discriminator.mapping if location == target)
    is_component = target.pointer[:2] == ("components", "schemas") and len(target.pointer) == 3
    value = next(mapped, target.pointer[-1] if is_component else None)
    return Mark(discriminator.property_name, value) if value is not None else None


def marks(schemas: Mapping[Location, Schema]) -> dict[Location, Mark]:
    """Return what tells each schema that discriminators lead to, those apart of which they say two things."""
    found: dict[Location, set[Mark]] = {}
    parents: dict[Location, Discriminator] = {}
    for location, schema in schemas.items():
        for part in parts_of(schema):
            if part.discriminator is None:
                continue
            if part is schema and not (schema.one_of or schema.any_of):
                parents[location] = part.discriminator
            for target in _targets(part, part.discriminator):
                _note(found, part.discriminator, target)
    if parents:
        _note_descendants(found, parents, schemas)
    return {location: next(iter(told)) for location, told in found.items() if len(told) == 1}


def _targets(schema: Schema, discriminator: Discriminator) -> Iterator[Location]:
    """Yield what a discriminator maps to, and the branches that it stands beside."""
    yield from (location for _, location in discriminator.mapping)
    yield from (one.ref for one in (*schema.one_of, *schema.any_of) if one.ref is not None)


def _note(found: dict[Location, set[Mark]], discriminator: Discriminator, target: Location) -> None:
    mark = mark_in(discriminator, target)
    if mark is not None:
        found.setdefault(target, set()).add(mark)


def _note_descendants(
    found: dict[Location, set[Mark]],
    parents: Mapping[Location, Discriminator],
    schemas: Mapping[Location, Schema],
) -> None:
    """Note what tells the schemas that extend one with a discriminator; itself, it looks like the first."""
    children: dict[Location, list[Location]] = {}
    for location, schema in schemas.items():
        for one in schema.all_of:
            if one.ref is not None:
                children.setdefault(one.ref, []).append(location)
    for parent, discriminator in parents.items():
        pending, seen = [parent], {parent}
        while pending:
            new = [one for one in children.get(pending.pop(), ()) if one not in seen]
            seen.update(new)
            pending += new
            for target in new:
                _note(found, discriminator, target)
        heirs = (*(location for _, location in discriminator.mapping), *children.get(parent, ()))
        mark = mark_in(discriminator, heirs[0]) if heirs else None
        if mark is not None and parent not in found:
            found[parent] = {mark}
