"""A schema before and after: keyword by keyword, property by property."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
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
from devportal.differ.rule import Direction
from devportal.differ.schemas.applicators import (
    ConditionPairing,
    ContainmentPairing,
    pair_conditions,
    pair_containments,
)
from devportal.differ.schemas.branches import Wrapping
from devportal.differ.schemas.unions import UnionChanges, union_changes

_MAX_SHAPE_PAIRS, _MAX_COMPARED_PAIRS = 2_000, 200
"""How many pairs of properties of one object are looked at, and compared, to find what was renamed."""

Alike = Callable[[tuple[Schema, ...], tuple[Schema, ...]], bool]
"""Returns whether an old and a new value are shown to be the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyChanges:
    """Properties that are in one of two objects only; `renamed` has the old and the new property."""

    removed: tuple[NormalProperty, ...]
    added: tuple[NormalProperty, ...]
    renamed: tuple[tuple[NormalProperty, NormalProperty], ...] = ()


def property_changes(
    removed: Sequence[NormalProperty],
    added: Sequence[NormalProperty],
    old: SchemaNormaliser,
    new: SchemaNormaliser,
    is_alike: Alike,
) -> PropertyChanges:
    """Return which properties were removed, which were added, and which only have another name."""
    renamed = tuple(_match_renamed(removed, added, old, new, is_alike))
    old_names, new_names = {one.name for one, _ in renamed}, {one.name for _, one in renamed}
    return PropertyChanges(
        removed=tuple(one for one in removed if one.name not in old_names),
        added=tuple(one for one in added if one.name not in new_names),
        renamed=renamed,
    )


def _match_renamed(
    removed: Sequence[NormalProperty],
    added: Sequence[NormalProperty],
    old: SchemaNormaliser,
    new: SchemaNormaliser,
    is_alike: Alike,
) -> Iterator[tuple[NormalProperty, NormalProperty]]:
    """Yield the properties of equal schemas, those with the most similar names first, each once."""
    old_names: set[str] = set()
    new_names: set[str] = set()
    for one, other in _rename_candidates(removed, added, old, new):
        if one.name not in old_names and other.name not in new_names and is_alike(one.schemas, other.schemas):
            old_names.add(one.name)
            new_names.add(other.name)
            yield one, other


def _rename_candidates(
    removed: Sequence[NormalProperty],
    added: Sequence[NormalProperty],
    old: SchemaNormaliser,
    new: SchemaNormaliser,
) -> list[tuple[NormalProperty, NormalProperty]]:
    if not removed or not added or len(removed) * len(added) > _MAX_SHAPE_PAIRS:
        return []
    old_shapes = [(one, _property_shape(old, one)) for one in removed]
    new_shapes = [(one, _property_shape(new, one)) for one in added]
    candidates = [(one, other) for one, shape in old_shapes for other, its in new_shapes if shape == its]
    candidates.sort(key=lambda both: -_name_similarity(both[0].name, both[1].name))
    return candidates[:_MAX_COMPARED_PAIRS]


def _property_shape(forms: SchemaNormaliser, member: NormalProperty) -> tuple[object, ...]:
    form = forms.of(*member.schemas)
    return form.types, form.allows_null, form.format, frozenset(form.members), len(form.unions)


def _name_similarity(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


_MAX_NOT_PAIRS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NegationPairing:
    """The forbidden schemas of both sides that belong together, and those of one side alone."""

    pairs: tuple[tuple[Schema, Schema], ...]
    removed: tuple[Schema, ...]
    added: tuple[Schema, ...]


def pair_negations(old: Sequence[Schema], new: Sequence[Schema], is_alike: Alike) -> NegationPairing:
    """Return how forbidden schemas belong together: those that are alike, then the others in their order."""
    left, right = list(old), list(new)
    pairs: list[tuple[Schema, Schema]] = []
    for one in old if 1 < len(old) * len(new) <= _MAX_NOT_PAIRS else ():
        other = next((other for other in right if is_alike((one,), (other,))), None)
        if other is not None:
            left = [each for each in left if each is not one]
            right = [each for each in right if each is not other]
            pairs.append((one, other))
    pairs += zip(left, right, strict=False)
    count = min(len(left), len(right))
    return NegationPairing(pairs=tuple(pairs), removed=tuple(left[count:]), added=tuple(right[count:]))


FIELD_DEPTH, FORM_DEPTH, WHOLE_TEXT = 1, 2, 100
"""How many levels of objects are written as text: a field of a form with its lists, a form, a parameter."""


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
    def text_depth(self) -> int:
        """Return how many levels of objects in the value are written as text: none in JSON."""
        if not self.is_text:
            return 0
        return FORM_DEPTH if self.is_form else FIELD_DEPTH if self.is_field else WHOLE_TEXT

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
"""The schemas of one value: mostly one, several that apply together, or none."""


class Inclusion(Protocol):
    """Knows of two schemas, each of either contract, whether one allows all that the other does."""

    def __call__(self, narrow: Schemas, narrow_side: Side, wide: Schemas, wide_side: Side) -> bool:
        """Return whether each value that is valid for the one schema is shown to be valid for the other."""
        ...


@dataclass(frozen=True, kw_only=True)
class SchemaPair:
    """The old and the new form of a value, its position, and the policy."""

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
        """Return the old properties that no part of the schema refuses, in either direction."""
        return permitted_properties(self.old)

    @cached_property
    def new_permitted(self) -> Mapping[str, NormalProperty]:
        """Return the new properties that no part of the schema refuses, in either direction."""
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
        """Return which properties were added, removed or renamed."""
        kept_names = {
            name for name, one in self.new_permitted.items() if one.schemas or not self.new.is_closed
        }
        removed = [one for one in self.old_members.values() if one.schemas and one.name not in kept_names]
        added = [
            one for one in self.new_members.values() if one.schemas and one.name not in self.old_permitted
        ]
        return property_changes(removed, added, self.old_forms, self.new_forms, self.is_alike)

    def is_alike(self, old: Schemas, new: Schemas) -> bool:
        """Return whether the schemas of an old and a new value are shown to allow the same."""
        return self.includes(old, Side.OLD, new, Side.NEW) and self.includes(new, Side.NEW, old, Side.OLD)

    @cached_property
    def unions(self) -> UnionChanges:
        """Return how the unions of both sides and their branches match.

        A schema without a union counts as a union of one branch if the other side has a union.
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
        if self.old.allows_nothing or self.new.allows_nothing:
            return False
        return any(one.wrapping is not Wrapping.NONE for one in self.unions.pairings)

    @cached_property
    def is_typing(self) -> bool:
        """Return whether an unrestricted value got a type, or the reverse: then no other keyword is compared."""
        return (allows_any_value(self.old) and bool(self.new.types)) or (
            allows_any_value(self.new) and bool(self.old.types)
        )

    def may_both_be_of_type(self, kind: str) -> bool:
        """Say whether the value may be of a type on both sides, so that the keywords of the type compare."""
        return not self.is_typing and may_be_of_type(self.old, kind) and may_be_of_type(self.new, kind)

    def old_constraining(self, schemas: Schemas) -> Schemas:
        """Return old schemas, none if they allow everything."""
        return _constraining_schemas(schemas, self.old_forms)

    def new_constraining(self, schemas: Schemas) -> Schemas:
        """Return new schemas, none if they allow everything."""
        return _constraining_schemas(schemas, self.new_forms)


def _constraining_schemas(schemas: Schemas, forms: SchemaNormaliser) -> Schemas:
    return () if not schemas or allows_any_value(forms.of(*schemas)) else schemas


def _properties_sent(
    members: Mapping[str, NormalProperty], direction: Direction
) -> Mapping[str, NormalProperty]:
    if all(one.travels(direction) for one in members.values()):
        return members
    return {name: one for name, one in members.items() if one.travels(direction)}


_MAX_LISTED_VALUES = 5


class SchemaDescription(str):
    """A short description of a value, with a digest of its schemas: the words alone may hide a change."""

    __slots__ = ("digest",)
    digest: str


def describe_schema(forms: SchemaNormaliser, schemas: tuple[Schema, ...]) -> SchemaDescription:
    """Return a value in a few words: `Message`, `string, format uuid`, `array of integer`, `anything`."""
    description = SchemaDescription(_describe_in_words(forms, schemas, is_within=False))
    description.digest = schema_digest(forms.api, schemas, forms.other_contract_names)
    return description


def _describe_in_words(forms: SchemaNormaliser, schemas: tuple[Schema, ...], *, is_within: bool) -> str:
    form = forms.of(*schemas)
    name = form.schema.name or _referred_name(forms, form)
    if name:
        return name
    if form.allows_nothing:
        return "nothing"
    if form.unions and not form.declared_types:
        return f"one of {len(form.unions[0].branches)} schemas"
    kinds = sorted(form.types)
    if kinds == ["array"] and form.items and not is_within:
        return f"array of {_describe_in_words(forms, form.items, is_within=True)}"
    words = [" or ".join([*kinds, *(["null"] if form.allows_null and kinds else [])])]
    words += [f"format {form.format}"] if form.format else []
    words += [_format_enum(form)] if form.values is not None else []
    return ", ".join(one for one in words if one) or "anything"


def _referred_name(forms: SchemaNormaliser, form: NormalSchema) -> str:
    return forms.api.resolve(form.schema).name if form.schema.ref is not None else ""


def _format_enum(form: NormalSchema) -> str:
    values = [str(value) for value in form.values or ()]
    return f"one of {', '.join(values[:_MAX_LISTED_VALUES])}" + (
        "…" if len(values) > _MAX_LISTED_VALUES else ""
    )
