"""What rules of schemas look at: the forms of one value in the old and in the new contract."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Protocol

from devportal.contract import Schema
from devportal.differ.branches import Wrapping
from devportal.differ.conditions import ConditionPairing, pair_conditions
from devportal.differ.containments import ContainmentPairing, pair_containments
from devportal.differ.forms import Form, Member
from devportal.differ.members import permitted_members
from devportal.differ.negations import NegationPairing, pair_negations
from devportal.differ.normal import Forms
from devportal.differ.openness import may_be, says_nothing
from devportal.differ.policy import Policy
from devportal.differ.properties import PropertyChanges, property_changes
from devportal.differ.unions import UnionChanges, union_changes
from devportal.differ.verdict import Direction


class Position(NamedTuple):
    """Where a value travels, as far as verdicts depend on it.

    `is_text` holds where values are written as text without types: parameters, headers, fields of forms.
    `is_form` holds for a form as a whole, `is_field` for its fields: an object in a field is written as JSON
    (OAS 3.0.3 §4.7.15.1). `is_required` says whether the value is always there, so that its default is never
    used. `is_branch` holds for a branch of a union: whether null is allowed is a matter of the union as a
    whole. `is_negated` holds for what must not be kept.
    """

    direction: Direction
    is_text: bool = False
    is_xml: bool = False
    is_required: bool = True
    is_branch: bool = False
    is_form: bool = False
    is_field: bool = False
    is_negated: bool = False

    @property
    def opposite(self) -> "Position":
        """Return the position of a value that must not be kept (`not`)."""
        return self._replace(
            direction=self.direction.opposite, is_branch=False, is_negated=not self.is_negated
        )

    def within(self, *, is_required: bool) -> "Position":
        """Return the position of a part of the value."""
        return self._replace(is_required=is_required, is_branch=False)

    def of_property(self, *, is_required: bool) -> "Position":
        """Return the position of a property of the value."""
        return self.within(is_required=is_required)._replace(
            is_text=self.is_text and not self.is_field, is_form=False, is_field=self.is_form
        )


class Side(StrEnum):
    """Which of the two contracts a schema is from."""

    OLD = "old"
    NEW = "new"


Schemas = tuple[Schema, ...]
"""What is said of one value: one schema mostly, several that apply together, or none."""


class Inclusion(Protocol):
    """Knows of two schemas, each of either contract, whether one allows all that the other does."""

    def __call__(self, narrow: Schemas, narrow_side: Side, wide: Schemas, wide_side: Side) -> bool:
        """Say whether each value that keeps the one schema is shown to keep the other."""
        ...


@dataclass(frozen=True, kw_only=True)
class SchemaPair:
    """The old and the new form of a value, where it travels, and by which policy it is judged."""

    old: Form
    new: Form
    old_forms: Forms = field(repr=False)
    new_forms: Forms = field(repr=False)
    position: Position
    policy: Policy
    includes: Inclusion = field(repr=False)

    @property
    def direction(self) -> Direction:
        """Return the direction in which the value travels."""
        return self.position.direction

    @property
    def is_sent(self) -> bool:
        """Say whether the consumer sends the value."""
        return self.direction is Direction.TO_PROVIDER

    @cached_property
    def old_permitted(self) -> Mapping[str, Member]:
        """Return the old properties that no part of the schema refuses, whichever way they travel."""
        return permitted_members(self.old)

    @cached_property
    def new_permitted(self) -> Mapping[str, Member]:
        """Return the new properties that no part of the schema refuses, whichever way they travel."""
        return permitted_members(self.new)

    @cached_property
    def old_members(self) -> Mapping[str, Member]:
        """Return the old properties that travel in this direction."""
        return _travelling(self.old_permitted, self.direction)

    @cached_property
    def new_members(self) -> Mapping[str, Member]:
        """Return the new properties that travel in this direction."""
        return _travelling(self.new_permitted, self.direction)

    @cached_property
    def properties(self) -> PropertyChanges:
        """Return which properties have come, gone or got another name."""
        kept = {name for name, one in self.new_permitted.items() if one.schemas or not self.new.is_closed}
        removed = [one for one in self.old_members.values() if one.schemas and one.name not in kept]
        added = [
            one for one in self.new_members.values() if one.schemas and one.name not in self.old_permitted
        ]
        return property_changes(removed, added, self.old_forms, self.new_forms, self.is_alike)

    def is_alike(self, old: Schemas, new: Schemas) -> bool:
        """Say whether what is said of an old and a new value is shown to allow the same."""
        return self.includes(old, Side.OLD, new, Side.NEW) and self.includes(new, Side.NEW, old, Side.OLD)

    @cached_property
    def unions(self) -> UnionChanges:
        """Return how the unions of both sides and their branches belong together.

        A schema without a union stands for a union of one branch where the other side has one.
        """
        return union_changes(
            self.old, self.new, self.old_forms, self.new_forms, is_branch=self.position.is_branch
        )

    @cached_property
    def negations(self) -> NegationPairing:
        """Return how what both sides forbid belongs together."""
        return pair_negations(self.old.negated, self.new.negated, self.is_alike)

    @cached_property
    def conditions(self) -> ConditionPairing:
        """Return how what both sides ask of some values only belongs together."""
        return pair_conditions(self.old.conditions, self.new.conditions, self.is_alike)

    @cached_property
    def containments(self) -> ContainmentPairing:
        """Return how what the items of both sides have to hold belongs together."""
        return pair_containments(self.old.containments, self.new.containments, self.is_alike)

    @cached_property
    def is_wrapped(self) -> bool:
        """Say whether one side is a union and the other a branch of it, so that only branches compare."""
        if self.old.is_nothing or self.new.is_nothing:
            return False
        return any(one.wrapping is not Wrapping.NONE for one in self.unions.pairings)

    @cached_property
    def is_typing(self) -> bool:
        """Say whether a value of which nothing was said has got a type, or the reverse: that says it all."""
        return (says_nothing(self.old) and bool(self.new.types)) or (
            says_nothing(self.new) and bool(self.old.types)
        )

    def may_both_be(self, kind: str) -> bool:
        """Say whether the value may be of a type on both sides, so that the keywords of the type compare."""
        return not self.is_typing and may_be(self.old, kind) and may_be(self.new, kind)

    def old_said(self, schemas: Schemas) -> Schemas:
        """Return old schemas, none where they say nothing."""
        return _said(schemas, self.old_forms)

    def new_said(self, schemas: Schemas) -> Schemas:
        """Return new schemas, none where they say nothing."""
        return _said(schemas, self.new_forms)


def _said(schemas: Schemas, forms: Forms) -> Schemas:
    return () if not schemas or says_nothing(forms.of(*schemas)) else schemas


def _travelling(members: Mapping[str, Member], direction: Direction) -> Mapping[str, Member]:
    if all(one.travels(direction) for one in members.values()):
        return members
    return {name: one for name, one in members.items() if one.travels(direction)}
