"""Days, lists and names of countries as people read them, in the language of the site that is being made."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import lru_cache
from typing import Final, Literal

from devportal.translation.messages import ENGLISH, current_interface, find_locale

_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_LANGUAGES_OF_CAPITALS: Final = frozenset({"de", "lb"})
"""German and Luxembourgish: nouns have capitals wherever they stand."""


def format_day(day: date) -> str:
    """Return a day as people read it, `5 March 2026` in English, whatever the locale of the machine."""
    interface = current_interface()
    if interface is not ENGLISH and (text := _babel_day(day, interface.language)):
        return text
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


@lru_cache(maxsize=1024)
def _babel_day(day: date, language: str) -> str:
    from babel.dates import format_date  # noqa: PLC0415 - English needs none

    locale = find_locale(language)
    return format_date(day, format="long", locale=locale) if locale is not None else ""


def join_words(
    words: Iterable[str],
    *,
    english: Callable[[list[str]], str],
    style: Literal["standard", "or"] = "standard",
) -> str:
    """Return words as a list of a sentence: `a, b und c`; `english` writes it in English."""
    listed, interface = list(words), current_interface()
    locale = find_locale(interface.language) if interface is not ENGLISH else None
    if locale is None:
        return english(listed)
    from babel.lists import format_list  # noqa: PLC0415 - as above

    return format_list(listed, style=style, locale=locale)


def in_sentence(label: str) -> str:
    """Return a label as it stands within a sentence: with small letters in English, unless it is an acronym.

    In other languages only its first letter changes, as names in it keep theirs, and in those that write nouns with
    capitals nothing does.
    """
    interface = current_interface()
    if interface is ENGLISH:
        return label if label.isupper() else label.lower()
    has_capitals = interface.language.partition("-")[0] in _LANGUAGES_OF_CAPITALS or label[:2].isupper()
    return label if has_capitals else label[:1].lower() + label[1:]


def territory_names(english: Mapping[str, str]) -> Mapping[str, str]:
    """Return the names of countries by their codes (ISO 3166-1); `english` has all of them."""
    interface = current_interface()
    names = {} if interface is ENGLISH else _territories(interface.language)
    return {code: names.get(code, name) for code, name in english.items()} if names else english


@lru_cache(maxsize=8)
def _territories(language: str) -> Mapping[str, str]:
    locale = find_locale(language)
    return {} if locale is None else dict(locale.territories)
