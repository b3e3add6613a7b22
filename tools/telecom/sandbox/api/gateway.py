"""The HTTP side of the sandbox: from an ASGI request to an operation and back (RFC 9110)."""

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from anyio import create_task_group
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import Receive, Scope, Send

from devportal.contract import Operation
from devportal.serving.http_protocol import SHUTDOWN
from telecom.problems import PROBLEM_MEDIA_TYPE, ProblemKind, ProblemRegistry
from telecom.sandbox.api.admission import Admission
from telecom.sandbox.api.cross_origin import CrossOrigin
from telecom.sandbox.api.exchange import (
    Observe,
    OperationRequest,
    RequestRefused,
    ServedRequest,
    SuccessResponse,
)
from telecom.sandbox.api.identifiers import correlation_id
from telecom.sandbox.api.operations import Handler, HandlerContext, hold_idempotency_key
from telecom.sandbox.api.rate_limit import RateLimiter
from telecom.sandbox.api.refusals import method_not_allowed, problem_for_error, rate_limit_exceeded
from telecom.sandbox.api.request_reading import RequestReader
from telecom.sandbox.connections.client_address import client_address
from telecom.sandbox.connections.http_protocol import refuse_invalid_host, request_path
from telecom.sandbox.tokens.tokens import Grant

Sleep = Callable[[float], Awaitable[None]]
"""Waits for this many seconds."""


async def delay_response(request: Request, wait_s: float, sleep: Sleep) -> None:
    """Wait, but stop if the client disconnects or the server shuts down."""
    shutdown = request.scope.get("extensions", {}).get(SHUTDOWN)
    async with create_task_group() as task_group:

        async def cancel_after(event: Awaitable[object]) -> None:
            await event
            task_group.cancel_scope.cancel()

        task_group.start_soon(cancel_after, sleep(wait_s))
        task_group.start_soon(cancel_after, _wait_for_disconnect(request))
        if shutdown is not None:
            task_group.start_soon(cancel_after, shutdown["event"].wait())


async def _wait_for_disconnect(request: Request) -> None:
    """Wait until the client disconnects; the request has been read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRoute:
    """An operation with its handler, and the pattern of its path, whose groups are the path parameters."""

    operation: Operation
    handler: Handler
    path: re.Pattern[str]


@dataclass(slots=True)
class _RequestTrace:
    """What is known about a request so far, for the observer."""

    operation: str | None = None
    account: str | None = None


class Gateway:
    """Finds the operation, checks token, scope, quota and request, calls the handler, writes the response."""

    def __init__(
        self,
        operations: Mapping[tuple[str, str], tuple[Operation, Handler]],
        *,
        problems: ProblemRegistry,
        reader: RequestReader,
        limiter: RateLimiter,
        admission: Admission,
        cross_origin: CrossOrigin,
        context: HandlerContext,
        observe: Observe,
        sleep: Sleep = asyncio.sleep,
        is_long_running: bool = False,
    ) -> None:
        """Take the bound operations and everything that serves them. Operations that run long do not share
        transactions with others. Each served request is observed."""
        self._sleep = sleep
        self._observe = observe
        self._is_long_running = is_long_running
        self._routes = [
            OperationRoute(operation=operation, handler=handler, path=compile_path(path)[0])
            for (path, _), (operation, handler) in operations.items()
        ]
        self._problems = problems
        self._reader = reader
        self._limiter = limiter
        self._admission = admission
        self._cross_origin = cross_origin
        self._context = context

    def has(self, path: str) -> bool:
        """Return whether an operation has a path."""
        return any(route.path.fullmatch(path) for route in self._routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request. Whatever fails, the client gets a problem document with a correlation id."""
        request = Request(scope, receive)
        correlation = correlation_id(request.headers.get("traceparent"), self._context.random_bytes)
        started, trace = time.monotonic(), _RequestTrace()
        try:
            response = await self._respond(request, trace)
        except ClientDisconnect:
            raise
        except Exception as error:  # noqa: BLE001 - the client gets a problem document whatever breaks
            response = self._problem_response(problem_for_error(error, correlation), correlation)
        response.headers["X-Correlation-Id"] = correlation
        self._cross_origin.add_headers(response.headers, request.headers)
        self._observe(
            ServedRequest(
                method=request.method,
                path=ascii(request_path(request))[1:-1],
                operation=trace.operation,
                account=trace.account,
                status=response.status_code,
                duration_s=time.monotonic() - started,
                correlation_id=correlation,
            )
        )
        await response(scope, receive, send)

    async def _respond(self, request: Request, trace: _RequestTrace) -> Response:
        refuse_invalid_host(request)
        path = request_path(request)
        routes = [route for route in self._routes if route.path.fullmatch(path)]
        if not routes:
            raise RequestRefused(ProblemKind.NOT_FOUND, f"No operation has the path {ascii(path)[:300]}.")
        methods = _allowed_methods(routes)
        if request.method == "OPTIONS":
            preflight_headers = self._cross_origin.preflight(request.headers, methods)
            return Response(status_code=204, headers={"Allow": ", ".join(methods), **preflight_headers})
        method = "GET" if request.method == "HEAD" else request.method
        route = next((route for route in routes if route.operation.method.upper() == method), None)
        if route is None:
            raise method_not_allowed(request, methods)
        trace.operation = route.operation.id
        grant = await self._admission.grant_for(route.operation, request)
        trace.account = grant.account if route.operation.security else None
        decision = await self._limiter.take(
            grant.account,
            _quota_group(route.operation),
            self._context.real_clock(),
            address=client_address(request).quota_key,
        )
        if not decision.is_allowed:
            raise rate_limit_exceeded(decision)
        reply = await self._run_operation(route, grant, request)
        if reply.delay_s:
            await delay_response(request, reply.delay_s, self._sleep)
        return _json_response(reply, {**decision.headers(), **reply.headers})

    async def _run_operation(self, route: OperationRoute, grant: Grant, request: Request) -> SuccessResponse:
        operation = route.operation
        self._reader.refuse_unacceptable(operation, request)
        parameters = self._reader.parameters
        matched = route.path.fullmatch(request_path(request))
        call = OperationRequest(
            operation=operation,
            grant=grant,
            path=parameters.path(operation, matched.groupdict() if matched is not None else {}),
            query=parameters.query(operation, request.query_params.multi_items()),
            headers=self._reader.headers(operation, request),
            body=await self._reader.body(operation, request),
        )
        with hold_idempotency_key(call, self._context):
            return await self._context.database.run(
                lambda: route.handler(call, self._context.with_frozen_clock()),
                writes=operation.method != "GET" and not self._is_long_running,
            )

    def _problem_response(self, refusal: RequestRefused, correlation: str) -> Response:
        problem = self._problems.problem(refusal.kind, refusal.detail, refusal.errors)
        return Response(
            _json_bytes(problem.document(correlation)),
            status_code=problem.type.status,
            media_type=PROBLEM_MEDIA_TYPE,
            headers=refusal.headers,
        )


def _quota_group(operation: Operation) -> str:
    """Return the group whose quota a request counts against: the operation's first tag."""
    return operation.tags[0] if operation.tags else operation.id


def _allowed_methods(routes: Iterable[OperationRoute]) -> list[str]:
    """Return the methods for `Allow`: HEAD comes with GET (RFC 9110 §9.1), and OPTIONS always."""
    declared = {route.operation.method.upper() for route in routes}
    return sorted(declared | {"OPTIONS"} | ({"HEAD"} if "GET" in declared else set()))


def _json_response(reply: SuccessResponse, headers: Mapping[str, str]) -> Response:
    if reply.body is None:
        return Response(status_code=reply.status, headers=dict(headers))
    return Response(
        _json_bytes(reply.body),
        status_code=reply.status,
        media_type="application/json",
        headers=dict(headers),
    )


def _json_bytes(value: Any) -> bytes:
    """Return JSON text with a final newline: it is read in terminals too."""
    return f"{json.dumps(value, ensure_ascii=False)}\n".encode("utf-8", "replace")
