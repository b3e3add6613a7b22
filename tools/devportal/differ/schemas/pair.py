"""What rules of schemas look at: the forms of one value in the old and in the new contract."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Protocol

from devportal.contract import Schema
from devportal.differ.normalise.digest import schema_digest
from devportal.differ.normalise.forms import (
    NormalProperty,
    NormalSchema,
    allows_any_value,
    may_be_of_type,
    permitted_properties,
)
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.policy import Policy
from devportal.differ.schemas.applicators import (
    ConditionPairing,
    ContainmentPairing,
    pair_conditions,
    pair_containments,
)
from devportal.differ.schemas.branches import Wrapping
from devportal.differ.schemas.properties import (
    NegationPairing,
    PropertyChanges,
    pair_negations,
    property_changes,
)
from devportal.differ.schemas.unions import UnionChanges, union_changes
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

    old: NormalSchema
    new: NormalSchema
    old_forms: SchemaNormaliser = field(repr=False)
    new_forms: SchemaNormaliser = field(repr=False)
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
    def old_permitted(self) -> Mapping[str, NormalProperty]:
        """Return the old properties that no part of the schema refuses, whichever way they travel."""
        return permitted_properties(self.old)

    @cached_property
    def new_permitted(self) -> Mapping[str, NormalProperty]:
        """Return the new properties that no part of the schema refuses, whichever way they travel."""
        return permitted_properties(self.new)

    @cached_property
    def old_members(self) -> Mapping[str, NormalProperty]:
        """Return the old properties that travel in this direction."""
        return _properties_sent(self.old_permitted, self.direction)

    @cached_property
    def new_members(self) -> Mapping[str, NormalProperty]:
        """Return the new properties that travel in this direction."""
        return _properties_sent(self.new_permitted, self.direction)

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
        return (allows_any_value(self.old) and bool(self.new.types)) or (
            allows_any_value(self.new) and bool(self.old.types)
        )

    def may_both_be(self, kind: str) -> bool:
        """Say whether the value may be of a type on both sides, so that the keywords of the type compare."""
        return not self.is_typing and may_be_of_type(self.old, kind) and may_be_of_type(self.new, kind)

    def old_said(self, schemas: Schemas) -> Schemas:
        """Return old schemas, none where they say nothing."""
        return _constraining_schemas(schemas, self.old_forms)

    def new_said(self, schemas: Schemas) -> Schemas:
        """Return new schemas, none where they say nothing."""
        return _constraining_schemas(schemas, self.new_forms)


def _constraining_schemas(schemas: Schemas, forms: SchemaNormaliser) -> Schemas:
    return () if not schemas or allows_any_value(forms.of(*schemas)) else schemas


def _properties_sent(
    members: Mapping[str, NormalProperty], direction: Direction
) -> Mapping[str, NormalProperty]:
    if all(one.travels(direction) for one in members.values()):
        return members
    return {name: one for name, one in members.items() if one.travels(direction)}


_MOST_VALUES = 5


class SchemaDescription(str):
    """A value in a few words, with the digest of all that is said of it: words alone may hide a change."""

    __slots__ = ("essence",)
    essence: str


def describe_schema(forms: SchemaNormaliser, schemas: tuple[Schema, ...]) -> SchemaDescription:
    """Return a value in a few words: `Message`, `string, format uuid`, `array of integer`, `anything`."""
    told = SchemaDescription(_describe_in_words(forms, schemas, is_within=False))
    told.essence = schema_digest(forms.api, schemas, forms.elsewhere)
    return told


def _describe_in_words(forms: SchemaNormaliser, schemas: tuple[Schema, ...], *, is_within: bool) -> str:
    form = forms.of(*schemas)
    name = form.schema.name or _referred_name(forms, form)
    if name:
        return name
    if form.is_nothing:
        return "nothing"
    if form.unions and not form.declared_types:
        return f"one of {len(form.unions[0].branches)} schemas"
    kinds = sorted(form.types)
    if kinds == ["array"] and form.items and not is_within:
        return f"array of {_describe_in_words(forms, form.items, is_within=True)}"
    told = [" or ".join([*kinds, *(["null"] if form.allows_null and kinds else [])])]
    told += [f"format {form.format}"] if form.format else []
    told += [_format_enum(form)] if form.values is not None else []
    return ", ".join(one for one in told if one) or "anything"


def _referred_name(forms: SchemaNormaliser, form: NormalSchema) -> str:
    return forms.api.resolve(form.schema).name if form.schema.ref is not None else ""


def _format_enum(form: NormalSchema) -> str:
    values = [str(value) for value in form.values or ()]
    return f"one of {', '.join(values[:_MOST_VALUES])}" + ("…" if len(values) > _MOST_VALUES else "")
