"""Rules of schemas for the branches of unions: added, removed, overlapping."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from devportal.contract import ABSENT, Schema
from devportal.differ import change
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.normalise.forms import SCALARS, NormalSchema, Union, allows_any_value
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.phrase import or_phrase, phrase
from devportal.differ.policy import OpenSet
from devportal.differ.rule import Action, FoundChange, Verdict, join_reasons, quote_value
from devportal.differ.rules.rows import Find, narrowing_rule, schema_rule, widening_rule
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Side
from devportal.differ.schemas.schema_descriptions import describe_schema
from devportal.differ.schemas.unions.branch_overlap import exclude_each_other, may_cover, may_overlap
from devportal.differ.schemas.unions.branches import (
    BranchPairing,
    Wrapping,
    branch_names,
    differ_by_discriminator,
    has_other_discriminator_value,
)
from devportal.differ.schemas.unions.one_of_overlap import BranchPair, overlaps_more
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
_MOST_COMPARED = 20
"""With how many branches one is compared to find out whether one of them covers it."""
_MOSTLY_ALLOWED = phrase(
    "another branch allowed its values before, but did not describe all of their properties"
)
_ALLOWED_BEFORE = phrase("all of its values were allowed before")
_ALLOWED_BESIDE = phrase("another branch allows all of its values")
_STILL_ALLOWED = phrase("other branches still allow all of its values")
_MATCHES_TWO = phrase("a value that matches two branches of oneOf is not allowed")
_MATCHED_TWO = phrase("a value that matched two branches of oneOf was not allowed")


class BranchVerdict(NamedTuple):
    """The verdict on branches, None for that of the rule, and the reason.

    `is_of_double_match` holds if only values that match two branches show the change.
    """

    verdict: Verdict | None = None
    reason: str = ""
    is_of_double_match: bool = False


_DOUBLE_MATCH = BranchVerdict(_B, _MATCHES_TWO, is_of_double_match=True)


def _branch_added(keyword: str) -> Find:
    """Return a function that finds branches added to unions of a keyword."""

    def find(pair: SchemaPair) -> Iterator[FoundChange]:
        for pairing in pair.unions.pairings:
            if pairing.new.keyword == keyword and _is_between_unions(pairing):
                for branch in pairing.added:
                    verdict = verdict_added(pair, pairing, (branch,))
                    found = _branch_change(pair, pairing.new, branch, Side.NEW, verdict)
                    yield _with_selecting_value(found, pairing.new, branch, Side.NEW)

    return find


def _branch_removed(keyword: str) -> Find:
    """Return a function that finds branches removed from unions of a keyword."""

    def find(pair: SchemaPair) -> Iterator[FoundChange]:
        for pairing in pair.unions.pairings:
            if pairing.old.keyword == keyword and _is_between_unions(pairing):
                for branch in pairing.removed:
                    verdict = verdict_removed(pair, pairing, (branch,))
                    found = _branch_change(pair, pairing.old, branch, Side.OLD, verdict)
                    yield _with_selecting_value(found, pairing.old, branch, Side.OLD)

    return find


def _is_between_unions(pairing: BranchPairing) -> bool:
    return pairing.wrapping is Wrapping.NONE or pairing.was_union


def verdict_added(pair: SchemaPair, pairing: BranchPairing, branches: Sequence[Schema]) -> BranchVerdict:
    """Return the verdict on added branches."""
    if pairing.gravest is _C:
        return BranchVerdict(_C, "" if pair.is_sent else _ALLOWED_BEFORE)
    if all(id(branch) in pairing.covered for branch in branches):
        return BranchVerdict(_C, "" if pair.is_sent else _ALLOWED_BESIDE)
    if pair.is_sent:
        is_ambiguous = pairing.new.keyword == "oneOf" and any(
            _may_overlap(pair, pairing, old, new)
            for new in branches
            if not _excludes_all_others(pair, pairing.new, pair.new_forms, new)
            for old in pairing.old.branches
        )
        return _DOUBLE_MATCH if is_ambiguous else BranchVerdict()
    if all(
        is_covered(
            pair,
            new,
            Side.NEW,
            [old for old in pairing.old.branches if not differ_by_discriminator(pairing, old, new)],
        )
        for new in branches
    ):
        return BranchVerdict(_C, _ALLOWED_BEFORE)
    if pair.policy.response_union is OpenSet.OPEN and pairing.old.discriminator is not None:
        return BranchVerdict(_R, phrase("readers should expect unknown branches"))
    gravest = pairing.gravest_of(branches)
    return BranchVerdict(gravest, _MOSTLY_ALLOWED if gravest is _R else "")


def verdict_removed(pair: SchemaPair, pairing: BranchPairing, branches: Sequence[Schema]) -> BranchVerdict:
    """Return the verdict on removed branches."""
    if pairing.gravest is _C or all(id(branch) in pairing.covered for branch in branches):
        return BranchVerdict(_C, _STILL_ALLOWED if pair.is_sent else "")
    if not pair.is_sent:
        was_ambiguous = pairing.old.keyword == "oneOf" and any(
            _may_overlap(pair, pairing, old, new)
            for old in branches
            if not _excludes_all_others(pair, pairing.old, pair.old_forms, old)
            for new in pairing.new.branches
        )
        return BranchVerdict(_R, _MATCHED_TWO, is_of_double_match=True) if was_ambiguous else BranchVerdict()
    is_kept = all(
        is_covered(
            pair,
            old,
            Side.OLD,
            [new for new in pairing.new.branches if not differ_by_discriminator(pairing, old, new)],
        )
        for old in branches
    )
    return BranchVerdict(_C, _STILL_ALLOWED) if is_kept else BranchVerdict(pairing.gravest_of(branches))


def _may_overlap(pair: SchemaPair, pairing: BranchPairing, old: Schema, new: Schema) -> bool:
    """Say whether messages of the branch of the sending side may match the other branch too: those of the old
    one if the consumer sends them, those of the new one if the provider does.
    """
    sides = [
        (pair.old_forms.of(old, *pair.old_union_siblings), pair.old_forms),
        (pair.new_forms.of(new, *pair.new_union_siblings), pair.new_forms),
    ]
    sender, other = sides if pair.is_sent else reversed(sides)
    return not differ_by_discriminator(pairing, old, new) and may_overlap(*sender, *other)


def _excludes_all_others(pair: SchemaPair, union: Union, forms: SchemaNormaliser, branch: Schema) -> bool:
    """Say whether no value of a branch matches a second branch of its union: as text, a number may match a string."""
    return not pair.position.is_text and all(
        has_other_discriminator_value(union, branch, other)
        or exclude_each_other(forms.of(branch), forms, forms.of(other), forms)
        for other in union.branches
        if other is not branch
    )


def is_covered(pair: SchemaPair, branch: Schema, side: Side, others: Sequence[Schema]) -> bool:
    """Say whether a branch of the other side is shown to allow all values of a branch."""
    own, its = (pair.old_forms, pair.new_forms) if side is Side.OLD else (pair.new_forms, pair.old_forms)
    form = own.of(branch)
    is_plain = pair.position.is_text and bool(form.types) and form.types <= SCALARS
    if is_plain and any(_is_any_text(its.of(other)) for other in others):
        return True
    likely = [other for other in others if may_cover(its.of(other), form)]
    return any(pair.includes((branch,), side, (other,), side.opposite) for other in likely[:_MOST_COMPARED])


def _is_any_text(form: NormalSchema) -> bool:
    """Say whether a form takes any text, and so whatever is written as one."""
    return form.types == {"string"} and allows_any_value(replace(form, types=frozenset(), allows_null=True))


def _branch_change(
    pair: SchemaPair,
    union: Union,
    branch: Schema,
    side: Side,
    verdict: BranchVerdict,
) -> FoundChange:
    names = dict(zip(map(id, union.branches), branch_names(union.branches), strict=True))
    forms = pair.old_forms if side is Side.OLD else pair.new_forms
    description = describe_schema(forms, (branch,))
    return FoundChange(
        old=description if side is Side.OLD else ABSENT,
        new=description if side is Side.NEW else ABSENT,
        at=change.branch_step(names[id(branch)]),
        keyword=union.keyword,
        verdict=verdict.verdict,
        reason=verdict.reason,
        is_of_double_match=verdict.is_of_double_match,
        stability=branch.stability,
    )


def _with_selecting_value(found: FoundChange, union: Union, branch: Schema, side: Side) -> FoundChange:
    """Return the change of a branch with the values of a discriminator that are mapped to it."""
    discriminator = union.discriminator
    values = (
        [value for value, target in discriminator.mapping if target == branch.ref] if discriminator else []
    )
    if discriminator is None or not values:
        return found
    names = {
        "value": or_phrase(map(quote_value, values)),
        "property": quote_value(discriminator.property_name),
    }
    selecting = (
        phrase("the value %(value)s of %(property)s selected it", **names)
        if side is Side.OLD
        else phrase("the value %(value)s of %(property)s selects it", **names)
    )
    return replace(
        found, reason=join_reasons(selecting, found.reason), essence=canonical_json(sorted(values))
    )


def _overlap_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    """Yield the branches of `oneOf` that now overlap more with another branch, or less.

    Requests are rejected if they match two branches now; responses may have values that were rejected for
    that before.
    """
    for pairing in pair.unions.pairings:
        is_strict = pairing.old.keyword == pairing.new.keyword == "oneOf"
        is_compared = is_strict and pairing.gravest is not _C and len(pairing.pairs) <= _MOST_OVERLAPPING
        if pairing.wrapping is Wrapping.NONE and is_compared:
            pairs = [
                ((*old, *pair.old_union_siblings), (*new, *pair.new_union_siblings))
                for old, new in pairing.pairs
            ]
            for branch in pairs:
                if any(
                    _overlaps_more(pair, pairing, branch, other) for other in pairs if other is not branch
                ):
                    found = _branch_change(
                        pair, pairing.new, branch[1][0], Side.NEW, _DOUBLE_MATCH._replace(verdict=None)
                    )
                    yield replace(found, is_of_part=True)


_MOST_OVERLAPPING = 40


def _overlaps_more(pair: SchemaPair, pairing: BranchPairing, branch: BranchPair, other: BranchPair) -> bool:
    """Say whether a branch has come to match values of another one, or matched some in responses before.

    Only its own change counts: values of the other branch are those that are valid on both sides.
    """
    if differ_by_discriminator(pairing, other[0][0], branch[1][0]):
        return False
    old, new = pair.old_forms, pair.new_forms
    before, after = (branch[0], old), (branch[1], new)
    few, many = (before, after) if pair.is_sent else (after, before)
    others = few[1].of(*(other[0] if pair.is_sent else other[1]))
    if not may_overlap(others, few[1], many[1].of(*many[0]), many[1]):
        return False
    return not may_overlap(others, few[1], few[1].of(*few[0]), few[1]) or overlaps_more(pair, branch, other)


BRANCH_RULES = (
    widening_rule(
        "schema.one-of.added",
        gettext_noop("the branch %(new)s is added to oneOf"),
        _branch_added("oneOf"),
        mirror="schema.one-of.removed",
        action=Action.ADDED,
    ),
    narrowing_rule(
        "schema.one-of.removed",
        gettext_noop("the branch %(old)s is removed from oneOf"),
        _branch_removed("oneOf"),
        mirror="schema.one-of.added",
        action=Action.REMOVED,
    ),
    widening_rule(
        "schema.any-of.added",
        gettext_noop("the branch %(new)s is added to anyOf"),
        _branch_added("anyOf"),
        mirror="schema.any-of.removed",
        action=Action.ADDED,
    ),
    narrowing_rule(
        "schema.any-of.removed",
        gettext_noop("the branch %(old)s is removed from anyOf"),
        _branch_removed("anyOf"),
        mirror="schema.any-of.added",
        action=Action.REMOVED,
    ),
)

OVERLAP_RULES = (
    schema_rule(
        "schema.branch.changed",
        Action.CHANGED,
        (_B, _R),
        gettext_noop("the branch %(new)s changes which values match two branches of oneOf"),
        _overlap_changed,
        waiver="few clients refuse a value for matching two branches, as servers that validate do",
    ),
)
