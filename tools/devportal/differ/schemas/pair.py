"""A schema before and after: keyword by keyword, property by property."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Protocol

from devportal.contract import Schema
from devportal.differ.match.renames import NamedPart, Renames, find_renames
from devportal.differ.normalise.applicators import (
    ConditionPairing,
    ContainmentPairing,
    pair_conditions,
    pair_containments,
)
from devportal.differ.normalise.digest import schema_digest
from devportal.differ.normalise.forms import (
    NormalProperty,
    NormalSchema,
    allows_any_value,
    may_be_of_type,
    permitted_properties,
)
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.normalise.unevaluated import refuses_undescribed_property
from devportal.differ.policy import Policy
from devportal.differ.rule import Direction, Verdict
from devportal.differ.schemas.position import Position, Schemas, Side
from devportal.differ.schemas.unions.branches import Wrapping
from devportal.differ.schemas.unions.pieces import union_rules
from devportal.differ.schemas.unions.union_changes import UnionChanges, union_changes
from devportal.differ.schemas.unions.union_inclusion import UnionSides
from devportal.differ.schemas.xml_forms import XmlForm, xml_form

Alike = Callable[[tuple[Schema, ...], tuple[Schema, ...]], bool]
"""Returns whether an old and a new value are shown to be the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyChanges:
    """Properties that are in one of two objects only; `forbidden` and `permitted` are those that an object lists to
    rule them out, now or before.
    """

    removed: tuple[NormalProperty, ...]
    added: tuple[NormalProperty, ...]
    forbidden: tuple[NormalProperty, ...] = ()
    permitted: tuple[NormalProperty, ...] = ()

    @property
    def ruled_out(self) -> frozenset[str]:
        """Return the names of properties that are ruled out on one side."""
        return frozenset(member.name for member in (*self.forbidden, *self.permitted))


def _is_forbidden(forms: SchemaNormaliser, member: NormalProperty) -> bool:
    """Say whether an object lists a property that it does not have to have, and allows no value of it."""
    if member.is_required or not member.schemas:
        return False
    is_single = len(member.schemas) == 1
    return any(map(forms.refuses_all, member.schemas)) or (
        not is_single and forms.of(*member.schemas).allows_nothing
    )


def _named_property(forms: SchemaNormaliser, member: NormalProperty) -> NamedPart[NormalProperty]:
    """Return a property with what may be evidence of a rename; texts of the place win over those of a type."""
    resolved = (*reversed(member.schemas), *map(forms.api.resolve, reversed(member.schemas)))
    return NamedPart(
        part=member,
        name=member.name,
        description=next((schema.description for schema in resolved if schema.description), ""),
        examples=next((schema.examples for schema in resolved if schema.examples), ()),
        renamed_from=tuple(name for schema in member.schemas for name in schema.renamed_from),
    )


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
    for schema in old if 1 < len(old) * len(new) <= _MAX_NOT_PAIRS else ():
        other = next((other for other in right if is_alike((schema,), (other,))), None)
        if other is not None:
            left = [each for each in left if each is not schema]
            right = [each for each in right if each is not other]
            pairs.append((schema, other))
    pairs += zip(left, right, strict=False)
    count = min(len(left), len(right))
    return NegationPairing(pairs=tuple(pairs), removed=tuple(left[count:]), added=tuple(right[count:]))


class Inclusion(Protocol):
    """Knows of two schemas, each of either contract, whether one allows all that the other does."""

    def __call__(
        self,
        narrow: Schemas,
        narrow_side: Side,
        wide: Schemas,
        wide_side: Side,
        *,
        is_branch: bool = False,
        gravest: Verdict = Verdict.COMPATIBLE,
        travels: Direction = Direction.TO_PROVIDER,
    ) -> bool:
        """Return whether each value that is valid for the one schema is shown to be valid for the other.

        For branches of unions, null does not count: it is a matter of the union as a whole. `gravest` is the
        gravest verdict that the change from the one to the other may have. `travels` decides which properties
        the values have (`readOnly`, `writeOnly`).
        """
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
    inclusion: Inclusion = field(repr=False)
    is_question: bool = False
    """Whether only verdicts matter, to show that one schema allows what another does: no sentence is read."""

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
        return _properties_sent(self.old_permitted, self.position.travels)

    @cached_property
    def new_members(self) -> Mapping[str, NormalProperty]:
        """Return the new properties that travel in this direction."""
        return _properties_sent(self.new_permitted, self.position.travels)

    @cached_property
    def properties(self) -> PropertyChanges:
        """Return which properties were added and removed."""
        kept_names = {
            name
            for name, normal_property in self.new_permitted.items()
            if normal_property.schemas or not refuses_undescribed_property(self.new, self.new_forms, name)
        }
        old_forbidden, new_forbidden = (
            {name: member for name, member in members.items() if _is_forbidden(forms, member)}
            for forms, members in ((self.old_forms, self.old_members), (self.new_forms, self.new_members))
        )
        removed = [
            member
            for name, member in self.old_members.items()
            if member.schemas and name not in kept_names and name not in old_forbidden
        ]
        added = [
            member
            for name, member in self.new_members.items()
            if member.schemas and name not in self.old_permitted and name not in new_forbidden
        ]
        return PropertyChanges(
            removed=tuple(removed),
            added=tuple(added),
            forbidden=tuple(new_forbidden[name] for name in new_forbidden if name not in old_forbidden),
            permitted=tuple(old_forbidden[name] for name in old_forbidden if name not in new_forbidden),
        )

    @cached_property
    def property_renames(self) -> Renames:
        """Return which of the removed and added properties are the same under another name, as sentences say."""
        if self.is_question:
            return Renames()
        return find_renames(
            [_named_property(self.old_forms, normal_property) for normal_property in self.properties.removed],
            [_named_property(self.new_forms, normal_property) for normal_property in self.properties.added],
            self.policy.renamed.properties,
            lambda old, new: (
                self.is_alike(old.schemas, new.schemas) or self.is_written_alike(old.schemas, new.schemas)
            ),
        )

    def is_written_alike(self, old: Schemas, new: Schemas) -> bool:
        """Say whether schemas say the same, with shared schemas by their names: those may have changed."""
        digests = (
            schema_digest(forms.api, schemas, forms.other_contract_names)
            for forms, schemas in ((self.old_forms, old), (self.new_forms, new))
        )
        return len(set(digests)) == 1

    def is_read_only(self, member: NormalProperty) -> bool:
        """Say whether requests do not have a property, responses if the question is mirrored."""
        return member.is_write_only if self.position.is_mirrored else member.is_read_only

    def is_write_only(self, member: NormalProperty) -> bool:
        """Say whether responses do not have a property, requests if the question is mirrored."""
        return member.is_read_only if self.position.is_mirrored else member.is_write_only

    def includes(
        self,
        narrow: Schemas,
        narrow_side: Side,
        wide: Schemas,
        wide_side: Side,
        *,
        is_branch: bool = False,
        gravest: Verdict = Verdict.COMPATIBLE,
    ) -> bool:
        """Return whether each value of a schema is shown to be valid for another, in the same messages."""
        return self.inclusion(
            narrow,
            narrow_side,
            wide,
            wide_side,
            is_branch=is_branch,
            gravest=gravest,
            travels=self.position.travels,
        )

    def is_alike(self, old: Schemas, new: Schemas) -> bool:
        """Return whether the schemas of an old and a new value are shown to allow the same."""
        return self.includes(old, Side.OLD, new, Side.NEW) and self.includes(new, Side.NEW, old, Side.OLD)

    @cached_property
    def unions(self) -> UnionChanges:
        """Return how the unions of both sides and their branches match.

        A schema without a union counts as a union of one branch if the other side has a union.
        """
        old, new = Side.OLD, Side.NEW
        sides = UnionSides(
            old_forms=self.old_forms,
            new_forms=self.new_forms,
            is_sent=self.is_sent,
            is_text=self.position.is_text,
            old_siblings=self.old_union_siblings,
            new_siblings=self.new_union_siblings,
            has_unevaluated=any(
                keyword.startswith("unevaluated") for form in (self.old, self.new) for keyword in form.others
            ),
            old_in_new=partial(self._includes_branch, old, new),
            new_in_old=partial(self._includes_branch, new, old),
            old_in_old=partial(self._includes_branch, old, old),
            new_in_new=partial(self._includes_branch, new, new),
        )
        return union_changes(self.old, self.new, sides, is_branch=self.position.is_branch)

    def _includes_branch(
        self,
        narrow_side: Side,
        wide_side: Side,
        narrow: Schemas,
        wide: Schemas,
        *,
        gravest: Verdict = Verdict.COMPATIBLE,
    ) -> bool:
        """Return whether the change from one branch to another is at most as grave as a verdict."""
        return self.includes(narrow, narrow_side, wide, wide_side, is_branch=True, gravest=gravest)

    @property
    def old_union_siblings(self) -> Schemas:
        """Return the rules beside the old unions, if both sides have the same."""
        return self._union_siblings[0]

    @property
    def new_union_siblings(self) -> Schemas:
        """Return the rules beside the new unions, if both sides have the same."""
        return self._union_siblings[1]

    @cached_property
    def _union_siblings(self) -> tuple[Schemas, Schemas]:
        """Return the rules beside the unions of both sides, none if they differ: then that is another change."""
        if not (self.old.unions and self.new.unions):
            return (), ()
        old, new = tuple(union_rules(self.old.parts)), tuple(union_rules(self.new.parts))
        is_same = [*map(self.old_forms.digest, old)] == [*map(self.new_forms.digest, new)]
        return (old, new) if is_same else ((), ())

    @property
    def xml_forms(self) -> tuple[XmlForm, XmlForm] | None:
        """Return how both sides are written in XML, None if the value travels as something else."""
        place = self.position.xml
        if place is None:
            return None
        return (
            xml_form(self.old, place.old_name, is_property=place.is_property),
            xml_form(self.new, place.new_name, is_property=place.is_property),
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
        return self.unions.is_replaced or any(
            pairing.wrapping is not Wrapping.NONE for pairing in self.unions.pairings
        )

    @cached_property
    def is_typing(self) -> bool:
        """Return whether an unrestricted value got a type, or the reverse: then no other keyword is compared."""
        return (allows_any_value(self.old) and bool(self.new.types)) or (
            allows_any_value(self.new) and bool(self.old.types)
        )

    def may_both_be_of_type(self, kind: str) -> bool:
        """Say whether the value may be of a type on both sides, so that the keywords of the type compare."""
        if self.is_typing or self.old.is_only_null or self.new.is_only_null:
            return False
        return may_be_of_type(self.old, kind) and may_be_of_type(self.new, kind)

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
    if all(member.travels(direction) for member in members.values()):
        return members
    return {name: member for name, member in members.items() if member.travels(direction)}
