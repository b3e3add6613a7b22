"""Requests and responses of the mock as values, without a web framework."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from devportal.contract import ABSENT
from devportal.contract.wire_format.deserialisation import parse_form
from devportal.contract.wire_format.request_check import RequestProblem

Headers = tuple[tuple[str, str], ...]
CORS_HEADERS: Headers = (("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", "*"))
"""What lets web pages of any origin read a response (Fetch §3.2)."""


@dataclass(frozen=True, kw_only=True)
class MockRequest:
    """A request. `path` and `query` are as they were sent, percent-encoded; names of headers are in lower case."""

    method: str
    path: str
    query: str = ""
    headers: Headers = ()
    body: bytes = b""
    base_url: str = ""
    """The address of the server as the client called it, without a slash at its end."""

    def header(self, name: str) -> str | None:
        """Return the value of a header, None if it is absent."""
        return self.header_values.get(name.lower())

    @cached_property
    def header_values(self) -> dict[str, str]:
        """The values of the headers by name. Several lines are one list (RFC 9110 §5.3)."""
        values: dict[str, str] = {}
        for name, value in self.headers:
            values[name] = f"{values[name]}, {value}" if name in values else value
        return values

    @cached_property
    def query_pairs(self) -> tuple[tuple[str, str], ...]:
        """The names and values of the query, decoded as forms are."""
        return parse_form(self.query)

    @cached_property
    def cookies(self) -> tuple[tuple[str, str], ...]:
        """The names and values of the cookies, decoded (RFC 6265 §4.2.1)."""
        parts = (part.strip().partition("=") for part in (self.header("cookie") or "").split(";"))
        return tuple((name, unquote(value)) for name, equals, value in parts if equals)


@dataclass(frozen=True, slots=True, kw_only=True)
class MockResponse:
    """A response. `value` is the value that the body shows, ABSENT if it has none or none that is known."""

    status: int
    headers: Headers = ()
    body: bytes = b""
    value: Any = field(default=ABSENT, compare=False)

    def header(self, name: str) -> str | None:
        """Return the value of a header, None if it is absent."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def with_header(self, name: str, value: str) -> "MockResponse":
        """Return the response with a header; it replaces one of the same name."""
        others = tuple(pair for pair in self.headers if pair[0].lower() != name.lower())
        return replace(self, headers=(*others, (name, value)))


class Refused(Exception):
    """A request that is refused. `statuses` are those that fit, the best first: the contract decides which."""

    def __init__(
        self,
        *statuses: int,
        detail: str,
        problems: tuple[RequestProblem, ...] = (),
        headers: Headers = (),
    ) -> None:
        """Take the statuses, a sentence for people, what is wrong in the request, and headers to send."""
        super().__init__(detail)
        self.statuses = statuses
        self.detail = detail
        self.problems = problems
        self.headers = headers


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What the core must not ask for itself: the time, and a number that no other request has."""

    now: datetime
    serial: int
