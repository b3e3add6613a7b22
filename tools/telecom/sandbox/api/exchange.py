"""A request with its response, and conditional requests."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from devportal.contract import Operation
from telecom.problems import ErrorDetail, ProblemKind
from telecom.sandbox.tokens.tokens import Grant

_NO_VALUES: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRequest:
    """A request that conforms to the contract: `path`, `query` and `headers` hold the operation's parameters
    that were sent, by their names in the contract; `body` is the JSON value."""

    operation: Operation
    grant: Grant
    path: Mapping[str, str] = field(default_factory=lambda: _NO_VALUES)
    query: Mapping[str, Any] = field(default_factory=lambda: _NO_VALUES)
    headers: Mapping[str, str] = field(default_factory=lambda: _NO_VALUES)
    body: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessResponse:
    """A successful response: a JSON body, or no content if the status is 204.

    It is delayed by `delay_s` seconds of real time.
    """

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=lambda: _NO_VALUES)
    delay_s: float = 0.0


class RequestRefused(Exception):
    """A request that is refused with a problem document."""

    def __init__(
        self,
        kind: ProblemKind,
        detail: str,
        *,
        errors: tuple[ErrorDetail, ...] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Take the kind of problem, what is wrong in this request, and headers beyond the usual ones."""
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.errors = errors
        self.headers = dict(headers or {})


def not_found(resource: str, identifier: str) -> RequestRefused:
    """Return the refusal (404) of a path that names a resource which the account does not have: the same
    whether another account has it or nobody."""
    return RequestRefused(ProblemKind.NOT_FOUND, f"Your account has no {resource} {identifier!r}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedRequest:
    """One response. `operation` is None if the request matches none of the contract, `account` if the caller
    was not authenticated."""

    method: str
    path: str
    operation: str | None
    account: str | None
    status: int
    duration_s: float
    correlation_id: str


Observe = Callable[[ServedRequest], None]


IF_NONE_MATCH = "If-None-Match"
_ETAG = re.compile(r'"[^"]*"')
_ANY = "*"
"""Matches any current entity tag."""


def conditional_response(call: OperationRequest, body: Any) -> SuccessResponse:
    """Return the body with its entity tag, or 304 without it if the request names that tag."""
    content = json.dumps(body, sort_keys=True, separators=(",", ":"))
    etag = f'"{hashlib.sha256(content.encode()).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "public, no-cache"}
    if_none_match = call.headers.get(IF_NONE_MATCH, "")
    if if_none_match.strip() == _ANY or etag in _ETAG.findall(if_none_match):
        return SuccessResponse(status=304, headers=headers)
    return SuccessResponse(status=200, body=body, headers=headers)
