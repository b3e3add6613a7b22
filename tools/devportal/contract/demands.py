"""What requests have to hold and nobody is told of: parts that are required and internal.

No page shows them and no comparison tells them, since what is internal is not published; callers meet them as
a refusal of what the contract allows.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any

from devportal.contract.internal import Part, references
from devportal.contract.load import Contract
from devportal.contract.marks import is_internal, leads_to_internal
from devportal.contract.objects import parts
from devportal.contract.quoting import quoted
from devportal.contract.schemas import Location
from devportal.contract.source import Node, Source
from devportal.contract.untold import Untold, read_untold
from devportal.findings import Finding, Level

_SENT = frozenset(
    {"document", "paths", "path item", "operation", "parameter", "request body", "media type", "schema"}
)
"""The objects on the way to what a caller sends: not those of answers, nor of events."""
_ASKS_NOTHING = frozenset({"not", "if", "propertyNames", "$defs", "definitions"})
"""Keywords of a schema below which nothing is asked of a value."""


def check_demands(contract: Contract) -> Iterator[Finding]:
    """Yield each parameter and property of a public request that is required and internal."""
    source = contract.source.quiet()
    if not source.has_internal:
        return
    untold = read_untold(source)
    found: dict[Location, str] = {}
    for kind, node in _sent(source):
        if kind in {"path item", "operation"}:
            found.update(_parameters(node))
        elif kind == "schema":
            found.update(_properties(node, untold))
    for location, what in found.items():
        yield Finding(
            rule="contract-internal-required",
            level=Level.WARNING,
            place=contract.place(location),
            message=f"{what} is required, and internal: callers cannot know it",
            help="make it optional, publish it, or mark the operation 'x-internal: true'",
        )


def _parameters(node: Node) -> Iterator[tuple[Location, str]]:
    for item in node.items("parameters"):
        last = item.resolved()
        if last is None or not leads_to_internal(item) or last.value.get("required") is not True:
            continue
        if last.value.get("in") != "path":
            yield item.location, f"the parameter {quoted(last.text('name'))}"


def _properties(node: Node, untold: Untold) -> Iterator[tuple[Location, str]]:
    """Yield what a schema requires and may not tell; what is only read is asked of no request (OAS 3.0.3
    §4.7.24, `readOnly`).
    """
    members = dict(node.members("properties"))
    hidden = untold.names(node.location)
    for position, name in enumerate(node.texts("required")):
        last = members[name].resolved() if name in members else None
        if name in hidden and not (last is not None and last.value.get("readOnly") is True):
            yield node.location.child("required", position), f"the property {quoted(name)}"


def _sent(source: Source) -> Iterator[tuple[str, Node]]:
    """Yield the objects that are published and say what callers send, each once."""
    pending: deque[Part] = deque([("document", source.root().value, Location("", ()))])
    seen: set[tuple[str, Location]] = set()
    while pending:
        kind, value, here = pending.popleft()
        node = Node(value, source, here)
        if kind not in _SENT or not isinstance(value, dict) or is_internal(node) or (kind, here) in seen:
            continue
        seen.add((kind, here))
        yield kind, node
        pending.extend(
            (below, one, here.child(*pointer))
            for below, one, pointer in parts(kind, value)
            if not (kind == "schema" and pointer[0] in _ASKS_NOTHING)
        )
        pending.extend(_followed(source, kind, value, here))


def _followed(source: Source, kind: str, value: dict[str, Any], here: Location) -> Iterator[Part]:
    for reference in references(kind, value):
        target = source.locate(reference, here)
        node = source.node_at(target, here, reference) if target is not None else None
        if node is not None:
            yield kind, node.value, node.location
