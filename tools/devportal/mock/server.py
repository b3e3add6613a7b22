"""Serves a mock until it is stopped."""

import socket
from collections.abc import Callable
from typing import Any

import uvicorn


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
