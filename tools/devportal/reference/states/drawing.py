"""The drawing of a state machine as values in pixels: boxes, arrows, labels and how wide their text is."""

from dataclasses import dataclass, field
from unicodedata import combining, east_asian_width

Point = tuple[float, float]

STATE_FONT_PX, LABEL_FONT_PX, LINE_HEIGHT_PX = 14, 13, 17
"""The sizes of the names of states and of labels, and the height of a line of a label."""
ARROWHEAD_PX = 8
"""The length of the head of an arrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle by its middle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> float:
        """The left edge."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The box of a state."""

    name: str
    box: Box
    is_final: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The label of an arrow, in lines."""

    lines: tuple[str, ...]
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """An arrow from a state to another, or from where one begins: that has no name.

    `line` are points in which it stands upright, the last one its tip; it is broken off where its label is.
    """

    source: str
    target: str
    line: tuple[tuple[Point, ...], ...]
    label: Label | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """An arrow that leaves a box on its right and comes back; `out` is how far it goes."""

    state: str
    box: Box = field(repr=False)
    out: float
    label: Label | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The whole, from the upper left corner on. `starts` are the dots that initial states begin at."""

    width: float
    height: float
    starts: tuple[Box, ...]
    states: tuple[State, ...]
    arrows: tuple[Arrow, ...]
    loops: tuple[Loop, ...]


_NARROW_CHARACTERS = frozenset("fijlrt!'(),-./:;[]`{|} Ii")
_WIDE_CHARACTERS = frozenset("mwMW%@—…")
_SANS_WIDTHS = {"narrow": 0.34, "wide": 0.92, "capital": 0.72, "other": 0.58}
"""In em, by kind of character: Liberation Sans and Inter, rounded up."""
_MONO_WIDTH = 0.61
"""In em: JetBrains Mono, Menlo and DejaVu Sans Mono, rounded up."""


def sans_width(text: str, size_px: float) -> float:
    """Return the width of text in the font of the page, in pixels."""
    return size_px * sum(map(_sans_character_width, text))


def mono_width(text: str, size_px: float) -> float:
    """Return the width of text in the font of code, in pixels."""
    return size_px * sum(_MONO_WIDTH * _terminal_columns(character) for character in text)


def _sans_character_width(text: str) -> float:
    columns = _terminal_columns(text)
    if columns != 1:
        return float(columns) / 2 * 1.05
    if text in _NARROW_CHARACTERS:
        return _SANS_WIDTHS["narrow"]
    if text in _WIDE_CHARACTERS:
        return _SANS_WIDTHS["wide"]
    return _SANS_WIDTHS["capital"] if text.isupper() else _SANS_WIDTHS["other"]


def _terminal_columns(text: str) -> int:
    """Return how many columns a character takes in a terminal (UAX #11)."""
    if combining(text):
        return 0
    return 2 if east_asian_width(text) in "WF" else 1


def wrap_text(text: str, size_px: float, limit_px: float) -> tuple[str, ...]:
    """Return text in lines of about the same length, none wider than the limit but where a word is."""
    words = text.split()
    lines = _fill_lines(words, size_px, limit_px)
    if len(lines) < 2:
        return lines
    narrower = sans_width(text, size_px) / len(lines)
    while narrower < limit_px:
        even = _fill_lines(words, size_px, narrower)
        if len(even) == len(lines):
            return even
        narrower += size_px / 2
    return lines


def _fill_lines(words: list[str], size_px: float, limit_px: float) -> tuple[str, ...]:
    lines: list[str] = []
    for word in words:
        if lines and sans_width(f"{lines[-1]} {word}", size_px) <= limit_px:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)
