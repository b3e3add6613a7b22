"""Phrases: the names of networks, notes, restrictions and reasons."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from devportal.site.leaks.needles import Facts, Needle, Secret
from devportal.site.leaks.scene import Scene
from devportal.site.leaks.watches import Leak, in_each_case, leak_at
from devportal.site.leaks.words import Words, placed_words

KINDS = frozenset({Secret.NETWORK, Secret.NOTE, Secret.RESTRICTION, Secret.REASON})
_ASCII = re.compile(r"[0-9a-z]+")
_WINDOW = 600
"""How many bytes before and behind a word the rest of its phrase is looked for, tags included."""
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
        self._companions: dict[bytes, set[tuple[bytes, ...]]] = {}
        frequency = Counter(word for words in self._needles for word in set(words))
        for words in self._needles:
            forms, companions = _hook(words, frequency)
            for form in forms:
                self._companions.setdefault(form, set()).add(companions)

    def hooks(self) -> Iterable[bytes]:
        """Return the hooks as they are written in and outside titles."""
        return self._companions

    def look(self, scene: Scene, start: int, end: int) -> Iterator[Leak]:
        """Yield the phrases that hold the word at a hook."""
        data = scene.view.data
        low, high = max(0, start - _WINDOW), end + _WINDOW
        around = data[low:high].lower()
        companions = self._companions[data[start:end]]
        if any(all(word in around for word in words) for words in companions):
            for markup in (False, True):
                placed = placed_words(data, low, high, markup=markup)
                yield from self._among(scene, placed, start)

    def _among(self, scene: Scene, placed: list[tuple[str, int]], hook: int) -> Iterator[Leak]:
        words = tuple(word for word, _ in placed)
        at = max((index for index, (_, place) in enumerate(placed) if place <= hook), default=0)
        longest = self._lengths[-1]
        for first in range(max(0, at - longest), min(len(words), at + 3)):
            for length in self._lengths:
                found = words[first : first + length]
                needle = self._needles.get(found) if len(found) == length else None
                if needle is not None and not self._is_public(words, first, length):
                    yield from self._told(scene, needle, placed[first][1])

    def _is_public(self, words: Words, first: int, length: int) -> bool:
        """Say whether the phrase is a part of a public name that stands there."""
        return any(
            first >= before and words[first - before : first - before + len(longer)] == longer
            for longer, before in self._longer.get(words[first : first + length], ())
        )

    def _told(self, scene: Scene, needle: Needle, start: int) -> Iterator[Leak]:
        end = start + len(needle.text.encode())
        if len(needle.words) == 1:
            written = scene.view.data[start : start + len(needle.text)].decode("utf-8", "replace")
            if needle.text.isascii() and written not in (needle.text, needle.text.upper()):
                return
            if scene.belonging(start, end, frozenset({needle.country})) is None:
                return
        yield leak_at(needle, scene, start, end)


def _can_be_found(words: Words) -> bool:
    """Say whether a phrase is more than a letter or a number: a network may be called `3`."""
    return len("".join(words)) > 2 and not "".join(words).isdigit()


def _hook(words: Words, frequency: Counter[str]) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Return what to look for first of a phrase, and the runs of letters of it that must then be near."""
    runs = {run: word for word in words for run in _ASCII.findall(word) if len(run) >= _LETTERS}
    ranked = sorted(runs, key=lambda run: (len(run) == _LETTERS, frequency[runs[run]] // 20, -len(run), run))
    if ranked:
        return tuple(in_each_case(ranked[0])), tuple(run.encode() for run in ranked[1:])
    return tuple(dict.fromkeys(_foreign_forms(max(words, key=len)))), ()


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
