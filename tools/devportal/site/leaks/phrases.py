"""Phrases: the names of groups, notes, restrictions and reasons."""

import json
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from urllib.parse import quote

from devportal.site.leaks.needles import Facts, Needle, Secret
from devportal.site.leaks.surrounding_context import Scene
from devportal.site.leaks.watches import Leak, in_each_case, leak_at
from devportal.site.leaks.words import Placed, Words, is_end, placed_words
from devportal.site.search.index import INDEX_NAME as INDEX

KINDS = frozenset({Secret.NAME, Secret.NOTE, Secret.RESTRICTION, Secret.REASON})
_ASCII = re.compile(r"[0-9a-z]+")
_WINDOW = 600
"""How many bytes before and behind a word the rest of its phrase is looked for, tags included."""
_NEXT = 120
"""How many bytes before a word, tags left out, the word before it is looked for."""
_START, _END = re.compile(r"[0-9a-z]*"), re.compile(r"[0-9a-z]*$")
_LETTER = re.compile(rb"[0-9A-Za-z]")
_IN_WORD = re.compile(rb"(?<!\\u...)(?<!%.)[0-9A-Za-z]$")
"""A letter before a hook that does not end an escape: lookbehinds see what stands before it."""
_TAG = re.compile(rb"<[^<>]{0,2000}>")
_GAP = re.compile(rb"(?:[^0-9A-Za-z\x80-\xff&\\%<]|<[^<>]{0,2000}>)*")
_RUN = re.compile(rb"[0-9A-Za-z]+")
_LAST = re.compile(rb"[^0-9A-Za-z\x80-\xff&;\\%]*([0-9A-Za-z]+)")
"""The word before a place, in bytes that are read backwards."""
_MOST_WORDS = 10
"""More words than the name of a group has."""
_LETTERS = 3
"""How many letters of ASCII a word needs to be looked for by them."""


class Phrases:
    """Finds phrases word by word, whatever stands between: line breaks, tags, entities, punctuation.

    Each phrase has a hook, the run of ASCII letters in it that seems rarest. A name of one word counts where
    its market is near, and only as it is written: `Three` is a word of any text.
    """

    def __init__(self, needles: Iterable[Needle], facts: Facts) -> None:
        found = (one for one in needles if one.secret in KINDS)
        self._needles = {one.words: one for one in found if _can_be_found(one.words)}
        self._lengths = sorted({len(words) for words in self._needles})
        self._longer = _longer_ones(self._needles, facts.names)
        self._names = facts.names
        self._hooks: dict[bytes, _Beside] = {}
        frequency = Counter(word for words in self._needles for word in set(words))
        for words in self._needles:
            index, forms = _hook(words, frequency)
            for form in forms:
                self._hooks.setdefault(form, _Beside()).add(words, index)

    def hooks(self) -> Iterable[bytes]:
        """Return the hooks as they are written in and outside titles."""
        return self._hooks

    def look(self, scene: Scene, start: int, end: int) -> Iterator[Leak]:
        """Yield the phrases that hold the word at a hook."""
        data = scene.view.data
        if self._hooks[data[start:end]].may_be_at(data, start, end):
            plain, marked = placed_words(data, max(0, start - _WINDOW), end + _WINDOW)
            yield from self._among(scene, plain, start)
            if len(marked) > len(plain):
                yield from self._among(scene, marked, start)

    def _among(self, scene: Scene, placed: Placed, hook: int) -> Iterator[Leak]:
        words = tuple(word for word, _ in placed)
        at = max(0, bisect_right(placed, hook, key=itemgetter(1)) - 1)
        longest = self._lengths[-1]
        for first in range(max(0, at - longest), min(len(words), at + 3)):
            for length in self._lengths:
                found = words[first : first + length]
                needle = self._needles.get(found) if len(found) == length else None
                if needle is None or self._is_public(words, first, length):
                    continue
                places = [place for _, place in placed[first : first + length]]
                if needle.secret is not Secret.NAME or not self._are_apart(
                    scene, needle, places, words, first
                ):
                    yield from self._phrase_leaks(scene, needle, places[0])

    def _are_apart(self, scene: Scene, needle: Needle, places: list[int], words: Words, first: int) -> bool:
        """Say whether the words of a name are those of neighbours in a list: it ends between them, or both
        that meet there are public. Where tags are left out, as in the search index, only the latter tells.
        """
        data = scene.view.data
        for index in range(1, len(places)):
            gap = data[places[index - 1] : places[index]]
            if is_end(gap, needle.text, is_table=scene.is_table):
                return True
            cut = first + index
            is_plain = gap.endswith(b" ") and gap.count(b" ") == 1 and b"<" not in gap
            if (not is_plain or scene.view.name.startswith(INDEX)) and self._meet(
                words, first, cut, len(places)
            ):
                return True
        return False

    def _meet(self, words: Words, first: int, cut: int, length: int) -> bool:
        """Say whether a public name ends at a word, and another starts there; both hold a phrase."""
        before = any(words[start:cut] in self._names for start in range(max(0, cut - _MOST_WORDS), first + 1))
        last = first + length
        return before and any(words[cut:end] in self._names for end in range(last, cut + _MOST_WORDS + 1))

    def _is_public(self, words: Words, first: int, length: int) -> bool:
        """Say whether the phrase is a part of a public name that stands there."""
        return any(
            first >= before and words[first - before : first - before + len(longer)] == longer
            for longer, before in self._longer.get(words[first : first + length], ())
        )

    def _phrase_leaks(self, scene: Scene, needle: Needle, start: int) -> Iterator[Leak]:
        end = start + len(needle.text.encode())
        if len(needle.words) == 1:
            written = scene.view.data[start : start + len(needle.text)].decode("utf-8", "replace")
            if needle.text.isascii() and written not in (needle.text, needle.text.upper()):
                return
            if scene.belonging(start, end, frozenset({needle.market})) is None:
                return
        yield leak_at(needle, scene, start, end)


def _can_be_found(words: Words) -> bool:
    """Say whether a phrase is more than a letter or a number: a group may be called `3`."""
    return len("".join(words)) > 2 and not "".join(words).isdigit()


@dataclass(slots=True)
class _Beside:
    """What stands beside a hook in the phrases that it is the hook of: a cheap look, for most are none."""

    following: set[bytes] = field(default_factory=set)
    preceding: set[bytes] = field(default_factory=set)
    """Words before a hook that ends its phrase."""
    alone: bool = False

    def add(self, words: Words, index: int) -> None:
        """Add a phrase; `index` is that of the word with the hook."""
        if len(words) == 1:
            self.alone = True
        elif index + 1 < len(words):
            self.following.add(_START.match(words[index + 1]).group().encode())  # type: ignore[union-attr]
        else:
            self.preceding.add(_END.search(words[index - 1]).group().encode())  # type: ignore[union-attr]

    def may_be_at(self, data: bytes, start: int, end: int) -> bool:
        """Say whether one of the phrases may stand at a hook: what is escaped beside it may be any word."""
        if self.alone and not _LETTER.match(data, end):
            return not _IN_WORD.search(data, max(0, start - 6), start) or self._has_beside(data, start, end)
        return self._has_beside(data, start, end)

    def _has_beside(self, data: bytes, start: int, end: int) -> bool:
        if self.following and _is_among(self.following, *_word_after(data, end)):
            return True
        return bool(self.preceding) and _is_among(self.preceding, *_word_before(data, start))


def _is_among(known: set[bytes], word: bytes, is_known: bool) -> bool:  # noqa: FBT001 - what is returned below
    return not is_known or word in known or b"" in known


def _word_after(data: bytes, end: int) -> tuple[bytes, bool]:
    """Return the letters that follow a place, tags left out, and whether they can be told."""
    gap = _GAP.match(data, end)
    place = gap.end() if gap else end
    run = _RUN.match(data, place)
    return (run.group().lower(), True) if run else (b"", place >= len(data))


def _word_before(data: bytes, start: int) -> tuple[bytes, bool]:
    """Return the letters that stand before a place, tags left out, and whether they can be told."""
    around = data[max(0, start - _WINDOW) : start]
    run = _LAST.match((_TAG.sub(b" ", around) if b">" in around[-_NEXT:] else around)[:-_NEXT:-1])
    return (run.group(1)[::-1].lower(), True) if run else (b"", False)


def _hook(words: Words, frequency: Counter[str]) -> tuple[int, tuple[bytes, ...]]:
    """Return the word of a phrase to look for first, and the bytes that it has in files."""
    runs = [
        (len(run) == _LETTERS, frequency[word] // 20, -len(run), index, run)
        for index, word in enumerate(words)
        for run in _ASCII.findall(word)
        if len(run) >= _LETTERS
    ]
    if runs:
        *_, index, run = min(runs)
        return index, tuple(in_each_case(run))
    index = max(range(len(words)), key=lambda place: len(words[place]))
    return index, tuple(dict.fromkeys(_foreign_forms(words[index])))


def _foreign_forms(word: str) -> Iterator[bytes]:
    """Yield a word that has few letters of ASCII as files have it: as it is, and escaped."""
    for form in (word, word.upper(), word.capitalize()):
        yield form.encode()
        yield form.encode("ascii", "xmlcharrefreplace")
        for escaped in (json.dumps(form)[1:-1], quote(form)):
            yield from (escaped.encode(), escaped.lower().encode())


def _longer_ones(
    needles: Iterable[Words], names: Iterable[Words]
) -> dict[Words, tuple[tuple[Words, int], ...]]:
    """Return the public names that hold a needle, each with how many of its words stand before it."""
    known = set(needles)
    found: defaultdict[Words, list[tuple[Words, int]]] = defaultdict(list)
    for name in names:
        for first in range(len(name)):
            for last in range(first + 1, len(name) + 1):
                if name[first:last] in known and name[first:last] != name:
                    found[name[first:last]].append((name, first))
    return {words: tuple(longer) for words, longer in found.items()}
