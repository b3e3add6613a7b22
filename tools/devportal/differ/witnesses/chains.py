"""The ways from the schemas of messages down to compared schemas in which something has changed."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, islice
from types import MappingProxyType
from typing import NamedTuple

from devportal.differ.located_changes import ChangeLocation, ComparedSchemas

_MAX_CHAINS = 4


class Link(NamedTuple):
    """Compared schemas, and the step from them to the next ones: none at the end of a chain."""

    compared: ComparedSchemas
    step: str


class Chain(NamedTuple):
    """The compared schemas from a message down to a change."""

    location: ChangeLocation
    links: tuple[Link, ...]


class _Way(NamedTuple):
    """How compared schemas are reached: from others by a step, or from a message."""

    cost: int
    above: ComparedSchemas | None
    step: str
    location: ChangeLocation


class Chains:
    """Finds the shortest chains to compared schemas, plain properties before branches and rarer keywords."""

    def __init__(self, starts: Sequence[tuple[ComparedSchemas, ChangeLocation]]) -> None:
        """Take the compared schemas of messages, each with its location."""
        self._ways: dict[int, list[_Way]] = {}
        self._walk(starts)

    def to(self, compared: ComparedSchemas) -> Iterator[Chain]:
        """Yield the shortest chains to compared schemas: a few that end differently, then a few that differ at one
        place further up, as the shortest way to there may be one that no value takes.
        """
        ways = self._ways.get(id(compared), [])
        chains = (self._chain(way, compared) for way in ways)
        yield from chain(chains, islice(self._detours(ways, compared), _MAX_CHAINS))

    def _detours(self, ways: Sequence[_Way], end: ComparedSchemas) -> Iterator[Chain]:
        for way in ways:
            above, passed = way.above, {id(end)}
            while above is not None and id(above) not in passed:
                passed.add(id(above))
                first, *others = self._ways[id(above)]
                yield from (self._chain(way, end, {id(above): other}) for other in others)
                above = first.above

    def _walk(self, starts: Sequence[tuple[ComparedSchemas, ChangeLocation]]) -> None:
        numbers = count()
        ordered = sorted(starts, key=lambda start: (start[1].use.subject, start[1].use.field))
        pending = [
            (0, next(numbers), compared, _Way(0, None, "", location))
            for compared, location in ordered
            if location.part is not None
        ]
        heapq.heapify(pending)
        while pending:
            cost, _, compared, way = heapq.heappop(pending)
            ways = self._ways.setdefault(id(compared), [])
            if len(ways) >= _MAX_CHAINS:
                continue
            ways.append(way)
            if len(ways) > 1:
                continue
            for use in compared.below:
                below_cost = cost + _cost_of(use.step)
                below_way = _Way(below_cost, compared, use.step, way.location)
                heapq.heappush(pending, (below_cost, next(numbers), use.compared, below_way))

    def _chain(
        self, way: _Way, end: ComparedSchemas, detour: Mapping[int, _Way] = MappingProxyType({})
    ) -> Chain:
        """Return the chain that ends with a way; a detour replaces the shortest way the first time."""
        links, detours = [Link(end, "")], dict(detour)
        while way.above is not None:
            links.append(Link(way.above, way.step))
            way = detours.pop(id(way.above), self._ways[id(way.above)][0])
        return Chain(way.location, tuple(reversed(links)))


def _cost_of(step: str) -> int:
    """Return how far a step leads away: what only some values reach is further than what all do."""
    return {":": 20, "|": 4}.get(step[:1], 1)
