"""Which branches of two unions belong together, so that each is judged against its own former self."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from devportal.contract import Location, Schema
from devportal.contract.beside import is_bare
from devportal.contract.discrimination import mark_in
from devportal.differ.forms import Form, Union
from devportal.differ.normal import Forms


class Wrapping(StrEnum):
    """Whether one side has a union where the other has the plain schema."""

    NONE = "none"
    WRAPPED = "wrapped"
    UNWRAPPED = "unwrapped"


Branch = tuple[Schema, ...]
"""A branch, with what is said beside its union where that is compared with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchPairing:
    """The branches of one union of the old form and one of the new. Where only one side has a union, the
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
    forms are branches themselves: what is said beside a union within a union is left to the outer one.
    """
    if not old.unions and len(new.unions) == 1:
        wrapped = _wrapped(new, old, new_forms, old_forms, is_branch=is_branch)
        if wrapped is not None:
            return UnionChanges(pairings=(_turned(wrapped),))
    if not new.unions and len(old.unions) == 1:
        unwrapped = _wrapped(old, new, old_forms, new_forms, is_branch=is_branch)
        if unwrapped is not None:
            return UnionChanges(pairings=(unwrapped,))
    left, right = list(old.unions), list(new.unions)
    matched = tuple(_matched_unions(left, right, old_forms, new_forms))
    pairings = tuple(_paired(one, other, old_forms, new_forms) for one, other in matched)
    return UnionChanges(pairings=pairings, removed=tuple(left), added=tuple(right))


def _matched_unions(
    left: list[Union], right: list[Union], old_forms: Forms, new_forms: Forms
) -> Iterator[tuple[Union, Union]]:
    """Yield the unions with most branches in common, and take them out of both lists."""
    keys = {
        id(union): frozenset(_reference(branch) or _shape(forms.of(branch)) for branch in union.branches)
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


def _wrapped(
    union: Form, plain: Form, union_forms: Forms, plain_forms: Forms, *, is_branch: bool
) -> BranchPairing | None:
    """Return the pairing of an old union with a plain new schema, None where no branch of it is that."""
    beside = () if is_branch else tuple(_beside(union.parts))
    own = union.unions[0]
    if beside and _core(union_forms.of(*beside)) == _core(plain):
        return None
    branch = _branch_of(own, beside, plain, union_forms, plain_forms)
    if branch is None:
        return None
    single = next((part for part in plain.parts if len(part.one_of) == 1 or len(part.any_of) == 1), None)
    keyword = own.keyword if single is None else ("oneOf" if single.one_of else "anyOf")
    return BranchPairing(
        old=own,
        new=Union(keyword=keyword, branches=(plain.schema,)),
        pairs=(((branch, *beside), (plain.schema,)),),
        removed=tuple(one for one in own.branches if one is not branch),
        added=(),
        wrapping=Wrapping.UNWRAPPED,
        was_union=single is not None,
    )


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


def _beside(parts: Sequence[Schema]) -> Iterator[Schema]:
    """Yield what parts say beside their unions."""
    for part in parts:
        if not (part.ref or part.all_of or part.one_of or part.any_of):
            yield part
            continue
        left = replace(part, name="", ref=None, all_of=(), one_of=(), any_of=(), discriminator=None)
        left = replace(left, nullable=left.nullable and bool(left.types))
        if not is_bare(left):
            yield left


def _branch_of(
    union: Union, beside: Branch, plain: Form, union_forms: Forms, plain_forms: Forms
) -> Schema | None:
    """Return the branch that a plain schema is: the one of its name, or else the one most like it."""
    location = plain_forms.api.resolve(plain.schema).location
    named = [one for one in union.branches if _target(one, union_forms) == location]
    if len(named) == 1 and location.pointer[:1] == ("components",):
        return named[0]
    forms = {id(one): union_forms.of(one, *beside) for one in union.branches}
    for key in (_titled, _shape, _core):
        alike = [one for one in union.branches if key(forms[id(one)]) == key(plain)]
        if key(plain) and len(alike) == 1:
            return alike[0]
    likeness = {id(one): _likeness(forms[id(one)], plain) for one in union.branches}
    best = max(union.branches, key=lambda one: likeness[id(one)])
    return best if likeness[id(best)] >= _ALIKE else None


_ALIKE = 0.5
"""The share of properties that two objects have in common for one to be the other's former self."""


def _likeness(one: Form, other: Form) -> float:
    """Return which share of their properties two objects have in common."""
    both = one.members.keys() & other.members.keys()
    return len(both) / max(len(one.members), len(other.members), 1)


def _target(branch: Schema, forms: Forms) -> Location:
    return forms.api.resolve(branch).location


def _paired(old: Union, new: Union, old_forms: Forms, new_forms: Forms) -> BranchPairing:
    left, right = list(old.branches), list(new.branches)
    pairs: list[tuple[Schema, Schema]] = []
    old_marks = {id(one): _mark(old, one) for one in left}
    new_marks = {id(one): _mark(new, one) for one in right}
    keys: tuple[tuple[Callable[[Schema], Hashable], Callable[[Schema], Hashable]], ...] = (
        (_reference, _reference),
        (lambda one: old_marks[id(one)], lambda one: new_marks[id(one)]),
        (lambda one: _titled(old_forms.of(one)), lambda one: _titled(new_forms.of(one))),
        (lambda one: _shape(old_forms.of(one)), lambda one: _shape(new_forms.of(one))),
    )
    for old_key, new_key in keys:
        pairs += _matched(left, right, old_key, new_key)
    pairs += _most_alike(left, right, old_forms, new_forms)
    if len(left) == 1 and len(right) == 1 and not (_are_marked(old, left[0], new, right[0])):
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


def _matched(
    left: list[Schema],
    right: list[Schema],
    old_key: Callable[[Schema], Hashable],
    new_key: Callable[[Schema], Hashable],
) -> Iterator[tuple[Schema, Schema]]:
    """Yield the pairs with the same key, and take them out of both lists; a key that says nothing is none."""
    if not left or not right:
        return
    waiting: dict[Hashable, list[Schema]] = {}
    for other in right:
        waiting.setdefault(new_key(other), []).append(other)
    for one in tuple(left):
        key = old_key(one)
        if key and waiting.get(key):
            other = waiting[key].pop(0)
            _take(left, one)
            _take(right, other)
            yield one, other


def _take(schemas: list[Schema], one: Schema) -> None:
    """Take a schema out of a list: that very one, as equal ones may stand there too."""
    del schemas[next(number for number, other in enumerate(schemas) if other is one)]


def _most_alike(
    left: list[Schema], right: list[Schema], old_forms: Forms, new_forms: Forms
) -> Iterator[tuple[Schema, Schema]]:
    """Yield the objects that have most of their properties in common, and take them out of both lists."""
    if len(left) * len(right) > _MOST_COMPARED:
        return
    found = [
        (_likeness(old_forms.of(one), new_forms.of(other)), one, other)
        for one in left
        for other in right
        if not one.ref and not other.ref
    ]
    found.sort(key=lambda item: -item[0])
    for likeness, one, other in found:
        is_free = any(one is each for each in left) and any(other is each for each in right)
        if likeness >= _ALIKE and is_free:
            _take(left, one)
            _take(right, other)
            yield one, other


_MOST_COMPARED = 2_000


def _reference(branch: Schema) -> str:
    return branch.ref.pointer[-1] if branch.ref is not None and branch.ref.pointer else ""


def _mark(union: Union, branch: Schema) -> str:
    if union.discriminator is None or branch.ref is None:
        return ""
    found = mark_in(union.discriminator, branch.ref)
    return found.value if found is not None else ""


def are_told_apart(pairing: BranchPairing, old: Schema, new: Schema) -> bool:
    """Say whether discriminators tell two branches apart, whatever else a value holds."""
    one, other = _mark(pairing.old, old), _mark(pairing.new, new)
    return bool(one and other) and one != other


def _are_marked(old: Union, one: Schema, new: Union, other: Schema) -> bool:
    """Say whether mappings call two branches by different names, so that neither is the other."""
    return all(
        union.discriminator is not None
        and any(target == branch.ref for _, target in union.discriminator.mapping)
        for union, branch in ((old, one), (new, other))
    )


def _titled(form: Form) -> str:
    return form.schema.title


def _core(form: Form) -> Hashable:
    """Return type, values and the names of properties: what a schema describes, without its limits."""
    return (
        form.types,
        tuple(map(str, form.values)) if form.values is not None else None,
        frozenset(form.members),
    )


def _shape(form: Form) -> Hashable:
    """Return what mostly tells branches apart: the core, the format, and what is required."""
    return (
        _core(form),
        form.format,
        frozenset(name for name, one in form.members.items() if one.is_required),
    )


def names_of(branches: Sequence[Schema]) -> tuple[str, ...]:
    """Return what branches are called: the component they refer to, their title, or their number."""
    return tuple(_reference(branch) or branch.title or str(number) for number, branch in enumerate(branches))
