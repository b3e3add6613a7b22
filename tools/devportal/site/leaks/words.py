"""Phrases as words: what is left of a text when case, punctuation and markup are taken away."""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from ahocorasick_rs import AhoCorasick

Words: TypeAlias = tuple[str, ...]
"""The words of a phrase, in small letters."""
Placed: TypeAlias = list[tuple[str, int]]
"""Words in their order, each with the byte it starts at."""

_WORD = re.compile(r"[^\W_]+")
_ENGLISH = (
    "a about after all also an and any are as at be been before but by can do does for from has have if "
    "in into is it its may more must no not of on one only or other our per so than that the their them "
    "then there these they this those to under until up was we were what when where which who will with "
    "you your "
)
_SMALL = frozenset(_ENGLISH.split())
"""Words that every text has."""
_PIECE = 5
"""How many words of a note are a piece that nobody writes by chance."""
_TELLING = 3
"""How many of these are more than the small words of any text: `until the end of the month` has two."""


def words_of(text: str) -> Words:
    """Return the words of a text."""
    return tuple(word.casefold() for word in _WORD.findall(text))


def folded(words: Iterable[str]) -> str:
    """Return words as one text in which others can be looked for: a space before, between and behind."""
    return f" {' '.join(words)} "


def pieces_of(text: str) -> Iterator[Words]:
    """Yield what of a free text is searched for: each run of five words, longer where it says too little.

    A text of three or four words is searched for whole. Shorter ones are words of any text, unless they are
    a single one of letters and digits: `OPS-4711`, the number of a ticket.
    """
    words = words_of(text)
    pieces = dict.fromkeys(_telling_run(words, start) for start in range(len(words) - _PIECE + 1))
    found = [piece for piece in pieces if piece]
    if found:
        yield from found
    elif (len(words) >= 3 and _telling(words) >= 2) or (
        len(words) == 2 and re.fullmatch(r"[A-Za-z]+-\d{3,}", text.strip())
    ):
        yield words


def _telling_run(words: Words, start: int) -> Words:
    """Return the shortest run of five words or more from a place on that says something; else nothing."""
    for end in range(start + _PIECE, len(words) + 1):
        if _telling(words[start:end]) >= _TELLING:
            return words[start:end]
    return ()


def _telling(words: Words) -> int:
    return len({word for word in words if word not in _SMALL})


def said_in(text: str) -> Callable[[Iterable[Words]], frozenset[Words]]:
    """Return what tells which phrases a text says."""
    whole = folded(words_of(text))

    def said(phrases: Iterable[Words]) -> frozenset[Words]:
        asked = list(dict.fromkeys(phrases))
        if not asked or not whole.strip():
            return frozenset()
        found = AhoCorasick([folded(words) for words in asked]).find_matches_as_indexes(
            whole, overlapping=True
        )
        return frozenset(asked[number] for number, _, _ in found)

    return said


_ESCAPED = re.compile(
    rb"(?P<tag><[^<>]{0,4000}>)"
    rb"|(?P<gap>\\[nrtbf/\"\\]|%[2-7][0-9A-Fa-f])"
    rb"|(?P<word>(?:[0-9A-Za-z\x80-\xff]|&\#?\w{2,8};|\\u[0-9a-fA-F]{4}|%[89A-Fa-f][0-9A-Fa-f])+)"
)
_HEX = re.compile(rb"\\u([0-9a-fA-F]{4})|%([89A-Fa-f][0-9A-Fa-f])")


def placed_words(data: bytes, start: int, end: int) -> tuple[Placed, Placed]:
    """Return the words of a part of a file, unescaped, each with the byte it starts at.

    In the first list tags only part words; in the second their names and attributes are words as well.
    """
    plain: Placed = []
    marked: Placed = []
    for match in _ESCAPED.finditer(data, start, end):
        if match.lastgroup == "word":
            found = _words_at(match)
            plain += found
            marked += found
        elif match.lastgroup == "tag":
            for inside in _ESCAPED.finditer(data, match.start() + 1, match.end()):
                if inside.lastgroup == "word":
                    marked += _words_at(inside)
    return plain, marked


def _words_at(match: re.Match[bytes]) -> Placed:
    """Return the words of a run of letters; one of ASCII letters and digits alone, as most are, is a word."""
    raw, place = match.group(), match.start()
    if raw.isalnum():
        return [(raw.lower().decode(), place)]
    return [(word, place) for word in words_of(_unescaped(raw))]


@lru_cache(maxsize=4096)
def _unescaped(raw: bytes) -> str:
    """Return a run of letters as text: references, JSON escapes and percent-encoding undone."""
    if b"\\" in raw or b"%" in raw:
        raw = _HEX.sub(_character, raw)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return html.unescape(text) if "&" in text else text


def _character(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return chr(int(match[1], 16)).encode(errors="replace")
    return bytes([int(match[2], 16)])
