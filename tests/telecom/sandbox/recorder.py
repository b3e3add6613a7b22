"""A receiver of webhooks in this process."""

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One request that came in."""

    headers: dict[str, str]
    body: bytes
    path: str

    @property
    def event(self) -> Any:
        """The event as a JSON value."""
        return json.loads(self.body)

    @property
    def host(self) -> str:
        """The host and port that were asked for, by which a test tells its receivers apart."""
        return self.headers["host"]


@dataclass(slots=True)
class Recorder:
    """A receiver that answers as told (a status and headers; 204 in the end) and remembers what came."""

    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    requests: list[Received] = field(default_factory=list)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Take one delivery."""
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.requests.append(Received(headers=headers, body=body, path=scope["path"]))
        status, extra = self.answers.pop(0) if self.answers else (204, {})
        raw = [(name.encode(), value.encode()) for name, value in extra.items()]
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send({"type": "http.response.body", "body": b""})


async def accept_delivery(_scope: Any, _receive: Any, send: Any) -> None:
    """Accept a delivery without reading it."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})
