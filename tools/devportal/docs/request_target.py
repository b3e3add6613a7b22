"""Which operation a request is for: `POST https://api.example.com/v1/orders/42?dry_run=true` → operation and values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from devportal.contract import Api
from devportal.contract.path_templates import path_values_pattern, placeholder_names
from devportal.contract.wire_format.deserialisation import parse_form
from devportal.docs.operations import find_name, require_name
from devportal.docs.records import DocumentedOperation
from devportal.errors import InvalidSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestTarget:
    """An operation with the values that an address has for it: texts, a list for what it repeats."""

    operation: DocumentedOperation
    path: Mapping[str, str]
    query: Mapping[str, Any]


def read_target(api: Api, operations: Sequence[DocumentedOperation], asked: str) -> RequestTarget:
    """Return the target of a request: METHOD PATH, METHOD ADDRESS or an operationId. Raises InvalidSettings."""
    method, _, address = asked.strip().partition(" ")
    address = address.strip()
    try:
        parts = urlsplit(address)
    except ValueError:
        raise InvalidSettings(f"{asked[:200]!r} has no valid address", help="write METHOD PATH") from None
    for path in _paths(api, parts.path) if address else ():
        operation = find_name(operations, f"{method} {path}")
        if operation is not None:
            values = _path_values(operation.name.partition(" ")[2], path)
            return RequestTarget(operation=operation, path=values, query=_query_values(parts.query))
    return RequestTarget(operation=require_name(operations, asked), path={}, query={})


def _paths(api: Api, path: str) -> Iterator[str]:
    """Yield a path as it is, and below the paths of the servers, the longest first."""
    yield path
    servers = {*api.servers, *(server for each in api.operations for server in each.servers)}
    bases = {urlsplit(server.address).path.rstrip("/") for server in servers if "{" not in server.address}
    for base in sorted(bases - {""}, key=lambda base: (-len(base), base)):
        if path.startswith(f"{base}/"):
            yield path.removeprefix(base)


def _path_values(template: str, path: str) -> dict[str, str]:
    """Return the values of the placeholders of a path; a placeholder that stands in the path has none."""
    plain = path if template.endswith("/") else path.rstrip("/")
    match = path_values_pattern(template).fullmatch(plain)
    if match is None:
        return {}
    values = zip(placeholder_names(template), match.groups(), strict=True)
    return {name: unquote(value) for name, value in values if value != f"{{{name}}}"}


def _query_values(query: str) -> dict[str, Any]:
    """Return the values of a query by name; those that are repeated are lists."""
    values: dict[str, list[str]] = {}
    for name, value in parse_form(query):
        values.setdefault(name, []).append(value)
    return {name: several if len(several) > 1 else several[0] for name, several in values.items()}
