"""Listens on a port and serves a mock until it is stopped."""

import socket
from collections.abc import Callable
from typing import Any

import uvicorn

from devportal.errors import EnvironmentProblem


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free one. Raises EnvironmentProblem if the machine refuses."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise EnvironmentProblem(
            f"there is no address {host!r} to listen at: {error}", help="give another with --host"
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise EnvironmentProblem(
            f"{host}:{port} cannot be listened at: {error.strerror or error}",
            help="end the program that uses the port, or give another with --port (0 takes a free one)",
        ) from error
    return listener


def socket_url(listener: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(application: Any, listener: socket.socket, when_ready: Callable[[], None]) -> None:
    """Serve an ASGI application until Ctrl-C or SIGTERM."""
    config = uvicorn.Config(
        application, log_level="critical", access_log=False, lifespan="off", ws="none", server_header=False
    )
    server = _Server(config, when_ready)
    server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config, when_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._when_ready()
