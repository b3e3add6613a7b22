"""Where a change of schemas belongs: in a component whose text changed, or where an operation uses it."""

import hashlib
from collections.abc import Iterator
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
from devportal.differ.located_changes import least_stable
from devportal.differ.rule import FoundChange
from devportal.differ.sections import (
    Frame,
    Origin,
    SchemaSection,
    SchemaSections,
    SectionChange,
    join_path,
)

_SCHEMAS = "schemas"


class ChangePlace(NamedTuple):
    """Where a change belongs, what it affects, and where earlier versions filed it.

    `stability` is that of the surroundings. `essence` distinguishes the place if the owner is one of many.
    """

    owner: Use
    uses: tuple[Use, ...]
    former: Use
    stability: Stability
    essence: str = ""


class SchemaChangePlaces:
    """Finds the places of changes in sections of compared schemas."""

    def __init__(self, sections: SchemaSections, components: Components) -> None:
        """Take the sections, and the components of both contracts."""
        self._sections = sections
        self._components = components
        self._uses: dict[tuple[int, Stability, str], tuple[Use, ...]] = {}
        self._origins: dict[int, tuple[Origin, ...] | None] = {}

    def of(self, section: SchemaSection, found: SectionChange) -> Iterator[ChangePlace]:
        """Yield the places of one change of a section."""
        if found.frame is not None:
            yield from self._places_in_frame(section, found, found.frame)
            return
        key = id(section)
        if key not in self._origins:
            self._origins[key] = self._sections.origins(section)
        origins = self._origins[key]
        if origins is None:
            yield from self._merged_places(section, found)
        for origin in origins or ():
            if origin.start is not None:
                yield self._place_at_start(found, origin, origin.start.location.use, origin.start.location.stability)
            elif origin.holder is not None and origin.frame is not None:
                yield from self._places_in_holder(found, origin, origin.holder, origin.frame)

    def _places_in_frame(
        self, section: SchemaSection, found: SectionChange, frame: Frame
    ) -> Iterator[ChangePlace]:
        is_schema = self._is_schema(frame)
        for stability in section.uses:
            begin = frame.begin if is_schema else found.path + found.change.at
            uses = self._section_uses(section, stability, begin)
            first = _first_use(section, stability)
            yield ChangePlace(
                owner=self._owner(frame, found.change.at),
                uses=uses,
                former=_former_place(found, _below(first, found.path)),
                stability=stability,
            )

    def _places_in_holder(
        self, found: SectionChange, origin: Origin, holder: SchemaSection, frame: Frame
    ) -> Iterator[ChangePlace]:
        at = found.path + found.change.at
        begin = frame.begin if self._is_schema(frame) else origin.walk + at
        for stability in holder.uses:
            first = _first_use(holder, stability)
            yield ChangePlace(
                owner=self._owner(frame, origin.path + at),
                uses=self._section_uses(holder, stability, begin),
                former=_former_place(found, _below(first, origin.walk + found.path)),
                stability=_least(stability, origin.stability),
            )

    def _place_at_start(
        self, found: SectionChange, origin: Origin, use: Use, stability: Stability
    ) -> ChangePlace:
        at = origin.path + found.path + found.change.at
        own = _without_leading_dot(_below(use, at))
        frame = origin.frame
        affected = _without_leading_dot(use) if frame is not None and self._is_schema(frame) else own
        return ChangePlace(
            owner=self._owner(frame, at) if frame is not None else own,
            uses=(affected,),
            former=_former_place(found, _below(use, origin.path + found.path)),
            stability=_least(stability, origin.stability),
        )

    def _merged_places(self, section: SchemaSection, found: SectionChange) -> Iterator[ChangePlace]:
        """Yield one place for very many: the first, whose essence stands for all."""
        at = found.path + found.change.at
        for stability in section.uses:
            uses = self._section_uses(section, stability, at)
            named = "\0".join(f"{use.subject.kind} {use.subject.name} {use.field}" for use in uses)
            yield ChangePlace(
                owner=uses[0],
                uses=uses,
                former=_former_place(found, _below(_first_use(section, stability), found.path)),
                stability=stability,
                essence=hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest(),
            )

    def _owner(self, frame: Frame, at: str) -> Use:
        field = join_path(frame.path, at).removeprefix(".")
        return Use(subject=self._components.subject(frame.component), field=field)

    def _is_schema(self, frame: Frame) -> bool:
        return self._components.subject(frame.component).section == _SCHEMAS

    def _section_uses(self, section: SchemaSection, stability: Stability, at: str) -> tuple[Use, ...]:
        key = (id(section), stability, at)
        uses = self._uses.get(key)
        if uses is None:
            every = section.uses[stability].values()
            uses = self._uses[key] = tuple(sorted(_without_leading_dot(_below(use, at)) for use in every))
        return uses


def _first_use(section: SchemaSection, stability: Stability) -> Use:
    return next(iter(section.uses[stability].values()))


def _below(use: Use, at: str) -> Use:
    return Use(subject=use.subject, field=use.field + at, tags=use.tags) if at else use


def _without_leading_dot(use: Use) -> Use:
    if not use.field.startswith("."):
        return use
    return Use(subject=use.subject, field=use.field.removeprefix("."), tags=use.tags)


def _least(stability: Stability, other: Stability | None) -> Stability:
    return least_stable(stability, other)


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
