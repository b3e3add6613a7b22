"""Rules of schemas for unions as a whole: set and dropped, or made of a plain schema."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from devportal.contract import Schema
from devportal.differ.normalise.all_of import intersect_types
from devportal.differ.normalise.forms import NormalSchema, Union
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.phrase import or_phrase, phrase
from devportal.differ.rule import Action, FoundChange, Verdict, quote_value
from devportal.differ.rules.rows import narrowing_rule, widening_rule
from devportal.differ.rules.schema_branches import BranchVerdict, is_covered, verdict_added, verdict_removed
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Side
from devportal.differ.schemas.schema_descriptions import describe_schema
from devportal.differ.schemas.unions.branch_overlap import exclude_each_other
from devportal.differ.schemas.unions.branches import Wrapping
from devportal.differ.schemas.unions.pieces import union_siblings
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
_NULL_TWICE = phrase("null matches two branches of oneOf, which rejects it")
_NULL_MATCHED_TWICE = phrase("null matched two branches of oneOf, which rejected it")
_NO_NULL, _NULL = gettext_noop("null is no longer allowed"), gettext_noop("null is now allowed")
_BROKEN_NOW = gettext_noop("the reference %(new)s leads nowhere, so the values cannot be compared")
_BROKEN_BEFORE = gettext_noop("the reference %(old)s led nowhere, so the values cannot be compared")


def _union_wrapped(pair: SchemaPair) -> Iterator[FoundChange]:
    for pairing in pair.unions.pairings:
        if pairing.wrapping is Wrapping.WRAPPED and not pairing.was_union and pairing.added:
            verdict = verdict_added(pair, pairing, pairing.added)
            branches = _describe_branches(pair.new_forms, pairing.added)
            yield _union_change(pair, pairing.new.keyword, verdict, branches)
    if _loses_null(pair.old, pair.new) and not _has_wider_change_of_null(pair):
        verdict = BranchVerdict(_B if pair.is_sent else _C, _NULL_TWICE)
        yield replace(_union_change(pair, "oneOf", verdict), says=_NO_NULL)


def _union_unwrapped(pair: SchemaPair) -> Iterator[FoundChange]:
    for pairing in pair.unions.pairings:
        if pairing.wrapping is Wrapping.UNWRAPPED and not pairing.was_union and pairing.removed:
            verdict = verdict_removed(pair, pairing, pairing.removed)
            branches = _describe_branches(pair.old_forms, pairing.removed)
            yield _union_change(pair, pairing.old.keyword, verdict, branches)
    if _loses_null(pair.new, pair.old) and not _has_wider_change_of_null(pair):
        verdict = BranchVerdict(_C if pair.is_sent else _B, _NULL_MATCHED_TWICE)
        yield replace(_union_change(pair, "oneOf", verdict), says=_NULL)


def _loses_null(first: NormalSchema, other: NormalSchema) -> bool:
    """Say whether a value may be null, but fits two branches of oneOf then on the other side only."""
    return first.allows_null and other.allows_null and other.has_null_twice and not first.has_null_twice


def _has_wider_change_of_null(pair: SchemaPair) -> bool:
    """Say whether another change is about null too: one of the whole union, or `oneOf` that is `anyOf` now."""
    return pair.position.is_branch or any(
        pairing.wrapping is Wrapping.NONE and pairing.old.keyword != pairing.new.keyword
        for pairing in pair.unions.pairings
    )


def _union_set(pair: SchemaPair) -> Iterator[FoundChange]:
    if not pair.old.unions:
        yield from _set_union_changes(pair)


def _union_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    if not pair.new.unions:
        yield from _unset_union_changes(pair)


def _part_added(pair: SchemaPair) -> Iterator[FoundChange]:
    """Yield what applies as well and cannot be put into one with the rest: further unions, broken parts."""
    if pair.old.unions:
        yield from _set_union_changes(pair)
    for name in sorted(_broken_references(pair.new) - _broken_references(pair.old)):
        is_narrower = not pair.is_sent and pair.includes(
            _readable_parts(pair.new), Side.NEW, pair.old.parts, Side.OLD
        )
        yield FoundChange(new=name, keyword="$ref", verdict=_C if is_narrower else _R, says=_BROKEN_NOW)


def _part_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    """Yield unions and unresolved references that no longer apply beside the rest of the schema."""
    if pair.new.unions:
        yield from _unset_union_changes(pair)
    for name in sorted(_broken_references(pair.old) - _broken_references(pair.new)):
        is_wider = pair.is_sent and pair.includes(
            _readable_parts(pair.old), Side.OLD, pair.new.parts, Side.NEW
        )
        yield FoundChange(old=name, keyword="$ref", verdict=_C if is_wider else _R, says=_BROKEN_BEFORE)


def _readable_parts(form: NormalSchema) -> tuple[Schema, ...]:
    """Return the parts of a form whose values are known. Those of the others are among them."""
    return tuple(part for part in form.parts if not part.broken)


def _broken_references(form: NormalSchema) -> set[str]:
    return {part.broken for part in form.parts if part.broken}


def _set_union_changes(pair: SchemaPair) -> Iterator[FoundChange]:
    for union in pair.unions.added if _is_about_branches(pair) else ():
        is_kept = pair.is_sent and _is_within_union(pair, pair.old, Side.OLD, union)
        verdict = BranchVerdict(_verdict_on_union(pair, union, is_kept=is_kept))
        yield _union_change(pair, union.keyword, verdict, _describe_branches(pair.new_forms, union.branches))


def _unset_union_changes(pair: SchemaPair) -> Iterator[FoundChange]:
    for union in pair.unions.removed if _is_about_branches(pair) else ():
        is_kept = not pair.is_sent and _is_within_union(pair, pair.new, Side.NEW, union)
        verdict = BranchVerdict(_verdict_on_union(pair, union, is_kept=is_kept))
        yield _union_change(pair, union.keyword, verdict, _describe_branches(pair.old_forms, union.branches))


def _is_within_union(pair: SchemaPair, form: NormalSchema, side: Side, union: Union) -> bool:
    """Return whether all values of a form are shown to match a branch of the other side's union, together
    with its siblings.
    """
    other = pair.new if side is Side.OLD else pair.old
    beside = tuple(union_siblings(other.parts))
    if form.values and len(form.values) <= _MOST_COMPARED:
        listed = [Schema(location=form.location, const=value) for value in form.values]
        return all(is_covered(pair, schema, side, union.branches) for schema in listed)
    return is_covered(pair, form.schema, side, union.branches) or any(
        pair.includes((form.schema,), side, (*beside, branch), side.opposite)
        for branch in union.branches[:_MOST_COMPARED]
        if beside
    )


_MOST_COMPARED = 10


def _verdict_on_union(pair: SchemaPair, union: Union, *, is_kept: bool) -> Verdict | None:
    """Return the verdict on a union that one side has if it differs from that of the rule.

    Values that fit a branch of `oneOf` may fit another one too.
    """
    if pair.unions.gravest is _C:
        return _C
    if not is_kept:
        return None
    return _R if union.keyword == "oneOf" else _C


def _is_about_branches(pair: SchemaPair) -> bool:
    """Return whether a union that one side lacks has other effects than those on the types."""
    types = (pair.old.types, pair.new.types)
    return not pair.is_typing and (not all(types) or bool(intersect_types(*types)))


def _describe_branches(forms: SchemaNormaliser, branches: Sequence[Schema]) -> str:
    """Return the branches of a union in words, or how many there are if the words do not tell them apart."""
    described = [describe_schema(forms, (branch,)) for branch in branches if _has_kind(forms.of(branch))]
    words = dict.fromkeys(map(quote_value, described))
    if len(words) == len(branches) <= _MOST_NAMED:
        return or_phrase(words)
    if len(branches) == 1:
        return phrase("another schema")
    return phrase("one of %(number)s schemas", number=str(len(branches)))


def _has_kind(form: NormalSchema) -> bool:
    """Say whether a schema is more than rules for any value: it has a name, a type or a list of values."""
    return bool(form.schema.ref or form.schema.name or form.types or form.is_only_null)


_MOST_NAMED = 5


def _union_change(pair: SchemaPair, keyword: str, verdict: BranchVerdict, branches: str = "") -> FoundChange:
    return FoundChange(
        old=describe_schema(pair.old_forms, (pair.old.schema,)),
        new=describe_schema(pair.new_forms, (pair.new.schema,)),
        keyword=keyword,
        verdict=verdict.verdict,
        reason=verdict.reason,
        is_of_double_match=verdict.is_of_double_match,
        names={"branches": branches},
    )


def _one_of_to_any_of(pair: SchemaPair) -> Iterator[FoundChange]:
    yield from _union_keyword_changes(pair, "oneOf")


def _any_of_to_one_of(pair: SchemaPair) -> Iterator[FoundChange]:
    yield from _union_keyword_changes(pair, "anyOf")


def _union_keyword_changes(pair: SchemaPair, keyword: str) -> Iterator[FoundChange]:
    for pairing in pair.unions.pairings:
        is_respelled = (
            pairing.wrapping is Wrapping.NONE and pairing.old.keyword == keyword != pairing.new.keyword
        )
        is_old = keyword == "oneOf"
        if is_respelled and not (
            _is_exclusive(pairing.old, pair.old_forms)
            if is_old
            else _is_exclusive(pairing.new, pair.new_forms)
        ):
            yield FoundChange(
                old=pairing.old.keyword,
                new=pairing.new.keyword,
                keyword=pairing.new.keyword,
                verdict=_C if pairing.gravest is _C else None,
            )


def _is_exclusive(union: Union, forms: SchemaNormaliser) -> bool:
    """Say whether no value fits two branches, so that `oneOf` and `anyOf` mean the same."""
    branches = [forms.of(branch) for branch in union.branches]
    return len(branches) <= _MOST_EXCLUSIVE and all(
        exclude_each_other(first, forms, other, forms) for first, other in combinations(branches, 2)
    )


_MOST_EXCLUSIVE = 40

WRAPPING_RULES = (
    widening_rule(
        "schema.union.wrapped",
        gettext_noop("the value can now also match %(branches)s"),
        _union_wrapped,
        mirror="schema.union.unwrapped",
    ),
    narrowing_rule(
        "schema.union.unwrapped",
        gettext_noop("the value can no longer match %(branches)s"),
        _union_unwrapped,
        mirror="schema.union.wrapped",
    ),
)
"""The rules that apply, besides those of branches, if one side is a union and the other is a branch of it."""

REPLACING_RULES = (
    narrowing_rule(
        "schema.union.set",
        gettext_noop("the value must now match %(branches)s"),
        _union_set,
        mirror="schema.union.unset",
    ),
    widening_rule(
        "schema.union.unset",
        gettext_noop("the value no longer has to match %(branches)s"),
        _union_unset,
        mirror="schema.union.set",
    ),
)
"""The rules that apply if one side is a union of other values than the plain schema of the other side."""

PART_RULES = (
    narrowing_rule(
        "schema.all-of.added",
        gettext_noop("%(new)s is added to allOf"),
        _part_added,
        mirror="schema.all-of.removed",
        action=Action.ADDED,
    ),
    widening_rule(
        "schema.all-of.removed",
        gettext_noop("%(old)s is removed from allOf"),
        _part_removed,
        mirror="schema.all-of.added",
        action=Action.REMOVED,
    ),
)
"""The rules of what applies besides: all that there is to say if a reference of one side alone leads nowhere."""

UNION_RULES = (
    *WRAPPING_RULES,
    *REPLACING_RULES,
    *PART_RULES,
    widening_rule(
        "schema.one-of.to.any-of",
        gettext_noop("oneOf is now anyOf: a value can match more than one branch"),
        _one_of_to_any_of,
        mirror="schema.any-of.to.one-of",
    ),
    narrowing_rule(
        "schema.any-of.to.one-of",
        gettext_noop("anyOf is now oneOf: a value can match only one branch"),
        _any_of_to_one_of,
        mirror="schema.one-of.to.any-of",
    ),
)
