"""Texts that are how values of other types are written, where values travel as text: whether a string allows such
texts alone, or all of them.
"""

import json
from math import ceil, floor, inf
from typing import Any

from devportal.differ.normalise.all_of import fits_types
from devportal.differ.normalise.forms import Bound, NormalSchema
from devportal.differ.normalise.limits import is_within_limits
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.patterns.pattern_relations import PatternRelation, pattern_relation
from devportal.differ.schemas.format_values import lower_end, upper_end

_MOST_DIGITS = 18
"""How many digits a number may have: those of every 64-bit integer."""


def allows_only_digits_of(strings: NormalSchema, numbers: NormalSchema) -> bool:
    """Say whether each text of a form is a whole number of another one, as patterns and bounds show."""
    if numbers.multiple_of is not None or not strings.patterns:
        return False
    pattern = _pattern_of_digits(numbers)
    return pattern is not None and any(
        pattern_relation(own, pattern) in (PatternRelation.SAME, PatternRelation.WIDER)
        for own in strings.patterns
    )


def has_pattern_of_numbers(strings: NormalSchema, types: frozenset[str]) -> bool:
    """Say whether patterns show that each text of a form is a number of one of some types, whatever its size."""
    texts = _NUMBER_TEXTS if "number" in types else _INTEGER_TEXTS
    return bool(types & {"integer", "number"}) and any(
        pattern_relation(own, f"^{texts}$") in (PatternRelation.SAME, PatternRelation.WIDER)
        for own in strings.patterns
    )


def _pattern_of_digits(numbers: NormalSchema) -> str | None:
    """Return a pattern of whole numbers of a form that are not negative, None if the form has other bounds."""
    upper = upper_end(numbers)
    digits = sum(_is_below(10**count - 1, upper) for count in range(1, _MOST_DIGITS + 1))
    lower = lower_end(numbers)
    if digits == 0:
        return None
    if lower is None or lower.value < 0 or (lower.value == 0 and not lower.is_exclusive):
        return f"^[0-9]{{1,{digits}}}$"
    is_of_one = lower.value < 1 or (lower.value == 1 and not lower.is_exclusive)
    return f"^0*[1-9][0-9]{{0,{digits - 1}}}$" if is_of_one else None


def _is_below(value: float, bound: Bound | None) -> bool:
    return bound is None or value < bound.value or (value == bound.value and not bound.is_exclusive)


def lists_only_texts_of(strings: NormalSchema, types: frozenset[str], others: NormalSchema) -> bool:
    """Say whether each listed text of a form is how a value of another one, of one of some types, is written."""
    return bool(strings.values) and all(_is_text_of(value, types, others) for value in strings.values or ())


def _is_text_of(text: Any, types: frozenset[str], form: NormalSchema) -> bool:
    try:
        value = json.loads(text)
    except (TypeError, ValueError):
        return False
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    is_in_format = not is_number or _is_below(value, upper_end(form))
    return (
        json.dumps(value) == text
        and fits_types(value, types)
        and is_in_format
        and is_within_limits(value, form)
    )


def lengths_as_text(form: NormalSchema) -> tuple[float, float]:
    """Return how many characters a value of a form has at least and at most as a text, from 0 to infinity if it may be
    something else than a number or a truth value. How null is written is not defined (OAS 3.1.1, Appendix B).
    """
    if not form.types or not form.types <= _LENGTHS.keys():
        return 0, inf
    lengths = [_integer_lengths(form) if kind == "integer" else _LENGTHS[kind] for kind in form.types]
    return min(least for least, _ in lengths), max(most for _, most in lengths)


_LENGTHS = {"boolean": (4, 5), "integer": (1, inf), "number": (1, inf)}
"""The lengths of what JSON writes for values of a type."""


def _integer_lengths(form: NormalSchema) -> tuple[float, float]:
    """Return how many characters the whole numbers of a form have at least and at most, a minus sign included."""
    lower, upper = lower_end(form), upper_end(form)
    low = -inf if lower is None else ceil(lower.value)
    high = inf if upper is None else floor(upper.value)
    nearest_to_zero = min(max(0, low), high)
    most = inf if inf in (-low, high) else max(len(str(low)), len(str(high)))
    return len(str(nearest_to_zero)), most


def patterns_as_text(form: NormalSchema) -> frozenset[str]:
    """Return a pattern that each value of a form matches as a text, none if it may be something else than a number or
    a truth value.
    """
    if not form.types or not form.types <= _LENGTHS.keys():
        return frozenset()
    texts = {"boolean": "true|false", "integer": _integer_texts(form), "number": _NUMBER_TEXTS}
    return frozenset({f"^(?:{'|'.join(texts[kind] for kind in sorted(form.types))})$"})


_INTEGER_TEXTS = r"-?(?:0|[1-9][0-9]*)"
_NUMBER_TEXTS = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[Ee][+-]?[0-9]+)?"


def _integer_texts(form: NormalSchema) -> str:
    digits, lower = _most_digits(form), lower_end(form)
    further = "*" if digits is None else f"{{0,{digits - 1}}}"
    if lower is not None and lower.value >= 1:
        return f"[1-9][0-9]{further}"
    return f"0|{'-?' if _may_be_negative(form) else ''}[1-9][0-9]{further}"


def _may_be_negative(form: NormalSchema) -> bool:
    lower = lower_end(form)
    return lower is None or lower.value < 0


def _most_digits(form: NormalSchema) -> int | None:
    """Return how many digits the whole numbers of a form have at most, None without an end."""
    lower, upper = lower_end(form), upper_end(form)
    if lower is None or upper is None:
        return None
    return max(len(str(abs(int(bound.value)))) for bound in (lower, upper))


def has_branch_for_every_text(form: NormalSchema, forms: SchemaNormaliser) -> bool:
    """Say whether no union of a form refuses a text: rules of strings see what stands beside unions, not in them."""
    return all(
        any(_allows_every_text(forms.of(branch)) for branch in union.branches) for union in form.unions
    )


def _allows_every_text(form: NormalSchema) -> bool:
    is_limited = (
        form.counts.keys() & {"minLength", "maxLength"} or form.format or form.content or form.patterns
    )
    has_parts = form.unions or form.negated or form.conditions
    is_of_strings = not form.types or "string" in form.types
    return is_of_strings and form.values is None and not is_limited and not has_parts
