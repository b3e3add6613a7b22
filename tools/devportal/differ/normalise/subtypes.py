"""Schemas that extend one with a discriminator: values of it without being branches of a union."""

from functools import cached_property

from devportal.contract import Api, Discriminator, Location
from devportal.contract.values.discriminator_values import discriminator_value
from devportal.differ.normalise.forms import NormalSchema


class DiscriminatorSubtypes:
    """Which shared schemas extend which, over any number of levels (OAS 3.0.3 §4.7.25)."""

    def __init__(self, api: Api) -> None:
        """Take the contract."""
        self._api = api
        self._below: dict[Location, tuple[Location, ...]] = {}

    def of(self, form: NormalSchema) -> dict[str, Location]:
        """Return the unmapped schemas that extend a schema with a discriminator, by their discriminator
        values.
        """
        discriminator = form.discriminator
        if discriminator is None or form.unions:
            return {}
        mapped = {target for _, target in discriminator.mapping}
        subtypes = self._own_subtypes(form)
        if subtypes is None:
            subtypes = self.below(_discriminator_location(form))
        unmapped = (subtype for subtype in subtypes if subtype not in mapped)
        return {
            value: target for target in unmapped if (value := _discriminator_value(discriminator, target))
        }

    def mapped_schemas(self, form: NormalSchema) -> dict[str, Location]:
        """Return the mapped schemas; if a schema extends the one with the mapping, only those that belong to
        it.
        """
        if form.discriminator is None:
            return {}
        own = None if form.unions else self._own_subtypes(form)
        return {
            value: location
            for value, location in form.discriminator.mapping
            if own is None or location in own
        }

    def _own_subtypes(self, form: NormalSchema) -> tuple[Location, ...] | None:
        """Return a schema and the schemas that extend it, None if it extends none that has a discriminator."""
        own = form.location
        return (own, *self.below(own)) if own in self.below(_discriminator_location(form)) else None

    def below(self, location: Location) -> tuple[Location, ...]:
        """Return every shared schema that extends one, the nearest first."""
        cached = self._below.get(location)
        if cached is not None:
            return cached
        subtypes: dict[Location, None] = {}
        pending = [location]
        while pending:
            new = [child for child in self._children.get(pending.pop(), ()) if child not in subtypes]
            subtypes.update(dict.fromkeys(new))
            pending += new
        self._below[location] = tuple(subtype for subtype in subtypes if subtype != location)
        return self._below[location]

    @cached_property
    def _children(self) -> dict[Location, list[Location]]:
        children: dict[Location, list[Location]] = {}
        for location, schema in self._api.schemas.items():
            if (
                location.pointer[:2] == ("components", "schemas")
                and len(location.pointer) == _COMPONENT_DEPTH
            ):
                for subschema in schema.all_of:
                    if subschema.ref is not None:
                        children.setdefault(subschema.ref, []).append(location)
        return children


_COMPONENT_DEPTH = 3
"""How many steps lead to a shared schema: `components`, `schemas` and its name."""


def _discriminator_value(discriminator: Discriminator, target: Location) -> str:
    value = discriminator_value(discriminator, target)
    return value.value if value is not None else ""


def _discriminator_location(form: NormalSchema) -> Location:
    """Return the part of a schema that has the discriminator."""
    return next((part.location for part in reversed(form.parts) if part.discriminator), form.location)
