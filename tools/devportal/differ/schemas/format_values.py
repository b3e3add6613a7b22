"""Which numbers and texts are of a format, and whether all values of a schema are of it anyway."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from devportal.contract.regex import matches_pattern
from devportal.differ.normalise.forms import Bound, NormalSchema
from devportal.differ.patterns.pattern_relations import PatternRelation, pattern_relation
from devportal.differ.schemas.pair import SchemaPair


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberFormat:
    """The numbers of a format, both ends included. Floating-point formats hold numbers between two of theirs
    rounded, so that only the range limits them.
    """

    low: Fraction
    high: Fraction
    is_whole: bool


def _integer_format(low: int, high: int) -> NumberFormat:
    return NumberFormat(low=Fraction(low), high=Fraction(high), is_whole=True)


def _floating(largest: float) -> NumberFormat:
    return NumberFormat(low=-Fraction(largest), high=Fraction(largest), is_whole=False)


NUMBER_FORMATS: Mapping[str, NumberFormat] = {
    **{f"int{bits}": _integer_format(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": _integer_format(0, 2**bits - 1) for bits in (8, 16, 32, 64)},
    "double-int": _integer_format(-(2**53) + 1, 2**53 - 1),
    "float": _floating((2 - 2**-23) * 2.0**127),
    "double": _floating((2 - 2**-52) * 2.0**1023),
}
"""The formats of numbers with a range (OpenAPI Format Registry)."""

_JSON_SCHEMA_FORMATS = frozenset(
    {"date", "date-time", "time", "duration", "uuid", "email", "idn-email", "hostname", "idn-hostname",
     "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference", "uri-template", "json-pointer",
     "relative-json-pointer", "regex"}
)  # fmt: skip
"""The formats of texts that every validator knows (JSON Schema 2020-12 Validation §7.3)."""
_TEXT_FORMATS = _JSON_SCHEMA_FORMATS | {
    "byte", "binary", "password", "base64url", "char", "commonmark", "html", "http-date", "media-range",
    "sf-binary", "sf-string", "sf-token",
}  # fmt: skip
"""The formats that apply to texts alone (OpenAPI Format Registry)."""
_FORMATS_OF_EVERY_TEXT = frozenset({"password", "commonmark"})
"""The formats that forbid no text: a hint to user interfaces, and a syntax in which every text is valid."""

_HEX = "[0-9A-Fa-f]"
_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_DATE = (
    "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
BASE64_PATTERN = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
"""The texts of the format `byte` (RFC 4648 §4)."""
_PATTERNS: Mapping[str, str] = {
    "uuid": f"^{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}$",
    "ipv4": rf"^{_BYTE}\.{_BYTE}\.{_BYTE}\.{_BYTE}$",
    "date": f"^{_DATE}$",
    "date-time": f"^{_DATE}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{{1,9}})?Z$",
    "byte": BASE64_PATTERN,
    "email": r"^[A-Za-z0-9_+-]{1,60}(?:\.[A-Za-z0-9_+-]{1,3})?@(?:[A-Za-z0-9]{1,60}\.)+[A-Za-z]{2,60}$",
    "uri": r"^[A-Za-z][A-Za-z0-9+.-]*://[A-Za-z0-9.-]+(?:/[A-Za-z0-9._~-]*)*$",
}
"""Patterns that match nothing but texts of a format. They need not match all of those."""

_CALENDAR_DATE = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_PATTERNS_AROUND: Mapping[str, str] = {
    "uuid": _PATTERNS["uuid"],
    "ipv4": _PATTERNS["ipv4"],
    "ipv6": r"^[0-9A-Fa-f:.]{2,45}$",
    "date": f"^{_CALENDAR_DATE}$",
    "time": f"^{_TIME}$",
    "date-time": f"^{_CALENDAR_DATE}[Tt]{_TIME}$",
    "duration": "^P[0-9A-Z]+$",
    "email": "@",
    "hostname": r"^[A-Za-z0-9.-]{1,253}$",
    "uri": "^[A-Za-z][A-Za-z0-9+.-]*:",
}
"""Patterns that match each text of a format. They may match others as well (RFC 3339 §5.6, RFC 3986 §3.1, RFC 1123
§2.1, RFC 4291 §2.2).
"""


def pattern_within_format(format_name: str) -> str | None:
    """Return a pattern that matches texts of a format only, None if none is known."""
    return _PATTERNS.get(format_name)


def pattern_around_format(format_name: str) -> str | None:
    """Return a pattern that matches each text of a format, None if none is known."""
    return _PATTERNS_AROUND.get(format_name)


def is_format_of_every_text(format_name: str) -> bool:
    """Say whether a format forbids no text."""
    return format_name in _FORMATS_OF_EVERY_TEXT


def is_format_of_texts(format_name: str) -> bool:
    """Say whether a format applies to texts alone."""
    return format_name in _TEXT_FORMATS


_WIDER_TEXT_FORMATS = frozenset(
    {
        ("uri", "uri-reference"),
        ("uri", "iri"),
        ("uri", "iri-reference"),
        ("uri-reference", "iri-reference"),
        ("iri", "iri-reference"),
        ("email", "idn-email"),
        ("hostname", "idn-hostname"),
    }
)
"""Pairs of formats of which the second holds each value of the first (RFC 3987 §1.3, RFC 6531 §3.3)."""


def applies_format(form: NormalSchema) -> bool:
    """Say whether the format of a form says something about a value that the form allows (JSON Schema
    2020-12 Validation §7.1). One that nobody knows may be about any type.
    """
    if not form.types:
        return bool(form.format)
    if form.format in NUMBER_FORMATS:
        return _may_be_number(form)
    if form.format in _TEXT_FORMATS:
        return "string" in form.types
    return bool(form.format)


def holds_all_values(
    format_name: str, form: NormalSchema, *, is_text: bool = False, accepts_date: bool = False
) -> bool:
    """Return whether each value of a form is shown to be of a format. `is_text` holds where numbers are
    written as texts, `accepts_date` if a date counts as a date-time.
    """
    if format_name == form.format or format_name in _FORMATS_OF_EVERY_TEXT:
        return True
    if format_name in NUMBER_FORMATS:
        return not _may_be_number(form) or _holds_all_numbers(NUMBER_FORMATS[format_name], form)
    if format_name not in _TEXT_FORMATS:
        return False
    if not form.allows_type("string", is_text=is_text):
        return True
    if form.values is not None:
        is_of_others = is_text and "string" not in form.types
        texts = map(json.dumps, form.values) if is_of_others else form.values
        return all(_is_of_format(value, format_name) for value in texts)
    is_wider = (form.format, format_name) in _WIDER_TEXT_FORMATS
    is_date = accepts_date and (form.format, format_name) == ("date", "date-time")
    return is_wider or is_date or _do_patterns_imply(form.patterns, format_name)


def _may_be_number(form: NormalSchema) -> bool:
    return not form.types or bool(form.types & {"number", "integer"})


def _holds_all_numbers(number_format: NumberFormat, form: NormalSchema) -> bool:
    if form.values is not None:
        return all(_is_number_of(number_format, value) for value in form.values)
    is_whole = has_only_integers(form)
    if number_format.is_whole and not is_whole:
        return False
    lower, upper = lower_end(form), upper_end(form)
    if lower is None or upper is None:
        return is_whole and not number_format.is_whole
    return lower.value >= number_format.low and upper.value <= number_format.high


def _is_number_of(number_format: NumberFormat, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    number = Fraction(value)
    is_whole = number.denominator == 1
    return number_format.low <= number <= number_format.high and (is_whole or not number_format.is_whole)


def has_only_integers(form: NormalSchema) -> bool:
    """Say whether each number of a form is an integer: by its type, its format, or what it is a multiple of."""
    own = NUMBER_FORMATS.get(form.format)
    return (
        (bool(form.types) and "number" not in form.types)
        or (own is not None and own.is_whole)
        or (form.multiple_of is not None and form.multiple_of.denominator == 1)
    )


def lower_end(form: NormalSchema) -> Bound | None:
    """Return the lower bound that decides: that of the keywords, or that of the format."""
    own = NUMBER_FORMATS.get(form.format)
    if own is None or (form.lower is not None and form.lower.value >= own.low):
        return form.lower
    return Bound(value=own.low)


def upper_end(form: NormalSchema) -> Bound | None:
    """Return the upper bound that decides: that of the keywords, or that of the format."""
    own = NUMBER_FORMATS.get(form.format)
    if own is None or (form.upper is not None and form.upper.value <= own.high):
        return form.upper
    return Bound(value=own.high)


def is_superfluous_bound(pair: SchemaPair, *, is_lower: bool) -> bool:
    """Say whether a bound changed in vain, since the format of the other side holds no number beyond it."""
    end_of, sign = (lower_end, 1) if is_lower else (upper_end, -1)
    old, new = (form.lower if is_lower else form.upper for form in (pair.old, pair.new))
    if old is not None and new is not None and old.value == new.value:
        return False
    is_tighter = new is not None and (old is None or sign * new.value > sign * old.value)
    bound, end = (new, end_of(pair.old)) if is_tighter else (old, end_of(pair.new))
    return bound is not None and end is not None and sign * bound.value <= sign * end.value


def _do_patterns_imply(patterns: frozenset[str], format_name: str) -> bool:
    of_format = _PATTERNS.get(format_name)
    return of_format is not None and any(
        pattern_relation(pattern, of_format) in (PatternRelation.SAME, PatternRelation.WIDER)
        for pattern in patterns
    )


def _is_of_format(value: Any, format_name: str) -> bool:
    """Return whether a value is a text of a format, or no text."""
    if not isinstance(value, str):
        return True
    if format_name == "byte":
        return matches_pattern(BASE64_PATTERN, value)
    return format_name in _JSON_SCHEMA_FORMATS and _format_checker(format_name)(value)


@cache
def _format_checker(format_name: str) -> Callable[[str], bool]:
    """Return what says whether a text is of a format of JSON Schema."""
    import jsonschema_rs  # noqa: PLC0415 - slow to import

    return jsonschema_rs.Draft202012Validator({"format": format_name}, validate_formats=True).is_valid
