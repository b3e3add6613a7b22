"""Letters of preview images: two weights of a font that comes with us, and text cut to what fits."""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

from devportal.catalog.preview.face import Face

_CUT = "…"
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of characters that show nothing or reorder others: controls, bidi marks, no characters."""


class Weight(Enum):
    """The weights, by the names of their files."""

    MEDIUM = "Inter-Medium"
    BOLD = "Inter-Bold"


@lru_cache
def face(weight: Weight, size: int) -> Face:
    """Return the letters of a weight in a size in pixels."""
    return Face(weight.value, size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Text in a size in which it fits, line by line."""

    weight: Weight
    size: int
    lines: tuple[str, ...]


Sizes: TypeAlias = tuple[tuple[int, int], ...]
"""Pixels, and how many lines there may be of them; the first in which a text fits is taken."""


@lru_cache(maxsize=4096)
def fitted(text: str, weight: Weight, *, width: int, sizes: Sizes) -> Fitted:
    """Return text in the first of the sizes in which it fits `width` pixels; else cut short in the last."""
    text = plain(text)
    for size, most in sizes:
        lines = _wrapped(text, face(weight, size).length, width)
        if len(lines) <= most:
            return Fitted(weight=weight, size=size, lines=lines)
    last = _shortened(" ".join(lines[most - 1 :]), face(weight, size).length, width)
    return Fitted(weight=weight, size=size, lines=(*lines[: most - 1], last))


def length_of(text: Fitted) -> int:
    """Return how many pixels the longest line takes."""
    return max(int(face(text.weight, text.size).length(line)) for line in text.lines)


def _wrapped(text: str, length: Callable[[str], float], width: int) -> tuple[str, ...]:
    """Return text in lines that are not wider; a word that is by itself is divided."""
    lines = [""]
    for word in text.split():
        for part in _parts(word, length, width):
            longer = f"{lines[-1]} {part}".strip()
            if length(longer) <= width:
                lines[-1] = longer
            else:
                lines.append(part)
    return tuple(lines)


def _parts(word: str, length: Callable[[str], float], width: int) -> Iterator[str]:
    """Yield a word in pieces that are not wider, of one letter at least."""
    while length(word) > width and len(word) > 1:
        fits = max(1, _fitting(word, length, width))
        yield word[:fits]
        word = word[fits:]
    yield word


def _shortened(text: str, length: Callable[[str], float], width: int) -> str:
    end = _fitting(text, lambda start: length(f"{start}{_CUT}"), width)
    return f"{text[:end].rstrip()}{_CUT}"


def _fitting(text: str, length: Callable[[str], float], width: int) -> int:
    """Return how many of the first letters of a text are not wider."""
    return bisect_right(range(len(text)), float(width), key=lambda end: length(text[: end + 1]))


def plain(text: str) -> str:
    """Return what of a text can be drawn, in one line.

    A character that the font does not have is drawn as the letter that it is made from, or not at all.
    """
    seen = "".join(
        " " if character.isspace() else character
        for character in unicodedata.normalize("NFC", text)
        if character.isspace() or unicodedata.category(character) not in _UNSEEN
    )
    return " ".join("".join(map(_drawn, seen)).split())


@lru_cache(maxsize=4096)
def _drawn(character: str) -> str:
    if character == " " or _has(character):
        return character
    return "".join(filter(_has, unicodedata.normalize("NFKD", character)))


def _has(character: str) -> bool:
    return face(Weight.BOLD, 32).has(character)
