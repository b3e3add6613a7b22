"""How alike branches of unions are, and whether a value may match two of them, which `oneOf` refuses."""

from collections.abc import Hashable, Iterator

from devportal.differ.normalise.all_of import canonical_json, intersect_types
from devportal.differ.normalise.forms import NormalProperty, NormalSchema
from devportal.differ.normalise.limits import is_within_limits
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.schemas.unions.pieces import union_siblings


def may_overlap(
    old: NormalSchema,
    old_forms: SchemaNormaliser,
    new: NormalSchema,
    new_forms: SchemaNormaliser,
    depth: int = 0,
) -> bool:
    """Return whether values of an old branch may match a new branch, by what can be shown.

    Messages are assumed to have only properties that their branch lists, if it lists any, though most branches
    allow others: a branch that requires an unlisted property matches none of them. A union overlaps if one of
    its branches does.
    """
    if are_disjoint(old, new):
        return False
    if depth < _MAX_DEPTH and not (
        all(
            any(may_overlap(branch, old_forms, new, new_forms, depth + 1) for branch in branches)
            for branches in _branch_forms(old, old_forms)
        )
        and all(
            any(may_overlap(old, old_forms, branch, new_forms, depth + 1) for branch in branches)
            for branches in _branch_forms(new, new_forms)
        )
    ):
        return False
    if intersect_types(old.types, new.types) != frozenset({"object"}):
        return True
    return not (
        _requires_unlisted_property(old, new)
        or _refuses_required_property(old, new)
        or _has_disjoint_property(old, old_forms, new, new_forms)
    )


_MAX_DEPTH, _MAX_BRANCHES = 2, 20
"""How deep unions are looked at for overlaps, and those of how many branches."""


def _branch_forms(form: NormalSchema, forms: SchemaNormaliser) -> Iterator[list[NormalSchema]]:
    """Yield the forms of the branches of each union in a form, with the rules beside them."""
    for union in form.unions:
        if len(union.branches) <= _MAX_BRANCHES:
            beside = tuple(union_siblings(form.parts))
            yield [forms.of(branch, *beside) for branch in union.branches]


def exclude_each_other(
    first: NormalSchema, one_forms: SchemaNormaliser, other: NormalSchema, other_forms: SchemaNormaliser
) -> bool:
    """Return whether it is shown that no value matches both of two branches."""
    if first.allows_null and other.allows_null:
        return False
    are_objects = intersect_types(first.types, other.types) == frozenset({"object"})
    return are_disjoint(first, other) or (
        are_objects and _has_disjoint_property(first, one_forms, other, other_forms)
    )


def may_cover(wide: NormalSchema, narrow: NormalSchema) -> bool:
    """Say whether a form may allow all values of another, going by types and the names of properties."""
    if are_disjoint(wide, narrow):
        return False
    if narrow.types != frozenset({"object"}) or not wide.members:
        return True
    required_wide = {name for name, member in wide.members.items() if member.is_required}
    required_narrow = {name for name, member in narrow.members.items() if member.is_required}
    return required_wide <= required_narrow and narrow.members.keys() <= wide.members.keys()


def are_disjoint(first: NormalSchema, other: NormalSchema) -> bool:
    """Return whether types, values, ranges or lengths have nothing in common; null is not considered."""
    if first.allows_nothing or other.allows_nothing:
        return True
    if first.types and other.types and not intersect_types(first.types, other.types):
        return True
    if first.values is not None and other.values is not None:
        return not set(map(canonical_json, first.values)) & set(map(canonical_json, other.values))
    if _refuses_all_values(first, other) or _refuses_all_values(other, first):
        return True
    return _is_range_above(first, other) or _is_range_above(other, first)


def _refuses_all_values(form: NormalSchema, other: NormalSchema) -> bool:
    """Return whether the limits of a form with types refuse each of the values that another one lists."""
    if not form.types or not other.values:
        return False
    return not any(is_within_limits(value, form) for value in other.values)


def _is_range_above(first: NormalSchema, other: NormalSchema) -> bool:
    low, high = first.lower, other.upper
    is_greater = (
        low is not None
        and high is not None
        and (low.value > high.value or (low.value == high.value and (low.is_exclusive or high.is_exclusive)))
        and bool(first.types | other.types)  # without types, any text is valid for both
        and (first.types | other.types) <= {"integer", "number"}
    )
    is_longer = first.min_count("minLength") > other.max_count(
        "maxLength"
    ) and first.types == other.types == frozenset({"string"})
    return is_greater or is_longer


def _requires_unlisted_property(old: NormalSchema, new: NormalSchema) -> bool:
    """Say whether the new branch demands a property that the old one, which describes its own, does not list."""
    return not is_free_form(old) and any(
        member.is_required and name not in old.members for name, member in new.members.items()
    )


def is_free_form(form: NormalSchema) -> bool:
    """Say whether a form is about objects with any properties, none of which it lists."""
    return not (form.members or form.pattern_members or form.is_closed)


def listed_properties(form: NormalSchema, forms: SchemaNormaliser) -> frozenset[str]:
    """Return the names of the properties that a form lists, or a branch of its unions does."""
    names: set[str] = set()
    seen: set[int] = set()
    pending = [form]
    while pending:
        one = pending.pop()
        if id(one) not in seen:
            seen.add(id(one))
            names |= one.members.keys()
            pending += (forms.of(branch) for union in one.unions for branch in union.branches)
    return frozenset(names)


def _refuses_required_property(old: NormalSchema, new: NormalSchema) -> bool:
    """Say whether the new branch refuses a property that the old one demands."""
    return (
        new.is_closed
        and not new.pattern_members
        and any(member.is_required and name not in new.members for name, member in old.members.items())
    )


def _has_disjoint_property(
    old: NormalSchema, old_forms: SchemaNormaliser, new: NormalSchema, new_forms: SchemaNormaliser
) -> bool:
    """Say whether a property that has to be there cannot have the same value in both."""
    return any(
        (member.is_required or other.is_required)
        and _are_disjoint_properties(member, old_forms, other, new_forms)
        for name, member in old.members.items()
        if (other := new.members.get(name)) is not None
    )


def _are_disjoint_properties(
    first: NormalProperty, one_forms: SchemaNormaliser, other: NormalProperty, other_forms: SchemaNormaliser
) -> bool:
    left, right = one_forms.of(*first.schemas), other_forms.of(*other.schemas)
    return not (left.allows_null and right.allows_null) and are_disjoint(left, right)


def title_of(form: NormalSchema) -> str:
    """Return the title of a schema."""
    return form.schema.title


def core_key(form: NormalSchema) -> Hashable:
    """Return type, values and the names of properties: what a schema describes, without its limits."""
    return (
        form.types,
        tuple(map(str, form.values)) if form.values is not None else None,
        frozenset(form.members),
    )


def shape_key(form: NormalSchema) -> Hashable:
    """Return what usually distinguishes branches: the core, the format, and the required properties."""
    return (
        core_key(form),
        form.format,
        frozenset(name for name, member in form.members.items() if member.is_required),
    )


def limits_key(form: NormalSchema) -> Hashable:
    """Return the limits of numbers, texts and lists."""
    return (
        *(form.lower, form.upper, form.multiple_of),
        *(form.min_count("minLength"), form.max_count("maxLength"), form.patterns),
        *(form.min_count("minItems"), form.max_count("maxItems"), form.is_closed),
    )


MIN_PROPERTY_OVERLAP = 0.6
"""The share of properties that two objects have in common for one to be the other's former self."""


def property_overlap(first: NormalSchema, other: NormalSchema) -> float:
    """Return which share of their properties two objects have in common."""
    shared = first.members.keys() & other.members.keys()
    return len(shared) / max(len(first.members), len(other.members), 1)
