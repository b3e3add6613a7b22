"""Where a part stands that came or went: what an operation refers to is no change of the shared component."""

from devportal.contract import Location
from devportal.differ.fields import component_of


def within(part: Location, whole: Location) -> Location:
    """Return the place of a part; that of the whole if the part is a component of its own."""
    own, outer = component_of(part), component_of(whole)
    if own is None or (outer is not None and own[:2] == outer[:2]):
        return part
    return whole
