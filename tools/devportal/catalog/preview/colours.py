"""The colours of preview images: those of `assets/devportal/tokens.css`, light, in a palette of few.

An image has a palette, so that it is small and quickly packed. Every ink on its ground is a ramp in it: the
edges of letters take the steps between the two.
"""

from enum import Enum
from functools import lru_cache

STEPS = 8
"""How many colours a ramp has, its ground and its ink among them."""


class Colour(Enum):
    """Colours by the names of the custom properties without `--dp-`, in hexadecimal."""

    BG = "#ffffff"
    BG_SUNKEN = "#f6f7fa"
    TEXT = "#1b2130"
    TEXT_MUTED = "#5a6478"
    ACCENT = "#4338ca"
    ACCENT_SOFT = "#eef0ff"
    AMBER = "#8a4b00"
    AMBER_SOFT = "#fdf1dc"

    @property
    def rgb(self) -> tuple[int, int, int]:
        """Return red, green and blue, 0 to 255 each."""
        red, green, blue = bytes.fromhex(self.value[1:])
        return red, green, blue


class Ramp(Enum):
    """Every ink on every ground that images use."""

    TEXT = (Colour.BG, Colour.TEXT)
    MUTED = (Colour.BG, Colour.TEXT_MUTED)
    ACCENT = (Colour.BG, Colour.ACCENT)
    PANEL = (Colour.BG, Colour.BG_SUNKEN)
    PANEL_TEXT = (Colour.BG_SUNKEN, Colour.TEXT)
    PANEL_MUTED = (Colour.BG_SUNKEN, Colour.TEXT_MUTED)
    CHIP = (Colour.BG, Colour.ACCENT_SOFT)
    CHIP_TEXT = (Colour.ACCENT_SOFT, Colour.ACCENT)
    WARNING = (Colour.BG, Colour.AMBER_SOFT)
    WARNING_TEXT = (Colour.AMBER_SOFT, Colour.AMBER)

    @property
    def start(self) -> int:
        """Return the place of its ground in the palette; its ink is the last of the steps behind it."""
        return STEPS * list(Ramp).index(self)

    @property
    def ink(self) -> int:
        """Return the place of its ink in the palette."""
        return self.start + STEPS - 1


@lru_cache
def places(ramp: Ramp) -> tuple[int, ...]:
    """Return the place in the palette for each coverage of a pixel by ink, 0 to 255."""
    return tuple(ramp.start + round(covered * (STEPS - 1) / 255) for covered in range(256))


@lru_cache(maxsize=1)
def palette() -> bytes:
    """Return the red, green and blue of every place, one after the other."""
    return bytes(value for ramp in Ramp for step in range(STEPS) for value in _mixed(*ramp.value, step))


def _mixed(ground: Colour, ink: Colour, step: int) -> tuple[int, ...]:
    share = step / (STEPS - 1)
    return tuple(
        round(below + (above - below) * share) for below, above in zip(ground.rgb, ink.rgb, strict=True)
    )
