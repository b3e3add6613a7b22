"""Values at the bounds of a schema, each with values near it on both sides."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.contract import ABSENT, Schema
from devportal.contract.bounds import bound
from devportal.contract.regex import matches

LONGEST_TEXT = 20_000
"""Code points of the longest text that is made."""
MOST_ITEMS = 200
FREE_LENGTH = 300
"""How long a text is made to see where its pattern ends."""
ASTRAL = "\U0001f389"
"""A code point that takes two units in UTF-16 and four in UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boundary:
    """A value at a bound, which `title` names. `inner` is the next one inside, or another one near by where
    that is the example: one good value does not show that its neighbours are. `near` are others that differ
    little from the example, `beyond` is what lies just outside; ABSENT is what is not tried.
    """

    title: str
    value: Any = ABSENT
    inner: Any = ABSENT
    near: tuple[Any, ...] = ()
    beyond: Any = ABSENT


def boundaries(schema: Schema, example: Any) -> Iterator[Boundary]:
    """Yield the boundaries of a value; `schema` is one with all its parts together (`conjunction`)."""
    if schema.enum or schema.const is not ABSENT:
        yield from _enumerated(schema, example)
    elif isinstance(example, str):
        yield from _texts(schema, example)
    elif isinstance(example, bool):
        return
    elif isinstance(example, int | float):
        yield from _numbers(schema, example)
    elif isinstance(example, list):
        yield from _lists(schema, example)
    if schema.nullable and example is not None and not schema.enum:
        yield Boundary(title="null where it is allowed", value=None)


def _enumerated(schema: Schema, example: Any) -> Iterator[Boundary]:
    values = schema.enum or (schema.const,)
    texts = all(isinstance(one, str) for one in values)
    for value in values:
        if value != example and value is not None:
            yield Boundary(title="an enumerated value", value=value)
    if texts:
        yield Boundary(title="the enumerated values", beyond=f"{values[0]}-devportal")


def _texts(schema: Schema, example: str) -> Iterator[Boundary]:
    patterns = tuple(str(one.value) for one in schema.constraints if one.keyword == "pattern")
    shortest, longest = _length(schema, "minLength"), _length(schema, "maxLength")
    fits = partial(_fits, patterns, shortest or 0, longest)
    lengths = [length for length in range(_room(longest) + 1) if patterns and fits(_of(example, length))]
    top = max(lengths, default=None) if patterns else longest
    low = min(lengths, default=None) if patterns else shortest
    if top is not None and low is not None and patterns and (top == _room(None) or top <= low):
        top = None  # the pattern ends nowhere, or fits one length only
    near = tuple(one for one in (f"{example}{example[-1:]}", example[:-1]) if example and fits(one))
    if top is not None and len(example) < top <= LONGEST_TEXT:
        value, beyond = _of(example, top), _of(example, top + 1)
        inner = _another(_of(example, top - 1), example, near)
        yield Boundary(title="the longest text", value=value, inner=inner, near=near, beyond=beyond)
        if not patterns:
            yield _astral(top)
    if low is not None and 0 < low < len(example):
        value, beyond = _of(example, low), _of(example, low - 1)
        inner = _another(_of(example, low + 1), example, near)
        yield Boundary(title="the shortest text", value=value, inner=inner, near=near, beyond=beyond)


def _another(value: Any, example: Any, near: tuple[Any, ...]) -> Any:
    """Return a value, or the first near by where it is the example."""
    return value if value != example else next(iter(near), ABSENT)


def _astral(length: int) -> Boundary:
    """Return the longest text in characters beyond U+FFFF: lengths count code points (JSON Schema 2020-12
    Validation §6.3.1). `near` is a shorter one, which shows that such characters are welcome at all.
    """
    return Boundary(
        title="the longest text, of characters beyond U+FFFF",
        value=ASTRAL * length,
        near=(ASTRAL * max(1, length // 5),),
    )


def _length(schema: Schema, keyword: str) -> int | None:
    value = bound(schema, keyword)
    return None if value is None else int(value)


def _room(longest: int | None) -> int:
    return min(longest, FREE_LENGTH) if longest is not None else FREE_LENGTH


def _of(example: str, length: int) -> str:
    """Return a text of a length that begins as the example does."""
    text = example[:length] + (example[-1:].strip() or "a") * max(0, length - len(example))
    return text if text == text.strip() else f"{text.strip()}{'a' * (length - len(text.strip()))}"


def _fits(patterns: tuple[str, ...], shortest: int, longest: int | None, text: str) -> bool:
    in_length = shortest <= len(text) and (longest is None or len(text) <= longest)
    return in_length and all(matches(one, text) for one in patterns)


def _numbers(schema: Schema, example: float) -> Iterator[Boundary]:
    step = bound(schema, "multipleOf") or 1
    near = (example + step, example - step)
    for keyword, sign, title in (
        ("minimum", 1, "the least number"),
        ("maximum", -1, "the greatest number"),
    ):
        edge, open_edge = bound(schema, keyword), bound(schema, f"exclusive{keyword.capitalize()}")
        if open_edge is not None and ("integer" in schema.types or step != 1):
            edge = open_edge + sign * step
        if edge is not None:
            beyond, inner = edge - sign * step, _another(edge + sign * step, example, near[::sign])
            yield Boundary(title=title, value=edge, inner=inner, near=near, beyond=beyond)
        elif open_edge is not None:
            yield Boundary(title=title, beyond=open_edge)


def _lists(schema: Schema, example: list[Any]) -> Iterator[Boundary]:
    fewest, most = bound(schema, "minItems"), bound(schema, "maxItems")
    is_distinct = any(one.keyword == "uniqueItems" and one.value for one in schema.constraints)
    if fewest is not None and 0 < fewest <= len(example):
        least = int(fewest)
        yield Boundary(
            title="the fewest items",
            value=example[:least],
            inner=example[: least + 1],
            near=(example,),
            beyond=example[: least - 1],
        )
    if most is not None and example and not is_distinct and len(example) <= most <= MOST_ITEMS:
        many = [example[number % len(example)] for number in range(int(most) + 1)]
        yield Boundary(title="the most items", value=many[:-1], inner=many[:-2], near=(example,), beyond=many)
