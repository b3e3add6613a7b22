"""The values by which discriminators tell schemas apart: the property, and its value for each schema."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from devportal.contract.schemas import Discriminator, Location, Schema, walk_schema


class DiscriminatorValue(NamedTuple):
    """The property that selects the schema of a value, and its value."""

    name: str
    value: str


def discriminator_value(discriminator: Discriminator, target: Location) -> DiscriminatorValue | None:
    """Return the property value that selects a schema: the one mapped to it, or else its name (OAS 3.0.3
    §4.7.25).

    A schema that is not a component has no name.
    """
    mapped = (value for value, location in discriminator.mapping if location == target)
    is_component = target.pointer[:2] == ("components", "schemas") and len(target.pointer) == 3
    value = next(mapped, target.pointer[-1] if is_component else None)
    return DiscriminatorValue(discriminator.property_name, value) if value is not None else None


def discriminator_values(schemas: Mapping[Location, Schema]) -> dict[Location, DiscriminatorValue]:
    """Return the discriminator value of each schema that discriminators refer to, unless they disagree."""
    values_by_location: dict[Location, set[DiscriminatorValue]] = {}
    parents: dict[Location, Discriminator] = {}
    for location, schema in schemas.items():
        for part in walk_schema(schema):
            if part.discriminator is None:
                continue
            if part is schema and not (schema.one_of or schema.any_of):
                parents[location] = part.discriminator
            for target in _discriminator_targets(part, part.discriminator):
                _record_value(values_by_location, part.discriminator, target)
    if parents:
        _record_subtypes(values_by_location, parents, schemas)
    return {
        location: next(iter(values)) for location, values in values_by_location.items() if len(values) == 1
    }


def _discriminator_targets(schema: Schema, discriminator: Discriminator) -> Iterator[Location]:
    """Yield the mapped schemas of a discriminator, and the branches beside it."""
    yield from (location for _, location in discriminator.mapping)
    yield from (subschema.ref for subschema in (*schema.one_of, *schema.any_of) if subschema.ref is not None)


def _record_value(
    values_by_location: dict[Location, set[DiscriminatorValue]],
    discriminator: Discriminator,
    target: Location,
) -> None:
    value = discriminator_value(discriminator, target)
    if value is not None:
        values_by_location.setdefault(target, set()).add(value)


def _record_subtypes(
    values_by_location: dict[Location, set[DiscriminatorValue]],
    parents: Mapping[Location, Discriminator],
    schemas: Mapping[Location, Schema],
) -> None:
    """Record the values of the schemas that extend one with a discriminator; the parent gets that of the
    first.
    """
    children: dict[Location, list[Location]] = {}
    for location, schema in schemas.items():
        for subschema in schema.all_of:
            if subschema.ref is not None:
                children.setdefault(subschema.ref, []).append(location)
    for parent, discriminator in parents.items():
        pending, seen = [parent], {parent}
        while pending:
            new = [location for location in children.get(pending.pop(), ()) if location not in seen]
            seen.update(new)
            pending += new
            for target in new:
                _record_value(values_by_location, discriminator, target)
        subtypes = (*(location for _, location in discriminator.mapping), *children.get(parent, ()))
        value = discriminator_value(discriminator, subtypes[0]) if subtypes else None
        if value is not None and parent not in values_by_location:
            values_by_location[parent] = {value}
