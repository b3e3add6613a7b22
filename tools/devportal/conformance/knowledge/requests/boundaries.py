"""Values at the bounds of a schema, and just beyond them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from devportal.contract import ABSENT, Schema
from devportal.contract.regex import matches_pattern
from devportal.contract.validate.schema_rules import constraint_value

UNDECLARED = "devportalUndeclared"
"""The name of a member that no contract declares."""
LONGEST_TEXT = 20_000
"""The maximum length of a generated text, in code points."""
MOST_ITEMS = 200
UNBOUNDED_LENGTH = 300
"""The longest text that is tried to find the bounds of a pattern."""
FOREIGN_TEXTS = ("devportal", "?", "0")
"""Texts of which hardly any pattern allows all."""
FOREIGN_BY_FORMAT: Mapping[str, tuple[str, ...]] = {
    "date": ("devportal", "2026-02-30"),
    "date-time": ("devportal", "2026-02-30T10:00:00Z"),
    "uuid": ("devportal",),
    "email": ("devportal",),
    "ipv4": ("devportal",),
    "ipv6": ("devportal",),
}
"""Texts that no validator of a format reads as one (JSON Schema 2020-12 Validation §7.3)."""
ASTRAL_CHARACTER = "\U0001f389"
"""A code point that takes two units in UTF-16 and four in UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundary:
    """A value at a bound, which `title` names. `inner` is the next one inside, or another nearby if that is
    the example: one good value does not show that its neighbours are accepted. `near` are others that differ
    little from the example, `outside` lies just outside; ABSENT is not tried.
    """

    title: str
    value: Any = ABSENT
    inner: Any = ABSENT
    near: tuple[Any, ...] = ()
    outside: Any = ABSENT
    is_format: bool = False
    """Whether `outside` has nothing of its `format`, so that no reading of that allows it."""
    is_choice: bool = False
    """Whether `value` is another choice than the example, not another length or amount."""


def boundaries(schema: Schema, example: Any) -> Iterator[Boundary]:
    """Yield the boundaries of a value; `schema` is the combined schema (`conjunction_for_value`)."""
    if schema.enum or schema.const is not ABSENT:
        yield from _enum_boundaries(schema, example)
    elif isinstance(example, str):
        yield from _text_boundaries(schema, example)
    elif isinstance(example, bool):
        yield Boundary(title="the other boolean", value=not example, is_choice=True)
    elif isinstance(example, int | float):
        yield from _number_boundaries(schema, example)
    elif isinstance(example, list):
        yield from _list_boundaries(schema, example)
    elif isinstance(example, dict):
        yield from _object_boundaries(schema, example)
    if schema.nullable and example is not None and not schema.enum:
        yield Boundary(title="null where it is allowed", value=None, is_choice=True)


def _enum_boundaries(schema: Schema, example: Any) -> Iterator[Boundary]:
    values = schema.enum or (schema.const,)
    texts = all(isinstance(value, str) for value in values)
    for value in values:
        if value != example and value is not None:
            yield Boundary(title="an enumerated value", value=value, is_choice=True)
    if texts:
        yield Boundary(title="the enumerated values", outside=f"{values[0]}-devportal")
        yield Boundary(title="the case of the enumerated values", outside=str(values[0]).swapcase())
    elif all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        yield Boundary(title="the enumerated values", outside=max(values) + 1)


def _text_boundaries(schema: Schema, example: str) -> Iterator[Boundary]:
    patterns = tuple(
        str(constraint.value) for constraint in schema.constraints if constraint.keyword == "pattern"
    )
    shortest, longest = _length_bound(schema, "minLength"), _length_bound(schema, "maxLength")
    is_allowed = partial(_is_text_allowed, patterns, shortest or 0, longest)
    lengths = [
        length
        for length in range(_longest_length(longest) + 1)
        if patterns and is_allowed(_text_of_length(example, length))
    ]
    longest_possible = max(lengths, default=None) if patterns else longest
    shortest_possible = min(lengths, default=None) if patterns else shortest
    if (
        longest_possible is not None
        and shortest_possible is not None
        and patterns
        and (longest_possible == _longest_length(None) or longest_possible <= shortest_possible)
    ):
        longest_possible = None  # the pattern is unbounded, or matches one length only
    near = tuple(text for text in (f"{example}{example[-1:]}", example[:-1]) if example and is_allowed(text))
    for title, length, sign in (
        ("the longest text", longest_possible, 1),
        ("the shortest text", shortest_possible, -1),
    ):
        if length is None or not 0 < length <= LONGEST_TEXT or sign * len(example) > sign * length:
            continue
        outside, inner = (_text_of_length(example, length + step) for step in (sign, -sign))
        if len(example) == length:
            yield Boundary(title=title, outside=outside)
            continue
        inner = _other_than_example(inner, example, near)
        yield Boundary(
            title=title, value=_text_of_length(example, length), inner=inner, near=near, outside=outside
        )
        if sign > 0 and not patterns:
            yield _astral_boundary(length)
    yield from _form_boundaries(schema, example, patterns)


def _form_boundaries(schema: Schema, example: str, patterns: tuple[str, ...]) -> Iterator[Boundary]:
    """Yield what is outside of a pattern and of a format, at any length."""
    for title, texts in (("the pattern", FOREIGN_TEXTS), ("the case of the pattern", (example.swapcase(),))):
        foreign = (text for text in texts if not all(matches_pattern(pattern, text) for pattern in patterns))
        if (outside := next(foreign, None)) is not None:
            yield Boundary(title=title, outside=outside)
    for text in FOREIGN_BY_FORMAT.get(schema.format or "", ()):
        yield Boundary(title=f"the format {schema.format}", outside=text, is_format=True)


def _other_than_example(value: Any, example: Any, near: tuple[Any, ...]) -> Any:
    """Return a value, or the first nearby one if it is the example."""
    return value if value != example else next(iter(near), ABSENT)


def _astral_boundary(length: int) -> Boundary:
    """Return the longest text of characters beyond U+FFFF: lengths count code points (JSON Schema 2020-12
    Validation §6.3.1). `near` is a shorter one, which shows that such characters are accepted at all.
    """
    return Boundary(
        title="the longest text, of characters beyond U+FFFF",
        value=ASTRAL_CHARACTER * length,
        near=(ASTRAL_CHARACTER * max(1, length // 5),),
    )


def _length_bound(schema: Schema, keyword: str) -> int | None:
    value = constraint_value(schema, keyword)
    return None if value is None else int(value)


def _longest_length(longest: int | None) -> int:
    return min(longest, UNBOUNDED_LENGTH) if longest is not None else UNBOUNDED_LENGTH


def _text_of_length(example: str, length: int) -> str:
    """Return a text of a length that begins as the example does."""
    text = example[:length] + (example[-1:].strip() or "a") * max(0, length - len(example))
    return text if text == text.strip() else f"{text.strip()}{'a' * (length - len(text.strip()))}"


def _is_text_allowed(patterns: tuple[str, ...], shortest: int, longest: int | None, text: str) -> bool:
    in_length = shortest <= len(text) and (longest is None or len(text) <= longest)
    return in_length and all(matches_pattern(pattern, text) for pattern in patterns)


def _number_boundaries(schema: Schema, example: float) -> Iterator[Boundary]:
    multiple = constraint_value(schema, "multipleOf")
    step = multiple or 1
    near = (_sum(example, step), _sum(example, -step))
    for keyword, sign, title in (
        ("minimum", 1, "the least number"),
        ("maximum", -1, "the greatest number"),
    ):
        edge, open_edge = (
            constraint_value(schema, keyword),
            constraint_value(schema, f"exclusive{keyword.capitalize()}"),
        )
        if open_edge is not None and ("integer" in schema.types or step != 1):
            edge = _sum(open_edge, sign * step)
        if edge is not None:
            outside, inner = (
                _sum(edge, -sign * step),
                _other_than_example(_sum(edge, sign * step), example, near[::sign]),
            )
            yield Boundary(title=title, value=edge, inner=inner, near=near, outside=outside)
        elif open_edge is not None:
            yield Boundary(title=title, outside=open_edge)
    if multiple is not None and "integer" not in schema.types:
        yield Boundary(title="the multiples", outside=_sum(example, multiple / 2))
    elif multiple is not None and multiple > 1:
        yield Boundary(title="the multiples", outside=example + 1)


def _sum(value: float, step: float) -> Any:
    """Return a sum as its decimals have it: 0.1 and 0.2 are 0.3."""
    return value + step if isinstance(value + step, int) else float(Decimal(str(value)) + Decimal(str(step)))


def _list_boundaries(schema: Schema, example: list[Any]) -> Iterator[Boundary]:
    fewest, most = constraint_value(schema, "minItems"), constraint_value(schema, "maxItems")
    is_distinct = any(
        constraint.keyword == "uniqueItems" and constraint.value for constraint in schema.constraints
    )
    if fewest is not None and 0 < fewest <= len(example):
        least = int(fewest)
        yield Boundary(
            title="the fewest items",
            value=example[:least],
            inner=example[: least + 1],
            near=(example,),
            outside=example[: least - 1],
        )
    can_repeat = not is_distinct or all(isinstance(item, str) for item in example)
    if most is not None and example and can_repeat and len(example) <= most <= MOST_ITEMS:
        many = [example[number % len(example)] for number in range(int(most) + 1)]
        if is_distinct:
            many = [*example, *(f"{value}{number}" for number, value in enumerate(many[len(example) :]))]
        yield Boundary(
            title="the most items", value=many[:-1], inner=many[:-2], near=(example,), outside=many
        )
    if is_distinct and example:
        has_room = most is None or len(example) < most
        kept = example if has_room or len(example) == 1 else example[:-1]
        yield Boundary(title="the distinct items", outside=[*kept, example[0]])


def _object_boundaries(schema: Schema, example: Mapping[str, Any]) -> Iterator[Boundary]:
    fewest, most = constraint_value(schema, "minProperties"), constraint_value(schema, "maxProperties")
    if fewest is not None and 0 < fewest <= len(example):
        few = dict(list(example.items())[: int(fewest) - 1])
        yield Boundary(title="the fewest members", outside=few)
    if most is not None and example and len(example) <= most <= MOST_ITEMS:
        value = next(iter(example.values()))
        more = {f"{UNDECLARED}{number}": value for number in range(int(most) + 1 - len(example))}
        yield Boundary(title="the most members", outside={**example, **more})
