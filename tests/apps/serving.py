"""A server that listens on a free port for the time of a `with` block."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp


@contextmanager
def serving(app: ASGIApp, *, http: type[asyncio.Protocol] | None = None) -> Iterator[str]:
    """Serve an ASGI application in a thread and yield its address; `http` speaks HTTP with clients."""
    with _running(_server(app, http)) as url:
        yield url


@contextmanager
def mortal(made: Callable[[Callable[[], None]], ASGIApp]) -> Iterator[str]:
    """Serve an application in a thread and yield its address; it is made with what brings the server down."""

    def die() -> None:
        for listener in server.servers:
            listener.close()
        server.should_exit = server.force_exit = True

    server = _server(made(die))
    with _running(server) as url:
        yield url


def _server(app: ASGIApp, http: type[asyncio.Protocol] | None = None) -> uvicorn.Server:
    return uvicorn.Server(
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
def _running(server: uvicorn.Server) -> Iterator[str]:
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.002)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)


def closed_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
