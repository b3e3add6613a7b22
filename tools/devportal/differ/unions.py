"""What became of the unions of a form: which of both sides belong together, and which one side has alone."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from devportal.differ.branches import BranchPairing, Wrapping, pair_branches, reference_of
from devportal.differ.forms import Form, Union
from devportal.differ.likeness import shape
from devportal.differ.normal import Forms
from devportal.differ.spreading import gathered
from devportal.differ.wrapping import unwrapping


@dataclass(frozen=True, slots=True, kw_only=True)
class UnionChanges:
    """The unions that both forms have, those with a plain schema, and those that one form has alone."""

    pairings: tuple[BranchPairing, ...] = ()
    removed: tuple[Union, ...] = ()
    added: tuple[Union, ...] = ()


def union_changes(
    old: Form, new: Form, old_forms: Forms, new_forms: Forms, *, is_branch: bool
) -> UnionChanges:
    """Return how unions and their branches belong together.

    A union that only one side has is paired with the other side's schema if one of its branches is that;
    else it is no union that has changed, but a rule that was added or dropped. `is_branch` holds where the
    forms are branches themselves: there a union with more beside it is none of the other side's branches.
    """
    if not old.unions and not new.unions:
        return UnionChanges()
    if not old.unions and len(new.unions) == 1:
        wrapped = gathered(new, old, new_forms) or unwrapping(
            new, old, new_forms, old_forms, is_branch=is_branch
        )
        if wrapped is not None:
            return UnionChanges(pairings=(_turned(wrapped),))
    if not new.unions and len(old.unions) == 1:
        unwrapped = gathered(old, new, old_forms) or unwrapping(
            old, new, old_forms, new_forms, is_branch=is_branch
        )
        if unwrapped is not None:
            return UnionChanges(pairings=(unwrapped,))
    left, right = list(old.unions), list(new.unions)
    matched = tuple(_matched_unions(left, right, old_forms, new_forms))
    pairings = tuple(pair_branches(one, other, old_forms, new_forms) for one, other in matched)
    return UnionChanges(pairings=pairings, removed=tuple(left), added=tuple(right))


def _matched_unions(
    left: list[Union], right: list[Union], old_forms: Forms, new_forms: Forms
) -> Iterator[tuple[Union, Union]]:
    """Yield the unions with most branches in common, and take them out of both lists."""
    if len(left) == len(right) == 1:
        yield left.pop(), right.pop()
        return
    keys = {
        id(union): frozenset(reference_of(branch) or shape(forms.of(branch)) for branch in union.branches)
        for forms, unions in ((old_forms, left), (new_forms, right))
        for union in unions
    }
    while left and right:
        one, other = max(
            ((one, other) for one in left for other in right),
            key=lambda both: (
                len(keys[id(both[0])] & keys[id(both[1])]),
                both[0].keyword == both[1].keyword,
                -left.index(both[0]) - right.index(both[1]),
            ),
        )
        left.remove(one)
        right.remove(other)
        yield one, other


def _turned(found: BranchPairing) -> BranchPairing:
    """Return a pairing with old and new swapped."""
    return replace(
        found,
        old=found.new,
        new=found.old,
        pairs=tuple((new, old) for old, new in found.pairs),
        removed=found.added,
        added=found.removed,
        wrapping=Wrapping.WRAPPED,
    )
