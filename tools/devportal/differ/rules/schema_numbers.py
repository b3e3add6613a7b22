"""Rules of schemas for numbers: bounds and multiples (JSON Schema 2020-12 Validation §6.2)."""

from collections.abc import Iterator

from devportal.contract import ABSENT
from devportal.differ.forms import Bound
from devportal.differ.pair import SchemaPair
from devportal.differ.rule import Action, Area, Hit, Rule
from devportal.differ.verdict import Verdict

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE


def _minimum_raised(pair: SchemaPair) -> Iterator[Hit]:
    old, new = pair.old.lower, pair.new.lower
    if new is not None and (old is None or new.value > old.value):
        yield _bound_hit("minimum", old, new, verdict=_first_bound(pair, old is None))


def _minimum_lowered(pair: SchemaPair) -> Iterator[Hit]:
    old, new = pair.old.lower, pair.new.lower
    if old is not None and (new is None or new.value < old.value):
        yield _bound_hit("minimum", old, new)


def _maximum_lowered(pair: SchemaPair) -> Iterator[Hit]:
    old, new = pair.old.upper, pair.new.upper
    if new is not None and (old is None or new.value < old.value):
        yield _bound_hit("maximum", old, new, verdict=_first_bound(pair, old is None))


def _maximum_raised(pair: SchemaPair) -> Iterator[Hit]:
    old, new = pair.old.upper, pair.new.upper
    if old is not None and (new is None or new.value > old.value):
        yield _bound_hit("maximum", old, new)


def _exclusive(pair: SchemaPair, *, is_on: bool) -> Iterator[Hit]:
    for keyword, old, new in (
        ("minimum", pair.old.lower, pair.new.lower),
        ("maximum", pair.old.upper, pair.new.upper),
    ):
        if old is None or new is None or old.value != new.value:
            continue
        if old.is_exclusive is not is_on and new.is_exclusive is is_on:
            yield _bound_hit(keyword, old, new, names={"bound": keyword})


def _first_bound(pair: SchemaPair, is_first: bool) -> Verdict | None:  # noqa: FBT001 - a plain fact
    return pair.policy.first_bound if is_first and pair.is_sent else None


def _bound_hit(
    keyword: str,
    old: Bound | None,
    new: Bound | None,
    *,
    verdict: Verdict | None = None,
    names: dict[str, str] | None = None,
) -> Hit:
    return Hit(
        old=_shown(old),
        new=_shown(new),
        keyword=keyword,
        verdict=verdict,
        names=names or {},
    )


def _shown(bound: Bound | None) -> object:
    if bound is None:
        return ABSENT
    return {"above" if bound.is_exclusive else "from": bound.shown()} if bound.is_exclusive else bound.shown()


NUMBER_RULES = (
    Rule(
        id="schema.minimum.raised",
        area=Area.SCHEMA,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says="the smallest value allowed is raised from {old} to {new}",
        find=_minimum_raised,
        mirror="schema.minimum.lowered",
    ),
)
