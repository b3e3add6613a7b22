"""The drawing of a state machine as values: boxes, arrows, loops and labels, in pixels."""

from dataclasses import dataclass, field

Point = tuple[float, float]

STATE_PX, LABEL_PX, LINE_PX = 14, 13, 17
"""The sizes of the names of states and of labels, and the height of a line of a label."""
HEAD_PX = 8
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
    """What is said at an arrow, in lines."""

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
