"""The parts of two schemas that are compared on their own, and the steps that lead to them."""

from collections.abc import Iterator
from typing import NamedTuple

from devportal.differ import fields
from devportal.differ.branches import Wrapping, names_of
from devportal.differ.members import said_of_unlisted
from devportal.differ.pair import Position, SchemaPair, Schemas


class Below(NamedTuple):
    """A part that both sides have."""

    step: str
    old: Schemas
    new: Schemas
    position: Position


def below(pair: SchemaPair) -> Iterator[Below]:
    """Yield the parts that both forms have and that travel."""
    if pair.old.is_nothing or pair.new.is_nothing:
        return
    yield from _branches(pair)
    if pair.is_wrapped:
        return
    yield from _listed(pair)
    if pair.may_both_be("object"):
        yield from _members(pair)
        yield from _by_name(pair)
    if pair.may_both_be("array"):
        yield from _items(pair)
        yield from _contained(pair)
    yield from _under_keywords(pair)
    yield from _heirs(pair)


def _members(pair: SchemaPair) -> Iterator[Below]:
    """Yield the properties of both sides; what one side does not list is what it says of all others."""
    for name, old in pair.old_members.items():
        new = pair.new_members.get(name)
        if new is not None and (new.schemas or not pair.new.is_closed):
            position = pair.position.of_property(is_required=old.is_required and new.is_required)
            before = old.schemas or said_of_unlisted(pair.old, name)
            after = new.schemas or said_of_unlisted(pair.new, name)
            if before or after:
                yield Below(fields.member(name), before, after, position)
    optional = pair.position.of_property(is_required=False)
    for one in pair.properties.removed:
        after = pair.new_said(said_of_unlisted(pair.new, one.name))
        if after:
            yield Below(fields.member(one.name), one.schemas, after, optional)
    for one in pair.properties.added:
        before = pair.old_said(said_of_unlisted(pair.old, one.name))
        if before:
            yield Below(fields.member(one.name), before, one.schemas, optional)


def _by_name(pair: SchemaPair) -> Iterator[Below]:
    optional = pair.position.of_property(is_required=False)
    for name, old in pair.old.pattern_members.items():
        if name in pair.new.pattern_members:
            yield Below(fields.member(name), old, pair.new.pattern_members[name], optional)
    if not (pair.old.is_closed or pair.new.is_closed):
        yield from _if_both_say(pair, fields.FURTHER, pair.old.additional, pair.new.additional, optional)


def _items(pair: SchemaPair) -> Iterator[Below]:
    required = pair.position.within(is_required=True)
    yield from _if_both_say(pair, fields.ITEMS, pair.old.items, pair.new.items, required)
    for number, (old, new) in enumerate(zip(pair.old.prefix_items, pair.new.prefix_items, strict=False)):
        yield Below(fields.position(number), (old,), (new,), required)


def _contained(pair: SchemaPair) -> Iterator[Below]:
    """Yield what items have to be: more of them may do for the least number, fewer for the largest."""
    position, step = pair.position.within(is_required=True), fields.under("contains")
    for old, new in pair.containments.pairs:
        if old.low or new.low:
            yield Below(step, (old.schema,), (new.schema,), position)
        if (old.high, new.high) != (None, None):
            yield Below(step, (old.schema,), (new.schema,), position.opposite)


def _if_both_say(
    pair: SchemaPair, step: str, old: Schemas, new: Schemas, position: Position
) -> Iterator[Below]:
    """Yield a part, unless it says something on one side only: a rule tells that it was set or dropped."""
    if old and new and bool(pair.old_said(old)) is bool(pair.new_said(new)):
        yield Below(step, old, new, position)


def _under_keywords(pair: SchemaPair) -> Iterator[Below]:
    position = pair.position.within(is_required=True)
    for one, other in pair.negations.pairs:
        yield Below(fields.under("not"), (one,), (other,), position.opposite)
    for before, after in pair.conditions.pairs:
        for keyword, follows in before.consequences.items():
            if keyword in after.consequences:
                yield Below(fields.under(keyword), (follows,), (after.consequences[keyword],), position)
    for keyword, old in pair.old.others.items():
        if keyword not in pair.new.others:
            continue
        step, new = fields.under(keyword), pair.new.others[keyword]
        yield Below(step, old, new, position)


def _branches(pair: SchemaPair) -> Iterator[Below]:
    position = pair.position._replace(is_branch=True)
    for pairing in pair.unions.pairings:
        is_old = pairing.wrapping is Wrapping.UNWRAPPED
        union = pairing.old if is_old else pairing.new
        names = dict(zip(map(id, union.branches), names_of(union.branches), strict=True))
        for old, new in pairing.pairs:
            yield Below(fields.branch(names[id((old if is_old else new)[0])]), old, new, position)


def _listed(pair: SchemaPair) -> Iterator[Below]:
    """Yield the branches that stand for the same value: what is told of the value stands there."""
    position = pair.position._replace(is_branch=True)
    for value, old in pair.old.listed.items():
        if value in pair.new.listed:
            yield Below(fields.branch(value), (old,), (pair.new.listed[value],), position)


def _heirs(pair: SchemaPair) -> Iterator[Below]:
    """Yield the schemas that discriminators lead to beyond the branches of unions: what extends a schema."""
    if pair.old.discriminator is None or pair.new.discriminator is None or pair.new.unions:
        return
    old = pair.old_forms.heirs.of(pair.old) | pair.old_forms.heirs.mapped(pair.old)
    new = pair.new_forms.heirs.of(pair.new) | pair.new_forms.heirs.mapped(pair.new)
    for value, location in old.items():
        before = pair.old_forms.api.schemas.get(location)
        after = pair.new_forms.api.schemas.get(new[value]) if value in new else None
        if before is not None and after is not None:
            yield Below(fields.branch(value), (before,), (after,), pair.position)
