"""Which properties of an object have come, gone or got another name, and what `not` forbids."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from devportal.contract import Schema
from devportal.differ.normalise.forms import NormalProperty
from devportal.differ.normalise.normaliser import SchemaNormaliser

_MOST_SHAPED, _MOST_ASKED = 2_000, 200
"""How many pairs of properties of one object are looked at, and compared, to find what was renamed."""

Alike = Callable[[tuple[Schema, ...], tuple[Schema, ...]], bool]
"""Says of an old and a new value whether they are shown to be the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyChanges:
    """Properties that are in one of two objects only; `renamed` has the old and the new property."""

    removed: tuple[NormalProperty, ...]
    added: tuple[NormalProperty, ...]
    renamed: tuple[tuple[NormalProperty, NormalProperty], ...] = ()


def property_changes(
    removed: Sequence[NormalProperty],
    added: Sequence[NormalProperty],
    old: SchemaNormaliser,
    new: SchemaNormaliser,
    is_alike: Alike,
) -> PropertyChanges:
    """Tell apart what is gone, what is new, and what only has another name."""
    renamed = tuple(_match_renamed(removed, added, old, new, is_alike))
    gone, come = {one.name for one, _ in renamed}, {one.name for _, one in renamed}
    return PropertyChanges(
        removed=tuple(one for one in removed if one.name not in gone),
        added=tuple(one for one in added if one.name not in come),
        renamed=renamed,
    )


def _match_renamed(
    removed: Sequence[NormalProperty],
    added: Sequence[NormalProperty],
    old: SchemaNormaliser,
    new: SchemaNormaliser,
    is_alike: Alike,
) -> Iterator[tuple[NormalProperty, NormalProperty]]:
    """Yield the properties of equal schemas, those with the most similar names first, each once."""
    gone: set[str] = set()
    come: set[str] = set()
    for one, other in _rename_candidates(removed, added, old, new):
        if one.name not in gone and other.name not in come and is_alike(one.schemas, other.schemas):
            gone.add(one.name)
            come.add(other.name)
            yield one, other


def _rename_candidates(
    removed: Sequence[NormalProperty],
    added: Sequence[NormalProperty],
    old: SchemaNormaliser,
    new: SchemaNormaliser,
) -> list[tuple[NormalProperty, NormalProperty]]:
    if not removed or not added or len(removed) * len(added) > _MOST_SHAPED:
        return []
    left = [(one, _property_shape(old, one)) for one in removed]
    right = [(one, _property_shape(new, one)) for one in added]
    found = [(one, other) for one, shape in left for other, its in right if shape == its]
    found.sort(key=lambda both: -_name_similarity(both[0].name, both[1].name))
    return found[:_MOST_ASKED]


def _property_shape(forms: SchemaNormaliser, member: NormalProperty) -> tuple[object, ...]:
    form = forms.of(*member.schemas)
    return form.types, form.allows_null, form.format, frozenset(form.members), len(form.unions)


def _name_similarity(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


_MOST_NOT_PAIRS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NegationPairing:
    """The forbidden schemas of both sides that belong together, and those of one side alone."""

    pairs: tuple[tuple[Schema, Schema], ...]
    removed: tuple[Schema, ...]
    added: tuple[Schema, ...]


def pair_negations(old: Sequence[Schema], new: Sequence[Schema], is_alike: Alike) -> NegationPairing:
    """Return how forbidden schemas belong together: those that are alike, then the others in their order."""
    left, right = list(old), list(new)
    pairs: list[tuple[Schema, Schema]] = []
    for one in old if 1 < len(old) * len(new) <= _MOST_NOT_PAIRS else ():
        other = next((other for other in right if is_alike((one,), (other,))), None)
        if other is not None:
            left = [each for each in left if each is not one]
            right = [each for each in right if each is not other]
            pairs.append((one, other))
    pairs += zip(left, right, strict=False)
    count = min(len(left), len(right))
    return NegationPairing(pairs=tuple(pairs), removed=tuple(left[count:]), added=tuple(right[count:]))
