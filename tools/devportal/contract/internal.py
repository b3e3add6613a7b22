"""What only internal parts of a contract refer to: it goes where they go, although nothing marks it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from devportal.contract.objects import FIELDS, SECTIONS, mapped, parts
from devportal.contract.operation_names import Operations, names_of, operation_at
from devportal.contract.redaction import published_value
from devportal.contract.schemas import ABSENT, Location
from devportal.contract.source import Node, Source
from devportal.contract.withheld import Withheld, is_internal

Part = tuple[str, Any, Location]
"""The kind of an object, its value and its location."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Public:
    """What texts may link to by name: operations, tags and the schemas among the components."""

    operations: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    schemas: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """Components by section and name, tags by name, and operations, those that are marked included.

    Parameters, scopes and events are by name: those that are called so everywhere. Paths have no other
    operation.
    """

    components: frozenset[tuple[str, str]] = frozenset()
    tags: frozenset[str] = frozenset()
    operations: Operations = field(default_factory=Operations)
    parameters: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    public: Public = field(default_factory=Public)
    """What is called as they nearly are, but published."""
    link_bodies: Mapping[Location, Any] = field(default_factory=dict)
    """What links send as request bodies, without internal properties; ABSENT where nothing is left."""


def only_internal(source: Source) -> Hidden:
    """Return what internal parts refer to and nothing else does. What nothing refers to is not among it."""
    if not source.has_internal:
        return Hidden()
    document = source.root().value
    components = {
        (section, name): (kind, member, Location("", ("components", section, name)))
        for kind, section in SECTIONS.items()
        for name, member in _mapping(_mapping(document.get("components")).get(section)).items()
    }
    withheld = Withheld(source)
    public = _Reach(source, withheld)
    public.visit(("document", document, Location("", ())))
    everywhere = _Reach(source, withheld)
    everywhere.visit(*components.values())
    internal = _Reach(source, None)
    internal.visit(*public.internal, *everywhere.internal)
    public.visit(*(part for key, part in components.items() if key not in internal.components))
    marked = {key for key, (_, value, _) in components.items() if is_internal(value)}
    marked_tags = {str(one.get("name")) for one in _items(document.get("tags")) if is_internal(one)}
    hidden = internal.components - public.components | marked
    hidden_tags = internal.tags - public.tags | marked_tags
    tags = public.tags | {str(one.get("name")) for one in _items(document.get("tags"))}
    return Hidden(
        components=frozenset(hidden),
        tags=frozenset(hidden_tags),
        operations=Operations(
            names=frozenset(internal.operations - public.operations),
            places=frozenset(internal.places - public.places),
        ),
        parameters=frozenset(internal.parameters - public.parameters),
        scopes=frozenset(internal.scopes - public.scopes),
        paths=_paths(internal.operations) - _paths(public.operations),
        events=_events(document, withheld),
        public=Public(
            operations=frozenset(public.operations),
            tags=frozenset(tags - hidden_tags),
            schemas=frozenset(name for section, name in components.keys() - hidden if section == "schemas"),
        ),
        link_bodies=dict(_link_bodies(source, public)),
    )


def _link_bodies(source: Source, public: "_Reach") -> Iterator[tuple[Location, Any]]:
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


def _events(document: Mapping[str, Any], withheld: Withheld) -> frozenset[str]:
    """Return the names of the webhooks that are not published."""
    judged = [
        (name, withheld.holds("event", one, Location("", (key, name))))
        for key in ("webhooks", "x-webhooks")
        for name, one in _mapping(document.get(key)).items()
    ]
    public = {name for name, is_hidden in judged if not is_hidden}
    return frozenset(name for name, is_hidden in judged if is_hidden) - public


def _paths(operations: Iterable[str]) -> frozenset[str]:
    """Return the paths among the names of operations."""
    return frozenset(path for _, mark, path in (one.partition(" ") for one in operations) if mark)


def _items(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


class _Reach:
    """Follows references from objects; the components of a document count only where something refers to
    them. Objects that are withheld are gathered instead of entered; without a judge all are entered.
    """

    def __init__(self, source: Source, withheld: Withheld | None) -> None:
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
        self.internal: list[Part] = []

    def visit(self, *start: Part) -> None:
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
                self.operations |= names_of(value, here)
                self.places.add(here)
                if isinstance(value.get("operationId"), str):
                    self.ids.setdefault(value["operationId"], here)
            if kind == "link":
                self.links.append((value, here))
            for below, one, pointer in parts(kind, value):
                if below != "components":
                    pending.append((below, one, here.child(*pointer)))
            for reference in references(kind, value):
                pending += self._followed(reference, kind, here)

    def _note_names(self, kind: str, value: dict[str, Any]) -> None:
        """Note what is referred to by its name: tags, parameters, security schemes and their scopes."""
        if kind == "parameter" and isinstance(value.get("name"), str):
            self.parameters.add(value["name"])
        if kind in ("operation", "sent operation"):
            self.tags.update(_texts(value.get("tags")))
            self.scopes.update(_texts(value.get("x-scopes")))
        if kind in ("operation", "sent operation", "document"):
            for requirement in value.get("security") or () if isinstance(value.get("security"), list) else ():
                self.components.update(("securitySchemes", name) for name in _mapping(requirement))
                for scopes in _mapping(requirement).values():
                    self.scopes.update(_texts(scopes))

    def _followed(self, reference: str, kind: str, base: Location) -> Iterator[Part]:
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
                yield from self._followed(str(whole), FIELDS["components"][component[0]][1], Location("", ()))


def component_of(location: Location) -> tuple[str, str] | None:
    """Return section and name of the component of the root document that a location is in, if in any."""
    if location.file or len(location.pointer) < 3 or location.pointer[0] != "components":
        return None
    section, name = location.pointer[1:3]
    return (section, name) if section in FIELDS["components"] else None


def references(kind: str, value: dict[str, Any]) -> Iterator[str]:
    """Yield the references that stand in an object itself: its `$ref`, and the targets of a discriminator."""
    reference = value.get("$ref")
    if isinstance(reference, str):
        yield reference
    if kind == "schema":
        discriminator = _mapping(value.get("discriminator"))
        targets = _mapping(discriminator.get("mapping")).values()
        for target in (*targets, discriminator.get("defaultMapping")):
            if isinstance(target, str):
                yield mapped(target)


def _texts(value: Any) -> Iterable[str]:
    return (one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
