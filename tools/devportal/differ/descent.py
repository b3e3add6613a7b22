"""The parts of two schemas that are compared on their own, and the steps that lead to them."""

from collections.abc import Iterator
from typing import NamedTuple

from devportal.differ import fields
from devportal.differ.branches import names_of
from devportal.differ.pair import Position, SchemaPair, Schemas

_NOT_JUDGED_BELOW = frozenset({"if"})
"""Keywords that a rule judges as a whole: whether a condition narrows depends on what follows from it."""


class Below(NamedTuple):
    """A part that both sides have."""

    step: str
    old: Schemas
    new: Schemas
    position: Position


def below(pair: SchemaPair) -> Iterator[Below]:
    """Yield the parts that both forms have and that travel."""
    here = pair.position
    yield from _members(pair)
    yield from _named(pair)
    if pair.old.items and pair.new.items:
        yield Below(fields.ITEMS, pair.old.items, pair.new.items, here.within(is_required=True))
    for number, (old, new) in enumerate(zip(pair.old.prefix_items, pair.new.prefix_items, strict=False)):
        yield Below(fields.position(number), (old,), (new,), here.within(is_required=True))
    if pair.old.additional and pair.new.additional:
        yield Below(
            fields.FURTHER, pair.old.additional, pair.new.additional, here.within(is_required=False)
        )
    if pair.old.negated and pair.new.negated:
        yield Below(fields.under("not"), pair.old.negated, pair.new.negated, here.opposite)
    yield from _branches(pair)


def _members(pair: SchemaPair) -> Iterator[Below]:
    for name, old in pair.old_members.items():
        new = pair.new_members.get(name)
        if new is not None and (old.schemas or new.schemas):
            position = pair.position.within(is_required=old.is_required and new.is_required)
            yield Below(fields.member(name), old.schemas, new.schemas, position)


def _named(pair: SchemaPair) -> Iterator[Below]:
    for name, old in pair.old.pattern_members.items():
        if name in pair.new.pattern_members:
            step = fields.member(name)
            position = pair.position.within(is_required=False)
            yield Below(step, old, pair.new.pattern_members[name], position)
    for keyword, old in pair.old.others.items():
        if keyword in pair.new.others and keyword not in _NOT_JUDGED_BELOW:
            yield Below(fields.under(keyword), old, pair.new.others[keyword], pair.position)


def _branches(pair: SchemaPair) -> Iterator[Below]:
    for pairing in pair.branches:
        names = dict(zip(map(id, pairing.new.branches), names_of(pairing.new.branches), strict=True))
        for old, new in pairing.pairs:
            yield Below(fields.branch(names[id(new)]), (old,), (new,), pair.position._replace(is_branch=True))
