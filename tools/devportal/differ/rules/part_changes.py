"""Hits at parts that both contracts have, which most rules speak of."""

from collections.abc import Mapping
from typing import Any, Protocol, TypedDict, Unpack

from devportal.contract import Location, Stability
from devportal.differ.rule import FoundChange, Verdict


class HasLocation(Protocol):
    """Anything that stands somewhere in a contract."""

    @property
    def location(self) -> Location | None:
        """Return where it stands."""


class FoundChangeFields(TypedDict, total=False):
    """What a hit says beyond its place, under the names of its fields."""

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
    """Return a hit at a part of the old contract and one of the new."""
    return FoundChange(
        old_location=before.location,
        new_location=after.location,
        names=names or {},
        stability=stability,
        **fields,
    )
