"""The wire: HTTP/1.1 on the standard library's server, with a thread for each connection."""

import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from devportal.catalog import Catalog
from tests.apps.second.access import Token
from tests.apps.second.habits import PLAIN, Habits
from tests.apps.second.refusals import Refusal
from tests.apps.second.requests import LARGEST_BYTES, Incoming
from tests.apps.second.service import Service, correlation_id

MOST_DRAINED_BYTES = 8_000_000
"""So much of a body that is too large is read, so that its sender reads the answer."""


class Connection(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version = "second/1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: "Server"

    def __getattr__(self, name: str) -> Any:
        """Return the same for every method."""
        if name.startswith("do_"):
            return self.dispatch
        raise AttributeError(name)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Refuse what is no HTTP that this server speaks, in the form of every refusal."""
        self.close_connection = True
        if not hasattr(self, "headers"):
            self.headers = self.MessageClass()
        self.refuse(Refusal("malformed-request", message or "This is not an HTTP/1.1."))

    def dispatch(self) -> None:
        """Answer one request."""
        try:
            incoming = self.incoming()
            if incoming.method == "OPTIONS" and (methods := self.server.service.methods(incoming)):
                self.reply(204, {"Allow": methods}, "", None)
                return
            answer = self.server.service.answer(incoming)
        except Refusal as refusal:
            self.refuse(refusal)
        except Exception:  # noqa: BLE001 - whatever breaks is told as the contract says
            self.refuse(Refusal("internal-error", "Something broke."))
        else:
            self.reply(answer.status, answer.headers, "application/json", answer.body)

    def incoming(self) -> Incoming:
        """Return the request that was read; raises Refusal where it cannot be."""
        names = {name.lower() for name in self.headers}
        headers = {name: ", ".join(self.headers.get_all(name, ())) for name in names}
        target = urlsplit(self.path)
        return Incoming(
            method=self.command,
            path=target.path,
            query=target.query,
            headers=headers,
            body=self.body(headers),
            address=self.client_address[0],
        )

    def body(self, headers: Mapping[str, str]) -> bytes:
        """Return the body, or as much of it as shows that it is too large (RFC 9112 §6)."""
        coding, length = headers.get("transfer-encoding"), headers.get("content-length")
        if coding is not None:
            if coding.lower() != "chunked" or length is not None:
                self.close_connection = True
                raise Refusal("malformed-request", "The length of the body is in doubt.")
            return self.chunks()
        if length is None:
            return b""
        if not (length.isascii() and length.isdigit()):
            self.close_connection = True
            raise Refusal("malformed-request", "The length of the body is no number.")
        if int(length) > MOST_DRAINED_BYTES:
            self.close_connection = True
        return self.rfile.read(min(int(length), MOST_DRAINED_BYTES))

    def chunks(self) -> bytes:
        """Return a body that came in chunks (RFC 9112 §7.1)."""
        body = b""
        while True:
            try:
                size = int(self.rfile.readline(100).partition(b";")[0].strip(), 16)
            except ValueError:
                self.close_connection = True
                raise Refusal("malformed-request", "A chunk has no size.") from None
            if size == 0:
                break
            body += self.rfile.read(size)
            self.rfile.readline(3)
            if len(body) > MOST_DRAINED_BYTES:
                self.close_connection = True
                return body
        while self.rfile.readline(LARGEST_BYTES).strip():
            pass
        return body

    def refuse(self, refusal: Refusal) -> None:
        """Answer with a problem document."""
        name = self.correlation()
        problem = refusal.problem(self.server.service.titles, name)
        self.reply(refusal.status, refusal.headers, "application/problem+json", problem, name)

    def correlation(self) -> str:
        """Return the identifier of this request."""
        with self.server.service.world.lock:
            return correlation_id(
                self.headers.get("traceparent", ""), self.server.service.world.new_bytes(16)
            )

    def reply(self, status: int, headers: Mapping[str, str], kind: str, value: Any, name: str = "") -> None:
        """Send an answer, without its content where only its head was asked for."""
        habits = self.server.service.habits
        self.close_connection = self.close_connection or habits.hangs_up
        self.send_response(status)
        for field, text in {**habits.headers, **headers}.items():
            self.send_header(field, text)
        self.send_header("x-correlation-id", name or self.correlation())
        if self.close_connection:
            self.send_header("connection", "close")
        if value is None:
            self.end_headers()
            return
        content = json.dumps(value, sort_keys=True, ensure_ascii=False).encode()
        self.send_header("content-type", kind + habits.charset)
        if habits.compresses and "ETag" not in headers and "gzip" in self.headers.get("accept-encoding", ""):
            content = gzip.compress(content, mtime=0)
            self.send_header("content-encoding", "gzip")
        self.send_content(content, habits)

    def send_content(self, content: bytes, habits: Habits) -> None:
        """End the head of an answer, and send its content."""
        in_chunks = habits.sends_chunks and self.request_version == "HTTP/1.1"
        fields = {"transfer-encoding": "chunked"} if in_chunks else {"content-length": str(len(content))}
        for field, text in fields.items():
            self.send_header(field, text)
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(encode_chunks(content) if in_chunks else content)


def encode_chunks(content: bytes) -> bytes:
    """Return content in two chunks and the last (RFC 9112 §7.1)."""
    half = len(content) // 2
    parts = (content[:half], content[half:], b"")
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)


class Server(ThreadingHTTPServer):
    """Listens at a free port of this machine."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, service: Service) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.service = service

    def handle_error(self, request: socket.socket | tuple[bytes, socket.socket], client_address: Any) -> None:
        """Say nothing of connections that are broken off."""


def _real_time() -> datetime:
    return datetime.now(UTC)


@contextmanager
def serving_second(
    contract: Path,
    catalog: Catalog,
    tokens: Iterable[Token],
    *,
    clock: Callable[[], datetime] = _real_time,
    seed: str = "second",
    quota: int = 1_000_000,
    habits: Habits = PLAIN,
    pause_scale: float = 1.0,
) -> Iterator[str]:
    """Serve a contract and yield the address.

    `quota` is the requests a minute of an account to an API; `pause_scale` multiplies the pauses between the
    attempts to deliver an event.
    """
    service = Service(contract, catalog, tokens, clock=clock, seed=seed, quota=quota, habits=habits)
    server, courier = Server(service), service.courier(pause_scale)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    courier.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        courier.stop()
        server.server_close()
        thread.join()
