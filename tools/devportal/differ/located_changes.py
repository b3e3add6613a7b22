"""What rules find in a pair of parts, and where, before it becomes a `Change`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from devportal.contract import Location, Schema, Stability
from devportal.differ.change import Use, component_of
from devportal.differ.message_part import MessagePart
from devportal.differ.rule import Direction, FoundChange, Rule


class SchemaUse(NamedTuple):
    """A part that two compared schemas have, and the step to it.

    `component` is the changed component in which the part stands on both sides, and the last one through
    which its references lead on both sides; None if there is none. `location` is the new place in it.
    `places` are where the part is written, before references are followed.
    """

    step: str
    compared: "ComparedSchemas"
    component: Location | None = None
    location: Location | None = None
    places: "WrittenPlaces | None" = None


class WrittenPlaces(NamedTuple):
    """Where something is written in both contracts."""

    old: Location
    new: Location


Trail = tuple[WrittenPlaces, ...]
"""Where what is on the way to a place is written, the innermost first."""


class IncludedPart(NamedTuple):
    """The changed component that includes a part, and the place in it that does so: an item of `allOf`."""

    component: Location
    place: Location


class IncludedParts(NamedTuple):
    """What applies to a value in one contract by references and `allOf` of changed components.

    `parts` are those that the other contract does not have there: what they say changed in the component.
    `begins` is where each component applies.
    """

    parts: Mapping[Location, IncludedPart] = MappingProxyType({})
    begins: Mapping[Location, Location] = MappingProxyType({})

    def part_around(self, location: Location) -> IncludedPart | None:
        """Return the part in which a location lies, None if there is none."""
        lengths = range(len(location.pointer), -1, -1) if self.parts else ()
        places = (Location(location.file, location.pointer[:length]) for length in lengths)
        return next((self.parts[place] for place in places if place in self.parts), None)

    def component_of(self, location: Location) -> Location | None:
        """Return the component by which the part applies in which a location lies, None if there is none."""
        part = self.part_around(location)
        return part.component if part is not None else None

    def places(self, location: Location, component: Location | None) -> Iterator[Location]:
        """Yield the places in a component that may lead to a location, the most likely first."""
        part = self.part_around(location)
        if part is not None:
            yield part.place
        yield from (part.place for part in self.parts.values() if part.component == component)
        if component is not None and component in self.begins:
            yield self.begins[component]


_NOTHING_INCLUDED = IncludedParts()


@dataclass(slots=True, kw_only=True, eq=False)
class ComparedSchemas:
    """The changes between two schemas, and the compared schemas below them by step.

    `components` are the changed components in which both schemas stand, or which apply to both by `allOf`,
    each with a new location in it. `former_name` is the name of a shared schema that is one of the two.
    `stability` is what the old schema declares. `old` and `new` are the schemas; `text_depth` says how many
    levels of objects in their values are written as text, none in JSON. The comparison fills it step by step;
    afterwards it never changes.
    """

    direction: Direction
    old_location: Location
    new_location: Location
    old: tuple[Schema, ...] = ()
    new: tuple[Schema, ...] = ()
    text_depth: int = 0
    former_name: str = ""
    components: Mapping[Location, Location] = field(default_factory=dict)
    old_included: IncludedParts = _NOTHING_INCLUDED
    new_included: IncludedParts = _NOTHING_INCLUDED
    stability: Stability | None = None
    changes: list[tuple[Rule[Any], FoundChange]] = field(default_factory=list)
    below: list[SchemaUse] = field(default_factory=list)
    is_filled: bool = False


class PartLocations(NamedTuple):
    """Where a part that both contracts have is written in each, the length of the path to it, and where the part
    around it has it or refers to it.
    """

    old: Location
    new: Location
    path_length: int
    places: WrittenPlaces


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLocation:
    """Where in an operation or event a change was found, how stable that part was, and of which messages it
    is a part, if it is sent.

    `parts` are where the parts on the path are written, such as a response among the components.
    """

    use: Use
    direction: Direction | None = None
    stability: Stability = Stability.STABLE
    parts: tuple[PartLocations, ...] = ()
    part: MessagePart | None = None

    def at(self, step: str, stability: Stability | None = None) -> "ChangeLocation":
        """Return a location within this one; `stability` is what the part declares itself."""
        use = Use(subject=self.use.subject, field=self.use.field + step, tags=self.use.tags)
        return replace(self, use=use, stability=least_stable(self.stability, stability))

    def written_at(self, old: Location, new: Location, *tokens: str) -> "ChangeLocation":
        """Return the same location with where its part is written in both contracts.

        `tokens` lead to the part from the one around it, whether it stands there or a reference to it.
        """
        around = self.parts[-1] if self.parts else None
        places = WrittenPlaces(
            _place_around(old, around.old if around else old, tokens),
            _place_around(new, around.new if around else new, tokens),
        )
        part = PartLocations(old, new, len(self.use.field), places)
        return replace(self, parts=(*self.parts, part))

    @property
    def trail(self) -> Trail:
        """Return where the parts on the path are written or referred to, the innermost first."""
        return tuple(
            places
            for part in reversed(self.parts)
            for places in (WrittenPlaces(part.old, part.new), part.places)
        )

    def within(self, narrow: Callable[[MessagePart], MessagePart]) -> "ChangeLocation":
        """Return the location with a narrower part of the message."""
        return self if self.part is None else replace(self, part=narrow(self.part))


def _place_around(part: Location, around: Location, tokens: tuple[str, ...]) -> Location:
    """Return where a part stands, or, if it stands elsewhere, the reference to it in the part around it."""
    is_inside = part.file == around.file and part.pointer[: len(around.pointer)] == around.pointer
    return part if is_inside else Location(around.file, (*around.pointer, *tokens))


_MATURITY = (Stability.DRAFT, Stability.ALPHA, Stability.BETA, Stability.STABLE)


def least_stable(first: Stability, second: Stability | None) -> Stability:
    """Return the stability of a part within another: no part is more stable than what it belongs to."""
    return first if second is None else min(first, second, key=_MATURITY.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedChange:
    """A change that a rule found at a location, or two compared schemas there."""

    location: ChangeLocation
    rule: Rule[Any] | None = None
    change: FoundChange = field(default_factory=FoundChange)
    pair: Any = None
    """What the rule looked at."""
    schemas: SchemaUse | None = None


def location_or_parent(part: Location, parent: Location) -> Location:
    """Return the location of a part, or that of the whole if the part is a component."""
    own, outer = component_of(part), component_of(parent)
    if own is None or (outer is not None and own[:2] == outer[:2]):
        return part
    return parent


Pair = TypeVar("Pair")


def apply_rules(rules: Iterable[Rule[Pair]], pair: Pair, location: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield what rules find in a pair."""
    for rule in rules:
        for change in rule.find(pair):
            yield LocatedChange(location=location, rule=rule, change=change, pair=pair)
