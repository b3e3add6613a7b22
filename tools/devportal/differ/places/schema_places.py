"""Where a change of schemas belongs: in a component whose text changed, or where an operation uses it."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from devportal.contract import ABSENT, Stability
from devportal.differ.change import (
    Subject,
    SubjectKind,
    Use,
    component_of,
    path_in_component,
)
from devportal.differ.components import Components
from devportal.differ.located_changes import Trail, WrittenPlaces, least_stable
from devportal.differ.places.place_parts import STEP_STARTS
from devportal.differ.places.references import ReferenceTarget
from devportal.differ.places.referring_places import referring_places
from devportal.differ.places.sections import (
    Frame,
    Origin,
    SchemaSection,
    SectionChange,
    join_path,
)
from devportal.differ.rule import FoundChange

_SCHEMAS = "schemas"


class PlaceUses(NamedTuple):
    """The places that a change affects: all those that are known, and one for each further operation."""

    direct: tuple[Use, ...]
    indirect: tuple[Use, ...] = ()


class ChangePlace(NamedTuple):
    """Where a change belongs, what it affects, and where earlier versions filed it.

    `stability` is that of the surroundings. `essence` distinguishes the place if the owner is one of many.
    Every further reference to the `targets` is one more place. `written` is where it is written in the owner,
    None if the change knows.
    """

    owner: Use
    uses: PlaceUses
    former: Use
    stability: Stability
    essence: str = ""
    targets: tuple[ReferenceTarget, ...] = ()
    written: WrittenPlaces | None = None


class SchemaChangePlaces:
    """Finds the places of changes in sections of compared schemas."""

    def __init__(self, components: Components) -> None:
        """Take the components of both contracts."""
        self._components = components
        self._uses: dict[tuple[int, Stability, str], PlaceUses] = {}
        self._digests: dict[int, str] = {}

    def of(self, section: SchemaSection, found: SectionChange) -> Iterator[ChangePlace]:
        """Yield the places of one change of a section."""
        if found.frame is not None:
            yield from self._places_in_frame(section, found, found.frame)
            return
        if section.origins is None:
            yield from self._merged_places(section, found)
        for origin in section.origins or ():
            if origin.start is not None:
                yield self._place_at_start(
                    found, origin, origin.start.location.use, origin.start.location.stability
                )
            elif origin.holder is not None and origin.frame is not None:
                yield from self._places_in_holder(found, origin, origin.holder, origin.frame)

    def _places_in_frame(
        self, section: SchemaSection, found: SectionChange, frame: Frame
    ) -> Iterator[ChangePlace]:
        is_schema = self._is_schema(frame)
        written = self._written_places(found, frame, found.trail + section.trail)
        for stability in section.uses:
            begin = frame.begin if is_schema else found.path + found.change.at
            uses = self._section_uses(section, stability, begin)
            first = section.uses[stability].first()
            yield ChangePlace(
                owner=self._owner(frame, found.change.at),
                uses=uses,
                former=_former_place(found, _use_below(first, found.path)),
                stability=stability,
                targets=(ReferenceTarget(id(found.compared)),),
                written=written,
            )

    def _places_in_holder(
        self, found: SectionChange, origin: Origin, holder: SchemaSection, frame: Frame
    ) -> Iterator[ChangePlace]:
        at = found.path + found.change.at
        begin = frame.begin if self._is_schema(frame) else origin.walk + at
        for stability in holder.uses:
            first = holder.uses[stability].first()
            yield ChangePlace(
                owner=self._owner(frame, origin.path + at),
                uses=self._section_uses(holder, stability, begin),
                former=_former_place(found, _use_below(first, origin.walk + found.path)),
                stability=least_stable(stability, origin.stability),
                targets=(
                    ReferenceTarget(id(origin.user)),
                    ReferenceTarget(id(found.compared), id(origin.entry)),
                ),
                written=self._written_places(found, frame, found.trail + origin.trail),
            )

    def _place_at_start(
        self, found: SectionChange, origin: Origin, use: Use, stability: Stability
    ) -> ChangePlace:
        at = origin.path + found.path + found.change.at
        own = _use_below(use, at)
        frame = origin.frame
        affected = use if frame is not None and self._is_schema(frame) else own
        return ChangePlace(
            owner=self._owner(frame, at) if frame is not None else own,
            uses=PlaceUses((affected,)),
            former=_former_place(found, _use_below(use, origin.path + found.path)),
            stability=least_stable(stability, origin.stability),
            targets=(ReferenceTarget(id(found.compared), id(origin.entry)),),
            written=self._written_places(found, frame, found.trail + origin.trail),
        )

    def _written_places(
        self, found: SectionChange, frame: Frame | None, trail: Trail
    ) -> WrittenPlaces | None:
        owner = frame.component if frame is not None else None
        return referring_places(found.change, found.compared, owner, trail, self._components)

    def _merged_places(self, section: SchemaSection, found: SectionChange) -> Iterator[ChangePlace]:
        """Yield one place for very many: the first, whose essence stands for all."""
        for stability in section.uses:
            uses = self._section_uses(section, stability, "")
            yield ChangePlace(
                owner=_use_below(merge_uses((uses,))[0], found.path + found.change.at),
                uses=uses,
                former=_former_place(found, _use_below(section.uses[stability].first(), found.path)),
                stability=stability,
                essence=self._digest(uses),
                targets=(ReferenceTarget(id(found.compared)),),
            )

    def _digest(self, uses: PlaceUses) -> str:
        digest = self._digests.get(id(uses))
        if digest is None:
            named = "\0".join(
                f"{use.subject.kind} {use.subject.name} {use.field}" for use in merge_uses((uses,))
            )
            digest = hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()
            self._digests[id(uses)] = digest
        return digest

    def _owner(self, frame: Frame, at: str) -> Use:
        field = join_path(frame.path, at).removeprefix(".")
        return Use(subject=self._components.subject(frame.component), field=field)

    def _is_schema(self, frame: Frame) -> bool:
        return self._components.subject(frame.component).section == _SCHEMAS

    def _section_uses(self, section: SchemaSection, stability: Stability, at: str) -> PlaceUses:
        key = (id(section), stability, at)
        uses = self._uses.get(key)
        if uses is None:
            every = section.uses[stability]
            direct = (use for own in every.direct.values() for use in own.values())
            indirect = (use for subject, use in every.indirect.items() if subject not in every.direct)
            uses = self._uses[key] = PlaceUses(
                tuple(_use_below(use, at) for use in direct), tuple(_use_below(use, at) for use in indirect)
            )
        return uses


def merge_uses(places: Iterable[PlaceUses]) -> tuple[Use, ...]:
    """Return the places that a change affects, sorted: for an operation with known ones those alone."""
    places = tuple(places)
    known = frozenset(use for place in places for use in place.direct)
    subjects = frozenset(use.subject for use in known)
    further: dict[Subject, Use] = {}
    for use in (use for place in places for use in place.indirect if use.subject not in subjects):
        other = further.setdefault(use.subject, use)
        if (len(use.field), use.field) < (len(other.field), other.field):
            further[use.subject] = use
    return tuple(outermost((*known, *further.values())))


def outermost(uses: Iterable[Use]) -> Iterator[Use]:
    """Yield places in order, without those within another one: a component that refers to itself."""
    outer: Use | None = None
    for use in sorted(uses, key=_use_key):
        is_within = (
            outer is not None
            and use.subject == outer.subject
            and use.field.startswith(outer.field)
            and use.field[len(outer.field) :].startswith(STEP_STARTS)
        )
        if not is_within:
            outer = use
            yield use


def _use_key(use: Use) -> tuple[str, str, str]:
    return use.subject.kind, use.subject.name, use.field


def _use_below(use: Use, at: str) -> Use:
    return Use(subject=use.subject, field=use.field + at, tags=use.tags) if at else use


def _former_place(found: SectionChange, use: Use) -> Use:
    if found.former is not None:
        subject = Subject(kind=SubjectKind.COMPONENT, section=_SCHEMAS, name=found.former.name)
        use = Use(subject=subject, field=found.former.path)
    return former_owner(found.change, use)


def former_owner(change: FoundChange, own: Use) -> Use:
    """Return where earlier versions filed a change: the component that holds its value, if one does.

    What was removed is located in the old contract, everything else in the new one.
    """
    is_gone = change.new is ABSENT and change.old is not ABSENT
    location = (is_gone and change.old_location) or change.new_location or change.old_location
    component = component_of(location) if location is not None else None
    if component is None or (own.subject.kind is SubjectKind.COMPONENT and own.subject.name == component[1]):
        return Use(subject=own.subject, field=(own.field + change.at).removeprefix("."))
    section, name, rest = component
    path = path_in_component(section, rest)
    return Use(
        subject=Subject(kind=SubjectKind.COMPONENT, section=section, name=name),
        field=(path if path.endswith(change.at) else path + change.at).removeprefix("."),
    )
