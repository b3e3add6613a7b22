"""The layout of states and transitions in a diagram."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from devportal.contract import StateMachine
from devportal.reference.states.diagram_cells import (
    BOX_HEIGHT_PX,
    LABEL_MARGIN,
    LOOP_WIDTH,
    PORT_GAP,
    PORT_MARGIN,
    EdgeCells,
    LayoutCells,
    label_width,
    layout_cells,
)
from devportal.reference.states.drawing import LINE_HEIGHT_PX, Arrow, Box, Drawing, Label, Loop, Point, State
from devportal.reference.states.layered_graph import (
    LayerEdge,
    LayeredGraph,
    Layers,
    Node,
    NodePlacement,
    order_layers,
    spread_apart,
)

CellPair = tuple[int, int]
ArrowEnds = dict[CellPair, tuple[float, float]]
"""How far from the middles of its two cells each joint ends."""


def evenly_spaced_ends(skeleton: LayoutCells, layers: Layers) -> ArrowEnds:
    """Return ends that are evenly apart, around the middles of their boxes."""
    return _collect_ends(skeleton, _even_shifts(skeleton, layers))


def straight_ends(skeleton: LayoutCells, layers: Layers, xs: Sequence[float]) -> ArrowEnds:
    """Return ends that are right below or above the next cells, up to the edges of their boxes."""
    return _collect_ends(skeleton, _straight_shifts(skeleton, layers, xs))


def _collect_ends(skeleton: LayoutCells, shifts: Iterator[tuple[int, CellPair, float]]) -> ArrowEnds:
    found = {(cell, joint): shift for cell, joint, shift in shifts}
    return {
        joint: (found.get((joint[0], joint), 0), found.get((joint[1], joint), 0)) for joint in skeleton.joints
    }


def _even_shifts(skeleton: LayoutCells, layers: Layers) -> Iterator[tuple[int, CellPair, float]]:
    for cell, joints, step in _joints_by_side(skeleton, layers):
        for number, joint in enumerate(joints):
            yield cell, joint, (number - (len(joints) - 1) / 2) * step


def _straight_shifts(
    skeleton: LayoutCells, layers: Layers, xs: Sequence[float]
) -> Iterator[tuple[int, CellPair, float]]:
    for cell, joints, step in _joints_by_side(skeleton, layers):
        half = skeleton.cells[cell].width / 2 - PORT_MARGIN
        wanted = [xs[_other_cell(joint, cell)] - xs[cell] for joint in joints]
        room = [step * number for number in range(len(joints))]
        shifts = spread_apart(wanted, [1.0] * len(joints), room, within=(-half, half))
        yield from ((cell, joint, shift) for joint, shift in zip(joints, shifts, strict=True))


def _joints_by_side(skeleton: LayoutCells, layers: Layers) -> Iterator[tuple[int, list[CellPair], float]]:
    """Yield the joints at the lower and at the upper side of each state, from the left, and how far they are
    apart there.
    """
    position = {cell: number for layer in layers for number, cell in enumerate(layer)}
    for cell in skeleton.at.values():
        for side in (0, 1):
            joints = [joint for joint in skeleton.joints if joint[side] == cell]
            joints.sort(key=lambda joint, here=cell: position[_other_cell(joint, here)])  # type: ignore[misc]
            gaps = len(joints) - 1
            room = skeleton.cells[cell].width - 2 * PORT_MARGIN
            if joints:
                yield cell, joints, min(PORT_GAP, room / gaps) if gaps else 0


def _other_cell(joint: CellPair, cell: int) -> int:
    return joint[1] if joint[0] == cell else joint[0]


_NODE_GAP = 18
"""Between cells of one layer."""
_MIN_LAYER_GAP, _MAX_LAYER_GAP, _SLOPE = 20, 46, 0.09
"""Between layers: the more a line moves aside there, the more room it gets."""
_MARGIN = 8
_STRAIGHT_EDGE_PULL, _STATE_EDGE_PULL = 8.0, 2.0
"""How strongly the parts of a long edge are held in line, and its ends are held to their states."""


@lru_cache(maxsize=200)
def state_drawing(machine: StateMachine) -> Drawing:
    """Return where everything is; the same for the same machine, and worked out once in a process."""
    skeleton = layout_cells(machine)
    joints = skeleton.joints
    states = frozenset(skeleton.at.values())
    graph = LayeredGraph(
        nodes=tuple(Node(left=cell.width / 2, right=cell.width / 2 + cell.beside) for cell in skeleton.cells),
        layers=skeleton.layers,
        joints=tuple(
            LayerEdge(
                upper=upper,
                lower=lower,
                pull=_STRAIGHT_EDGE_PULL if states.isdisjoint((upper, lower)) else _STATE_EDGE_PULL,
            )
            for upper, lower in joints
        ),
    )
    layers = order_layers(graph)
    ends = evenly_spaced_ends(skeleton, layers)
    placing = NodePlacement(graph, layers, _NODE_GAP, [ends[joint] for joint in joints])
    placing.pull()
    placing.straighten([chain.cells[1:-1] for chain in skeleton.chains])
    xs = _align_left(skeleton, placing.places)
    ends = straight_ends(skeleton, layers, xs)
    return _PlacedCells(skeleton=skeleton, xs=xs, layers=_layer_edges(skeleton, ends, xs), ends=ends).drawing(
        machine
    )


def _align_left(skeleton: LayoutCells, xs: Sequence[float]) -> tuple[float, ...]:
    """Return places in whole pixels, the leftmost cell at the margin."""
    left = min(x - cell.width / 2 for cell, x in zip(skeleton.cells, xs, strict=True))
    return tuple(float(round(x - left + _MARGIN)) for x in xs)


def _layer_edges(skeleton: LayoutCells, ends: ArrowEnds, xs: Sequence[float]) -> tuple[Point, ...]:
    """Return the upper and lower edge of each layer."""
    aside: dict[int, float] = {}
    for (upper, lower), (here, there) in ends.items():
        layer = skeleton.cells[upper].layer
        aside[layer] = max(aside.get(layer, 0), abs(xs[upper] + here - xs[lower] - there))
    found: list[Point] = []
    top = float(_MARGIN)
    for number, cells in enumerate(skeleton.layers):
        height = max((skeleton.cells[cell].height for cell in cells), default=0)
        found.append((top, top + height))
        top += height + round(min(_MAX_LAYER_GAP, _MIN_LAYER_GAP + _SLOPE * aside.get(number, 0)))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlacedCells:
    """Cells with their places: what the parts of a drawing are made from."""

    skeleton: LayoutCells
    xs: tuple[float, ...]
    layers: tuple[Point, ...]
    ends: ArrowEnds

    def drawing(self, machine: StateMachine) -> Drawing:
        """Return the parts, and how large the whole is."""
        cells = self.skeleton.cells
        right = max(x + cell.width / 2 + cell.beside for cell, x in zip(cells, self.xs, strict=True))
        finals = frozenset(machine.finals)
        return Drawing(
            width=right + _MARGIN,
            height=self.layers[-1][1] + _MARGIN,
            starts=tuple(map(self._box, self.skeleton.starts.values())),
            states=tuple(
                State(name=state, box=self._box(self.skeleton.at[state]), is_final=state in finals)
                for state in machine.states
            ),
            arrows=tuple(map(self._arrow, self.skeleton.chains)),
            loops=tuple(self._loop(state, lines) for state, lines in self.skeleton.loops.items()),
        )

    def _box(self, number: int) -> Box:
        cell = self.skeleton.cells[number]
        top, bottom = self.layers[cell.layer]
        is_state = number in self.skeleton.at.values()
        return Box(
            x=self.xs[number],
            y=(top + bottom) / 2,
            width=cell.width,
            height=BOX_HEIGHT_PX if is_state else cell.height,
        )

    def _arrow(self, chain: EdgeCells) -> Arrow:
        label = self._label(chain)
        points = tuple(self._points(chain, label))
        broken = next((at for at, point in enumerate(points) if label and point[1] >= label.box.y), None)
        line: tuple[tuple[Point, ...], ...] = (points,)
        if broken is not None:
            line = (points[:broken], points[broken:])
        if chain.edge.points_up:
            line = tuple(part[::-1] for part in reversed(line))
        return Arrow(source=chain.edge.source, target=chain.edge.target, line=line, label=label)

    def _label(self, chain: EdgeCells) -> Label | None:
        return Label(lines=chain.lines, box=self._box(chain.label)) if chain.lines else None

    def _points(self, chain: EdgeCells, label: Label | None) -> Iterator[Point]:
        """Yield the points of an edge, from its upper end: where it enters and leaves each layer."""
        first, *passed, last = chain.cells
        yield self.xs[first] + self.ends[first, chain.cells[1]][0], self._box(first).bottom
        for cell in passed:
            if label is not None and cell == chain.label:
                yield self.xs[cell], label.box.top
                yield self.xs[cell], label.box.bottom
            else:
                top, bottom = self.layers[self.skeleton.cells[cell].layer]
                yield self.xs[cell], top
                if bottom > top:
                    yield self.xs[cell], bottom
        yield self.xs[last] + self.ends[chain.cells[-2], last][1], self._box(last).top

    def _loop(self, state: str, lines: tuple[str, ...]) -> Loop:
        box = self._box(self.skeleton.at[state])
        if not lines:
            return Loop(state=state, box=box, out=LOOP_WIDTH)
        width = label_width(lines)
        at = box.right + LOOP_WIDTH + LABEL_MARGIN + width / 2
        label = Label(lines=lines, box=Box(x=at, y=box.y, width=width, height=LINE_HEIGHT_PX * len(lines)))
        return Loop(state=state, box=box, out=LOOP_WIDTH, label=label)
