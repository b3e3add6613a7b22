"""How large numbers, texts, arrays and objects may be: what several schemas of one value limit together."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypedDict

from devportal.contract import Schema
from devportal.contract.keyword_columns import CountRange, Merge
from devportal.contract.keywords import CONSTRAINTS
from devportal.contract.regex import is_supported_pattern, matches_pattern
from devportal.differ.normalise.forms import Bound, NormalSchema
from devportal.differ.patterns.pattern_relations import matches_every_text


class Limits(TypedDict):
    """The limits of a form, under the names of its fields."""

    lower: Bound | None
    upper: Bound | None
    multiple_of: Fraction | None
    counts: dict[str, int]
    patterns: frozenset[str]
    unique_items: bool
    dependent_required: dict[str, frozenset[str]]


def limits_of(parts: Sequence[Schema], *, is_whole: bool) -> Limits:
    """Return the limits of several parts together; `is_whole` holds if all numbers are integers."""
    limited = tuple(part for part in parts if part.constraints)
    return Limits(
        lower=_tightest(_bounds_of(limited, "minimum"), is_lower=True, is_whole=is_whole),
        upper=_tightest(_bounds_of(limited, "maximum"), is_lower=False, is_whole=is_whole),
        multiple_of=_common_multiple(limited, is_whole=is_whole),
        counts=dict(_tightest_counts(limited)),
        patterns=_patterns_of(limited),
        unique_items=any(_values_of(limited, "uniqueItems")),
        dependent_required=_dependent_names(limited),
    )


def _values_of(parts: Sequence[Schema], keyword: str) -> Iterator[Any]:
    """Yield the value of a keyword in each part."""
    return (
        constraint.value for part in parts for constraint in part.constraints if constraint.keyword == keyword
    )


def _tightest_counts(parts: Sequence[Schema]) -> Iterator[tuple[str, int]]:
    """Yield each count with the tightest value that a part gives; at least 0 is not a limit."""
    values_by_keyword: dict[str, list[int]] = {}
    for part in parts:
        for constraint in part.constraints:
            if constraint.keyword in _COUNTS:
                values_by_keyword.setdefault(constraint.keyword, []).append(int(constraint.value))
    for keyword, values in values_by_keyword.items():
        if CONSTRAINTS[keyword].merge is Merge.SMALLEST:
            yield keyword, min(values)
        elif most := max(values):
            yield keyword, most


_COUNTS = frozenset(
    row.name for row in CONSTRAINTS.values() if isinstance(row.description, CountRange) and not row.beside
)
"""The keywords that count, but those that belong to another one (`minContains`)."""


def _bounds_of(parts: Sequence[Schema], keyword: str) -> tuple[Bound, ...]:
    """Return every bound of `minimum` or `maximum`, the exclusive ones included."""
    exclusive = f"exclusive{keyword[:1].upper()}{keyword[1:]}"
    return (
        *(Bound(value=to_fraction(value)) for value in _values_of(parts, keyword)),
        *(Bound(value=to_fraction(value), is_exclusive=True) for value in _values_of(parts, exclusive)),
    )


def to_fraction(value: float) -> Fraction:
    """Return a number as it is written: 0.1 is a tenth."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def _tightest(bounds: Sequence[Bound], *, is_lower: bool, is_whole: bool) -> Bound | None:
    """Return the bound that decides, None if there is none."""
    if is_whole:
        bounds = [_integer_bound(bound, is_lower=is_lower) for bound in bounds]
    sign = 1 if is_lower else -1
    return max(bounds, key=lambda bound: (sign * bound.value, bound.is_exclusive), default=None)


def _integer_bound(bound: Bound, *, is_lower: bool) -> Bound:
    """Return the bound of whole numbers: more than 4 is at least 5."""
    value = bound.value
    if bound.is_exclusive:
        integer = math.floor(value) + 1 if is_lower else math.ceil(value) - 1
    else:
        integer = math.ceil(value) if is_lower else math.floor(value)
    return Bound(value=Fraction(integer))


def _common_multiple(parts: Sequence[Schema], *, is_whole: bool) -> Fraction | None:
    """Return the number that all numbers are multiples of; each whole number is one of 1."""
    multiple: Fraction | None = None
    for value in map(to_fraction, _values_of(parts, "multipleOf")):
        multiple = value if multiple is None else _least_common_multiple(multiple, value)
    if is_whole and multiple is not None:
        multiple = Fraction(multiple.numerator)
    return None if is_whole and multiple == 1 else multiple


def _least_common_multiple(first: Fraction, other: Fraction) -> Fraction:
    return Fraction(
        math.lcm(first.numerator * other.denominator, other.numerator * first.denominator),
        first.denominator * other.denominator,
    )


def _dependent_names(parts: Sequence[Schema]) -> dict[str, frozenset[str]]:
    """Return which properties have to be there beside a property."""
    names_by_property: dict[str, frozenset[str]] = {}
    for value in _values_of(parts, "dependentRequired"):
        for name, others in value.items():
            names_by_property[name] = names_by_property.get(name, frozenset()) | frozenset(others)
    return {name: others for name, others in names_by_property.items() if others}


def _patterns_of(parts: Sequence[Schema]) -> frozenset[str]:
    """Return every pattern that a text has to match, without those that every text does."""
    patterns = map(str, _values_of(parts, "pattern"))
    return frozenset(pattern for pattern in patterns if not matches_every_text(pattern))


def is_within_limits(value: Any, form: NormalSchema) -> bool:
    """Return whether a value satisfies the bounds, lengths and patterns of a form."""
    match value:
        case str():
            return form.min_count("minLength") <= len(value) <= form.max_count("maxLength") and all(
                matches_pattern(pattern, value) for pattern in filter(is_supported_pattern, form.patterns)
            )
        case bool():
            return True
        case int() | float() if math.isfinite(value):
            return _is_in_range(to_fraction(value), form)
        case list() | tuple():
            return form.min_count("minItems") <= len(value) <= form.max_count("maxItems")
        case dict():
            return form.min_count("minProperties") <= len(value) <= form.max_count("maxProperties")
    return True


def _is_in_range(value: Fraction, form: NormalSchema) -> bool:
    lower, upper = form.lower, form.upper
    return (
        (lower is None or value > lower.value or (value == lower.value and not lower.is_exclusive))
        and (upper is None or value < upper.value or (value == upper.value and not upper.is_exclusive))
        and (form.multiple_of is None or (value / form.multiple_of).denominator == 1)
    )


def apply_limits(form: NormalSchema, refuses_all: Callable[[Schema], bool]) -> NormalSchema:
    """Return a form without the types that its limits refuse: numbers of at least 5 and at most 3, texts for
    which no length will do. It allows nothing if they refuse all types, or all listed values.

    `refuses_all` returns whether no value is valid for a schema.
    """
    types = frozenset(type_ for type_ in form.types if not _is_impossible(type_, form, refuses_all))
    values = form.values
    if (form.types and not types) or (values and not any(is_within_limits(value, form) for value in values)):
        values = ()
    if types == form.types and values == form.values:
        return form
    return replace(
        form,
        types=types,
        declared_types=form.declared_types & types,
        values=values,
        allows_nothing=form.allows_nothing or (values == () and not form.allows_null),
    )


def _is_impossible(kind: str, form: NormalSchema, refuses_all: Callable[[Schema], bool]) -> bool:
    """Say whether the limits of a form leave no value of a type."""
    match kind:
        case "integer" | "number":
            return _is_empty_range(form.lower, form.upper)
        case "string":
            return form.min_count("minLength") > form.max_count("maxLength")
        case "array":
            return form.min_count("minItems") > form.max_count("maxItems")
        case "object":
            return _has_impossible_properties(form, refuses_all)
    return False


def _is_empty_range(lower: Bound | None, upper: Bound | None) -> bool:
    if lower is None or upper is None:
        return False
    is_exclusive = lower.is_exclusive or upper.is_exclusive
    return lower.value > upper.value or (lower.value == upper.value and is_exclusive)


def _has_impossible_properties(form: NormalSchema, refuses_all: Callable[[Schema], bool]) -> bool:
    """Say whether no object has as many properties as it must, or a required property allows no value.

    Properties that are in requests or in responses only do not count, since a form is that of both.
    """
    required = [
        member
        for member in form.members.values()
        if member.is_required and not (member.is_read_only or member.is_write_only)
    ]
    fewest = max(form.min_count("minProperties"), len(required))
    return fewest > form.max_count("maxProperties") or any(
        refuses_all(schema) for normal_property in required for schema in normal_property.schemas
    )
