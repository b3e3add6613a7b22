"""Sections of compared schemas: the changes of each, once, with all places that reach them."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from devportal.contract import ABSENT, Location, Stability
from devportal.differ.change import Subject, Use
from devportal.differ.components import Components
from devportal.differ.located_changes import (
    ChangeLocation,
    ComparedSchemas,
    SchemaUse,
    least_stable,
)
from devportal.differ.rule import Direction, FoundChange, Rule


class Frame(NamedTuple):
    """A changed component to which a place belongs, the path in it, and where the component begins.

    `begin` is a path within the section, or in an operation.
    """

    component: Location
    path: str
    begin: str

    def at(self, step: str) -> "Frame":
        """Return the frame of a place below."""
        return self._replace(path=self.path + step)


class FormerStep(NamedTuple):
    """The shared schema under which earlier versions file a change, and the path in it."""

    name: str
    path: str

    def at(self, step: str) -> "FormerStep":
        """Return the place below."""
        return self._replace(path=self.path + step)


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionChange:
    """A change found within a section, and the path to it.

    `stability` is that of the least stable schema on the path, `around` the same without the last schema.
    `frame` is None if no component on the path changed at this place.
    """

    rule: Rule[Any]
    change: FoundChange
    path: str
    stability: Stability | None
    around: Stability | None
    direction: Direction
    frame: Frame | None
    former: FormerStep | None


class SectionLink(NamedTuple):
    """The path from a section to one below, and the frame of the place that leads there."""

    path: str
    stability: Stability | None
    frame: Frame | None
    compared: ComparedSchemas


@dataclass(slots=True, kw_only=True, eq=False)
class SchemaSection:
    """The changes found in one schema down to the next schemas with several uses, and the path to each of those."""

    compared: ComparedSchemas
    changes: list[SectionChange] = field(default_factory=list)
    below: list[SectionLink] = field(default_factory=list)
    uses: dict[Stability, dict[tuple[Subject, str], Use]] = field(default_factory=dict)


class Start(NamedTuple):
    """Where a schema is used in an operation, and the frame of that place."""

    location: ChangeLocation
    frame: Frame | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A place from which a section is reached through schemas that did not change themselves.

    It is in another section, `holder`, or where an operation uses a schema, `start`. `path` leads from the
    place to the section, `walk` from the beginning of the holder or of the start.
    """

    holder: SchemaSection | None = None
    start: Start | None = None
    frame: Frame | None
    path: str
    walk: str
    stability: Stability | None


class _Node(NamedTuple):
    """A compared schema within its section."""

    compared: ComparedSchemas
    path: str
    around: Stability | None
    frames: Mapping[Location, Frame]
    fallback: Frame | None
    former: FormerStep | None


class SchemaSections:
    """The sections of all compared schemas, and the places that reach them."""

    def __init__(self, components: Components) -> None:
        """Take the components of both contracts."""
        self._components = components
        self._starts: list[tuple[SchemaUse, ChangeLocation]] = []
        self._sections: dict[int, SchemaSection] = {}
        self._roots: set[int] = set()
        self._relevant: frozenset[int] = frozenset()
        self._former: dict[int, FormerStep | None] = {}
        self._links: dict[int, list[tuple[SchemaSection, SectionLink]]] = defaultdict(list)
        self._starts_at: dict[int, list[Start]] = defaultdict(list)
        self._seeds: dict[int, Mapping[Location, Frame]] = {}
        self._reached: dict[tuple[int, Stability], tuple[tuple[SchemaSection, Stability, str], ...]] = {}

    def begin(self, schemas: SchemaUse, location: ChangeLocation) -> None:
        """Add the compared schemas at a location."""
        self._starts.append((schemas, location))

    def reached_sections(self) -> Iterator[SchemaSection]:
        """Yield the sections, those with changes together with every use that reaches them."""
        self._look_at_graph()
        for schemas, location in sorted(self._starts, key=lambda start: start[1].use):
            if id(schemas.compared) in self._relevant:
                frame = start_frame(schemas, location, self._components)
                self._starts_at[id(schemas.compared)].append(Start(location, frame))
                self._seeds.setdefault(id(schemas.compared), part_frames(location, self._components))
                self._reach(schemas.compared, location)
        yield from self._sections.values()

    def origins(self, section: SchemaSection) -> tuple[Origin, ...] | None:
        """Return every place from which a section is reached through schemas that did not change.

        Returns None if there are too many to list.
        """
        found: list[Origin] = []
        pending: list[tuple[SchemaSection, str, Stability | None, frozenset[int]]] = [
            (section, "", None, frozenset({id(section)}))
        ]
        steps = 0
        while pending:
            current, path, stability, seen = pending.pop()
            for start in self._starts_at[id(current.compared)]:
                found.append(Origin(start=start, frame=start.frame, path=path, walk=path, stability=stability))
            for holder, link in self._links[id(current.compared)]:
                steps += 1
                least = _least_stable_known(link.stability, stability)
                if link.frame is not None:
                    walk = link.path + path
                    found.append(
                        Origin(holder=holder, frame=link.frame, path=path, walk=walk, stability=least)
                    )
                elif id(holder) not in seen:
                    pending.append((holder, link.path + path, least, seen | {id(holder)}))
            if len(found) > _MAX_ORIGINS or steps > _MAX_STEPS:
                return None
        return tuple(found)

    def _look_at_graph(self) -> None:
        """Find the schemas with several uses, and those with changes or that lead to one."""
        users: dict[int, list[int]] = defaultdict(list)
        self._roots = {id(schemas.compared) for schemas, _ in self._starts}
        pending = [schemas.compared for schemas, _ in self._starts]
        seen: set[int] = set()
        changed: list[int] = []
        while pending:
            compared = pending.pop()
            if id(compared) in seen:
                continue
            seen.add(id(compared))
            if compared.changes:
                changed.append(id(compared))
            for use in compared.below:
                users[id(use.compared)].append(id(compared))
                pending.append(use.compared)
        self._roots |= {key for key, its in users.items() if len(its) > 1}
        relevant = set(changed)
        while changed:
            for user in users[changed.pop()]:
                if user not in relevant:
                    relevant.add(user)
                    changed.append(user)
        self._relevant = frozenset(relevant)

    def _reach(self, start: ComparedSchemas, location: ChangeLocation) -> None:
        """Record the location at every section with changes that it reaches."""
        key = (id(start), location.stability)
        reached = self._reached.get(key)
        if reached is None:
            reached = self._reached[key] = tuple(self._changed_sections_below(start, location.stability))
        subject, base, tags = location.use.subject, location.use.field, location.use.tags
        for section, stability, path in reached:
            uses = section.uses.setdefault(stability, {})
            place = base + path
            if (subject, place) not in uses:
                uses[subject, place] = Use(subject=subject, field=place, tags=tags)

    def _changed_sections_below(
        self, start: ComparedSchemas, stability: Stability
    ) -> Iterator[tuple[SchemaSection, Stability, str]]:
        """Yield the sections with changes below a schema, with the shortest path to each.

        A section is yielded once for each stability that it is reached with, and for each place in the first
        section that leads to it.
        """
        pending = deque([(start, "", stability)])
        seen = {(id(start), stability)}
        while pending:
            compared, path, outer = pending.popleft()
            section = self._section(compared)
            if section.changes:
                yield section, outer, path
            for link in section.below:
                below, reached = link.compared, least_stable(outer, link.stability)
                if (id(below), reached) not in seen:
                    seen.add((id(below), reached))
                    pending.append((below, path + link.path, reached))
                elif compared is start and below is not start and (changed := self._section(below)).changes:
                    yield changed, reached, link.path

    def _section(self, start: ComparedSchemas) -> SchemaSection:
        cached = self._sections.get(id(start))
        if cached is not None:
            return cached
        section = self._sections[id(start)] = SchemaSection(compared=start)
        pending = [_Node(start, "", None, self._seeds.get(id(start), {}), None, self._former.get(id(start)))]
        while pending:
            pending += reversed(tuple(self._add_node(section, pending.pop())))
        return section

    def _add_node(self, section: SchemaSection, node: _Node) -> Iterator[_Node]:
        """Add the changes of a schema to its section; yield the schemas below that belong to the section."""
        compared, path = node.compared, node.path
        former = FormerStep(compared.former_name, "") if compared.former_name else node.former
        frames = {
            component: node.frames.get(component) or Frame(component, self._path(component, location), path)
            for component, location in compared.components.items()
        }
        fallback = frames.get(self._main_component(compared), node.fallback)
        stability = _least_stable_known(node.around, compared.stability)
        for rule, found_change in compared.changes:
            change = _with_schema_locations(found_change, compared)
            section.changes.append(
                SectionChange(
                    rule=rule,
                    change=change,
                    path=path,
                    stability=stability,
                    around=node.around,
                    direction=compared.direction,
                    frame=self._frame(change, frames, fallback),
                    former=former,
                )
            )
        for use in compared.below:
            if id(use.compared) not in self._relevant:
                continue
            below, step = use.compared, use.step
            frame = fallback.at(step) if fallback is not None else None
            if use.component is not None and use.location is not None:
                own = frames.get(use.component)
                begun = Frame(use.component, self._path(use.component, use.location), path + step)
                frame = own.at(step) if own is not None else begun
            if id(below) in self._roots:
                link = SectionLink(path + step, stability, frame, below)
                section.below.append(link)
                self._links[id(below)].append((section, link))
                self._former.setdefault(id(below), former.at(step) if former is not None else None)
                continue
            inner = {component: one.at(step) for component, one in frames.items()}
            yield _Node(
                below, path + step, stability, inner, frame, former.at(step) if former is not None else None
            )

    def _path(self, component: Location, location: Location) -> str:
        return self._components.path(component, location)

    def _main_component(self, compared: ComparedSchemas) -> Location | None:
        """Return the changed component in which both schemas stand themselves, None if there is none."""
        component = self._components.changed_component(compared.new_location)
        is_same = component == self._components.changed_component(compared.old_location)
        return component if is_same else None

    def _frame(
        self, change: FoundChange, frames: Mapping[Location, Frame], fallback: Frame | None
    ) -> Frame | None:
        """Return the frame of a change: by where its value is written, as far as that applies on both sides.

        What was removed is written in the old contract, everything else in the new one.
        """
        is_gone = change.new is ABSENT and change.old is not ABSENT
        location = change.old_location if is_gone else change.new_location
        component = self._components.changed_component(location) if location is not None else None
        return frames.get(component, fallback) if component is not None else fallback


def start_frame(schemas: SchemaUse, location: ChangeLocation, components: Components) -> Frame | None:
    """Return the frame of the place where an operation uses schemas."""
    frames = part_frames(location, components)
    if schemas.component is None or schemas.location is None:
        return next(reversed(frames.values()), None)
    path = components.path(schemas.component, schemas.location)
    return frames.get(schemas.component) or Frame(schemas.component, path, "")


def part_frames(location: ChangeLocation, components: Components) -> dict[Location, Frame]:
    """Return the changed components in which the parts on a path stand on both sides, the innermost last."""
    frames: dict[Location, Frame] = {}
    for old, new, length in location.parts:
        component = components.changed_component(new)
        if component is None or components.changed_component(old) != component:
            continue
        path = join_path(components.path(component, new), location.use.field[length:])
        frames.setdefault(component, Frame(component, path, location.use.field[:length]))
    return frames


_STEPS = frozenset(".[|:(")
"""The characters that a further step of a place begins with."""


def join_path(base: str, rest: str) -> str:
    """Return a path within a path."""
    return f"{base}.{rest}" if base and rest and rest[0] not in _STEPS else base + rest


_MAX_ORIGINS, _MAX_STEPS = 100, 1_000
"""How many places are listed for a change that all of them share, and how many schemas are looked at."""


def _least_stable_known(one: Stability | None, other: Stability | None) -> Stability | None:
    return other if one is None else least_stable(one, other)


def _with_schema_locations(change: FoundChange, compared: ComparedSchemas) -> FoundChange:
    """Return the change with the locations of the two schemas if it has none of its own."""
    return replace(
        change,
        old_location=change.old_location or compared.old_location,
        new_location=change.new_location or compared.new_location,
    )
