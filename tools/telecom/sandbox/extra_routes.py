"""The routes of a sandbox besides the simulated API: pages for people, and endpoints for monitors."""

import time
from collections.abc import Sequence
from typing import Protocol

import sqlalchemy as sa
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from devportal.contract import Api
from devportal.serving.clock import ClockMode, ClockState
from telecom.sandbox.api.exchange import Observe, ServedRequest
from telecom.sandbox.api.identifiers import correlation_id
from telecom.sandbox.api.operations import HandlerContext
from telecom.sandbox.api.request_reading import RequestReader
from telecom.sandbox.clock import read_clock_state
from telecom.sandbox.connections.http_protocol import request_path
from telecom.sandbox.monitoring.metrics import Metrics
from telecom.sandbox.monitoring.routes import HealthChecker, Monitoring
from telecom.sandbox.pages.application import Pages, SandboxStatus
from telecom.sandbox.pages.sessions import Sessions
from telecom.sandbox.pages.views import Views
from telecom.sandbox.tokens.token_cache import Keyring

_OWN_PATHS = ("/_sandbox", "/health", "/metrics")
"""The prefixes of the sandbox's own paths, which are not of the simulated API."""


class HasPaths(Protocol):
    """An application that can say which paths it serves."""

    def has(self, path: str) -> bool:
        """Return whether the application serves a path."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request."""


class PathDispatcher:
    """Dispatches requests to the simulated API and to the sandbox's own applications."""

    def __init__(self, simulated: ASGIApp, own_apps: Sequence[HasPaths]) -> None:
        """Take both; the simulated API gets all requests that no own application serves."""
        self._simulated = simulated
        self._own_apps = own_apps

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the application that has the path."""
        path = request_path(Request(scope))
        own_apps = (
            (app for app in self._own_apps if app.has(path)) if path.startswith(_OWN_PATHS) else iter(())
        )
        try:
            await next(own_apps, self._simulated)(scope, receive, send)
        except ClientDisconnect:
            return  # before its request was complete: there is nobody to respond to, and nothing has failed


def extra_applications(
    api: Api,
    reader: RequestReader,
    context: HandlerContext,
    keyring: Keyring,
    metrics: Metrics,
    observe: Observe,
) -> tuple[HasPaths, ...]:
    """Return the applications. Requests to pages are observed like operations; monitors call too often for
    that."""
    database = context.database
    health_checker = HealthChecker(database, context.real_clock)
    pages = Pages(
        Views(api=api, parameters=reader.parameters, context=context),
        Sessions(
            database=database,
            keyring=keyring,
            real_clock=context.real_clock,
            random_bytes=context.random_bytes,
        ),
        health_checker,
        SandboxStatus(
            title=api.title,
            version=api.version,
            clock=context.clock,
            mode=lambda: _describe_clock(context),
        ),
    )
    return (ObservedApplication(pages, context, observe), Monitoring(health_checker, metrics, keyring))


class ObservedApplication:
    """An application whose requests are observed, without an operation of the contract."""

    def __init__(self, app: HasPaths, context: HandlerContext, observe: Observe) -> None:
        """Take the application, and the observer."""
        self._app = app
        self._random_bytes = context.random_bytes
        self._observe = observe

    def has(self, path: str) -> bool:
        """Return whether the application has a path."""
        return self._app.has(path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the application, and report it."""
        request = Request(scope)
        correlation = correlation_id(request.headers.get("traceparent"), self._random_bytes)
        started = time.monotonic()
        status: int | None = None

        async def send_and_note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_note_status)
        finally:
            if status is not None:
                self._observe(
                    ServedRequest(
                        method=request.method,
                        path=ascii(request_path(request))[1:-1],
                        operation=None,
                        account=None,
                        status=status,
                        duration_s=time.monotonic() - started,
                        correlation_id=correlation,
                    )
                )


def _describe_clock(context: HandlerContext) -> str:
    """Return a sentence about how the clock of the sandbox runs."""
    with context.database.read() as connection:
        try:
            state: ClockState = read_clock_state(connection)
        except sa.exc.NoResultFound:  # no start has written it yet
            return "It goes as outside."
    match state.mode:
        case ClockMode.REAL:
            return "It goes as outside."
        case ClockMode.RUNNING:
            return f"It goes {state.speed:g} times as fast as outside."
        case ClockMode.MANUAL:
            return "It only moves when you move it."
