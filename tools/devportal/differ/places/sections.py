"""Sections of compared schemas: the changes of each, once, with all places that reach them."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

from devportal.contract import ABSENT, Location, Stability
from devportal.differ.change import Subject, Use
from devportal.differ.components import Components
from devportal.differ.located_changes import (
    ChangeLocation,
    ComparedSchemas,
    SchemaUse,
    Trail,
    least_stable,
)
from devportal.differ.places.place_parts import STEP_STARTS
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
    `frame` is None if no component on the path changed at this place. `trail` leads back to the section.
    """

    rule: Rule[Any]
    change: FoundChange
    path: str
    stability: Stability | None
    around: Stability | None
    direction: Direction
    frame: Frame | None
    former: FormerStep | None
    compared: ComparedSchemas
    trail: Trail


class SectionLink(NamedTuple):
    """The path from a section to one below, the frame of the place that leads there, its schema, `user`, and
    the trail back.
    """

    path: str
    stability: Stability | None
    frame: Frame | None
    compared: ComparedSchemas
    user: ComparedSchemas
    trail: Trail


class SectionUses(NamedTuple):
    """The places from which a section is reached, by operation or event.

    All of those that lead to it without another section between, by path, and one for each other operation.
    """

    direct: dict[Subject, dict[str, Use]]
    indirect: dict[Subject, Use]

    def first(self) -> Use:
        """Return one of the places."""
        return next(
            chain((use for own in self.direct.values() for use in own.values()), self.indirect.values())
        )


@dataclass(slots=True, kw_only=True, eq=False)
class SchemaSection:
    """The changes found in one schema down to the next schemas with several uses, and the path to each of those.

    `trail` is where the first operation that uses the schema refers to it.
    """

    compared: ComparedSchemas
    trail: Trail = ()
    changes: list[SectionChange] = field(default_factory=list)
    below: list[SectionLink] = field(default_factory=list)
    uses: dict[Stability, SectionUses] = field(default_factory=dict)
    origins: "tuple[Origin, ...] | None" = ()
    """For changes without a frame: every place from which the section is reached through schemas that did not
    change; None if there are too many to list.
    """


class Start(NamedTuple):
    """Where a schema is used in an operation, the frame of that place, and where it is written."""

    location: ChangeLocation
    frame: Frame | None
    trail: Trail


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A place from which a section is reached through schemas that did not change themselves.

    It is in another section, `holder`, in its schema `user`, or where an operation uses a schema, `start`.
    `entry` is the schema there. `path` leads from the place to the section, `walk` from the beginning of the
    holder or of the start, `trail` back to the place.
    """

    holder: SchemaSection | None = None
    user: ComparedSchemas | None = None
    entry: ComparedSchemas
    start: Start | None = None
    frame: Frame | None
    path: str
    walk: str
    stability: Stability | None
    trail: Trail


class _Node(NamedTuple):
    """A compared schema within its section."""

    compared: ComparedSchemas
    path: str
    around: Stability | None
    frames: Mapping[Location, Frame]
    fallback: Frame | None
    former: FormerStep | None
    trail: Trail = ()


class _ReachedSection(NamedTuple):
    """A section that a start reaches; `is_direct` says whether no other section lies between."""

    section: SchemaSection
    stability: Stability
    path: str
    is_direct: bool


class SchemaSections:
    """The sections of all compared schemas, and the places that reach them."""

    def __init__(self, components: Components) -> None:
        """Take the components of both contracts."""
        self._components = components
        self._starts: list[tuple[SchemaUse, ChangeLocation]] = []
        self._sections: dict[int, SchemaSection] = {}
        self._roots: set[int] = set()
        self._relevant: frozenset[int] = frozenset()
        self._wanted: set[int] = set()
        self._former: dict[int, FormerStep | None] = {}
        self._links: dict[int, list[tuple[SchemaSection, SectionLink]]] = defaultdict(list)
        self._starts_at: dict[int, list[Start]] = defaultdict(list)
        self._seeds: dict[int, Mapping[Location, Frame]] = {}
        self._reached: dict[tuple[int, Stability], tuple[_ReachedSection, ...]] = {}

    def begin(self, schemas: SchemaUse, location: ChangeLocation) -> None:
        """Add the compared schemas at a location."""
        self._starts.append((schemas, location))

    @property
    def starts(self) -> tuple[tuple[ComparedSchemas, ChangeLocation], ...]:
        """Return the compared schemas that were added, each with its location."""
        return tuple((schemas.compared, location) for schemas, location in self._starts)

    @property
    def relevant(self) -> frozenset[int]:
        """Return the ids of the compared schemas with changes and of those that lead to one."""
        return self._relevant

    def reached_sections(self) -> Iterator[SchemaSection]:
        """Yield the sections, those with changes together with every use that reaches them."""
        self._look_at_graph()
        starts = sorted(
            (start for start in self._starts if id(start[0].compared) in self._relevant),
            key=lambda start: start[1].use,
        )
        for schemas, location in starts:
            frame = start_frame(schemas, location, self._components)
            self._starts_at[id(schemas.compared)].append(
                Start(location, frame, written_at(schemas) + location.trail)
            )
            self._seeds.setdefault(id(schemas.compared), part_frames(location, self._components))
        self._divide([schemas.compared for schemas, _ in starts])
        changed = [section for section in self._sections.values() if section.changes]
        self._wanted = {id(section.compared) for section in changed}
        for section in changed:
            if any(found.frame is None for found in section.changes):
                section.origins = self._find_origins(section)
                holders = (origin.holder for origin in section.origins or ())
                self._wanted.update(id(holder.compared) for holder in holders if holder is not None)
        for schemas, location in starts:
            self._reach(schemas.compared, location)
        yield from changed

    def _divide(self, pending: list[ComparedSchemas]) -> None:
        """Make the sections of compared schemas and of all below them."""
        while pending:
            compared = pending.pop()
            if id(compared) not in self._sections:
                pending += [link.compared for link in self._section(compared).below]

    def _find_origins(self, section: SchemaSection) -> tuple[Origin, ...] | None:
        found: list[Origin] = []
        pending: list[tuple[SchemaSection, str, Stability | None, Trail, tuple[SchemaSection, ...]]] = [
            (section, "", None, (), (section,))
        ]
        steps = 0
        while pending:
            current, path, stability, trail, passed = pending.pop()
            for start in self._starts_at[id(current.compared)]:
                origin = Origin(
                    start=start,
                    entry=current.compared,
                    frame=start.frame,
                    path=path,
                    walk=path,
                    stability=stability,
                    trail=trail + start.trail,
                )
                found.append(origin)
            for holder, link in self._links[id(current.compared)]:
                steps += 1
                least = _least_stable_known(link.stability, stability)
                if link.frame is not None:
                    walk = link.path + path
                    found.append(
                        Origin(
                            holder=holder,
                            user=link.user,
                            entry=current.compared,
                            frame=link.frame,
                            path=path,
                            walk=walk,
                            stability=least,
                            trail=trail + link.trail,
                        )
                    )
                elif not any(_is_repeated(holder, other) for other in passed):
                    way = trail + link.trail
                    pending.append((holder, link.path + path, least, way, (*passed, holder)))
            if len(found) > _MAX_ORIGINS or steps > _MAX_STEPS:
                return None
        return tuple(found)

    def _look_at_graph(self) -> None:
        """Find the schemas with several uses, and those with changes or that lead to one.

        A schema within a changed component belongs to each section of that, whatever position it has there.
        """
        users: dict[int, list[int]] = defaultdict(list)
        self._roots = {id(schemas.compared) for schemas, _ in self._starts}
        pending = [schemas.compared for schemas, _ in self._starts]
        seen: set[int] = set()
        inner: set[int] = set()
        changed: list[int] = []
        while pending:
            compared = pending.pop()
            if id(compared) in seen:
                continue
            seen.add(id(compared))
            if compared.components and not compared.former_name:
                inner.add(id(compared))
            if compared.changes:
                changed.append(id(compared))
            for use in compared.below:
                users[id(use.compared)].append(id(compared))
                pending.append(use.compared)
        self._roots |= {key for key, its in users.items() if len(its) > 1 and key not in inner}
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
            reached = self._reached[key] = tuple(self._wanted_sections_below(start, location.stability))
        subject, base, tags = location.use.subject, location.use.field, location.use.tags
        for section, stability, path, is_direct in reached:
            uses = section.uses.get(stability)
            if uses is None:
                uses = section.uses[stability] = SectionUses({}, {})
            if is_direct:
                direct = uses.direct.setdefault(subject, {})
                direct.setdefault(base + path, Use(subject=subject, field=base + path, tags=tags))
            elif subject not in uses.direct and subject not in uses.indirect:
                uses.indirect[subject] = Use(subject=subject, field=base + path, tags=tags)

    def _wanted_sections_below(
        self, start: ComparedSchemas, stability: Stability
    ) -> Iterator["_ReachedSection"]:
        """Yield the sections that need their uses: each place in the first section that leads to one, and the
        shortest path to those further below, once for each stability.
        """
        first = self._section(start)
        if id(start) in self._wanted:
            yield _ReachedSection(first, stability, "", is_direct=True)
        pending: deque[tuple[ComparedSchemas, str, Stability]] = deque()
        seen = {(id(start), stability)}
        for link in first.below:
            reached = least_stable(stability, link.stability)
            pending.append((link.compared, link.path, reached))
            if link.compared is not start and id(link.compared) in self._wanted:
                yield _ReachedSection(self._section(link.compared), reached, link.path, is_direct=True)
        while pending:
            compared, path, outer = pending.popleft()
            if (id(compared), outer) in seen:
                continue
            seen.add((id(compared), outer))
            section = self._section(compared)
            if id(compared) in self._wanted:
                yield _ReachedSection(section, outer, path, is_direct=False)
            for link in section.below:
                reached = least_stable(outer, link.stability)
                if (id(link.compared), reached) not in seen:
                    pending.append((link.compared, path + link.path, reached))

    def _section(self, start: ComparedSchemas) -> SchemaSection:
        cached = self._sections.get(id(start))
        if cached is not None:
            return cached
        trail = next((first.trail for first in self._starts_at[id(start)]), ())
        section = self._sections[id(start)] = SchemaSection(compared=start, trail=trail)
        pending = [_Node(start, "", None, self._seeds.get(id(start), {}), None, self._former.get(id(start)))]
        visits: Counter[int] = Counter()
        while pending:
            node = pending.pop()
            visits[id(node.compared)] += 1
            if visits[id(node.compared)] <= _MAX_VISITS:
                pending += reversed(tuple(self._add_node(section, node)))
        return section

    def _add_node(self, section: SchemaSection, node: _Node) -> Iterator[_Node]:
        """Add the changes of a schema to its section; yield the schemas below that belong to the section."""
        compared, path = node.compared, node.path
        former = FormerStep(compared.former_name, "") if compared.former_name else node.former
        frames = {
            component: self._frame_here(component, location, node)
            for component, location in compared.components.items()
        }
        main = self._main_component(compared)
        fallback = node.fallback if main is None else frames.get(main) or node.fallback
        stability = _least_stable_known(node.around, compared.stability)
        for rule, found_change in compared.changes:
            part = self._changed_part(found_change, compared)
            if part is not None:
                frame, own_path = self._frame_of_part(part, node, frames, fallback), path + part.step
                places = part.compared.old_location, part.compared.new_location
                change = replace(found_change, at="", old_location=places[0], new_location=places[1])
            else:
                change, own_path = _with_schema_locations(found_change, compared), path
                frame = self._frame(change, compared, frames, fallback)
            section.changes.append(
                SectionChange(
                    rule=rule,
                    change=change,
                    path=own_path,
                    stability=stability,
                    around=node.around,
                    direction=compared.direction,
                    frame=frame,
                    former=former,
                    compared=compared,
                    trail=node.trail,
                )
            )
        for use in compared.below:
            if id(use.compared) not in self._relevant:
                continue
            below, step = use.compared, use.step
            trail = written_at(use) + node.trail
            frame = self._frame_of_part(use, node, frames, fallback)
            if id(below) in self._roots:
                link = SectionLink(path + step, stability, frame, below, compared, trail)
                section.below.append(link)
                self._links[id(below)].append((section, link))
                self._former.setdefault(id(below), former.at(step) if former is not None else None)
                self._seeds.setdefault(id(below), _frames_of_section(frames, step))
                continue
            inner = {component: frame.at(step) for component, frame in frames.items()}
            inner_former = former.at(step) if former is not None else None
            yield _Node(below, path + step, stability, inner, frame, inner_former, trail)

    def _changed_part(self, change: FoundChange, compared: ComparedSchemas) -> SchemaUse | None:
        """Return the part to which a change belongs if that is a changed component, None if it is not."""
        for use in compared.below if change.is_of_part else ():
            if use.step == change.at and use.location is not None and self._components.is_whole(use.location):
                return use
        return None

    def _frame_of_part(
        self, use: SchemaUse, node: _Node, frames: Mapping[Location, Frame], fallback: Frame | None
    ) -> Frame | None:
        """Return the frame of a part below: of the changed component in which it stands, if it stands in one."""
        if use.component is None or use.location is None:
            return fallback.at(use.step) if fallback is not None else None
        own = frames.get(use.component)
        if own is not None:
            return own.at(use.step)
        return Frame(use.component, self._components.path(use.location), node.path + use.step)

    def _frame_here(self, component: Location, location: Location, node: _Node) -> Frame:
        """Return the frame of a component at a schema: the one that leads here, or one that begins here."""
        around = node.frames.get(component)
        if around is not None and not self._components.is_whole(location):
            return around
        return Frame(component, self._components.path(location), node.path)

    def _main_component(self, compared: ComparedSchemas) -> Location | None:
        """Return the changed component in which both schemas stand themselves, None if there is none."""
        component = self._components.changed_component(compared.new_location)
        is_same = component == self._components.changed_component(compared.old_location)
        return component if is_same else None

    def _frame(
        self,
        change: FoundChange,
        compared: ComparedSchemas,
        frames: Mapping[Location, Frame],
        fallback: Frame | None,
    ) -> Frame | None:
        """Return the frame of a change: by where its value is written if that applies on both sides, or
        by the `allOf` that leads there on one side alone.

        What was removed is written in the old contract, everything else in the new one.
        """
        is_gone = change.new is ABSENT and change.old is not ABSENT
        location = change.old_location if is_gone else change.new_location
        if location is None:
            return fallback
        included = compared.old_included if is_gone else compared.new_included
        component = self._components.changed_component(location) or included.component_of(location)
        return fallback if component is None else frames.get(component) or fallback


def _frames_of_section(frames: Mapping[Location, Frame], step: str) -> Mapping[Location, Frame]:
    """Return the frames around a schema as those of the section that begins there, a step below."""
    return {component: frame.at(step)._replace(begin="") for component, frame in frames.items()}


def _is_repeated(section: SchemaSection, below: SchemaSection) -> bool:
    """Say whether the schema of a section is that of one below, which has the same changes: a schema that refers to
    itself is one place, not one more for each level.
    """
    schema, inner = section.compared, below.compared
    if schema is inner:
        return True
    return (
        schema.direction is inner.direction
        and schema.old_location == inner.old_location
        and schema.new_location == inner.new_location
        and schema.changes == inner.changes
    )


def written_at(use: SchemaUse) -> Trail:
    """Return where schemas are written that are used, as the beginning of a trail."""
    return (use.places,) if use.places is not None else ()


def start_frame(schemas: SchemaUse, location: ChangeLocation, components: Components) -> Frame | None:
    """Return the frame of the place where an operation uses schemas."""
    frames = part_frames(location, components)
    if schemas.component is None or schemas.location is None:
        return next(reversed(frames.values()), None)
    path = components.path(schemas.location)
    return frames.get(schemas.component) or Frame(schemas.component, path, "")


def part_frames(location: ChangeLocation, components: Components) -> dict[Location, Frame]:
    """Return the changed components in which the parts on a path stand on both sides, the innermost last."""
    frames: dict[Location, Frame] = {}
    for old, new, length, _ in location.parts:
        component = components.changed_component(new)
        if component is None or components.changed_component(old) != component:
            continue
        path = join_path(components.path(new), location.use.field[length:])
        frames.setdefault(component, Frame(component, path, location.use.field[:length]))
    return frames


def join_path(base: str, rest: str) -> str:
    """Return a path within a path."""
    return f"{base}.{rest}" if base and rest and not rest.startswith(STEP_STARTS) else base + rest


_MAX_VISITS = 8
"""How many paths within a section to the same inline schema are followed."""
_MAX_ORIGINS, _MAX_STEPS = 100, 1_000
"""How many places are listed for a change that all of them share, and how many schemas are looked at."""


def _least_stable_known(first: Stability | None, other: Stability | None) -> Stability | None:
    return other if first is None else least_stable(first, other)


def _with_schema_locations(change: FoundChange, compared: ComparedSchemas) -> FoundChange:
    """Return the change with the locations of the two schemas if it has none."""
    return replace(
        change,
        old_location=change.old_location or compared.old_location,
        new_location=change.new_location or compared.new_location,
    )
