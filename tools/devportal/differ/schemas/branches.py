"""Matches the branches of two unions, so that each is compared with its former self."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from devportal.contract import Schema
from devportal.contract.values.hints import discriminator_value
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.normalise.digest import schema_digest
from devportal.differ.normalise.forms import Union
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.schemas.branch_overlap import (
    MIN_PROPERTY_OVERLAP,
    core_key,
    limits_key,
    property_overlap,
    shape_key,
    title_of,
)


class Wrapping(StrEnum):
    """Whether one side has a union and the other the plain schema."""

    NONE = "none"
    WRAPPED = "wrapped"
    UNWRAPPED = "unwrapped"


Branch = tuple[Schema, ...]
"""A branch, with the siblings of its union if those are compared with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchPairing:
    """The branches of one union of the old form and one of the new. If only one side has a union, the
    other's plain schema is its only branch; `wrapping` says which. `was_union` holds if that was written as
    a union of one branch.
    """

    old: Union
    new: Union
    pairs: tuple[tuple[Branch, Branch], ...]
    removed: tuple[Schema, ...]
    added: tuple[Schema, ...]
    wrapping: Wrapping = Wrapping.NONE
    was_union: bool = False


def pair_branches(
    old: Union, new: Union, old_forms: SchemaNormaliser, new_forms: SchemaNormaliser
) -> BranchPairing:
    """Pair the branches of two unions.

    By reference, by discriminator value, by title, by digest, by structure, by properties with a single
    value, by shape; at last the only ones left on both sides.
    """
    left, right = list(old.branches), list(new.branches)
    pairs: list[tuple[Schema, Schema]] = []
    old_values = {id(one): _discriminator_value(old, one) for one in left}
    new_values = {id(one): _discriminator_value(new, one) for one in right}
    keys: tuple[tuple[Callable[[Schema], Hashable], Callable[[Schema], Hashable]], ...] = (
        (reference_name, reference_name),
        (lambda one: old_values[id(one)], lambda one: new_values[id(one)]),
        (lambda one: title_of(old_forms.of(one)), lambda one: title_of(new_forms.of(one))),
        (lambda one: _branch_digest(old_forms, one), lambda one: _branch_digest(new_forms, one)),
        (lambda one: _structure_key(old_forms, one), lambda one: _structure_key(new_forms, one)),
        (
            lambda one: _single_value_properties(old_forms, one),
            lambda one: _single_value_properties(new_forms, one),
        ),
        (lambda one: shape_key(old_forms.of(one)), lambda one: shape_key(new_forms.of(one))),
    )
    for old_key, new_key in keys:
        pairs += _take_pairs_by_key(left, right, old_key, new_key)
    pairs += _take_most_alike_pairs(left, right, old_forms, new_forms)
    if len(left) == 1 and len(right) == 1 and not (_are_both_mapped(old, left[0], new, right[0])):
        pairs.append((left.pop(), right.pop()))
    order = {id(branch): number for number, branch in enumerate(old.branches)}
    pairs.sort(key=lambda pair: order[id(pair[0])])
    return BranchPairing(
        old=old,
        new=new,
        pairs=tuple(((one,), (other,)) for one, other in pairs),
        removed=tuple(left),
        added=tuple(right),
    )


def _take_pairs_by_key(
    left: list[Schema],
    right: list[Schema],
    old_key: Callable[[Schema], Hashable],
    new_key: Callable[[Schema], Hashable],
) -> Iterator[tuple[Schema, Schema]]:
    """Yield the pairs with the same key, and take them out of both lists; empty keys do not match."""
    if not left or not right:
        return
    right_by_key: dict[Hashable, list[Schema]] = {}
    for other in right:
        right_by_key.setdefault(new_key(other), []).append(other)
    for one in tuple(left):
        key = old_key(one)
        if key and right_by_key.get(key):
            other = right_by_key[key].pop(0)
            _remove_by_identity(left, one)
            _remove_by_identity(right, other)
            yield one, other


def _branch_digest(forms: SchemaNormaliser, branch: Schema) -> Hashable:
    return schema_digest(forms.api, (branch,), forms.other_contract_names)


def _structure_key(forms: SchemaNormaliser, branch: Schema) -> Hashable:
    """Return the structure of a branch and its properties, limits included."""
    form = forms.of(branch)
    members = ((name, core_key(forms.of(*one.schemas))) for name, one in form.members.items() if one.schemas)
    return (shape_key(form), limits_key(form), frozenset(members))


def _single_value_properties(forms: SchemaNormaliser, branch: Schema) -> Hashable:
    """Return the properties with a single value, and the value: they usually identify the kind of an object.
    Empty if there are none.
    """
    form = forms.of(branch)
    values_by_name = (
        (name, forms.of(*one.schemas).values) for name, one in form.members.items() if one.schemas
    )
    single_values = frozenset(
        (name, canonical_json(values[0])) for name, values in values_by_name if values and len(values) == 1
    )
    return (shape_key(form), single_values) if single_values else ()


def _remove_by_identity(schemas: list[Schema], one: Schema) -> None:
    """Remove a schema from a list by identity, since the list may have equal ones."""
    del schemas[next(number for number, other in enumerate(schemas) if other is one)]


def _take_most_alike_pairs(
    left: list[Schema], right: list[Schema], old_forms: SchemaNormaliser, new_forms: SchemaNormaliser
) -> Iterator[tuple[Schema, Schema]]:
    """Yield the objects that have most of their properties in common, and take them out of both lists."""
    if len(left) * len(right) > _MAX_COMPARED_PAIRS:
        return
    candidates = [
        (property_overlap(old_forms.of(one), new_forms.of(other)), one, other)
        for one in left
        for other in right
        if not one.ref and not other.ref
    ]
    candidates.sort(key=lambda item: -item[0])
    for overlap, one, other in candidates:
        is_free = any(one is each for each in left) and any(other is each for each in right)
        if overlap >= MIN_PROPERTY_OVERLAP and is_free:
            _remove_by_identity(left, one)
            _remove_by_identity(right, other)
            yield one, other


_MAX_COMPARED_PAIRS = 2_000


def reference_name(branch: Schema) -> str:
    """Return the name at the end of a branch's reference, empty if it is none."""
    return branch.ref.pointer[-1] if branch.ref is not None and branch.ref.pointer else ""


def _discriminator_value(union: Union, branch: Schema) -> str:
    if union.discriminator is None or branch.ref is None:
        return ""
    value = discriminator_value(union.discriminator, branch.ref)
    return value.value if value is not None else ""


def differ_by_discriminator(pairing: BranchPairing, old: Schema, new: Schema) -> bool:
    """Return whether discriminators distinguish two branches, whatever else a value has."""
    one, other = _discriminator_value(pairing.old, old), _discriminator_value(pairing.new, new)
    return bool(one and other) and one != other


def _are_both_mapped(old: Union, one: Schema, new: Union, other: Schema) -> bool:
    """Say whether mappings call two branches by different names, so that neither is the other."""
    return all(
        union.discriminator is not None
        and any(target == branch.ref for _, target in union.discriminator.mapping)
        for union, branch in ((old, one), (new, other))
    )


def branch_names(branches: Sequence[Schema]) -> tuple[str, ...]:
    """Return the names of branches: the component they refer to, their title, or their number."""
    return tuple(
        reference_name(branch) or branch.title or str(number) for number, branch in enumerate(branches)
    )
