"""Requests from web pages of other origins (Fetch standard §3.2, CORS protocol).

The console of the documentation calls the sandbox from another origin. Credentials of the browser are never
allowed: callers send their token themselves.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders

from devportal.contract import Api, ParameterLocation
from devportal.errors import InvalidSettings

ANY_ORIGIN = ("*",)
_MAX_AGE_S = 600
"""How long a browser may cache the preflight response of a path."""
_ALWAYS_SENT = {"Authorization", "Content-Type", "traceparent"}
_ORIGIN = re.compile(r"(https?)://(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LAST_PORT = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossOrigin:
    """Which origins may call, which headers they may send, and which they may read of a response."""

    origins: frozenset[str]
    request_headers: str
    """The headers of requests that pages may set, separated by commas."""
    response_headers: str
    """The headers of responses that pages may read, separated by commas."""

    @classmethod
    def of(cls, api: Api, origins: Iterable[str]) -> "CrossOrigin":
        """Allow origins to send and read the headers that the contract has."""
        request_headers = {
            parameter.name
            for operation in api.operations
            for parameter in operation.parameters
            if parameter.location_in is ParameterLocation.HEADER
        }
        response_headers = {
            header.name
            for operation in api.operations
            for response in operation.responses
            for header in response.headers
        }
        return cls(
            origins=frozenset(origins),
            request_headers=_join_names(request_headers | _ALWAYS_SENT),
            response_headers=_join_names(response_headers),
        )

    def add_headers(self, response: MutableHeaders, request: Headers) -> None:
        """Add the headers that say whether the calling page may read a response."""
        if self._allows_any_origin:
            response["Access-Control-Allow-Origin"] = "*"
        else:
            response.add_vary_header("Origin")
            if not self._allows(request):
                return
            response["Access-Control-Allow-Origin"] = request["origin"]
        response["Access-Control-Expose-Headers"] = self.response_headers

    def preflight(self, request: Headers, methods: Iterable[str]) -> dict[str, str]:
        """Return the headers of a preflight response (Fetch §3.2.2), none if the request is not a preflight."""
        if "access-control-request-method" not in request or not self._allows(request):
            return {}
        headers = {
            "Access-Control-Allow-Methods": ", ".join(methods),
            "Access-Control-Allow-Headers": self.request_headers,
            "Access-Control-Max-Age": str(_MAX_AGE_S),
        }
        if request.get("access-control-request-private-network") == "true":
            # The sandbox is on the reader's own machine, the documentation on the internet.
            headers["Access-Control-Allow-Private-Network"] = "true"
        return headers

    @property
    def _allows_any_origin(self) -> bool:
        return "*" in self.origins

    def _allows(self, request: Headers) -> bool:
        """Return whether the request comes from an allowed origin; origins are compared byte by byte."""
        origins = request.getlist("origin")
        return len(origins) == 1 and (self._allows_any_origin or origins[0] in self.origins)


def parse_origin(text: str) -> str:
    """Return an origin, or the asterisk for all; raises InvalidSettings for a text that no browser sends as
    one."""
    match = _ORIGIN.fullmatch(text)
    port = int(match[2]) if match is not None and match[2] is not None else None
    is_origin = match is not None and (port is None or _DEFAULT_PORTS[match[1]] != port <= _LAST_PORT)
    if not is_origin and text not in ANY_ORIGIN:
        raise InvalidSettings(
            f"{text!r} is not an origin of web pages",
            help="write it as browsers do: scheme, host in lower case and port unless it is the usual one, "
            "and nothing behind, such as https://docs.example.com or http://127.0.0.1:8000",
        )
    return text


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names, key=str.lower))
