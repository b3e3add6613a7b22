"""Regular languages: sets of texts, and whether one has all the texts of another."""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import ClassVar

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
class Intersection(_Compound):
    """Texts that some languages have in common."""

    languages: frozenset["Language"]
    __hash__ = _Compound.__hash__


@dataclass(frozen=True, slots=True)
class Exclusion(_Compound):
    """All texts that a language lacks."""

    language: "Language"
    __hash__ = _Compound.__hash__


@dataclass(frozen=True, slots=True)
class EmptyText:
    """The empty text alone."""


Language = Characters | Concatenation | Alternation | Repetition | Intersection | Exclusion | EmptyText

_NOTHING = Characters(())
EMPTY_TEXT = EmptyText()
START, STOP = Characters(((_START, _START),)), Characters(((_STOP, _STOP),))
EVERYTHING = Repetition(Characters(((_START, LAST),)), 0, None)


def characters(ranges: Sequence[tuple[int, int]]) -> Language:
    """Return the texts of one character out of some ranges."""
    return Characters(merge_ranges(ranges))


def complement(ranges: Sequence[tuple[int, int]]) -> Ranges:
    """Return the code points that are in none of some ranges."""
    ranges_between = []
    start = 0
    for first, last in merge_ranges(ranges):
        if first > start:
            ranges_between.append((start, first - 1))
        start = last + 1
    return (*ranges_between, (start, LAST)) if start <= LAST else tuple(ranges_between)


def merge_ranges(ranges: Sequence[tuple[int, int]]) -> Ranges:
    """Return ranges sorted and apart from each other."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


def concatenate(languages: Sequence[Language]) -> Language:
    """Return the texts of languages one after the other."""
    result: Language = EMPTY_TEXT
    for language in reversed(languages):
        result = _concatenate_two(language, result)
    return result


def _concatenate_two(first: Language, rest: Language) -> Language:
    if _NOTHING in (first, rest):
        return _NOTHING
    if first == EMPTY_TEXT:
        return rest
    if rest == EMPTY_TEXT:
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


def intersect(languages: Sequence[Language]) -> Language:
    """Return the texts that some languages have in common."""
    common: set[Language] = set()
    for language in languages:
        common |= language.languages if isinstance(language, Intersection) else {language}
    common.discard(EVERYTHING)
    if _NOTHING in common:
        return _NOTHING
    if len(common) > 1:
        return Intersection(frozenset(common))
    return common.pop() if common else EVERYTHING


def exclude(language: Language) -> Language:
    """Return all texts but those of a language."""
    if isinstance(language, Exclusion):
        return language.language
    if language == _NOTHING:
        return EVERYTHING
    return _NOTHING if language == EVERYTHING else Exclusion(language)


def repeat(language: Language, low: int, high: int | None) -> Language:
    """Return the texts of a language in a row, as often as the bounds say."""
    if high == 0 or language == EMPTY_TEXT:
        return EMPTY_TEXT
    if language == _NOTHING:
        return _NOTHING if low else EMPTY_TEXT
    return language if (low, high) == (1, 1) else Repetition(language, low, high)


def language_includes(wide: Language, narrow: Language) -> bool:
    """Say whether each text of one language, between its start and its stop, is one of the other."""
    return shortest_text_outside(wide, narrow, at_least=0) is None


def shortest_text_outside(wide: Language, narrow: Language, *, at_least: int) -> str | None:
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
    return (
        wide in (EVERYTHING, narrow)
        or (isinstance(wide, Alternation) and narrow in wide.languages)
        or (isinstance(narrow, Intersection) and wide in narrow.languages)
    )


_PREFERRED = tuple(map(ord, "aA0-_ ."))
"""Characters that people know how to read, the plainest first."""


def _plainness(letter: int) -> tuple[int, int]:
    """Return the key by which letters are tried: the plain ones first, those that are hard to write last."""
    if letter in _PREFERRED:
        return 0, _PREFERRED.index(letter)
    return (1, letter) if chr(letter).isprintable() else (2, letter)


def _representative_code_points(languages: Sequence[Language]) -> Iterator[int]:
    """Yield one code point of those that the languages treat alike: a plain one if there is one."""
    classes = {ranges for language in languages for ranges in _ranges_in(language)}
    borders = {0, LAST + 1}
    for first, last in (range_ for ranges in classes for range_ in ranges):
        borders |= {first, last + 1}
    starts = [border for border in sorted(borders) if 0 <= border <= LAST + 1]
    by_classes: dict[tuple[bool, ...], int] = {}
    for first, after in pairwise(starts):
        plain = (letter for letter in _PREFERRED if first <= letter < after)
        printable = (letter for letter in range(first, min(after, first + 128)) if chr(letter).isprintable())
        letter = next(plain, next(printable, first))
        key = tuple(_has_code_point(ranges, first) for ranges in classes)
        by_classes[key] = min(by_classes.get(key, letter), letter, key=_plainness)
    yield from by_classes.values()


def _has_code_point(ranges: Ranges, letter: int) -> bool:
    """Say whether a character is in one of some ranges, which are sorted."""
    index = bisect_right(ranges, letter, key=itemgetter(0))
    return index > 0 and letter <= ranges[index - 1][1]


def _ranges_in(language: Language) -> Iterator[Ranges]:
    pending = [language]
    while pending:
        match pending.pop():
            case Characters(ranges):
                yield ranges
            case Concatenation(first, rest):
                pending += [first, rest]
            case Alternation(languages) | Intersection(languages):
                pending += languages
            case Repetition(inner) | Exclusion(inner):
                pending.append(inner)


def _accepts_empty(language: Language) -> bool:
    match language:
        case EmptyText():
            return True
        case Concatenation(first, rest):
            return _accepts_empty(first) and _accepts_empty(rest)
        case Alternation(languages):
            return any(map(_accepts_empty, languages))
        case Intersection(languages):
            return all(map(_accepts_empty, languages))
        case Exclusion(excluded):
            return not _accepts_empty(excluded)
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
            case Intersection(languages):
                return intersect([self.after(member, letter) for member in languages])
            case Exclusion(excluded):
                return exclude(self.after(excluded, letter))
            case Repetition(inner, low, high):
                less = repeat(inner, max(low - 1, 0), None if high is None else high - 1)
                return _concatenate_two(self.after(inner, letter), less)
        return _NOTHING


def _after_one_character(language: Characters, letter: int) -> Language:
    return EMPTY_TEXT if _has_code_point(language.ranges, letter) else _NOTHING


_BUDGET = 10_000
"""The most derivatives of parts of languages that are made for one comparison."""


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
