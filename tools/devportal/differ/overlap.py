"""Whether a value that keeps one branch of a union may keep another one too, so that `oneOf` refuses it."""

from devportal.differ.forms import Form, Member
from devportal.differ.merging import both_types, canonical
from devportal.differ.normal import Forms


def may_meet(old: Form, old_forms: Forms, new: Form, new_forms: Forms) -> bool:
    """Say whether values of an old branch may keep a new branch, as far as can be shown.

    Messages are taken to hold no property that their branch does not list, though most branches allow it: a
    branch that demands such a property gets none of them.
    """
    if are_apart(old, new):
        return False
    if both_types(old.types, new.types) != frozenset({"object"}):
        return True
    return not (
        _is_missed(old, new) or _is_refused(old, new) or _is_told_apart(old, old_forms, new, new_forms)
    )


def exclude_each_other(one: Form, one_forms: Forms, other: Form, other_forms: Forms) -> bool:
    """Say whether no value at all is shown to keep both of two branches."""
    if one.allows_null and other.allows_null:
        return False
    are_objects = both_types(one.types, other.types) == frozenset({"object"})
    return are_apart(one, other) or (are_objects and _is_told_apart(one, one_forms, other, other_forms))


def may_cover(wide: Form, narrow: Form) -> bool:
    """Say whether a form may allow all values of another, going by types and the names of properties."""
    if are_apart(wide, narrow):
        return False
    if narrow.types != frozenset({"object"}) or not wide.members:
        return True
    asked = {name for name, one in wide.members.items() if one.is_required}
    given = {name for name, one in narrow.members.items() if one.is_required}
    return asked <= given and narrow.members.keys() <= wide.members.keys()


def are_apart(one: Form, other: Form) -> bool:
    """Say whether types, values, ranges or lengths have nothing in common; null is judged on its own."""
    if one.is_nothing or other.is_nothing:
        return True
    if one.types and other.types and not both_types(one.types, other.types):
        return True
    if one.values is not None and other.values is not None:
        return not set(map(canonical, one.values)) & set(map(canonical, other.values))
    return _is_above(one, other) or _is_above(other, one)


def _is_above(one: Form, other: Form) -> bool:
    low, high = one.lower, other.upper
    is_greater = (
        low is not None
        and high is not None
        and (low.value > high.value or (low.value == high.value and (low.is_exclusive or high.is_exclusive)))
        and bool(one.types | other.types)  # where neither has a type, any text keeps both
        and (one.types | other.types) <= {"integer", "number"}
    )
    is_longer = (
        other.max_length is not None
        and one.min_length > other.max_length
        and one.types == other.types == frozenset({"string"})
    )
    return is_greater or is_longer


def _is_missed(old: Form, new: Form) -> bool:
    """Say whether the new branch demands a property that the old one does not list."""
    return any(one.is_required and name not in old.members for name, one in new.members.items())


def _is_refused(old: Form, new: Form) -> bool:
    """Say whether the new branch refuses a property that the old one demands."""
    return (
        new.is_closed
        and not new.pattern_members
        and any(one.is_required and name not in new.members for name, one in old.members.items())
    )


def _is_told_apart(old: Form, old_forms: Forms, new: Form, new_forms: Forms) -> bool:
    """Say whether a property that has to be there cannot have the same value in both."""
    return any(
        (one.is_required or other.is_required) and _have_nothing_in_common(one, old_forms, other, new_forms)
        for name, one in old.members.items()
        if (other := new.members.get(name)) is not None
    )


def _have_nothing_in_common(one: Member, one_forms: Forms, other: Member, other_forms: Forms) -> bool:
    left, right = one_forms.of(*one.schemas), other_forms.of(*other.schemas)
    return not (left.allows_null and right.allows_null) and are_apart(left, right)
