"""The drawing of a state machine as SVG. Colours and strokes are in the style sheet; here are classes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from devportal.contract import StateMachine
from devportal.reference.markup import attribute, text
from devportal.reference.states.drawing import (
    HEAD_PX,
    LINE_PX,
    Arrow,
    Box,
    Drawing,
    Label,
    Loop,
    Point,
    State,
)
from devportal.reference.states.layout import drawing_of

_WITHOUT_STYLES = 'fill="none" stroke="currentColor"'
_TEXT_WITHOUT_STYLES = 'fill="currentColor" stroke="none" text-anchor="middle"'
"""For readers that show the page without its style sheet, which says more."""
_HEAD_HALF = 4
_BASELINE = 4.5
"""How far below the middle of a line of text it stands."""
_RADIUS, _INSET = 8, 4
_LOOP_HALF = 9
"""How far above and below the middle of its box a loop begins and ends."""


def diagram(machine: StateMachine, *, title: str, about: Mapping[str, str], anchor: str) -> str:
    """Return the SVG of a machine. `about` is what is said of each state, read when one points at it; ids
    begin with `anchor`.
    """
    drawing = drawing_of(machine)
    width, height = _number(drawing.width), _number(drawing.height)
    ids = f"{anchor}-title {anchor}-desc"
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" {_WITHOUT_STYLES}'
    parts = [
        f'<svg class="dp-states__drawing" role="img" aria-labelledby="{attribute(ids)}" {size}>',
        f'<title id="{attribute(f"{anchor}-title")}">{text(title)}</title>',
        f'<desc id="{attribute(f"{anchor}-desc")}">{text(_described(machine))}</desc>',
        *_steps(drawing),
        *(_state(one, about.get(one.name, "")) for one in drawing.states),
        "</svg>",
    ]
    return "\n".join(parts)


def _described(machine: StateMachine) -> str:
    steps = "; ".join(f"{one.source} to {one.target}" for one in machine.transitions)
    begins = f"Begins at {', '.join(machine.initial)}. " if machine.initial else ""
    ends = f" Ends at {', '.join(machine.finals)}." if machine.finals else ""
    return f"{begins}Leads from {steps}.{ends}"


def _steps(drawing: Drawing) -> Iterator[str]:
    for one in drawing.starts:
        yield (
            f'<circle class="dp-states__start" cx="{_number(one.x)}" cy="{_number(one.y)}" '
            f'r="{_number(one.width / 2)}"/>'
        )
    yield from map(_arrow, drawing.arrows)
    yield from map(_loop, drawing.loops)


def _arrow(arrow: Arrow) -> str:
    *before, tip = arrow.line[-1]
    falls = 1 if tip[1] > (before[-1] if before else arrow.line[0][0])[1] else -1
    end = (tip[0], tip[1] - falls * HEAD_PX)
    lines = [*arrow.line[:-1], (*before, end)]
    head = [end, (end[0] - _HEAD_HALF, end[1]), tip, (end[0] + _HEAD_HALF, end[1])]
    return _step(" ".join(map(_path, lines)), head[1:], arrow.label)


def _loop(loop: Loop) -> str:
    box, out = loop.box, loop.out
    upper, lower, x = box.y - _LOOP_HALF, box.y + _LOOP_HALF, box.right
    bend = x + out * 1.15  # a cubic curve stays within its control points
    end = x + HEAD_PX
    path = f"M{_pair((x, upper))}C{_pair((bend, upper - 4))} {_pair((bend, lower + 4))} {_pair((end, lower))}"
    head = [(end, lower - _HEAD_HALF), (x, lower), (end, lower + _HEAD_HALF)]
    return _step(path, head, loop.label)


def _step(path: str, head: Sequence[Point], label: Label | None) -> str:
    tip = "L".join(map(_pair, head))
    said = _label(label) if label else ""
    return (
        f'<g class="dp-states__step"><path class="dp-states__line" d="{path}"/>'
        f'<path class="dp-states__head" d="M{tip}Z"/>{said}</g>'
    )


def _path(points: Sequence[Point]) -> str:
    """Return a line through points in which it stands upright."""
    made = f"M{_pair(points[0])}"
    for here, there in pairwise(points):
        if here[0] == there[0]:
            made += f"V{_number(there[1])}"
        else:
            middle = (here[1] + there[1]) / 2
            made += f"C{_pair((here[0], middle))} {_pair((there[0], middle))} {_pair(there)}"
    return made


def _label(label: Label) -> str:
    x = _number(label.box.x)
    first = label.box.y - LINE_PX * (len(label.lines) - 1) / 2 + _BASELINE
    lines = "".join(
        f'<tspan x="{x}" y="{_number(first + number * LINE_PX)}">{text(one)}</tspan>'
        for number, one in enumerate(label.lines)
    )
    return f'<text class="dp-states__label" {_TEXT_WITHOUT_STYLES}>{lines}</text>'


def _state(state: State, about: str) -> str:
    box = state.box
    kind = " dp-states__state--final" if state.is_final else ""
    told = f"<title>{text(about)}</title>" if about else ""
    inner = _rect(box, _INSET) if state.is_final else ""
    return (
        f'<g class="dp-states__state{kind}">{told}{_rect(box, 0)}{inner}'
        f'<text class="dp-states__name" {_TEXT_WITHOUT_STYLES} x="{_number(box.x)}" '
        f'y="{_number(box.y + _BASELINE)}">{text(state.name)}</text></g>'
    )


def _rect(box: Box, inset: float) -> str:
    return (
        f'<rect x="{_number(box.left + inset)}" y="{_number(box.top + inset)}" '
        f'width="{_number(box.width - 2 * inset)}" height="{_number(box.height - 2 * inset)}" '
        f'rx="{_number(_RADIUS - inset)}"/>'
    )


def _pair(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    """Return a number of pixels, to a tenth."""
    return f"{round(value, 1):g}"
