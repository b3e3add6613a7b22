"""Nodes → operations: those of paths, of webhooks and of callbacks."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from devportal.contract.http_methods import PATH_ITEM_METHODS
from devportal.contract.model import (
    Callback,
    CodeSample,
    MockHint,
    Operation,
    Parameter,
    ParameterLocation,
    Requirement,
    Response,
    Server,
    Webhook,
)
from devportal.contract.operation_names import OperationSet
from devportal.contract.path_templates import placeholder_names
from devportal.contract.read.lifecycle_extensions import (
    is_internal,
    read_external_docs,
    read_grounds,
    read_renamed_from,
    read_stability,
    read_successor,
    read_unknown_stability,
    resolve_published,
)
from devportal.contract.read.read_parts import (
    read_parameters,
    read_request_body,
    read_requirements,
    read_responses,
    read_servers,
)
from devportal.contract.read.read_schema import SchemaReader
from devportal.contract.read.references import broken_note
from devportal.contract.read.source import Node
from devportal.contract.schemas import Grounds, Location, Stability
from devportal.contract.titles.operation_titles import event_title, operation_title
from devportal.contract.wording import normalise_name, quote_value
from devportal.findings import Level

_OPERATION_FIELDS = frozenset(
    {
        *("tags", "summary", "description", "externalDocs", "operationId", "parameters", "requestBody"),
        *("responses", "callbacks", "deprecated", "security", "servers"),
    }
)
"""The fields of an operation (OAS 3.0.3 §4.7.10). If one is malformed, that is reported where it is read."""
MAX_CALLBACK_DEPTH = 3
"""How deep callbacks of callbacks are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationDefaults:
    """What an operation inherits: from the contract's root, then also from its path item.

    `above` holds the operations that this one is a callback of. One is never read again below itself, nor
    anything below `MAX_CALLBACK_DEPTH` of them: callbacks that refer to each other would never end.
    """

    servers: tuple[Server, ...] = ()
    security: tuple[Requirement, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    description: str = ""
    stability: Stability | None = None
    grounds: Grounds | None = None
    above: tuple[Location, ...] = ()
    hidden_tags: frozenset[str] = frozenset()
    hidden_operations: OperationSet = field(default_factory=OperationSet)
    hidden_schemes: frozenset[str] = frozenset()
    schemas: SchemaReader = field(repr=False)


def read_paths(root: Node, defaults: OperationDefaults) -> Iterator[Operation]:
    """Yield every operation of `paths`, in the order written, the internal ones left out."""
    for path in root.value:
        if path.startswith("/"):
            root.report(
                "contract-shape",
                f"the path {quote_value(path)} is outside 'paths', so its operations are not read",
                help="indent it, below 'paths'",
                key=path,
            )
    for path, item in root.members("paths"):
        if not path.startswith("x-"):
            yield from read_path_item(path, item, defaults)


def read_webhooks(root: Node, defaults: OperationDefaults) -> Iterator[Webhook]:
    """Yield the events of `webhooks` (3.1) and `x-webhooks` (the convention in 3.0)."""
    below = _event_defaults(defaults)
    webhooks = []
    for key in ("webhooks", "x-webhooks"):
        for name, item in root.members(key):
            if key.startswith("x-") and name.startswith("x-") and not isinstance(item.value, dict):
                continue  # an extension, such as `x-sdk-exclude: true`
            operations = tuple(read_path_item("", item, below, event=name))
            if operations:
                location = (item.chain() or (item,))[-1].location
                webhooks.append(Webhook(name=name, operations=operations, location=location))
    yield from _disambiguate_titles(webhooks)


def _disambiguate_titles(webhooks: Sequence[Webhook]) -> Iterator[Webhook]:
    """Yield events with distinct titles: events that share a summary are titled by their names."""
    counts = Counter(operation.title.casefold() for webhook in webhooks for operation in webhook.operations)
    for webhook in webhooks:
        operations = tuple(
            _with_event_title(webhook.name, operation)
            if counts[operation.title.casefold()] > 1
            else operation
            for operation in webhook.operations
        )
        yield webhook if operations == webhook.operations else replace(webhook, operations=operations)


def _with_event_title(name: str, operation: Operation) -> Operation:
    """Return the request of an event with its name as title; the summary moves into the description."""
    if operation.title == name:
        return operation
    if operation.description.startswith(operation.summary):
        return replace(operation, title=name)
    texts = (operation.summary, operation.description)
    return replace(operation, title=name, description="\n\n".join(filter(None, texts)))


def _event_defaults(defaults: OperationDefaults) -> OperationDefaults:
    """Return what the requests of a webhook or callback inherit: the servers and the security of the API do
    not apply to their receiver.
    """
    return replace(defaults, servers=(), security=(), parameters=(), description="")


def read_path_item(
    path: str, item: Node, defaults: OperationDefaults, *, event: str = ""
) -> Iterator[Operation]:
    """Yield the operations of a path item; `event` is the name of its webhook or callback.

    Siblings of a `$ref` are merged with its target, and override it (OAS 3.1.0 §4.8.9.1).
    """
    layers = item.chain() or (item,)
    if any(is_internal(layer) for layer in layers):
        return
    published, is_all_internal = [], False
    for steps, member in _methods(layers):
        if not isinstance(member.value, dict):
            member.report(
                "contract-shape",
                f"expected an operation, found {quote_value(member.value)}",
                help="write a mapping",
            )
            continue
        if not is_internal(member) and member.location not in defaults.above:
            security = _security_requirements(member, defaults)
            if security is not None:
                published.append((item.location.child(*steps), member, security))
                continue
        is_all_internal = True
    if is_all_internal and not published:  # what only its operations share is not published either
        return
    below = _path_item_defaults(layers, defaults)
    for key, member, security in published:
        operation = _operation(key, path, member, replace(below, security=security), event)
        _report_lost_content(operation, member)
        yield operation


def _report_lost_content(operation: Operation, node: Node) -> None:
    """Report an operation whose page has no content, although something is written in its place."""
    texts = (operation.summary, operation.description, operation.external_docs, operation.code_samples)
    parts = (operation.parameters, operation.request_body, operation.responses, operation.callbacks)
    if any((*texts, *parts)):
        return
    unread = [key for key in node.value if not key.startswith("x-") and key not in _OPERATION_FIELDS]
    if unread:
        node.report(
            "contract-operation-empty",
            f"OpenAPI defines none of what this operation has, so its page is empty: "
            f"{', '.join(map(quote_value, unread))}",
            help="describe its parameters, request body and responses here",
        )


def _security_requirements(node: Node, inherited: OperationDefaults) -> tuple[Requirement, ...] | None:
    """Return the alternatives of an operation whose schemes are all published; None if none is left.

    Such an operation is only for those who know the internal scheme. Without it, it would look public.
    """
    own = read_requirements(node)
    requirements = inherited.security if own is None else own
    shown = without_hidden_schemes(requirements, inherited.hidden_schemes)
    if shown or not requirements:
        return shown
    node.report(
        "contract-internal",
        "each credential that this operation accepts is internal, so it is not published",
        help="mark the operation 'x-internal: true', or publish a security scheme that it accepts",
        level=Level.WARNING,
    )
    return None


def without_hidden_schemes(
    requirements: tuple[Requirement, ...], hidden: frozenset[str]
) -> tuple[Requirement, ...]:
    """Return the alternatives whose schemes are all published."""
    return tuple(
        requirement for requirement in requirements if not any(use.scheme in hidden for use in requirement)
    )


def _path_item_defaults(layers: tuple[Node, ...], defaults: OperationDefaults) -> OperationDefaults:
    """Return what the operations of a path item inherit from it and from the root of the contract."""
    parameters: tuple[Parameter, ...] = ()
    for layer in reversed(layers):
        parameters = merge_parameters(parameters, read_parameters(layer, defaults.schemas))
    texts = [
        next(filter(None, (layer.text(key).strip() for layer in layers)), "")
        for key in ("summary", "description")
    ]
    return replace(
        defaults,
        servers=next(filter(None, map(read_servers, layers)), defaults.servers),
        parameters=parameters,
        description="\n\n".join(filter(None, texts)),
        stability=next(filter(None, map(read_stability, layers)), None),
        grounds=next(filter(None, map(read_grounds, layers)), None),
    )


def _methods(layers: tuple[Node, ...]) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Yield each operation of a path item, in the order written, each method once; with the steps that lead
    to it, of which the last is the method.
    """
    seen = set()
    for layer in layers:
        fixed = (((key,), member) for key, member in layer.entries() if key.lower() in PATH_ITEM_METHODS)
        further = layer.members("additionalOperations")
        for steps, member in (*fixed, *((("additionalOperations", key), node) for key, node in further)):
            method = steps[-1].upper() if len(steps) == 1 else steps[-1]
            if method not in seen:
                seen.add(method)
                yield steps, member


def _distinct_texts(*texts: str) -> Iterator[str]:
    """Yield texts that are not empty, each once: generators write a long summary as description too."""
    seen = {""}
    for text in texts:
        words = " ".join(text.split()).removesuffix(".")
        if words not in seen:
            seen.add(words)
            yield text


def _operation(key: Location, path: str, node: Node, inherited: OperationDefaults, event: str) -> Operation:
    """Return an operation; the last step of its key is its method."""
    is_additional = key.pointer[-2:-1] == ("additionalOperations",)
    method = key.pointer[-1] if is_additional else key.pointer[-1].upper()  # RFC 9110 §9.1: case-sensitive
    declared = node.text("operationId")
    summary = node.text("summary").strip()
    named = event_title(summary, event) if event else operation_title(summary, declared, method, path)
    texts = _distinct_texts(named.text, node.text("description"), inherited.description)
    stability = read_stability(node) or inherited.stability
    own = read_parameters(node, inherited.schemas)
    return Operation(
        id=declared or event or generate_operation_id(method, path),
        id_is_declared=bool(declared),
        method=method,
        path=path,
        title=named.title,
        summary=summary,
        description="\n\n".join(texts),
        path_description=inherited.description,
        tags=tuple(tag for tag in _tags(node) if tag not in inherited.hidden_tags),
        parameters=_repair_path_parameters(path, merge_parameters(inherited.parameters, own)),
        request_body=read_request_body(node, inherited.schemas),
        responses=tuple(_responses(node, inherited)),
        callbacks=tuple(_callbacks(node, inherited)),
        security=inherited.security,
        security_is_declared=node.has("security"),
        scopes=node.texts("x-scopes") or node.texts("x-required-scopes"),
        servers=read_servers(node) or inherited.servers,
        deprecated=node.flag("deprecated"),
        sunset=node.text("x-sunset"),
        renamed_from=read_renamed_from(node),
        successor=read_successor(node),
        stability=stability or Stability.STABLE,
        stability_is_declared=stability is not None,
        unknown_stability=read_unknown_stability(node),
        grounds=read_grounds(node) or inherited.grounds,
        external_docs=read_external_docs(node),
        code_samples=tuple(_code_samples(node)),
        mock_hint=_mock_hint(node),
        location=node.location,
        key=key,
    )


def _tags(node: Node) -> Iterator[str]:
    """Yield the tags of an operation; one without a name is reported, and counts as none."""
    for tag in node.texts("tags"):
        if tag.strip():
            yield tag
        else:
            node.report(
                "contract-tag",
                f"the tag {quote_value(tag)} of this operation has no name, so it is left out",
                help="remove it, or write the name of a tag",
                key="tags",
                level=Level.WARNING,
            )


def _responses(node: Node, inherited: OperationDefaults) -> Iterator[Response]:
    """Yield the responses, with the links to operations that are published."""
    hidden = inherited.hidden_operations
    for response in read_responses(node, inherited.schemas):
        links = tuple(
            link
            for link in response.links
            if link.operation_id not in hidden.names and link.target not in hidden.locations
        )
        yield response if len(links) == len(response.links) else replace(response, links=links)


def merge_parameters(shared: tuple[Parameter, ...], own: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """Return path-level and operation parameters in one; the operation's win (OAS 3.0.3 §4.7.9)."""
    merged = {(parameter.location_in, parameter.name): parameter for parameter in shared}
    merged |= {(parameter.location_in, parameter.name): parameter for parameter in own}
    return tuple(merged.values())


def _repair_path_parameters(path: str, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """Return the parameters. Unreadable ones become the path parameters that no other parameter declares:
    `/users/{user_id}` says all that a request needs to know about `#/components/parameters/UserId`.
    """
    if not any(parameter.broken for parameter in parameters):
        return parameters
    declared = {parameter.name for parameter in parameters if parameter.location_in is ParameterLocation.PATH}
    missing = {normalise_name(name): name for name in placeholder_names(path) if name not in declared}
    return tuple(
        replace(
            parameter,
            name=missing[normalise_name(parameter.name)],
            location_in=ParameterLocation.PATH,
            required=True,
            style="simple",
            explode=False,
            description=broken_note(parameter.broken),
        )
        if parameter.broken and normalise_name(parameter.name) in missing
        else parameter
        for parameter in parameters
    )


def resolve_successors(operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """Return the operations with each successor as an operationId, also if it is written as method and path."""
    ids = {f"{operation.method} {operation.path}": operation.id for operation in operations}
    return tuple(
        replace(operation, successor=ids[operation.successor]) if operation.successor in ids else operation
        for operation in operations
    )


def generate_operation_id(method: str, path: str) -> str:
    """Return an id for an operation that declares none: `GET /v1/a/{id}` → `get-v1-a-id`."""
    words = re.sub(r"[^\w]+", "-", path, flags=re.UNICODE).strip("-")
    return f"{method.lower()}-{words}" if words else method.lower()


def with_unique_ids(operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """Return the operations with a number behind each made id that another one has already."""
    taken = {operation.id for operation in operations if operation.id_is_declared}
    renamed = []
    for operation in operations:
        candidate, number = operation.id, 1
        while not operation.id_is_declared and candidate in taken:
            number += 1
            candidate = f"{operation.id}-{number}"
        taken.add(candidate)
        renamed.append(operation if candidate == operation.id else replace(operation, id=candidate))
    return tuple(renamed)


def _callbacks(node: Node, inherited: OperationDefaults) -> Iterator[Callback]:
    if len(inherited.above) >= MAX_CALLBACK_DEPTH:
        return
    below = replace(_event_defaults(inherited), above=(*inherited.above, node.location))
    for name, item in node.members("callbacks"):
        callback = resolve_published(item)
        if callback is None:
            continue
        for expression, member in callback.entries():
            if expression.startswith("x-"):
                continue
            operations = tuple(read_path_item(expression, member, below, event=name))
            if operations:
                yield Callback(name=name, expression=expression, operations=operations)


def _mock_hint(node: Node) -> MockHint | None:
    hint = node.mapping("x-mock")
    return MockHint(code=hint.text("code"), example=hint.text("example")) if hint is not None else None


def _code_samples(node: Node) -> Iterator[CodeSample]:
    for key in ("x-codeSamples", "x-code-samples"):
        for item in node.items(key):
            if item.text("source") and not is_internal(item):
                language = item.text("lang")
                yield CodeSample(
                    language=language, label=item.text("label") or language, source=item.text("source")
                )
