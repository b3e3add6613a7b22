"""How the texts of two patterns are related: whether every text that one matches is matched by the other."""

import re
from enum import StrEnum
from functools import lru_cache

from devportal.differ.patterns.pattern_languages import matched_language
from devportal.differ.patterns.regular_languages import (
    EVERYTHING,
    Language,
    TooComplexError,
    language_includes,
    shared_text,
    shortest_text_outside,
)


class PatternRelation(StrEnum):
    """The proven relation of the texts that a new pattern matches to those of the old one: it is wider if it is
    shown to match all of them, and not shown to match no others.
    """

    SAME = "same"
    WIDER = "wider"
    NARROWER = "narrower"
    DISJOINT = "disjoint"
    UNKNOWN = "unknown"


_MATCHES_EVERYTHING = re.compile(
    r"\^?(?:\(?(?:\.|\[\^]|\[\\s\\S]|\[\\S\\s]|\[\\d\\D]|\[\\w\\W])\*\??\)?)?\$?"
)


def matches_every_text(pattern: str) -> bool:
    """Say whether every text matches: `.*`, `^.*$` and the like, as if a dot found line breaks too."""
    return pattern != "^$" and _MATCHES_EVERYTHING.fullmatch(pattern) is not None


def matches_every_filled_text(pattern: str) -> bool:
    """Say whether every text but the empty one matches: `.+`, `^.+$` and the like, as `matches_every_text`."""
    return matches_every_text(pattern.replace("+", "*")) and "\\+" not in pattern


@lru_cache(maxsize=1024)
def pattern_relation(old: str, new: str) -> PatternRelation:
    """Return how the texts of two patterns are related, if it can be shown."""
    if old == new:
        return PatternRelation.SAME
    try:
        one, other = matched_language(old), matched_language(new)
    except (TooComplexError, re.error, RecursionError, OverflowError, ValueError):
        return PatternRelation.UNKNOWN
    is_wider, is_narrower = _is_shown_to_include(other, one), _is_shown_to_include(one, other)
    if is_wider and is_narrower:
        return PatternRelation.SAME
    if is_wider:
        return PatternRelation.WIDER
    if is_narrower:
        return PatternRelation.NARROWER
    is_disjoint = _is_shown_disjoint(one, other)
    return PatternRelation.DISJOINT if is_disjoint else PatternRelation.UNKNOWN


def _is_shown_to_include(wide: Language, narrow: Language) -> bool:
    try:
        return language_includes(wide, narrow)
    except (TooComplexError, RecursionError):
        return False


def _is_shown_disjoint(one: Language, other: Language) -> bool:
    try:
        return shared_text((one, other), ()) is None
    except (TooComplexError, RecursionError):
        return False


@lru_cache(maxsize=1024)
def text_outside(narrow: str, wide: str, *, at_least: int = 0) -> str | None:
    """Return a short text that one pattern matches and another does not, None if none is found.

    An empty pattern matches everything.
    """
    try:
        return shortest_text_outside(
            matched_language(wide),
            matched_language(narrow) if narrow else EVERYTHING,
            at_least=min(at_least, MAX_PADDING),
        )
    except (TooComplexError, re.error, RecursionError, OverflowError, ValueError):
        return None


MAX_PADDING = 64
"""The largest length that is counted out, character by character."""
