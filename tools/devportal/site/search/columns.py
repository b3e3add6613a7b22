"""The columns of a search index: lines that share beginnings, and numbers as letters."""

import re
from collections.abc import Iterable, Iterator

COLUMN_SEPARATOR = "\x7f"
"""Stands between the lines of a column. JSON takes one byte for it, and two for the end of a line."""
MIN_SHARED = 4
"""A shorter start is written again: packed, it takes less than its length, which is different in each line."""
MAX_UNPACKED = 2**28
"""The most characters that the lines of a column have together: each may be almost as long as all before it."""
_SHARED = re.compile(r"[a-z]*[A-Z]")
_NUMBER = re.compile(r"[a-z]*[A-Z]")
"""How many characters a line begins with as the last one with a text does, in letters."""


def pack_column(texts: Iterable[str]) -> str:
    """Return texts as lines, each without its start where that is the one of the last line above with a text.

    Its length is written instead, if it has at least `MIN_SHARED` characters. Texts cannot have `COLUMN_SEPARATOR`
    in them: it becomes a blank.
    """
    return COLUMN_SEPARATOR.join(_shortened_lines(text.replace(COLUMN_SEPARATOR, " ") for text in texts))


def _shortened_lines(lines: Iterable[str]) -> Iterator[str]:
    above = ""
    for line in lines:
        shared = _common_prefix_length(above, line)
        start = shared if shared >= MIN_SHARED else 0
        yield f"{encode_number(start)}{line[start:]}"
        above = line or above


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
        line = above[: _decode_number(match.group())] + short[match.end() :]
        left -= len(line)
        if left < 0:
            raise ValueError("the lines are longer than any index has them")
        yield line
        above = line or above


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
