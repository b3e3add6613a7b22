"""Rules of schemas for what some items of an array have to be."""

from collections.abc import Iterator, Mapping
from typing import TypedDict

from devportal.contract import ABSENT
from devportal.differ.normalise.forms import Containment
from devportal.differ.rule import FoundChange
from devportal.differ.rules.rows import narrowing_rule, only_for_arrays, widening_rule
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.schema_descriptions import describe_schema
from devportal.translation import gettext_noop


def _contains_set(pair: SchemaPair) -> Iterator[FoundChange]:
    for containment in pair.containments.added:
        yield FoundChange(
            new=describe_schema(pair.new_forms, (containment.schema,)),
            keyword="contains",
            **_counts(containment, is_new=True),
        )


def _contains_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    for containment in pair.containments.removed:
        yield FoundChange(
            old=describe_schema(pair.old_forms, (containment.schema,)),
            keyword="contains",
            **_counts(containment, is_new=False),
        )


class _Counts(TypedDict, total=False):
    """The fields of a found change that tell how many items are limited."""

    names: Mapping[str, str]
    says: str
    essence: str


def _counts(containment: Containment, *, is_new: bool) -> _Counts:
    """Return the sentence for other counts than at least one item, which is what the sentence of the rule says."""
    low, high = containment.low, containment.high
    if (low, high) == (1, None):
        return {}
    says = _count_sentence(low, high) if is_new else "" if high is None else _REMOVED_MAXIMUM
    return {"names": {"low": str(low), "high": str(high)}, "says": says, "essence": f"{low}-{high}"}


_REMOVED_MAXIMUM = gettext_noop("any number of items can now be %(old)s (contains is removed)")


def _count_sentence(low: int, high: int | None) -> str:
    if high is None:
        return gettext_noop("the number of items that are %(new)s must now be at least %(low)s (contains)")
    if low == 0:
        return gettext_noop("the number of items that are %(new)s must now be at most %(high)s (contains)")
    return gettext_noop(
        "the number of items that are %(new)s must now be from %(low)s to %(high)s (contains)"
    )


def _min_contains_raised(pair: SchemaPair) -> Iterator[FoundChange]:
    for old, new in pair.containments.pairs:
        if new.low > old.low:
            yield FoundChange(old=old.low, new=new.low, keyword="minContains")


def _min_contains_lowered(pair: SchemaPair) -> Iterator[FoundChange]:
    for old, new in pair.containments.pairs:
        if new.low < old.low:
            yield FoundChange(old=old.low, new=new.low, keyword="minContains")


def _max_contains_lowered(pair: SchemaPair) -> Iterator[FoundChange]:
    for old, new in pair.containments.pairs:
        if new.high is not None and (old.high is None or new.high < old.high):
            yield FoundChange(
                old=ABSENT if old.high is None else old.high, new=new.high, keyword="maxContains"
            )


def _max_contains_raised(pair: SchemaPair) -> Iterator[FoundChange]:
    for old, new in pair.containments.pairs:
        if old.high is not None and (new.high is None or new.high > old.high):
            yield FoundChange(
                old=old.high, new=ABSENT if new.high is None else new.high, keyword="maxContains"
            )


CONTAINMENT_RULES = (
    narrowing_rule(
        "schema.contains.set",
        gettext_noop("at least one item must now be %(new)s (contains)"),
        only_for_arrays(_contains_set),
        mirror="schema.contains.unset",
    ),
    widening_rule(
        "schema.contains.unset",
        gettext_noop("no item has to be %(old)s any more (contains is removed)"),
        only_for_arrays(_contains_unset),
        mirror="schema.contains.set",
    ),
    narrowing_rule(
        "schema.min-contains.raised",
        gettext_noop("minContains is raised from %(old)s to %(new)s"),
        only_for_arrays(_min_contains_raised),
        mirror="schema.min-contains.lowered",
    ),
    widening_rule(
        "schema.min-contains.lowered",
        gettext_noop("minContains is lowered from %(old)s to %(new)s"),
        only_for_arrays(_min_contains_lowered),
        mirror="schema.min-contains.raised",
    ),
    narrowing_rule(
        "schema.max-contains.lowered",
        gettext_noop("maxContains is lowered from %(old)s to %(new)s"),
        only_for_arrays(_max_contains_lowered),
        mirror="schema.max-contains.raised",
    ),
    widening_rule(
        "schema.max-contains.raised",
        gettext_noop("maxContains is raised from %(old)s to %(new)s"),
        only_for_arrays(_max_contains_raised),
        mirror="schema.max-contains.lowered",
    ),
)
