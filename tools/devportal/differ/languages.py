"""Regular languages: sets of texts made of characters, rows, alternatives and repetitions.

They know one thing about each other: whether one includes the other. What is left of a language after a first
character is again one (Brzozowski, Derivatives of Regular Expressions, 1964); two are walked together until
nothing new comes, or a budget is spent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Ranges = tuple[tuple[int, int], ...]
"""Code points, each from and to, sorted and apart from each other."""

_LAST = 0x10FFFF
_START, _STOP = -2, -1
"""What stands before the first and after the last character, so that anchors are characters too."""


class TooComplexError(Exception):
    """Nothing can be shown within reasonable time, or by these means. It ends a proof; nobody sees it."""


@dataclass(frozen=True, slots=True)
class Characters:
    """Texts of one character; none at all where there are no ranges."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Row:
    """Texts of one language, each followed by one of another."""

    first: "Language"
    rest: "Language"


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Texts of any of some languages."""

    languages: frozenset["Language"]


@dataclass(frozen=True, slots=True)
class Repeated:
    """Texts of a language in a row, between `low` and `high` times; without end where that is None."""

    language: "Language"
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty text alone."""


Language = Characters | Row | Alternatives | Repeated | Empty

_NOTHING = Characters(())
_EMPTY = Empty()
START, STOP = Characters(((_START, _START),)), Characters(((_STOP, _STOP),))
EVERYTHING = Repeated(Characters(((_START, _LAST),)), 0, None)


def characters(ranges: Sequence[tuple[int, int]]) -> Language:
    """Return the texts of one character out of some ranges."""
    return Characters(_merged(ranges))


def complement(ranges: Sequence[tuple[int, int]]) -> Ranges:
    """Return the code points that are in none of some ranges."""
    found = []
    here = 0
    for first, last in _merged(ranges):
        if first > here:
            found.append((here, first - 1))
        here = last + 1
    return (*found, (here, _LAST)) if here <= _LAST else tuple(found)


def _merged(ranges: Sequence[tuple[int, int]]) -> Ranges:
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def row(languages: Sequence[Language]) -> Language:
    """Return the texts of languages one after the other."""
    found: Language = _EMPTY
    for language in reversed(languages):
        found = _followed(language, found)
    return found


def _followed(first: Language, rest: Language) -> Language:
    if _NOTHING in (first, rest):
        return _NOTHING
    if first == _EMPTY:
        return rest
    if rest == _EMPTY:
        return first
    return Row(first.first, _followed(first.rest, rest)) if isinstance(first, Row) else Row(first, rest)


def alternatives(languages: Sequence[Language]) -> Language:
    """Return the texts of any of some languages."""
    found: set[Language] = set()
    for one in languages:
        found |= one.languages if isinstance(one, Alternatives) else {one}
    found.discard(_NOTHING)
    if len(found) > 1:
        return Alternatives(frozenset(found))
    return found.pop() if found else _NOTHING


def repeated(language: Language, low: int, high: int | None) -> Language:
    """Return the texts of a language in a row, as often as the bounds say."""
    if high == 0 or language == _EMPTY:
        return _EMPTY
    if language == _NOTHING:
        return _NOTHING if low else _EMPTY
    return language if (low, high) == (1, 1) else Repeated(language, low, high)


def includes(wide: Language, narrow: Language) -> bool:
    """Say whether each text of one language, between its start and its stop, is one of the other."""
    walk = _Walk()
    letters = tuple(_letters((wide, narrow)))
    begin = (walk.after(wide, _START), walk.after(narrow, _START))
    seen = {begin}
    pending = [begin]
    while pending:
        one, other = pending.pop()
        if _holds_empty(walk.after(other, _STOP)) and not _holds_empty(walk.after(one, _STOP)):
            return False
        for letter in letters:
            rest = walk.after(other, letter)
            pair = (walk.after(one, letter), rest)
            if rest != _NOTHING and pair not in seen:
                seen.add(pair)
                pending.append(pair)
    return True


def _letters(languages: Sequence[Language]) -> Iterator[int]:
    """Yield one code point of each range in which the languages treat all alike."""
    borders = {0}
    for ranges in (one for language in languages for one in _ranges_in(language)):
        for first, last in ranges:
            borders |= {first, last + 1}
    return (border for border in sorted(borders) if 0 <= border <= _LAST)


def _ranges_in(language: Language) -> Iterator[Ranges]:
    pending = [language]
    while pending:
        match pending.pop():
            case Characters(ranges):
                yield ranges
            case Row(first, rest):
                pending += [first, rest]
            case Alternatives(languages):
                pending += languages
            case Repeated(inner):
                pending.append(inner)


def _holds_empty(language: Language) -> bool:
    match language:
        case Empty():
            return True
        case Row(first, rest):
            return _holds_empty(first) and _holds_empty(rest)
        case Alternatives(languages):
            return any(map(_holds_empty, languages))
        case Repeated(inner, low):
            return low == 0 or _holds_empty(inner)
    return False


class _Walk:
    """What is left of languages after a character, within a budget."""

    def __init__(self) -> None:
        self._left = _BUDGET

    def after(self, language: Language, letter: int) -> Language:
        """Return what may follow a character in the texts of a language that begin with it."""
        self._left -= 1
        if self._left < 0:
            raise TooComplexError
        match language:
            case Characters(ranges):
                return _EMPTY if any(first <= letter <= last for first, last in ranges) else _NOTHING
            case Row(first, rest):
                found = _followed(self.after(first, letter), rest)
                return alternatives((found, self.after(rest, letter))) if _holds_empty(first) else found
            case Alternatives(languages):
                return alternatives([self.after(one, letter) for one in languages])
            case Repeated(inner, low, high):
                less = repeated(inner, max(low - 1, 0), None if high is None else high - 1)
                return _followed(self.after(inner, letter), less)
        return _NOTHING


_BUDGET = 10_000
"""How many parts of languages are looked at for one answer."""
