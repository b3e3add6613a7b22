"""What branches of a union have that the others do not: branches without a name would all be called `object`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class BranchMember(NamedTuple):
    """A named field of a branch; `value` is the only value that it allows, as code, if there is one only."""

    name: str
    required: bool = False
    value: str = ""


class Branch(NamedTuple):
    """A branch of a union: what it is called without its fields, and those. One that `has_name` needs no other."""

    title: str
    members: tuple[BranchMember, ...] = ()
    has_name: bool = False


_MAX_NAMES = 3
"""How many fields a branch is called after."""


def distinguish_branches(branches: Sequence[Branch]) -> tuple[tuple[str, ...], ...]:
    """Return for each branch what it is called after, as code: `('kind: "cash"',)` for a field that has another
    value in the others, or names of fields, such as `("iban",)`. It is empty for a branch that has a name or a title
    that the others do not have, and for one that has no field that the others lack.
    """
    return tuple(
        () if branch.has_name else _distinguish(branch, _others_of(branch, branches)) for branch in branches
    )


def _others_of(branch: Branch, branches: Sequence[Branch]) -> list[Branch]:
    """Return the other branches that look the same."""
    return [
        other
        for other in branches
        if other is not branch and other.title == branch.title and not other.has_name
    ]


def _distinguish(branch: Branch, others: Sequence[Branch]) -> tuple[str, ...]:
    if not others:
        return ()
    fixed_values = [dict(_fixed_values(other)) for other in others]
    for name, value in _fixed_values(branch):
        if all(values.get(name) != value for values in fixed_values):
            return (f"{name}: {value}",)
    return _distinct_names(
        _names(branch, required=True), [_names(other, required=True) for other in others]
    ) or _distinct_names(_names(branch), [_names(other) for other in others])


def _fixed_values(branch: Branch) -> Iterator[tuple[str, str]]:
    """Yield name and value of each field that allows one value only, those that are required first."""
    for member in sorted(branch.members, key=lambda member: not member.required):
        if member.value:
            yield member.name, member.value


def _names(branch: Branch, *, required: bool = False) -> tuple[str, ...]:
    return tuple(member.name for member in branch.members if member.required or not required)


def _distinct_names(names: Sequence[str], others: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the names that none of the others has, or else those that not all of them have; none if another has
    the same.
    """
    if any(set(names) == set(other) for other in others):
        return ()
    unique = [name for name in names if not any(name in other for other in others)]
    partial = [name for name in names if not all(name in other for other in others)]
    return tuple((unique or partial)[:_MAX_NAMES])
