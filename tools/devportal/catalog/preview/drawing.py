"""Drawing of a preview image, and its colours."""

import io
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from PIL import Image, ImageDraw

from devportal.catalog.preview.cards import Card, Fact
from devportal.catalog.preview.lettering import FittedText, Sizes, Weight, face, fit_text, length_of

STEPS = 8
"""How many colours a ramp has, including its background and its ink."""


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
    """Every combination of ink and background in images."""

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
        """Return the palette index of its background. Its ink is the last of its steps."""
        return STEPS * list(Ramp).index(self)

    @property
    def ink(self) -> int:
        """Return the palette index of its ink."""
        return self.start + STEPS - 1


@lru_cache
def palette_indexes(ramp: Ramp) -> tuple[int, ...]:
    """Return the palette index for each coverage of a pixel by ink, 0 to 255."""
    return tuple(ramp.start + round(covered * (STEPS - 1) / 255) for covered in range(256))


@lru_cache(maxsize=1)
def palette() -> bytes:
    """Return red, green and blue of every palette entry."""
    return bytes(
        value for ramp in Ramp for step in range(STEPS) for value in _blend_colours(*ramp.value, step)
    )


def _blend_colours(ground: Colour, ink: Colour, step: int) -> tuple[int, ...]:
    share = step / (STEPS - 1)
    return tuple(
        round(below + (above - below) * share) for below, above in zip(ground.rgb, ink.rgb, strict=True)
    )


WIDTH, HEIGHT = 1200, 630
MAX_FACTS = 5
_MARGIN = 72
_INNER = WIDTH - 2 * _MARGIN
_PANEL_TOP, _PANEL_HEIGHT = 392, 142
_FOOT = 590
"""The base line of the last line of text."""
_SERVICE: Sizes = ((34, 1), (30, 1), (26, 2), (22, 2))
_TITLE: Sizes = ((100, 1), (88, 1), (76, 1), (64, 1), (54, 2), (44, 2), (38, 2))
_SUBTITLE: Sizes = ((36, 1), (30, 1))
_LABEL: Sizes = ((26, 1), (22, 1), (18, 1))
_VALUE: Sizes = ((44, 1), (38, 1), (32, 1), (28, 1), (24, 1), (20, 1))
_COMPRESSION_LEVEL = 3
"""The level of compression: level 4 takes nearly twice as long and saves a twelfth."""
_FOOTER: Sizes = ((26, 1), (22, 1), (18, 1))


def preview_png(card: Card) -> bytes:
    """Return the image of a card. The same card gives the same bytes, without metadata."""
    image = _base().copy()
    _draw_head(image, card)
    _draw_title(image, card)
    _draw_facts(image, card.facts[:MAX_FACTS])
    _draw_foot(image, card)
    image.putpalette(palette())
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=_COMPRESSION_LEVEL)
    return file.getvalue()


@lru_cache(maxsize=1)
def _base() -> Image.Image:
    """Return the common part of all images: the background and a band in the portal's colour.

    Until an image is done, the value of a pixel is an index into the palette.
    """
    image = Image.new("L", (WIDTH, HEIGHT), Ramp.TEXT.start)
    image.paste(Ramp.ACCENT.ink, (0, 0, WIDTH, 16))
    return image


def _draw_head(image: Image.Image, card: Card) -> None:
    """Draw the service and, on the right, the warnings."""
    right = _MARGIN + _INNER
    for warning in card.warnings:
        text = fit_text(warning, Weight.BOLD, width=_INNER, sizes=((26, 1),))
        right -= _pill_width(text)
        _draw_pill(image, text, at=(right, 56), ramps=(Ramp.WARNING, Ramp.WARNING_TEXT))
    service = fit_text(card.service, Weight.BOLD, width=right - _MARGIN - 32, sizes=_SERVICE)
    _draw_lines(image, service, left=_MARGIN, base=92, ramp=Ramp.ACCENT)


def _draw_title(image: Image.Image, card: Card) -> None:
    """Draw the title, the subtitle and, below, the chips."""
    title = fit_text(card.title, Weight.BOLD, width=_INNER, sizes=_TITLE)
    base = 232 if len(title.lines) == 1 else 180
    base = _draw_lines(image, title, left=_MARGIN, base=base, ramp=Ramp.TEXT)
    subtitle = fit_text(card.subtitle, Weight.MEDIUM, width=_INNER, sizes=_SUBTITLE)
    _draw_lines(image, subtitle, left=_MARGIN, base=base + 62, ramp=Ramp.MUTED)
    left = _MARGIN
    for chip in card.chips:
        text = fit_text(chip, Weight.MEDIUM, width=_INNER, sizes=((26, 1),))
        width = _pill_width(text)
        if left + width <= _MARGIN + _INNER:
            _draw_pill(image, text, at=(left, 320), ramps=(Ramp.CHIP, Ramp.CHIP_TEXT))
        left += width + 14


def _draw_facts(image: Image.Image, facts: Sequence[Fact]) -> None:
    """Draw the facts next to each other on one panel, each kind of text in one size."""
    if not facts:
        return
    image.paste(_rounded_rectangle(_INNER, _PANEL_HEIGHT, 20, Ramp.PANEL), (_MARGIN, _PANEL_TOP))
    column = (_INNER - 32) // max(len(facts), 3)
    width = column - 24
    labels = _fit_alike([fact.label for fact in facts], Weight.MEDIUM, width, _LABEL)
    values = _fit_alike([fact.value for fact in facts], Weight.BOLD, width, _VALUE)
    notes = _fit_alike([fact.note for fact in facts], Weight.MEDIUM, width, _LABEL)
    rows = ((40, labels, Ramp.PANEL_MUTED), (88, values, Ramp.PANEL_TEXT), (124, notes, Ramp.PANEL_MUTED))
    for base, texts, ramp in rows:
        for number, text in enumerate(texts):
            left = _MARGIN + 32 + number * column
            _draw_lines(image, text, left=left, base=_PANEL_TOP + base, ramp=ramp)


def _fit_alike(texts: Sequence[str], weight: Weight, width: int, sizes: Sizes) -> list[FittedText]:
    """Return texts in the largest size in which all of them fit."""
    least = min(fit_text(text, weight, width=width, sizes=sizes).size for text in texts)
    allowed = tuple(size for size in sizes if size[0] <= least)
    return [fit_text(text, weight, width=width, sizes=allowed) for text in texts]


def _draw_foot(image: Image.Image, card: Card) -> None:
    """Draw the day and, at the right, the address."""
    day = fit_text(card.day, Weight.MEDIUM, width=_INNER, sizes=_FOOTER)
    _draw_lines(image, day, left=_MARGIN, base=_FOOT, ramp=Ramp.MUTED)
    width = _INNER - length_of(day) - 48
    address = fit_text(card.address, Weight.MEDIUM, width=width, sizes=_FOOTER)
    left = _MARGIN + _INNER - length_of(address)
    _draw_lines(image, address, left=left, base=_FOOT, ramp=Ramp.ACCENT)


def _draw_lines(image: Image.Image, text: FittedText, *, left: int, base: int, ramp: Ramp) -> int:
    """Draw lines on a background of one colour, the first on the base line; return the base of the last."""
    height = text.size * 6 // 5
    for number, line in enumerate(text.lines):
        letters = _letters(line, text.weight, text.size, ramp)
        image.paste(letters, (left - text.size // 8, base + number * height - text.size))
    return base + (len(text.lines) - 1) * height


@lru_cache(maxsize=512)
def _letters(line: str, weight: Weight, size: int, ramp: Ramp) -> Image.Image:
    """Return a line on its background, with room for overhanging letters. Its base line is `size` below the
    top.
    """
    return face(weight, size).letters(line).point(palette_indexes(ramp))


def _pill_width(text: FittedText) -> int:
    return length_of(text) + 44


def _draw_pill(
    image: Image.Image, text: FittedText, *, at: tuple[int, int], ramps: tuple[Ramp, Ramp]
) -> None:
    """Draw one line of text on a rounded background."""
    ground, ink = ramps
    image.paste(_rounded_rectangle(_pill_width(text), 46, 23, ground), at)
    _draw_lines(image, text, left=at[0] + 22, base=at[1] + 32, ramp=ink)


@lru_cache(maxsize=256)
def _rounded_rectangle(width: int, height: int, radius: int, ramp: Ramp) -> Image.Image:
    """Return a rectangle with round corners and smooth edges."""
    large = Image.new("L", (4 * width, 4 * height))
    ImageDraw.Draw(large).rounded_rectangle((0, 0, 4 * width - 1, 4 * height - 1), 4 * radius, fill=255)
    return large.reduce(4).point(palette_indexes(ramp))
