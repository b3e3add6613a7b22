"""Rules of schemas for unions: branches come and gone, plain schemas that become one of several."""

from collections.abc import Iterator, Sequence

from devportal.contract import ABSENT, Schema
from devportal.differ import fields
from devportal.differ.branches import BranchPairing, Wrapping, are_told_apart, names_of
from devportal.differ.describing import described
from devportal.differ.forms import Form, Union
from devportal.differ.merging import both_types
from devportal.differ.overlap import are_apart, may_meet
from devportal.differ.pair import SchemaPair, Side
from devportal.differ.policy import OpenSet
from devportal.differ.rule import Action, Hit
from devportal.differ.rules.rows import Find, narrowing, widening
from devportal.differ.verdict import Verdict

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
_MOST_COMPARED = 400
"""How many pairs of branches of one union are compared to find out whether one covers another."""
_NULL_TWICE = "null fits two branches of oneOf, which refuses it"
_AMBIGUOUS = "a value that fits two branches of oneOf is refused"


def _added(keyword: str) -> Find:
    """Return what finds branches that are new in unions of a keyword."""

    def find(pair: SchemaPair) -> Iterator[Hit]:
        for pairing in pair.unions.pairings:
            if pairing.new.keyword == keyword and _is_of_unions(pairing):
                for branch in pairing.added:
                    verdict, reason = _verdict_added(pair, pairing, (branch,))
                    yield _branch_hit(pair, pairing.new, branch, Side.NEW, verdict=verdict, reason=reason)

    return find


def _removed(keyword: str) -> Find:
    """Return what finds branches that are gone from unions of a keyword."""

    def find(pair: SchemaPair) -> Iterator[Hit]:
        for pairing in pair.unions.pairings:
            if pairing.old.keyword == keyword and _is_of_unions(pairing):
                for branch in pairing.removed:
                    verdict = _verdict_removed(pair, pairing, (branch,))
                    yield _branch_hit(pair, pairing.old, branch, Side.OLD, verdict=verdict)

    return find


def _is_of_unions(pairing: BranchPairing) -> bool:
    return pairing.wrapping is Wrapping.NONE or pairing.was_union


def _verdict_added(
    pair: SchemaPair, pairing: BranchPairing, branches: Sequence[Schema]
) -> tuple[Verdict | None, str]:
    """Return the verdict on new branches where it is not the row's, and why."""
    if pair.is_sent:
        is_ambiguous = pairing.new.keyword == "oneOf" and any(
            _may_meet(pair, pairing, old, new) for old in pairing.old.branches for new in branches
        )
        return (_R, _AMBIGUOUS) if is_ambiguous else (None, "")
    if all(_is_covered(pair, new, Side.NEW, pairing.old.branches) for new in branches):
        return _C, "another branch has allowed all of its values before"
    is_open = pair.policy.response_union is OpenSet.OPEN and pairing.old.discriminator is not None
    return (_R, "readers are told to expect branches that they do not know") if is_open else (None, "")


def _verdict_removed(pair: SchemaPair, pairing: BranchPairing, branches: Sequence[Schema]) -> Verdict | None:
    if not pair.is_sent:
        return None
    is_covered = all(_is_covered(pair, old, Side.OLD, pairing.new.branches) for old in branches)
    return _C if is_covered else None


def _may_meet(pair: SchemaPair, pairing: BranchPairing, old: Schema, new: Schema) -> bool:
    return not are_told_apart(pairing, old, new) and may_meet(
        pair.old_forms.of(old), pair.old_forms, pair.new_forms.of(new), pair.new_forms
    )


def _is_covered(pair: SchemaPair, branch: Schema, side: Side, others: Sequence[Schema]) -> bool:
    """Say whether a branch of the other side is shown to allow all values of a branch."""
    if len(others) > _MOST_COMPARED:
        return False
    other_side = Side.NEW if side is Side.OLD else Side.OLD
    own, its = (pair.old_forms, pair.new_forms) if side is Side.OLD else (pair.new_forms, pair.old_forms)
    form = own.of(branch)
    return any(
        pair.includes((branch,), side, (other,), other_side)
        for other in others
        if not are_apart(form, its.of(other))
    )


def _branch_hit(
    pair: SchemaPair,
    union: Union,
    branch: Schema,
    side: Side,
    *,
    verdict: Verdict | None,
    reason: str = "",
) -> Hit:
    names = dict(zip(map(id, union.branches), names_of(union.branches), strict=True))
    forms = pair.old_forms if side is Side.OLD else pair.new_forms
    told = described(forms, (branch,))
    return Hit(
        old=told if side is Side.OLD else ABSENT,
        new=told if side is Side.NEW else ABSENT,
        at=fields.branch(names[id(branch)]),
        keyword=union.keyword,
        verdict=verdict,
        reason=reason,
        stability=branch.stability,
    )


def _wrapped(pair: SchemaPair) -> Iterator[Hit]:
    for pairing in pair.unions.pairings:
        if pairing.wrapping is Wrapping.WRAPPED and not pairing.was_union and pairing.added:
            verdict, reason = _verdict_added(pair, pairing, pairing.added)
            yield _union_hit(pair, pairing.new.keyword, verdict=verdict, reason=reason)

    if _loses_null(pair.old, pair.new) and not pair.position.is_branch:
        yield _union_hit(pair, "oneOf", verdict=_B if pair.is_sent else _C, reason=_NULL_TWICE)


def _unwrapped(pair: SchemaPair) -> Iterator[Hit]:
    for pairing in pair.unions.pairings:
        if pairing.wrapping is Wrapping.UNWRAPPED and not pairing.was_union and pairing.removed:
            verdict = _verdict_removed(pair, pairing, pairing.removed)
            yield _union_hit(pair, pairing.old.keyword, verdict=verdict)
    if _loses_null(pair.new, pair.old) and not pair.position.is_branch:
        yield _union_hit(pair, "oneOf", verdict=_C if pair.is_sent else _B, reason=_NULL_TWICE)


def _loses_null(one: Form, other: Form) -> bool:
    """Say whether a value may be null, but fits two branches of oneOf then on the other side only."""
    return one.allows_null and other.allows_null and other.has_null_twice and not one.has_null_twice


def _set(pair: SchemaPair) -> Iterator[Hit]:
    for union in pair.unions.added if _is_about_branches(pair) else ():
        is_covered = pair.is_sent and _is_covered(pair, pair.old.schema, Side.OLD, union.branches)
        verdict = (_R if union.keyword == "oneOf" else _C) if is_covered else None
        yield _union_hit(pair, union.keyword, verdict=verdict)


def _unset(pair: SchemaPair) -> Iterator[Hit]:
    for union in pair.unions.removed if _is_about_branches(pair) else ():
        is_covered = not pair.is_sent and _is_covered(pair, pair.new.schema, Side.NEW, union.branches)
        verdict = (_R if union.keyword == "oneOf" else _C) if is_covered else None
        yield _union_hit(pair, union.keyword, verdict=verdict)


def _is_about_branches(pair: SchemaPair) -> bool:
    """Say whether types do not tell already what a union that one side lacks does to values."""
    types = (pair.old.types, pair.new.types)
    return not pair.is_typing and (not all(types) or bool(both_types(*types)))


def _union_hit(pair: SchemaPair, keyword: str, *, verdict: Verdict | None = None, reason: str = "") -> Hit:
    return Hit(
        old=described(pair.old_forms, (pair.old.schema,)),
        new=described(pair.new_forms, (pair.new.schema,)),
        keyword=keyword,
        verdict=verdict,
        reason=reason,
    )


def _loosened(pair: SchemaPair) -> Iterator[Hit]:
    yield from _respelled(pair, "oneOf")


def _tightened(pair: SchemaPair) -> Iterator[Hit]:
    yield from _respelled(pair, "anyOf")


def _respelled(pair: SchemaPair, keyword: str) -> Iterator[Hit]:
    for one in pair.unions.pairings:
        if one.wrapping is Wrapping.NONE and one.old.keyword == keyword != one.new.keyword:
            yield Hit(old=one.old.keyword, new=one.new.keyword, keyword=one.new.keyword)


BRANCH_RULES = (
    widening(
        "schema.one-of.added",
        "a branch is added to oneOf, {new}",
        _added("oneOf"),
        mirror="schema.one-of.removed",
        action=Action.ADDED,
    ),
    narrowing(
        "schema.one-of.removed",
        "a branch is removed from oneOf, {old}",
        _removed("oneOf"),
        mirror="schema.one-of.added",
        action=Action.REMOVED,
    ),
    widening(
        "schema.any-of.added",
        "a branch is added to anyOf, {new}",
        _added("anyOf"),
        mirror="schema.any-of.removed",
        action=Action.ADDED,
    ),
    narrowing(
        "schema.any-of.removed",
        "a branch is removed from anyOf, {old}",
        _removed("anyOf"),
        mirror="schema.any-of.added",
        action=Action.REMOVED,
    ),
    widening(
        "schema.union.wrapped",
        "{old} is from now on one of several that a value may be",
        _wrapped,
        mirror="schema.union.unwrapped",
    ),
    narrowing(
        "schema.union.unwrapped",
        "of several that a value could be only {new} is left",
        _unwrapped,
        mirror="schema.union.wrapped",
    ),
)
"""The rules that count where one side is a union and the other a branch of it."""

UNION_RULES = (
    *BRANCH_RULES,
    narrowing(
        "schema.union.set",
        "a value has to be one of several from now on",
        _set,
        mirror="schema.union.unset",
    ),
    widening(
        "schema.union.unset",
        "a value need not be one of several any more",
        _unset,
        mirror="schema.union.set",
    ),
    widening(
        "schema.one-of.to.any-of",
        "a value may fit more than one branch from now on",
        _loosened,
        mirror="schema.any-of.to.one-of",
    ),
    narrowing(
        "schema.any-of.to.one-of",
        "a value that fits more than one branch is refused from now on",
        _tightened,
        mirror="schema.one-of.to.any-of",
    ),
)
