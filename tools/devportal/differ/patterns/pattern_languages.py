"""The texts in which a pattern is found, as a regular language."""

import re
import re._constants as sre  # type: ignore[import-not-found]  # typeshed has no stubs for the parser
import re._parser as sre_parse  # type: ignore[import-not-found]
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

from devportal.contract.regex import parse_pattern
from devportal.differ.patterns.regular_languages import (
    EMPTY_TEXT,
    EVERYTHING,
    LAST,
    START,
    STOP,
    Alternation,
    Concatenation,
    Language,
    Ranges,
    Repetition,
    TooComplexError,
    alternate,
    characters,
    complement,
    concatenate,
    exclude,
    intersect,
    repeat,
)
from devportal.differ.patterns.unicode_classes import spell_out_unicode_classes


def matched_language(pattern: str) -> Language:
    """Return the texts in which a pattern is found, each between its start and its stop."""
    if _UNSUPPORTED_SYNTAX.search(pattern):
        raise TooComplexError
    tree = parse_pattern(spell_out_unicode_classes(pattern))
    if tree.state.flags & ~re.UNICODE.value:
        raise TooComplexError
    if any(_count_anchors(tree, anchor) > 1 for anchor in (sre.AT_BEGINNING, sre.AT_END)):
        raise TooComplexError
    if _has_end_before_start(tree):
        raise TooComplexError
    elements = list(tree)
    if any(map(_has_lookaround, elements)):
        variants = _variants(elements, tree.state)
        return alternate([_language_with_lookarounds(variant, tree.state) for variant in variants])
    found = _concatenation_of(elements)
    before: tuple[Language, ...] = ()
    after: tuple[Language, ...] = ()
    if elements[:1] != [_BEGINNING]:
        before, found = (EVERYTHING,), _least_at_start(found)
    if elements[-1:] != [_END]:
        after, found = (EVERYTHING,), _least_at_end(found)
    return concatenate((*before, found, *after))


_BEGINNING, _END = (sre.AT, sre.AT_BEGINNING), (sre.AT, sre.AT_END)
_LOOKAROUNDS = (sre.ASSERT, sre.ASSERT_NOT)
_AHEAD = 1
_ANY_TEXT = repeat(characters(((0, LAST),)), 0, None)


def _has_lookaround(element: Any) -> bool:
    """Say whether an element looks around, or has a part that does, not counting repetitions."""
    op, argument = element
    if op is sre.AT:
        return argument in _BOUNDARIES
    return op in _LOOKAROUNDS or any(
        any(map(_has_lookaround, part)) for part in _inner_patterns(op, argument)
    )


def _variants(elements: Iterable[Any], state: Any) -> list[list[Any]]:
    """Return lists of elements that match together what elements match, none of which is a group, a choice or a
    boundary of a word that looks around: those are replaced with what is in them, or with lookarounds.
    """
    variants: list[list[Any]] = [[]]
    for op, argument in elements:
        choices = _choices(op, argument, state)
        if len(choices) * len(variants) > _MAX_VARIANTS:
            raise TooComplexError
        variants = [[*before, *choice] for before in variants for choice in choices]
    return [[*_with_lookbehinds_first(variant)] for variant in variants]


def _with_lookbehinds_first(elements: Iterable[Any]) -> Iterator[Any]:
    """Yield elements with the lookbehinds before the lookaheads at the same position: they can look farther there."""
    aheads: list[Any] = []
    for op, argument in elements:
        if op in _LOOKAROUNDS and argument[0] == _AHEAD:
            aheads.append((op, argument))
            continue
        if op not in _LOOKAROUNDS:
            yield from aheads
            aheads = []
        yield op, argument
    yield from aheads


def _choices(op: Any, argument: Any, state: Any) -> list[list[Any]]:
    """Return the lists of elements that may stand in place of an element."""
    if op in _LOOKAROUNDS or not _has_lookaround((op, argument)):
        return [[(op, argument)]]
    if op is sre.AT:
        behind, ahead = (
            (where, sre_parse.SubPattern(state, [_WORD_CHARACTER])) for where in (_BEHIND, _AHEAD)
        )
        is_at_edge = argument is sre.AT_BOUNDARY
        return [
            [
                (before, behind),
                (sre.ASSERT_NOT if (before is sre.ASSERT) is is_at_edge else sre.ASSERT, ahead),
            ]
            for before in (sre.ASSERT, sre.ASSERT_NOT)
        ]
    if op is sre.SUBPATTERN and (argument[1] or argument[2]):
        raise TooComplexError
    return [variant for part in _inner_patterns(op, argument) for variant in _variants(part, state)]


_MAX_VARIANTS = 32
_BEHIND = -1
_BOUNDARIES = (sre.AT_BOUNDARY, sre.AT_NON_BOUNDARY)
_WORD_CHARACTER = (sre.IN, [(sre.CATEGORY, sre.CATEGORY_WORD)])


def _language_with_lookarounds(elements: list[Any], state: Any) -> Language:
    """Return the texts in which a pattern with lookarounds is found: what comes after a lookahead, up to the end of
    the text, is in two languages at once.
    """
    is_from_start, is_to_end = elements[:1] == [_BEGINNING], elements[-1:] == [_END]
    inner = elements[is_from_start : len(elements) - is_to_end]
    if any(_count_anchors(inner, anchor) for anchor in (sre.AT_BEGINNING, sre.AT_END)):
        raise TooComplexError
    rest: Language = STOP if is_to_end else EVERYTHING
    segment: list[Any] = []
    for op, argument in reversed(inner):
        if op in _LOOKAROUNDS and argument[0] == _AHEAD:
            ahead = concatenate((_language_around(argument[1], {sre.AT_BEGINNING}), EVERYTHING))
            own = _followed_by(_segment_language(segment, state), rest)
            rest = intersect((ahead if op is sre.ASSERT else exclude(ahead), own))
            segment = []
        else:
            segment.insert(0, (op, argument))
    before = START if is_from_start else concatenate((START, _ANY_TEXT))
    return _followed_by(_segment_language(segment, state, before), rest)


def _followed_by(language: Language, rest: Language) -> Language:
    return concatenate((_least_at_end(language) if rest == EVERYTHING else language, rest))


def _segment_language(elements: list[Any], state: Any, before: Language | None = None) -> Language:
    """Return the texts of elements. They can look back within their own texts, and farther if `before` is all that
    comes before them.
    """
    language, width = before or EMPTY_TEXT, 0
    for op, argument in elements:
        element = sre_parse.SubPattern(state, [(op, argument)])
        if op not in _LOOKAROUNDS:
            language = concatenate((language, _language_of(op, argument)))
            width += element.getwidth()[0]
            continue
        if before is None and argument[1].getwidth()[1] > width:
            raise TooComplexError
        behind = concatenate((EVERYTHING, _language_around(argument[1], {sre.AT_BEGINNING, sre.AT_END})))
        language = intersect((language, behind if op is sre.ASSERT else exclude(behind)))
    return language


def _language_around(elements: Any, refused_anchors: Set[Any]) -> Language:
    """Return the texts that a lookaround looks for."""
    if any(_count_anchors(elements, anchor) for anchor in refused_anchors):
        raise TooComplexError
    if _count_anchors(elements, sre.AT_END) > 1:
        raise TooComplexError
    return _concatenation_of(elements)


def _least_at_end(language: Language) -> Language:
    """Return what is left of a language that anything follows: `a{1,9}` and then anything is `a` and then anything."""
    match language:
        case Concatenation(first, rest):
            least = _least_at_end(rest)
            return _least_at_end(first) if least == EMPTY_TEXT else concatenate((first, least))
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
            return _least_at_start(rest) if least == EMPTY_TEXT else concatenate((least, rest))
        case Alternation(languages):
            return alternate([_least_at_start(member) for member in languages])
        case Repetition(inner, low):
            return repeat(inner, low, low)
    return language


_UNSUPPORTED_SYNTAX = re.compile(r"\\[aA]|\{,")
"""What means something else to Python, or nothing exact: a bell, `{,3}`."""


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
