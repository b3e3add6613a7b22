"""Whether each text that one pattern finds is found by another: shown for patterns that are regular.

A pattern becomes the language of the texts that it is found in. What is not regular (look-around, references
to groups) and what takes too long is not shown, so the answer may be unknown, but never wrong.
"""

import re
import re._constants as sre  # type: ignore[import-not-found]  # typeshed has no stubs for the parser
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any

from devportal.contract.regex import parsed
from devportal.differ.languages import (
    EVERYTHING,
    START,
    STOP,
    Language,
    Ranges,
    TooComplexError,
    alternatives,
    characters,
    complement,
    includes,
    repeated,
    row,
)


class Relation(StrEnum):
    """What is shown of the texts that a new pattern finds, beside those of the old one."""

    SAME = "same"
    WIDER = "wider"
    NARROWER = "narrower"
    UNKNOWN = "unknown"


_ANYTHING = re.compile(r"\^?(?:\(?(?:\.|\[\^]|\[\\s\\S]|\[\\S\\s]|\[\\d\\D]|\[\\w\\W])\*\??\)?)?\$?")


def is_trivial(pattern: str) -> bool:
    """Say whether every text matches: `.*`, `^.*$` and the like, as if a dot found line breaks too."""
    return pattern != "^$" and _ANYTHING.fullmatch(pattern) is not None


@lru_cache(maxsize=1024)
def relation(old: str, new: str) -> Relation:
    """Return how the texts of two patterns are related, as far as it can be shown."""
    if old == new:
        return Relation.SAME
    try:
        one, other = _texts(old), _texts(new)
        is_wider, is_narrower = includes(other, one), includes(one, other)
    except (TooComplexError, re.error, RecursionError, OverflowError, ValueError):
        return Relation.UNKNOWN
    if is_wider and is_narrower:
        return Relation.SAME
    if is_wider:
        return Relation.WIDER
    return Relation.NARROWER if is_narrower else Relation.UNKNOWN


def _texts(pattern: str) -> Language:
    """Return the texts in which a pattern is found, each between its start and its stop."""
    if _ELSEWHERE.search(pattern):
        raise TooComplexError
    tree = parsed(pattern)
    if tree.state.flags & ~re.UNICODE.value:
        raise TooComplexError
    if any(_anchors(tree, anchor) > 1 for anchor in (sre.AT_BEGINNING, sre.AT_END)):
        raise TooComplexError
    if _is_crossed(tree):
        raise TooComplexError
    elements = list(tree)
    before = () if elements[:1] == [(sre.AT, sre.AT_BEGINNING)] else (EVERYTHING,)
    after = () if elements[-1:] == [(sre.AT, sre.AT_END)] else (EVERYTHING,)
    return row((*before, _row(elements), *after))


_ELSEWHERE = re.compile(r"\\[pPaA]|\{,")
"""What means something else to Python, or nothing exact: classes of Unicode, a bell, `{,3}`."""


def _anchors(elements: Any, anchor: Any) -> int:
    """Return how often an anchor may be met on one way through a pattern."""
    return sum(_anchors_of(op, argument, anchor) for op, argument in elements)


def _anchors_of(op: Any, argument: Any, anchor: Any) -> int:
    if op is sre.AT:
        return int(argument is anchor)
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        return 2 * _anchors(argument[2], anchor)
    return max((_anchors(one, anchor) for one in _within(op, argument)), default=0)


def _within(op: Any, argument: Any) -> Sequence[Any]:
    """Return the patterns that an element of a pattern is made of, one of which applies."""
    if op is sre.SUBPATTERN:
        return (argument[3],)
    if op is sre.BRANCH:
        return tuple(argument[1])
    return ()


def _is_crossed(elements: Any) -> bool:
    """Say whether the end of a text is asked for before its beginning, which only the empty text has so."""
    has_ended = False
    for op, argument in elements:
        if has_ended and _anchors_of(op, argument, sre.AT_BEGINNING):
            return True
        if any(map(_is_crossed, _within(op, argument))):
            return True
        has_ended = has_ended or _anchors_of(op, argument, sre.AT_END) > 0
    return False


def _row(elements: Any) -> Language:
    return row(tuple(_of(op, argument) for op, argument in elements))


def _of(op: Any, argument: Any) -> Language:
    if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
        return characters(_ranges(op, argument))
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        low, high, body = argument
        return repeated(_row(body), low, None if high is sre.MAXREPEAT else int(high))
    if op is sre.SUBPATTERN:
        if argument[1] or argument[2]:
            raise TooComplexError
        return _row(argument[3])
    if op is sre.BRANCH:
        return alternatives(tuple(_row(one) for one in argument[1]))
    if op is sre.AT and argument is sre.AT_BEGINNING:
        return START
    if op is sre.AT and argument is sre.AT_END:
        return STOP
    raise TooComplexError


_BREAKS = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_DIGITS = ((0x30, 0x39),)
_WORD = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACE = (
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
_CATEGORIES = {
    sre.CATEGORY_DIGIT: _DIGITS,
    sre.CATEGORY_NOT_DIGIT: complement(_DIGITS),
    sre.CATEGORY_SPACE: _SPACE,
    sre.CATEGORY_NOT_SPACE: complement(_SPACE),
    sre.CATEGORY_WORD: _WORD,
    sre.CATEGORY_NOT_WORD: complement(_WORD),
}
"""The classes of characters as ECMA 262 has them: those of digits and words are ASCII."""


def _ranges(op: Any, argument: Any) -> Ranges:
    if op is sre.LITERAL:
        return ((argument, argument),)
    if op is sre.NOT_LITERAL:
        return complement(((argument, argument),))
    if op is sre.ANY:
        return complement(_BREAKS)
    is_negated = bool(argument) and argument[0][0] is sre.NEGATE
    found = tuple(one for item in argument for one in _of_class(*item))
    return complement(found) if is_negated else found


def _of_class(op: Any, argument: Any) -> Iterator[tuple[int, int]]:
    if op is sre.LITERAL:
        yield (argument, argument)
    elif op is sre.RANGE:
        yield argument
    elif op is sre.CATEGORY:
        yield from _CATEGORIES[argument]
    elif op is not sre.NEGATE:
        raise TooComplexError
