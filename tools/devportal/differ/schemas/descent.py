"""The parts of two schemas that are compared on their own, and the steps that lead to them."""

from collections.abc import Iterator
from typing import NamedTuple

from devportal.differ import change
from devportal.differ.normalise.forms import unlisted_property_schemas
from devportal.differ.schemas.branches import Wrapping, branch_names
from devportal.differ.schemas.pair import Position, SchemaPair, Schemas


class SubschemaPair(NamedTuple):
    """A part that both sides have."""

    step: str
    old: Schemas
    new: Schemas
    position: Position


def subschema_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the parts that both forms have and that travel."""
    if pair.old.is_nothing or pair.new.is_nothing:
        return
    yield from _branch_pairs(pair)
    if pair.is_wrapped:
        return
    yield from _listed_value_pairs(pair)
    if pair.may_both_be("object"):
        yield from _property_pairs(pair)
        yield from _pattern_and_additional_pairs(pair)
    if pair.may_both_be("array"):
        yield from _item_pairs(pair)
        yield from _contains_pairs(pair)
    yield from _keyword_pairs(pair)
    yield from _discriminator_subtype_pairs(pair)


def _property_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the properties of both sides; what one side does not list is what it says of all others."""
    for name, old in pair.old_members.items():
        new = pair.new_members.get(name)
        if new is not None and (new.schemas or not pair.new.is_closed):
            position = pair.position.of_property(is_required=old.is_required and new.is_required)
            before = old.schemas or unlisted_property_schemas(pair.old, name)
            after = new.schemas or unlisted_property_schemas(pair.new, name)
            if before or after:
                yield SubschemaPair(change.property_step(name), before, after, position)
    optional = pair.position.of_property(is_required=False)
    for one in pair.properties.removed:
        after = pair.new_said(unlisted_property_schemas(pair.new, one.name))
        if after:
            yield SubschemaPair(change.property_step(one.name), one.schemas, after, optional)
    for one in pair.properties.added:
        before = pair.old_said(unlisted_property_schemas(pair.old, one.name))
        if before:
            yield SubschemaPair(change.property_step(one.name), before, one.schemas, optional)


def _pattern_and_additional_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    optional = pair.position.of_property(is_required=False)
    for name, old in pair.old.pattern_members.items():
        if name in pair.new.pattern_members:
            yield SubschemaPair(change.property_step(name), old, pair.new.pattern_members[name], optional)
    if not (pair.old.is_closed or pair.new.is_closed):
        yield from _pair_if_both_constrain(
            pair, change.ADDITIONAL_STEP, pair.old.additional, pair.new.additional, optional
        )


def _item_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    required = pair.position.within(is_required=True)
    yield from _pair_if_both_constrain(pair, change.ITEMS_STEP, pair.old.items, pair.new.items, required)
    for number, (old, new) in enumerate(zip(pair.old.prefix_items, pair.new.prefix_items, strict=False)):
        yield SubschemaPair(change.item_step(number), (old,), (new,), required)


def _contains_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield what items have to be: more of them may do for the least number, fewer for the largest."""
    position, step = pair.position.within(is_required=True), change.keyword_step("contains")
    for old, new in pair.containments.pairs:
        if old.low or new.low:
            yield SubschemaPair(step, (old.schema,), (new.schema,), position)
        if (old.high, new.high) != (None, None):
            yield SubschemaPair(step, (old.schema,), (new.schema,), position.opposite)


def _pair_if_both_constrain(
    pair: SchemaPair, step: str, old: Schemas, new: Schemas, position: Position
) -> Iterator[SubschemaPair]:
    """Yield a part, unless it says something on one side only: a rule tells that it was set or dropped."""
    if old and new and bool(pair.old_said(old)) is bool(pair.new_said(new)):
        yield SubschemaPair(step, old, new, position)


def _keyword_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    position = pair.position.within(is_required=True)
    for one, other in pair.negations.pairs:
        yield SubschemaPair(change.keyword_step("not"), (one,), (other,), position.opposite)
    for before, after in pair.conditions.pairs:
        for keyword, follows in before.consequences.items():
            if keyword in after.consequences:
                yield SubschemaPair(
                    change.keyword_step(keyword), (follows,), (after.consequences[keyword],), position
                )
    for keyword, old in pair.old.others.items():
        if keyword not in pair.new.others:
            continue
        step, new = change.keyword_step(keyword), pair.new.others[keyword]
        yield SubschemaPair(step, old, new, position)


def _branch_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    position = pair.position._replace(is_branch=True)
    for pairing in pair.unions.pairings:
        is_old = pairing.wrapping is Wrapping.UNWRAPPED
        union = pairing.old if is_old else pairing.new
        names = dict(zip(map(id, union.branches), branch_names(union.branches), strict=True))
        for old, new in pairing.pairs:
            yield SubschemaPair(
                change.branch_step(names[id((old if is_old else new)[0])]), old, new, position
            )


def _listed_value_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the branches that stand for the same value: what is told of the value stands there."""
    position = pair.position._replace(is_branch=True)
    for value, old in pair.old.listed.items():
        if value in pair.new.listed:
            yield SubschemaPair(change.branch_step(value), (old,), (pair.new.listed[value],), position)


def _discriminator_subtype_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the schemas that discriminators lead to beyond the branches of unions: what extends a schema."""
    if pair.old.discriminator is None or pair.new.discriminator is None or pair.new.unions:
        return
    old = pair.old_forms.heirs.of(pair.old) | pair.old_forms.heirs.mapped(pair.old)
    new = pair.new_forms.heirs.of(pair.new) | pair.new_forms.heirs.mapped(pair.new)
    for value, location in old.items():
        before = pair.old_forms.api.schemas.get(location)
        after = pair.new_forms.api.schemas.get(new[value]) if value in new else None
        if before is not None and after is not None:
            yield SubschemaPair(change.branch_step(value), (before,), (after,), pair.position)
