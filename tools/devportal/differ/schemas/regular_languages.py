"""Regular languages, and whether every text that one pattern matches is matched by another."""

import re
import re._constants as sre  # type: ignore[import-not-found]  # typeshed has no stubs for the parser
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar

from devportal.contract.regex import parse_pattern

Ranges = tuple[tuple[int, int], ...]
"""Code points, each from and to, sorted and apart from each other."""

LAST = 0x10FFFF
"""The last code point."""
_START, _STOP = -2, -1
"""Virtual characters before the first and after the last character, so that anchors are characters too."""


class TooComplexError(Exception):
    """Nothing can be shown within reasonable time, or by these means. It ends a proof; nobody sees it."""


@dataclass(frozen=True, slots=True)
class Characters:
    """Texts of one character; none if there are no ranges."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class _Compound:
    """A language made of others. Its hash is computed once: such languages are deep, and keys of large mappings."""

    __match_args__: ClassVar[tuple[str, ...]]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parts = (getattr(self, name) for name in self.__match_args__)
        object.__setattr__(self, "_hash", hash((type(self), *parts)))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Concatenation(_Compound):
    """Texts of one language, each followed by one of another."""

    first: "Language"
    rest: "Language"
    __hash__ = _Compound.__hash__


@dataclass(frozen=True, slots=True)
class Alternation(_Compound):
    """Texts of any of some languages."""

    languages: frozenset["Language"]
    __hash__ = _Compound.__hash__


@dataclass(frozen=True, slots=True)
class Repetition(_Compound):
    """Texts of a language in a row, between `low` and `high` times; unbounded if `high` is None."""

    language: "Language"
    low: int
    high: int | None
    __hash__ = _Compound.__hash__


@dataclass(frozen=True, slots=True)
class EmptyText:
    """The empty text alone."""


Language = Characters | Concatenation | Alternation | Repetition | EmptyText

_NOTHING = Characters(())
_EMPTY_TEXT = EmptyText()
START, STOP = Characters(((_START, _START),)), Characters(((_STOP, _STOP),))
EVERYTHING = Repetition(Characters(((_START, LAST),)), 0, None)


def characters(ranges: Sequence[tuple[int, int]]) -> Language:
    """Return the texts of one character out of some ranges."""
    return Characters(_merge_ranges(ranges))


def complement(ranges: Sequence[tuple[int, int]]) -> Ranges:
    """Return the code points that are in none of some ranges."""
    ranges_between = []
    start = 0
    for first, last in _merge_ranges(ranges):
        if first > start:
            ranges_between.append((start, first - 1))
        start = last + 1
    return (*ranges_between, (start, LAST)) if start <= LAST else tuple(ranges_between)


def _merge_ranges(ranges: Sequence[tuple[int, int]]) -> Ranges:
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


def concatenate(languages: Sequence[Language]) -> Language:
    """Return the texts of languages one after the other."""
    result: Language = _EMPTY_TEXT
    for language in reversed(languages):
        result = _concatenate_two(language, result)
    return result


def _concatenate_two(first: Language, rest: Language) -> Language:
    if _NOTHING in (first, rest):
        return _NOTHING
    if first == _EMPTY_TEXT:
        return rest
    if rest == _EMPTY_TEXT:
        return first
    return (
        Concatenation(first.first, _concatenate_two(first.rest, rest))
        if isinstance(first, Concatenation)
        else Concatenation(first, rest)
    )


def alternate(languages: Sequence[Language]) -> Language:
    """Return the texts of any of some languages."""
    alternatives: set[Language] = set()
    for language in languages:
        alternatives |= language.languages if isinstance(language, Alternation) else {language}
    alternatives.discard(_NOTHING)
    if EVERYTHING in alternatives:
        return EVERYTHING
    if len(alternatives) > 1:
        return Alternation(frozenset(alternatives))
    return alternatives.pop() if alternatives else _NOTHING


def repeat(language: Language, low: int, high: int | None) -> Language:
    """Return the texts of a language in a row, as often as the bounds say."""
    if high == 0 or language == _EMPTY_TEXT:
        return _EMPTY_TEXT
    if language == _NOTHING:
        return _NOTHING if low else _EMPTY_TEXT
    return language if (low, high) == (1, 1) else Repetition(language, low, high)


def language_includes(wide: Language, narrow: Language) -> bool:
    """Say whether each text of one language, between its start and its stop, is one of the other."""
    return _shortest_text_outside(wide, narrow, at_least=0) is None


def _shortest_text_outside(wide: Language, narrow: Language, *, at_least: int) -> str | None:
    """Return the shortest text of at least a length of one language that is not one of the other."""
    walk = _Derivatives()
    letters = sorted(_representative_code_points((wide, narrow)), key=_plainness)
    begin = (walk.after(wide, _START), walk.after(narrow, _START), at_least)
    seen = {begin}
    pending = deque([(begin, "")])
    while pending:
        (one, other, missing), text = pending.popleft()
        is_end = not missing and _accepts_empty(walk.after(other, _STOP))
        if is_end and not _accepts_empty(walk.after(one, _STOP)):
            return text
        for letter in letters:
            rest = walk.after(other, letter)
            state = (walk.after(one, letter), rest, max(missing - 1, 0))
            if rest != _NOTHING and state not in seen and not _is_plainly_included(rest, state[0]):
                seen.add(state)
                pending.append((state, text + chr(letter)))
    return None


def _is_plainly_included(narrow: Language, wide: Language) -> bool:
    return wide in (EVERYTHING, narrow) or (isinstance(wide, Alternation) and narrow in wide.languages)


_PREFERRED = tuple(map(ord, "aA0-_ ."))
"""Characters that people know how to read, the plainest first."""


def _plainness(letter: int) -> tuple[int, int]:
    """Return the key by which letters are tried: the plain ones first, those that are hard to write last."""
    if letter in _PREFERRED:
        return 0, _PREFERRED.index(letter)
    return (1, letter) if chr(letter).isprintable() else (2, letter)


def _representative_code_points(languages: Sequence[Language]) -> Iterator[int]:
    """Yield one code point of each range in which the languages treat all alike: a plain one if it has one."""
    borders = {0, LAST + 1}
    for ranges in (range_ for language in languages for range_ in _ranges_in(language)):
        for first, last in ranges:
            borders |= {first, last + 1}
    starts = [border for border in sorted(borders) if 0 <= border <= LAST + 1]
    for first, after in pairwise(starts):
        plain = (letter for letter in _PREFERRED if first <= letter < after)
        printable = (letter for letter in range(first, min(after, first + 128)) if chr(letter).isprintable())
        yield next(plain, next(printable, first))


def _ranges_in(language: Language) -> Iterator[Ranges]:
    pending = [language]
    while pending:
        match pending.pop():
            case Characters(ranges):
                yield ranges
            case Concatenation(first, rest):
                pending += [first, rest]
            case Alternation(languages):
                pending += languages
            case Repetition(inner):
                pending.append(inner)


def _accepts_empty(language: Language) -> bool:
    match language:
        case EmptyText():
            return True
        case Concatenation(first, rest):
            return _accepts_empty(first) and _accepts_empty(rest)
        case Alternation(languages):
            return any(map(_accepts_empty, languages))
        case Repetition(inner, low):
            return low == 0 or _accepts_empty(inner)
    return False


class _Derivatives:
    """The derivatives of languages by a character (Brzozowski), within a budget."""

    def __init__(self) -> None:
        self._steps_left = _BUDGET
        self._known: dict[tuple[Language, int], Language] = {}

    def after(self, language: Language, letter: int) -> Language:
        """Return the rest of all texts of a language that begin with a character."""
        if isinstance(language, Characters):
            return _after_one_character(language, letter)
        key = language, letter
        if key not in self._known:
            self._steps_left -= 1
            if self._steps_left < 0:
                raise TooComplexError
            self._known[key] = self._derive(language, letter)
        return self._known[key]

    def _derive(self, language: Language, letter: int) -> Language:
        match language:
            case Concatenation(first, rest):
                derived = _concatenate_two(self.after(first, letter), rest)
                return alternate((derived, self.after(rest, letter))) if _accepts_empty(first) else derived
            case Alternation(languages):
                return alternate([self.after(member, letter) for member in languages])
            case Repetition(inner, low, high):
                less = repeat(inner, max(low - 1, 0), None if high is None else high - 1)
                return _concatenate_two(self.after(inner, letter), less)
        return _NOTHING


def _after_one_character(language: Characters, letter: int) -> Language:
    return _EMPTY_TEXT if any(first <= letter <= last for first, last in language.ranges) else _NOTHING


_BUDGET = 10_000
"""The most derivatives of parts of languages that are made for one comparison."""


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
        return _shortest_text_outside(
            matched_language(wide),
            matched_language(narrow) if narrow else EVERYTHING,
            at_least=min(at_least, MAX_PADDING),
        )
    except (TooComplexError, re.error, RecursionError, OverflowError, ValueError):
        return None


MAX_PADDING = 64
"""The largest length that is counted out, character by character."""


def shared_text(required: Sequence[Language], refused: Sequence[Language]) -> str | None:
    """Return the shortest text that is one of all the required languages and of none of the refused ones, None if
    there is none. Raises TooComplexError.
    """
    walk = _Derivatives()
    letters = sorted(_representative_code_points((*required, *refused)), key=_plainness)
    begin = tuple(walk.after(language, _START) for language in (*required, *refused))
    seen, pending, count = {begin}, deque([(begin, "")]), len(required)
    while pending:
        state, text = pending.popleft()
        ends = [_accepts_empty(walk.after(language, _STOP)) for language in state]
        if all(ends[:count]) and not any(ends[count:]):
            return text
        for letter in letters:
            after = tuple(walk.after(language, letter) for language in state)
            if _NOTHING not in after[:count] and after not in seen:
                seen.add(after)
                pending.append((after, text + chr(letter)))
    return None


def matched_language(pattern: str) -> Language:
    """Return the texts in which a pattern is found, each between its start and its stop."""
    if _UNSUPPORTED_SYNTAX.search(pattern):
        raise TooComplexError
    tree = parse_pattern(pattern)
    if tree.state.flags & ~re.UNICODE.value:
        raise TooComplexError
    if any(_count_anchors(tree, anchor) > 1 for anchor in (sre.AT_BEGINNING, sre.AT_END)):
        raise TooComplexError
    if _has_end_before_start(tree):
        raise TooComplexError
    elements = list(tree)
    found = _concatenation_of(elements)
    before: tuple[Language, ...] = ()
    after: tuple[Language, ...] = ()
    if elements[:1] != [(sre.AT, sre.AT_BEGINNING)]:
        before, found = (EVERYTHING,), _least_at_start(found)
    if elements[-1:] != [(sre.AT, sre.AT_END)]:
        after, found = (EVERYTHING,), _least_at_end(found)
    return concatenate((*before, found, *after))


def _least_at_end(language: Language) -> Language:
    """Return what is left of a language that anything follows: `a{1,9}` and then anything is `a` and then anything."""
    match language:
        case Concatenation(first, rest):
            least = _least_at_end(rest)
            return _least_at_end(first) if least == _EMPTY_TEXT else _concatenate_two(first, least)
        case Alternation(languages):
            return alternate([_least_at_end(member) for member in languages])
        case Repetition(inner, low):
            return repeat(inner, low, low)
    return language


def _least_at_start(language: Language) -> Language:
    """Return what is left of a language that stands behind anything."""
    match language:
        case Concatenation(first, rest):
            least = _least_at_start(first)
            return _least_at_start(rest) if least == _EMPTY_TEXT else _concatenate_two(least, rest)
        case Alternation(languages):
            return alternate([_least_at_start(member) for member in languages])
        case Repetition(inner, low):
            return repeat(inner, low, low)
    return language


_UNSUPPORTED_SYNTAX = re.compile(r"\\[pPaA]|\{,")
"""What means something else to Python, or nothing exact: classes of Unicode, a bell, `{,3}`."""


def _count_anchors(elements: Any, anchor: Any) -> int:
    """Return how often an anchor may occur on one path through a pattern."""
    return sum(_count_element_anchors(op, argument, anchor) for op, argument in elements)


def _count_element_anchors(op: Any, argument: Any, anchor: Any) -> int:
    if op is sre.AT:
        return int(argument is anchor)
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        return 2 * _count_anchors(argument[2], anchor)
    return max(
        (_count_anchors(inner_pattern, anchor) for inner_pattern in _inner_patterns(op, argument)), default=0
    )


def _inner_patterns(op: Any, argument: Any) -> Sequence[Any]:
    """Return the patterns that an element of a pattern is made of, one of which applies."""
    if op is sre.SUBPATTERN:
        return (argument[3],)
    if op is sre.BRANCH:
        return tuple(argument[1])
    return ()


def _has_end_before_start(elements: Any) -> bool:
    """Return whether the end of a text is required before its start: only the empty text matches that."""
    has_ended = False
    for op, argument in elements:
        if has_ended and _count_element_anchors(op, argument, sre.AT_BEGINNING):
            return True
        if any(map(_has_end_before_start, _inner_patterns(op, argument))):
            return True
        has_ended = has_ended or _count_element_anchors(op, argument, sre.AT_END) > 0
    return False


def _concatenation_of(elements: Any) -> Language:
    return concatenate(tuple(_language_of(op, argument) for op, argument in elements))


def _language_of(op: Any, argument: Any) -> Language:
    if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
        return characters(_ranges(op, argument))
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        low, high, body = argument
        return repeat(_concatenation_of(body), low, None if high is sre.MAXREPEAT else int(high))
    if op is sre.SUBPATTERN:
        if argument[1] or argument[2]:
            raise TooComplexError
        return _concatenation_of(argument[3])
    if op is sre.BRANCH:
        return alternate(tuple(_concatenation_of(item) for item in argument[1]))
    if op is sre.AT and argument is sre.AT_BEGINNING:
        return START
    if op is sre.AT and argument is sre.AT_END:
        return STOP
    raise TooComplexError


_LINE_BREAKS = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
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
        return complement(_LINE_BREAKS)
    is_negated = bool(argument) and argument[0][0] is sre.NEGATE
    ranges = tuple(class_range for item in argument for class_range in _class_ranges(*item))
    return complement(ranges) if is_negated else ranges


def _class_ranges(op: Any, argument: Any) -> Iterator[tuple[int, int]]:
    if op is sre.LITERAL:
        yield (argument, argument)
    elif op is sre.RANGE:
        yield argument
    elif op is sre.CATEGORY:
        yield from _CATEGORIES[argument]
    elif op is not sre.NEGATE:
        raise TooComplexError
