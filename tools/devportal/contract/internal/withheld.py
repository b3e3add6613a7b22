"""The unpublished parts of a contract: those marked as internal, and those that only these refer to. Also the
walk over the published parts.
"""

from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from devportal.contract.internal.internal_names import read_internal_names
from devportal.contract.internal.redaction import published_value
from devportal.contract.operation_names import OperationSet, names_of_operation, operation_at
from devportal.contract.read.read_parts import internal_schemes
from devportal.contract.read.source import Node, Source
from devportal.contract.schemas import ABSENT, Location
from devportal.contract.texts import unit_of
from devportal.contract.validate.oas_objects import (
    COMPONENT_SECTIONS,
    MINOR_OBJECT_FIELDS,
    OBJECT_FIELDS,
    child_objects,
    discriminator_reference,
)
from devportal.documents import Pointer
from devportal.documents.pointer import as_mapping

_OPERATION_KINDS = frozenset({"operation", "sent operation"})
_PATH_ITEM_KINDS = frozenset({"path item", "event"})
_CONTAINER_KINDS = _OPERATION_KINDS | _PATH_ITEM_KINDS | {"callback"}


def is_internal(value: Any) -> bool:
    """Say whether an object is marked as internal."""
    return isinstance(value, dict) and value.get("x-internal") is True


class UnpublishedObjects:
    """Decides which objects of a contract are not published."""

    def __init__(self, source: Source, operations: OperationSet | None = None) -> None:
        """Take the documents, and the operations that links may not lead to where those are known."""
        self._source = source
        self._operations = operations or OperationSet()
        self.internal_names = read_internal_names(source)
        """The names and values that schemas must not publish."""
        self._security = source.root().value.get("security")
        self.schemes = internal_schemes(source.root().mapping("components"))
        """The names of the security schemes that are not published."""

    def is_unpublished(self, kind: str, value: Any, location: Location) -> bool:
        """Say whether an object is not published, or what its references lead to is not."""
        return self._is_unpublished(kind, value, location, frozenset())

    def is_itself_unpublished(self, kind: str, value: Any, location: Location) -> bool:
        """Say whether an object is not published, wherever a reference in it leads."""
        if is_internal(value) or self._names_only_internal(kind, value, location):
            return True
        is_container = kind in _CONTAINER_KINDS and isinstance(value, dict) and "$ref" not in value
        return is_container and self._has_nothing_public(kind, value, location, frozenset())

    def _names_only_internal(self, kind: str, value: Any, location: Location) -> bool:
        """Return whether an unmarked object refers to nothing but internal parts."""
        if kind == "link" and isinstance(value, dict):
            return self._operations.contains_target(value, location, self._source)
        return kind == "schema" and self.internal_names.hides(location)

    def _is_unpublished(self, kind: str, value: Any, location: Location, seen: frozenset[Location]) -> bool:
        if not isinstance(value, dict) or is_internal(value):
            return isinstance(value, dict)
        if self._names_only_internal(kind, value, location):
            return True
        reference = value.get("$ref") if kind else None
        if not isinstance(reference, str):
            return kind in _CONTAINER_KINDS and self._has_nothing_public(kind, value, location, seen)
        target = self._source.find_location(reference, location)
        if target is None or target in seen:
            return False
        node = self._source.node_at(target, location, reference)
        return node is not None and self._is_unpublished(kind, node.value, target, seen | {target})

    def _has_nothing_public(
        self, kind: str, value: dict[str, Any], location: Location, seen: frozenset[Location]
    ) -> bool:
        if kind in _OPERATION_KINDS:
            requirements = value.get("security", self._security if kind == "operation" else None)
            return bool(self.public_requirements(requirements) == [] and requirements)
        below = [
            (text, member, location.child(*pointer))
            for text, member, pointer in child_objects(kind, value)
            if kind == "callback" or text in _OPERATION_KINDS
        ]
        return bool(below) and all(self._is_unpublished(*item, seen) for item in below)

    def public_requirements(self, requirements: Any) -> Any:
        """Return the security alternatives that need no scheme which is not published."""
        if not isinstance(requirements, list):
            return requirements
        return [
            requirement
            for requirement in requirements
            if not (isinstance(requirement, dict) and requirement.keys() & self.schemes)
        ]


LocatedObject = tuple[str, Any, Location]
"""The kind of an object, its value and its location."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicNames:
    """What texts may link to by name: operations, tags and the schemas among the components."""

    operations: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    schemas: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class InternalParts:
    """Components by section and name, tags by name, and operations, those that are marked included.

    Parameters, scopes and events are by name: those that are called so everywhere. Paths have no other
    operation.
    """

    components: frozenset[tuple[str, str]] = frozenset()
    tags: frozenset[str] = frozenset()
    operations: OperationSet = field(default_factory=OperationSet)
    parameters: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    public: PublicNames = field(default_factory=PublicNames)
    """Published names that are spelled nearly like internal ones."""
    link_bodies: Mapping[Location, Any] = field(default_factory=dict)
    """What links send as request bodies, without internal properties; ABSENT if nothing is left."""


def internal_parts(source: Source) -> InternalParts:
    """Return the parts that only internal parts refer to, without parts that nothing refers to."""
    if not source.has_internal:
        return InternalParts()
    document = source.root().value
    components = {
        (section, name): (kind, member, Location("", ("components", section, name)))
        for kind, section in COMPONENT_SECTIONS.items()
        for name, member in as_mapping(as_mapping(document.get("components")).get(section)).items()
    }
    withheld = UnpublishedObjects(source)
    public = _ReferenceWalk(source, withheld)
    public.visit(("document", document, Location("", ())))
    component_walk = _ReferenceWalk(source, withheld)
    component_walk.visit(*components.values())
    internal = _ReferenceWalk(source, None)
    internal.visit(*public.internal, *component_walk.internal)
    public.visit(*(part for key, part in components.items() if key not in internal.components))
    marked_components = {key for key, (_, value, _) in components.items() if is_internal(value)}
    marked_tags = {
        str(mapping.get("name")) for mapping in _mappings_in(document.get("tags")) if is_internal(mapping)
    }
    hidden = internal.components - public.components | marked_components
    hidden_tags = internal.tags - public.tags | marked_tags
    tags = public.tags | {str(mapping.get("name")) for mapping in _mappings_in(document.get("tags"))}
    return InternalParts(
        components=frozenset(hidden),
        tags=frozenset(hidden_tags),
        operations=OperationSet(
            names=frozenset(internal.operations - public.operations),
            locations=frozenset(internal.operation_locations - public.operation_locations),
        ),
        parameters=frozenset(internal.parameters - public.parameters),
        scopes=frozenset(internal.scopes - public.scopes),
        paths=_operation_paths(internal.operations) - _operation_paths(public.operations),
        events=_internal_webhooks(document, withheld),
        public=PublicNames(
            operations=frozenset(public.operations),
            tags=frozenset(tags - hidden_tags),
            schemas=frozenset(name for section, name in components.keys() - hidden if section == "schemas"),
        ),
        link_bodies=dict(_published_link_bodies(source, public)),
    )


def _published_link_bodies(source: Source, public: "_ReferenceWalk") -> Iterator[tuple[Location, Any]]:
    for link, location in public.links:
        body, name, reference = link.get("requestBody"), link.get("operationId"), link.get("operationRef")
        is_expression = isinstance(body, str) and "$" in body
        if isinstance(reference, str):
            target = operation_at(reference, location, source)
        else:
            target = public.locations_by_id.get(name) if isinstance(name, str) else None
        if body is None or is_expression or target is None:
            continue
        published = published_value(body, *_body_schemas(source, target))
        if published is ABSENT or published != body:
            yield location.child("requestBody"), published


def _body_schemas(source: Source, operation: Location) -> Iterator[Node]:
    """Yield the schemas of what an operation is sent, one for each media type."""
    node = source.node_at(operation, operation, "")
    body = node.get("requestBody") if node is not None else None
    for last in body.chain()[-1:] if body is not None else ():
        for _, media_type in last.members("content"):
            schema = media_type.get("schema")
            if schema is not None:
                yield schema


def _internal_webhooks(document: Mapping[str, Any], withheld: UnpublishedObjects) -> frozenset[str]:
    """Return the names of the webhooks that are not published."""
    webhooks = [
        (name, withheld.is_unpublished("event", value, Location("", (key, name))))
        for key in ("webhooks", "x-webhooks")
        for name, value in as_mapping(document.get(key)).items()
    ]
    public = {name for name, is_hidden in webhooks if not is_hidden}
    return frozenset(name for name, is_hidden in webhooks if is_hidden) - public


def _operation_paths(operations: Iterable[str]) -> frozenset[str]:
    """Return the paths among the names of operations."""
    return frozenset(
        path for _, separator, path in (operation.partition(" ") for operation in operations) if separator
    )


def _mappings_in(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


class _ReferenceWalk:
    """Follows references from objects. Components count only if something refers to them.

    Withheld objects are collected and not entered; without `withheld` all objects are entered.
    """

    def __init__(self, source: Source, withheld: UnpublishedObjects | None) -> None:
        self._source = source
        self._withheld = withheld
        self._seen: set[Location] = set()
        self.components: set[tuple[str, str]] = set()
        self.tags: set[str] = set()
        self.parameters: set[str] = set()
        self.scopes: set[str] = set()
        self.operations: set[str] = set()
        self.operation_locations: set[Location] = set()
        self.locations_by_id: dict[str, Location] = {}
        self.links: list[tuple[dict[str, Any], Location]] = []
        self.internal: list[LocatedObject] = []

    def visit(self, *start: LocatedObject) -> None:
        pending = list(start)
        while pending:
            kind, value, location = pending.pop()
            if not isinstance(value, dict):
                continue
            if self._withheld is not None and self._withheld.is_itself_unpublished(kind, value, location):
                self.internal.append((kind, value, location))
                continue
            self._note_names(kind, value)
            if kind in ("operation", "sent operation"):
                self.operations |= names_of_operation(value, location)
                self.operation_locations.add(location)
                if isinstance(value.get("operationId"), str):
                    self.locations_by_id.setdefault(value["operationId"], location)
            if kind == "link":
                self.links.append((value, location))
            for below, member, pointer in child_objects(kind, value):
                if below != "components":
                    pending.append((below, member, location.child(*pointer)))
            for reference in references_in(kind, value):
                pending += self._follow_reference(reference, kind, location)

    def _note_names(self, kind: str, value: dict[str, Any]) -> None:
        """Record the names that an object refers to: tags, parameters, security schemes and their scopes."""
        if kind == "parameter" and isinstance(value.get("name"), str):
            self.parameters.add(value["name"])
        if kind in ("operation", "sent operation"):
            self.tags.update(_texts_in(value.get("tags")))
            for name in ("x-scopes", "x-required-scopes"):
                self.scopes.update(_texts_in(value.get(name)))
        if kind in ("operation", "sent operation", "document"):
            for requirement in value.get("security") or () if isinstance(value.get("security"), list) else ():
                self.components.update(("securitySchemes", name) for name in as_mapping(requirement))
                for scopes in as_mapping(requirement).values():
                    self.scopes.update(_texts_in(scopes))

    def _follow_reference(self, reference: str, kind: str, base: Location) -> Iterator[LocatedObject]:
        target = self._source.locate(reference, base)
        node = self._source.node_at(target, base, reference) if target is not None else None
        if target is None or node is None or target in self._seen:
            return
        self._seen.add(target)
        yield kind, node.value, target
        component = component_of(target)
        if component is not None:
            self.components.add(component)
            if len(target.pointer) > 3:
                component_location = Location("", target.pointer[:3])
                yield from self._follow_reference(
                    str(component_location), OBJECT_FIELDS["components"][component[0]][1], Location("", ())
                )


def component_of(location: Location) -> tuple[str, str] | None:
    """Return section and name of the component of the root document that a location is in, if in any."""
    if location.file or len(location.pointer) < 3 or location.pointer[0] != "components":
        return None
    section, name = location.pointer[1:3]
    return (section, name) if section in OBJECT_FIELDS["components"] else None


def references_in(kind: str, value: dict[str, Any]) -> Iterator[str]:
    """Yield the references of an object itself: its `$ref`, and the targets of its discriminator."""
    reference = value.get("$ref")
    if isinstance(reference, str):
        yield reference
    if kind == "schema":
        discriminator = as_mapping(value.get("discriminator"))
        targets = as_mapping(discriminator.get("mapping")).values()
        for target in (*targets, discriminator.get("defaultMapping")):
            if isinstance(target, str):
                yield discriminator_reference(target)


def _texts_in(value: Any) -> Iterable[str]:
    return (item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


@lru_cache(maxsize=2)
def published_objects(source: Source) -> tuple[LocatedObject, ...]:
    """Return the objects of the root file, and those of others that references lead to, each once.

    Those of the last sources are kept: several checks look at all of them.
    """
    return tuple(_published_objects(source))


def published_objects_within(source: Source, units: Container[str]) -> Iterator[LocatedObject]:
    """Yield the objects of the operations and schemas named, and of all that is in neither."""
    is_alone = len(source.documents()) == 1  # else references from any unit lead to objects of other files
    return _published_objects(source, units if is_alone else None)


def _published_objects(source: Source, units: Container[str] | None = None) -> Iterator[LocatedObject]:
    pending: deque[LocatedObject] = deque([("document", source.root().value, Location("", ()))])
    seen: set[tuple[str, Location]] = set()
    """Those of other files: references may lead to one that is also within another."""
    while pending:
        kind, value, location = pending.popleft()
        if not isinstance(value, dict) or is_internal(value) or (location.file and (kind, location) in seen):
            continue
        file, above = location
        if file:
            seen.add((kind, location))
        if units is not None and len(above) == 3 and (unit := unit_of(location)) and unit not in units:
            continue
        yield kind, value, location
        for below, member, pointer in _child_objects(kind, value):
            if isinstance(member, dict):
                pending.append((below, member, Location(file, above + pointer)))
        pending.extend(
            entry
            for entry in _objects_in_other_files(source, kind, value, location)
            if (kind, entry[2]) not in seen
        )


def objects_of_other_files(source: Source) -> Iterator[LocatedObject]:
    """Yield the objects that references lead to in other files than the root, without those within them."""
    seen: set[tuple[str, Location]] = set()
    for kind, value, location in published_objects(source):
        for entry in _objects_in_other_files(source, kind, value, location):
            if (kind, entry[2]) not in seen:
                seen.add((kind, entry[2]))
                yield entry


def _objects_in_other_files(
    source: Source, kind: str, value: dict[str, Any], location: Location
) -> Iterator[LocatedObject]:
    for reference in references_in(kind, value):
        target = source.locate(reference, location)
        node = source.node_at(target, location, reference) if target is not None and target.file else None
        if node is not None:
            yield kind, node.value, node.location


def _child_objects(kind: str, value: dict[str, Any]) -> Iterator[tuple[str, Any, Pointer]]:
    yield from child_objects(kind, value)
    for key, below in MINOR_OBJECT_FIELDS.get(kind, {}).items():
        if key in value:
            yield below, value[key], (key,)
    variables = value.get("variables") if kind == "server" else None
    for name, member in variables.items() if isinstance(variables, dict) else ():
        yield "server variable", member, ("variables", str(name))
