"""Which properties of an object have come, gone or got another name."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from devportal.contract import Schema
from devportal.differ.forms import Member
from devportal.differ.normal import Forms

_MOST_SHAPED, _MOST_ASKED = 2_000, 200
"""How many pairs of properties of one object are looked at, and compared, to find what was renamed."""

Alike = Callable[[tuple[Schema, ...], tuple[Schema, ...]], bool]
"""Says of an old and a new value whether they are shown to be the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyChanges:
    """Properties that are in one of two objects only; `renamed` has the old and the new property."""

    removed: tuple[Member, ...]
    added: tuple[Member, ...]
    renamed: tuple[tuple[Member, Member], ...] = ()


def property_changes(
    removed: Sequence[Member], added: Sequence[Member], old: Forms, new: Forms, is_alike: Alike
) -> PropertyChanges:
    """Tell apart what is gone, what is new, and what only has another name."""
    renamed = tuple(_renamed(removed, added, old, new, is_alike))
    gone, come = {one.name for one, _ in renamed}, {one.name for _, one in renamed}
    return PropertyChanges(
        removed=tuple(one for one in removed if one.name not in gone),
        added=tuple(one for one in added if one.name not in come),
        renamed=renamed,
    )


def _renamed(
    removed: Sequence[Member], added: Sequence[Member], old: Forms, new: Forms, is_alike: Alike
) -> Iterator[tuple[Member, Member]]:
    """Yield the properties of equal schemas, those with the most similar names first, each once."""
    gone: set[str] = set()
    come: set[str] = set()
    for one, other in _candidates(removed, added, old, new):
        if one.name not in gone and other.name not in come and is_alike(one.schemas, other.schemas):
            gone.add(one.name)
            come.add(other.name)
            yield one, other


def _candidates(
    removed: Sequence[Member], added: Sequence[Member], old: Forms, new: Forms
) -> list[tuple[Member, Member]]:
    if not removed or not added or len(removed) * len(added) > _MOST_SHAPED:
        return []
    left = [(one, _shape(old, one)) for one in removed]
    right = [(one, _shape(new, one)) for one in added]
    found = [(one, other) for one, shape in left for other, its in right if shape == its]
    found.sort(key=lambda both: -_likeness(both[0].name, both[1].name))
    return found[:_MOST_ASKED]


def _shape(forms: Forms, member: Member) -> tuple[object, ...]:
    form = forms.of(*member.schemas)
    return form.types, form.allows_null, form.format, frozenset(form.members), len(form.unions)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()
