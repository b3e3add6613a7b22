"""Rules of schemas for numbers: bounds and multiples (JSON Schema 2020-12 Validation §6.2)."""

from collections.abc import Iterator
from fractions import Fraction

from devportal.contract import ABSENT
from devportal.differ.normalise.forms import Bound, NormalSchema
from devportal.differ.phrase import phrase
from devportal.differ.rule import EXCLUSIVE, Action, FoundChange, Verdict
from devportal.differ.rules.rows import narrowing_rule, schema_rule, widening_rule
from devportal.differ.schemas.effective_keywords import has_effective_constraints
from devportal.differ.schemas.format_values import has_only_integers, is_superfluous_bound
from devportal.differ.schemas.pair import SchemaPair
from devportal.translation import gettext_noop

_B, _C = Verdict.BREAKING, Verdict.COMPATIBLE


def _minimum_raised(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = pair.old.lower, pair.new.lower
    if new is not None and (old is None or new.value > old.value) and _decides(pair, is_lower=True):
        yield _narrowed_bound(pair, "minimum", old, new)


def _minimum_lowered(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = pair.old.lower, pair.new.lower
    if old is not None and (new is None or new.value < old.value) and _decides(pair, is_lower=True):
        yield _widened_bound("minimum", old, new)


def _maximum_lowered(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = pair.old.upper, pair.new.upper
    if new is not None and (old is None or new.value < old.value) and _decides(pair, is_lower=False):
        yield _narrowed_bound(pair, "maximum", old, new)


def _maximum_raised(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = pair.old.upper, pair.new.upper
    if old is not None and (new is None or new.value > old.value) and _decides(pair, is_lower=False):
        yield _widened_bound("maximum", old, new)


def _decides(pair: SchemaPair, *, is_lower: bool) -> bool:
    """Say whether a changed bound refuses or allows a number that the format would not refuse anyway."""
    return has_effective_constraints(pair, "number") and not is_superfluous_bound(pair, is_lower=is_lower)


def _widened_bound(keyword: str, old: Bound, new: Bound | None) -> FoundChange:
    return FoundChange(keyword=_bound_keyword(keyword, old), old=_bound_value(old), new=_bound_value(new))


def _exclusive_on(pair: SchemaPair) -> Iterator[FoundChange]:
    yield from _exclusive_changed(pair, is_on=True)


def _exclusive_off(pair: SchemaPair) -> Iterator[FoundChange]:
    yield from _exclusive_changed(pair, is_on=False)


def _exclusive_changed(pair: SchemaPair, *, is_on: bool) -> Iterator[FoundChange]:
    """Yield the bounds with the same number that are now exclusive, or no longer are."""
    for keyword, old, new in (
        ("minimum", pair.old.lower, pair.new.lower),
        ("maximum", pair.old.upper, pair.new.upper),
    ):
        if old is None or new is None or old.value != new.value or old.is_exclusive is new.is_exclusive:
            continue
        if new.is_exclusive is is_on and has_effective_constraints(pair, "number"):
            names = {"bound": keyword, "value": str(new.display_value())}
            yield FoundChange(
                keyword=_bound_keyword(keyword, new),
                old=_bound_value(old),
                new=_bound_value(new),
                names=names,
            )


def _narrowed_bound(pair: SchemaPair, keyword: str, old: Bound | None, new: Bound) -> FoundChange:
    is_first = old is None and pair.is_sent
    return FoundChange(
        keyword=_bound_keyword(keyword, new),
        old=_bound_value(old),
        new=_bound_value(new),
        verdict=pair.policy.first_bound if is_first else None,
        hint=phrase("send only values within the new range") if pair.is_sent else "",
    )


def _bound_keyword(keyword: str, bound: Bound) -> str:
    """Return the keyword that a bound is written with from OAS 3.1 on."""
    return f"exclusive{keyword[:1].upper()}{keyword[1:]}" if bound.is_exclusive else keyword


def _bound_value(bound: Bound | None) -> object:
    if bound is None:
        return ABSENT
    return {EXCLUSIVE: bound.display_value()} if bound.is_exclusive else bound.display_value()


def _multiple_of_set(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = pair.old.multiple_of, pair.new.multiple_of
    if old is not None or new is None or not has_effective_constraints(pair, "number"):
        return
    if not _are_multiples(pair.old, new):
        yield _multiple_of_change(pair)


def _multiple_of_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = pair.old.multiple_of, pair.new.multiple_of
    if old is None or new is not None or not has_effective_constraints(pair, "number"):
        return
    if not _are_multiples(pair.new, old):
        yield _multiple_of_change(pair)


def _are_multiples(form: NormalSchema, multiple: Fraction) -> bool:
    """Say whether the numbers of a form are multiples of a number anyway, since they are integers."""
    return has_only_integers(form) and (1 / multiple).denominator == 1


def _multiple_of_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = pair.old.multiple_of, pair.new.multiple_of
    if old is None or new is None or old == new or not has_effective_constraints(pair, "number"):
        return
    before, after = (old, new) if pair.is_sent else (new, old)
    if (before / after).denominator == 1:
        larger, smaller = (Bound(value=fraction).display_value() for fraction in (before, after))
        reason = phrase(
            "each multiple of %(larger)s is also a multiple of %(smaller)s",
            larger=str(larger),
            smaller=str(smaller),
        )
        yield _multiple_of_change(pair, verdict=_C, reason=reason)
    else:
        yield _multiple_of_change(pair)


def _multiple_of_change(pair: SchemaPair, *, verdict: Verdict | None = None, reason: str = "") -> FoundChange:
    old, new = (
        ABSENT if fraction is None else Bound(value=fraction).display_value()
        for fraction in (pair.old.multiple_of, pair.new.multiple_of)
    )
    return FoundChange(keyword="multipleOf", old=old, new=new, verdict=verdict, reason=reason)


NUMBER_RULES = (
    narrowing_rule(
        "schema.minimum.raised",
        gettext_noop("minimum is raised from %(old)s to %(new)s"),
        _minimum_raised,
        mirror="schema.minimum.lowered",
    ),
    widening_rule(
        "schema.minimum.lowered",
        gettext_noop("minimum is lowered from %(old)s to %(new)s"),
        _minimum_lowered,
        mirror="schema.minimum.raised",
    ),
    narrowing_rule(
        "schema.maximum.lowered",
        gettext_noop("maximum is lowered from %(old)s to %(new)s"),
        _maximum_lowered,
        mirror="schema.maximum.raised",
    ),
    widening_rule(
        "schema.maximum.raised",
        gettext_noop("maximum is raised from %(old)s to %(new)s"),
        _maximum_raised,
        mirror="schema.maximum.lowered",
    ),
    narrowing_rule(
        "schema.exclusive.on",
        gettext_noop("the %(bound)s %(value)s is now exclusive"),
        _exclusive_on,
        mirror="schema.exclusive.off",
    ),
    widening_rule(
        "schema.exclusive.off",
        gettext_noop("the %(bound)s %(value)s is no longer exclusive"),
        _exclusive_off,
        mirror="schema.exclusive.on",
    ),
    narrowing_rule(
        "schema.multiple-of.set",
        gettext_noop("multipleOf %(new)s is added"),
        _multiple_of_set,
        mirror="schema.multiple-of.unset",
    ),
    widening_rule(
        "schema.multiple-of.unset",
        gettext_noop("multipleOf %(old)s is removed"),
        _multiple_of_unset,
        mirror="schema.multiple-of.set",
    ),
    schema_rule(
        "schema.multiple-of.changed",
        Action.CHANGED,
        (_B, _B),
        gettext_noop("multipleOf is changed from %(old)s to %(new)s"),
        _multiple_of_changed,
    ),
)
