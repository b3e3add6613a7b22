"""One request that was read and checked, and what is answered to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from devportal.contract import Operation
from telecom.problems import Fault, Kind
from telecom.sandbox.tokens import Grant

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request that keeps the contract: `path`, `query` and `headers` hold the operation's parameters that
    were sent, by their names in the contract; `body` is the JSON value."""

    operation: Operation
    grant: Grant
    path: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    query: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    headers: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    body: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A successful answer: a JSON body, or no content where the status is 204.

    The client is kept waiting for it for `after_s` seconds of real time.
    """

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    after_s: float = 0.0


class Refused(Exception):
    """A request that is answered with a problem document."""

    def __init__(
        self,
        kind: Kind,
        detail: str,
        *,
        faults: tuple[Fault, ...] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Take the kind of problem, what is wrong in this request, and headers beyond the usual ones."""
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.faults = faults
        self.headers = dict(headers or {})


def missing(thing: str, identifier: str) -> Refused:
    """Return the refusal (404) of a path that names a thing which the account does not have: the same for one
    of another account and for one that nobody has."""
    return Refused(Kind.NOT_FOUND, f"Your account has no {thing} {identifier!r}.")
