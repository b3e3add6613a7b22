"""HTTP/1.1 of the sandbox: the toolkit's, with the client certificates of mutual TLS and our problem documents."""

import re
from asyncio import Transport
from collections.abc import Mapping
from urllib.parse import unquote

from starlette.requests import Request

from devportal.serving.http_protocol import LimitedProtocol, WriteRefusal, invalid_host_reason
from telecom.problems import ProblemKind
from telecom.sandbox.api.exchange import RequestRefused
from telecom.sandbox.connections.sockets import AccountsOfCertificate

_ABSOLUTE = re.compile(r"https?://[^/]*", re.IGNORECASE)
_SLASH = re.compile(rb"%(2f)", re.IGNORECASE)
CERTIFIED_FOR = "telecom.certified_for"
"""The extension of an ASGI scope with the `accounts` whose authority issued the client's certificate. It is
only present if the client had to show one."""


def request_path(request: Request) -> str:
    """Return the requested path, also of a target in absolute form (RFC 9112 §3.2.2).

    A slash that was sent as `%2F` stays encoded: it is part of a segment, and ends none (RFC 3986 §2.2).
    """
    path = str(request.scope["path"])
    raw_path = request.scope.get("raw_path") or b""
    if _SLASH.search(raw_path):
        path = unquote(_SLASH.sub(rb"%25\1", raw_path).decode("ascii", "replace"))
    return path if path.startswith("/") else _ABSOLUTE.sub("", path) or "/"


def refuse_invalid_host(request: Request) -> None:
    """Raise RequestRefused (400) if a request has no host, several, or an invalid one (RFC 9112 §3.2)."""
    reason = invalid_host_reason(request.headers.getlist("host"), request.scope["http_version"])
    if reason is not None:
        raise RequestRefused(ProblemKind.MALFORMED_REQUEST, reason)


def protocol_class(
    refusal: WriteRefusal, certified_for: AccountsOfCertificate | None = None
) -> type[LimitedProtocol]:
    """Return the protocol of a sandbox, for `uvicorn.Config(http=…)`; for mutual TLS with a function that
    returns the accounts whose authority issued a certificate."""
    accounts_of = None if certified_for is None else staticmethod(certified_for)
    return type(
        "SandboxProtocol", (_Protocol,), {"refusal": staticmethod(refusal), "accounts_of": accounts_of}
    )


class _Protocol(LimitedProtocol):
    """One connection, which knows the certificate of its client."""

    accounts_of: AccountsOfCertificate | None

    _certified_for: frozenset[str] | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Take the accounts from the handshake, and begin to wait for the first request."""
        if self.accounts_of is not None:
            self._certified_for = _certified_accounts(self.accounts_of, transport)
        super().connection_made(transport)

    def scope_extensions(self) -> Mapping[str, dict[object, object]]:
        """Add the accounts from the handshake."""
        extensions = super().scope_extensions()
        if self._certified_for is None:
            return extensions
        return {**extensions, CERTIFIED_FOR: {"accounts": self._certified_for}}


def _certified_accounts(accounts_of: AccountsOfCertificate, transport: Transport) -> frozenset[str]:
    """Return the accounts of the client's certificate, none if it has shown none."""
    ssl_object = transport.get_extra_info("ssl_object")
    certificate: bytes | None = ssl_object.getpeercert(binary_form=True) if ssl_object is not None else None
    return accounts_of(certificate) if certificate is not None else frozenset()
