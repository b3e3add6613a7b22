"""How requests are read off connections: uvicorn's protocol on httptools, and what that leaves open.

The parser takes heads of any length and waits for the rest of a request for ever; what it cannot read is
answered in plain text. Here heads and waiting have a limit, and each such answer is a problem document.
"""

import json
import logging
from asyncio import Transport
from asyncio.events import TimerHandle
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from telecom.problems import MEDIA_TYPE, Kind, ProblemRegistry
from telecom.sandbox.entrance import CertifiedFor
from telecom.sandbox.identifiers import RandomBytes, correlation_id

MAX_HEAD_BYTES = 65_536
"""How long request line and headers may be together; proxies let far less through."""
PATIENCE_S = 30.0
"""How long a request may take to come in, from its first byte, or from when the connection is made."""
_LOG = logging.getLogger("telecom.sandbox")

Refusal = Callable[[HTTPStatus, str], bytes]
"""Makes the whole answer to what cannot be read, from its status and a sentence."""


CERTIFIED_FOR = "telecom.certified_for"
"""The extension of an ASGI scope that tells, as `accounts`, whose authority issued the client's certificate.
It is there where the client had to show one."""


def protocol(
    problems: ProblemRegistry, random_bytes: RandomBytes, certified_for: CertifiedFor | None = None
) -> type[HttpToolsProtocol]:
    """Return the protocol of a sandbox, for `uvicorn.Config(http=…)`; for mutual TLS with a function that
    tells whose authority issued a certificate."""

    def refusal(status: HTTPStatus, detail: str) -> bytes:
        correlation = correlation_id(None, random_bytes)
        _LOG.info("unreadable request %d, correlation id %s", status, correlation)
        return _answer(status, _document(problems, status, detail, correlation), correlation)

    known = None if certified_for is None else staticmethod(certified_for)
    return type("SandboxProtocol", (_Protocol,), {"refusal": staticmethod(refusal), "accounts_of": known})


class _Protocol(HttpToolsProtocol):
    """One connection. `_waits` runs out unless the request that comes in is whole before."""

    refusal: Refusal
    accounts_of: CertifiedFor | None

    _certified_for: frozenset[str] | None = None
    _waits: TimerHandle | None = None
    _is_in_head = True
    _head_bytes = 0
    """Those of the head that is being read, as far as they came."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        if self.accounts_of is not None:
            self._certified_for = _certified_for(self.accounts_of, transport)
        self._waits = self.loop.call_later(PATIENCE_S, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._wait_no_longer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on. Where the client offers another protocol, it is answered in this one (RFC 9110 §7.8)."""
        self._unset_keepalive_if_required()
        if self._waits is None:
            self._waits = self.loop.call_later(PATIENCE_S, self._give_up)
        self._head_bytes += len(data) if self._is_in_head else 0
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._read_after_upgrade(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self._refuse(*self._why_unreadable())
        else:
            if self._is_in_head and self._head_bytes > MAX_HEAD_BYTES:
                self._refuse(*self._why_unreadable())

    def on_message_begin(self) -> None:
        """Begin a request, with what the handshake of its connection told of the client."""
        super().on_message_begin()
        if self._certified_for is not None:
            self.scope["extensions"] = {CERTIFIED_FOR: {"accounts": self._certified_for}}

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; fields after the body are dropped (RFC 9110 §6.5.1)."""
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer, unless the head is too long, or is read again without its offer."""
        length = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if length > MAX_HEAD_BYTES:
            self._head_bytes = length
            raise ValueError(length)
        if self._offers_protocol():
            return
        self._is_in_head, self._head_bytes = False, 0
        self.url = _in_origin_form(self.url)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole; what comes now is the next one."""
        if self._offers_protocol():
            return
        self._wait_no_longer()
        self._is_in_head, self._head_bytes = True, 0
        super().on_message_complete()

    def _offers_protocol(self) -> bool:
        return self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"

    def _read_after_upgrade(self, rest: bytes) -> None:
        """Go on where the parser has stopped, which drops the body behind an offer: Java's client makes one
        with each first request.
        """
        again = self._head_without_offer() if self._offers_protocol() else b""
        self.parser = httptools.HttpRequestParser(self)
        self.data_received(again + rest)

    def _head_without_offer(self) -> bytes:
        version = self.parser.get_http_version().encode("ascii")
        line = b"%s %s HTTP/%s\r\n" % (self.parser.get_method(), self.url, version)
        fields = (b"%s: %s\r\n" % field for field in self.headers if field[0] != b"upgrade")
        return b"".join((line, *fields, b"\r\n"))

    def _why_unreadable(self) -> tuple[HTTPStatus, str]:
        if self._head_bytes > MAX_HEAD_BYTES:
            sentence = f"Request line and headers have more than {MAX_HEAD_BYTES:,} bytes."
            return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, sentence
        return HTTPStatus.BAD_REQUEST, "This is no HTTP/1.1 request (RFC 9112)."

    def _give_up(self) -> None:
        self._refuse(HTTPStatus.REQUEST_TIMEOUT, f"The request was not whole after {PATIENCE_S:.0f} seconds.")

    def _refuse(self, status: HTTPStatus, detail: str) -> None:
        """Answer and close. Where a request before is not answered yet, its answer is the last one."""
        self._wait_no_longer()
        if self.transport.is_closing():
            return
        cycle = self.cycle
        if cycle is None or cycle.response_complete or (cycle.more_body and not cycle.response_started):
            self.transport.write(type(self).refusal(status, detail))
            self.transport.close()
        else:
            cycle.keep_alive = False
            self.transport.pause_reading()

    def _wait_no_longer(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None


def _certified_for(accounts_of: CertifiedFor, transport: Transport) -> frozenset[str]:
    """Return the accounts of the certificate that a client has shown: of none where it has shown none."""
    secured = transport.get_extra_info("ssl_object")
    shown: bytes | None = secured.getpeercert(binary_form=True) if secured is not None else None
    return accounts_of(shown) if shown is not None else frozenset()


def _in_origin_form(target: bytes) -> bytes:
    """Return a request target as a path: that of an absolute form (RFC 9112 §3.2.2), of others one that no
    operation has.
    """
    if target.startswith(b"/"):
        return target
    scheme, separator, rest = target.partition(b"://")
    if not separator or scheme.lower() not in {b"http", b"https"}:
        return b"/" + target
    authority = rest.partition(b"?")[0].partition(b"/")[0]
    path = rest[len(authority) :]
    return path if path.startswith(b"/") else b"/" + path


def _document(problems: ProblemRegistry, status: HTTPStatus, detail: str, correlation: str) -> dict[str, Any]:
    """Return the problem document; one that is no more than its status has no type (RFC 9457 §4.2.1)."""
    if status is HTTPStatus.BAD_REQUEST:
        return problems.problem(Kind.MALFORMED_REQUEST, detail).document(correlation)
    title = {"type": "about:blank", "title": status.phrase, "status": status.value}
    return {**title, "detail": detail, "correlation_id": correlation}


def _answer(status: HTTPStatus, document: dict[str, Any], correlation: str) -> bytes:
    body = f"{json.dumps(document)}\n".encode()
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {MEDIA_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\nX-Correlation-Id: {correlation}\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + body
