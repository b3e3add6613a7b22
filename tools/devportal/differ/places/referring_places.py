"""Where a change is written in the text that changed: the reference that leads elsewhere, not what it leads to."""

from devportal.contract import ABSENT, Location
from devportal.differ.components import Components
from devportal.differ.located_changes import ComparedSchemas, Trail, WrittenPlaces
from devportal.differ.rule import FoundChange


def referring_places(
    change: FoundChange,
    compared: ComparedSchemas | None,
    owner: Location | None,
    trail: Trail,
    components: Components,
) -> WrittenPlaces | None:
    """Return where a change is written in its owner, a component, or None for an operation.

    `compared` are the schemas in which it was found, None if it was found in other parts. Return None if the
    locations of the change are right. They are if both are in one component: then no
    reference on the way leads elsewhere.
    """
    old, new = change.old_location, change.new_location
    if old is None or new is None or components.component(old) == components.component(new):
        return None

    def is_owned(location: Location) -> bool:
        return components.component(location) == owner

    old_places, new_places = [written_places.old for written_places in trail], [item.new for item in trail]
    if compared is not None:
        old_places[:0] = compared.old_included.places(old, owner)
        new_places[:0] = compared.new_included.places(new, owner)
    is_added = change.old is ABSENT and not is_owned(new)
    is_removed = change.new is ABSENT and not is_owned(old)
    return WrittenPlaces(
        next(filter(is_owned, (*old_places, old) if is_added else (old, *old_places)), old),
        next(filter(is_owned, (*new_places, new) if is_removed else (new, *new_places)), new),
    )
