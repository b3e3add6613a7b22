"""Proofs that one schema allows all values of another, whatever keywords they say it with.

Rules compare keyword with keyword. Where both sides say the same with different ones, only the schemas as a whole
show it: as formulas, of which the one and not the other is shown never to hold.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from devportal.contract import ABSENT
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.rule import Direction, Verdict
from devportal.differ.schemas.logic.counterexamples import Counterexamples
from devportal.differ.schemas.logic.formulas import ALWAYS, Formula, NotExpressibleError, Path, all_of, negate
from devportal.differ.schemas.logic.keyword_formulas import is_of_type
from devportal.differ.schemas.logic.satisfiability import Effort, Satisfiability
from devportal.differ.schemas.logic.schema_formulas import (
    DescribedWhere,
    ListedPlaces,
    SchemaFormulas,
    are_too_many,
)
from devportal.differ.schemas.position import Position, Schemas


class Proof(NamedTuple):
    """What is shown of an old and a new schema. `keeps_properties` holds if the new one describes each property
    that the old one does, or has a rule for all properties of the object, `adds_no_properties` in reverse.
    """

    is_old_in_new: bool = False
    is_new_in_old: bool = False
    keeps_properties: bool = False
    adds_no_properties: bool = False

    def gravest(self, position: Position) -> Verdict | None:
        """Return the gravest verdict that a change of which values are valid can have, None if nothing is shown."""
        if self.is_old_in_new and self.is_new_in_old:
            return Verdict.DOCUMENTATION
        is_sent = position.direction is Direction.TO_PROVIDER
        return Verdict.COMPATIBLE if (self.is_old_in_new if is_sent else self.is_new_in_old) else None


def prove(
    old: Schemas,
    old_forms: SchemaNormaliser,
    new: Schemas,
    new_forms: SchemaNormaliser,
    travels: Direction,
    effort: Effort,
    *,
    is_branch: bool = False,
) -> Proof:
    """Return what is shown of two schemas with an effort. `travels` decides which properties count, and null counts
    if the value is not a branch of a union.
    """
    if are_too_many(old, old_forms) or are_too_many(new, new_forms):
        return Proof()
    try:
        return _prove(old, old_forms, new, new_forms, travels, effort, is_branch=is_branch)
    except (NotExpressibleError, RecursionError):
        return Proof()


def _prove(
    old: Schemas,
    old_forms: SchemaNormaliser,
    new: Schemas,
    new_forms: SchemaNormaliser,
    travels: Direction,
    effort: Effort,
    *,
    is_branch: bool,
) -> Proof:
    sides = _formulas_of(old, old_forms, new, new_forms, travels, effort)
    search, left, right, one, other = sides
    if _without_empty(left.hidden) != _without_empty(right.hidden):
        return Proof()
    value: Formula = negate(is_of_type((), "null")) if is_branch else ALWAYS
    if search.is_shown_impossible(one) is not search.is_shown_impossible(other):
        return Proof()
    return Proof(
        is_old_in_new=search.is_shown_impossible(all_of((value, one, negate(other)))),
        is_new_in_old=search.is_shown_impossible(all_of((value, other, negate(one)))),
        keeps_properties=_describes_all(left, right),
        adds_no_properties=_describes_all(right, left),
    )


class _Sides(NamedTuple):
    """Two schemas as formulas, with who wrote them."""

    search: Satisfiability
    left: SchemaFormulas
    right: SchemaFormulas
    one: Formula
    other: Formula


def _formulas_of(
    first: Schemas,
    first_forms: SchemaNormaliser,
    second: Schemas,
    second_forms: SchemaNormaliser,
    travels: Direction,
    effort: Effort,
) -> _Sides:
    """Return two schemas as formulas, written until neither lists a place that the other does not know."""
    listed, search = ListedPlaces(), Satisfiability(effort)
    while True:
        size = listed.size
        left = SchemaFormulas(forms=first_forms, travels=travels, listed=listed, search=search)
        right = SchemaFormulas(forms=second_forms, travels=travels, listed=listed, search=search)
        one, other = left.of(first), right.of(second)
        if size == listed.size:
            return _Sides(search, left, right, one, other)


def _describes_all(left: SchemaFormulas, right: SchemaFormulas) -> bool:
    """Say whether the right side describes each property of the left one, or has a rule for all of an object."""
    return all(
        path in right.maps or _is_still_described(where, right.described.get(path, {}).get(name))
        for path, places in left.described.items()
        for name, where in places.items()
    )


def _is_still_described(where: DescribedWhere, other: DescribedWhere | None) -> bool:
    """Say whether the other side describes a property as well: what is always described is not on a condition."""
    return other is not None and not (where is DescribedWhere.ALWAYS and other is DescribedWhere.ON_CONDITION)


def _without_empty(names: Mapping[Path, set[str]]) -> dict[Path, set[str]]:
    return {path: of_path for path, of_path in names.items() if of_path}


def value_outside(
    allowing: Schemas,
    allowing_forms: SchemaNormaliser,
    refusing: Schemas,
    refusing_forms: SchemaNormaliser,
    travels: Direction,
) -> Any:
    """Return a value that some schemas may allow and others refuse, ABSENT if none is found."""
    try:
        effort = Effort(_EFFORT_FOR_VALUE, _EFFORT_FOR_VALUE)
        sides = _formulas_of(allowing, allowing_forms, refusing, refusing_forms, travels, effort)
        return Counterexamples(sides.search).value_of(all_of((sides.one, negate(sides.other))))
    except (NotExpressibleError, RecursionError):
        return ABSENT


_EFFORT_FOR_VALUE = 4_000
"""How many choices are looked at for one value."""
