"""Finds the operation of a request: by its method, by the template that its path fits (OAS 3.0.3 §4.7.8.2), and by
the values that tell operations of one path apart.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from devportal.contract import ABSENT, Api, Operation, ParameterLocation
from devportal.contract.path_templates import path_values_pattern, placeholder_names
from devportal.contract.wire_format.serialisation import encode_address, scalar_text
from devportal.mock.http.exchange import MockRequest

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_ENCODED_SLASH = re.compile("%2F", re.IGNORECASE)
SentValue = tuple[ParameterLocation, str, str]
"""The place and name of a parameter, that of a header in lower case, and its text."""
_TELLING = (ParameterLocation.QUERY, ParameterLocation.HEADER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A path template of the contract with its operations, by method. Those of templates that differ in names only
    are together: `/v1/{name}/repos` has GET, and `/v1/{parent}/repos` has POST. So are those of a path with different
    queries or fragments, `/rest?method=a` and `/rest?method=b`, of which `operations` has the first.
    """

    template: str
    pattern: re.Pattern[str]
    operations: Mapping[str, Operation]
    by_values: Mapping[frozenset[SentValue], Mapping[str, Operation]] = field(default_factory=dict)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The methods that a request may have: HEAD is answered where GET is (RFC 9110 §9.3.2)."""
        methods = {*self.operations, "OPTIONS", *(("HEAD",) if "GET" in self.operations else ())}
        return tuple(sorted(methods))


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteMatch:
    """A route that a path fits, its operations for the values of a request, and the values of its placeholders,
    decoded.
    """

    route: Route
    operations: Mapping[str, Operation]
    values: Mapping[str, str]


class Router:
    """The routes of a contract. A path is taken as it is, and without the path of a server of the contract."""

    def __init__(self, api: Api) -> None:
        """Take the contract."""
        by_pattern: dict[str, list[Operation]] = {}
        for operation in api.operations:
            by_pattern.setdefault(_pattern(operation.path), []).append(operation)
        routes = [_route(api, pattern, operations) for pattern, operations in by_pattern.items()]
        self._fixed = {route.template: route for route in routes if not route.pattern.groups}
        self._templates: dict[int, list[Route]] = {}
        for route in sorted((route for route in routes if route.pattern.groups), key=_generality):
            self._templates.setdefault(route.template.count("/"), []).append(route)
        self.base_paths = base_paths(api)

    def match(self, request: MockRequest) -> RouteMatch | None:
        """Return the route that the path of a request fits, None if it fits none; fixed segments win over placeholders.
        The values have the names that the operation of the method gives them.
        """
        for base in self.base_paths:
            if request.path.startswith(base):
                path = request.path[len(base) :]
                found = self._match_template(request, path)
                if found is None and _ENCODED_SLASH.search(path):  # of a resource name (AIP-122)
                    found = self._match_template(request, _ENCODED_SLASH.sub("/", path))
                if found is not None:
                    return found
        return None

    def _match_template(self, request: MockRequest, path: str) -> RouteMatch | None:
        method = request.method
        fixed = self._fixed.get(path) or self._fixed.get(unquote(path))
        if fixed is not None:
            operations = _for_values(fixed, request)
            values = _values_in_query(_operation(operations, method), request.query_pairs)
            return RouteMatch(route=fixed, operations=operations, values=values)
        for route in self._templates.get(path.count("/"), ()):
            found = route.pattern.fullmatch(path)
            if found is not None:
                operations = _for_values(route, request)
                operation = _operation(operations, method)
                template = _without_query(operation.path) if operation is not None else route.template
                values = dict(zip(placeholder_names(template), map(unquote, found.groups()), strict=True))
                values |= _values_in_query(operation, request.query_pairs)
                return RouteMatch(route=route, operations=operations, values=values)
        return None


def _for_values(route: Route, request: MockRequest) -> Mapping[str, Operation]:
    """Return the operations of a route: those that most values of a request tell apart."""
    if not route.by_values:
        return route.operations
    sent = {(ParameterLocation.QUERY, name, text) for name, text in request.query_pairs}
    sent |= {(ParameterLocation.HEADER, name, text) for name, text in request.header_values.items()}
    fitting = [values for values in route.by_values if values <= sent]
    return route.by_values[max(fitting, key=len)] if fitting else route.operations


def _operation(operations: Mapping[str, Operation], method: str) -> Operation | None:
    return operations.get("GET" if method == "HEAD" else method) or operations.get(method)


def _values_in_query(operation: Operation | None, query: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the values of the placeholders that a path has in its query: of `/search?query={text}`."""
    if operation is None or "?" not in operation.path:
        return {}
    sent = dict(query)
    return {
        name: sent[key]
        for key, text in _pairs(operation.path)
        for name in placeholder_names(text)
        if text == f"{{{name}}}" and key in sent
    }


def base_paths(api: Api) -> tuple[str, ...]:
    """Return the paths of the servers of a contract, percent-encoded, the longest first and the empty one last."""
    servers = [*api.servers, *(server for operation in api.operations for server in operation.servers)]
    paths = {_base_path(server.address) for server in servers if "{" not in server.address}
    return (*sorted(paths - {""}, key=lambda path: (-len(path), path)), "")


def main_base_path(api: Api) -> str:
    """Return the path of the first server of a contract."""
    addresses: Iterable[str] = (server.address for server in api.servers if "{" not in server.address)
    return _base_path(next(iter(addresses), ""))


def _base_path(address: str) -> str:
    return encode_address(urlsplit(address).path.rstrip("/"))


def _without_query(path: str) -> str:
    """Return a path without what some contracts write behind it: a query or a fragment."""
    return re.split(r"[?#]", path, maxsplit=1)[0]


def _pairs(path: str) -> list[tuple[str, str]]:
    """Return the names and values of the query of a path."""
    return parse_qsl(urlsplit(path).query)


def _pattern(path: str) -> str:
    """Return the regular expression of the paths that fit a template."""
    return path_values_pattern(_without_query(path)).pattern


def _route(api: Api, pattern: str, operations: Sequence[Operation]) -> Route:
    by_values: dict[frozenset[SentValue], dict[str, Operation]] = {}
    first: dict[str, Operation] = {}
    has_rivals = len({operation.method for operation in operations}) < len(operations)
    for operation in operations:
        values = _telling_values(api, operation, has_rivals=has_rivals)
        by_values.setdefault(values, {}).setdefault(operation.method, operation)
        first.setdefault(operation.method, operation)
    return Route(
        template=_without_query(operations[0].path),
        pattern=re.compile(pattern),
        operations=first,
        by_values=by_values if len(by_values) > 1 else {},
    )


def _telling_values(api: Api, operation: Operation, *, has_rivals: bool) -> frozenset[SentValue]:
    """Return what requests of an operation have, and those of others of its path may not: the query that is written in
    its path and, if others have its path and method, its parameters with only one value. A fragment, such as that of
    `/#X-Target=Things.Create`, is never sent.
    """
    written = (
        (ParameterLocation.QUERY, name, text) for name, text in _pairs(operation.path) if "{" not in text
    )
    constants = required_constants(api, operation) if has_rivals else ()
    return frozenset((*written, *constants))


def required_constants(api: Api, operation: Operation) -> Iterator[SentValue]:
    """Yield the query parameters and headers that all requests of an operation have with the same value."""
    for parameter in operation.parameters:
        if not (parameter.required and parameter.location_in in _TELLING and parameter.schema):
            continue
        schema = api.resolve(parameter.schema)
        allowed = schema.enum if schema.const is ABSENT else (schema.const,)
        if len(allowed) == 1:
            is_header = parameter.location_in is ParameterLocation.HEADER
            name = parameter.name.lower() if is_header else parameter.name
            yield parameter.location_in, name, scalar_text(allowed[0])


def _generality(route: Route) -> tuple[list[int], int]:
    """Return what routes of the same length are ordered by: the earliest fixed segments win, and then the one with the
    longest fixed text, such as `/jobs/{id}:cancel` before `/jobs/{id}`.
    """
    segments = [
        part.count("{") * 2 - (part.count("{") > 0 and not part.startswith("{"))
        for part in route.template.split("/")
    ]
    return segments, -len(_PLACEHOLDER.sub("", route.template))
