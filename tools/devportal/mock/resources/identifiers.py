"""New identifiers: numbers that count, UUIDs, or texts like the example of the contract."""

import random
import string
import uuid
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from devportal.contract import Schema
from devportal.contract.values.scalars import scalars

_MAX_TRIES = 200
MOST_SCALARS = 8
"""How many texts of each schema new identifiers are made of."""
_SEPARATORS = "_-."
_SHORTEST_RANDOM = 6
"""How many characters of an identifier must be random for it to be unlike all others."""


def new_identifier(
    schemas: Sequence[Schema],
    example: Any,
    serial: int,
    draw: random.Random,
    is_allowed: Callable[[Any], bool],
) -> Any:
    """Return an identifier that nothing has yet: one that `is_allowed` by its schemas, None if none is found.

    `serial` is a number that no other resource has.
    """
    candidates = _candidates(schemas, example, serial, draw)
    return next(
        (
            candidate
            for candidate, _ in zip(candidates, range(_MAX_TRIES), strict=False)
            if is_allowed(candidate)
        ),
        None,
    )


def _candidates(schemas: Sequence[Schema], example: Any, serial: int, draw: random.Random) -> Iterator[Any]:
    types = {kind for schema in schemas for kind in schema.types}
    formats = {schema.format for schema in schemas}
    if types & {"integer", "number"} or (isinstance(example, int) and "string" not in types):
        for number in _numbers(schemas, example, serial):
            yield number
            if "string" in types:  # paths take a number that representations have as a text
                yield str(number)
        return
    if "uuid" in formats or _is_uuid(example):
        while True:
            yield str(uuid.UUID(int=draw.getrandbits(128), version=4))
    texts = [example] if isinstance(example, str) and example else []
    for schema in schemas:
        fitting = (scalar for scalar in scalars("string", schema) if isinstance(scalar, str) and scalar)
        texts += islice(fitting, MOST_SCALARS)
    for turn in range(_MAX_TRIES):
        for text in texts:
            yield _vary_text(text, draw, is_whole=turn % 3 == 2)
        if turn % 4 == 1:
            yield from (str(serial), "".join(draw.choices(string.ascii_lowercase + string.digits, k=12)))


def _numbers(schemas: Sequence[Schema], example: Any, serial: int) -> Iterator[int]:
    if isinstance(example, int) and not isinstance(example, bool):
        yield from (example + serial, serial)
    else:
        yield serial
    for schema in schemas:
        bounds = [
            constraint.value
            for constraint in schema.constraints
            if constraint.keyword in ("minimum", "exclusiveMinimum")
        ]
        yield from (int(bound) + serial for bound in bounds)
        bounds = [
            constraint.value
            for constraint in schema.constraints
            if constraint.keyword in ("maximum", "exclusiveMaximum")
        ]
        yield from (int(bound) - serial for bound in bounds)


def _is_uuid(example: Any) -> bool:
    try:
        return isinstance(example, str) and len(example) == 36 and bool(uuid.UUID(example))
    except ValueError:
        return False


def _vary_text(text: str, draw: random.Random, *, is_whole: bool) -> str:
    """Return a text with other letters and digits in the same places; a prefix such as `ord_` stays, unless the
    whole is varied.
    """
    start = 0 if is_whole else _prefix_length(text)
    tail = text[start:]
    is_hexadecimal = all(character in string.hexdigits for character in tail if character.isalnum()) and any(
        map(str.isdigit, tail)
    )
    varied = "".join(_like(character, draw, is_hexadecimal=is_hexadecimal) for character in tail)
    missing = _SHORTEST_RANDOM - sum(character.isalnum() for character in varied)
    if missing > 0 and draw.random() < 0.7:  # a short example may be longer, unless a pattern forbids it
        last = next((character for character in reversed(varied) if character.isalnum()), "1")
        varied += "".join(_like(last, draw, is_hexadecimal=False) for _ in range(missing))
    return text[:start] + varied


def _prefix_length(text: str) -> int:
    """Return how many characters at the start are a prefix: letters up to a separator, or capitals before
    digits (`SM0123…`), if enough characters are left.
    """
    place = max((text.rfind(separator) for separator in _SEPARATORS), default=-1) + 1
    if 0 < place <= len(text) - 3:
        return place
    letters = len(text) - len(text.lstrip(string.ascii_letters))
    return letters if 0 < letters <= 4 and len(text) - letters >= _SHORTEST_RANDOM else 0


def _like(text: str, draw: random.Random, *, is_hexadecimal: bool) -> str:
    if is_hexadecimal and text.isalnum():
        return draw.choice("0123456789ABCDEF" if text.isupper() else "0123456789abcdef")
    if text.isdigit():
        return draw.choice(string.digits)
    if text in string.ascii_lowercase:
        return draw.choice(string.ascii_lowercase)
    if text in string.ascii_uppercase:
        return draw.choice(string.ascii_uppercase)
    return text
