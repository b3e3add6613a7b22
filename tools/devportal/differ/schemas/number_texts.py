"""Texts that are how values of other types are written, where values travel as text: whether a string allows such
texts alone, or all of them.
"""

import json
from typing import Any

from devportal.differ.normalise.all_of import fits_types
from devportal.differ.normalise.forms import Bound, NormalSchema
from devportal.differ.normalise.limits import is_within_limits
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.schemas.format_values import NUMBER_FORMATS
from devportal.differ.schemas.pattern_relations import PatternRelation, pattern_relation

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


def _pattern_of_digits(numbers: NormalSchema) -> str | None:
    """Return a pattern of whole numbers of a form that are not negative, None if the form has other bounds."""
    digits = sum(_is_below(10**count - 1, _highest(numbers)) for count in range(1, _MOST_DIGITS + 1))
    if digits == 0:
        return None
    lower = numbers.lower
    if lower is None or lower.value < 0 or (lower.value == 0 and not lower.is_exclusive):
        return f"^[0-9]{{1,{digits}}}$"
    is_of_one = lower.value < 1 or (lower.value == 1 and not lower.is_exclusive)
    return f"^0*[1-9][0-9]{{0,{digits - 1}}}$" if is_of_one else None


def _highest(numbers: NormalSchema) -> tuple[Bound, ...]:
    number_format = NUMBER_FORMATS.get(numbers.format)
    highest = (numbers.upper, Bound(value=number_format.high) if number_format is not None else None)
    return tuple(bound for bound in highest if bound is not None)


def _is_below(value: int, bounds: tuple[Bound, ...]) -> bool:
    return all(value < bound.value or (value == bound.value and not bound.is_exclusive) for bound in bounds)


def lists_only_texts_of(strings: NormalSchema, types: frozenset[str], others: NormalSchema) -> bool:
    """Say whether each listed text of a form is how a value of another one, of one of some types, is written."""
    return bool(strings.values) and all(_is_text_of(value, types, others) for value in strings.values or ())


def _is_text_of(text: Any, types: frozenset[str], form: NormalSchema) -> bool:
    try:
        value = json.loads(text)
    except (TypeError, ValueError):
        return False
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    is_in_format = not is_number or _is_below(value, _highest(form))
    return (
        json.dumps(value) == text
        and fits_types(value, types)
        and is_in_format
        and is_within_limits(value, form)
    )


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
