"""A server that answers as a contract says, and in all the ways that it does not."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode

LARGE_BYTES = 20_000_000
OPEN = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "*",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key",
    "Access-Control-Expose-Headers": "X-Trace, X-Left",
    "X-Trace": "t1",
}
TOKEN = "a-secret-of-the-reader"
THING = {"id": "t_1", "size": 3}
PROBLEM = {"type": "https://trials.example/problems/refused", "title": "Refused", "status": 403}


@dataclass(frozen=True, slots=True)
class Arrived:
    """A request that arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Wayward:
    """The server: its port, what arrived, and what lets slow answers go."""

    port: int
    arrived: list[Arrived] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    """What answers have beside what they always have."""
    end: threading.Event = field(default_factory=threading.Event)
    cut: threading.Event = field(default_factory=threading.Event)
    """Ends a response before it is complete."""

    @property
    def last(self) -> Arrived:
        """The request that arrived last, preflights aside."""
        return self.arrived[-1]


def _large() -> bytes:
    item = json.dumps({**THING, "id": "t" * 80})
    return f"[{','.join([item] * (LARGE_BYTES // len(item)))}]".encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wayward: Wayward

    def do_OPTIONS(self) -> None:
        self._answer(204, b"", "", allowed="/closed" not in self.path)

    def do_GET(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        content = self.rfile.read(size)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.wayward.arrived.append(Arrived(self.command, self.path, headers, content))
        getattr(self, f"_serve_{self.path.split('?')[0].rsplit('/', 1)[-1]}", self._serve_echo)()

    def do_PUT(self) -> None:
        self.do_GET()

    def do_DELETE(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.do_GET()

    def _answer(
        self, status: int, body: bytes, kind: str = "application/json", *, allowed: bool = True
    ) -> None:
        self.send_response(status)
        for name, value in (OPEN | self.wayward.headers).items() if allowed else ():
            self.send_header(name, value)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _json(self, value: Any, status: int = 200) -> None:
        self._answer(status, json.dumps(value).encode())

    def _serve_kept(self) -> None:
        self._json(THING)

    def _serve_markup(self) -> None:
        self._answer(200, b"<thing/>", self.wayward.headers.get("X-Kind", ""))

    _serve_traced = _serve_lost = _serve_hidden = _serve_kept

    def _serve_wrong(self) -> None:
        self._json({"size": "3", "parent": {"id": "p", "size": 11}})

    def _serve_undocumented(self) -> None:
        self._json({"why": "tea"}, 418)

    def _serve_page(self) -> None:
        self._answer(200, b"<script>document.title = 'taken'</script>", "text/html; charset=utf-8")

    def _serve_large(self) -> None:
        self._answer(200, _large())

    def _serve_slow(self) -> None:
        self.wayward.end.wait(20)
        self._json(THING)

    def _serve_closed(self) -> None:
        self._answer(200, b"{}", allowed=False)

    def _serve_moved(self) -> None:
        self.send_response(302)
        for name, value in (*OPEN.items(), ("Location", "/kept"), ("Content-Length", "0")):
            self.send_header(name, value)
        self.end_headers()

    def _serve_authorize(self) -> None:
        query = parse_qs(self.path.partition("?")[2])
        self.send_response(302)
        back = urlencode({"code": "c1", "state": query["state"][0]})
        self.send_header("Location", f"{query['redirect_uri'][0]}?{back}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _serve_token(self) -> None:
        self._json({"access_token": TOKEN, "token_type": "Bearer", "expires_in": 60})

    def _serve_events(self) -> None:
        self.send_response(200)
        for name, value in OPEN.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"data: first\n\n")
        self.wfile.flush()
        self.close_connection = True
        self.wayward.end.wait(20)

    def _serve_refused(self) -> None:
        self._answer(403, json.dumps(PROBLEM).encode(), "application/problem+json")

    def _serve_cut(self) -> None:
        self.send_response(200)
        for name, value in (
            *OPEN.items(),
            ("Content-Type", "application/x-ndjson"),
            ("Content-Length", "999"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b'{"id": "t_1"}\n')
        self.wfile.flush()
        self.close_connection = True
        self.wayward.cut.wait(20)

    def _serve_latin(self) -> None:
        self._answer(200, "grüß".encode("latin-1"), "text/plain; charset=iso-8859-1")

    def _serve_empty(self) -> None:
        self._answer(200, b"")

    def _serve_pattern(self) -> None:
        self._json("a" * 40 + "!")

    def _serve_picture(self) -> None:
        self._answer(200, b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "image/png")

    def _serve_echo(self) -> None:
        self._json({})

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing."""


@contextmanager
def wayward_server() -> Iterator[Wayward]:
    """Run the server on a free port."""

    class Handler(_Handler):
        """What answers for this server."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made = Wayward(server.server_port)
    Handler.wayward = made
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.end.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)
