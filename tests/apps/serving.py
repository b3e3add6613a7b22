"""A server that listens on a free port for the time of a `with` block."""

import asyncio
import atexit
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import httpx
import uvicorn
from starlette.types import ASGIApp, Receive

from tests.waiting import PATIENCE_S


@cache
def local_client() -> httpx.Client:
    """Return a client for servers of this machine. A new one for each request would read all certificates again."""
    limits = httpx.Limits(max_keepalive_connections=0)
    return httpx.Client(trust_env=False, timeout=PATIENCE_S, limits=limits)


@contextmanager
def serving(app: ASGIApp, *, http: type[asyncio.Protocol] | None = None) -> Iterator[str]:
    """Serve an ASGI application in a thread and yield its address; `http` speaks HTTP with clients."""
    with _running(_server(app, http)) as url:
        yield url


@contextmanager
def serve_stoppable(made: Callable[[Callable[[], None]], ASGIApp]) -> Iterator[str]:
    """Serve an application in a thread and yield its address; it is made with what brings the server down."""

    def stop() -> None:
        for listener in server.servers:
            listener.close()
        server.should_exit = server.force_exit = True

    server = _server(made(stop))
    with _running(server) as url:
        yield url


class _Server(uvicorn.Server):
    """A server that says when it listens, or that it never will."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_decided = threading.Event()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            super().run(sockets)
        finally:
            self.is_decided.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_decided.set()


def _server(app: ASGIApp, http: type[asyncio.Protocol] | None = None) -> _Server:
    return _Server(
        uvicorn.Config(
            app,
            port=0,
            lifespan="off",
            ws="none",
            log_level="critical",
            access_log=False,
            http=http or "auto",
        )
    )


@contextmanager
def _running(server: _Server) -> Iterator[str]:
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    server.is_decided.wait()
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)


async def never_answer(receive: Receive) -> None:
    """Say nothing until the client has given up."""
    while (await receive())["type"] != "http.disconnect":
        pass


def closed_port() -> int:
    """Return a port at which nobody listens, nor can while the tests run."""
    port: int = _socket_without_server().getsockname()[1]
    return port


@cache
def _socket_without_server() -> socket.socket:
    kept = socket.socket()
    kept.bind(("127.0.0.1", 0))
    atexit.register(kept.close)
    return kept


def free_port() -> int:
    """Return a port for a server to listen at; until it does, another one may take it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
