"""Which parameters of an operation are the same in both contracts: by place and name, or else by position."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from devportal.contract import Parameter, ParameterLocation
from devportal.differ.match.operations import placeholders

_Pair = tuple[Parameter, Parameter]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterMatching:
    """What became of each parameter. `relocated` kept their name and travel elsewhere; `renamed` kept place
    and schema.
    """

    kept: tuple[_Pair, ...]
    relocated: tuple[_Pair, ...]
    renamed: tuple[_Pair, ...]
    removed: tuple[Parameter, ...]
    added: tuple[Parameter, ...]


def match_parameters(
    old: tuple[Sequence[Parameter], str],
    new: tuple[Sequence[Parameter], str],
    is_renamed: Callable[[Parameter, Parameter], bool],
) -> ParameterMatching:
    """Return the matched parameters, given those of both operations with their paths.

    Path parameters match by the position of their placeholders (decision of ours: their names are never
    sent), all others by their names, for headers in any case (RFC 9110 §5.1).
    """
    left, right = list(old[0]), list(new[0])
    before, after = placeholders(old[1]), placeholders(new[1])
    kept = []
    if len(before) == len(after):
        kept += _take_pairs_by_key(
            left,
            right,
            lambda one: _placeholder_index(one, before),
            lambda one: _placeholder_index(one, after),
        )
    kept += _take_pairs_by_key(left, right, _location_and_name, _location_and_name)
    relocated = _take_relocated(left, right)
    renamed = _take_renamed(left, right, is_renamed)
    return ParameterMatching(
        kept=tuple(kept),
        relocated=tuple(relocated),
        renamed=tuple(renamed),
        removed=tuple(left),
        added=tuple(right),
    )


def _take_pairs_by_key(
    left: list[Parameter],
    right: list[Parameter],
    old_key: Callable[[Parameter], Hashable],
    new_key: Callable[[Parameter], Hashable],
) -> list[_Pair]:
    """Return the pairs with the same key, and remove them from both lists; a key of None does not match."""
    pairs = []
    for one in tuple(left):
        key = old_key(one)
        other = next((other for other in right if key is not None and new_key(other) == key), None)
        if other is not None:
            pairs.append((one, other))
            left.remove(one)
            right.remove(other)
    return pairs


def _placeholder_index(one: Parameter, names: tuple[str, ...]) -> int | None:
    is_placed = one.location_in is ParameterLocation.PATH and one.name in names
    return names.index(one.name) if is_placed else None


def _location_and_name(one: Parameter) -> Hashable:
    name = one.name.lower() if one.location_in is ParameterLocation.HEADER else one.name
    return one.location_in, name


def _take_relocated(left: list[Parameter], right: list[Parameter]) -> list[_Pair]:
    pairs = []
    for one in tuple(left):
        same = (other for other in right if other.name.lower() == one.name.lower())
        other = next((other for other in same if other.location_in is not one.location_in), None)
        if other is not None and not one.broken and not other.broken:
            pairs.append((one, other))
            left.remove(one)
            right.remove(other)
    return pairs


def _take_renamed(
    left: list[Parameter], right: list[Parameter], is_renamed: Callable[[Parameter, Parameter], bool]
) -> list[_Pair]:
    pairs = []
    for one in tuple(left):
        same = [other for other in right if other.location_in is one.location_in and is_renamed(one, other)]
        other = max(same, key=lambda other: _name_similarity(one.name, other.name), default=None)
        if other is not None and one.location_in is not ParameterLocation.PATH:
            pairs.append((one, other))
            left.remove(one)
            right.remove(other)
    return pairs


def _name_similarity(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()
