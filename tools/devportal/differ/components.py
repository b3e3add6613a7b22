"""The components of two contracts: which one a place stands in, and whether its own text changed."""

from collections.abc import Iterable

from devportal.contract import Api, Location
from devportal.differ.change import Subject, SubjectKind, component_of, path_in_component

_DEPTH = len(("components", "schemas", "name"))


class Components:
    """The components that both contracts have, and of each whether its text is another one.

    A change belongs to a component only if it is reached under the same name on both sides and its own text
    changed, not what it refers to. A schema that another file holds is a component, too.
    """

    def __init__(self, old: Api, new: Api) -> None:
        """Take both contracts."""
        self._names = {location: schema.name for location, schema in new.schemas.items() if location.file}
        self._changed = {
            location
            for location, digest in old.text_digests.items()
            if new.text_digests.get(location, digest) != digest
        }
        self._cache: dict[Location, Location | None] = {}

    def changed_component(self, location: Location) -> Location | None:
        """Return the component in which a location stands, None if its text is the same or it has none."""
        try:
            return self._cache[location]
        except KeyError:
            component = self._cache[location] = self._find_changed_component(location)
            return component

    def _find_changed_component(self, location: Location) -> Location | None:
        pointer = location.pointer
        if pointer[:1] == ("components",):
            component = Location(location.file, pointer[:_DEPTH])
            return component if component in self._changed else None
        if not location.file:
            return None
        holders = (Location(location.file, pointer[:length]) for length in range(len(pointer) + 1))
        return next((one for one in holders if one in self._changed and one in self._names), None)

    def common(self, old: Iterable[Location], new: Iterable[Location]) -> dict[Location, Location]:
        """Return the changed components in which both an old and a new location stand, in their order.

        The values are the first new location in each, that of the whole component if both sides have it.
        """
        before: dict[Location, bool] = {}
        for one in old:
            component = self.changed_component(one)
            if component is not None:
                before[component] = before.get(component, False) or one == component
        after: dict[Location, Location] = {}
        for one in new if before else ():
            component = self.changed_component(one)
            if component is not None and component in before:
                after.setdefault(component, one)
                if one == component and before[component]:
                    after[component] = one
        return after

    def subject(self, component: Location) -> Subject:
        """Return a component as the subject of changes."""
        named = component_of(component)
        section, name = named[:2] if named is not None else ("schemas", self._names[component])
        return Subject(kind=SubjectKind.COMPONENT, section=section, name=name)

    def path(self, component: Location, location: Location) -> str:
        """Return the path within a component to a location in it."""
        section = component.pointer[1] if component.pointer[:1] == ("components",) else "schemas"
        return path_in_component(section, location.pointer[len(component.pointer) :])
