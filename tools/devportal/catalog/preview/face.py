"""One weight and size of the font of preview images.

Pillow's basic layout sets letters beside each other on every machine alike; its other one depends on a
library of the machine. What the basic one lacks is done here: pairs such as `To` move closer together.
"""

import json
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

_UNITS = 2048
"""How many units of the files of pairs are as wide as the font is high."""

_PHASES = 4
"""Letters start at quarters of a pixel, so that each is drawn a few times and then only copied."""


class Face:
    """Letters of one size in pixels."""

    def __init__(self, name: str, size: int) -> None:
        """Take the name of a font in the folder `fonts`, without its ending."""
        file = BytesIO(_file(f"{name}.ttf"))
        self._font = ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
        self._size = size
        self._pairs = _pairs(name)
        self._advances: dict[str, float] = {}
        self._drawn: dict[tuple[str, int], Image.Image] = {}

    def length(self, text: str) -> float:
        """Return how many pixels a text takes."""
        return sum(map(self._advance, text)) + sum(self._moves(text))

    def _moves(self, text: str) -> list[float]:
        """Return by how many pixels each letter but the first of a text moves."""
        units = (self._pairs.get(pair, 0) for pair in pairwise(text))
        return [number * self._size / _UNITS for number in units]

    def _advance(self, character: str) -> float:
        if character not in self._advances:
            self._advances[character] = self._font.getlength(character)
        return self._advances[character]

    def has(self, character: str) -> bool:
        """Say whether the font has a character: what it does not have has no outline."""
        return bool(self._font.getmask(character).getbbox())

    def letters(self, text: str) -> Image.Image:
        """Return a text as what it covers of each pixel, 0 to 255.

        Its base line is `size` pixels below the top, its start `size // 8` right of the left.
        """
        size = self._size
        image = Image.new("L", (int(self.length(text)) + size // 4, size * 5 // 4))
        left = 0.0
        for character, closer in zip(text, [*self._moves(text), 0.0], strict=False):
            pixels, phase = divmod(round(left * _PHASES), _PHASES)
            image.paste(255, (pixels, 0), self._letter(character, phase))
            left += self._advance(character) + closer
        return image

    def _letter(self, character: str, phase: int) -> Image.Image:
        """Return one letter as `letters` does, moved right by so many of the `_PHASES` of a pixel."""
        key = character, phase
        if key not in self._drawn:
            size = self._size
            image = Image.new("L", (int(self._advance(character)) + size // 4 + 1, size * 5 // 4))
            place = (size // 8 + phase / _PHASES, size)
            ImageDraw.Draw(image).text(place, character, fill=255, font=self._font, anchor="ls")
            self._drawn[key] = image
        return self._drawn[key]


@lru_cache
def _pairs(name: str) -> dict[tuple[str, str], int]:
    """Return by how much pairs of characters move apart or, as most do, closer together."""
    rows = json.loads(_file(f"{name}.kerning.json"))
    return {
        (first, second): units
        for first, row in rows.items()
        for seconds, units in row.items()
        for second in seconds
    }


def _file(name: str) -> bytes:
    return (files(__package__) / "fonts" / name).read_bytes()
