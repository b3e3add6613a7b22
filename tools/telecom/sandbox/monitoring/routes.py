"""What monitors ask for: `/health`, `/health/live` and `/metrics`, all of them beside the API.

Health is for everybody, and tells nothing of any account. Metrics tell of all accounts together: they are for
programs on this machine, and from elsewhere for tokens with the scope of the control API.
"""

import json
from http import HTTPStatus
from typing import Any

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
from telecom.sandbox.database.database import is_busy
from telecom.sandbox.database.storage_failures import storage_failure
from telecom.sandbox.monitoring.health import HealthChecker
from telecom.sandbox.monitoring.metrics import Metrics
from telecom.sandbox.tokens.allow_list import parse_client_address
from telecom.sandbox.tokens.keyring import Keyring
from telecom.sandbox.tokens.tokens import bearer_token


class Monitoring:
    """Answers monitors."""

    def __init__(self, examiner: HealthChecker, metrics: Metrics, keyring: Keyring) -> None:
        """Take what tells how the sandbox fares, and who may see the metrics."""
        self._examiner = examiner
        self._metrics = metrics
        self._keyring = keyring
        answers = (
            ("/health", self._health),
            ("/health/live", self._live),
            ("/metrics", self._all_metrics),
        )
        self._paths = frozenset(path for path, _ in answers)
        self._router = Router([Route(path, answer) for path, answer in answers], redirect_slashes=False)

    def has(self, path: str) -> bool:
        """Say whether a path is one of these."""
        return path in self._paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._router(scope, receive, send)

    async def _health(self, request: Request) -> Response:
        del request
        health = await self._examiner.health()
        return _json(health.document(), HTTPStatus.OK if health.is_well else HTTPStatus.SERVICE_UNAVAILABLE)

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
            said = f"Metrics are for programs on this machine, and for tokens with the scope {SCOPE}.\n"
            told = {"WWW-Authenticate": f'Bearer realm="sandbox", scope="{SCOPE}"'}
            return Response(said, HTTPStatus.UNAUTHORIZED, headers=told, media_type="text/plain")
        text = await run_sync(self._metrics.text)
        return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4, headers={"Cache-Control": "no-store"})

    async def _is_allowed(self, request: Request) -> bool:
        text = bearer_token(request.headers.get("authorization", ""))
        grant = await self._keyring.grant(text, caller_of(request)) if text is not None else None
        return grant is not None and SCOPE in grant.scopes


def is_local_request(request: Request) -> bool:
    """Say whether a program on this machine asks without a proxy, and by a name or an address that is this
    machine's: a web page whose host name was led here cannot read what it must not."""
    client, host = client_address(request), request.url.hostname or ""
    is_here = client.is_direct and client.address is not None and client.address.is_loopback
    named = parse_client_address(host)
    return is_here and (host == "localhost" or (named is not None and named.is_loopback))


def _json(document: dict[str, Any], status: HTTPStatus) -> Response:
    return Response(
        json.dumps(document) + "\n",
        status,
        media_type="application/json",
        headers={"Cache-Control": "no-store"},
    )
