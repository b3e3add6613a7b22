"""What was found in shared schemas, put together so that it is told once for all operations that reach them.

A shared schema is one section, with what was found in it up to the next shared ones. Which operations reach a
section is worked out over sections alone, so that it matters little how often schemas are used.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from devportal.contract import Stability
from devportal.differ.change import Subject, Use
from devportal.differ.judged import Judged
from devportal.differ.rule import Hit, Rule
from devportal.differ.sites import Site, least_stable
from devportal.differ.verdict import Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A hit within a section: the way to it, and what the schemas on the way say of their stability, with its
    own schema and without it.
    """

    rule: Rule[Any]
    hit: Hit
    way: str
    stability: Stability | None
    around: Stability | None
    direction: Direction


@dataclass(slots=True, kw_only=True, eq=False)
class Section:
    """What was found in one schema up to the next shared ones, and those, with the way to each."""

    judged: Judged
    told: list[Told] = field(default_factory=list)
    below: list[tuple[str, Stability | None, Judged]] = field(default_factory=list)
    uses: dict[Stability, dict[Subject, Use]] = field(default_factory=dict)


class Sections:
    """The sections of everything that was found in schemas, and who reaches them."""

    def __init__(self) -> None:
        """Begin without any."""
        self._known: dict[int, Section] = {}
        self._starts: list[tuple[Judged, Site]] = []
        self._reached: dict[tuple[int, Stability], tuple[tuple[Section, Stability, str], ...]] = {}

    def begin(self, judged: Judged, site: Site) -> None:
        """Take in what was found in the schema of a place."""
        self._starts.append((judged, site))

    def reached(self) -> Iterator[Section]:
        """Yield the sections in which something was found, each with everyone who reaches it."""
        telling = self._telling()
        for judged, site in sorted(self._starts, key=lambda start: start[1].use.subject):
            if id(judged) in telling:
                self._reach(judged, site, telling)
        yield from self._known.values()

    def _telling(self) -> frozenset[int]:
        """Return the sections in which something was found, and those that lead to one."""
        users: dict[int, list[int]] = {}
        pending = [judged for judged, _ in self._starts]
        while pending:
            judged = pending.pop()
            if id(judged) not in self._known:
                for _, _, below in self._section(judged).below:
                    users.setdefault(id(below), []).append(id(judged))
                    pending.append(below)
        found = [key for key, section in self._known.items() if section.told]
        telling = set(found)
        while found:
            for user in users.get(found.pop(), ()):
                if user not in telling:
                    telling.add(user)
                    found.append(user)
        return frozenset(telling)

    def _reach(self, start: Judged, site: Site, telling: frozenset[int]) -> None:
        """Note the site at every section that it reaches and in which something was found."""
        key = (id(start), site.stability)
        reached = self._reached.get(key)
        if reached is None:
            reached = self._reached[key] = tuple(self._told_below(start, site.stability, telling))
        subject, base = site.use.subject, site.use.field
        for section, stability, way in reached:
            known = section.uses.setdefault(stability, {})
            if subject not in known:
                known[subject] = Use(subject=subject, field=base + way, tags=site.use.tags)

    def _told_below(
        self, start: Judged, stability: Stability, telling: frozenset[int]
    ) -> Iterator[tuple[Section, Stability, str]]:
        """Yield the sections below a place in which something was found, with the shortest way to each, once
        for each stability they are reached with.
        """
        pending = deque([(start, "", stability)])
        seen = {(id(start), stability)}
        while pending:
            judged, way, outer = pending.popleft()
            section = self._section(judged)
            if section.told:
                yield section, outer, way
            for step, own, below in section.below:
                reached = least_stable(outer, own)
                if id(below) in telling and (id(below), reached) not in seen:
                    seen.add((id(below), reached))
                    pending.append((below, way + step, reached))

    def _section(self, start: Judged) -> Section:
        known = self._known.get(id(start))
        if known is not None:
            return known
        made = self._known[id(start)] = Section(judged=start)
        pending: list[tuple[Judged, str, Stability | None]] = [(start, "", None)]
        seen = {id(start)}
        while pending:
            here, way, around = pending.pop()
            stability = _both(around, here.stability)
            made.told += [
                Told(
                    rule=rule,
                    hit=_placed(hit, here),
                    way=way,
                    stability=stability,
                    around=around,
                    direction=here.direction,
                )
                for rule, hit in here.hits
            ]
            for step, below in reversed(here.below):
                if id(below) in seen:
                    continue
                seen.add(id(below))
                if below.boundary:
                    made.below.append((way + step, stability, below))
                else:
                    pending.append((below, way + step, stability))
        return made


def _both(one: Stability | None, other: Stability | None) -> Stability | None:
    return other if one is None else least_stable(one, other)


def _placed(hit: Hit, judged: Judged) -> Hit:
    """Return the hit with the places of the two schemas where it names none of its own."""
    return replace(
        hit,
        old_location=hit.old_location or judged.old_location,
        new_location=hit.new_location or judged.new_location,
    )
