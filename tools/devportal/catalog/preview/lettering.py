"""Text on a preview image, and the typeface it is set in."""

import json
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from itertools import pairwise
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

_UNITS = 2048
"""Units in the kerning files per font size."""

_PHASES = 4
"""Letters start at quarters of a pixel, so each is drawn a few times and then only copied."""


class Face:
    """Letters of one size in pixels."""

    def __init__(self, name: str, size: int) -> None:
        """Take the name of a font in the folder `fonts`, without its ending."""
        file = BytesIO(_file(f"{name}.ttf"))
        self._font = ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
        self._size = size
        self._pairs = _pairs(name)
        self._advances: dict[str, float] = {}
        self._letters: dict[tuple[str, int], Image.Image] = {}

    def length(self, text: str) -> float:
        """Return how many pixels a text takes."""
        return sum(map(self._advance, text)) + sum(self._kerning(text))

    def _kerning(self, text: str) -> list[float]:
        """Return the kerning of each letter but the first, in pixels."""
        units = (self._pairs.get(pair, 0) for pair in pairwise(text))
        return [number * self._size / _UNITS for number in units]

    def _advance(self, character: str) -> float:
        if character not in self._advances:
            self._advances[character] = self._font.getlength(character)
        return self._advances[character]

    def has(self, character: str) -> bool:
        """Say whether the font has a character: a missing one has no outline."""
        return bool(self._font.getmask(character).getbbox())

    def letters(self, text: str) -> Image.Image:
        """Return a text as the coverage of each pixel, 0 to 255.

        Its base line is `size` pixels below the top, its start `size // 8` from the left.
        """
        size = self._size
        image = Image.new("L", (int(self.length(text)) + size // 4, size * 5 // 4))
        left = 0.0
        for character, closer in zip(text, [*self._kerning(text), 0.0], strict=False):
            pixels, phase = divmod(round(left * _PHASES), _PHASES)
            image.paste(255, (pixels, 0), self._letter(character, phase))
            left += self._advance(character) + closer
        return image

    def _letter(self, character: str, phase: int) -> Image.Image:
        """Return one letter as `letters` does, shifted right by `phase` of the `_PHASES` of a pixel."""
        key = character, phase
        if key not in self._letters:
            size = self._size
            image = Image.new("L", (int(self._advance(character)) + size // 4 + 1, size * 5 // 4))
            origin = (size // 8 + phase / _PHASES, size)
            ImageDraw.Draw(image).text(origin, character, fill=255, font=self._font, anchor="ls")
            self._letters[key] = image
        return self._letters[key]


@lru_cache
def _pairs(name: str) -> dict[tuple[str, str], int]:
    """Return the kerning of pairs of characters."""
    rows = json.loads(_file(f"{name}.kerning.json"))
    return {
        (first, second): units
        for first, row in rows.items()
        for seconds, units in row.items()
        for second in seconds
    }


def _file(name: str) -> bytes:
    return (files(__package__) / "fonts" / name).read_bytes()


_ELLIPSIS = "…"
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of characters that are invisible or reorder others: controls, bidi marks, unassigned."""


class Weight(Enum):
    """The weights, by the names of their files."""

    MEDIUM = "Inter-Medium"
    BOLD = "Inter-Bold"


@lru_cache
def face(weight: Weight, size: int) -> Face:
    """Return the letters of a weight in a size in pixels."""
    return Face(weight.value, size)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedText:
    """Text in a size in which it fits, line by line."""

    weight: Weight
    size: int
    lines: tuple[str, ...]


Sizes: TypeAlias = tuple[tuple[int, int], ...]
"""Font sizes in pixels with the largest number of lines; the first that fits is used."""


@lru_cache(maxsize=4096)
def fit_text(text: str, weight: Weight, *, width: int, sizes: Sizes) -> FittedText:
    """Return text in the first size in which it fits `width` pixels; else truncated in the last."""
    text = drawable_text(text)
    for size, max_lines in sizes:
        lines = _wrap_text(text, face(weight, size).length, width)
        if len(lines) <= max_lines:
            return FittedText(weight=weight, size=size, lines=lines)
    last_line = _truncate_text(" ".join(lines[max_lines - 1 :]), face(weight, size).length, width)
    return FittedText(weight=weight, size=size, lines=(*lines[: max_lines - 1], last_line))


def length_of(text: FittedText) -> int:
    """Return how many pixels the longest line takes."""
    return max(int(face(text.weight, text.size).length(line)) for line in text.lines)


def _wrap_text(text: str, length: Callable[[str], float], width: int) -> tuple[str, ...]:
    """Return text in lines that fit the width. A word that is too long is split."""
    lines = [""]
    for word in text.split():
        for part in _split_word(word, length, width):
            longer = f"{lines[-1]} {part}".strip()
            if length(longer) <= width:
                lines[-1] = longer
            else:
                lines.append(part)
    return tuple(lines)


def _split_word(word: str, length: Callable[[str], float], width: int) -> Iterator[str]:
    """Yield a word in parts that fit the width, of at least one letter."""
    while length(word) > width and len(word) > 1:
        fits = max(1, _fitting_length(word, length, width))
        yield word[:fits]
        word = word[fits:]
    yield word


def _truncate_text(text: str, length: Callable[[str], float], width: int) -> str:
    end = _fitting_length(text, lambda start: length(f"{start}{_ELLIPSIS}"), width)
    return f"{text[:end].rstrip()}{_ELLIPSIS}"


def _fitting_length(text: str, length: Callable[[str], float], width: int) -> int:
    """Return how many of the first letters of a text fit the width."""
    return bisect_right(range(len(text)), float(width), key=lambda end: length(text[: end + 1]))


def drawable_text(text: str) -> str:
    """Return the drawable part of a text, on one line.

    A character that the font does not have is drawn as its base letter, or left out.
    """
    visible = "".join(
        " " if character.isspace() else character
        for character in unicodedata.normalize("NFC", text)
        if character.isspace() or unicodedata.category(character) not in _INVISIBLE
    )
    return " ".join("".join(map(_drawable_characters, visible)).split())


def is_drawable(text: str) -> bool:
    """Say whether the font has every character of a text, or its base letter."""
    return all(character.isspace() or _drawable_characters(character) for character in text)


@lru_cache(maxsize=4096)
def _drawable_characters(character: str) -> str:
    if character == " " or _has(character):
        return character
    return "".join(filter(_has, unicodedata.normalize("NFKD", character)))


def _has(character: str) -> bool:
    return face(Weight.BOLD, 32).has(character)
