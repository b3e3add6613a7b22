"""What is not published: parts marked internal, what only these refer to; and a walk over the rest."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from devportal.contract.internal.names import read_internal_names
from devportal.contract.internal.redaction import published_value
from devportal.contract.operation_names import OperationSet, names_of_operation, operation_at
from devportal.contract.read.read_parts import internal_schemes
from devportal.contract.read.source import Node, Source
from devportal.contract.schemas import ABSENT, Location
from devportal.contract.validate.oas_objects import (
    COMPONENT_SECTIONS,
    MINOR_OBJECT_FIELDS,
    OBJECT_FIELDS,
    child_objects,
    discriminator_reference,
)
from devportal.documents import Pointer

_OPERATION_KINDS = frozenset({"operation", "sent operation"})
_PATH_ITEM_KINDS = frozenset({"path item", "event"})
_CONTAINER_KINDS = _OPERATION_KINDS | _PATH_ITEM_KINDS | {"callback"}


def is_internal(value: Any) -> bool:
    """Say whether an object is marked as internal."""
    return isinstance(value, dict) and value.get("x-internal") is True


class UnpublishedObjects:
    """Judges the objects of one contract."""

    def __init__(self, source: Source, operations: OperationSet | None = None) -> None:
        """Take the documents, and the operations that links may not lead to where those are known."""
        self._source = source
        self._operations = operations or OperationSet()
        self.untold = read_internal_names(source)
        """What schemas may not tell of others."""
        self._security = source.root().value.get("security")
        self.schemes = internal_schemes(source.root().mapping("components"))
        """The names of the security schemes that are not published."""

    def holds(self, kind: str, value: Any, here: Location) -> bool:
        """Say whether an object is not published, or what its references lead to is not."""
        return self._holds(kind, value, here, frozenset())

    def holds_itself(self, kind: str, value: Any, here: Location) -> bool:
        """Say whether an object is not published, wherever a reference in it leads."""
        if is_internal(value) or self._is_untold(kind, value, here):
            return True
        is_whole = kind in _CONTAINER_KINDS and isinstance(value, dict) and "$ref" not in value
        return is_whole and self._has_nothing_public(kind, value, here, frozenset())

    def _is_untold(self, kind: str, value: Any, here: Location) -> bool:
        """Say whether an object that nothing marks tells only of what is internal."""
        if kind == "link" and isinstance(value, dict):
            return self._operations.hold_target(value, here, self._source)
        return kind == "schema" and self.untold.holds(here)

    def _holds(self, kind: str, value: Any, here: Location, seen: frozenset[Location]) -> bool:
        if not isinstance(value, dict) or is_internal(value):
            return isinstance(value, dict)
        if self._is_untold(kind, value, here):
            return True
        reference = value.get("$ref") if kind else None
        if not isinstance(reference, str):
            return kind in _CONTAINER_KINDS and self._has_nothing_public(kind, value, here, seen)
        target = self._source.find_location(reference, here)
        if target is None or target in seen:
            return False
        node = self._source.node_at(target, here, reference)
        return node is not None and self._holds(kind, node.value, target, seen | {target})

    def _has_nothing_public(
        self, kind: str, value: dict[str, Any], here: Location, seen: frozenset[Location]
    ) -> bool:
        if kind in _OPERATION_KINDS:
            stated = value.get("security", self._security if kind == "operation" else None)
            return bool(self.public_requirements(stated) == [] and stated)
        below = [
            (one, member, here.child(*pointer))
            for one, member, pointer in child_objects(kind, value)
            if kind == "callback" or one in _OPERATION_KINDS
        ]
        return bool(below) and all(self._holds(*one, seen) for one in below)

    def public_requirements(self, written: Any) -> Any:
        """Return the security alternatives that need no scheme which is not published."""
        if not isinstance(written, list):
            return written
        return [one for one in written if not (isinstance(one, dict) and one.keys() & self.schemes)]


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
    """What is called as they nearly are, but published."""
    link_bodies: Mapping[Location, Any] = field(default_factory=dict)
    """What links send as request bodies, without internal properties; ABSENT where nothing is left."""


def internal_parts(source: Source) -> InternalParts:
    """Return what internal parts refer to and nothing else does. What nothing refers to is not among it."""
    if not source.has_internal:
        return InternalParts()
    document = source.root().value
    components = {
        (section, name): (kind, member, Location("", ("components", section, name)))
        for kind, section in COMPONENT_SECTIONS.items()
        for name, member in _as_mapping(_as_mapping(document.get("components")).get(section)).items()
    }
    withheld = UnpublishedObjects(source)
    public = _ReferenceWalk(source, withheld)
    public.visit(("document", document, Location("", ())))
    everywhere = _ReferenceWalk(source, withheld)
    everywhere.visit(*components.values())
    internal = _ReferenceWalk(source, None)
    internal.visit(*public.internal, *everywhere.internal)
    public.visit(*(part for key, part in components.items() if key not in internal.components))
    marked = {key for key, (_, value, _) in components.items() if is_internal(value)}
    marked_tags = {str(one.get("name")) for one in _mappings_in(document.get("tags")) if is_internal(one)}
    hidden = internal.components - public.components | marked
    hidden_tags = internal.tags - public.tags | marked_tags
    tags = public.tags | {str(one.get("name")) for one in _mappings_in(document.get("tags"))}
    return InternalParts(
        components=frozenset(hidden),
        tags=frozenset(hidden_tags),
        operations=OperationSet(
            names=frozenset(internal.operations - public.operations),
            places=frozenset(internal.places - public.places),
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
    for link, here in public.links:
        body, name, reference = link.get("requestBody"), link.get("operationId"), link.get("operationRef")
        is_expression = isinstance(body, str) and "$" in body
        if isinstance(reference, str):
            target = operation_at(reference, here, source)
        else:
            target = public.ids.get(name) if isinstance(name, str) else None
        if body is None or is_expression or target is None:
            continue
        left = published_value(body, *_body_schemas(source, target))
        if left is ABSENT or left != body:
            yield here.child("requestBody"), left


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
    judged = [
        (name, withheld.holds("event", one, Location("", (key, name))))
        for key in ("webhooks", "x-webhooks")
        for name, one in _as_mapping(document.get(key)).items()
    ]
    public = {name for name, is_hidden in judged if not is_hidden}
    return frozenset(name for name, is_hidden in judged if is_hidden) - public


def _operation_paths(operations: Iterable[str]) -> frozenset[str]:
    """Return the paths among the names of operations."""
    return frozenset(path for _, mark, path in (one.partition(" ") for one in operations) if mark)


def _mappings_in(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _as_mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


class _ReferenceWalk:
    """Follows references from objects; the components of a document count only where something refers to
    them. Objects that are withheld are gathered instead of entered; without a judge all are entered.
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
        self.places: set[Location] = set()
        self.ids: dict[str, Location] = {}
        self.links: list[tuple[dict[str, Any], Location]] = []
        self.internal: list[LocatedObject] = []

    def visit(self, *start: LocatedObject) -> None:
        pending = list(start)
        while pending:
            kind, value, here = pending.pop()
            if not isinstance(value, dict):
                continue
            if self._withheld is not None and self._withheld.holds_itself(kind, value, here):
                self.internal.append((kind, value, here))
                continue
            self._note_names(kind, value)
            if kind in ("operation", "sent operation"):
                self.operations |= names_of_operation(value, here)
                self.places.add(here)
                if isinstance(value.get("operationId"), str):
                    self.ids.setdefault(value["operationId"], here)
            if kind == "link":
                self.links.append((value, here))
            for below, one, pointer in child_objects(kind, value):
                if below != "components":
                    pending.append((below, one, here.child(*pointer)))
            for reference in references_in(kind, value):
                pending += self._follow_reference(reference, kind, here)

    def _note_names(self, kind: str, value: dict[str, Any]) -> None:
        """Note what is referred to by its name: tags, parameters, security schemes and their scopes."""
        if kind == "parameter" and isinstance(value.get("name"), str):
            self.parameters.add(value["name"])
        if kind in ("operation", "sent operation"):
            self.tags.update(_texts_in(value.get("tags")))
            self.scopes.update(_texts_in(value.get("x-scopes")))
        if kind in ("operation", "sent operation", "document"):
            for requirement in value.get("security") or () if isinstance(value.get("security"), list) else ():
                self.components.update(("securitySchemes", name) for name in _as_mapping(requirement))
                for scopes in _as_mapping(requirement).values():
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
                whole = Location("", target.pointer[:3])
                yield from self._follow_reference(
                    str(whole), OBJECT_FIELDS["components"][component[0]][1], Location("", ())
                )


def component_of(location: Location) -> tuple[str, str] | None:
    """Return section and name of the component of the root document that a location is in, if in any."""
    if location.file or len(location.pointer) < 3 or location.pointer[0] != "components":
        return None
    section, name = location.pointer[1:3]
    return (section, name) if section in OBJECT_FIELDS["components"] else None


def references_in(kind: str, value: dict[str, Any]) -> Iterator[str]:
    """Yield the references that stand in an object itself: its `$ref`, and the targets of a discriminator."""
    reference = value.get("$ref")
    if isinstance(reference, str):
        yield reference
    if kind == "schema":
        discriminator = _as_mapping(value.get("discriminator"))
        targets = _as_mapping(discriminator.get("mapping")).values()
        for target in (*targets, discriminator.get("defaultMapping")):
            if isinstance(target, str):
                yield discriminator_reference(target)


def _texts_in(value: Any) -> Iterable[str]:
    return (one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def published_objects(source: Source) -> Iterator[LocatedObject]:
    """Yield the objects of the root file, and those of others that references lead to, each once."""
    pending: deque[LocatedObject] = deque([("document", source.root().value, Location("", ()))])
    seen: set[tuple[str, Location]] = set()
    while pending:
        kind, value, here = pending.popleft()
        if not isinstance(value, dict) or is_internal(value) or (kind, here) in seen:
            continue
        seen.add((kind, here))
        yield kind, value, here
        pending.extend(
            (below, one, here.child(*pointer)) for below, one, pointer in _child_objects(kind, value)
        )
        pending.extend(
            entry
            for entry in _objects_in_other_files(source, kind, value, here)
            if (kind, entry[2]) not in seen
        )


def objects_of_other_files(source: Source) -> Iterator[LocatedObject]:
    """Yield the objects that references lead to in other files than the root, without those within them."""
    seen: set[tuple[str, Location]] = set()
    for kind, value, here in published_objects(source):
        for entry in _objects_in_other_files(source, kind, value, here):
            if (kind, entry[2]) not in seen:
                seen.add((kind, entry[2]))
                yield entry


def _objects_in_other_files(
    source: Source, kind: str, value: dict[str, Any], here: Location
) -> Iterator[LocatedObject]:
    for reference in references_in(kind, value):
        target = source.locate(reference, here)
        node = source.node_at(target, here, reference) if target is not None and target.file else None
        if node is not None:
            yield kind, node.value, node.location


def _child_objects(kind: str, value: dict[str, Any]) -> Iterator[tuple[str, Any, Pointer]]:
    yield from child_objects(kind, value)
    for key, below in MINOR_OBJECT_FIELDS.get(kind, {}).items():
        yield below, value.get(key), (key,)
    variables = value.get("variables") if kind == "server" else None
    for name, one in variables.items() if isinstance(variables, dict) else ():
        yield "server variable", one, ("variables", str(name))
