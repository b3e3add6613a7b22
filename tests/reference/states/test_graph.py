"""The graph under a drawing: what stands above what."""

from hypothesis import given

from devportal.contract import StateMachine
from devportal.reference.states.diagram_cells import state_graph
from tests.contract.machines import machine, machines


@given(machines())
def test_edges_lead_downwards(found: StateMachine) -> None:
    """But those that close a circle; loops are no edges."""
    graph = state_graph(found)

    assert all(graph.ranks[edge.upper] < graph.ranks[edge.lower] for edge in graph.edges)


def test_a_state_stands_below_all_that_lead_to_it() -> None:
    """The rank is the length of the longest way from the top."""
    graph = state_graph(machine("a -> b", "b -> c", "a -> c"))

    assert graph.ranks == {"a": 0, "b": 1, "c": 2}


def test_what_closes_a_circle_leads_upwards() -> None:
    """The walk begins at the initial state, so that the way back is the one that an author would call so."""
    graph = state_graph(machine("b -> a: back", "a -> b: on", initial=("a",)))

    assert [(edge.source, edge.target) for edge in graph.edges if edge.points_up] == [("b", "a")]


def test_steps_between_the_same_states_are_one_edge() -> None:
    """With all that has them happen, each once."""
    graph = state_graph(machine("a -> b: x", "a -> b: y", "a -> b", "a -> a: z"))

    assert [edge.labels for edge in graph.edges] == [("x", "y")]
    assert [loop.labels for loop in graph.loops] == [("z",)]
