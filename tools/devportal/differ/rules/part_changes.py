"""Changes of parts that both contracts have: most rules find those."""

from collections.abc import Mapping
from typing import Any, Protocol, TypedDict, Unpack

from devportal.contract import Location, Stability
from devportal.differ.rule import FoundChange, Verdict


class HasLocation(Protocol):
    """Anything with a location in a contract."""

    @property
    def location(self) -> Location | None:
        """Return its location."""


class FoundChangeFields(TypedDict, total=False):
    """The fields of a found change except its locations."""

    old: Any
    new: Any
    verdict: Verdict | None
    reason: str
    hint: str


def change_between(
    before: HasLocation,
    after: HasLocation,
    *,
    names: Mapping[str, str] | None = None,
    stability: Stability | None = None,
    **fields: Unpack[FoundChangeFields],
) -> FoundChange:
    """Return a change of a part that both contracts have."""
    return FoundChange(
        old_location=before.location,
        new_location=after.location,
        names=names or {},
        stability=stability,
        **fields,
    )
