"""The drawing of a state machine as SVG. Colours and strokes are in the style sheet; here are classes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from devportal.contract import StateMachine
from devportal.reference.markup import escape_attribute, escape_text
from devportal.reference.states.drawing import (
    ARROWHEAD_PX,
    LINE_HEIGHT_PX,
    Arrow,
    Box,
    Drawing,
    Label,
    Loop,
    Point,
    State,
)
from devportal.reference.states.layout import state_drawing

_WITHOUT_STYLES = 'fill="none" stroke="currentColor"'
_TEXT_WITHOUT_STYLES = 'fill="currentColor" stroke="none" text-anchor="middle"'
"""For readers that show the page without its style sheet, which says more."""
_ARROWHEAD_HALF_WIDTH = 4
_BASELINE = 4.5
"""How far below the middle of a line of text it stands."""
_RADIUS, _INSET = 8, 4
_LOOP_HALF = 9
"""How far above and below the middle of its box a loop begins and ends."""


def state_diagram_svg(machine: StateMachine, *, title: str, about: Mapping[str, str], anchor: str) -> str:
    """Return the SVG of a machine. `about` is what is said of each state, read when one points at it; ids
    begin with `anchor`.
    """
    drawing = state_drawing(machine)
    width, height = _format_number(drawing.width), _format_number(drawing.height)
    ids = f"{anchor}-title {anchor}-desc"
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" {_WITHOUT_STYLES}'
    parts = [
        f'<svg class="dp-states__drawing" role="img" aria-labelledby="{escape_attribute(ids)}" {size}>',
        f'<title id="{escape_attribute(f"{anchor}-title")}">{escape_text(title)}</title>',
        f'<desc id="{escape_attribute(f"{anchor}-desc")}">{escape_text(_describe_machine(machine))}</desc>',
        *_arrows_svg(drawing),
        *(_state_svg(one, about.get(one.name, "")) for one in drawing.states),
        "</svg>",
    ]
    return "\n".join(parts)


def _describe_machine(machine: StateMachine) -> str:
    steps = "; ".join(f"{one.source} to {one.target}" for one in machine.transitions)
    begins = f"Begins at {', '.join(machine.initial)}. " if machine.initial else ""
    ends = f" Ends at {', '.join(machine.finals)}." if machine.finals else ""
    return f"{begins}Leads from {steps}.{ends}"


def _arrows_svg(drawing: Drawing) -> Iterator[str]:
    for one in drawing.starts:
        yield (
            f'<circle class="dp-states__start" cx="{_format_number(one.x)}" cy="{_format_number(one.y)}" '
            f'r="{_format_number(one.width / 2)}"/>'
        )
    yield from map(_arrow_svg, drawing.arrows)
    yield from map(_loop_svg, drawing.loops)


def _arrow_svg(arrow: Arrow) -> str:
    *before, tip = arrow.line[-1]
    falls = 1 if tip[1] > (before[-1] if before else arrow.line[0][0])[1] else -1
    end = (tip[0], tip[1] - falls * ARROWHEAD_PX)
    lines = [*arrow.line[:-1], (*before, end)]
    head = [end, (end[0] - _ARROWHEAD_HALF_WIDTH, end[1]), tip, (end[0] + _ARROWHEAD_HALF_WIDTH, end[1])]
    return _step_svg(" ".join(map(_path_data, lines)), head[1:], arrow.label)


def _loop_svg(loop: Loop) -> str:
    box, out = loop.box, loop.out
    upper, lower, x = box.y - _LOOP_HALF, box.y + _LOOP_HALF, box.right
    bend = x + out * 1.15  # a cubic curve stays within its control points
    end = x + ARROWHEAD_PX
    curve = ((bend, upper - 4), (bend, lower + 4), (end, lower))
    path = f"M{_format_point((x, upper))}C{' '.join(map(_format_point, curve))}"
    head = [(end, lower - _ARROWHEAD_HALF_WIDTH), (x, lower), (end, lower + _ARROWHEAD_HALF_WIDTH)]
    return _step_svg(path, head, loop.label)


def _step_svg(path: str, head: Sequence[Point], label: Label | None) -> str:
    tip = "L".join(map(_format_point, head))
    said = _label_svg(label) if label else ""
    return (
        f'<g class="dp-states__step"><path class="dp-states__line" d="{path}"/>'
        f'<path class="dp-states__head" d="M{tip}Z"/>{said}</g>'
    )


def _path_data(points: Sequence[Point]) -> str:
    """Return a line through points in which it stands upright."""
    made = f"M{_format_point(points[0])}"
    for here, there in pairwise(points):
        if here[0] == there[0]:
            made += f"V{_format_number(there[1])}"
        else:
            middle = (here[1] + there[1]) / 2
            made += f"C{_format_point((here[0], middle))} {_format_point((there[0], middle))} {_format_point(there)}"
    return made


def _label_svg(label: Label) -> str:
    x = _format_number(label.box.x)
    first = label.box.y - LINE_HEIGHT_PX * (len(label.lines) - 1) / 2 + _BASELINE
    lines = "".join(
        f'<tspan x="{x}" y="{_format_number(first + number * LINE_HEIGHT_PX)}">{escape_text(one)}</tspan>'
        for number, one in enumerate(label.lines)
    )
    return f'<text class="dp-states__label" {_TEXT_WITHOUT_STYLES}>{lines}</text>'


def _state_svg(state: State, about: str) -> str:
    box = state.box
    kind = " dp-states__state--final" if state.is_final else ""
    told = f"<title>{escape_text(about)}</title>" if about else ""
    inner = _rect_svg(box, _INSET) if state.is_final else ""
    return (
        f'<g class="dp-states__state{kind}">{told}{_rect_svg(box, 0)}{inner}'
        f'<text class="dp-states__name" {_TEXT_WITHOUT_STYLES} x="{_format_number(box.x)}" '
        f'y="{_format_number(box.y + _BASELINE)}">{escape_text(state.name)}</text></g>'
    )


def _rect_svg(box: Box, inset: float) -> str:
    return (
        f'<rect x="{_format_number(box.left + inset)}" y="{_format_number(box.top + inset)}" '
        f'width="{_format_number(box.width - 2 * inset)}" height="{_format_number(box.height - 2 * inset)}" '
        f'rx="{_format_number(_RADIUS - inset)}"/>'
    )


def _format_point(point: Point) -> str:
    return f"{_format_number(point[0])} {_format_number(point[1])}"


def _format_number(value: float) -> str:
    """Return a number of pixels, to a tenth."""
    return f"{round(value, 1):g}"
