"""Texts in place of values that cannot be made, and where they are in a value."""

from collections.abc import Iterator
from typing import Any


class NoExample(Exception):
    """Raised if there is no value, or only an infinite one; it says why."""


class Placeholder(str):
    """A text in place of a required value that cannot be made."""

    __slots__ = ("reason",)
    reason: str

    def __new__(cls, text: str, reason: str) -> "Placeholder":
        """Make a placeholder, with a sentence that says why there is one."""
        made = super().__new__(cls, text)
        made.reason = reason
        return made


def placeholders(value: Any, pointer: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Placeholder]]:
    """Yield the placeholders in a value, each with the pointer to it."""
    match value:
        case Placeholder():
            yield pointer, value
        case dict():
            for name, member in value.items():
                yield from placeholders(member, (*pointer, name))
        case list():
            for number, member in enumerate(value):
                yield from placeholders(member, (*pointer, str(number)))


def without_placeholders(value: Any) -> Any:
    """Return a value with its placeholders as plain texts."""
    match value:
        case Placeholder():
            return str(value)
        case dict():
            return {name: without_placeholders(member) for name, member in value.items()}
        case list():
            return [without_placeholders(item) for item in value]
    return value
