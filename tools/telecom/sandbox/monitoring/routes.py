"""Routes for operators: health and metrics."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from anyio import move_on_after
from anyio.to_thread import run_sync
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from telecom.sandbox.api.admission import caller_of
from telecom.sandbox.api.refusals import RETRY_AFTER_S
from telecom.sandbox.connections.client_address import client_address
from telecom.sandbox.control import SCOPE
from telecom.sandbox.database.database import Database, is_busy
from telecom.sandbox.database.storage_failures import storage_failure
from telecom.sandbox.monitoring.heartbeats import Worker, read_workers, try_to_recover, write_probe
from telecom.sandbox.monitoring.metrics import Metrics
from telecom.sandbox.tokens.roles import parse_client_address
from telecom.sandbox.tokens.token_cache import Keyring
from telecom.sandbox.tokens.tokens import bearer_token

CACHED_FOR = timedelta(seconds=1)
"""How long a result is cached, so that frequent checks cost nothing."""
CHECK_TIMEOUT_S = 3.0
"""How long the database may take; monitors do not wait much longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The health of a sandbox at a moment of real time; `database_failure` is why its database could not be
    used."""

    at: datetime
    database_failure: str | None
    workers: tuple[Worker, ...] = ()

    @property
    def alive(self) -> int:
        """How many workers are alive."""
        return sum(worker.is_alive(self.at) for worker in self.workers)

    @property
    def is_healthy(self) -> bool:
        """Whether all parts work."""
        return self.database_failure is None and self.alive > 0

    def document(self) -> dict[str, Any]:
        """Return the health as JSON shows it."""
        return {
            "status": _status_word(is_healthy=self.is_healthy),
            "database": _component_status(self.database_failure),
            "worker": {
                **_component_status(self.worker_failure),
                "alive": self.alive,
                "lost": len(self.workers) - self.alive,
            },
        }

    @property
    def worker_failure(self) -> str | None:
        """The failure of the workers, None if there is none."""
        if self.alive:
            return None
        if self.database_failure is not None:
            return "unknown without the database"
        if not self.workers:
            return "there is no worker"
        silent_s = max(0.0, (self.at - self.workers[0].seen_at).total_seconds())
        return f"the last sign of life of a worker was {silent_s:.0f} seconds ago"


class HealthChecker:
    """Checks a database, at most once a second."""

    def __init__(self, database: Database, real_clock: Callable[[], datetime]) -> None:
        """Take the database, and real time."""
        self._database = database
        self._real_clock = real_clock
        self._last: Health | None = None
        self._last_failure = database.availability.failure

    async def health(self) -> Health:
        """Return the health of now, or of less than a second ago."""
        now = self._real_clock()
        is_unchanged = self._last_failure is self._database.availability.failure
        if self._last is not None and is_unchanged and timedelta(0) <= now - self._last.at < CACHED_FOR:
            return self._last
        current = Health(at=now, database_failure=f"no response within {CHECK_TIMEOUT_S:.0f} seconds")
        with move_on_after(CHECK_TIMEOUT_S):
            current = await run_sync(self._check_health, now, abandon_on_cancel=True)
        self._last, self._last_failure = current, self._database.availability.failure
        return current

    def _check_health(self, now: datetime) -> Health:
        try:
            if not try_to_recover(self._database, now):
                return Health(at=now, database_failure=_failure_sentence(self._database))
            with self._database.write(shared=True) as connection:
                write_probe(connection, now)
                workers = read_workers(connection)
        except Exception as error:  # noqa: BLE001 - whatever it is, the database is of no use
            unknown_failure = f"it cannot be written ({type(error).__name__})"
            return Health(at=now, database_failure=_failure_sentence(self._database) or unknown_failure)
        return Health(at=now, database_failure=None, workers=workers)


def _failure_sentence(database: Database) -> str | None:
    failure = database.availability.failure
    return None if failure is None else failure.sentence


def _status_word(*, is_healthy: bool) -> str:
    return "ok" if is_healthy else "failing"


def _component_status(failure: str | None) -> dict[str, Any]:
    detail = {} if failure is None else {"detail": failure}
    return {"status": _status_word(is_healthy=failure is None), **detail}


class Monitoring:
    """Serves monitors."""

    def __init__(self, health_checker: HealthChecker, metrics: Metrics, keyring: Keyring) -> None:
        """Take the health checker, the metrics, and the keyring for access to the metrics."""
        self._health_checker = health_checker
        self._metrics = metrics
        self._keyring = keyring
        routes = (
            ("/health", self._health),
            ("/health/live", self._live),
            ("/metrics", self._all_metrics),
        )
        self._paths = frozenset(path for path, _ in routes)
        self._router = Router([Route(path, endpoint) for path, endpoint in routes], redirect_slashes=False)

    def has(self, path: str) -> bool:
        """Return whether a path is one of these."""
        return path in self._paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request."""
        await self._router(scope, receive, send)

    async def _health(self, request: Request) -> Response:
        del request
        health = await self._health_checker.health()
        return _json(
            health.document(), HTTPStatus.OK if health.is_healthy else HTTPStatus.SERVICE_UNAVAILABLE
        )

    async def _live(self, request: Request) -> Response:
        del request
        return _json({"status": "ok"}, HTTPStatus.OK)

    async def _all_metrics(self, request: Request) -> Response:
        try:
            return await self._metrics_for(request)
        except Exception as error:
            if storage_failure(error) is None and not is_busy(error):
                raise
            return Response(
                "The database of the sandbox cannot be used now.\n",
                HTTPStatus.SERVICE_UNAVAILABLE,
                headers={"Retry-After": str(RETRY_AFTER_S)},
                media_type="text/plain",
            )

    async def _metrics_for(self, request: Request) -> Response:
        if not (is_local_request(request) or await self._is_allowed(request)):
            detail = f"Metrics are for programs on this machine, and for tokens with the scope {SCOPE}.\n"
            headers = {"WWW-Authenticate": f'Bearer realm="sandbox", scope="{SCOPE}"'}
            return Response(detail, HTTPStatus.UNAUTHORIZED, headers=headers, media_type="text/plain")
        text = await run_sync(self._metrics.text)
        return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4, headers={"Cache-Control": "no-store"})

    async def _is_allowed(self, request: Request) -> bool:
        text = bearer_token(request.headers.get("authorization", ""))
        grant = await self._keyring.grant(text, caller_of(request)) if text is not None else None
        return grant is not None and SCOPE in grant.scopes


def is_local_request(request: Request) -> bool:
    """Return whether a program on this machine calls without a proxy, and by a name or an address of this
    machine: a web page whose host name was pointed here must not read it."""
    client, host = client_address(request), request.url.hostname or ""
    is_loopback = client.is_direct and client.address is not None and client.address.is_loopback
    host_address = parse_client_address(host)
    return is_loopback and (host == "localhost" or (host_address is not None and host_address.is_loopback))


def _json(document: dict[str, Any], status: HTTPStatus) -> Response:
    return Response(
        json.dumps(document) + "\n",
        status,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )
