"""Every operation and schema once, and how one part of a contract names an operation elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from devportal.contract.model import Api, Header, Link, Operation, Parameter
from devportal.contract.read.source import Node, Source
from devportal.contract.schemas import Location, Schema, walk_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationSet:
    """Some operations of a contract: their ids, methods with paths such as `GET /a`, and locations."""

    names: frozenset[str] = frozenset()
    locations: frozenset[Location] = frozenset()

    def contains_target(self, link: Mapping[str, Any], location: Location, source: Source) -> bool:
        """Say whether a link, as written, leads to one of them."""
        reference = link.get("operationRef")
        target = operation_at(reference, location, source) if isinstance(reference, str) else None
        name = link.get("operationId")
        return target in self.locations or (isinstance(name, str) and name in self.names)


class LinkTargets:
    """The operations that links may lead to, by what they are called; of several the first."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        """Take the operations in their order."""
        reversed_operations = operations[::-1]
        self._by_id = {
            reversed_operation.id: reversed_operation
            for reversed_operation in reversed_operations
            if reversed_operation.id_is_declared
        }
        self._by_key = {
            str(reversed_operation.key): reversed_operation for reversed_operation in reversed_operations
        }
        self._by_location = {
            reversed_operation.location: reversed_operation for reversed_operation in reversed_operations
        }

    def of(self, link: Link) -> Operation | None:
        """Return the operation that a link names by its id, or by a reference to its path. The location
        decides only if several paths share the path item.
        """
        operation = self._by_id.get(link.operation_id) or self._by_key.get(unquote(link.operation_ref))
        if operation is not None or link.target is None:
            return operation
        return self._by_location.get(link.target)


def successor_of(api: Api, operation: Operation) -> Operation | None:
    """Return the operation that takes the place of another one; None if the contract has none with that id."""
    if not operation.successor:
        return None
    return next((other for other in api.operations if other.id == operation.successor), None)


def names_of_operation(operation: Mapping[str, Any], location: Location) -> frozenset[str]:
    """Return the names of an operation: its id, and its method and path if it is below a path."""
    name = operation.get("operationId")
    names = {name} if isinstance(name, str) else set()
    match location.pointer:
        case ("paths", path, method) | ("paths", path, "additionalOperations", method):
            names.add(f"{method.upper()} {path}")
    return frozenset(names)


def operation_at(reference: str, base: Location, source: Source) -> Location | None:
    """Return the location of the operation that a reference names; None if it is in another contract, which
    is allowed: an `operationRef` is a link, not a part of this contract (OAS 3.0.3 §4.7.20).

    The path item of the operation may itself be a reference.
    """
    target = source.find_location(reference, base) if reference else None
    item, _, method = reference.rpartition("/")
    if target is not None or not item:
        return target
    seen: set[Location] = set()
    location = source.find_location(item, base)
    while location is not None and location not in seen:
        seen.add(location)
        node = source.node_at(location, location, "")
        if node is None or node.has(method):
            return location.child(method) if node is not None else None
        location = _reference_target(node)
    return None


def _reference_target(node: Node) -> Location | None:
    reference = node.value.get("$ref") if isinstance(node.value, dict) else None
    return node.source.find_location(reference, node.location) if isinstance(reference, str) else None


def every_operation(api: Api) -> Iterator[Operation]:
    """Yield the operations of paths and webhooks, each followed by those of its callbacks."""
    pending = [*api.operations, *(operation for event in api.webhooks for operation in event.operations)]
    pending.reverse()
    while pending:
        operation = pending.pop()
        yield operation
        below = [sent for callback in operation.callbacks for sent in callback.operations]
        pending += reversed(below)


def every_schema(api: Api) -> Iterator[Schema]:
    """Yield the shared schemas, the inline schemas of operations, and all schemas within them."""
    inline = (schema for operation in every_operation(api) for schema in _operation_schemas(operation))
    seen: set[Location] = set()
    for root in (*api.schemas.values(), *inline):
        if root.location not in seen:
            for schema in walk_schema(root):
                seen.add(schema.location)
                yield schema


def _operation_schemas(operation: Operation) -> Iterator[Schema]:
    """Yield the inline schemas of an operation."""
    bodies = [*operation.request_content]
    bodies += [media for response in operation.responses for media in response.content]
    parameters_and_headers: list[Parameter | Header] = [*operation.parameters]
    parameters_and_headers += [header for response in operation.responses for header in response.headers]
    parameters_and_headers += [
        header for media in bodies for encoding in media.encodings for header in encoding.headers
    ]
    bodies += [
        parameters_and_header.content
        for parameters_and_header in parameters_and_headers
        if parameters_and_header.content is not None
    ]
    schemas = [parameters_and_header.schema for parameters_and_header in parameters_and_headers] + [
        body.schema for body in bodies
    ]
    yield from filter(None, schemas + [body.item_schema for body in bodies])
