"""Values that differ from each other, for arrays whose items are unique."""

import string
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

_ALPHABETS = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
_WHOLE_STEPS = (1, -1, 2, 5, 10, 100, 1000)
_TRIES_PER_VALUE, _FURTHER_TRIES = 4, 200


def distinct_values(value: Any, count: int, is_allowed: Callable[[Any], bool]) -> Iterator[Any]:
    """Yield values like one that are allowed, each once and without that one: fewer than `count` if no more are
    found.
    """
    found, pending = [value], deque([value])
    tries = _TRIES_PER_VALUE * count + _FURTHER_TRIES
    while pending:
        for variant in _variants(pending.popleft()):
            if len(found) > count or not tries:
                return
            if variant in found:
                continue
            tries -= 1
            if is_allowed(variant):
                found.append(variant)
                pending.append(variant)
                yield variant


def _variants(value: Any) -> Iterator[Any]:
    """Yield values of the same type that differ from a value in one place."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + step for step in _WHOLE_STEPS)
        case float():
            yield from (value + step for step in (*_WHOLE_STEPS, 0.5, 0.01))
        case str():
            yield from _text_variants(value)
        case dict():
            for name, member in value.items():
                yield from ({**value, name: variant} for variant in _variants(member))
        case list():
            for number, item in enumerate(value):
                yield from ([*value[:number], variant, *value[number + 1 :]] for variant in _variants(item))


def _text_variants(text: str) -> Iterator[str]:
    """Yield texts of the same length with another character of the same kind at one position, the last one first:
    they often fit the same pattern or format.
    """
    for position in reversed(range(len(text))):
        for alphabet in _ALPHABETS:
            if text[position] in alphabet:
                yield from (
                    f"{text[:position]}{character}{text[position + 1 :]}"
                    for character in alphabet
                    if character != text[position]
                )
