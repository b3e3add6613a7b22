"""Texts with a length, patterns and values that they must not equal: whether there are any, and one of them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from devportal.differ.patterns.pattern_languages import matched_language
from devportal.differ.patterns.pattern_relations import MAX_PADDING
from devportal.differ.patterns.regular_languages import (
    LAST,
    START,
    STOP,
    Alternation,
    Characters,
    Concatenation,
    Exclusion,
    Intersection,
    Language,
    Repetition,
    TooComplexError,
    concatenate,
    repeat,
    shared_text,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The texts of a length, counted in code points, in which some patterns are found and others are not, but some
    that are named. `high` is None without a largest length.
    """

    low: int = 0
    high: int | None = None
    matching: tuple[str, ...] = ()
    not_matching: tuple[str, ...] = ()
    unequal: tuple[str, ...] = ()


@lru_cache(maxsize=1024)
def shares_no_text(texts: Texts) -> bool:
    """Return whether it is shown that there are no such texts.

    Comparisons ask the same again and again: of schemas that share a pattern, and of each release of a history.
    """
    if texts.high is not None and texts.low > texts.high:
        return True
    if not texts.matching and texts.high != 0 and not (texts.not_matching and _has_small_range(texts)):
        return False
    matching = _known_languages(texts.matching)
    lengths = [_length_range(language) for language in matching]
    low = max([texts.low, *(shortest for shortest, _ in lengths)])
    highest = [
        longest for longest in (texts.high, *(longest for _, longest in lengths)) if longest is not None
    ]
    if highest and low > min(highest):
        return True
    try:
        return (
            shared_text((*matching, *_languages_of_lengths(texts, lengths)), _refused_languages(texts))
            is None
        )
    except (TooComplexError, RecursionError):
        return False


def text_among(texts: Texts) -> str | None:
    """Return a short one of some texts, None if none is found."""
    matching = _known_languages(texts.matching)
    try:
        return shared_text((*matching, *_languages_of_lengths(texts, ())), _refused_languages(texts))
    except (TooComplexError, RecursionError):
        return None


def _refused_languages(texts: Texts) -> tuple[Language, ...]:
    return (*_known_languages(texts.not_matching), *map(_language_of_text, texts.unequal))


def _known_languages(patterns: Iterable[str]) -> tuple[Language, ...]:
    """Return the texts of each pattern, without those of patterns that are too complex."""
    languages = map(_language_if_known, patterns)
    return tuple(language for language in languages if language is not None)


def _has_small_range(texts: Texts) -> bool:
    return texts.low <= MAX_PADDING


def _languages_of_lengths(texts: Texts, known: Sequence[tuple[int, int | None]]) -> Iterator[Language]:
    """Yield the language of the lengths, unless some that are known to apply are within them, or it is too large."""
    low = max((shortest for shortest, _ in known), default=0)
    highest = [longest for _, longest in known if longest is not None]
    is_low_known = texts.low <= low
    is_high_known = texts.high is None or (bool(highest) and min(highest) <= texts.high)
    if (is_low_known and is_high_known) or texts.low > MAX_PADDING:
        return
    high = texts.high if texts.high is not None and texts.high <= MAX_PADDING else None
    yield concatenate((START, repeat(_ANY_CHARACTER, texts.low, high), STOP))


_ANY_CHARACTER = Characters(((0, LAST),))


def _language_of_text(text: str) -> Language:
    letters = (Characters(((ord(letter), ord(letter)),)) for letter in text)
    return concatenate((START, *letters, STOP))


@lru_cache(maxsize=1024)
def _language_if_known(pattern: str) -> Language | None:
    try:
        return matched_language(pattern)
    except (TooComplexError, re.error, RecursionError, OverflowError, ValueError):
        return None


def _length_range(language: Language) -> tuple[int, int | None]:
    """Return how many characters the texts of a language have at least and at most, None without an end."""
    match language:
        case Characters(ranges):
            is_virtual = ranges in (START.ranges, STOP.ranges)
            may_be_virtual = any(first < 0 for first, _ in ranges)
            return (0 if may_be_virtual else 1), (0 if is_virtual else 1)
        case Concatenation(first, rest):
            (low, high), (further_low, further_high) = _length_range(first), _length_range(rest)
            is_endless = high is None or further_high is None
            return low + further_low, None if is_endless else (high or 0) + (further_high or 0)
        case Alternation(languages):
            ranges_ = [_length_range(member) for member in languages]
            highest = [high for _, high in ranges_]
            is_endless = None in highest
            return min(low for low, _ in ranges_), (
                None if is_endless else max(high for high in highest if high is not None)
            )
        case Intersection(languages):
            ranges_ = [_length_range(member) for member in languages]
            limits = [high for _, high in ranges_ if high is not None]
            return max(low for low, _ in ranges_), min(limits) if limits else None
        case Exclusion():
            return 0, None
        case Repetition(inner, low, times):
            shortest, longest = _length_range(inner)
            return shortest * low, (
                0 if longest == 0 else None if longest is None or times is None else longest * times
            )
    return 0, 0
