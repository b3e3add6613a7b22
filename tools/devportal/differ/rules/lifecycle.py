"""Rules of deprecation, sunset and stability: promises about time, whatever part they are made for."""

from collections.abc import Iterator
from datetime import timedelta

from devportal.contract import ABSENT, Stability
from devportal.differ.pairs.lifecycle import Lifecycle, LifecyclePair
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict, quote_value
from devportal.differ.rules.part_changes import change_between
from devportal.translation import gettext_noop

_B, _R, _C, _L = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.LIFECYCLE


def _deprecated_set(pair: LifecyclePair) -> Iterator[FoundChange]:
    if pair.new.is_deprecated and not pair.old.is_deprecated:
        yield change_between(pair.old, pair.new)


def _deprecated_unset(pair: LifecyclePair) -> Iterator[FoundChange]:
    if pair.old.is_deprecated and not pair.new.is_deprecated:
        yield change_between(pair.old, pair.new)


def _sunset_set(pair: LifecyclePair) -> Iterator[FoundChange]:
    """A day that leaves less than the policy's notice breaks the promise that a removal is announced in time."""
    if pair.new.ends_on is not None and pair.old.ends_on is None:
        reason = _short_notice_reason(pair)
        yield change_between(
            pair.old,
            pair.new,
            new=pair.new.sunset,
            names={"day": pair.new.sunset},
            verdict=_B if reason else None,
            reason=reason,
        )


def _sunset_later(pair: LifecyclePair) -> Iterator[FoundChange]:
    old, new = pair.old.ends_on, pair.new.ends_on
    if old is not None and new is not None and new > old:
        yield change_between(pair.old, pair.new, old=pair.old.sunset, new=pair.new.sunset, names=_days(pair))


def _sunset_earlier(pair: LifecyclePair) -> Iterator[FoundChange]:
    """Moved forward, it leaves less time than was promised, maybe less than the policy's notice."""
    old, new = pair.old.ends_on, pair.new.ends_on
    if old is None or new is None or new >= old:
        return
    reason = _short_notice_reason(pair)
    yield change_between(
        pair.old,
        pair.new,
        old=pair.old.sunset,
        new=pair.new.sunset,
        names=_days(pair),
        verdict=_B if reason else None,
        reason=reason,
    )


def _short_notice_reason(pair: LifecyclePair) -> str:
    """Return why the new sunset is nearer than the notice of the policy, empty if it is not or there is none."""
    today, days = pair.policy.today, pair.policy.deprecation_notice_days
    ends_on = pair.new.ends_on
    if today is None or days <= 0 or ends_on is None or ends_on >= today + timedelta(days=days):
        return ""
    return phrase("less than %(days)s days from now", days=str(days))


def _sunset_missing(pair: LifecyclePair) -> Iterator[FoundChange]:
    is_new = not pair.old.is_deprecated or bool(pair.old.sunset)
    if pair.policy.needs_sunset and pair.new.is_deprecated and not pair.new.sunset and is_new:
        yield change_between(pair.old, pair.new)


def _sunset_invalid(pair: LifecyclePair) -> Iterator[FoundChange]:
    if pair.new.sunset and pair.new.ends_on is None and pair.new.sunset != pair.old.sunset:
        yield change_between(pair.old, pair.new, old=pair.old.sunset or ABSENT, new=pair.new.sunset)


def _sunset_dropped(pair: LifecyclePair) -> Iterator[FoundChange]:
    if pair.old.sunset and not pair.new.sunset:
        yield change_between(
            pair.old,
            pair.new,
            old=pair.old.sunset,
            names={"day": pair.old.sunset if pair.old.ends_on is not None else quote_value(pair.old.sunset)},
            verdict=_R if pair.new.is_deprecated else None,
        )


def _days(pair: LifecyclePair) -> dict[str, str]:
    """Return both days as sentences show them: `2026-01-31`, without quotes."""
    return {"before": pair.old.sunset, "day": pair.new.sunset}


def _stability_lowered(pair: LifecyclePair) -> Iterator[FoundChange]:
    if _maturity(pair.new) < _maturity(pair.old) and not _has_unknown_stability(pair):
        yield change_between(pair.old, pair.new, old=pair.old.stability.value, new=pair.new.stability.value)


def _stability_raised(pair: LifecyclePair) -> Iterator[FoundChange]:
    if _maturity(pair.new) > _maturity(pair.old) and not _has_unknown_stability(pair):
        yield change_between(pair.old, pair.new, old=pair.old.stability.value, new=pair.new.stability.value)


def _has_unknown_stability(pair: LifecyclePair) -> bool:
    return bool(pair.old.unknown_stability or pair.new.unknown_stability)


def _stability_unknown(pair: LifecyclePair) -> Iterator[FoundChange]:
    old, new = pair.old.unknown_stability, pair.new.unknown_stability
    if new and old != new:
        yield _unknown_stability_change(pair, phrase("it counts as unmarked"))


def _stability_known(pair: LifecyclePair) -> Iterator[FoundChange]:
    if pair.old.unknown_stability and not pair.new.unknown_stability:
        yield _unknown_stability_change(pair, "")


def _unknown_stability_change(pair: LifecyclePair, reason: str) -> FoundChange:
    old, new = (life.unknown_stability or life.stability.value for life in (pair.old, pair.new))
    return change_between(
        pair.old, pair.new, old=old, new=new, reason=reason, names={"levels": ", ".join(Stability)}
    )


_MATURITY = (Stability.DRAFT, Stability.ALPHA, Stability.BETA, Stability.STABLE)


def _maturity(life: Lifecycle) -> int:
    return _MATURITY.index(life.stability)


LIFECYCLE_RULES: tuple[Rule[LifecyclePair], ...] = (
    Rule(
        id="deprecated.set",
        area=Area.LIFECYCLE,
        action=Action.ADDED,
        to_provider=_L,
        to_consumer=_L,
        says=gettext_noop("this is now deprecated"),
        find=_deprecated_set,
        mirror="deprecated.unset",
    ),
    Rule(
        id="deprecated.unset",
        area=Area.LIFECYCLE,
        action=Action.REMOVED,
        to_provider=_L,
        to_consumer=_L,
        says=gettext_noop("this is no longer deprecated"),
        find=_deprecated_unset,
        mirror="deprecated.set",
    ),
    Rule(
        id="sunset.set",
        area=Area.LIFECYCLE,
        action=Action.ADDED,
        to_provider=_L,
        to_consumer=_L,
        says=gettext_noop("this stops working on %(day)s"),
        find=_sunset_set,
        mirror="sunset.dropped",
    ),
    Rule(
        id="sunset.later",
        area=Area.LIFECYCLE,
        action=Action.WIDENED,
        to_provider=_L,
        to_consumer=_L,
        says=gettext_noop("this works until %(day)s instead of %(before)s"),
        find=_sunset_later,
        mirror="sunset.earlier",
        waiver="more time than promised hurts nobody, less does",
    ),
    Rule(
        id="sunset.earlier",
        area=Area.LIFECYCLE,
        action=Action.NARROWED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("this stops working on %(day)s instead of %(before)s"),
        find=_sunset_earlier,
        mirror="sunset.later",
        waiver="more time than promised hurts nobody, less does",
    ),
    Rule(
        id="sunset.missing",
        area=Area.LIFECYCLE,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("this is deprecated without a sunset date"),
        find=_sunset_missing,
    ),
    Rule(
        id="sunset.invalid",
        area=Area.LIFECYCLE,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the sunset %(new)s is not a date such as 2026-01-31"),
        find=_sunset_invalid,
    ),
    Rule(
        id="sunset.dropped",
        area=Area.LIFECYCLE,
        action=Action.REMOVED,
        to_provider=_L,
        to_consumer=_L,
        says=gettext_noop("the sunset %(day)s is removed"),
        find=_sunset_dropped,
        mirror="sunset.set",
    ),
    Rule(
        id="stability.lowered",
        area=Area.LIFECYCLE,
        action=Action.NARROWED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("this was %(old)s and is now %(new)s"),
        find=_stability_lowered,
        mirror="stability.raised",
        waiver="a promise taken back may hurt, one that is made does not",
        is_softened=False,
    ),
    Rule(
        id="stability.raised",
        area=Area.LIFECYCLE,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("this was %(old)s and is now %(new)s"),
        find=_stability_raised,
        mirror="stability.lowered",
        waiver="a promise taken back may hurt, one that is made does not",
        is_softened=False,
    ),
    Rule(
        id="stability.unknown",
        area=Area.LIFECYCLE,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the stability level %(new)s is not one of %(levels)s"),
        find=_stability_unknown,
        mirror="stability.known",
        waiver="a level that nobody knows promises nothing",
        is_softened=False,
    ),
    Rule(
        id="stability.known",
        area=Area.LIFECYCLE,
        action=Action.CHANGED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("this is now %(new)s; the stability level %(old)s was not one of %(levels)s"),
        find=_stability_known,
        mirror="stability.unknown",
        waiver="a level that nobody knows promises nothing",
        is_softened=False,
    ),
)
