"""Unions: which ones of both sides belong together, and unions beside a plain schema."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from devportal.contract import Location, Schema
from devportal.differ.normalise.all_of import without_redundant_integer
from devportal.differ.normalise.forms import NormalSchema, Union, allows_any_value
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.rule import Verdict
from devportal.differ.schemas.unions.branch_overlap import (
    MIN_PROPERTY_OVERLAP,
    core_key,
    may_cover,
    property_overlap,
    shape_key,
    title_of,
)
from devportal.differ.schemas.unions.branches import (
    BranchPairing,
    Wrapping,
    gravest_between_unions,
    pair_branches,
    reference_name,
)
from devportal.differ.schemas.unions.pieces import has_rules_beside_union, restrict_to_type, union_siblings
from devportal.differ.schemas.unions.union_inclusion import Branch, UnionSides, gravest_verdict


def pair_union_with_plain_schema(
    union: NormalSchema,
    plain: NormalSchema,
    union_forms: SchemaNormaliser,
    plain_forms: SchemaNormaliser,
    *,
    is_branch: bool,
    are_related: Callable[[Branch, Branch], bool],
) -> BranchPairing | None:
    """Return the pairing of an old union with a plain new schema, None if no branch of it is that.

    `are_related` says whether a branch allows all values of the plain schema, or the reverse.
    """
    beside = tuple(union_siblings(union.parts))
    own = union.unions[0]
    if beside and is_branch:
        return None
    if beside and core_key(union_forms.of(*beside)) == core_key(plain):
        return None
    branch = _branch_like(own, beside, plain, union_forms, plain_forms, are_related)
    if branch is None:
        return None
    single = next((part for part in plain.parts if len(part.one_of) == 1 or len(part.any_of) == 1), None)
    keyword = own.keyword if single is None else ("oneOf" if single.one_of else "anyOf")
    return BranchPairing(
        old=own,
        new=Union(
            keyword=keyword,
            branches=(plain.schema,),
            discriminator=None if single is None else single.discriminator,
        ),
        pairs=(((branch, *beside), (plain.schema,)),),
        removed=tuple(schema for schema in own.branches if schema is not branch),
        added=(),
        wrapping=Wrapping.UNWRAPPED,
        was_union=single is not None,
    )


def _branch_like(
    union: Union,
    beside: Branch,
    plain: NormalSchema,
    union_forms: SchemaNormaliser,
    plain_forms: SchemaNormaliser,
    are_related: Callable[[Branch, Branch], bool],
) -> Schema | None:
    """Return the branch that a plain schema is: the one of its name, or else the one most like it."""
    location = plain_forms.api.resolve(plain.schema).location
    referring = [branch for branch in union.branches if _target_location(branch, union_forms) == location]
    if len(referring) == 1 and location.pointer[:1] == ("components",):
        return referring[0]
    forms = {id(branch): union_forms.of(branch, *beside) for branch in union.branches}
    for key in (title_of, shape_key, core_key):
        alike = [branch for branch in union.branches if key(forms[id(branch)]) == key(plain)]
        if key(plain) and len(alike) == 1:
            return alike[0]
    overlaps = {id(branch): property_overlap(forms[id(branch)], plain) for branch in union.branches}
    best = max(union.branches, key=lambda branch: overlaps[id(branch)])
    if overlaps[id(best)] >= MIN_PROPERTY_OVERLAP:
        return best
    if plain.types not in _TYPES_WITH_MEMBERS:
        return None
    related = (branch for branch in union.branches if are_related((branch, *beside), (plain.schema,)))
    return next(related, None)


_TYPES_WITH_MEMBERS = ({"object"}, {"array"})


def _target_location(branch: Schema, forms: SchemaNormaliser) -> Location:
    return forms.api.resolve(branch).location


def pair_union_with_type_list(
    union: NormalSchema, plain: NormalSchema, union_forms: SchemaNormaliser
) -> BranchPairing | None:
    """Return the pairing of an old union with a new schema of several types, None if it is none.

    Each branch is compared with the rules of the plain schema for its type.
    """
    own = union.unions[0]
    branch_by_type = _branch_by_type(own, union_forms)
    is_type_list = (
        len(plain.declared_types) > 1 and plain.values is None and not has_rules_beside_union(union)
    )
    if branch_by_type is None or not is_type_list or not plain.types <= branch_by_type.keys():
        return None
    return BranchPairing(
        old=own,
        new=Union(keyword=own.keyword, branches=(plain.schema,)),
        pairs=tuple(
            ((branch_by_type[kind],), tuple(restrict_to_type(plain, kind))) for kind in sorted(plain.types)
        ),
        removed=tuple(branch for kind, branch in branch_by_type.items() if kind not in plain.types),
        added=(),
        wrapping=Wrapping.UNWRAPPED,
    )


def _branch_by_type(union: Union, forms: SchemaNormaliser) -> dict[str, Schema] | None:
    """Return the branch for each type, None if types do not distinguish the branches."""
    branches: dict[str, Schema] = {}
    for branch in union.branches:
        form = forms.of(branch)
        if form.is_only_null:
            continue
        if len(form.types) != 1 or form.types <= branches.keys():
            return None
        branches[next(iter(form.types))] = branch
    return (
        branches
        if without_redundant_integer(frozenset(branches)) == branches.keys() and union.discriminator is None
        else None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnionChanges:
    """The unions of two forms: paired with each other or with a plain schema, removed, and added.

    `gravest` is the gravest verdict that any change between the forms can have, if one form alone has a union,
    none of whose branches is the other form, or if both have one beside different rules; None if nothing is
    shown. It is `documentation` if both forms are shown to allow the same values. `is_replaced` holds if the union
    of one form alone is all that its form consists of.
    """

    pairings: tuple[BranchPairing, ...] = ()
    removed: tuple[Union, ...] = ()
    added: tuple[Union, ...] = ()
    gravest: Verdict | None = None
    is_replaced: bool = False


def union_changes(
    old: NormalSchema, new: NormalSchema, sides: UnionSides, *, is_branch: bool
) -> UnionChanges:
    """Return how unions and their branches match.

    A union that only one side has is paired with the other side's schema if that is one of its branches;
    otherwise it is an added or removed rule. `is_branch` holds if the forms are branches themselves: then a
    union with siblings is none of the other side's branches.
    """
    if not old.unions and not new.unions:
        return UnionChanges()
    if not old.unions and len(new.unions) == 1:
        changes = _changes_beside_plain_schema(new, old, sides, is_union_new=True, is_branch=is_branch)
    elif not new.unions and len(old.unions) == 1:
        changes = _changes_beside_plain_schema(old, new, sides, is_union_new=False, is_branch=is_branch)
    else:
        left, right = list(old.unions), list(new.unions)
        matched = tuple(_take_matching_unions(left, right, sides.old_forms, sides.new_forms))
        pairings = tuple(pair_branches(first, other, sides) for first, other in matched)
        gravest = _gravest_with_siblings(old, new, sides) if len(pairings) == 1 and not left + right else None
        changes = UnionChanges(pairings=pairings, removed=tuple(left), added=tuple(right), gravest=gravest)
    return changes


def _gravest_with_siblings(old: NormalSchema, new: NormalSchema, sides: UnionSides) -> Verdict | None:
    """Return the gravest verdict between two unions, each branch with the rules beside its union: rules may have
    moved from all branches to beside them. None if nothing is shown, or if both have the same rules beside them.
    """
    if sides.old_siblings or sides.new_siblings or old.allows_nothing or new.allows_nothing:
        return None
    beside = tuple(tuple(union_siblings(form.parts)) for form in (old, new))
    if not any(beside):
        return None
    before, after = (
        [(branch, *siblings) for branch in form.unions[0].branches]
        for form, siblings in zip((old, new), beside, strict=True)
    )

    def shown_verdict(sides: UnionSides) -> Verdict | None:
        return gravest_between_unions(old.unions[0], before, new.unions[0], after, sides)

    if shown_verdict(sides) is not Verdict.COMPATIBLE:
        return None
    is_same = shown_verdict(replace(sides, is_sent=not sides.is_sent)) is Verdict.COMPATIBLE
    return Verdict.DOCUMENTATION if is_same else Verdict.COMPATIBLE


def _changes_beside_plain_schema(
    union: NormalSchema, plain: NormalSchema, sides: UnionSides, *, is_union_new: bool, is_branch: bool
) -> UnionChanges:
    """Return how a union that one side has belongs to the plain schema of the other side."""
    forms = (sides.new_forms, sides.old_forms) if is_union_new else (sides.old_forms, sides.new_forms)
    union_in_plain, plain_in_union = (
        (sides.new_in_old, sides.old_in_new) if is_union_new else (sides.old_in_new, sides.new_in_old)
    )

    def are_related(branch: Branch, other: Branch) -> bool:
        one, two = forms[0].of(*branch), forms[1].of(*other)
        if allows_any_value(one) or allows_any_value(two):
            return False
        return (may_cover(two, one) and union_in_plain(branch, other)) or (
            may_cover(one, two) and plain_in_union(other, branch)
        )

    pairing = pair_union_with_type_list(union, plain, forms[0]) or pair_union_with_plain_schema(
        union, plain, *forms, is_branch=is_branch, are_related=are_related
    )
    gravest = _gravest_verdict(union, plain, sides, is_union_narrow=is_union_new is not sides.is_sent)
    if pairing is not None:
        pairing = replace(pairing, gravest=gravest)
        return UnionChanges(pairings=(_swap_sides(pairing) if is_union_new else pairing,))
    return UnionChanges(
        removed=() if is_union_new else union.unions,
        added=union.unions if is_union_new else (),
        gravest=gravest,
        is_replaced=gravest is not None
        and not has_rules_beside_union(union)
        and not _allows_any_type(union, plain)
        and not (is_union_new and not sides.is_sent and _find_lost_properties(plain, union, sides.new_forms)),
    )


def _find_lost_properties(old: NormalSchema, new: NormalSchema, new_forms: SchemaNormaliser) -> list[str]:
    """Return the properties of an object that a union in its place does not have: nobody receives them any more."""
    described = [name for name, member in old.members.items() if member.schemas]
    return [name for name in described if not _describes(new, name, new_forms, _DEEPEST_UNION)]


def _describes(form: NormalSchema, name: str, forms: SchemaNormaliser, depth: int) -> bool:
    if name in form.members:
        return True
    branches = (branch for union in form.unions for branch in union.branches)
    return depth > 0 and any(_describes(forms.of(branch), name, forms, depth - 1) for branch in branches)


_DEEPEST_UNION = 3
"""How many unions within each other are searched for a property."""


def _allows_any_type(union: NormalSchema, plain: NormalSchema) -> bool:
    """Return whether one of the forms allows values of any type: the rules of types say that."""
    return not union.types or not plain.types


def _gravest_verdict(
    union: NormalSchema, plain: NormalSchema, sides: UnionSides, *, is_union_narrow: bool
) -> Verdict | None:
    """Return the gravest verdict between a union and a plain schema, None if nothing is shown."""
    if any(form.allows_nothing or form.is_only_null for form in (union, plain)):
        return None
    own = union.unions[0]
    beside = tuple(union_siblings(union.parts))
    branches: list[Branch] = [(branch, *beside) for branch in own.branches]
    whole: list[Branch] = [(plain.schema,)]
    is_one_of = own.keyword == "oneOf"
    return gravest_verdict(
        branches if is_union_narrow else whole,
        whole if is_union_narrow else branches,
        sides,
        is_narrow_one_of=is_one_of and is_union_narrow,
        is_wide_one_of=is_one_of and not is_union_narrow,
    )


def _take_matching_unions(
    left: list[Union], right: list[Union], old_forms: SchemaNormaliser, new_forms: SchemaNormaliser
) -> Iterator[tuple[Union, Union]]:
    """Yield the unions with most branches in common, and take them out of both lists."""
    if len(left) == len(right) == 1:
        yield left.pop(), right.pop()
        return
    keys = {
        id(union): frozenset(
            reference_name(branch) or shape_key(forms.of(branch)) for branch in union.branches
        )
        for forms, unions in ((old_forms, left), (new_forms, right))
        for union in unions
    }
    while left and right:
        one, other = max(
            ((union, other) for union in left for other in right),
            key=lambda both: (
                len(keys[id(both[0])] & keys[id(both[1])]),
                both[0].keyword == both[1].keyword,
                -left.index(both[0]) - right.index(both[1]),
            ),
        )
        left.remove(one)
        right.remove(other)
        yield one, other


def _swap_sides(pairing: BranchPairing) -> BranchPairing:
    """Return a pairing with old and new swapped."""
    return replace(
        pairing,
        old=pairing.new,
        new=pairing.old,
        pairs=tuple((new, old) for old, new in pairing.pairs),
        removed=pairing.added,
        added=pairing.removed,
        wrapping=Wrapping.WRAPPED,
    )
