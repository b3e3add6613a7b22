"""The words of the differ: English texts that a page can show in its own language (decision 0063).

Outputs for programs and terminals, fingerprints and policies take a phrase as the English text that it is. What a
page shows is asked for with `shown_text` while the page is written.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from devportal.translation.messages import find_message

_NO_VALUES: Final[Mapping[str, str]] = MappingProxyType({})


class Phrase(str):
    """A text in English with its message and the values in it, which may be phrases themselves.

    `context` distinguishes equal messages. It is None if `message` only puts values together, which all languages
    do alike.
    """

    __slots__ = ("context", "message", "values")
    message: str
    context: str | None
    values: Mapping[str, str]

    def __new__(
        cls, message: str, values: Mapping[str, str] = _NO_VALUES, context: str | None = ""
    ) -> "Phrase":
        """Return the English text of a message with values."""
        text = super().__new__(cls, message % values if values else message)
        text.message, text.values, text.context = message, values, context
        return text

    def __getnewargs__(self) -> tuple[str, Mapping[str, str], str | None]:  # type: ignore[override]
        """Return what a copy in another process is made of."""
        return self.message, dict(self.values), self.context

    def translation(self) -> str | None:
        """Return the text in the language of the site, None if the language lacks one of the messages."""
        message = self.message if self.context is None else find_message(self.message, self.context)
        if message is None or not self.values:
            return message
        values = {name: _translation(value) for name, value in self.values.items()}
        return None if None in values.values() else message % values


def _translation(text: str) -> str | None:
    return text.translation() if isinstance(text, Phrase) else text


def phrase(message: str, /, **values: str) -> Phrase:
    """Return a message with values in place of `%(name)s`."""
    return Phrase(message, values)


def phrase_in_context(context: str, message: str, /, **values: str) -> Phrase:
    """Return a message that other languages say in another way elsewhere, as `phrase`."""
    return Phrase(message, values, context)


def compose(template: str, /, **values: str) -> Phrase:
    """Return values put together in the same way in all languages."""
    return Phrase(template, values, None)


def list_phrase(items: Iterable[str]) -> str:
    """Return `a, b, c`."""
    return _join_all(
        items,
        lambda first, last: phrase_in_context(
            "items of a list", "%(first)s, %(last)s", first=first, last=last
        ),
    )


def clauses_phrase(items: Iterable[str]) -> str:
    """Return `a; b; c`."""
    return _join_all(
        items,
        lambda first, last: phrase_in_context("clauses", "%(first)s; %(last)s", first=first, last=last),
    )


def and_phrase(items: Iterable[str]) -> str:
    """Return `a, b and c`."""
    return _join_last(items, lambda first, last: phrase("%(first)s and %(last)s", first=first, last=last))


def or_phrase(items: Iterable[str]) -> str:
    """Return `a, b or c`."""
    return _join_last(items, lambda first, last: phrase("%(first)s or %(last)s", first=first, last=last))


def _join_last(items: Iterable[str], join: Callable[[str, str], str]) -> str:
    """Return items with commas between them, but the last two joined as `join` does."""
    *others, last = tuple(items) or ("",)
    return join(list_phrase(others), last) if others else last


def _join_all(items: Iterable[str], join: Callable[[str, str], str]) -> str:
    listed = tuple(items)
    return reduce(join, listed) if listed else ""


class ShownText(NamedTuple):
    """A text as a page shows it; `is_english` holds if the page is in another language."""

    text: str
    is_english: bool


def shown_text(text: str) -> ShownText:
    """Return a text in the language of the site, or as a whole in English."""
    translated = text.translation() if isinstance(text, Phrase) else None
    return ShownText(str(text) if translated is None else translated, translated is None and bool(text))


PhraseData = list[Any]
"""A phrase as JSON: message, context, values, which are texts or phrases."""


def phrase_to_json(text: str) -> "str | PhraseData":
    """Return a text as JSON that `phrase_from_json` reads."""
    if not isinstance(text, Phrase):
        return text
    return [text.message, text.context, {name: phrase_to_json(value) for name, value in text.values.items()}]


def phrase_from_json(data: "str | PhraseData") -> str:
    """Return the text of `phrase_to_json`. Raises ValueError, TypeError or LookupError for other data."""
    if isinstance(data, str):
        return data
    message, context, values = data
    return Phrase(message, {name: phrase_from_json(value) for name, value in values.items()}, context)
