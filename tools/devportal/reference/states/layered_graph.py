"""Graphs in layers, one below the other: in which order nodes stand in their layer, and where.

This is the method of Sugiyama, Tagawa and Toda (1981): nodes are joined to the next layer only, so that a
longer edge is a chain of nodes without size. The order is found by barycentres, places by least squares: each
node is drawn to its neighbours, and kept apart from those beside it. Everything is deterministic.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

CROSSING_SWEEPS = 12
"""How often the order is improved, downwards and upwards; small graphs are done after a few."""
POSITION_SWEEPS, STRAIGHTENING_SWEEPS = 60, 12
"""How often places are improved; what is left to gain then is less than a pixel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node in its layer: how far it reaches to the left and right of its middle, in pixels."""

    left: float = 0.0
    right: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerEdge:
    """What joins a node to one in the next layer, by their numbers; `pull` is how strongly."""

    upper: int
    lower: int
    pull: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LayeredGraph:
    """A graph in layers: nodes by number, the numbers in each layer, from the top, and what joins them. No
    layer is empty.
    """

    nodes: tuple[Node, ...]
    layers: tuple[tuple[int, ...], ...]
    joints: tuple[LayerEdge, ...]


Layers = tuple[tuple[int, ...], ...]
Neighbours = dict[int, list[int]]
"""The nodes in the layer above, or below, that each node is joined to."""


def count_crossings(layers: Layers, joints: Iterable[LayerEdge]) -> int:
    """Return how often joints cross."""
    at = {node: position for layer in layers for position, node in enumerate(layer)}
    depth = {node: number for number, layer in enumerate(layers) for node in layer}
    by_layer: dict[int, list[tuple[int, int]]] = {}
    for joint in joints:
        by_layer.setdefault(depth[joint.upper], []).append((at[joint.upper], at[joint.lower]))
    return sum(
        (first[0] - second[0]) * (first[1] - second[1]) < 0
        for pairs in by_layer.values()
        for number, first in enumerate(pairs)
        for second in pairs[number + 1 :]
    )


def order_layers(graph: LayeredGraph) -> Layers:
    """Return the layers in an order in which few joints cross."""
    above, below = _neighbours_by_side(graph)
    best = order = graph.layers
    fewest = count_crossings(best, graph.joints)
    for sweep in range(2 * CROSSING_SWEEPS):
        if fewest == 0:
            break
        towards = above if sweep % 2 == 0 else below
        order = _swap_crossing_nodes(
            _sort_by_neighbours(order, towards, upwards=sweep % 2 == 1), above, below
        )
        found = count_crossings(order, graph.joints)
        if found < fewest:
            best, fewest = order, found
    return best


def _neighbours_by_side(graph: LayeredGraph) -> tuple[Neighbours, Neighbours]:
    above: Neighbours = {number: [] for number in range(len(graph.nodes))}
    below: Neighbours = {number: [] for number in range(len(graph.nodes))}
    for joint in graph.joints:
        above[joint.lower].append(joint.upper)
        below[joint.upper].append(joint.lower)
    return above, below


def _sort_by_neighbours(layers: Layers, towards: Neighbours, *, upwards: bool) -> Layers:
    """Return the layers, each in the order of the middles of its neighbours in the layer before it."""
    found = list(layers)
    numbers = range(len(layers) - 2, -1, -1) if upwards else range(1, len(layers))
    for number in numbers:
        before = found[number + 1 if upwards else number - 1]
        at = {node: position for position, node in enumerate(before)}
        middles = {
            node: sum(at[number] for number in towards[node]) / len(towards[node])
            for node in found[number]
            if towards[node]
        }
        found[number] = _sort_by_middle(found[number], middles)
    return tuple(found)


def _sort_by_middle(layer: Sequence[int], middles: dict[int, float]) -> tuple[int, ...]:
    """Return a layer sorted by middles; nodes that have none keep their place."""
    sorted_nodes = iter(sorted((node for node in layer if node in middles), key=lambda node: middles[node]))
    return tuple(next(sorted_nodes) if node in middles else node for node in layer)


def _swap_crossing_nodes(layers: Layers, *sides: Neighbours) -> Layers:
    """Return the layers with nodes that stand side by side swapped, as long as fewer joints cross then."""
    found = [list(layer) for layer in layers]
    at = {node: position for layer in found for position, node in enumerate(layer)}
    is_better = True
    while is_better:
        is_better = False
        for layer in found:
            for position in range(len(layer) - 1):
                left, right = layer[position : position + 2]
                if sum(_count_pair_crossings(side[right], side[left], at) for side in sides) < sum(
                    _count_pair_crossings(side[left], side[right], at) for side in sides
                ):
                    layer[position : position + 2] = right, left
                    at[left], at[right] = position + 1, position
                    is_better = True
    return tuple(map(tuple, found))


def _count_pair_crossings(left: Sequence[int], right: Sequence[int], at: Mapping[int, int]) -> int:
    """Return how many joints to these neighbours cross, of two nodes that stand left and right."""
    return sum(at[number] > at[other] for number in left for other in right)


class NodePlacement:
    """Finds where nodes are within their layers, whose order stays: joints short, nodes `gap` apart."""

    def __init__(
        self, graph: LayeredGraph, layers: Layers, gap: float, shifts: Sequence[tuple[float, float]]
    ) -> None:
        """Take the graph, and how far from the middles of its two nodes each joint ends."""
        self._nodes, self._layers, self._gap = graph.nodes, layers, gap
        self._pulls: list[list[tuple[int, float, float]]] = [[] for _ in graph.nodes]
        for joint, (upper, lower) in zip(graph.joints, shifts, strict=True):
            self._pulls[joint.upper].append((joint.lower, lower - upper, joint.pull))
            self._pulls[joint.lower].append((joint.upper, upper - lower, joint.pull))
        self._beside = {
            node: (
                layer[position - 1] if position else None,
                layer[position + 1] if position + 1 < len(layer) else None,
            )
            for layer in layers
            for position, node in enumerate(layer)
        }
        self.places = [0.0] * len(graph.nodes)

    def pull(self) -> None:
        """Draw all nodes to their neighbours, layer by layer."""
        for number in range(POSITION_SWEEPS):
            for layer in self._layers if number % 2 == 0 else reversed(self._layers):
                wanted = [self._wanted_position((node,)) for node in layer]
                weights = [sum(weight for *_, weight in self._pulls[node]) or 1.0 for node in layer]
                for node, place in zip(layer, spread_apart(wanted, weights, self._room(layer)), strict=True):
                    self.places[node] = place

    def straighten(self, runs: Iterable[Sequence[int]]) -> None:
        """Put the nodes of each run at one place, if there is room for that; then all others again."""
        alone = set(self._beside).difference(*runs)
        for _ in range(STRAIGHTENING_SWEEPS):
            for run in (*runs, *((node,) for node in sorted(alone))):
                lowest, highest = self._free(run)
                if lowest <= highest:
                    place = min(max(self._wanted_position(run), lowest), highest)
                    for node in run:
                        self.places[node] = place

    def _wanted_position(self, run: Sequence[int]) -> float:
        """Return where nodes would be if nothing stood beside them, and they one below the other."""
        pulls = [
            (self.places[other] + shift, weight)
            for node in run
            for other, shift, weight in self._pulls[node]
            if other not in run
        ]
        total = sum(weight for _, weight in pulls)
        if not total:
            return sum(self.places[node] for node in run) / len(run)
        return sum(place * weight for place, weight in pulls) / total

    def _room(self, layer: Sequence[int]) -> list[float]:
        """Return how far from the first node of a layer each has to be at least."""
        room = [0.0]
        for before, here in pairwise(layer):
            room.append(room[-1] + self._apart(before, here))
        return room

    def _apart(self, before: int, here: int) -> float:
        return self._nodes[before].right + self._gap + self._nodes[here].left

    def _free(self, run: Sequence[int]) -> tuple[float, float]:
        """Return between which places all nodes of a run may be."""
        lowest, highest = -math.inf, math.inf
        for node in run:
            before, behind = self._beside[node]
            if before is not None:
                lowest = max(lowest, self.places[before] + self._apart(before, node))
            if behind is not None:
                highest = min(highest, self.places[behind] - self._apart(node, behind))
        return lowest, highest


def spread_apart(
    wanted_places: Sequence[float],
    weights: Sequence[float],
    room: Sequence[float],
    within: tuple[float, float] = (-math.inf, math.inf),
) -> list[float]:
    """Return the places nearest to those wanted that are apart, all `within` two bounds: from each to the
    next there is at least as much as between their `room`, which counts from the first and has to fit.

    Without the room this is isotonic regression, which pooling neighbours solves exactly; so does cutting
    off what is out of bounds then.
    """
    lowest, highest = within[0], within[1] - room[-1]
    pools: list[tuple[float, float, int]] = []
    for place, weight, taken in zip(wanted_places, weights, room, strict=True):
        middle, total, count = place - taken, weight, 1
        while pools and pools[-1][0] > middle:
            other, heavy, many = pools.pop()
            middle = (middle * total + other * heavy) / (total + heavy)
            total, count = total + heavy, count + many
        pools.append((middle, total, count))
    free = [min(max(middle, lowest), highest) for middle, _, count in pools for _ in range(count)]
    return [place + taken for place, taken in zip(free, room, strict=True)]
