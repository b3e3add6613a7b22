"""Texts and numbers for schemas that give none, the nicest first."""

import quopri
from base64 import b16encode, b32encode, b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from typing import Any

from devportal.contract.regex import matches_pattern, sample_for_pattern
from devportal.contract.schemas import ABSENT, Schema
from devportal.contract.validate.schema_rules import constraint_value, numbers_within_bounds

MAX_LENGTH = 4_000
"""Code points of the longest text; one that has to be longer cannot be made."""
DEFAULT_TEXT = "string"
"""The text if neither the schema nor its name says more."""
SCALARS = frozenset({"string", "integer", "number", "boolean"})
"""The types of texts and numbers, of which a value needs no other schema."""

EXAMPLES_BY_FORMAT: dict[str, Any] = {
    "date-time": "2026-01-31T12:00:00Z",
    "date": "2026-01-31",
    "time": "12:00:00Z",
    "duration": "PT1H",
    "email": "name@example.com",
    "idn-email": "name@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uri-reference": "/path",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "byte": "aGVsbG8=",
    "binary": "…",
    "password": "********",
    "json-pointer": "/a",
    "regex": "^a$",
}
_ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "base64": b64encode,
    "base64url": urlsafe_b64encode,
    "base32": b32encode,
    "base16": b16encode,
    "quoted-printable": quopri.encodestring,
}
"""The encodings of JSON Schema (Validation §8.3)."""
_OTHER_TEXTS = ("example", "text", "abc", "Abc123", "a", "A", "1", "0", "10", "-1", "A1", " ", "", "true")
"""What is tried if rules exclude the first text."""
_OTHER_NUMBERS = (0, 2, 10, 1.5, 0.5, -1, -1.5, 100, 1000)


def scalars(kind: str, schema: Schema) -> Iterator[Any]:
    """Yield values of a type, the best first. The first keeps the constraints if one is found that does; the
    others are worth a try if further rules exclude it.
    """
    match kind:
        case "string":
            yield from _texts(schema)
        case "integer" | "number":
            yield from _numbers(schema, is_whole=kind == "integer")
        case "boolean":
            yield from (True, False)
        case "null":
            yield None
        case _:
            yield None if schema.nullable else {}
            yield from (DEFAULT_TEXT, 1, True, [], None, "", 0, 1.5)


def _numbers(schema: Schema, *, is_whole: bool) -> Iterator[int | float]:
    yield next(numbers_within_bounds(schema, is_whole=is_whole), 1)
    yield from numbers_within_bounds(schema, is_whole=is_whole)
    yield from (number for number in _OTHER_NUMBERS if isinstance(number, int) or not is_whole)


def _texts(schema: Schema) -> Iterator[str]:
    yield _example_text(schema)
    shortest, longest = _length_bounds(schema)
    for pattern in _patterns(schema):
        for length in (shortest, shortest + 1, shortest + 8):
            if text := sample_for_pattern(pattern, at_least=length, at_most=longest):
                yield text
    yield from (_fit_length(text, schema) for text in (*_OTHER_TEXTS, *EXAMPLES_BY_FORMAT.values()))


def _example_text(schema: Schema) -> str:
    shortest, longest = _length_bounds(schema)
    encoding = dict(schema.content).get("contentEncoding", "").lower()
    plain = EXAMPLES_BY_FORMAT.get(schema.format, DEFAULT_TEXT)
    text = encode_text("hello", encoding) if encoding in _ENCODERS else plain
    is_fitting = shortest <= len(text) and (longest is None or len(text) <= longest)
    pattern = next(_patterns(schema), "")
    if pattern and not (is_fitting and matches_pattern(pattern, text)):
        return (
            sample_for_pattern(pattern, at_least=shortest, at_most=longest)
            or sample_for_pattern(pattern, at_least=shortest)
            or _pad_sample(sample_for_pattern(pattern), pattern, shortest)
            or text
        )
    return _fit_length(text, schema)


def encode_text(text: str, encoding: str) -> str:
    """Return a text in an encoding of `contentEncoding`; as it is in one that is not known."""
    encode = _ENCODERS.get(encoding.lower())
    return encode(text.encode()).decode() if encode is not None else text


def _fit_length(text: str, schema: Schema) -> str:
    """Return a text repeated or cut to the length that a schema asks for."""
    shortest, longest = _length_bounds(schema)
    if len(text) < shortest:
        text = (text or "a") * (shortest // max(1, len(text)) + 1)
        return text[:shortest]
    return text if longest is None else text[:longest]


def _pad_sample(text: str, pattern: str, shortest: int) -> str:
    """Return a sample padded to a length, if its pattern allows that; empty if not."""
    longer = text.ljust(shortest, "a")
    return longer if text and matches_pattern(pattern, longer) else ""


def _length_bounds(schema: Schema) -> tuple[int, int | None]:
    longest = constraint_value(schema, "maxLength")
    shortest = constraint_value(schema, "minLength") or 0
    return min(int(shortest), MAX_LENGTH), None if longest is None else int(longest)


def _patterns(schema: Schema) -> Iterator[str]:
    return (str(constraint.value) for constraint in schema.constraints if constraint.keyword == "pattern")


_CHECKED_FORMATS = frozenset(
    {*EXAMPLES_BY_FORMAT, "iri", "iri-reference", "idn-hostname", "uri-template", "relative-json-pointer"}
)


def declared_values(schema: Schema) -> Iterator[Any]:
    """Yield the values that a schema itself gives, the best first."""
    if schema.const is not ABSENT:
        yield schema.const
        return
    yield from schema.examples
    if (
        schema.default is not ABSENT
        and schema.default is not None
        and (not schema.enum or schema.default in schema.enum)
    ):
        yield schema.default
    yield from sorted(schema.enum, key=lambda value: value is None or value == "")


def declared_value(schema: Schema) -> Any:
    """Return the best value that a schema itself gives, ABSENT if it gives none."""
    return next(declared_values(schema), ABSENT)


def allows_text(schema: Schema, text: str) -> bool:
    """Say whether a schema without references says no more of its value than that it is a text like this:
    as long, and with its pattern. A format that no validator knows says nothing.
    """
    is_address = schema.format in ("uri", "url") and text.startswith("https://")
    is_free = is_address or schema.format not in _CHECKED_FORMATS
    return is_plain_scalar(schema, "string") and is_free and _keeps_text_rules(schema, text)


def allows_time(schema: Schema, text: str) -> bool:
    """Say whether a schema without references says no more of its value than that it is a text like this, if its format
    allows it.
    """
    return is_plain_scalar(schema, "string") and _keeps_text_rules(schema, text)


def _keeps_text_rules(schema: Schema, text: str) -> bool:
    shortest, longest = _length_bounds(schema)
    is_fitting = shortest <= len(text) and (longest is None or len(text) <= longest)
    return is_fitting and all(matches_pattern(pattern, text) for pattern in _patterns(schema))


def allows_number(schema: Schema, number: float) -> bool:
    """Say whether a schema without references says no more of its value than that it is a number like this."""
    kind = schema.types[0] if schema.types else ""
    if kind not in ("integer", "number") or not is_plain_scalar(schema, kind):
        return False
    if kind == "integer" and not isinstance(number, int):
        return False
    return not schema.constraints or number in numbers_within_bounds(
        schema, is_whole=kind == "integer", first=number
    )


def is_plain_scalar(schema: Schema, kind: str) -> bool:
    """Say whether a schema is of a type, and gives no values and has no parts."""
    parts = (schema.all_of, schema.one_of, schema.any_of, schema.others, schema.content)
    return (
        schema.types[:1] == (kind,)
        and not any(parts)
        and schema.negated is None
        and declared_value(schema) is ABSENT
    )


FitsSchema = Callable[[Any], bool]


def distinct_values(first: Any, others: Iterator[Any], count: int, fits: FitsSchema) -> list[Any]:
    """Return distinct values that fit a schema: the first, other ones, then variations of the first."""
    found = [first]
    for value in (*others, *_variations(first, 3 * count)):
        if len(found) >= count:
            break
        if not any(_is_same(value, item) for item in found) and fits(value):
            found.append(value)
    return found


def _is_same(first: Any, other: Any) -> bool:
    """Say whether two values are the same in JSON, in which 1 is not a boolean."""
    return bool(first == other and isinstance(first, bool) == isinstance(other, bool))


def _variations(value: Any, count: int) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (value + number for number in range(1, count))
        case str() if value.isdecimal() and value.isascii():
            yield from (str(int(value) + number).zfill(len(value)) for number in range(1, count))
        case str():
            yield from (f"{value}{number}" for number in range(2, count + 2))
            yield from (f"{value[:-1]}{letter}" for letter in "bcdefghij23456789BCDEFGHIJ" if value)
        case dict():
            for name, member in value.items():
                yield from ({**value, name: other} for other in _variations(member, count))
        case list() if value:
            yield from ([*value[:-1], other] for other in _variations(value[-1], count))
