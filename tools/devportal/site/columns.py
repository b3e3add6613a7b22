"""Texts and numbers in columns, written so that they pack well; `assets/devportal/matching.js` reads them."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

NAME = "search/search_index.json"
"""The file of a site whose texts these are."""
END = "\x7f"
"""Stands between the lines of a column. JSON takes one byte for it, and two for the end of a line."""
_SHARED = re.compile(r"[a-z]*[A-Z]")
"""How many characters a line begins with as the line above does, in letters."""


def column(texts: Iterable[str]) -> str:
    """Return texts as lines, each without its start where that is the one of the line above.

    Its length is written instead. Texts cannot have `END` in them: it becomes a blank.
    """
    lines = ["", *(text.replace(END, " ") for text in texts)]
    starts = [_shared(above, line) for above, line in pairwise(lines)]
    return END.join(f"{encoded(start)}{line[start:]}" for start, line in zip(starts, lines[1:], strict=True))


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike, up to one that JavaScript counts as two."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        half = (least + most + 1) // 2
        least, most = (half, most) if one[:half] == other[:half] else (least, half - 1)
    if one[:least].isascii():
        return least
    return next((number for number, letter in enumerate(one[:least]) if letter > "\uffff"), least)


def lines_of(column: str) -> Iterator[str]:
    """Yield the lines of a column; an empty column has none. Raises ValueError for any other text."""
    above = ""
    for short in column.split(END) if column else ():
        match = _SHARED.match(short)
        if match is None:
            raise ValueError("a line does not say what it shares with the one above")
        above = above[: _decoded(match.group())] + short[match.end() :]
        yield above


def encoded(number: int) -> str:
    """Return a number in letters: 0 is `A`, 25 `Z`, 26 `bA`."""
    letters = chr(65 + number % 26)
    while number := number // 26:
        letters = chr(97 + number % 26) + letters
    return letters


def _decoded(letters: str) -> int:
    """Return the number that `encoded` wrote."""
    number = 0
    for letter in letters[:-1]:
        number = 26 * number + ord(letter) - 97
    return 26 * number + ord(letters[-1]) - 65
