"""What branches of a union have that the others do not: branches without a name would all be called `object`."""

from collections.abc import Iterable, Iterator, Sequence

from devportal.reference.schema.fields import Field
from devportal.reference.schema.shapes import RowKind

_MAX_NAMES = 3
"""How many fields a branch is called after."""


def distinguish_branches(branches: Sequence[Field]) -> tuple[tuple[str, ...], ...]:
    """Return for each branch what it is called after, as code: `('kind: "cash"',)` for a field that has another
    value in the others, or names of fields, such as `("iban",)`. It is empty for a branch that has a name, a page
    or a type that the others do not have, and for one that has no field that the others lack.
    """
    return tuple(_distinguish(branch, _others_of(branch, branches)) for branch in branches)


def _others_of(branch: Field, branches: Iterable[Field]) -> list[Field]:
    """Return the other branches that look the same; none if a branch has a name or a page."""
    if branch.name or branch.value.type.target:
        return []
    return [
        other
        for other in branches
        if other is not branch and not other.name and other.value.type == branch.value.type
    ]


def _distinguish(branch: Field, others: Sequence[Field]) -> tuple[str, ...]:
    if not others:
        return ()
    fixed_values = [dict(_fixed_values(other)) for other in others]
    for name, code in _fixed_values(branch):
        if all(values.get(name) != code for values in fixed_values):
            return (f"{name}: {code}",)
    return _distinct_names(
        _names(branch, required=True), [_names(other, required=True) for other in others]
    ) or _distinct_names(_names(branch), [_names(other) for other in others])


def _fixed_values(branch: Field) -> Iterator[tuple[str, str]]:
    """Yield name and value of each field that allows one value only, those that are required first."""
    for field in sorted(_named_fields(branch), key=lambda field: not field.required):
        if len(field.value.enum) == 1:
            yield field.code, field.value.enum[0].code


def _names(branch: Field, *, required: bool = False) -> tuple[str, ...]:
    return tuple(field.code for field in _named_fields(branch) if field.required or not required)


def _named_fields(branch: Field) -> Iterator[Field]:
    return (field for field in branch.fields if field.kind is RowKind.NAMED)


def _distinct_names(names: Sequence[str], others: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the names that none of the others has, or else those that not all of them have; none if another has
    the same.
    """
    if any(set(names) == set(other) for other in others):
        return ()
    unique = [name for name in names if not any(name in other for other in others)]
    partial = [name for name in names if not all(name in other for other in others)]
    return tuple((unique or partial)[:_MAX_NAMES])
