"""Which keywords of two schemas have an effect: a length beside an integer has none, nor a bound that every
value of an enum satisfies.
"""

import json
from math import ceil, floor, inf
from typing import Any, NamedTuple

from devportal.differ.normalise.all_of import includes_types, intersect_types
from devportal.differ.normalise.forms import SCALARS, NormalSchema
from devportal.differ.normalise.limits import is_within_limits
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.schemas.format_values import has_only_integers
from devportal.differ.schemas.pair import SchemaPair


def type_applies(pair: SchemaPair, kind: str) -> bool:
    """Return whether both forms allow values of a type; if only one does, the rules of types report it. As text, a
    number is a string, but not if a form allows strings beside all types of the other: it reads the number as one.
    """
    if pair.is_typing:
        return False
    is_text = pair.position.is_text and not _is_string_added_or_removed(pair)
    return pair.old.allows_type(kind, is_text=is_text) and pair.new.allows_type(kind, is_text=is_text)


def _is_string_added_or_removed(pair: SchemaPair) -> bool:
    """Say whether one form allows strings, and all types of the other beside them."""
    old, new = pair.old.types, pair.new.types
    if not old or not new or "string" not in old ^ new:
        return False
    return includes_types(new, old) if "string" in new else includes_types(old, new)


def has_effective_constraints(pair: SchemaPair, kind: str) -> bool:
    """Say whether bounds, lengths and patterns of a type decide anything beside listed values."""
    return type_applies(pair, kind) and not _enums_satisfy_constraints(pair)


def has_several_items(pair: SchemaPair) -> bool:
    """Say whether an array may have two items where they need not be unique: else it has no equal ones."""
    return all(form.unique_items or form.max_count("maxItems") > 1 for form in (pair.old, pair.new))


def least_count(form: NormalSchema, keyword: str) -> int:
    """Return how many characters, items or properties a value has at least: as many properties as are required, in
    messages of either direction.
    """
    if keyword != "minProperties":
        return form.min_count(keyword)
    required = [
        member
        for member in form.members.values()
        if member.is_required and not (member.is_read_only or member.is_write_only)
    ]
    return max(form.min_count(keyword), len(required))


def most_count(form: NormalSchema, forms: SchemaNormaliser, keyword: str) -> float:
    """Return how many characters, items or properties a value can have at most without a limit: as many items as there
    are different ones, if they are unique. Infinite if there is no end to them.
    """
    if keyword != "maxItems" or not form.unique_items or not form.items or form.prefix_items:
        return inf
    return _number_of_values(forms.of(*form.items))


def _number_of_values(form: NormalSchema) -> float:
    null = int(form.allows_null)
    if form.values is not None:
        return len(form.values) + null
    if form.types == {"boolean"}:
        return 2 + null
    if form.types == {"integer"} and form.lower is not None and form.upper is not None:
        return max(0, floor(form.upper.value) - ceil(form.lower.value) + 1) + null
    return inf


def have_disjoint_types(pair: SchemaPair) -> bool:
    """Say whether the two forms have no value but null in common, because of their types."""
    types = compared_types(pair)
    if types is None or not types.old or not types.new:
        return False
    is_text = pair.position.is_text and are_included_as_text(types.old, types.new)
    return not intersect_types(types.old, types.new) and not is_text


class TypePair(NamedTuple):
    """The types of both sides; none if any type will do."""

    old: frozenset[str]
    new: frozenset[str]

    @property
    def is_wider(self) -> bool:
        """Say whether each old type is still among the new ones."""
        return includes_types(self.new, self.old)

    @property
    def is_narrower(self) -> bool:
        """Say whether each new type was among the old ones."""
        return includes_types(self.old, self.new)


_NULL = frozenset({"null"})


def compared_types(pair: SchemaPair) -> TypePair | None:
    """Return the types to compare; None if the rules of values or branches report them."""
    old, new = pair.old, pair.new
    if old.is_only_null or new.is_only_null:
        return TypePair(_types_with_null(old), _types_with_null(new))
    if not old.declared_types and not new.declared_types and old.unions and new.unions:
        return None
    if _is_enum_only(old) and (_is_enum_only(new) or new.values is not None or not new.types):
        return None
    if _is_enum_only(new) and (old.values is not None or not old.types):
        return None
    if old.types ^ new.types == {"integer", "number"} and has_only_integers(old) and has_only_integers(new):
        return TypePair(old.types, old.types)
    return TypePair(old.types, new.types)


def _is_enum_only(form: NormalSchema) -> bool:
    """Return whether the types follow from the listed values only."""
    return form.values is not None and not form.declared_types


def _types_with_null(form: NormalSchema) -> frozenset[str]:
    if form.is_only_null:
        return _NULL
    return form.types | _NULL if form.types and form.allows_null else form.types


def are_included_as_text(first: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether all values of one of two sets of types are, as text, values of the other."""
    return ("string" in other and first <= SCALARS | other) or (
        "string" in first and other <= SCALARS | first
    )


def _enums_satisfy_constraints(pair: SchemaPair) -> bool:
    old, new = pair.old.values, pair.new.values
    if old is None and new is None:
        return False
    return all(is_within_limits(_as_read(value, pair.new, pair), pair.new) for value in old or ()) and all(
        is_within_limits(_as_read(value, pair.old, pair), pair.old) for value in new or ()
    )


def _as_read(value: Any, form: NormalSchema, pair: SchemaPair) -> Any:
    """Return a listed value as the other contract reads it: as text, a number is a string to a form of strings."""
    is_of_strings = pair.position.is_text and form.types == {"string"}
    return json.dumps(value) if is_of_strings and isinstance(value, bool | int | float) else value
