"""The server: its entrances, and what it makes of the address of a connection."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest
import uvloop
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from devportal.contract import Api
from devportal.listening import listen_tcp, socket_url
from telecom.problems import ProblemRegistry
from telecom.sandbox.api.cross_origin import ANY_ORIGIN, CrossOrigin
from telecom.sandbox.api.refusals import problem_writer
from telecom.sandbox.connections.client_address import ClientAddresses, TrustedProxies, client_address
from telecom.sandbox.connections.http_protocol import protocol_class
from telecom.sandbox.connections.sockets import ListeningSocket, listen_unix
from telecom.sandbox.processes import Server, server_config

FORGED = "203.0.113.5"
FORWARDED = ({"X-Forwarded-For": FORGED}, {"Forwarded": f"for={FORGED}"})

Get = Callable[[str, dict[str, str]], Awaitable[str]]


async def address_app(scope: Scope, receive: Receive, send: Send) -> None:
    """Respond with the address of the client."""
    await PlainTextResponse(str(client_address(Request(scope, receive)).address))(scope, receive, send)


def client_addresses(api: Api, trusted: tuple[str, ...]) -> dict[str, list[str]]:
    """Serve at a port and at a Unix socket; return the address of a client there, for each header."""
    http = protocol_class(problem_writer(ProblemRegistry.of(api), CrossOrigin.of(api, ANY_ORIGIN), bytes))

    async def serve(folder: Path) -> dict[str, list[str]]:
        path = folder / "s"
        with closing(listen_tcp("127.0.0.1", 0)) as tcp, closing(listen_unix(path)) as unix:
            entrances = [ListeningSocket(listener=listener, protocol=http) for listener in (tcp, unix)]
            app = ClientAddresses(address_app, TrustedProxies.parse(trusted))
            server = Server(server_config(app), entrances)
            serving = asyncio.create_task(server.serve(sockets=[]))
            try:
                at = {
                    "tcp": httpx.AsyncHTTPTransport(),
                    "unix": httpx.AsyncHTTPTransport(uds=str(path)),
                }
                return {name: await answers(socket_url(tcp), transport) for name, transport in at.items()}
            finally:
                server.should_exit = True
                await serving

    with (
        TemporaryDirectory(prefix="sandbox-") as name,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(serve(Path(name)))


async def answers(url: str, transport: httpx.AsyncHTTPTransport) -> list[str]:
    async with httpx.AsyncClient(transport=transport, timeout=60) as client:
        return [(await client.get(url, headers=headers)).text for headers in FORWARDED]


def test_headers_of_proxies_count_only_where_they_are_trusted(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a port and at a Unix socket, each by itself, and whatever uvicorn is told to trust."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")

    none, port, unix = (client_addresses(api, trusted) for trusted in ((), ("127.0.0.1",), ("unix",)))

    assert none == {"tcp": ["127.0.0.1"] * 2, "unix": ["None"] * 2}
    assert port == {"tcp": [FORGED] * 2, "unix": ["None"] * 2}
    assert unix == {"tcp": ["127.0.0.1"] * 2, "unix": [FORGED] * 2}
