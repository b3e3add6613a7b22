"""Finds the operation of a request: by its method, and by the template that its path fits (OAS 3.0.3 §4.7.8.2)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from devportal.contract import Api, Operation

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A path template of the contract with its operations, by method. Those of templates that differ in names only
    are together: `/v1/{name}/repos` has GET, and `/v1/{parent}/repos` has POST.
    """

    template: str
    pattern: re.Pattern[str]
    operations: Mapping[str, Operation]

    @property
    def allowed(self) -> tuple[str, ...]:
        """The methods that a request may have: HEAD is answered where GET is (RFC 9110 §9.3.2)."""
        methods = {*self.operations, "OPTIONS", *(("HEAD",) if "GET" in self.operations else ())}
        return tuple(sorted(methods))


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteMatch:
    """A route that a path fits, and the values of its placeholders, decoded."""

    route: Route
    values: Mapping[str, str]


class Router:
    """The routes of a contract. A path is taken as it is, and without the path of a server of the contract."""

    def __init__(self, api: Api) -> None:
        """Take the contract."""
        by_pattern: dict[str, dict[str, Operation]] = {}
        for operation in api.operations:
            by_pattern.setdefault(_pattern(operation.path), {}).setdefault(operation.method, operation)
        routes = [_route(pattern, operations) for pattern, operations in by_pattern.items()]
        self._fixed = {route.template: route for route in routes if not route.pattern.groups}
        self._templates: dict[int, list[Route]] = {}
        for route in sorted((route for route in routes if route.pattern.groups), key=_generality):
            self._templates.setdefault(route.template.count("/"), []).append(route)
        self.base_paths = base_paths(api)

    def match(self, method: str, path: str) -> RouteMatch | None:
        """Return the route that a path fits, None if it fits none; fixed segments win over placeholders. The values
        have the names that the operation of the method gives them.
        """
        for base in self.base_paths:
            if path.startswith(base):
                found = self._match_template(method, path[len(base) :])
                if found is not None:
                    return found
        return None

    def _match_template(self, method: str, path: str) -> RouteMatch | None:
        fixed = self._fixed.get(path) or self._fixed.get(unquote(path))
        if fixed is not None:
            return RouteMatch(route=fixed, values={})
        for route in self._templates.get(path.count("/"), ()):
            found = route.pattern.fullmatch(path)
            if found is not None:
                read_method = "GET" if method == "HEAD" else method
                operation = route.operations.get(read_method) or route.operations.get(method)
                template = _without_query(operation.path) if operation is not None else route.template
                names = _PLACEHOLDER.findall(template)
                values = dict(zip(names, map(unquote, found.groups()), strict=True))
                return RouteMatch(route=route, values=values)
        return None


def base_paths(api: Api) -> tuple[str, ...]:
    """Return the paths of the servers of a contract, the longest first and the empty one last."""
    servers = [*api.servers, *(server for operation in api.operations for server in operation.servers)]
    paths = {urlsplit(server.address).path.rstrip("/") for server in servers if "{" not in server.address}
    return (*sorted(paths - {""}, key=lambda path: (-len(path), path)), "")


def main_base_path(api: Api) -> str:
    """Return the path of the first server of a contract."""
    addresses: Iterable[str] = (server.address for server in api.servers if "{" not in server.address)
    return urlsplit(next(iter(addresses), "")).path.rstrip("/")


def _without_query(path: str) -> str:
    """Return a path without what some contracts write behind it: a query or a fragment."""
    return re.split(r"[?#]", path, maxsplit=1)[0]


def _pattern(path: str) -> str:
    """Return the regular expression of the paths that fit a template."""
    return "([^/]+)".join(re.escape(part) for part in _PLACEHOLDER.split(_without_query(path))[::2])


def _route(pattern: str, operations: Mapping[str, Operation]) -> Route:
    template = _without_query(next(iter(operations.values())).path)
    return Route(template=template, pattern=re.compile(pattern), operations=operations)


def _generality(route: Route) -> tuple[list[int], int]:
    """Return what routes of the same length are ordered by: the earliest fixed segments win, and then the one with the
    longest fixed text, such as `/jobs/{id}:cancel` before `/jobs/{id}`.
    """
    segments = [
        part.count("{") * 2 - (part.count("{") > 0 and not part.startswith("{"))
        for part in route.template.split("/")
    ]
    return segments, -len(_PLACEHOLDER.sub("", route.template))
