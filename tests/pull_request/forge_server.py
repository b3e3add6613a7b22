"""A forge on this machine: GitHub's and GitLab's calls for comments and statuses, each recorded."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "ghs_secretOfTheTest"
BOT = "github-actions[bot]"


@dataclass
class Failure:
    """What the forge returns instead for paths that match."""

    path: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b'{"message": "Resource not accessible by integration"}'


@dataclass
class Forge:
    """Its comments and statuses, what it was asked for, and how it fails."""

    url: str = ""
    account: str = BOT
    comments: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    calls: list[tuple[str, str]] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)
    other_origin: str = ""

    def add_comment(self, body: str, author: str) -> dict[str, Any]:
        """Add a comment of somebody."""
        number = len(self.comments) + 1
        made = {
            "id": number,
            "body": body,
            "user": {"login": author},
            "author": {"username": author},
            "html_url": f"https://forge.example/comments/{number}",
        }
        self.comments.append(made)
        return made

    def writes(self) -> list[str]:
        """Return the calls that change something, without numbers of comments."""
        return [
            f"{method} {path}" for method, path in self.calls if method != "GET" and "graphql" not in path
        ]


class _Handler(BaseHTTPRequestHandler):
    """Serves one forge."""

    forge: Forge

    def _serve(self) -> None:
        forge, parts = self.forge, urlsplit(self.path)
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        data = json.loads(content) if content else {}
        forge.calls.append((self.command, parts.path))
        forge.tokens.add(self.headers.get("PRIVATE-TOKEN") or self.headers.get("Authorization") or "")
        failure = next(
            (
                failure
                for failure in forge.failures
                if re.search(failure.path, f"{self.command} {parts.path}")
            ),
            None,
        )
        if failure is not None:
            self._send(failure.status, failure.body, failure.headers)
            return
        self._answer(parts.path, parse_qs(parts.query), data)

    do_GET = do_POST = do_PATCH = do_PUT = _serve  # noqa: N815 - as http.server calls them

    def _answer(self, path: str, query: dict[str, list[str]], data: Any) -> None:
        forge = self.forge
        if path.endswith("/graphql"):
            self._send_json(200, {"data": {"viewer": {"login": forge.account}}})
        elif path == "/user":
            self._send_json(200, {"username": forge.account})
        elif "/statuses/" in path:
            forge.statuses.append((path.rpartition("/")[2], data))
            self._send_json(201, {})
        elif self.command == "GET":
            self._send_page(path, query)
        elif self.command == "POST":
            self._send_json(201, forge.add_comment(data["body"], forge.account))
        else:
            number = int(path.rpartition("/")[2])
            forge.comments[number - 1]["body"] = data["body"]
            self._send_json(200, forge.comments[number - 1])

    def _send_page(self, path: str, query: dict[str, list[str]]) -> None:
        size, page = int(query["per_page"][0]), int(query.get("page", ["1"])[0])
        shown = self.forge.comments[(page - 1) * size : page * size]
        headers = {}
        if page * size < len(self.forge.comments):
            base = self.forge.other_origin or self.forge.url
            following = f"{base}{path}?per_page={size}&page={page + 1}"
            headers["Link"] = f'<{self.forge.url}{path}?page=9>; rel="last", <{following}>; rel="next"'
        self._send_json(200, shown, headers)

    def _send_json(self, status: int, data: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(data).encode(), headers or {})

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def serving() -> Iterator[Forge]:
    """Serve a forge on a free port of this machine."""
    forge = Forge()
    handler = type("Handler", (_Handler,), {"forge": forge})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        forge.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield forge
        finally:
            server.shutdown()
            thread.join()
