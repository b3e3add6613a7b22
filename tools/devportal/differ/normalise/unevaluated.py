"""What parts of a schema look at, so that it is not left over for `unevaluatedProperties` and
`unevaluatedItems` (JSON Schema 2020-12 §11).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from devportal.contract import Schema
from devportal.contract.regex import matches_pattern
from devportal.differ.normalise.all_of import CONSEQUENCES
from devportal.differ.normalise.forms import NormalSchema, unlisted_property_schemas
from devportal.differ.normalise.normaliser import SchemaNormaliser

PROPERTIES, ITEMS = "unevaluatedProperties", "unevaluatedItems"
_DEPENDENT = "dependentSchemas "
_MAX_DEPTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedParts:
    """Names and patterns of properties, how many items from the first, and whether it is all of either."""

    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    items: int = 0
    has_all_properties: bool = False
    has_all_items: bool = False

    def lacks(self, keyword: str, other: "EvaluatedParts") -> bool:
        """Say whether another one reaches what this one does not, of properties or of items."""
        if keyword == PROPERTIES:
            return not self.has_all_properties and (
                other.has_all_properties
                or bool(other.names - self.names)
                or bool(other.patterns - self.patterns)
            )
        return not self.has_all_items and (other.has_all_items or other.items > self.items)

    def has_property(self, name: str) -> bool:
        """Say whether a property is among them."""
        return (
            self.has_all_properties
            or name in self.names
            or any(matches_pattern(pattern, name) for pattern in self.patterns)
        )

    def has_item(self, number: int) -> bool:
        """Say whether the item at a position, from 0, is among them."""
        return self.has_all_items or number < self.items

    def __or__(self, other: "EvaluatedParts") -> "EvaluatedParts":
        """Return the union of two sets of evaluated parts."""
        return EvaluatedParts(
            names=self.names | other.names,
            patterns=self.patterns | other.patterns,
            items=max(self.items, other.items),
            has_all_properties=self.has_all_properties or other.has_all_properties,
            has_all_items=self.has_all_items or other.has_all_items,
        )


def evaluated_parts(form: NormalSchema, forms: SchemaNormaliser, depth: int = 0) -> EvaluatedParts:
    """Return the parts that a branch evaluates, with all subschemas for the same value."""
    evaluated = own_evaluated_parts(form) | EvaluatedParts(
        has_all_properties=PROPERTIES in form.others, has_all_items=ITEMS in form.others
    )
    if depth < _MAX_DEPTH:
        for below in _in_place_subschemas(form, forms):
            evaluated |= evaluated_parts(below, forms, depth + 1)
    return evaluated


def undescribed_property_schemas(
    form: NormalSchema, forms: SchemaNormaliser, name: str
) -> tuple[Schema, ...]:
    """Return the schemas for a property that a form does not describe: those for unlisted properties, or for
    unevaluated ones unless a subschema for the same value evaluates it.
    """
    schemas = unlisted_property_schemas(form, name)
    unevaluated = form.others.get(PROPERTIES, ())
    if schemas or form.is_closed or not unevaluated:
        return schemas
    return () if _evaluated_in_place(form, forms).has_property(name) else unevaluated


def item_schemas_at(form: NormalSchema, forms: SchemaNormaliser, number: int) -> tuple[Schema, ...]:
    """Return the schemas for the item at a position, from 0: a separate one, that of the items after those, or that
    for unevaluated items unless a subschema for the same value evaluates it.
    """
    if number < len(form.prefix_items):
        return (form.prefix_items[number],)
    unevaluated = form.others.get(ITEMS, ())
    if form.items or not unevaluated:
        return form.items
    return () if _evaluated_in_place(form, forms).has_item(number) else unevaluated


def _evaluated_in_place(form: NormalSchema, forms: SchemaNormaliser) -> EvaluatedParts:
    """Return the parts that the keywords beside those for unevaluated parts evaluate."""
    evaluated = own_evaluated_parts(form)
    for below in _in_place_subschemas(form, forms):
        evaluated |= evaluated_parts(below, forms)
    return evaluated


def refuses_undescribed_property(form: NormalSchema, forms: SchemaNormaliser, name: str) -> bool:
    """Say whether a form refuses a property of which it says at most that it is required."""
    schemas = undescribed_property_schemas(form, forms, name)
    return form.is_closed or any(schema.verdict is False for schema in schemas)


def own_evaluated_parts(form: NormalSchema) -> EvaluatedParts:
    """Return the parts that the keywords of a form evaluate, without those for unevaluated parts."""
    return EvaluatedParts(
        names=frozenset(member.name for member in form.members.values() if member.schemas),
        patterns=frozenset(form.pattern_members),
        items=len(form.prefix_items),
        has_all_properties=form.is_closed or bool(form.additional),
        has_all_items=bool(form.items) or bool(form.containments),
    )


def _in_place_subschemas(form: NormalSchema, forms: SchemaNormaliser) -> Iterator[NormalSchema]:
    for union in form.unions:
        yield from map(forms.of, union.branches)
    for condition in form.conditions:
        yield forms.of(condition.test)
        yield from (
            forms.of(condition.consequences[consequence])
            for consequence in CONSEQUENCES
            if consequence in condition.consequences
        )
    for keyword, schemas in form.others.items():
        if keyword.startswith(_DEPENDENT):
            yield forms.of(*schemas)
