"""Changes that belong together because one edit of the contract made them, such as a value that is removed from an
enum which both requests and responses use.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from devportal.changelog.proof.severity import change_severity, highest_impact, least_impact
from devportal.contract import ABSENT
from devportal.differ import Change
from devportal.differ.change import Subject, component_of, property_step
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.rule import Area, Verdict

_BRANCH = re.compile(r"\|[^.\[|:]*$")
_LAST_NAME = re.compile(r'\.?(?:"(?:[^"\\]|\\.)*"|[^.\[\]|:*"]+)$')
_NEW_NAME = re.compile(r'\brenamed to ("(?:[^"\\]|\\.)*")')
"""The name in the sentence of a removed part that the differ takes for a renamed one."""


def join_edits(changes: Iterable[Change]) -> tuple[tuple[Change, ...], ...]:
    """Return changes grouped by the edit that made them, in their order.

    An edit makes several changes if several rules look at the part, if the part is both sent and received, if
    several operations share it, if a union gets one branch in place of another, if a part gets another name, and
    if a reference leads to another component. A deprecation is a separate edit: its entry has another kind.

    What is written twice, for requests and for responses, counts as one edit if its impacts differ.
    """
    edits = _join_by_marks(((change,) for change in changes), _edit_marks)
    return _join_by_marks(edits, _marks_of_copies(edits))


_Edit = tuple[Change, ...]


def _join_by_marks(
    edits: Iterable[_Edit], marks_of: Callable[[_Edit], Iterable[Hashable]]
) -> tuple[_Edit, ...]:
    """Return edits with those joined that have a mark in common, directly or by others."""
    marks = _JoinedMarks()
    first_marks = [(marks.join(*marks_of(edit)), edit) for edit in edits]
    joined: dict[Hashable, list[Change]] = {}
    for mark, edit in first_marks:
        joined.setdefault(marks.leader(mark), []).extend(edit)
    return tuple(map(tuple, joined.values()))


def _marks_of_copies(edits: tuple[_Edit, ...]) -> Callable[[_Edit], Iterator[Hashable]]:
    """Return what gives the marks of an edit that other edits with another impact have too."""
    impacts: defaultdict[Hashable, set[str]] = defaultdict(set)
    for edit in edits:
        for copy in _copies(edit):
            impacts[copy].add(highest_impact(map(least_impact, edit)))

    def marks_of(edit: _Edit) -> Iterator[Hashable]:
        yield id(edit)
        yield from (copy for copy in _copies(edit) if len(impacts[copy]) > 1)

    return marks_of


def _copies(edit: _Edit) -> Iterator[Hashable]:
    """Yield what is equal for copies of a part in the same API: its name, and what was added to it or removed."""
    for change in edit:
        name = _LAST_NAME.search(change.field)
        is_one_sided = (change.old is ABSENT) != (change.new is ABSENT)
        if change.direction is None or name is None or not is_one_sided:
            continue
        owners = {tag for use in change.used_by for tag in use.tags} or {str(change.subject)}
        values = tuple("" if value is ABSENT else canonical_json(value) for value in (change.old, change.new))
        yield from ((owner, name[0].lstrip("."), change.area, *values) for owner in sorted(owners))


class _JoinedMarks:
    """Marks in disjoint sets: those in one set are of the same edit."""

    def __init__(self) -> None:
        self._parents: dict[Hashable, Hashable] = {}

    def leader(self, mark: Hashable) -> Hashable:
        """Return the mark that stands for the set of a mark."""
        while (parent := self._parents.setdefault(mark, mark)) != mark:
            self._parents[mark] = self._parents.setdefault(parent, parent)
            mark = parent
        return mark

    def join(self, first: Hashable, *others: Hashable) -> Hashable:
        """Put marks into one set, and return the first one."""
        for other in others:
            self._parents[self.leader(other)] = self.leader(first)
        return first


def _edit_marks(edit: _Edit) -> Iterator[Hashable]:
    """Yield what the changes of one edit have in common; each change has at least one mark."""
    return chain.from_iterable(map(_marks, edit))


def _marks(change: Change) -> Iterator[Hashable]:
    if change.verdict is Verdict.LIFECYCLE or change.area is Area.LIFECYCLE:
        yield "lifecycle", change.fingerprint
        return
    yield _part(change, change.field)
    if renamed := _NEW_NAME.search(change.message):
        parent = _LAST_NAME.sub("", change.field)
        name = property_step(json.loads(renamed[1], strict=False))
        yield _part(change, parent + name if parent else name.removeprefix("."))
    old, new = change.targets or (change.old_location, change.new_location)
    if old is None or new is None:
        return
    yield "text", change.rule, old, new
    old_component, new_component = component_of(old), component_of(new)
    if old_component and new_component and old_component[:2] != new_component[:2]:
        yield "components", old_component[:2], new_component[:2]


def _part(change: Change, field: str) -> tuple[str, Subject, str, str]:
    """Return the part at a place; of a branch the union, and of a whole operation its area, such as security."""
    field = _BRANCH.sub("", field)
    return "part", change.subject, field, "" if field else change.area


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectedChange:
    """A change, and the same change in the other direction if the part is both sent and received.

    `change` is the more severe of the two.
    """

    change: Change
    opposite: Change | None = None

    @property
    def both(self) -> tuple[Change, ...]:
        """Return the change, and the one in the other direction if there is one."""
        return (self.change, self.opposite) if self.opposite is not None else (self.change,)


def join_directions(changes: Iterable[Change]) -> tuple[DirectedChange, ...]:
    """Return changes with those of the other direction joined to them, each at the place of its first one."""
    by_key: dict[Hashable, list[Change]] = {}
    for change in changes:
        key = (change.subject, change.field, change.message)
        own_key: Hashable = (*key, change.fingerprint) if change.direction is None else key
        by_key.setdefault(own_key, []).append(change)
    return tuple(joined for alike in by_key.values() for joined in _pair_directions(alike))


def _pair_directions(alike: list[Change]) -> Iterator[DirectedChange]:
    """Yield changes that read the same, in pairs of opposite directions."""
    left = sorted(alike, key=lambda change: change_severity(change).position)
    while left:
        first, *left = left
        opposite = next((change for change in left if _is_opposite(change, first)), None)
        left = [change for change in left if change is not opposite]
        yield DirectedChange(change=first, opposite=opposite)


def _is_opposite(change: Change, other: Change) -> bool:
    return other.direction is not None and change.direction is other.direction.opposite
