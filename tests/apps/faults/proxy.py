"""A fault between a client and an application: requests and answers as values, and what changes them."""

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.types import ASGIApp, Message, Receive, Scope, Send

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request. `path` and `query` are as they were sent."""

    method: str
    path: str
    query: str
    headers: Headers
    body: bytes

    def header(self, name: str) -> str:
        """Return the first value of a header, empty where it is absent."""
        return _first(self.headers, name)

    @property
    def json(self) -> Any:
        """The JSON value of the body, None where it has none."""
        return _json(self.body)

    @property
    def params(self) -> Mapping[str, str]:
        """The query's parameters."""
        return dict(parse_qsl(self.query, keep_blank_values=True))

    def has(self, label: str) -> bool:
        """Say whether this is a request for an operation, such as `GET /v1/messages/{message_id}`."""
        method, _, path = label.partition(" ")
        return method in (self.method, "*") and _pattern(path).fullmatch(self.path) is not None

    def with_json(self, value: Any) -> "Asked":
        """Return the request with another body."""
        return replace(self, body=json.dumps(value).encode())

    def with_members(self, **members: Any) -> "Asked":
        """Return the request with other members in the object that is its body."""
        return self.with_json({**self.json, **members})

    def with_params(self, **params: str | None) -> "Asked":
        """Return the request with other parameters, without those that are None."""
        merged: dict[str, str | None] = {**self.params, **params}
        return replace(
            self, query=urlencode({key: value for key, value in merged.items() if value is not None})
        )

    def with_headers(self, **headers: str | None) -> "Asked":
        """Return the request with other headers (`content_type` is Content-Type), without those of None."""
        return replace(self, headers=_replace_headers(self.headers, headers))


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An answer."""

    status: int
    headers: Headers = ()
    body: bytes = b""

    def header(self, name: str) -> str:
        """Return the first value of a header, empty where it is absent."""
        return _first(self.headers, name)

    @property
    def json(self) -> Any:
        """The JSON value of the body, None where it has none."""
        return _json(self.body)

    def with_json(self, value: Any) -> "Given":
        """Return the answer with another body."""
        return replace(self, body=json.dumps(value).encode())

    def with_members(self, **members: Any) -> "Given":
        """Return the answer with other members in the object that is its body."""
        return self.with_json({**self.json, **members})

    def without_members(self, *names: str) -> "Given":
        """Return the answer without some members of the object that is its body."""
        return self.with_json({name: value for name, value in self.json.items() if name not in names})

    def with_headers(self, **headers: str | None) -> "Given":
        """Return the answer with other headers (`retry_after` is Retry-After), without those of None."""
        return replace(self, headers=_replace_headers(self.headers, headers))


Forward = Callable[[Asked], Awaitable[Given]]
Twist = Callable[[Asked, Forward], Awaitable[Given]]
"""What a fault does with a request and the way to the application behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A faulty variant of the sandbox: what it `breaks`, in words, and the `check` that must name it.

    `operations` are the operationIds that a run needs to find it, and `make` returns the fault anew, without
    memory. `beside` are families whose requests the check needs to see, and `phases` those of Schemathesis:
    with any, the whole run is made. `plugins` holds the settings of plug-ins.
    """

    name: str
    breaks: str
    check: str
    operations: tuple[str, ...]
    make: Callable[[], Twist]
    beside: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    plugins: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Twisted:
    """An application with a fault before it."""

    app: ASGIApp
    twist: Twist

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        asked = await _read_request(scope, receive)

        async def forward(changed: Asked) -> Given:
            return await _run_app(self.app, scope, changed)

        given = await self.twist(asked, forward)
        headers = _encode_headers(given.headers)
        if asked.method != "HEAD":
            headers = _with_content_length(headers, given.body)
        await send({"type": "http.response.start", "status": given.status, "headers": headers})
        await send({"type": "http.response.body", "body": given.body})


@dataclass(slots=True)
class _Gathered:
    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")


async def _read_request(scope: Scope, receive: Receive) -> Asked:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message["type"] == "http.request" and message.get("more_body", False)
    return Asked(
        method=scope["method"],
        path=scope["raw_path"].decode("latin-1").partition("?")[0],
        query=scope["query_string"].decode("latin-1"),
        headers=tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]),
        body=body,
    )


async def _run_app(app: ASGIApp, scope: Scope, asked: Asked) -> Given:
    gathered, sent = _Gathered(), [{"type": "http.request", "body": asked.body, "more_body": False}]

    async def receive() -> Message:
        return sent.pop() if sent else {"type": "http.disconnect"}

    await app(
        {
            **scope,
            "method": asked.method,
            "path": asked.path if asked.path != scope["raw_path"].decode("latin-1") else scope["path"],
            "raw_path": asked.path.encode("latin-1"),
            "query_string": asked.query.encode("latin-1"),
            "headers": _with_content_length(_encode_headers(asked.headers), asked.body),
        },
        receive,
        gathered.send,
    )
    headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in gathered.headers)
    return Given(status=gathered.status, headers=headers, body=gathered.body)


def _with_content_length(headers: list[tuple[bytes, bytes]], body: bytes) -> list[tuple[bytes, bytes]]:
    lengths = [header for header in headers if header[0].lower() == b"content-length"]
    rest = [header for header in headers if header[0].lower() != b"content-length"]
    return [*rest, (b"content-length", str(len(body)).encode())] if lengths else rest


def _encode_headers(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def _first(headers: Headers, name: str) -> str:
    return next((value for key, value in headers if key.lower() == name.lower()), "")


def _replace_headers(headers: Headers, changes: Mapping[str, str | None]) -> Headers:
    changed = {name.replace("_", "-"): value for name, value in changes.items()}
    kept: Iterable[tuple[str, str]] = (header for header in headers if header[0].lower() not in changed)
    return (*kept, *((name, value) for name, value in changed.items() if value is not None))


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _pattern(path: str) -> re.Pattern[str]:
    parts = re.split(r"\{[^}]*\}", path)
    return re.compile("[^/]+".join(map(re.escape, parts)).replace(r"\*", ".*"))
