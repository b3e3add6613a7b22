# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""A second good server of `parcels.yaml`, written in another way: the standard library, threads, slower,
other identifiers, another order of members, extra documented headers, another wording of its problems.
"""

import itertools
import json
import re
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.apps.parcels import TOKEN

DELAY_S = 0.004
CONTENT_LENGTH_LIMIT = 100_000


class Handler(BaseHTTPRequestHandler):
    """One connection. The parcels are on the server."""

    protocol_version = "HTTP/1.1"
    server: "OtherParcels"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self.dispatch
        raise AttributeError(name)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        return

    def dispatch(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), CONTENT_LENGTH_LIMIT))
        time.sleep(DELAY_S)
        path = self.path.partition("?")[0]
        if path == "/v1/health":
            if self.accepts_method("GET"):
                self.reply(200, {"status": "ok"})
        elif path == "/v1/parcels":
            if self.accepts_method("POST") and self.authentic():
                self.register(body)
        elif match := re.fullmatch(r"/v1/parcels/([^/]*)", path):
            if self.accepts_method("GET") and self.authentic():
                self.show(match[1])
        else:
            self.refuse(404, "unknown address")

    def accepts_method(self, method: str) -> bool:
        if self.command == method:
            return True
        self.refuse(405, "this method is not for this address", Allow=method)
        return False

    def authentic(self) -> bool:
        match = re.fullmatch(r"(?i:bearer) +(\S+)", self.headers.get("Authorization", ""))
        if match and secrets.compare_digest(match[1].encode(), TOKEN.encode()):
            return True
        challenge = {"WWW-Authenticate": 'Bearer realm="parcels", error="invalid_token"'}
        self.refuse(401, "identify yourself", **challenge)
        return False

    def show(self, key: str) -> None:
        parcel = self.server.parcels.get(key)
        if parcel is None:
            self.refuse(404, "no such parcel")
        else:
            self.reply(200, parcel)

    def register(self, body: bytes) -> None:
        if self.headers.get_content_type() != "application/json" or "Content-Type" not in self.headers:
            self.refuse(415, "JSON only")
            return
        try:
            wish = json.loads(body, parse_constant=lambda name: float(name + "!"))
        except (ValueError, RecursionError):
            self.refuse(400, "not JSON")
            return
        if reason := fault_of(wish):
            self.refuse(422, reason, kind="https://parcels.example/errors/invalid")
            return
        key = f"pcl_{next(self.server.numbers)}"
        parcel = {"weight_g": wish["weight_g"], "destination": wish["destination"], "state": "registered"}
        self.server.parcels[key] = {**parcel, "id": key}
        self.reply(201, self.server.parcels[key], **{"X-Depot": "south"})

    def refuse(self, status: int, reason: str, kind: str = "about:blank", **headers: str) -> None:
        request_id = secrets.token_hex(16)
        problem = {"request_id": request_id, "status": status, "title": reason, "type": kind}
        self.reply(status, problem, "application/problem+json; charset=utf-8", request_id, **headers)

    def reply(
        self,
        status: int,
        value: Any,
        kind: str = "application/json; charset=utf-8",
        request_id: str = "",
        **headers: str,
    ) -> None:
        content = json.dumps(value, separators=(",", ":")).encode()
        self.send_response(status)
        self.send_header("x-request-id", request_id or secrets.token_hex(16))
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


class SilentOnNotes(Handler):
    """Closes the connection where a note has an emoji: a wrong server."""

    def register(self, body: bytes) -> None:
        if b"\xf0\x9f" in body:
            self.close_connection = True
            return
        super().register(body)


class OtherParcels(ThreadingHTTPServer):
    """The server with its state."""

    daemon_threads = True

    def __init__(self, handler: type[Handler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.numbers = itertools.count(1)
        example = {"destination": "DE", "id": "pcl_example", "state": "registered", "weight_g": 1}
        self.parcels: dict[str, dict[str, Any]] = {"pcl_example": example}


@contextmanager
def serving_other(handler: type[Handler] = Handler) -> Iterator[str]:
    """Serve in threads and yield the address."""
    server = OtherParcels(handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)


def fault_of(wish: Any) -> str:
    """Return what is wrong with a wish for a parcel, empty where nothing is."""
    match wish:
        case {"destination": "GB" | "FR" | "DE", "weight_g": int() | float() as weight, **rest}:
            if isinstance(weight, bool) or weight != weight // 1 or not 1 <= weight <= 30000:
                return "the weight is not right"
            note = rest.pop("note", "")
            if rest or not isinstance(note, str) or len(note) > 80:
                return "the note is not right, or there is more than there may be"
            return ""
        case _:
            return "destination or weight are missing or not right"
