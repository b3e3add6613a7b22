"""What a request is addressed to, in all the ways in which that can be written."""

import asyncio
from typing import Any
from urllib.parse import unquote

import pytest

TOKEN = (b"authorization", b"Bearer token-of-ada")


def status(sandbox: Any, target: bytes, *hosts: bytes, version: str = "1.1") -> int:
    """Return the status of GET, without a client that corrects targets and hosts."""
    path, _, query = target.partition(b"?")
    scope = {
        "type": "http",
        "method": "GET",
        "http_version": version,
        "path": decode_path(path),
        "raw_path": path,
        "query_string": query,
        "headers": [TOKEN, *((b"host", host) for host in hosts)],
    }
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(sandbox.app(scope, receive, send))
    return int(sent[0]["status"])


def decode_path(path: bytes) -> str:
    """Return a path as servers hand it on (ASGI HTTP scope)."""
    return unquote(path.decode("ascii"))


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (b"/v1/messages", 200),
        (b"/%76%31/messages", 200),
        (b"http://sandbox/v1/messages", 200),
        (b"HTTP://sandbox:80/v1/messages?limit=1", 200),
        (b"/v1%2Fmessages", 404),
        (b"/v1%2fmessages", 404),
        (b"/v1%252Fmessages", 404),
        (b"http://sandbox/v1%2Fmessages", 404),
        (b"/v1/messages/msg_1%2F..%2Fmsg_2", 404),
        (b"/v1/../v1/messages", 404),
        (b"/v1/messages%00", 404),
        (b"/v1/messages/%ff", 404),
        (b"/v1/messages/%", 404),
        (b"//v1/messages", 404),
        (b"http://sandbox", 404),
        (b"*", 404),
    ],
)
def test_path_is_found_or_not(sandbox: Any, target: bytes, expected: int) -> None:
    """Percent-encoded letters are the letters, a percent-encoded slash separates nothing (RFC 3986 §2.2)."""
    assert status(sandbox, target, b"sandbox") == expected


@pytest.mark.parametrize(
    ("hosts", "version", "expected"),
    [
        ((b"sandbox",), "1.1", 200),
        ((b"127.0.0.1:8080",), "1.1", 200),
        ((b"[::1]:8080",), "1.1", 200),
        ((b"",), "1.1", 200),
        ((), "1.0", 200),
        ((), "1.1", 400),
        ((b"sandbox", b"other"), "1.1", 400),
        ((b"sandbox", b"sandbox"), "1.0", 400),
        ((b"sand box",), "1.1", 400),
        ((b"sandbox/v1",), "1.1", 400),
        ((b"user@sandbox",), "1.1", 400),
        ((b"\xff",), "1.1", 400),
    ],
)
def test_request_names_one_host(sandbox: Any, hosts: tuple[bytes, ...], version: str, expected: int) -> None:
    """None, two, or what is no host is a bad request (RFC 9112 §3.2)."""
    assert status(sandbox, b"/v1/messages", *hosts, version=version) == expected
