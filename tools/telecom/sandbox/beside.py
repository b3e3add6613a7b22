"""Applications that are served beside each other: each has paths of its own."""

from collections.abc import Sequence
from typing import Protocol

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from telecom.sandbox.target import path_of

_OWN = ("/_sandbox", "/health", "/metrics")
"""How all paths begin that are the sandbox's own, and not of the API that it simulates."""


class HasPaths(Protocol):
    """An application that knows which paths it has."""

    def has(self, path: str) -> bool:
        """Say whether a path is one of its own."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""


class Beside:
    """The simulated API, and what the sandbox has of its own."""

    def __init__(self, simulated: ASGIApp, own: Sequence[HasPaths]) -> None:
        """Take both; what has no application of the sandbox's own is asked of the simulated API."""
        self._simulated = simulated
        self._own = own

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer that has the path."""
        path = path_of(Request(scope))
        own = (one for one in self._own if one.has(path)) if path.startswith(_OWN) else iter(())
        try:
            await next(own, self._simulated)(scope, receive, send)
        except ClientDisconnect:
            return  # before its request was whole: nobody is left to answer, and nothing has failed
