"""Connections that end while the client still sends, over real sockets."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from tests.waiting import PATIENCE_S
from uvicorn.server import ServerState

from devportal.contract import Api
from devportal.serving import http_protocol
from telecom.problems import ProblemRegistry
from telecom.sandbox.api.cross_origin import ANY_ORIGIN, CrossOrigin
from telecom.sandbox.api.refusals import problem_writer
from telecom.sandbox.connections.http_protocol import protocol_class

MANY = 10_000_000
HEAD = b"POST /v1/messages HTTP/1.1\r\nHost: sandbox\r\n"

Talk = Callable[[Callable[[socket.socket], bytes]], bytes]


async def too_large(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer without reading, and close."""
    answer = PlainTextResponse("too large", 413, headers={"Connection": "close"})
    await answer(scope, receive, send)


@pytest.fixture
def talk(api: Api) -> Talk:
    """Return a function that lets another thread talk to a server, and returns what that got."""
    config = uvicorn.Config(too_large, log_config=None, ws="none")
    config.load()
    kind = protocol_class(problem_writer(ProblemRegistry.of(api), CrossOrigin.of(api, ANY_ORIGIN), bytes))

    async def run(client: Callable[[socket.socket], bytes]) -> bytes:
        is_gone = asyncio.Event()

        class Noticed(kind):  # type: ignore[misc,valid-type]  # a class that is made for its refusals
            def connection_lost(self, error: Exception | None) -> None:
                super().connection_lost(error)
                is_gone.set()

        server = await asyncio.get_running_loop().create_server(
            lambda: Noticed(config=config, server_state=ServerState(), app_state={}), "127.0.0.1", 0
        )

        def run_client() -> bytes:
            with socket.create_connection(server.sockets[0].getsockname(), timeout=PATIENCE_S) as line:
                return client(line)

        async with server:
            got = await asyncio.to_thread(run_client)
            await is_gone.wait()
            return got

    return lambda client: asyncio.run(run(client))


def _read(line: socket.socket) -> bytes:
    return b"".join(iter(lambda: line.recv(65_536), b""))


@pytest.mark.parametrize(
    ("sent", "statuses"),
    [
        (HEAD + b"Content-Length: %d\r\n\r\n" % MANY + bytes(MANY), (b"413",)),
        (HEAD + b"X-Long: " + b"a" * MANY, (b"431",)),
        (b"\x00" * MANY, (b"400", b"431")),  # as much of it as is read at once
    ],
    ids=["body", "head", "garbage"],
)
def test_who_sends_too_much_reads_why(talk: Talk, sent: bytes, statuses: tuple[bytes, ...]) -> None:
    """A client that first sends everything, and then reads, is told what was wrong."""

    def client(line: socket.socket) -> bytes:
        line.sendall(sent)
        return _read(line)

    assert talk(client).startswith(tuple(b"HTTP/1.1 " + status for status in statuses))


def test_who_sends_without_end_is_left(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes after the answer is dropped for a while, and no longer."""
    monkeypatch.setattr(http_protocol, "LINGER_S", 0.1)

    def client(line: socket.socket) -> bytes:
        line.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % MANY)
        with suppress(ConnectionError):
            while True:
                line.sendall(b"more")
        return b"closed"

    assert talk(client) == b"closed"


def test_connection_with_nothing_more_to_come_is_closed_at_once(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client waits for the end no longer than for the answer: any longer would be an hour."""
    monkeypatch.setattr(http_protocol, "LINGER_S", 3600.0)

    def client(line: socket.socket) -> bytes:
        line.sendall(HEAD + b"Content-Length: 2\r\n\r\nhi")
        return _read(line)

    assert talk(client).endswith(b"too large")
