"""A state machine as a graph that has no circles: what stands above what, and what says so.

Steps between the same two states are one edge. An edge that would close a circle leads upwards; one to the
state that it comes from is a loop, which takes no room between the ranks.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devportal.contract import StateMachine


@dataclass(frozen=True, slots=True, kw_only=True)
class StateEdge:
    """All steps from a state to another; `labels` are what has them happen. One that leads upwards has its
    target in a rank above.
    """

    source: str
    target: str
    labels: tuple[str, ...]
    leads_up: bool = False

    @property
    def upper(self) -> str:
        """The end that stands higher."""
        return self.target if self.leads_up else self.source

    @property
    def lower(self) -> str:
        """The end that stands lower."""
        return self.source if self.leads_up else self.target


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
    loops = tuple(one for one in merged if one.source == one.target)
    between = [one for one in merged if one.source != one.target]
    edges = tuple(_mark_back_edges((*machine.initial, *machine.states), between))
    return StateGraph(
        ranks=_node_ranks(machine.states, edges), edges=edges, loops=loops, initial=machine.initial
    )


def _merge_transitions(machine: StateMachine) -> Iterator[StateEdge]:
    labels: dict[tuple[str, str], list[str]] = {}
    for one in machine.transitions:
        labels.setdefault((one.source, one.target), []).append(one.on)
    for (source, target), said in labels.items():
        yield StateEdge(source=source, target=target, labels=tuple(dict.fromkeys(filter(None, said))))


def _mark_back_edges(nodes: Iterable[str], edges: list[StateEdge]) -> Iterator[StateEdge]:
    """Yield the edges, those marked that lead back to where a walk from the first nodes has come from."""
    back = set(_back_edges(nodes, edges))
    for one in edges:
        key = (one.source, one.target)
        yield StateEdge(source=one.source, target=one.target, labels=one.labels, leads_up=key in back)


def _back_edges(nodes: Iterable[str], edges: list[StateEdge]) -> Iterator[tuple[str, str]]:
    """Yield the edges that close a circle, as a walk in depth meets them."""
    below: dict[str, list[str]] = {}
    for one in edges:
        below.setdefault(one.source, []).append(one.target)
    done: set[str] = set()
    for node in nodes:
        way: list[tuple[str, Iterator[str]]] = [(node, iter(below.get(node, ())))] if node not in done else []
        while way:
            here, rest = way[-1]
            target = next(rest, None)
            if target is None:
                done.add(here)
                way.pop()
            elif any(target == one for one, _ in way):
                yield here, target
            elif target not in done:
                way.append((target, iter(below.get(target, ()))))


def _node_ranks(nodes: Iterable[str], edges: Iterable[StateEdge]) -> dict[str, int]:
    """Return the rank of each node: the length of the longest way to it."""
    above: dict[str, list[str]] = {}
    for one in edges:
        above.setdefault(one.lower, []).append(one.upper)
    known: dict[str, int] = {}

    def rank(node: str) -> int:
        if node not in known:
            known[node] = max((rank(one) + 1 for one in above.get(node, ())), default=0)
        return known[node]

    return {node: rank(node) for node in nodes}
