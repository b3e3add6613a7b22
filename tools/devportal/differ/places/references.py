"""The references that lead to compared schemas: those of messages, and those of components to one another."""

import hashlib
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

from devportal.contract import Location
from devportal.differ.change import Subject, SubjectKind, Use
from devportal.differ.components import Components
from devportal.differ.located_changes import ChangeLocation, ComparedSchemas

_SCHEMAS = "schemas"
_MAX_LISTED = 30
"""How many references are listed. If there are more, they are counted, with a digest of all."""
_DIGITS = 16


class ReferenceTarget(NamedTuple):
    """A compared schema to which references lead, by its id.

    With `entry`, only the references of components in or below that compared schema count: the place that leads
    there is known.
    """

    compared: int
    entry: int | None = None


class References:
    """Finds every reference by which a message reaches a compared schema.

    A component within others may be reached in very many ways, but each consists of references: those of a
    message, `POST /v1/orders request → Order`, and those of components, `schema Order customer → Person`. A way
    is new if one of them is. The references that lead to a schema are the bits of a number, since in large
    contracts most components lead to most others.
    """

    def __init__(
        self,
        starts: Iterable[tuple[ComparedSchemas, ChangeLocation]],
        relevant: Set[int],
        components: Components,
    ) -> None:
        """Take the compared schemas of messages, each with its location, and the ids of those that matter."""
        self._components = components
        self._relevant = relevant
        self._names: dict[str, int] = {}
        self._links: dict[int, dict[tuple[int, int], None]] = defaultdict(dict)
        self._of_messages = 0
        self._leading: dict[int, int] = defaultdict(int)
        self._below: dict[int, int] = {}
        self._summaries: dict[int, tuple[str, ...]] = {}
        entered: list[ComparedSchemas] = []
        for start, location in starts:
            if id(start) in relevant:
                entered += self._add_message(start, location.use)
        self._add_components(entered)
        self._propagate()

    def further_than(
        self, uses: tuple[Use, ...], component: Subject, targets: Iterable[ReferenceTarget]
    ) -> tuple[str, ...]:
        """Return the references that lead to targets, sorted: without those of known places to the changed
        component. Of many, return only their number with a digest of all.
        """
        leading = 0
        for compared, entry in targets:
            own = self._leading.get(compared, 0)
            leading |= own if entry is None else own & self._made_below(entry)
        for use in uses:
            number = self._names.get(_reference(use, component.name))
            if number is not None:
                leading &= ~(1 << number)
        if leading not in self._summaries:  # schemas that lead to each other have the same references
            self._summaries[leading] = _summarise(self._names_of(leading))
        return self._summaries[leading]

    def _made_below(self, entry: int) -> int:
        """Return the references of components in or below a schema."""
        found = self._below.get(entry)
        if found is None:
            found, pending, seen = 0, [entry], {entry}
            while pending:
                for below, bit in self._links.get(pending.pop(), ()):
                    found |= bit
                    if below not in seen:
                        seen.add(below)
                        pending.append(below)
            found = self._below[entry] = found & ~self._of_messages
        return found

    def _names_of(self, leading: int) -> Iterator[str]:
        return compress(self._names, map(int, reversed(f"{leading:b}")))

    def _add_message(self, start: ComparedSchemas, use: Use) -> list[ComparedSchemas]:
        """Add the references of a message; return the schemas of components to which they lead."""
        is_schema = self._stands_in_schema(start.new_location)
        self._leading[id(start)] |= self._bit(use, self._targets(start, is_referred_to=is_schema))
        entered: list[ComparedSchemas] = []
        pending, seen = [(start, use)], {id(start)}
        while pending:
            compared, own = pending.pop()
            if self._stands_in_schema(compared.new_location):
                entered.append(compared)
                continue
            for place, below, bit in self._add_links(compared, own):
                self._of_messages |= bit
                if id(below) not in seen:
                    seen.add(id(below))
                    pending.append((below, place))
        return entered

    def _add_components(self, pending: list[ComparedSchemas]) -> None:
        """Add the references of all components that can be reached."""
        seen: set[int] = set()
        while pending:
            compared = pending.pop()
            if id(compared) not in seen:
                seen.add(id(compared))
                links = self._add_links(compared, self._own_place(compared.new_location))
                pending += [below for _, below, _ in links]

    def _add_links(self, compared: ComparedSchemas, own: Use) -> Iterator[tuple[Use, ComparedSchemas, int]]:
        """Add the links from a schema to those below. Yield each with the place that leads there and its bit."""
        links = self._links[id(compared)]
        for step, below, *_ in compared.below:
            if id(below) in self._relevant:
                place = replace(own, field=own.field + step)
                is_referred_to = not _is_within(below.new_location, compared.new_location)
                bit = self._bit(place, self._targets(below, is_referred_to=is_referred_to))
                links[id(below), bit] = None
                yield place, below, bit

    def _targets(self, compared: ComparedSchemas, *, is_referred_to: bool) -> Iterator[str]:
        """Yield the names of what a reference leads to: a schema, and the components that apply by `allOf`."""
        if is_referred_to:
            place = self._own_place(compared.new_location)
            yield place.subject.name + place.field
        for component, location in compared.components.items():
            if self._components.is_whole(location) and location != compared.new_location:
                yield self._components.subject(component).name

    def _stands_in_schema(self, location: Location) -> bool:
        component = self._components.component(location)
        return component is not None and self._components.subject(component).section == _SCHEMAS

    def _own_place(self, location: Location) -> Use:
        """Return where a schema is written: in a component, or, if one refers to it, elsewhere."""
        component = self._components.component(location)
        if component is None:
            return Use(subject=Subject(kind=SubjectKind.DOCUMENT), field="/".join(location.pointer))
        return Use(subject=self._components.subject(component), field=self._components.path(location))

    def _bit(self, place: Use, targets: Iterable[str]) -> int:
        """Return the bit of a reference, 0 if it leads to nothing."""
        named = ", ".join(sorted(targets))
        return 1 << self._names.setdefault(_reference(place, named), len(self._names)) if named else 0

    def _propagate(self) -> None:
        """Give each schema the references that lead to it, through other schemas too."""
        pending = deque(self._links)
        waiting = set(pending)
        while pending:
            key = pending.popleft()
            waiting.discard(key)
            leading = self._leading[key]
            for below, bit in self._links[key]:
                known = self._leading[below]
                if known | leading | bit != known:
                    self._leading[below] = known | leading | bit
                    if below in self._links and below not in waiting:
                        waiting.add(below)
                        pending.append(below)


def _reference(place: Use, target: str) -> str:
    """Return a reference as policies list it."""
    return f"{place} → {target}"


def _is_within(location: Location, outer: Location) -> bool:
    """Say whether a location lies below another one."""
    depth = len(outer.pointer)
    is_deeper = len(location.pointer) > depth and location.pointer[:depth] == outer.pointer
    return is_deeper and location.file == outer.file


def _summarise(names: Iterable[str]) -> tuple[str, ...]:
    """Return names sorted, or of very many their number and a digest."""
    listed = tuple(sorted(names))
    if len(listed) <= _MAX_LISTED:
        return listed
    digest = hashlib.sha256("\0".join(listed).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return (f"{len(listed)} references (digest {digest})",)
