"""Internal parts that readers of public ones miss: parts of requests that are required, and whole bodies.

Neither the pages nor the differ show internal parts. Callers only notice them when a request that the
contract allows is rejected, or when a response has what no page describes.
"""

from collections import deque
from collections.abc import Iterator, Set
from typing import Any

from devportal.contract.internal.internal_names import InternalNames, read_internal_names
from devportal.contract.internal.withheld import LocatedObject, references_in
from devportal.contract.keyword_columns import Below
from devportal.contract.keywords import keywords_below
from devportal.contract.load import Contract
from devportal.contract.read.lifecycle_extensions import is_internal, leads_to_internal
from devportal.contract.read.source import Node, Source
from devportal.contract.schemas import Location
from devportal.contract.validate.oas_objects import child_objects
from devportal.contract.wording import quote_value
from devportal.findings import Finding, Level

_REQUEST_OBJECT_KINDS = frozenset(
    {"document", "paths", "path item", "operation", "parameter", "request body", "media type", "schema"}
)
"""The kinds of objects between the document and what a caller sends: none of responses or events."""
_BODY_OBJECT_KINDS = (_REQUEST_OBJECT_KINDS | {"responses", "response"}) - {"schema"}
"""The kinds of objects between the document and a body of a request or response."""
_NON_REQUIRING_KEYWORDS = frozenset(keywords_below(Below.NEGATED, Below.NAMES, Below.NOTHING))
"""Keywords whose subschemas require nothing of a value."""


def check_required_internal_parts(contract: Contract) -> Iterator[Finding]:
    """Yield each parameter and property of a public request that is required and internal."""
    source = contract.source.quiet()
    if not source.has_internal:
        return
    internal_names = read_internal_names(source)
    required_parts: dict[Location, str] = {}
    for kind, node in _published_objects(source, _REQUEST_OBJECT_KINDS):
        if kind in {"path item", "operation"}:
            required_parts.update(_required_internal_parameters(node))
        elif kind == "schema":
            required_parts.update(_required_internal_properties(node, internal_names))
    for location, part in required_parts.items():
        yield Finding(
            rule="contract-internal-required",
            level=Level.WARNING,
            place=contract.place(location),
            message=f"{part} is required, and internal: callers cannot know it",
            help="make it optional, publish it, or mark the operation 'x-internal: true'",
        )


def check_internal_bodies(contract: Contract) -> Iterator[Finding]:
    """Yield each body of a public request or response whose schema is internal: readers see none of its fields."""
    source = contract.source.quiet()
    if not source.has_internal:
        return
    for kind, node in _published_objects(source, _BODY_OBJECT_KINDS):
        schema = node.get("schema") if kind == "media type" else None
        if schema is not None and leads_to_internal(schema):
            yield Finding(
                rule="contract-internal",
                level=Level.WARNING,
                place=contract.place(schema.location),
                message="the schema of this body is internal: readers see none of its fields",
                help="publish the schema, or mark the operation 'x-internal: true'",
            )


def _required_internal_parameters(node: Node) -> Iterator[tuple[Location, str]]:
    for item in node.items("parameters"):
        last = item.resolve()
        if last is None or not leads_to_internal(item) or last.value.get("required") is not True:
            continue
        if last.value.get("in") != "path":
            yield item.location, f"the parameter {quote_value(last.text('name'))}"


def _required_internal_properties(
    node: Node, internal_names: InternalNames
) -> Iterator[tuple[Location, str]]:
    """Yield the internal properties that a schema requires. `readOnly` properties are not required in
    requests (OAS 3.0.3 §4.7.24).
    """
    members = dict(node.members("properties"))
    hidden = internal_names.names(node.location)
    for position, name in enumerate(node.texts("required")):
        last = members[name].resolve() if name in members else None
        if name in hidden and not (last is not None and last.value.get("readOnly") is True):
            yield node.location.child("required", position), f"the property {quote_value(name)}"


def _published_objects(source: Source, kinds: Set[str]) -> Iterator[tuple[str, Node]]:
    """Yield the objects of some kinds that are published and that objects of these kinds lead to, each once."""
    pending: deque[LocatedObject] = deque([("document", source.root().value, Location("", ()))])
    seen: set[tuple[str, Location]] = set()
    while pending:
        kind, value, location = pending.popleft()
        node = Node(value, source, location)
        if kind not in kinds or not isinstance(value, dict) or is_internal(node) or (kind, location) in seen:
            continue
        seen.add((kind, location))
        yield kind, node
        pending.extend(
            (below, member, location.child(*pointer))
            for below, member, pointer in child_objects(kind, value)
            if not (kind == "schema" and pointer[0] in _NON_REQUIRING_KEYWORDS)
        )
        pending.extend(_referenced_objects(source, kind, value, location))


def _referenced_objects(
    source: Source, kind: str, value: dict[str, Any], location: Location
) -> Iterator[LocatedObject]:
    for reference in references_in(kind, value):
        target = source.locate(reference, location)
        node = source.node_at(target, location, reference) if target is not None else None
        if node is not None:
            yield kind, node.value, node.location
