"""The columns of a search index: lines that share beginnings, and numbers as letters."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

COLUMN_SEPARATOR = "\x7f"
"""Stands between the lines of a column. JSON takes one byte for it, and two for the end of a line."""
MAX_UNPACKED = 2**28
"""The most characters that the lines of a column have together: each may be almost as long as all before it."""
_SHARED = re.compile(r"[a-z]*[A-Z]")
_NUMBER = re.compile(r"[a-z]*[A-Z]")
"""How many characters a line begins with as the line above does, in letters."""


def pack_column(texts: Iterable[str]) -> str:
    """Return texts as lines, each without its start where that is the one of the line above.

    Its length is written instead. Texts cannot have `COLUMN_SEPARATOR` in them: it becomes a blank.
    """
    lines = ["", *(text.replace(COLUMN_SEPARATOR, " ") for text in texts)]
    starts = [_common_prefix_length(above, line) for above, line in pairwise(lines)]
    return COLUMN_SEPARATOR.join(
        f"{encode_number(start)}{line[start:]}" for start, line in zip(starts, lines[1:], strict=True)
    )


def _common_prefix_length(first: str, other: str) -> int:
    """Return how many characters two texts begin with alike, up to one that JavaScript counts as two."""
    least, most = 0, min(len(first), len(other))
    while least < most:
        half = (least + most + 1) // 2
        least, most = (half, most) if first[:half] == other[:half] else (least, half - 1)
    if first[:least].isascii():
        return least
    return next((number for number, letter in enumerate(first[:least]) if letter > "\uffff"), least)


def lines_of(column: str) -> Iterator[str]:
    """Yield the lines of a column; an empty column has none. Raises ValueError for any other text."""
    above, left = "", MAX_UNPACKED
    for short in column.split(COLUMN_SEPARATOR) if column else ():
        match = _SHARED.match(short)
        if match is None:
            raise ValueError("a line does not say what it shares with the one above")
        above = above[: _decode_number(match.group())] + short[match.end() :]
        left -= len(above)
        if left < 0:
            raise ValueError("the lines are longer than any index has them")
        yield above


def encode_number(number: int) -> str:
    """Return a number in letters: 0 is `A`, 25 `Z`, 26 `bA`."""
    letters = chr(65 + number % 26)
    while number := number // 26:
        letters = chr(97 + number % 26) + letters
    return letters


def decode_numbers(letters: str) -> list[int]:
    """Return the numbers that `encode_number` wrote one after the other."""
    return [_decode_number(item) for item in _NUMBER.findall(letters)]


def _decode_number(letters: str) -> int:
    """Return the number that `encode_number` wrote."""
    number = 0
    for letter in letters[:-1]:
        number = 26 * number + ord(letter) - 97
    return 26 * number + ord(letters[-1]) - 65
