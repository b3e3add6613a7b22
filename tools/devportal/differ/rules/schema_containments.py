"""Rules of schemas for what some items of an array have to be."""

from collections.abc import Iterator

from devportal.contract import ABSENT
from devportal.differ.describing import described
from devportal.differ.pair import SchemaPair
from devportal.differ.rule import Hit
from devportal.differ.rules.rows import narrowing, of_arrays, widening


def _set(pair: SchemaPair) -> Iterator[Hit]:
    for one in pair.containments.added:
        yield Hit(new=described(pair.new_forms, (one.schema,)), keyword="contains")


def _unset(pair: SchemaPair) -> Iterator[Hit]:
    for one in pair.containments.removed:
        yield Hit(old=described(pair.old_forms, (one.schema,)), keyword="contains")


def _min_raised(pair: SchemaPair) -> Iterator[Hit]:
    for old, new in pair.containments.pairs:
        if new.low > old.low:
            yield Hit(old=old.low, new=new.low, keyword="minContains")


def _min_lowered(pair: SchemaPair) -> Iterator[Hit]:
    for old, new in pair.containments.pairs:
        if new.low < old.low:
            yield Hit(old=old.low, new=new.low, keyword="minContains")


def _max_lowered(pair: SchemaPair) -> Iterator[Hit]:
    for old, new in pair.containments.pairs:
        if new.high is not None and (old.high is None or new.high < old.high):
            yield Hit(old=ABSENT if old.high is None else old.high, new=new.high, keyword="maxContains")


def _max_raised(pair: SchemaPair) -> Iterator[Hit]:
    for old, new in pair.containments.pairs:
        if old.high is not None and (new.high is None or new.high > old.high):
            yield Hit(old=old.high, new=ABSENT if new.high is None else new.high, keyword="maxContains")


CONTAINMENT_RULES = (
    narrowing(
        "schema.contains.set",
        "one of the items has to be {new} from now on",
        of_arrays(_set),
        mirror="schema.contains.unset",
    ),
    widening(
        "schema.contains.unset",
        "none of the items has to be {old} any more",
        of_arrays(_unset),
        mirror="schema.contains.set",
    ),
    narrowing(
        "schema.min-contains.raised",
        "the smallest number of items that `contains` asks for is raised from {old} to {new}",
        of_arrays(_min_raised),
        mirror="schema.min-contains.lowered",
    ),
    widening(
        "schema.min-contains.lowered",
        "the smallest number of items that `contains` asks for is lowered from {old} to {new}",
        of_arrays(_min_lowered),
        mirror="schema.min-contains.raised",
    ),
    narrowing(
        "schema.max-contains.lowered",
        "the largest number of items that `contains` allows is lowered from {old} to {new}",
        of_arrays(_max_lowered),
        mirror="schema.max-contains.raised",
    ),
    widening(
        "schema.max-contains.raised",
        "the largest number of items that `contains` allows is raised from {old} to {new}",
        of_arrays(_max_raised),
        mirror="schema.max-contains.lowered",
    ),
)
