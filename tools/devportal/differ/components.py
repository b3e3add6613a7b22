"""The components of two contracts: which one a place stands in, and whether its own text changed."""

from collections.abc import Iterable
from typing import NamedTuple

from devportal.contract import Api, Location, Schema
from devportal.differ.change import Subject, SubjectKind, component_of, path_in_component
from devportal.differ.located_changes import IncludedPart

_SCHEMAS = ("components", "schemas")
_DEPTH = len((*_SCHEMAS, "name"))


class PlaceInComponent(NamedTuple):
    """A place in a component: the component by its name, whatever file holds it, and the pointer within it."""

    component: Location
    pointer: tuple[str, ...]


class Components:
    """The components that both contracts have, and of each whether its text is another one.

    A change belongs to a component only if it is reached under the same name on both sides and its own text
    changed, not what it refers to. A schema that another file holds is a component, too.
    """

    def __init__(self, old: Api, new: Api) -> None:
        """Take both contracts."""
        named = (*old.schemas.items(), *new.schemas.items())
        self._names = {location: schema.name for location, schema in named if location.file and schema.name}
        before, after = (self._digests(api) for api in (old, new))
        self._changed = {
            component for component, digest in before.items() if after.get(component, digest) != digest
        }
        self._cache: dict[Location, PlaceInComponent | None] = {}

    def _digests(self, api: Api) -> dict[Location, str]:
        """Return the digests of the components of a contract by their names."""
        split = ((self._split(location), digest) for location, digest in api.text_digests.items())
        return {place.component: digest for place, digest in split if place is not None and not place.pointer}

    def _split(self, location: Location) -> PlaceInComponent | None:
        """Return the component in which a location stands, and where; None if it stands in none."""
        pointer = location.pointer
        if pointer[:1] == _SCHEMAS[:1]:
            is_whole = len(pointer) >= _DEPTH
            return PlaceInComponent(Location("", pointer[:_DEPTH]), pointer[_DEPTH:]) if is_whole else None
        for length in range(len(pointer) + 1 if location.file else 0):
            name = self._names.get(Location(location.file, pointer[:length]))
            if name:
                return PlaceInComponent(Location("", (*_SCHEMAS, name)), pointer[length:])
        return None

    def component(self, location: Location) -> Location | None:
        """Return the component in which a location stands, None if it stands in none."""
        place = self._split(location)
        return place.component if place is not None else None

    def changed_place(self, location: Location) -> PlaceInComponent | None:
        """Return the changed component in which a location stands, and where; None if it stands in none."""
        if location not in self._cache:
            place = self._split(location)
            is_changed = place is not None and place.component in self._changed
            self._cache[location] = place if is_changed else None
        return self._cache[location]

    def changed_component(self, location: Location) -> Location | None:
        """Return the changed component in which a location stands, None if it stands in none."""
        place = self.changed_place(location)
        return place.component if place is not None else None

    def common(self, old: Iterable[Location], new: Iterable[Location]) -> dict[Location, Location]:
        """Return the changed components in which both an old and a new location stand, in their order.

        The values are the first new location in each, that of the whole component if both sides have it. If only
        the new side has it, a place in the component leads back to the whole, and the place is what changed.
        """
        before: dict[Location, bool] = {}
        for place in map(self.changed_place, old):
            if place is not None:
                before[place.component] = before.get(place.component, False) or not place.pointer
        after: dict[Location, Location] = {}
        led_back: set[Location] = set()
        for location in new if before else ():
            place = self.changed_place(location)
            if place is None or place.component not in before:
                continue
            component, is_whole = place.component, not place.pointer
            if component not in after or component in led_back or (is_whole and before[component]):
                after[component] = location
                led_back -= {component}
            if is_whole and not before[component] and after[component] == location:
                led_back.add(component)
        return after

    def included_in(self, schemas: Iterable[Schema], api: Api) -> dict[Location, IncludedPart]:
        """Return all that applies to a value by references and `allOf` of changed components."""
        found: dict[Location, IncludedPart] = {}
        pending: list[tuple[Schema, IncludedPart | None]] = [(schema, None) for schema in schemas]
        seen: set[Location] = set()
        while pending:
            schema, outer = pending.pop()
            if schema.location in seen:
                continue
            seen.add(schema.location)
            component = self.changed_component(schema.location)
            part = outer if component is None else IncludedPart(component, schema.location)
            if part is not None:
                found[schema.location] = part
            target = api.schemas.get(schema.ref) if schema.ref is not None else None
            pending += [(subschema, part) for subschema in (*schema.all_of, *([target] if target else []))]
        return found

    def is_whole(self, location: Location) -> bool:
        """Say whether a location is that of a whole component."""
        place = self._split(location)
        return place is not None and not place.pointer

    def subject(self, component: Location) -> Subject:
        """Return a component as the subject of changes."""
        named = component_of(component)
        assert named is not None  # noqa: S101 - components are named by their pointers
        return Subject(kind=SubjectKind.COMPONENT, section=named[0], name=named[1])

    def path(self, location: Location) -> str:
        """Return the path within its component to a location, empty for the whole component."""
        place = self._split(location)
        return path_in_component(place.component.pointer[1], place.pointer) if place is not None else ""
