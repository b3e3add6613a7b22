"""How requests are read off connections: uvicorn's protocol on httptools, and what that leaves open.

The parser takes heads of any length and waits for the rest of a request for ever; what it cannot read is
answered in plain text. Here heads and waiting have a limit, and each such answer is a problem document.
"""

import asyncio
from asyncio import Transport
from asyncio.events import TimerHandle
from http import HTTPStatus

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from telecom.sandbox.entrance import CertifiedFor
from telecom.sandbox.parting import Parting
from telecom.sandbox.unreadable import Refusal

MAX_HEAD_BYTES = 65_536
"""How long request line and headers may be together; proxies let far less through."""
PATIENCE_S = 30.0
"""How long a request may take to come in, from its first byte, or from when the connection is made."""

CERTIFIED_FOR = "telecom.certified_for"
"""The extension of an ASGI scope that tells, as `accounts`, whose authority issued the client's certificate.
It is there where the client had to show one."""
ENDING = "telecom.ending"
"""The extension of an ASGI scope with an `event` (`asyncio.Event`), which is set when the server begins to
end."""


def protocol(refusal: Refusal, certified_for: CertifiedFor | None = None) -> type[HttpToolsProtocol]:
    """Return the protocol of a sandbox, for `uvicorn.Config(http=…)`; for mutual TLS with a function that
    tells whose authority issued a certificate."""
    known = None if certified_for is None else staticmethod(certified_for)
    return type("SandboxProtocol", (_Protocol,), {"refusal": staticmethod(refusal), "accounts_of": known})


class _Protocol(HttpToolsProtocol):
    """One connection. `_waits` runs out unless the request that comes in is whole before."""

    refusal: Refusal
    accounts_of: CertifiedFor | None

    _certified_for: frozenset[str] | None = None
    _ending: asyncio.Event
    _parting: Parting
    _waits: TimerHandle | None = None
    _is_in_head = True
    _head_bytes = 0
    """Those of the head that is being read, as far as they came."""
    _before: RequestResponseCycle | None = None
    """The request before the one that came last."""
    _unspoken: tuple[HTTPStatus, str] | None = None
    """What a head asks for that this server does not speak."""
    _is_refused = False
    """Whether nothing more is read."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        self._parting = Parting(transport, lambda: self._is_refused or not self._is_in_head)
        super().connection_made(self._parting)  # type: ignore[arg-type]  # it has what transports have
        self._ending = asyncio.Event()
        if self.accounts_of is not None:
            self._certified_for = _certified_for(self.accounts_of, transport)
        self._waits = self.loop.call_later(PATIENCE_S, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._wait_no_longer()
        self._parting.gone()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Take no further request, and tell the one that is under way."""
        super().shutdown()
        self._ending.set()

    def data_received(self, data: bytes) -> None:
        """Read on. Where the client offers another protocol, it is answered in this one (RFC 9110 §7.8)."""
        if self._is_refused or self._parting.is_closing():
            return
        self._unset_keepalive_if_required()
        self._wait()
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
        """Begin a request, with what the handshake told of the client, and with what tells of the end."""
        super().on_message_begin()
        self._wait()
        extensions: dict[str, dict[object, object]] = {ENDING: {"event": self._ending}}
        if self._certified_for is not None:
            extensions[CERTIFIED_FOR] = {"accounts": self._certified_for}
        self.scope["extensions"] = extensions

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
        self._unspoken = _unspoken(self.parser.get_http_version(), self.headers)
        if self._unspoken is not None:
            raise ValueError(self._unspoken)
        if self._offers_protocol():
            return
        self._is_in_head, self._head_bytes = False, 0
        self.url = _in_origin_form(self.url)
        self._before = self.cycle
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request is whole; what comes now is the next one."""
        if self._offers_protocol():
            return
        self._wait_no_longer()
        self._is_in_head, self._head_bytes = True, 0
        self.headers = []
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
        if self._unspoken is not None:
            return self._unspoken
        if self._head_bytes > MAX_HEAD_BYTES:
            sentence = f"Request line and headers have more than {MAX_HEAD_BYTES:,} bytes."
            return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, sentence
        return HTTPStatus.BAD_REQUEST, "This is no HTTP/1.1 request (RFC 9112)."

    def _give_up(self) -> None:
        self._waits = None
        if self.flow.read_paused:  # it is not the client who is slow: a request before is not answered yet
            self._wait()
            return
        self._refuse(HTTPStatus.REQUEST_TIMEOUT, f"The request was not whole after {PATIENCE_S:.0f} seconds.")

    def _refuse(self, status: HTTPStatus, detail: str) -> None:
        """Answer and close. Where a request before is not answered yet, its answer is the last one."""
        self._wait_no_longer()
        if self.transport.is_closing():
            return
        self._is_refused = True
        if (before := self._one_to_answer_first()) is not None:
            self.pipeline.popleft()
            self.cycle = before
        cycle = self.cycle
        if cycle is None or cycle.response_complete or (cycle.more_body and not cycle.response_started):
            self.transport.write(type(self).refusal(status, detail, self.headers or ()))
            self.transport.close()
        else:
            cycle.keep_alive = False
            self.transport.pause_reading()

    def _one_to_answer_first(self) -> RequestResponseCycle | None:
        """Return the request whose answer one that is not whole waits for, None where none does."""
        cycle, before = self.cycle, self._before
        is_whole = cycle is None or not cycle.more_body
        return None if is_whole or before is None or before.response_complete else before

    def _wait(self) -> None:
        if self._waits is None:
            self._waits = self.loop.call_later(PATIENCE_S, self._give_up)

    def _wait_no_longer(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None


def _unspoken(version: str, headers: list[tuple[bytes, bytes]]) -> tuple[HTTPStatus, str] | None:
    """Return the answer to another version (RFC 9110 §15.6.6) or transfer coding (RFC 9112 §6.1)."""
    if not version.startswith("1."):
        return HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "This server speaks HTTP/1.1."
    codings = [value for name, value in headers if name == b"transfer-encoding"]
    if codings and b",".join(codings).strip().lower() != b"chunked":
        return HTTPStatus.NOT_IMPLEMENTED, "The only transfer coding here is chunked."
    return None


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
