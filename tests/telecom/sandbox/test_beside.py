"""Clients that go away before their request is whole."""

import asyncio
import logging

import pytest
from starlette.types import Message

from .conftest import ADA, Sandbox

PAGES = [("POST", "/_sandbox/sign-in"), ("POST", "/_sandbox/sign-out"), ("GET", "/_sandbox/messages")]
MONITORS = [("GET", "/health"), ("GET", "/health/live"), ("GET", "/metrics")]


def send_and_leave(sandbox: Sandbox, method: str, path: str, *, sent: bytes | None) -> list[Message]:
    """Send a request with no more than a part of its body, and leave; return the messages of the response."""
    answered: list[Message] = []
    pieces: list[Message] = (
        [] if sent is None else [{"type": "http.request", "body": sent, "more_body": True}]
    )

    async def receive() -> Message:
        return pieces.pop() if pieces else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        answered.append(message)

    headers = {
        "host": "sandbox",
        "authorization": f"Bearer {ADA}",
        "content-type": "application/x-www-form-urlencoded" if "_sandbox" in path else "application/json",
        "content-length": "50",
    }
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 5000),
        "server": ("sandbox", 80),
    }

    async def ask() -> None:
        await sandbox.app(scope, receive, send)

    asyncio.run(ask())
    return answered


@pytest.mark.parametrize("sent", [None, b'{"to":'], ids=["no-body", "half-a-body"])
def test_who_goes_away_leaves_no_trace(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture, sent: bytes | None
) -> None:
    """Whatever was asked for, the log has no warning, no traceback and no response that nobody got."""
    caplog.set_level(logging.INFO)
    operations = [
        (operation.method, operation.path.replace("{", "").replace("}", ""))
        for operation in sandbox.api.operations
    ]

    unanswered = [
        (method, path)
        for method, path in (*operations, *PAGES, *MONITORS)
        if not send_and_leave(sandbox, method, path, sent=sent)
    ]

    assert [record for record in caplog.records if record.levelno > logging.INFO or record.exc_info] == []
    assert {("POST", "/v1/messages"), ("POST", "/_sandbox/sign-in")} <= set(unanswered)
    lines = "\n".join(record.getMessage() for record in caplog.records)
    assert not [path for method, path in unanswered if f"{method} {path} " in lines]
