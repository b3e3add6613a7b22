"""Text as words, without case, punctuation and markup; ends of cells, and tags inside words."""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from ahocorasick_rs import AhoCorasick

from devportal.site.leaks.file_bytes import INLINE_TAG

Words: TypeAlias = tuple[str, ...]
"""The words of a phrase, in lower case."""
PositionedWords: TypeAlias = list[tuple[str, int]]
"""Words in order, each with the position of its first byte."""

_WORD = re.compile(r"[^\W_]+")
_ENGLISH = (
    "a about after all also an and any are as at be been before but by can do does for from has have if "
    "in into is it its may more must no not of on one only or other our per so than that the their them "
    "then there these they this those to under until up was we were what when where which who will with "
    "you your "
)
_STOP_WORDS = frozenset(_ENGLISH.split())
"""Words that occur in any text."""
_RUN_LENGTH = 5
"""How many words of a note identify it: nobody writes the same run by chance."""
_MIN_DISTINCTIVE = 3
"""How many words of a run must not be stop words: `until the end of the month` has two."""


def words_of(text: str) -> Words:
    """Return the words of a text in lower case, without punctuation."""
    return tuple(word.casefold() for word in _WORD.findall(text))


def join_words(words: Iterable[str]) -> str:
    """Return words as one text to search in: with a space before, between and after them."""
    return f" {' '.join(words)} "


def identifying_phrases(text: str) -> Iterator[Words]:
    """Yield the phrases of a free text to search for: each run of five words, longer if it is too common.

    A text of three or four words is searched for as a whole. Shorter ones occur in any text, unless they are
    letters and digits: `OPS-4711`, the number of a ticket.
    """
    words = words_of(text)
    runs = dict.fromkeys(_distinctive_run(words, start) for start in range(len(words) - _RUN_LENGTH + 1))
    distinctive_runs = [run for run in runs if run]
    if distinctive_runs:
        yield from distinctive_runs
    elif (len(words) >= 3 and _count_distinctive(words) >= 2) or (
        len(words) == 2 and re.fullmatch(r"[A-Za-z]+-\d{3,}", text.strip())
    ):
        yield words


def _distinctive_run(words: Words, start: int) -> Words:
    """Return the shortest distinctive run of five words or more from a position; else nothing."""
    for end in range(start + _RUN_LENGTH, len(words) + 1):
        if _count_distinctive(words[start:end]) >= _MIN_DISTINCTIVE:
            return words[start:end]
    return ()


def _count_distinctive(words: Words) -> int:
    return len({word for word in words if word not in _STOP_WORDS})


def phrase_filter(text: str) -> Callable[[Iterable[Words]], frozenset[Words]]:
    """Return a function that returns those of some phrases that a text contains."""
    joined_text = join_words(words_of(text))

    def phrases_in_text(phrases: Iterable[Words]) -> frozenset[Words]:
        unique_phrases = list(dict.fromkeys(phrases))
        if not unique_phrases or not joined_text.strip():
            return frozenset()
        matches = AhoCorasick([join_words(words) for words in unique_phrases]).find_matches_as_indexes(
            joined_text, overlapping=True
        )
        return frozenset(unique_phrases[number] for number, _, _ in matches)

    return phrases_in_text


_ESCAPED = re.compile(
    rb"(?P<tag><[^<>]{0,4000}>)"
    rb"|(?P<gap>\\[nrtbf/\"\\]|%[2-7][0-9A-Fa-f])"
    rb"|(?P<word>(?:[0-9A-Za-z\x80-\xff]|&\#?\w{2,8};|\\u[0-9a-fA-F]{4}|%[89A-Fa-f][0-9A-Fa-f])+)"
)
_HEX = re.compile(rb"\\u([0-9a-fA-F]{4})|%([89A-Fa-f][0-9A-Fa-f])")


def words_with_positions(data: bytes, start: int, end: int) -> tuple[PositionedWords, PositionedWords]:
    """Return the words of a part of a file, unescaped, each with its position.

    In the first list tags only separate words; in the second their names and attributes are words as well.
    """
    text_words: PositionedWords = []
    all_words: PositionedWords = []
    for match in _ESCAPED.finditer(data, start, end):
        if match.lastgroup == "word":
            words = _words_of_match(match)
            text_words += words
            all_words += words
        elif match.lastgroup == "tag":
            for inner_match in _ESCAPED.finditer(data, match.start() + 1, match.end()):
                if inner_match.lastgroup == "word":
                    all_words += _words_of_match(inner_match)
    return text_words, all_words


def _words_of_match(match: re.Match[bytes]) -> PositionedWords:
    """Return the words of a match. ASCII letters and digits alone, the usual case, are one word."""
    raw, position = match.group(), match.start()
    if raw.isalnum():
        return [(raw.lower().decode(), position)]
    return [(word, position) for word in words_of(_unescape_run(raw))]


@lru_cache(maxsize=4096)
def _unescape_run(raw: bytes) -> str:
    """Return a run of letters as text: references, JSON escapes and percent-encoding undone."""
    if b"\\" in raw or b"%" in raw:
        raw = _HEX.sub(_unescape_character, raw)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return html.unescape(text) if "&" in text else text


def _unescape_character(match: re.Match[bytes]) -> bytes:
    if match[1]:
        return chr(int(match[1], 16)).encode(errors="replace")
    return bytes([int(match[2], 16)])


_INLINE = frozenset(
    b"a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike "
    b"strong sub sup time tspan tt u var wbr br".split()
)
_CELL_TAG = re.compile(rb"<(?:\\?/)?([A-Za-z][A-Za-z0-9]*)")
_CELL_SEPARATORS = b',;|\t"\x7f'
"""What separates cells and members, unless the name itself contains it."""
_NEXT_ITEM = re.compile(rb"(?:\n|\\n)[ \t]*(?:[-*+#>|]|\d+[.)]|\r?\n)")
"""The next item, row or paragraph of Markdown."""


def ends_item(gap: bytes, text: str, *, is_table: bool) -> bool:
    """Say whether a cell, an item or a line ends in the gap between two words of a text.

    In a table of lines, such as a CSV, each line end counts.
    """
    if is_table and b"\n" in gap:
        return True
    if any(tag.lower() not in _INLINE for tag in _CELL_TAG.findall(gap)) or _NEXT_ITEM.search(gap):
        return True
    gap_text = re.sub(rb"<[^<>]*>|&\#?\w+;", b"", gap)
    return any(code in gap_text and chr(code) not in text for code in _CELL_SEPARATORS)


_PLAIN_TAGS = (
    "b", "i", "u", "s", "q", "em", "del", "dfn", "ins", "sub", "sup", "var", "tt", "big", "kbd", "abbr",
    "bdi", "bdo", "cite", "data", "font", "mark", "samp", "small", "strike", "tspan", "wbr",
)  # fmt: skip

"""Tags that are rare enough to stop at each."""
_FREQUENT_TAGS = ("span", "code", "a", "strong", "time")
"""Tags that code samples and tables are full of: we stop only if one touches a letter or digit."""
_LETTERS = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CHARACTERS = (
    "&shy;", "&ZeroWidthSpace;", "&zwnj;", "&zwj;", "&NoBreak;", "&period;", "&comma;", "&commat;",
    "&hyphen;", "&dash;", "&lowbar;", "\\u00ad", "\\u00AD", "\\u200", "\\u2060",
    "\u00ad", "\u200b", "\u200c", "\u200d", "\u2060",
)  # fmt: skip
_BREAK_CONTEXT = 100
_WORD_CONTINUES = re.compile(rb"[.,@-]?[0-9A-Za-z]|[.,]" + INLINE_TAG, re.IGNORECASE)
_WORD_IS_OPEN = re.compile(rb"[0-9A-Za-z][.,@-]?$")
_TAGS = re.compile(rb"(?:" + INLINE_TAG + rb")+", re.IGNORECASE)
_TAG = re.compile(INLINE_TAG, re.IGNORECASE)
_MAX_TAG_BYTES = 200
"""How many bytes of tags may precede one that breaks a word."""


def breaking_hooks() -> Iterator[bytes]:
    """Yield the bytes where a word may be broken by a tag, or escaped."""
    for tag in _PLAIN_TAGS:
        for name in (tag, tag.upper()):
            yield from (f"{start}{name}{end}".encode() for start in ("<", "</") for end in "> \n/")
    for tag in _FREQUENT_TAGS:
        for code in (*_LETTERS, *b"-.@"):
            yield b"%c<%s" % (code, tag.encode())
            yield b"</%s>%c" % (tag.encode(), code)
    yield from (b"</code><code", b"</a><a")
    for digit in b"0123456789.-":
        yield from (b"%c%s" % (digit, bracket) for bracket in (b"&lt;", b"\\u003c", b"\\u003C", b"<\\/"))
        yield b"%c</span><span" % digit
        yield b"%c<!--" % digit
        yield b"-->%c" % digit
    yield from (text.encode() for text in _CHARACTERS)
    yield from _escapes()


def _escapes() -> Iterator[bytes]:
    """Yield the starts of escapes for a letter, a digit, or one of `,-.@` in HTML, JSON and URLs."""
    for digit in "01456789":
        yield f"&#{digit}".encode()
    codes = [*b",-.@", *_LETTERS]
    for form in dict.fromkeys(spelt for code in codes for spelt in (f"{code:02x}", f"{code:02X}")):
        yield from (f"{start}{form}".encode() for start in ("&#x", "&#X", "\\u00", "\\x", "%"))
    yield from (b"&#x0", b"&#X0", b"&#xad", b"&#xAD", b"&#x200", b"&#x2060", b"%25", b"&amp;#", b"&amp;shy")


def breaks_in(data: bytes, stops: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a file in which something is broken by tags or escaped, without overlaps."""
    low = high = -1
    for start, end in stops:
        if not _is_break(data, start, end):
            continue
        if start - _BREAK_CONTEXT <= high:
            high = max(high, end + _BREAK_CONTEXT)
            continue
        if high >= 0:
            yield low, high
        low, high = start - _BREAK_CONTEXT, end + _BREAK_CONTEXT
    if high >= 0:
        yield max(0, low), high


def _is_break(data: bytes, start: int, end: int) -> bool:
    """Say whether a tag is inside a word. Anything that is not a tag is an escape and counts."""
    opening = data.find(b"<", start, end)
    if opening < 0 or data[opening : opening + 2] == b"<\\" or data[opening : opening + 4] == b"<!--":
        return True
    tags = _TAGS.match(data, opening)
    if tags is None or _WORD_CONTINUES.match(data, tags.end()) is None:
        return False
    tags_start = _start_of_tags(data, opening)
    return _WORD_IS_OPEN.search(data, max(0, tags_start - 2), tags_start) is not None


def _start_of_tags(data: bytes, end: int) -> int:
    """Return where the first of the tags directly before a position starts."""
    low = max(0, end - _MAX_TAG_BYTES)
    while data[end - 1 : end] == b">":
        start = data.rfind(b"<", low, end)
        if start < 0 or _TAG.fullmatch(data, start, end) is None:
            break
        end = start
    return end
