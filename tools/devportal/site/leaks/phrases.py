"""Phrases: the names of groups, notes, restrictions and reasons."""

import json
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from urllib.parse import quote

from devportal.site.leaks.detectors import Leak, case_variants, leak_at
from devportal.site.leaks.private_values import PrivateValue, PublicValues, ValueKind
from devportal.site.leaks.surrounding_context import FileContext
from devportal.site.leaks.words import PositionedWords, Words, ends_item, words_with_positions
from devportal.site.search.index import DETAILS_NAME as DETAILS
from devportal.site.search.index import INDEX_NAME as INDEX

PHRASE_KINDS = frozenset({ValueKind.NAME, ValueKind.NOTE, ValueKind.RESTRICTION, ValueKind.REASON})
_ASCII = re.compile(r"[0-9a-z]+")
_WINDOW = 600
"""How many bytes before and after a word are searched for the rest of its phrase, including tags."""
_NEIGHBOUR_DISTANCE = 120
"""How many bytes before a word, without tags, are searched for the word before it."""
_START, _END = re.compile(r"[0-9a-z]*"), re.compile(r"[0-9a-z]*$")
_LETTER = re.compile(rb"[0-9A-Za-z]")
_IN_WORD = re.compile(rb"(?<!\\u...)(?<!%.)[0-9A-Za-z]$")
"""A letter before a hook that does not end an escape: the lookbehinds check what precedes it."""
_TAG = re.compile(rb"<[^<>]{0,2000}>")
_GAP = re.compile(rb"(?:[^0-9A-Za-z\x80-\xff&\\%<]|<[^<>]{0,2000}>)*")
_RUN = re.compile(rb"[0-9A-Za-z]+")
_WORD_BEFORE = re.compile(rb"[^0-9A-Za-z\x80-\xff&;\\%]*([0-9A-Za-z]+)")
"""The word before a position, in bytes that are read backwards."""
_MAX_NAME_WORDS = 10
"""More words than the name of a group has."""
_MIN_HOOK_LETTERS = 3
"""How many ASCII letters a run needs to be a hook."""


class Phrases:
    """Finds phrases word by word across line breaks, tags, entities and punctuation.

    Each phrase has a hook: the run of ASCII letters in it that seems rarest. A name of one word counts only
    if its market is named nearby, and only as the record spells it: `Three` is a word in any text.
    """

    def __init__(self, values: Iterable[PrivateValue], public_values: PublicValues) -> None:
        phrases = (value for value in values if value.kind in PHRASE_KINDS)
        self._values = {phrase.words: phrase for phrase in phrases if _is_searchable(phrase.words)}
        self._lengths = sorted({len(words) for words in self._values})
        self._longer_names = _names_containing(self._values, public_values.names)
        self._names = public_values.names
        self._hooks: dict[bytes, _Neighbours] = {}
        self._is_phrase_near = lru_cache(maxsize=4096)(self._find_phrase)  # pages share most of their frames
        frequency = Counter(word for words in self._values for word in set(words))
        for words in self._values:
            index, forms = _choose_hook(words, frequency)
            for form in forms:
                self._hooks.setdefault(form, _Neighbours()).add(words, index)

    def hooks(self) -> Iterable[bytes]:
        """Return the hooks in every case."""
        return self._hooks

    def check_hook(self, context: FileContext, start: int, end: int) -> Iterator[Leak]:
        """Yield the leaks of phrases that contain the word at a hook."""
        data = context.view.data
        low = max(0, start - _WINDOW)
        if self._hooks[data[start:end]].may_match(data, start, end) and self._is_phrase_near(
            data[low : end + _WINDOW], start - low
        ):
            text_words, all_words = words_with_positions(data, low, end + _WINDOW)
            yield from self._leaks_among(context, text_words, start)
            if len(all_words) > len(text_words):
                yield from self._leaks_among(context, all_words, start)

    def _find_phrase(self, window: bytes, hook: int) -> bool:
        """Say whether there is a phrase around a hook in a part of a file, whatever stands around that."""
        return any(
            True
            for positioned_words in words_with_positions(window, 0, len(window))
            for _ in self._phrases_among(positioned_words, hook)
        )

    def _phrases_among(
        self, positioned_words: PositionedWords, hook: int
    ) -> Iterator[tuple[PrivateValue, Words, int, int]]:
        """Yield the phrases around a hook, with all words, and the first and the number of those of the phrase."""
        words = tuple(word for word, _ in positioned_words)
        at = max(0, bisect_right(positioned_words, hook, key=itemgetter(1)) - 1)
        longest = self._lengths[-1]
        for first in range(max(0, at - longest), min(len(words), at + 3)):
            for length in self._lengths:
                phrase = words[first : first + length]
                value = self._values.get(phrase) if len(phrase) == length else None
                if value is not None and not self._is_in_public_name(words, first, length):
                    yield value, words, first, length

    def _leaks_among(
        self, context: FileContext, positioned_words: PositionedWords, hook: int
    ) -> Iterator[Leak]:
        for value, words, first, length in self._phrases_among(positioned_words, hook):
            positions = [place for _, place in positioned_words[first : first + length]]
            if value.kind is not ValueKind.NAME or not self._are_list_neighbours(
                context, value, positions, words, first
            ):
                yield from self._phrase_leaks(context, value, positions[0])

    def _are_list_neighbours(
        self, context: FileContext, value: PrivateValue, positions: list[int], words: Words, first: int
    ) -> bool:
        """Say whether the words of a name belong to neighbours in a list.

        They do if an item ends between them, or if two public names meet there. If tags are left out, as in
        the search index, only the latter can be checked.
        """
        data = context.view.data
        for index in range(1, len(positions)):
            gap = data[positions[index - 1] : positions[index]]
            if ends_item(gap, value.text, is_table=context.is_table):
                return True
            boundary = first + index
            is_single_space = gap.endswith(b" ") and gap.count(b" ") == 1 and b"<" not in gap
            if (not is_single_space or context.view.name.startswith((INDEX, DETAILS))) and self._names_meet(
                words, first, boundary, len(positions)
            ):
                return True
        return False

    def _names_meet(self, words: Words, first: int, boundary: int, length: int) -> bool:
        """Say whether one public name ends at a boundary and another starts there, and together they hold a
        phrase.
        """
        has_name_before = any(
            words[start:boundary] in self._names
            for start in range(max(0, boundary - _MAX_NAME_WORDS), first + 1)
        )
        phrase_end = first + length
        return has_name_before and any(
            words[boundary:end] in self._names for end in range(phrase_end, boundary + _MAX_NAME_WORDS + 1)
        )

    def _is_in_public_name(self, words: Words, first: int, length: int) -> bool:
        """Say whether the phrase is part of a public name at this position."""
        return any(
            first >= before and words[first - before : first - before + len(longer)] == longer
            for longer, before in self._longer_names.get(words[first : first + length], ())
        )

    def _phrase_leaks(self, context: FileContext, value: PrivateValue, start: int) -> Iterator[Leak]:
        end = start + len(value.text.encode())
        if len(value.words) == 1:
            text_in_file = context.view.data[start : start + len(value.text)].decode("utf-8", "replace")
            if value.text.isascii() and text_in_file not in (value.text, value.text.upper()):
                return
            if context.match_market(start, end, frozenset({value.market})) is None:
                return
        yield leak_at(value, context, start, end)


def _is_searchable(words: Words) -> bool:
    """Say whether a phrase is more than a letter or a number: a group may be called `3`."""
    return len("".join(words)) > 2 and not "".join(words).isdigit()


@dataclass(slots=True)
class _Neighbours:
    """The words next to a hook in its phrases. This is a cheap check that rules out most candidates."""

    following: set[bytes] = field(default_factory=set)
    preceding: set[bytes] = field(default_factory=set)
    """Words before a hook that ends its phrase."""
    is_whole_phrase: bool = False

    def add(self, words: Words, index: int) -> None:
        """Add a phrase; `index` is that of the word with the hook."""
        if len(words) == 1:
            self.is_whole_phrase = True
        elif index + 1 < len(words):
            self.following.add(_START.match(words[index + 1]).group().encode())  # type: ignore[union-attr]
        else:
            self.preceding.add(_END.search(words[index - 1]).group().encode())  # type: ignore[union-attr]

    def may_match(self, data: bytes, start: int, end: int) -> bool:
        """Say whether one of the phrases may be at a hook. Escaped text next to it may be any word."""
        if self.is_whole_phrase and not _LETTER.match(data, end):
            return not _IN_WORD.search(data, max(0, start - 6), start) or self._has_neighbour(
                data, start, end
            )
        return self._has_neighbour(data, start, end)

    def _has_neighbour(self, data: bytes, start: int, end: int) -> bool:
        if self.following and _is_among(self.following, *_word_after(data, end)):
            return True
        return bool(self.preceding) and _is_among(self.preceding, *_word_before(data, start))


def _is_among(expected: set[bytes], word: bytes, is_known: bool) -> bool:  # noqa: FBT001 - what is returned below
    return not is_known or word in expected or b"" in expected


def _word_after(data: bytes, end: int) -> tuple[bytes, bool]:
    """Return the letters after a position, ignoring tags, and whether they are known."""
    gap = _GAP.match(data, end)
    position = gap.end() if gap else end
    run = _RUN.match(data, position)
    return (run.group().lower(), True) if run else (b"", position >= len(data))


def _word_before(data: bytes, start: int) -> tuple[bytes, bool]:
    """Return the letters before a position, ignoring tags, and whether they are known."""
    bytes_before = data[max(0, start - _WINDOW) : start]
    run = _WORD_BEFORE.match(
        (_TAG.sub(b" ", bytes_before) if b">" in bytes_before[-_NEIGHBOUR_DISTANCE:] else bytes_before)[
            :-_NEIGHBOUR_DISTANCE:-1
        ]
    )
    return (run.group(1)[::-1].lower(), True) if run else (b"", False)


def _choose_hook(words: Words, frequency: Counter[str]) -> tuple[int, tuple[bytes, ...]]:
    """Return the index of the word to search for first, and its forms in files."""
    runs = [
        (len(run) == _MIN_HOOK_LETTERS, frequency[word] // 20, -len(run), index, run)
        for index, word in enumerate(words)
        for run in _ASCII.findall(word)
        if len(run) >= _MIN_HOOK_LETTERS
    ]
    if runs:
        *_, index, run = min(runs)
        return index, tuple(case_variants(run))
    index = max(range(len(words)), key=lambda place: len(words[place]))
    return index, tuple(dict.fromkeys(_escaped_forms(words[index])))


def _escaped_forms(word: str) -> Iterator[bytes]:
    """Yield the forms of a word with few ASCII letters: as it is, and escaped."""
    for form in (word, word.upper(), word.capitalize()):
        yield form.encode()
        yield form.encode("ascii", "xmlcharrefreplace")
        for escaped in (json.dumps(form)[1:-1], quote(form)):
            yield from (escaped.encode(), escaped.lower().encode())


def _names_containing(
    phrases: Iterable[Words], names: Iterable[Words]
) -> dict[Words, tuple[tuple[Words, int], ...]]:
    """Return the public names that contain a private phrase, each with how many of its words precede the
    phrase.
    """
    private_phrases = set(phrases)
    names_by_phrase: defaultdict[Words, list[tuple[Words, int]]] = defaultdict(list)
    for name in names:
        for first in range(len(name)):
            for last in range(first + 1, len(name) + 1):
                if name[first:last] in private_phrases and name[first:last] != name:
                    names_by_phrase[name[first:last]].append((name, first))
    return {words: tuple(longer) for words, longer in names_by_phrase.items()}
