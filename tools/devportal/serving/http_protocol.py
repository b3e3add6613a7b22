"""HTTP/1.1 on one connection, with limits on the head of a request."""

import asyncio
import re
from asyncio import Transport
from asyncio.events import TimerHandle
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

RawHeaders = Sequence[tuple[bytes, bytes]]
"""Headers as they were sent, their names in lower case."""
WriteRefusal = Callable[[HTTPStatus, str, RawHeaders], bytes]
"""Makes the whole response to an unreadable request, from a status, a sentence, and the headers that could be read."""
MAX_HEAD_BYTES = 65_536
"""The limit for request line and headers together; proxies allow far less."""
_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
_REQUEST_LINE = re.compile(rb"(?>(?:\r\n)*)" + _TOKEN + rb" [!\"$-~]++ HTTP/[0-9]\.[0-9]\r\n")
"""A method, a target without a fragment, and a version, after empty lines if there are any."""
_FIELD_LINES = re.compile(rb"(?>(?:" + _TOKEN + rb":[\t -~\x80-\xff]*+\r\n)*)\r\n")
"""Names with a colon right behind them, values without control characters, and an empty line."""

Rejection = tuple[HTTPStatus, str]
"""The status and the detail of the response to a request that is not read further."""
NOT_HTTP: Rejection = (HTTPStatus.BAD_REQUEST, "This is not an HTTP/1.1 request (RFC 9112).")
TOO_LONG: Rejection = (
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    f"Request line and headers have more than {MAX_HEAD_BYTES:,} bytes.",
)
_UNKNOWN_METHOD: Rejection = (
    HTTPStatus.NOT_IMPLEMENTED,
    "This server does not know the method of the request. Methods are case-sensitive (RFC 9110 §9.1).",
)
_NO_REQUEST_LINE: Rejection = (
    HTTPStatus.BAD_REQUEST,
    "The request line is not METHOD TARGET HTTP/1.1, with single spaces and no fragment (RFC 9112 §3).",
)
_NO_FIELD_LINE: Rejection = (
    HTTPStatus.BAD_REQUEST,
    "A header is not a name, a colon and a value on one line (RFC 9112 §5).",
)


def check_head(head: bytes, version: str, fields: Sequence[tuple[bytes, bytes]]) -> Rejection | None:
    """Return why a request is rejected by its head, None if it is not.

    `head` is what was sent, up to and including the empty line, `version` and `fields` what the parser read
    from it.
    """
    if len(head) > MAX_HEAD_BYTES:
        return TOO_LONG
    line = _REQUEST_LINE.match(head)
    if line is None:
        return _NO_REQUEST_LINE
    if _FIELD_LINES.fullmatch(head, line.end()) is None:
        return _NO_FIELD_LINE
    if not version.startswith("1."):
        return HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "This server speaks HTTP/1.1."
    return _check_transfer_codings(version, [value for name, value in fields if name == b"transfer-encoding"])


def _check_transfer_codings(version: str, codings: Sequence[bytes]) -> Rejection | None:
    """Return why a request with such transfer codings is rejected (RFC 9112 §6.1)."""
    if codings and version == "1.0":
        return HTTPStatus.BAD_REQUEST, "HTTP/1.0 has no transfer codings (RFC 9112 §6.1)."
    if codings and b",".join(codings).strip().lower() != b"chunked":
        return HTTPStatus.NOT_IMPLEMENTED, "The only transfer coding here is chunked."
    return None


_HOST = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=%-]*(?:\[[0-9A-Fa-f:.]+\])?(?::[0-9]*)?")
"""`uri-host [":" port]` (RFC 9110 §7.2)."""


def invalid_host_reason(hosts: Sequence[str], version: str) -> str | None:
    """Return what is wrong with the host of a request if it has none, several, or an invalid one (RFC 9112 §3.2); None
    otherwise.
    """
    if not hosts and version == "1.0":
        return None
    if len(hosts) != 1:
        return f"The header Host occurs {len(hosts)} times, and once is right."
    return (
        None if _HOST.fullmatch(hosts[0]) else f"The header Host is {hosts[0][:100]!r}, which is not a host."
    )


LINGER_S = 5.0
"""How long a client may go on sending after the last response."""


class LingeringTransport:
    """A transport that lets a client who still sends read the last response. Its owner checks `is_closing`
    before it reads anything; its other methods are those of the transport.

    While it closes, written data is dropped: a client may disconnect while several of its requests are
    served, and the transport itself would raise.
    """

    def __init__(self, transport: Transport, client_still_sends: Callable[[], bool]) -> None:
        """Take the transport, and a function that returns whether the client has more to send."""
        self._transport = transport
        self._client_still_sends = client_still_sends
        self._abort_timer: asyncio.TimerHandle | None = None

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the transport."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send data, unless the connection closes."""
        if not self.is_closing():
            self._transport.write(data)

    def pause_reading(self) -> None:
        """Pause reading, unless the connection closes."""
        if not self.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Resume reading, unless the connection closes."""
        if not self.is_closing():
            self._transport.resume_reading()

    def close(self) -> None:
        """Send nothing more, and close: at once if the client sends nothing more, on a second call, or over
        TLS, which cannot close one side only."""
        if self.is_closing() or not self._client_still_sends() or not self._transport.can_write_eof():
            self.stop_waiting()
            self._transport.close()
            return
        self._transport.write_eof()
        self._transport.resume_reading()
        self._abort_timer = asyncio.get_running_loop().call_later(LINGER_S, self._transport.abort)

    def stop_waiting(self) -> None:
        """Cancel the timer."""
        if self._abort_timer is not None:
            self._abort_timer.cancel()

    def is_closing(self) -> bool:
        """Return whether it closes."""
        return self._abort_timer is not None or self._transport.is_closing()


REQUEST_TIMEOUT_S = 30.0
"""How long a request may take to arrive, from its first byte, or from when the connection is made."""

_EMPTY_LINE = b"\n\r\n"
"""An empty line with the end of the line before it."""

SHUTDOWN = "devportal.shutdown"
"""The extension of an ASGI scope with an `event` (`asyncio.Event`), which is set when the server begins to shut
down.
"""


class LimitedProtocol(HttpToolsProtocol):
    """One connection, for `uvicorn.Config(http=…)`. `_request_timer` runs out unless the request that comes in is whole
    before. Subclasses say how a refusal is written.
    """

    refusal: WriteRefusal

    _shutdown_event: asyncio.Event
    _lingering: LingeringTransport
    _request_timer: TimerHandle | None = None
    _is_in_head = True
    _head: bytearray
    """The part of the head that has arrived, or the head of the request whose body is being read."""
    _body_bytes_left = 0
    """How many bytes of a body with a length are still to come."""
    _tail = b""
    """The end of the data that came last, in which an empty line may have begun."""
    _previous_cycle: RequestResponseCycle | None = None
    """The request before the current one."""
    _rejection: Rejection | None = None
    """Why a head is rejected that the parser could read."""
    _is_refused = False
    """Whether nothing more is read."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        self._lingering = LingeringTransport(transport, lambda: self._is_refused or not self._is_in_head)
        super().connection_made(self._lingering)  # type: ignore[arg-type]  # it has what transports have
        self._shutdown_event = asyncio.Event()
        self._head = bytearray()
        self._request_timer = self.loop.call_later(REQUEST_TIMEOUT_S, self._time_out)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        self._cancel_request_timer()
        self._lingering.stop_waiting()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Accept no further request, and notify the running one."""
        super().shutdown()
        self._shutdown_event.set()

    def data_received(self, data: bytes) -> None:
        """Parse data. If the client offers another protocol, it gets its response in this one (RFC 9110
        §7.8)."""
        if self._is_refused or self._lingering.is_closing():
            return
        self._unset_keepalive_if_required()
        self._start_request_timer()
        window, position = self._tail + data, len(self._tail)
        try:
            while position < len(window):
                end = self._chunk_end(window, position)
                self._feed(window[position:end])
                position = end
        except httptools.HttpParserUpgrade as upgrade:
            self._read_after_upgrade(window[position + upgrade.args[0] :])
        except httptools.HttpParserError as error:
            self._refuse(*self._parse_rejection(error))
        else:
            if self._is_in_head and len(self._head) > MAX_HEAD_BYTES:
                self._refuse(*TOO_LONG)

    def _chunk_end(self, window: bytes, position: int) -> int:
        """Return the end of the chunk that begins at a position and belongs to one request only: with a body
        of known length, or up to an empty line, which ends each head and each chunked body.

        So a chunk that is fed to the parser in a head is all of that head.
        """
        if not self._is_in_head and self._body_bytes_left:
            self._tail = b""
            return min(position + self._body_bytes_left, len(window))
        line_start = window.find(_EMPTY_LINE, max(0, position - len(self._tail)))
        self._tail = b"" if line_start >= 0 else window[-len(_EMPTY_LINE) + 1 :]
        return line_start + len(_EMPTY_LINE) if line_start >= 0 else len(window)

    def _feed(self, chunk: bytes) -> None:
        if self._is_in_head:
            self._head += chunk
        else:
            self._body_bytes_left -= min(len(chunk), self._body_bytes_left)
        self.parser.feed_data(chunk)

    def on_message_begin(self) -> None:
        """Begin a request, with the extensions of this connection in its scope."""
        super().on_message_begin()
        self._rejection = None
        self._start_request_timer()
        self.scope["extensions"] = dict(self.scope_extensions())

    def scope_extensions(self) -> Mapping[str, dict[object, object]]:
        """Return the extensions of the scope of each request: the event of a shutdown."""
        return {SHUTDOWN: {"event": self._shutdown_event}}

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header without the whitespace around its value (RFC 9110 §5.5; the parser removes only that in
        front); trailer fields are dropped (RFC 9110 §6.5.1).
        """
        if self._is_in_head:
            super().on_header(name, value.rstrip(b" \t"))

    def on_headers_complete(self) -> None:
        """Begin to respond, unless the head is rejected, or is parsed again without its upgrade offer."""
        self._rejection = check_head(bytes(self._head), self.parser.get_http_version(), self.headers)
        if self._rejection is not None:
            raise ValueError(self._rejection)
        if self._offers_upgrade():
            return
        self._is_in_head = False
        self._body_bytes_left = int(dict(self.headers).get(b"content-length", 0))
        self.url = _in_origin_form(self.url)
        self._previous_cycle = self.cycle
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Finish the request; what comes now is the next one."""
        if self._offers_upgrade():
            return
        self._cancel_request_timer()
        self._is_in_head = True
        self._head.clear()
        self.headers = []
        super().on_message_complete()

    def _offers_upgrade(self) -> bool:
        return self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"

    def _read_after_upgrade(self, remainder: bytes) -> None:
        """Continue after the parser has stopped, which drops the body behind an upgrade offer: Java's client
        makes one with each first request."""
        head = self._head_without_upgrade() if self._offers_upgrade() else b""
        self.parser = httptools.HttpRequestParser(self)
        self._tail = b""
        self._head.clear()
        self.data_received(head + remainder)

    def _head_without_upgrade(self) -> bytes:
        version = self.parser.get_http_version().encode("ascii")
        line = b"%s %s HTTP/%s\r\n" % (self.parser.get_method(), self.url, version)
        fields = (b"%s: %s\r\n" % field for field in self.headers if field[0] != b"upgrade")
        return b"".join((line, *fields, b"\r\n"))

    def _parse_rejection(self, error: httptools.HttpParserError) -> Rejection:
        if self._is_in_head and len(self._head) > MAX_HEAD_BYTES:
            return TOO_LONG
        is_request_line = self._is_in_head and _REQUEST_LINE.match(self._head) is not None
        if isinstance(error, httptools.HttpParserInvalidMethodError) and is_request_line:
            return _UNKNOWN_METHOD
        return self._rejection or NOT_HTTP

    def _time_out(self) -> None:
        self._request_timer = None
        if self.flow.read_paused:  # the client is not slow: an earlier request has no response yet
            self._start_request_timer()
            return
        self._refuse(
            HTTPStatus.REQUEST_TIMEOUT, f"The request was not whole after {REQUEST_TIMEOUT_S:.0f} seconds."
        )

    def _refuse(self, status: HTTPStatus, detail: str) -> None:
        """Respond and close. If an earlier request has no response yet, its response is the last one."""
        self._cancel_request_timer()
        if self.transport.is_closing():
            return
        self._is_refused = True
        if (previous := self._unanswered_previous_cycle()) is not None:
            self.pipeline.popleft()
            self.cycle = previous
        cycle = self.cycle
        if cycle is None or cycle.response_complete or (cycle.more_body and not cycle.response_started):
            self.transport.write(type(self).refusal(status, detail, self.headers or ()))
            self.transport.close()
        else:
            cycle.keep_alive = False
            self.transport.pause_reading()

    def _unanswered_previous_cycle(self) -> RequestResponseCycle | None:
        """Return the earlier request without a response that an incomplete one waits for, None if there is
        none."""
        cycle, previous = self.cycle, self._previous_cycle
        is_whole = cycle is None or not cycle.more_body
        return None if is_whole or previous is None or previous.response_complete else previous

    def _start_request_timer(self) -> None:
        if self._request_timer is None:
            self._request_timer = self.loop.call_later(REQUEST_TIMEOUT_S, self._time_out)

    def _cancel_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None


def _in_origin_form(target: bytes) -> bytes:
    """Return a request target as a path: that of an absolute form (RFC 9112 §3.2.2), for others a path that
    no operation has."""
    if target.startswith(b"/"):
        return target
    scheme, separator, authority_and_path = target.partition(b"://")
    if not separator or scheme.lower() not in {b"http", b"https"}:
        return b"/" + target
    authority = authority_and_path.partition(b"?")[0].partition(b"/")[0]
    path = authority_and_path[len(authority) :]
    return path if path.startswith(b"/") else b"/" + path


def limited_protocol(refusal: WriteRefusal) -> type[LimitedProtocol]:
    """Return the protocol of a server that writes its refusals in its own form."""
    return type("ServerProtocol", (LimitedProtocol,), {"refusal": staticmethod(refusal)})
