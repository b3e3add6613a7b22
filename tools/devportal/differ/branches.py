"""Which branches of two unions belong together, so that each is judged against its own former self."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from devportal.contract import Schema
from devportal.contract.discrimination import mark_in
from devportal.differ.forms import Form, Union
from devportal.differ.normal import Forms


class Wrapping(StrEnum):
    """Whether one side has a union where the other has the plain schema."""

    NONE = "none"
    WRAPPED = "wrapped"
    UNWRAPPED = "unwrapped"


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchPairing:
    """The branches of one union of the old form and one of the new. Where only one side has a union, the
    other's plain schema is its only branch; `wrapping` says which.
    """

    old: Union
    new: Union
    pairs: tuple[tuple[Schema, Schema], ...]
    removed: tuple[Schema, ...]
    added: tuple[Schema, ...]
    wrapping: Wrapping = Wrapping.NONE


def pair_branches(old: Form, new: Form, old_forms: Forms, new_forms: Forms) -> Iterator[BranchPairing]:
    """Yield how unions and their branches belong together.

    A union that only one side has is paired with the other side's schema if one of its branches is that;
    else it is no union that has changed, but a rule that was added or dropped.
    """
    for one, other in zip(old.unions, new.unions, strict=False):
        yield _paired(one, other, old_forms, new_forms)
    if not old.unions and len(new.unions) == 1 and _is_plain_union(new):
        whole = Union(keyword=new.unions[0].keyword, branches=(old.schema,))
        found = _paired(whole, new.unions[0], old_forms, new_forms)
        if found.pairs:
            yield _wrapped(found, Wrapping.WRAPPED)
    if not new.unions and len(old.unions) == 1 and _is_plain_union(old):
        whole = Union(keyword=old.unions[0].keyword, branches=(new.schema,))
        found = _paired(old.unions[0], whole, old_forms, new_forms)
        if found.pairs:
            yield _wrapped(found, Wrapping.UNWRAPPED)


def _wrapped(found: BranchPairing, wrapping: Wrapping) -> BranchPairing:
    return BranchPairing(
        old=found.old,
        new=found.new,
        pairs=found.pairs,
        removed=found.removed,
        added=found.added,
        wrapping=wrapping,
    )


def _is_plain_union(form: Form) -> bool:
    """Say whether a form says nothing beside its union."""
    return not (
        form.declared_types or form.members or form.values is not None or form.items or form.is_closed
    )


def _paired(old: Union, new: Union, old_forms: Forms, new_forms: Forms) -> BranchPairing:
    left, right = list(old.branches), list(new.branches)
    pairs: list[tuple[Schema, Schema]] = []
    keys: tuple[tuple[Callable[[Schema], Hashable], Callable[[Schema], Hashable]], ...] = (
        (_reference, _reference),
        (lambda one: _mark(old, one), lambda one: _mark(new, one)),
        (lambda one: old_forms.of(one).schema.title, lambda one: new_forms.of(one).schema.title),
        (lambda one: _shape(old_forms.of(one)), lambda one: _shape(new_forms.of(one))),
    )
    for old_key, new_key in keys:
        pairs += _matched(left, right, old_key, new_key)
    if len(left) == 1 and len(right) == 1:
        pairs.append((left.pop(), right.pop()))
    order = {id(branch): number for number, branch in enumerate(old.branches)}
    pairs.sort(key=lambda pair: order[id(pair[0])])
    return BranchPairing(old=old, new=new, pairs=tuple(pairs), removed=tuple(left), added=tuple(right))


def _matched(
    left: list[Schema],
    right: list[Schema],
    old_key: Callable[[Schema], Hashable],
    new_key: Callable[[Schema], Hashable],
) -> Iterator[tuple[Schema, Schema]]:
    """Yield the pairs with the same key, and take them out of both lists; a key that says nothing is none."""
    found: list[tuple[Schema, Schema]] = []
    for one in tuple(left):
        key = old_key(one)
        other = next((other for other in right if key and new_key(other) == key), None)
        if other is not None:
            found.append((one, other))
            left.remove(one)
            right.remove(other)
    yield from found


def _reference(branch: Schema) -> str:
    return branch.ref.pointer[-1] if branch.ref is not None and branch.ref.pointer else ""


def _mark(union: Union, branch: Schema) -> str:
    if union.discriminator is None or branch.ref is None:
        return ""
    found = mark_in(union.discriminator, branch.ref)
    return found.value if found is not None else ""


def _shape(form: Form) -> Hashable:
    """Return what mostly tells branches apart: type, format, values and the names of properties."""
    return (
        form.types,
        form.format,
        tuple(map(str, form.values)) if form.values is not None else None,
        frozenset(form.members),
        frozenset(name for name, one in form.members.items() if one.is_required),
    )


def names_of(branches: Sequence[Schema]) -> tuple[str, ...]:
    """Return what branches are called: the component they refer to, their title, or their number."""
    return tuple(_reference(branch) or branch.title or str(number) for number, branch in enumerate(branches))
