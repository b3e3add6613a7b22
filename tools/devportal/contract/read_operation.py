"""Nodes → operations: those of paths, of webhooks and of callbacks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from devportal.contract.model import (
    Callback,
    CodeSample,
    Operation,
    Parameter,
    Requirement,
    Server,
    Webhook,
)
from devportal.contract.read_parts import (
    read_parameters,
    read_request_body,
    read_requirements,
    read_responses,
    read_servers,
)
from devportal.contract.read_schema import SchemaReader, is_internal, read_external_docs, read_stability
from devportal.contract.schemas import Stability
from devportal.contract.source import Node

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
"""The fixed methods of a path item (OAS 3.0.3 §4.7.9.1; `query` since 3.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What an operation inherits from the contract's root."""

    servers: tuple[Server, ...] = ()
    security: tuple[Requirement, ...] = ()
    schemas: SchemaReader = field(repr=False)


def read_paths(root: Node, defaults: Defaults) -> Iterator[Operation]:
    """Yield every operation of `paths`, in the order written, the internal ones left out."""
    for path, item in root.members("paths"):
        if path.startswith("x-"):
            continue
        node = _path_item(item)
        if node is not None:
            yield from read_path_item(path, node, defaults)


def read_webhooks(root: Node, defaults: Defaults) -> Iterator[Webhook]:
    """Yield the events of `webhooks` (3.1) and `x-webhooks` (the convention in 3.0)."""
    for key in ("webhooks", "x-webhooks"):
        for name, item in root.members(key):
            node = _path_item(item)
            if node is not None:
                operations = tuple(read_path_item("", node, defaults, event=name))
                yield Webhook(name=name, operations=operations, location=node.location)


def _path_item(item: Node) -> Node | None:
    node = item.resolved() if isinstance(item.value, dict) else None
    if node is None:
        if not isinstance(item.value, dict):
            item.report(
                "contract-shape", f"expected a path item, found {item.value!r:.60}", help="write a mapping"
            )
        return None
    return None if is_internal(node) else node


def read_path_item(path: str, node: Node, defaults: Defaults, *, event: str = "") -> Iterator[Operation]:
    """Yield the operations of a path item; `event` names the webhook or callback it stands under."""
    shared = read_parameters(node, defaults.schemas)
    servers = read_servers(node) or defaults.servers
    below = Defaults(servers=servers, security=defaults.security, schemas=defaults.schemas)
    written = [(method, member) for method, member in node.entries() if method.lower() in METHODS]
    written += list(node.members("additionalOperations"))
    for method, member in written:
        if not isinstance(member.value, dict):
            member.report(
                "contract-shape", f"expected an operation, found {member.value!r:.60}", help="write a mapping"
            )
        elif not is_internal(member):
            yield _operation(method.upper(), path, member, shared, below, event)


def _operation(
    method: str, path: str, node: Node, shared: tuple[Parameter, ...], defaults: Defaults, event: str
) -> Operation:
    declared = node.text("operationId")
    summary = node.text("summary").strip()
    stability = read_stability(node)
    requirements = read_requirements(node)
    return Operation(
        id=declared or event or made_id(method, path),
        id_is_declared=bool(declared),
        method=method,
        path=path,
        title=summary or event or (title_from_id(declared) if declared else f"{method} {path}"),
        summary=summary,
        description=node.text("description"),
        tags=node.texts("tags"),
        parameters=merge_parameters(shared, read_parameters(node, defaults.schemas)),
        request_body=read_request_body(node, defaults.schemas),
        responses=tuple(read_responses(node, defaults.schemas)),
        callbacks=tuple(_callbacks(node, defaults)),
        security=defaults.security if requirements is None else requirements,
        scopes=node.texts("x-scopes"),
        servers=read_servers(node) or defaults.servers,
        deprecated=node.flag("deprecated"),
        sunset=node.text("x-sunset"),
        stability=stability or Stability.STABLE,
        stability_is_declared=stability is not None,
        external_docs=read_external_docs(node),
        code_samples=tuple(_code_samples(node)),
        location=node.location,
    )


def merge_parameters(shared: tuple[Parameter, ...], own: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """Return path-level and operation parameters in one; the operation's win (OAS 3.0.3 §4.7.9)."""
    merged = {(parameter.location_in, parameter.name): parameter for parameter in shared}
    merged |= {(parameter.location_in, parameter.name): parameter for parameter in own}
    return tuple(merged.values())


def made_id(method: str, path: str) -> str:
    """Return an id for an operation that declares none: `GET /v1/a/{id}` → `get-v1-a-id`."""
    words = re.sub(r"[^\w]+", "-", path, flags=re.UNICODE).strip("-")
    return f"{method.lower()}-{words}" if words else method.lower()


_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def title_from_id(operation_id: str) -> str:
    """Return words from an operationId: `sendMessage` → `Send message`, `issues/lock` → `Issues lock`."""
    words = re.split(r"[^\w]+|_+", _CAMEL.sub(" ", operation_id))
    text = " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words if word)
    return text[:1].upper() + text[1:]


def _callbacks(node: Node, defaults: Defaults) -> Iterator[Callback]:
    for name, item in node.members("callbacks"):
        callback = item.resolved()
        if callback is None:
            continue
        for expression, member in callback.entries():
            path_item = None if expression.startswith("x-") else _path_item(member)
            if path_item is not None:
                operations = tuple(read_path_item(expression, path_item, defaults, event=name))
                yield Callback(name=name, expression=expression, operations=operations)


def _code_samples(node: Node) -> Iterator[CodeSample]:
    for key in ("x-codeSamples", "x-code-samples"):
        for item in node.items(key):
            if item.text("source"):
                language = item.text("lang")
                yield CodeSample(
                    language=language, label=item.text("label") or language, source=item.text("source")
                )
