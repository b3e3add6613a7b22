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


class Face:
    """Letters of one size in pixels."""

    def __init__(self, name: str, size: int) -> None:
        """Take the name of a font in the folder `fonts`, without its ending."""
        file = BytesIO(_file(f"{name}.ttf"))
        self._font = ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
        self._size = size
        self._pairs = _pairs(name)
        self._advances: dict[str, float] = {}

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
        draw = ImageDraw.Draw(image)
        left = float(size // 8)
        for character, closer in zip(text, [*self._moves(text), 0.0], strict=False):
            draw.text((left, size), character, fill=255, font=self._font, anchor="ls")
            left += self._advance(character) + closer
        return image


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
