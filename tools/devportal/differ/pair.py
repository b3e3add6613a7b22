"""What rules of schemas look at: the forms of one value in the old and in the new contract."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Protocol

from devportal.contract import Schema
from devportal.differ.branches import BranchPairing, pair_branches
from devportal.differ.forms import Form, Member
from devportal.differ.normal import Forms
from devportal.differ.policy import Policy
from devportal.differ.verdict import Direction


class Position(NamedTuple):
    """Where a value travels, as far as verdicts depend on it.

    `is_text` holds where values are written as text without types: parameters, headers, fields of forms.
    `is_required` says whether the value is always there, so that its default is never used. `is_branch`
    holds for a branch of a union: whether null is allowed is a matter of the union as a whole.
    """

    direction: Direction
    is_text: bool = False
    is_xml: bool = False
    is_required: bool = True
    is_branch: bool = False

    @property
    def opposite(self) -> "Position":
        """Return the position of a value that must not be kept (`not`)."""
        return self._replace(direction=self.direction.opposite, is_branch=False)

    def within(self, *, is_required: bool) -> "Position":
        """Return the position of a part of the value."""
        return self._replace(is_required=is_required, is_branch=False)


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
    def old_members(self) -> Mapping[str, Member]:
        """Return the old properties that travel in this direction."""
        return _travelling(self.old, self.direction)

    @cached_property
    def new_members(self) -> Mapping[str, Member]:
        """Return the new properties that travel in this direction."""
        return _travelling(self.new, self.direction)

    @cached_property
    def branches(self) -> tuple[BranchPairing, ...]:
        """Return how the branches of the unions of both sides belong together, union by union.

        A schema without a union stands for a union of one branch where the other side has one.
        """
        return tuple(pair_branches(self.old, self.new, self.old_forms, self.new_forms))


def _travelling(form: Form, direction: Direction) -> Mapping[str, Member]:
    if all(one.travels(direction) for one in form.members.values()):
        return form.members
    return {name: one for name, one in form.members.items() if one.travels(direction)}
