"""Requests from web pages of other origins, as the Fetch standard has them (§3.2, CORS protocol).

The console of the documentation calls the sandbox from another origin. Nothing is allowed with credentials of
the browser: whoever calls has a token, and sends it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders

from devportal.contract import Api, ParameterLocation
from devportal.errors import InvalidSettings

ANY_ORIGIN = ("*",)
_MAX_AGE_S = 600
"""How long a browser may remember what it is told about a path."""
_ALWAYS_SENT = {"Authorization", "Content-Type", "traceparent"}
_ORIGIN = re.compile(r"(https?)://(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LAST_PORT = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossOrigin:
    """Which origins may call, what they may send, and what they may read of an answer."""

    origins: frozenset[str]
    request_headers: str
    """The headers of requests that pages may set, with commas between them."""
    response_headers: str
    """The headers of answers that pages may read, with commas between them."""

    @classmethod
    def of(cls, api: Api, origins: Iterable[str]) -> "CrossOrigin":
        """Let origins send what the contract takes, and read what it answers."""
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
        """Say in an answer whether the page that asks may read it."""
        if self._allows_any_origin:
            response["Access-Control-Allow-Origin"] = "*"
        else:
            response.add_vary_header("Origin")
            if not self._allows(request):
                return
            response["Access-Control-Allow-Origin"] = request["origin"]
        response["Access-Control-Expose-Headers"] = self.response_headers

    def preflight(self, request: Headers, methods: Iterable[str]) -> dict[str, str]:
        """Return what a browser is told that asks before it sends (Fetch §3.2.2), nothing if none asks."""
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
        """Return whether the request comes from a page that may ask; origins are compared byte by byte."""
        origins = request.getlist("origin")
        return len(origins) == 1 and (self._allows_any_origin or origins[0] in self.origins)


def parse_origin(text: str) -> str:
    """Return an origin, or the asterisk for all; raises InvalidSettings for what no browser sends as one."""
    match = _ORIGIN.fullmatch(text)
    port = int(match[2]) if match is not None and match[2] is not None else None
    is_origin = match is not None and (port is None or _DEFAULT_PORTS[match[1]] != port <= _LAST_PORT)
    if not is_origin and text not in ANY_ORIGIN:
        raise InvalidSettings(
            f"{text!r} is no origin of web pages",
            help="write it as browsers do: scheme, host in lower case and port unless it is the usual one, "
            "and nothing behind, such as https://docs.example.com or http://127.0.0.1:8000",
        )
    return text


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names, key=str.lower))
