"""Finds the operation of a request: by its method, and by the template that its path fits (OAS 3.0.3 §4.7.8.2)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from devportal.contract import Api, Operation
from devportal.contract.path_templates import path_values_pattern, placeholder_names
from devportal.contract.wire_format.serialisation import encode_address

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A path template of the contract with its operations, by method. Those of templates that differ in names only
    are together: `/v1/{name}/repos` has GET, and `/v1/{parent}/repos` has POST. So are those of a path with different
    queries, `/rest?method=a` and `/rest?method=b`, of which `operations` has the first.
    """

    template: str
    pattern: re.Pattern[str]
    operations: Mapping[str, Operation]
    by_query: Mapping[frozenset[tuple[str, str]], Mapping[str, Operation]] = field(default_factory=dict)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The methods that a request may have: HEAD is answered where GET is (RFC 9110 §9.3.2)."""
        methods = {*self.operations, "OPTIONS", *(("HEAD",) if "GET" in self.operations else ())}
        return tuple(sorted(methods))


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteMatch:
    """A route that a path fits, its operations for the query of a request, and the values of its placeholders,
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
        routes = [_route(pattern, operations) for pattern, operations in by_pattern.items()]
        self._fixed = {route.template: route for route in routes if not route.pattern.groups}
        self._templates: dict[int, list[Route]] = {}
        for route in sorted((route for route in routes if route.pattern.groups), key=_generality):
            self._templates.setdefault(route.template.count("/"), []).append(route)
        self.base_paths = base_paths(api)

    def match(self, method: str, path: str, query: Sequence[tuple[str, str]] = ()) -> RouteMatch | None:
        """Return the route that a path fits, None if it fits none; fixed segments win over placeholders. The values
        have the names that the operation of the method gives them.
        """
        for base in self.base_paths:
            if path.startswith(base):
                found = self._match_template(method, path[len(base) :], frozenset(query))
                if found is not None:
                    return found
        return None

    def _match_template(self, method: str, path: str, query: frozenset[tuple[str, str]]) -> RouteMatch | None:
        fixed = self._fixed.get(path) or self._fixed.get(unquote(path))
        if fixed is not None:
            operations = _for_query(fixed, query)
            values = _values_in_query(_operation(operations, method), query)
            return RouteMatch(route=fixed, operations=operations, values=values)
        for route in self._templates.get(path.count("/"), ()):
            found = route.pattern.fullmatch(path)
            if found is not None:
                operations = _for_query(route, query)
                operation = _operation(operations, method)
                template = _without_query(operation.path) if operation is not None else route.template
                values = dict(zip(placeholder_names(template), map(unquote, found.groups()), strict=True))
                values |= _values_in_query(operation, query)
                return RouteMatch(route=route, operations=operations, values=values)
        return None


def _for_query(route: Route, query: frozenset[tuple[str, str]]) -> Mapping[str, Operation]:
    """Return the operations of a route: those of the longest query of a path that is in the query of a request."""
    fitting = [pairs for pairs in route.by_query if pairs <= query]
    return route.by_query[max(fitting, key=len)] if fitting else route.operations


def _operation(operations: Mapping[str, Operation], method: str) -> Operation | None:
    return operations.get("GET" if method == "HEAD" else method) or operations.get(method)


def _values_in_query(operation: Operation | None, query: frozenset[tuple[str, str]]) -> dict[str, str]:
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


def _route(pattern: str, operations: Sequence[Operation]) -> Route:
    by_query: dict[frozenset[tuple[str, str]], dict[str, Operation]] = {}
    first: dict[str, Operation] = {}
    for operation in operations:
        pairs = frozenset((name, value) for name, value in _pairs(operation.path) if "{" not in value)
        by_query.setdefault(pairs, {}).setdefault(operation.method, operation)
        first.setdefault(operation.method, operation)
    return Route(
        template=_without_query(operations[0].path),
        pattern=re.compile(pattern),
        operations=first,
        by_query=by_query if len(by_query) > 1 else {},
    )


def _generality(route: Route) -> tuple[list[int], int]:
    """Return what routes of the same length are ordered by: the earliest fixed segments win, and then the one with the
    longest fixed text, such as `/jobs/{id}:cancel` before `/jobs/{id}`.
    """
    segments = [
        part.count("{") * 2 - (part.count("{") > 0 and not part.startswith("{"))
        for part in route.template.split("/")
    ]
    return segments, -len(_PLACEHOLDER.sub("", route.template))
