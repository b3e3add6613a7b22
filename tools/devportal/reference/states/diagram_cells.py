"""States and transitions as a graph, and the cells they are drawn in."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from devportal.contract import StateMachine
from devportal.reference.states.drawing import (
    LABEL_FONT_PX,
    LINE_HEIGHT_PX,
    STATE_FONT_PX,
    mono_width,
    sans_width,
    wrap_text,
)
from devportal.reference.states.layered_graph import Layers


@dataclass(frozen=True, slots=True, kw_only=True)
class StateEdge:
    """All transitions from one state to another; `labels` are their triggers.

    An edge that points up has its target in a higher rank.
    """

    source: str
    target: str
    labels: tuple[str, ...]
    points_up: bool = False

    @property
    def upper(self) -> str:
        """The upper end."""
        return self.target if self.points_up else self.source

    @property
    def lower(self) -> str:
        """The lower end."""
        return self.source if self.points_up else self.target


@dataclass(frozen=True, slots=True, kw_only=True)
class StateGraph:
    """States by their rank, from 0 at the top; edges between them, loops at them, and those that something
    new may be in.
    """

    ranks: dict[str, int]
    edges: tuple[StateEdge, ...]
    loops: tuple[StateEdge, ...]
    initial: tuple[str, ...]


def state_graph(machine: StateMachine) -> StateGraph:
    """Return the graph of a machine."""
    merged = tuple(_merge_transitions(machine))
    loops = tuple(state_edge for state_edge in merged if state_edge.source == state_edge.target)
    between = [state_edge for state_edge in merged if state_edge.source != state_edge.target]
    edges = tuple(_mark_back_edges((*machine.initial, *machine.states), between))
    return StateGraph(
        ranks=_node_ranks(machine.states, edges), edges=edges, loops=loops, initial=machine.initial
    )


def _merge_transitions(machine: StateMachine) -> Iterator[StateEdge]:
    labels: dict[tuple[str, str], list[str]] = {}
    for transition in machine.transitions:
        labels.setdefault((transition.source, transition.target), []).append(transition.on)
    for (source, target), texts in labels.items():
        yield StateEdge(source=source, target=target, labels=tuple(dict.fromkeys(filter(None, texts))))


def _mark_back_edges(nodes: Iterable[str], edges: list[StateEdge]) -> Iterator[StateEdge]:
    """Yield the edges, with back edges of a walk from the first nodes marked."""
    back = set(_back_edges(nodes, edges))
    for edge in edges:
        key = (edge.source, edge.target)
        yield StateEdge(source=edge.source, target=edge.target, labels=edge.labels, points_up=key in back)


def _back_edges(nodes: Iterable[str], edges: list[StateEdge]) -> Iterator[tuple[str, str]]:
    """Yield the edges that close a cycle, in depth-first order."""
    below: dict[str, list[str]] = {}
    for edge in edges:
        below.setdefault(edge.source, []).append(edge.target)
    done: set[str] = set()
    for node in nodes:
        if node in done:
            continue
        path: list[tuple[str, Iterator[str]]] = [(node, iter(below.get(node, ())))]
        while path:
            node_at_end, rest = path[-1]
            target = next(rest, None)
            if target is None:
                done.add(node_at_end)
                path.pop()
            elif any(target == entered for entered, _ in path):
                yield node_at_end, target
            elif target not in done:
                path.append((target, iter(below.get(target, ()))))


def _node_ranks(nodes: Iterable[str], edges: Iterable[StateEdge]) -> dict[str, int]:
    """Return the rank of each node: the length of the longest path to it."""
    above: dict[str, list[str]] = {}
    for edge in edges:
        above.setdefault(edge.lower, []).append(edge.upper)
    ranks: dict[str, int] = {}

    def rank(node: str) -> int:
        if node not in ranks:
            ranks[node] = max((rank(upper) + 1 for upper in above.get(node, ())), default=0)
        return ranks[node]

    return {node: rank(node) for node in nodes}


MAX_LABEL_WIDTH_PX = 112
BOX_HEIGHT_PX, START_PX = 38, 12
LABEL_MARGIN = 4
LOOP_WIDTH = 24
"""How far a loop goes out from its box, and a label keeps from a line."""
PORT_GAP, PORT_MARGIN = 16, 14
"""Between the ends of arrows at one box, and from its corners."""
_BOX_PADDING = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutCell:
    """What takes room in a layer: a state, the label of an edge, or an edge that passes by. `beside` is what
    a loop takes to its right.
    """

    layer: int
    width: float = 0
    height: float = 0
    beside: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeCells:
    """An edge as the cells that it leads through, from its upper end; `label` is which of them is its own."""

    edge: StateEdge
    cells: tuple[int, ...]
    label: int
    lines: tuple[str, ...]

    @property
    def pairs(self) -> Iterator[tuple[int, int]]:
        """Each cell with the next."""
        return pairwise(self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutCells:
    """The cells of a machine, those of states by name, those of the dots that initial states begin at, the
    chains between all these, and the labels of loops.
    """

    cells: tuple[LayoutCell, ...]
    at: dict[str, int]
    starts: dict[str, int]
    chains: tuple[EdgeCells, ...]
    loops: dict[str, tuple[str, ...]]

    @property
    def joints(self) -> tuple[tuple[int, int], ...]:
        """Each cell of a chain with the next, no two alike."""
        return tuple(pair for chain in self.chains for pair in chain.pairs)

    @property
    def layers(self) -> Layers:
        """The cells in each layer, in the order written."""
        count = max(cell.layer for cell in self.cells) + 1
        found: list[list[int]] = [[] for _ in range(count)]
        for number, cell in enumerate(self.cells):
            found[cell.layer].append(number)
        return tuple(map(tuple, found))


def layout_cells(machine: StateMachine) -> LayoutCells:
    """Return the cells of a machine, and what joins them."""
    graph = state_graph(machine)
    loops = {loop.source: _label_lines(loop) for loop in graph.loops}
    ends = _arrow_ends_by_state(graph)
    top = 1 if any(graph.ranks[name] == 0 for name in graph.initial) else 0  # room for the dot above
    cells = [
        _state_cell(name, 2 * (rank + top), ends[name], loops.get(name)) for name, rank in graph.ranks.items()
    ]
    at = {name: number for number, name in enumerate(graph.ranks)}
    starts = {name: len(cells) + number for number, name in enumerate(graph.initial)}
    cells += [
        LayoutCell(layer=cells[at[name]].layer - 2, width=START_PX, height=START_PX) for name in graph.initial
    ]
    begun = [(starts[name], at[name], StateEdge(source="", target=name, labels=())) for name in graph.initial]
    chains = []
    for upper, lower, edge in (*begun, *((at[edge.upper], at[edge.lower], edge) for edge in graph.edges)):
        lines = _label_lines(edge)
        passed = range(cells[upper].layer + 1, cells[lower].layer)
        label = len(passed) - 1 if edge.points_up else 0  # beside its source
        numbers = range(len(cells), len(cells) + len(passed))
        cells += [_label_cell(layer, lines if number == label else ()) for number, layer in enumerate(passed)]
        chains.append(EdgeCells(edge=edge, cells=(upper, *numbers, lower), label=numbers[label], lines=lines))
    return LayoutCells(cells=tuple(cells), at=at, starts=starts, chains=tuple(chains), loops=loops)


def _arrow_ends_by_state(graph: StateGraph) -> dict[str, int]:
    """Return how many arrows end at the upper or at the lower side of each state, whichever has more."""
    below = dict.fromkeys(graph.ranks, 0)
    above = {name: int(name in graph.initial) for name in graph.ranks}
    for edge in graph.edges:
        below[edge.upper] += 1
        above[edge.lower] += 1
    return {name: max(below[name], above[name]) for name in graph.ranks}


def _state_cell(name: str, layer: int, ends: int, loop: tuple[str, ...] | None) -> LayoutCell:
    width = max(mono_width(name, STATE_FONT_PX) + 2 * _BOX_PADDING, (ends - 1) * PORT_GAP + 2 * PORT_MARGIN)
    beside = 0 if loop is None else LOOP_WIDTH + LABEL_MARGIN + label_width(loop)
    height = max(BOX_HEIGHT_PX, LINE_HEIGHT_PX * len(loop or ()))
    return LayoutCell(layer=layer, width=round(width), height=height, beside=beside)


def _label_cell(layer: int, lines: tuple[str, ...]) -> LayoutCell:
    height = LINE_HEIGHT_PX * len(lines) + 2 * LABEL_MARGIN if lines else 0
    return LayoutCell(layer=layer, width=label_width(lines), height=height)


def _label_lines(edge: StateEdge) -> tuple[str, ...]:
    return wrap_text(", or ".join(edge.labels), LABEL_FONT_PX, MAX_LABEL_WIDTH_PX)


def label_width(lines: Sequence[str]) -> float:
    """Return the width of the longest line of a label."""
    return round(max((sans_width(line, LABEL_FONT_PX) for line in lines), default=0))
