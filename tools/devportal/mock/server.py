"""Serves a mock until it is stopped."""

import socket
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import uvicorn

from devportal.interruptions import hangup_as_termination
from devportal.mock.http.exchange import CORS_HEADERS, Refused
from devportal.mock.http.problems import generic_problem
from devportal.mock.http.responses import PROBLEM_TYPE
from devportal.mock.json_values import write_json
from devportal.serving.http_protocol import RawHeaders, limited_protocol


def serve(application: Any, listener: socket.socket, when_ready: Callable[[], None]) -> None:
    """Serve an ASGI application until Ctrl-C or SIGTERM."""
    config = uvicorn.Config(
        application,
        http=PROTOCOL,
        log_level="critical",
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
    )
    server = _Server(config, when_ready)
    with hangup_as_termination():
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config, when_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._when_ready()


def _write_refusal(status: HTTPStatus, detail: str, request_headers: RawHeaders) -> bytes:
    """Return the response to what cannot be read as a request: no operation is known, so no contract describes it."""
    body = write_json(generic_problem(status.value, Refused(status.value, detail=detail)))
    is_cross_origin = any(name == b"origin" for name, _ in request_headers)
    headers = (
        ("Content-Type", PROBLEM_TYPE),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
        *(CORS_HEADERS if is_cross_origin else ()),
    )
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


PROTOCOL = limited_protocol(_write_refusal)
"""The protocol of the connections of a mock."""
