"""What a sandbox serves beside the API that it simulates: pages for people, and answers for monitors."""

import time

import sqlalchemy as sa
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from devportal.contract import Api
from telecom.sandbox.beside import HasPaths
from telecom.sandbox.clock import Line, Mode
from telecom.sandbox.health import Examiner
from telecom.sandbox.identifiers import correlation_id
from telecom.sandbox.keyring import Keyring
from telecom.sandbox.metrics import Metrics
from telecom.sandbox.monitoring import Monitoring
from telecom.sandbox.operations import Resources
from telecom.sandbox.pages.application import Pages, Situation
from telecom.sandbox.pages.sessions import Sessions
from telecom.sandbox.pages.views import Views
from telecom.sandbox.reading import RequestReader
from telecom.sandbox.served import Observe, Served
from telecom.sandbox.target import path_of
from telecom.sandbox.timekeeping import line_in


def surroundings(
    api: Api,
    reader: RequestReader,
    resources: Resources,
    keyring: Keyring,
    metrics: Metrics,
    observe: Observe,
) -> tuple[HasPaths, ...]:
    """Return the applications. Pages are observed like operations; monitors ask too often for that."""
    database = resources.database
    examiner = Examiner(database, resources.real_clock)
    pages = Pages(
        Views(api=api, parameters=reader.parameters, resources=resources),
        Sessions(
            database=database,
            keyring=keyring,
            real_clock=resources.real_clock,
            random_bytes=resources.random_bytes,
        ),
        examiner,
        Situation(
            title=api.title,
            version=api.version,
            clock=resources.clock,
            mode=lambda: _in_words(resources),
        ),
    )
    return (Observed(pages, resources, observe), Monitoring(examiner, metrics, keyring))


class Observed:
    """An application whose requests are observed, as those of none of the contract's operations."""

    def __init__(self, app: HasPaths, resources: Resources, observe: Observe) -> None:
        """Take the application, and who is told."""
        self._app = app
        self._random_bytes = resources.random_bytes
        self._observe = observe

    def has(self, path: str) -> bool:
        """Say whether the application has a path."""
        return self._app.has(path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer, and tell of it."""
        request = Request(scope)
        correlation = correlation_id(request.headers.get("traceparent"), self._random_bytes)
        started = time.monotonic()
        status: int | None = None

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            if status is not None:
                self._observe(
                    Served(
                        method=request.method,
                        path=ascii(path_of(request))[1:-1],
                        operation=None,
                        account=None,
                        status=status,
                        duration_s=time.monotonic() - started,
                        correlation_id=correlation,
                    )
                )


def _in_words(resources: Resources) -> str:
    """Return how the time of the sandbox goes."""
    with resources.database.read() as connection:
        try:
            line: Line = line_in(connection)
        except sa.exc.NoResultFound:  # no start has written it yet
            return "It goes as outside."
    match line.mode:
        case Mode.REAL:
            return "It goes as outside."
        case Mode.RUNNING:
            return f"It goes {line.speed:g} times as fast as outside."
        case Mode.MANUAL:
            return "It stands still until it is moved by hand."
