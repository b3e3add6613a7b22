"""An HTTP server that receives deliveries, each in its own thread, and replies as configured."""

import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import urlsplit

from devportal.conformance.deployment.exchange import Headers
from devportal.conformance.webhooks.delivery import Reply
from devportal.errors import EnvironmentProblem

METHODS = ("POST", "PUT", "GET", "PATCH", "DELETE", "HEAD")
LARGEST_BODY_BYTES = 4 * 1024 * 1024
"""More is not read: no event is as large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A request that came in. `path` begins with a slash."""

    method: str
    path: str
    headers: Headers
    body: bytes
    arrived_at: float
    replied_at: float = 0.0


class Receiver:
    """Listens from `__enter__` to `__exit__`. `choose_reply` returns the reply, `on_replied` is called
    afterwards.
    """

    def __init__(
        self,
        listen: tuple[str, int],
        *,
        choose_reply: Callable[[Arrival], Reply],
        on_replied: Callable[[Arrival, Reply], None],
    ) -> None:
        """Take where to listen (port 0: a free one) and the callbacks."""
        self._listen = listen
        self._choose_reply = choose_reply
        self._on_replied = on_replied
        self.stopped = threading.Event()

    def __enter__(self) -> Self:
        """Begin to listen; raises EnvironmentProblem if that fails."""
        host, port = self._listen
        try:
            self._server = _Server((host, port), _handler_class(self))
        except OSError as error:
            raise EnvironmentProblem(
                f"nothing can listen for webhooks at {host}:{port}: {error.strerror}",
                help="give another `webhooks.receiver.listen`, or port 0 for a free one",
            ) from error
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Close every connection and stop."""
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=10)

    @property
    def address(self) -> str:
        """The address it listens at, as a URL without a path."""
        host, port = self._server.server_address[:2]
        shown = f"[{host!s}]" if ":" in str(host) else str(host)
        return f"http://{shown}:{port}"

    def answer_request(self, handler: BaseHTTPRequestHandler) -> None:
        """Read one request and reply to it."""
        handler.close_connection = True
        arrival = Arrival(
            method=handler.command,
            path=urlsplit(handler.path).path,
            headers=tuple(handler.headers.items()),
            body=_read_body(handler),
            arrived_at=time.time(),
        )
        reply = self._choose_reply(arrival)
        self.stopped.wait(reply.delay_s)
        # Recorded before it is sent: the check may query the sender as soon as it has the reply.
        self._on_replied(replace(arrival, replied_at=time.time()), reply)
        if reply.status is None:
            _hang_up(handler.connection)
        else:
            _send_reply(handler, reply)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def server_bind(self) -> None:
        """Bind without looking up the host's name, which can take seconds."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors: a sender may close the connection."""


def _handler_class(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def take(self) -> None:
            """Serve one request."""
            receiver.answer_request(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's own name
            """Log nothing."""

    for method in METHODS:
        setattr(Handler, f"do_{method}", Handler.take)
    return Handler


def _read_body(handler: BaseHTTPRequestHandler) -> bytes:
    if "chunked" in handler.headers.get("transfer-encoding", "").lower():
        return _read_chunked_body(handler)
    length = handler.headers.get("content-length", "0")
    return handler.rfile.read(min(int(length), LARGEST_BODY_BYTES)) if length.isdecimal() else b""


def _read_chunked_body(handler: BaseHTTPRequestHandler) -> bytes:
    """Return a chunked body (RFC 9112 §7.1); trailers are read and dropped."""
    body = b""
    while len(body) < LARGEST_BODY_BYTES:
        size = int(handler.rfile.readline().partition(b";")[0].strip() or b"0", 16)
        if not size:
            break
        body += handler.rfile.read(size)
        handler.rfile.readline()
    while handler.rfile.readline().strip():
        pass
    return body


def _send_reply(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    handler.send_response_only(reply.status or 200)
    for name, value in reply.headers:
        handler.send_header(name, value)
    handler.send_header("Connection", "close")
    if reply.status not in (204, 304):
        handler.send_header("Content-Length", "0")
    handler.end_headers()


def _hang_up(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
