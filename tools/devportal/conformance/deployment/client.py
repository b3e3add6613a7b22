"""Sends requests to a deployment at the pace it allows and records the exchanges."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from devportal.conformance.deployment.exchange import SAFE_METHODS, Exchange, HttpResponse, Request
from devportal.conformance.deployment.http_connection import (
    ConnectionSettings,
    HttpConnection,
    NoResponse,
    NotConnected,
    Unsendable,
)
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.deployment.pace import Pace
from devportal.errors import DeploymentError

MAX_WAITS = 5
"""How often a request is sent again after a 429."""
MAX_VAIN_WAITS = 2
"""After this many requests to an operation that got nothing but 429, no request to it waits any more; none
at all, if the deployment has not had another response for any request.
"""
LONGEST_WAIT_S = 60.0
TOO_MANY_REQUESTS = 429
SHORTEST_TIMEOUT_S = 0.001
"""The shortest timeout of a request: a socket takes none below."""
RESTART_PAUSES_S = (0.5, 1.0, 2.0, 4.0)
"""How long a deployment that has responded may take to restart."""


class RunTimeout(DeploymentError):
    """The time of a run is over: nothing more is sent."""


class DeploymentWentDown(DeploymentError):
    """The deployment has responded before and no longer does. `last_exchange` was sent last."""

    def __init__(self, message: str, *, last_exchange: Exchange | None, help: str) -> None:  # noqa: A002
        """Take the message and the last exchange."""
        super().__init__(message, help=help)
        self.last_exchange = last_exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPolicy:
    """How a run behaves: the time limits of one response and of the run, the maximum number of requests per
    second (0: no limit), and whether only safe methods may be sent.
    """

    timeout_s: float = 10.0
    max_time_s: float = float("inf")
    rate_per_s: float = 0.0
    is_read_only: bool = False


class Deployment:
    """Sends requests one after another. Waits and sends again after a 429."""

    def __init__(
        self,
        policy: RequestPolicy,
        *,
        mask: Mask,
        connection: ConnectionSettings | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take the policy, whose time starts now, and the mask for the exchanges."""
        self._policy = policy
        self._connection_settings = connection or ConnectionSettings()
        self._connections = [self._open_connection()]
        self._began_at = time.monotonic()
        self._ends_at = self._began_at + policy.max_time_s
        self._pace = Pace(policy.rate_per_s)
        self._mask = mask
        self._wait = wait
        self._has_responded = False
        self._last_exchange: Exchange | None = None
        self._vain_waits: Counter[str] = Counter()
        self._has_passed_limit = False

    def proxy_of(self, url: str) -> str:
        """Return the address of the proxy for a URL, empty if there is none."""
        return self._connection_settings.proxy_of(url)

    def __enter__(self) -> Self:
        """Open nothing: connections open with the first request."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        for connection in self._connections:
            connection.close()

    def send(self, request: Request, *, operation: str = "", is_valid: bool = False) -> Exchange:
        """Send a request and return the exchange.

        Raises Unsendable if it cannot or must not be sent, RunTimeout, DeploymentWentDown.
        """
        self._require_sendable(request)
        exchange = Exchange(
            request=request, answer=None, operation=operation, is_valid=is_valid, sent_at=time.time()
        )
        try:
            exchange = replace(exchange, answer=self._exchange_patiently(request, operation))
        except NoResponse as error:
            exchange = replace(exchange, unanswered=str(error))
        self._last_exchange = self._mask.exchange(exchange)
        return self._last_exchange

    def _exchange_patiently(self, request: Request, operation: str) -> HttpResponse:
        """Return the response; after a 429 wait as it says, unless waiting did not help this operation before."""
        response = self._exchange_once(self._connections[0], request)
        is_limited = response.status == TOO_MANY_REQUESTS
        self._has_passed_limit = self._has_passed_limit or not is_limited
        vain_waits = self._vain_waits[operation] if self._has_passed_limit else self._vain_waits.total()
        waits = MAX_WAITS if vain_waits < MAX_VAIN_WAITS else 0
        for _ in range(waits):
            if response.status != TOO_MANY_REQUESTS:
                break
            self.wait(retry_after_s(response.header("retry-after")))
            response = self._exchange_once(self._connections[0], request)
        if response.status != TOO_MANY_REQUESTS:
            self._has_passed_limit = True
            del self._vain_waits[operation]
        elif waits:
            self._vain_waits[operation] += 1
        return response

    def at_once(self, requests: Sequence[Request], *, operation: str = "") -> tuple[Exchange, ...]:
        """Send requests at the same time, each over its own connection. Does not wait after a 429."""
        for request in requests:
            self._require_sendable(request)
        while len(self._connections) < len(requests):
            self._connections.append(self._open_connection())
        start = threading.Barrier(len(requests))
        with ThreadPoolExecutor(max_workers=len(requests)) as threads:
            futures = [
                threads.submit(self._send_concurrently, connection, request, operation, start)
                for connection, request in zip(self._connections, requests, strict=False)
            ]
            return tuple(future.result() for future in futures)

    @property
    def last_exchange(self) -> Exchange | None:
        """The last exchange that was sent alone."""
        return self._last_exchange

    @property
    def remaining_s(self) -> float:
        """How many seconds are left for sending."""
        return self._ends_at - time.monotonic()

    @contextmanager
    def limit_time(self, share: float) -> Iterator[None]:
        """Limit a block to a share of the run's time, so that time remains to confirm failures."""
        end, self._ends_at = self._ends_at, self._began_at + share * self._policy.max_time_s
        try:
            yield
        finally:
            self._ends_at = end

    def wait(self, seconds: float) -> None:
        """Let time pass. Raises RunTimeout if the time of the run ends meanwhile."""
        if time.monotonic() + seconds >= self._ends_at:
            raise self._timeout_error()
        self._wait(seconds)

    def _send_concurrently(
        self, connection: HttpConnection, request: Request, operation: str, start: threading.Barrier
    ) -> Exchange:
        start.wait()
        exchange = Exchange(request=request, answer=None, operation=operation, sent_at=time.time())
        try:
            exchange = replace(exchange, answer=self._exchange_once(connection, request))
        except NoResponse as error:
            exchange = replace(exchange, unanswered=str(error))
        return self._mask.exchange(exchange)

    def _open_connection(self) -> HttpConnection:
        return HttpConnection(timeout_s=self._policy.timeout_s, connection=self._connection_settings)

    def _require_sendable(self, request: Request) -> None:
        if self._policy.is_read_only and request.method.upper() not in SAFE_METHODS:
            raise Unsendable(f"{request.method} is not safe, and this run only reads")

    def _exchange_once(self, connection: HttpConnection, request: Request) -> HttpResponse:
        now = time.monotonic()
        if now >= self._ends_at:
            raise self._timeout_error()
        if pause_s := self._pace.wait_s(now):
            self.wait(pause_s)
        try:
            response = connection.send(request, at_most_s=max(self.remaining_s, SHORTEST_TIMEOUT_S))
        except NoResponse as error:
            if time.monotonic() >= self._ends_at:  # it might have responded
                raise self._timeout_error() from error
            if isinstance(error, NotConnected) and self._has_responded:
                self._wait_for_restart(connection, request)
            raise
        self._has_responded = True
        return response

    def _wait_for_restart(self, connection: HttpConnection, request: Request) -> None:
        """Return as soon as a connection is accepted. Raises DeploymentWentDown if none is for a while."""
        address = urlsplit(request.url)
        root = Request(method="GET", url=f"{address.scheme}://{address.netloc}/")
        for pause_s in RESTART_PAUSES_S:
            self.wait(pause_s)
            if _accepts_connections(connection, root):
                return
        raise DeploymentWentDown(
            f"{address.scheme}://{address.netloc} no longer responds: it went down during the run",
            last_exchange=self._last_exchange,
            help="see its log for what came last, start it again, and leave that out with --exclude",
        )

    def _timeout_error(self) -> RunTimeout:
        return RunTimeout(
            f"the run did not end within {self._policy.max_time_s:g} s",
            help="give a longer --max-time, or see why the deployment is slow",
        )


def _accepts_connections(connection: HttpConnection, request: Request) -> bool:
    try:
        connection.send(request)
    except NoResponse as error:
        return not isinstance(error, NotConnected)
    return True


def retry_after_s(value: str | None) -> float:
    """Return how many seconds to wait: those of Retry-After (RFC 9110 §10.2.3), else one."""
    text = (value or "").strip()
    return min(float(text), LONGEST_WAIT_S) if text.isascii() and text.isdigit() else 1.0


__all__ = ["ConnectionSettings", "Deployment", "RequestPolicy", "Unsendable", "retry_after_s"]
