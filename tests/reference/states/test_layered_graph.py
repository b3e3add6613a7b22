"""Order and places in layers."""

import math
from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from devportal.reference.states.layered_graph import (
    LayerEdge,
    LayeredGraph,
    Node,
    count_crossings,
    order_layers,
    spread_apart,
)


@st.composite
def graphs(draw: st.DrawFn) -> LayeredGraph:
    """Return graphs of a few layers with a few nodes each."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=2, max_size=4))
    numbers = iter(range(sum(sizes)))
    layers = tuple(tuple(next(numbers) for _ in range(size)) for size in sizes)
    pairs = [(a, b) for above, below in pairwise(layers) for a in above for b in below]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=12, unique=True))
    joints = tuple(LayerEdge(upper=upper, lower=lower) for upper, lower in chosen)
    return LayeredGraph(nodes=(Node(),) * sum(sizes), layers=layers, joints=joints)


@given(graphs())
def test_no_order_has_more_crossings_than_before(graph: LayeredGraph) -> None:
    """And each layer holds what it held."""
    found = order_layers(graph)

    assert count_crossings(found, graph.joints) <= count_crossings(graph.layers, graph.joints)
    assert [sorted(item) for item in found] == [sorted(layer) for layer in graph.layers]


def test_what_need_not_cross_does_not() -> None:
    """Two edges that are crossed as written are put right."""
    joints = (LayerEdge(upper=0, lower=3), LayerEdge(upper=1, lower=2))
    graph = LayeredGraph(nodes=(Node(),) * 4, layers=((0, 1), (2, 3)), joints=joints)

    assert count_crossings(graph.layers, joints) == 1
    assert count_crossings(order_layers(graph), joints) == 0


PLACES = st.floats(-100, 100)


@given(st.lists(st.tuples(PLACES, st.floats(0.1, 9), st.floats(0, 50)), min_size=1, max_size=6), st.data())
def test_pooled_places_are_the_nearest(nodes: list[tuple[float, float, float]], data: st.DataObject) -> None:
    """Apart as asked; and no other places that are so come nearer to those wanted."""
    wanted, weights, gaps = (list(item) for item in zip(*nodes, strict=True))
    room = [sum(gaps[:number]) for number in range(len(gaps))]

    def distance(places: Sequence[float]) -> float:
        apart: list[float] = [here - there for here, there in zip(places, wanted, strict=True)]
        return math.fsum(weight * item * item for item, weight in zip(apart, weights, strict=True))

    found = spread_apart(wanted, weights, room, within=(-200, 400))
    free = sorted(data.draw(st.lists(PLACES, min_size=len(nodes), max_size=len(nodes))))
    other = [place + taken for place, taken in zip(free, room, strict=True)]

    assert found[0] >= -200
    assert found[-1] <= 400
    assert all(
        there - here >= apart - 1e-9
        for (here, there), apart in zip(pairwise(found), (b - a for a, b in pairwise(room)), strict=True)
    )
    assert distance(found) <= distance(other) + 1e-6


def test_places_stay_within_their_bounds() -> None:
    """Where all want to be at one edge, the room they need is taken from the other side."""
    assert spread_apart([9.0, 9.0], [1.0, 1.0], [0.0, 4.0], within=(-10, 10)) == [6.0, 10.0]
    assert spread_apart([-30.0, 90.0], [1.0, 1.0], [0.0, 4.0], within=(-10, 10)) == [-10.0, 10.0]
