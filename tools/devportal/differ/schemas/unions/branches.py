"""Matches the branches of two unions, so that each is compared with its former self."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from devportal.contract import Schema
from devportal.contract.values.discriminator_values import discriminator_value
from devportal.differ.match.renames import are_similar_names
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.normalise.forms import SCALARS, NormalSchema, Union
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.rule import Verdict
from devportal.differ.schemas.unions.branch_overlap import (
    MIN_PROPERTY_OVERLAP,
    core_key,
    limits_key,
    may_cover,
    property_overlap,
    shape_key,
    title_of,
)
from devportal.differ.schemas.unions.union_inclusion import (
    Branch,
    UnionSides,
    covered_branches,
    gravest_verdict,
)


class Wrapping(StrEnum):
    """Whether one side has a union and the other the plain schema."""

    NONE = "none"
    WRAPPED = "wrapped"
    UNWRAPPED = "unwrapped"


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchPairing:
    """The branches of one union of the old form and one of the new.

    If only one side has a union, the other's plain schema is its only branch; `wrapping` says which.
    `was_union` holds if that was written as a union of one branch. `covered` are the ids of the branches of
    `anyOf` that another branch of their side covers, `identified` those of the old branches of pairs whose
    reference, discriminator value or tag is the same. `gravest` is the gravest verdict that any change
    between the unions can have, None if nothing is shown. Then `gravest_alone` has, by the ids of the branches whose
    values have to stay valid and that have no former self, what is shown of each.
    """

    old: Union
    new: Union
    pairs: tuple[tuple[Branch, Branch], ...]
    removed: tuple[Schema, ...]
    added: tuple[Schema, ...]
    covered: frozenset[int] = frozenset()
    identified: frozenset[int] = frozenset()
    wrapping: Wrapping = Wrapping.NONE
    was_union: bool = False
    gravest: Verdict | None = None
    gravest_alone: Mapping[int, Verdict] = field(default_factory=dict)

    def gravest_of(self, branches: Sequence[Schema]) -> Verdict | None:
        """Return the gravest verdict that branches without a former self can have, None if nothing is shown."""
        if self.gravest is not None:
            return self.gravest
        shown = [self.gravest_alone.get(id(branch)) for branch in branches]
        known = [verdict for verdict in shown if verdict is not None]
        return max(known, key=lambda verdict: verdict.rank) if known and len(known) == len(shown) else None

    def has_no_effect(self, old: Branch, new: Branch) -> bool:
        """Return whether other branches cover both branches of a pair."""
        return {id(old[0]), id(new[0])} <= self.covered


def pair_branches(old: Union, new: Union, sides: UnionSides) -> BranchPairing:
    """Pair the branches of two unions.

    By what identifies a branch: its reference, its discriminator value, its properties with a single value,
    its digest. Then by inclusion, then by likeness. Whatever is left over is removed or added.
    """
    covered = _covered_ids(old, sides, is_old=True) | _covered_ids(new, sides, is_old=False)
    pairer = _BranchPairer(old, new, sides)
    pairer.take_identified_pairs()
    identified = frozenset(id(first) for first, _ in pairer.pairs)
    idle = pairer.set_aside(covered)
    pairer.take_pairs_by_inclusion()
    pairer.take_alike_pairs()
    pairer.take_only_branches(covered)
    pairer.put_back(idle)
    pairer.take_alike_pairs()
    is_same = not pairer.left and not pairer.right and _are_same(old, new, pairer.pairs, sides)
    gravest = None if is_same else _gravest_verdict(old, new, sides)
    left_over = () if is_same or gravest is not None else pairer.left if sides.is_sent else pairer.right
    order = {id(branch): number for number, branch in enumerate(old.branches)}
    pairer.pairs.sort(key=lambda pair: order[id(pair[0])])
    return BranchPairing(
        old=old,
        new=new,
        pairs=tuple(((first,), (other,)) for first, other in pairer.pairs),
        removed=tuple(pairer.left),
        added=tuple(pairer.right),
        covered=covered,
        identified=identified,
        gravest=gravest,
        gravest_alone={
            id(branch): verdict
            for branch in left_over
            if (verdict := _gravest_alone(old, new, branch, sides)) is not None
        },
    )


def _covered_ids(union: Union, sides: UnionSides, *, is_old: bool) -> frozenset[int]:
    """Return the ids of the branches without effect: those of `anyOf` that another one covers."""
    if union.keyword != "anyOf" or union.discriminator is not None or sides.has_unevaluated:
        return frozenset()
    forms, includes = (sides.old_forms, sides.old_in_old) if is_old else (sides.new_forms, sides.new_in_new)
    return covered_branches([(branch,) for branch in union.branches], forms, includes)


def _gravest_verdict(old: Union, new: Union, sides: UnionSides) -> Verdict | None:
    """Return the gravest verdict that can come of any change between two unions, None if nothing is shown."""
    before, after = ([(branch,) for branch in union.branches] for union in (old, new))
    return gravest_between_unions(old, before, new, after, sides)


def gravest_between_unions(
    old: Union, before: Sequence[Branch], new: Union, after: Sequence[Branch], sides: UnionSides
) -> Verdict | None:
    """Return the gravest verdict that can come of any change between the branches of two unions, each with what
    applies besides, None if nothing is shown.
    """
    narrow, wide = (old, new) if sides.is_sent else (new, old)
    return gravest_verdict(
        before if sides.is_sent else after,
        after if sides.is_sent else before,
        sides,
        is_narrow_one_of=narrow.keyword == "oneOf",
        is_wide_one_of=wide.keyword == "oneOf",
        are_apart=lambda first, other: _differ_by_discriminator(narrow, first[0], wide, other[0]),
        is_narrow_distinguished=all(_discriminator_value(narrow, branch) for branch in narrow.branches),
    )


def _gravest_alone(old: Union, new: Union, branch: Schema, sides: UnionSides) -> Verdict | None:
    """Return the gravest verdict that can come of a branch whose values have to stay valid, None if none is shown."""
    if sides.is_sent:
        return _gravest_verdict(replace(old, branches=(branch,)), new, sides)
    return _gravest_verdict(old, replace(new, branches=(branch,)), sides)


def _are_same(old: Union, new: Union, pairs: Sequence[tuple[Schema, Schema]], sides: UnionSides) -> bool:
    """Return whether two unions have the same branches, not counting differences further below."""
    before, after = sides.old_forms, sides.new_forms
    return old.keyword == new.keyword and all(
        _structure_key(before, first) == _structure_key(after, other)
        if reference_name(first) != reference_name(other)
        else before.digest(before.api.resolve(first)) == after.digest(after.api.resolve(other))
        for first, other in pairs
    )


_Key = Callable[[Schema], Hashable]
_MAX_COMPARED_PAIRS = 2_000
_MAX_INCLUSIONS = 400


class _BranchPairer:
    """Takes pairs out of the branches that are left on both sides."""

    def __init__(self, old: Union, new: Union, sides: UnionSides) -> None:
        self.old, self.new, self.sides = old, new, sides
        self.left, self.right = list(old.branches), list(new.branches)
        self.pairs: list[tuple[Schema, Schema]] = []
        self._tags = {
            id(branch): _tags(forms, branch)
            for forms, union in ((sides.old_forms, old), (sides.new_forms, new))
            for branch in union.branches
        }

    def take_identified_pairs(self) -> None:
        """Pair branches that something identifies."""
        old, new = self.sides.old_forms, self.sides.new_forms

        def tag_key(branch: Schema) -> Hashable:
            return frozenset(self._tags[id(branch)].items())

        self._take_by_key(reference_name, reference_name)
        self._take_by_key(
            lambda schema: _discriminator_value(self.old, schema),
            lambda item: _discriminator_value(self.new, item),
        )
        self._take_by_key(tag_key, tag_key, is_unique=True)
        self._take_by_key(old.digest, new.digest)
        self._take_by_key(
            lambda schema: _structure_key(old, schema), lambda item: _structure_key(new, item), is_unique=True
        )

    def take_pairs_by_inclusion(self) -> None:
        """Pair branches of which one allows all values of the other: first those that only got safer."""
        if len(self.left) * len(self.right) > _MAX_INCLUSIONS:
            return
        sides = self.sides
        tests: list[Callable[[Branch, Branch], bool]] = [
            sides.old_in_new,
            lambda old, new: sides.new_in_old(new, old),
        ]
        for includes in tests if sides.is_sent else reversed(tests):
            likely = [
                (schema, other)
                for schema in self.left
                for other in self.right
                if not self._are_apart(schema, other) and _may_include(schema, other, sides)
            ]
            self._take_best([(first, other) for first, other in likely if includes((first,), (other,))])

    def take_alike_pairs(self) -> None:
        """Pair branches of one title, of one shape, or with most of their properties or some values in common."""
        old, new = self.sides.old_forms, self.sides.new_forms
        self._take_by_key(lambda schema: title_of(old.of(schema)), lambda item: title_of(new.of(item)))
        self._take_by_key(lambda schema: _structure_key(old, schema), lambda item: _structure_key(new, item))
        self._take_by_key(
            lambda schema: shape_key(old.of(schema)),
            lambda schema: shape_key(new.of(schema)),
            lambda first, other: self._may_pair(first, other) and _may_be_renamed(first, other),
            is_unique=True,
        )
        self._take_by_key(
            lambda schema: _inline_key(old, schema),
            lambda item: _inline_key(new, item),
            _are_inline,
            is_unique=True,
        )
        if len(self.left) * len(self.right) <= _MAX_COMPARED_PAIRS:
            self._take_best(
                [
                    (schema, other)
                    for schema in self.left
                    for other in self.right
                    if not self._are_apart(schema, other)
                    and _may_be_renamed(schema, other)
                    and _likeness(old.of(schema), new.of(other)) >= MIN_PROPERTY_OVERLAP
                ]
            )

    def take_only_branches(self, covered: frozenset[int]) -> None:
        """Pair the only branches of both sides that have an effect: they are what a plain schema would be."""
        counts = [
            sum(id(branch) not in covered for branch in union.branches) for union in (self.old, self.new)
        ]
        if counts == [1, 1] and self.left and self.right:
            self._take(self.left[0], self.right[0])

    def set_aside(self, branches: frozenset[int]) -> tuple[list[Schema], list[Schema]]:
        """Take branches out of both sides, and return them."""
        idle = (
            [schema for schema in self.left if id(schema) in branches],
            [schema for schema in self.right if id(schema) in branches],
        )
        self.left = [schema for schema in self.left if id(schema) not in branches]
        self.right = [schema for schema in self.right if id(schema) not in branches]
        return idle

    def put_back(self, branches: tuple[list[Schema], list[Schema]]) -> None:
        """Add branches to both sides."""
        self.left += branches[0]
        self.right += branches[1]

    def _take_best(self, candidates: Sequence[tuple[Schema, Schema]]) -> None:
        """Take those pairs, the most alike first, whose branches are both left."""
        old, new = self.sides.old_forms, self.sides.new_forms
        ranked = sorted(
            candidates,
            key=lambda pair: (
                reference_name(pair[0]) != reference_name(pair[1]),
                old.digest(pair[0]) != new.digest(pair[1]),
                -_likeness(old.of(pair[0]), new.of(pair[1])),
            ),
        )
        for first, other in ranked:
            if any(first is each for each in self.left) and any(other is each for each in self.right):
                self._take(first, other)

    def _take(self, first: Schema, other: Schema) -> None:
        _remove_by_identity(self.left, first)
        _remove_by_identity(self.right, other)
        self.pairs.append((first, other))

    def _take_by_key(
        self,
        old_key: _Key,
        new_key: _Key,
        may_pair: Callable[[Schema, Schema], bool] | None = None,
        *,
        is_unique: bool = False,
    ) -> None:
        """Take the pairs with the same key; empty keys do not match, nor do, if asked, those of several."""
        may_pair = may_pair or self._may_pair
        if not self.left or not self.right:
            return
        old_keys = [(schema, old_key(schema)) for schema in self.left]
        new_keys = [(schema, new_key(schema)) for schema in self.right]
        counts = [Counter(key for _, key in keys) for keys in (old_keys, new_keys)]
        for schema, key in old_keys:
            if not key or (is_unique and max(count[key] for count in counts) > 1):
                continue
            other = next(
                (
                    other
                    for other, its in new_keys
                    if its == key and any(other is each for each in self.right) and may_pair(schema, other)
                ),
                None,
            )
            if other is not None:
                self._take(schema, other)

    def _may_pair(self, first: Schema, other: Schema) -> bool:
        return not self._are_apart(first, other)

    def _are_apart(self, first: Schema, other: Schema) -> bool:
        """Say whether discriminators or properties with a single value distinguish two branches."""
        if reference_name(first) and reference_name(first) == reference_name(other):
            return False
        if _are_both_mapped(self.old, first, self.new, other):
            return _differ_by_discriminator(self.old, first, self.new, other)
        before, after = self._tags[id(first)], self._tags[id(other)]
        return any(before[name] != after[name] for name in before.keys() & after.keys())


def _may_include(first: Schema, other: Schema, sides: UnionSides) -> bool:
    """Say whether it is worth looking if an old or a new branch allows all values of the other."""
    old, new = sides.old_forms.of(first), sides.new_forms.of(other)
    return may_cover(old, new) or may_cover(new, old)


def _are_inline(first: Schema, other: Schema) -> bool:
    return not reference_name(first) and not reference_name(other)


def _structure_key(forms: SchemaNormaliser, branch: Schema) -> Hashable:
    """Return the structure of a branch and its properties, limits included."""
    form = forms.of(branch)
    members = (
        (name, core_key(forms.of(*member.schemas))) for name, member in form.members.items() if member.schemas
    )
    return (shape_key(form), limits_key(form), frozenset(members))


def _inline_key(forms: SchemaNormaliser, branch: Schema) -> Hashable:
    """Return what an inline branch is likely still known by if its value changed: its type, if that is a plain
    one, or the names of its properties.
    """
    form = forms.of(branch)
    if form.types <= SCALARS:
        return form.types if len(form.types) == 1 else ()
    required = frozenset(name for name, member in form.members.items() if member.is_required)
    return form.types, form.format, frozenset(form.members), required


def _tags(forms: SchemaNormaliser, branch: Schema) -> Mapping[str, str]:
    """Return the required properties with a single value: they usually identify the kind of an object."""
    return dict(_single_values(forms, forms.of(branch)))


def _single_values(forms: SchemaNormaliser, form: NormalSchema) -> Iterator[tuple[str, str]]:
    for name, member in form.members.items():
        values = forms.of(*member.schemas).values if member.is_required and member.schemas else None
        if values is not None and len(values) == 1:
            yield name, canonical_json(values[0])


def _may_be_renamed(first: Schema, other: Schema) -> bool:
    """Say whether a branch may be another one in spite of the shared schemas they refer to."""
    names = reference_name(first), reference_name(other)
    return not all(names) or are_similar_names(*names)


def _likeness(first: NormalSchema, other: NormalSchema) -> float:
    """Return which share two branches have in common: of their properties, or of their listed values."""
    if first.values is None or other.values is None:
        return property_overlap(first, other)
    values = [frozenset(map(canonical_json, form.values or ())) for form in (first, other)]
    return 1.0 if values[0] & values[1] else 0.0


def _remove_by_identity(schemas: list[Schema], schema: Schema) -> None:
    """Remove a schema from a list by identity, since the list may have equal ones."""
    del schemas[next(number for number, other in enumerate(schemas) if other is schema)]


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
    return _differ_by_discriminator(pairing.old, old, pairing.new, new)


def has_other_discriminator_value(union: Union, first: Schema, other: Schema) -> bool:
    """Return whether the discriminator of a union distinguishes two of its branches."""
    return _differ_by_discriminator(union, first, union, other)


def _differ_by_discriminator(old: Union, first: Schema, new: Union, other: Schema) -> bool:
    values = _discriminator_value(old, first), _discriminator_value(new, other)
    return all(values) and values[0] != values[1]


def _are_both_mapped(old: Union, first: Schema, new: Union, other: Schema) -> bool:
    """Say whether mappings name two branches."""
    return all(
        union.discriminator is not None
        and any(target == branch.ref for _, target in union.discriminator.mapping)
        for union, branch in ((old, first), (new, other))
    )


def branch_names(branches: Sequence[Schema]) -> tuple[str, ...]:
    """Return the names of branches: the component they refer to, their title, or their number."""
    return tuple(
        reference_name(branch) or branch.title or str(number) for number, branch in enumerate(branches)
    )
