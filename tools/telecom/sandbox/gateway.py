"""The HTTP side of the sandbox: from an ASGI request to an operation and back, as RFC 9110 asks."""

import json
import logging
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import Receive, Scope, Send

from devportal.contract import Operation
from telecom.problems import MEDIA_TYPE, Kind, ProblemRegistry
from telecom.sandbox.callers import caller_of
from telecom.sandbox.cross_origin import CrossOrigin
from telecom.sandbox.database import is_busy
from telecom.sandbox.exchange import Call, Refused, Reply
from telecom.sandbox.identifiers import correlation_id
from telecom.sandbox.keyring import Keyring
from telecom.sandbox.limits import Decision, Limiter
from telecom.sandbox.operations import Handler, Resources, under_way
from telecom.sandbox.reading import RequestReader
from telecom.sandbox.served import Observe, Served
from telecom.sandbox.target import path_of, refuse_faulty_host
from telecom.sandbox.tokens import Grant, bearer_token

_LOG = logging.getLogger("telecom.sandbox")
_ANYBODY = "anybody at"
"""What accounts of requests without a token are called; no account of a token has a space."""
_REALM = 'Bearer realm="sandbox"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An operation with its handler, and the pattern of its path, whose groups are the path parameters."""

    operation: Operation
    handler: Handler
    path: re.Pattern[str]


@dataclass(slots=True)
class _Trail:
    """What came out about a request so far, for who observes."""

    operation: str | None = None
    account: str | None = None


class Gateway:
    """Finds the operation, checks token, scope, quota and request, calls the handler, writes the answer."""

    def __init__(
        self,
        operations: Mapping[tuple[str, str], tuple[Operation, Handler]],
        *,
        problems: ProblemRegistry,
        reader: RequestReader,
        limiter: Limiter,
        keyring: Keyring,
        cross_origin: CrossOrigin,
        resources: Resources,
        observe: Observe,
        takes_long: bool = False,
    ) -> None:
        """Take the bound operations and everything that serves them; where they can take long, they do not
        share transactions with others. Each request that was answered is observed."""
        self._observe = observe
        self._takes_long = takes_long
        self._endpoints = [
            Endpoint(operation=operation, handler=handler, path=compile_path(path)[0])
            for (path, _), (operation, handler) in operations.items()
        ]
        self._problems = problems
        self._reader = reader
        self._limiter = limiter
        self._keyring = keyring
        self._cross_origin = cross_origin
        self._resources = resources

    def has(self, path: str) -> bool:
        """Say whether an operation has a path."""
        return any(endpoint.path.fullmatch(path) for endpoint in self._endpoints)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. Whatever fails, the client gets a problem document with a correlation id."""
        request = Request(scope, receive)
        correlation = correlation_id(request.headers.get("traceparent"), self._resources.random_bytes)
        started, trail = time.monotonic(), _Trail()
        try:
            response = await self._answer(request, trail)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - the client gets a problem document whatever breaks
            response = self._refusal(_refused(error, correlation), correlation)
        response.headers["X-Correlation-Id"] = correlation
        self._cross_origin.mark(response.headers, request.headers)
        self._observe(
            Served(
                method=request.method,
                path=ascii(path_of(request))[1:-1],
                operation=trail.operation,
                account=trail.account,
                status=response.status_code,
                duration_s=time.monotonic() - started,
                correlation_id=correlation,
            )
        )
        await response(scope, receive, send)

    async def _answer(self, request: Request, trail: _Trail) -> Response:
        refuse_faulty_host(request)
        path = path_of(request)
        endpoints = [endpoint for endpoint in self._endpoints if endpoint.path.fullmatch(path)]
        if not endpoints:
            raise Refused(Kind.NOT_FOUND, f"No operation has the path {ascii(path)[:300]}.")
        methods = _methods(endpoints)
        if request.method == "OPTIONS":
            told = self._cross_origin.preflight(request.headers, methods)
            return Response(status_code=204, headers={"Allow": ", ".join(methods), **told})
        asked = "GET" if request.method == "HEAD" else request.method
        endpoint = next((one for one in endpoints if one.operation.method.upper() == asked), None)
        if endpoint is None:
            raise _method_not_allowed(request, methods)
        trail.operation = endpoint.operation.id
        grant = await self._granted(endpoint.operation, request)
        trail.account = grant.account if endpoint.operation.security else None
        decision = self._limiter.take(
            grant.account,
            _api_of(endpoint.operation),
            self._resources.real_clock(),
            address=_client(request),
        )
        if not decision.allowed:
            raise _over_limit(decision)
        reply = await self._carried_out(endpoint, grant, request)
        return _json_response(reply, {**decision.headers(), **reply.headers})

    async def _carried_out(self, endpoint: Endpoint, grant: Grant, request: Request) -> Reply:
        operation = endpoint.operation
        self._reader.refuse_unacceptable(operation, request)
        parameters = self._reader.parameters
        matched = endpoint.path.fullmatch(path_of(request))
        call = Call(
            operation=operation,
            grant=grant,
            path=parameters.path(operation, matched.groupdict() if matched is not None else {}),
            query=parameters.query(operation, request.query_params.multi_items()),
            headers=self._reader.headers(operation, request),
            body=await self._reader.body(operation, request),
        )
        with under_way(call, self._resources):
            return await self._resources.database.run(
                lambda: endpoint.handler(call, self._resources.at_one_time()),
                writes=operation.method != "GET" and not self._takes_long,
            )

    async def _granted(self, operation: Operation, request: Request) -> Grant:
        """Return what the token grants, or what anybody may; raises Refused (401, 403)."""
        if not operation.security:
            return Grant(account=f"{_ANYBODY} {_client(request)}", scopes=frozenset())
        written = request.headers.getlist("authorization")
        if not written:
            raise Refused(
                Kind.UNAUTHENTICATED,
                'The request has no token. Send it as "Authorization: Bearer <API_KEY>".',
                headers={"WWW-Authenticate": _REALM},
            )
        text = bearer_token(written[0]) if len(written) == 1 else None
        grant = await self._keyring.grant(text, caller_of(request)) if text is not None else None
        if grant is None:
            raise Refused(
                Kind.UNAUTHENTICATED,
                "The token is not valid here and now. Unless it was given tokens, the sandbox makes a new "
                "one at each start; see what it printed then. An issued token can have expired, be revoked, "
                "or be good from other addresses only.",
                headers={"WWW-Authenticate": f'{_REALM}, error="invalid_token"'},
            )
        missing = [scope for scope in operation.scopes if scope not in grant.scopes]
        if missing:
            raise _insufficient_scope(missing, operation)
        return grant

    def _refusal(self, refused: Refused, correlation: str) -> Response:
        problem = self._problems.problem(refused.kind, refused.detail, refused.faults)
        return Response(
            _json(problem.document(correlation)),
            status_code=problem.type.status,
            media_type=MEDIA_TYPE,
            headers=refused.headers,
        )


def _client(request: Request) -> str:
    """Return the address of who asks, by which requests without a token are counted."""
    return request.client.host if request.client is not None else "unknown"


def _api_of(operation: Operation) -> str:
    """Return the group of operations whose quota a request is counted against: the operation's first tag."""
    return operation.tags[0] if operation.tags else operation.id


def _methods(endpoints: Iterable[Endpoint]) -> list[str]:
    """Return what `Allow` lists: HEAD comes with GET (RFC 9110 §9.1), and OPTIONS is everywhere."""
    declared = {endpoint.operation.method.upper() for endpoint in endpoints}
    return sorted(declared | {"OPTIONS"} | ({"HEAD"} if "GET" in declared else set()))


def _json_response(reply: Reply, headers: Mapping[str, str]) -> Response:
    if reply.body is None:
        return Response(status_code=reply.status, headers=dict(headers))
    return Response(
        _json(reply.body), status_code=reply.status, media_type="application/json", headers=dict(headers)
    )


def _json(value: Any) -> bytes:
    """Return JSON text that ends its line: it is read in terminals too."""
    return f"{json.dumps(value, ensure_ascii=False)}\n".encode("utf-8", "replace")


def _method_not_allowed(request: Request, methods: list[str]) -> Refused:
    allowed = ", ".join(methods)
    method = ascii(request.method)[1:-1][:40]
    return Refused(
        Kind.METHOD_NOT_ALLOWED,
        f"This path does not have the method {method}. The Allow header lists those that it has.",
        headers={"Allow": allowed},
    )


def _insufficient_scope(missing: list[str], operation: Operation) -> Refused:
    needed = " ".join(operation.scopes)
    return Refused(
        Kind.INSUFFICIENT_SCOPE,
        f"This operation needs the scope {' and '.join(missing)}, which the token does not grant.",
        headers={"WWW-Authenticate": f'{_REALM}, error="insufficient_scope", scope="{needed}"'},
    )


def _over_limit(decision: Decision) -> Refused:
    limit = decision.limit
    return Refused(
        Kind.RATE_LIMIT_EXCEEDED,
        f"The quota of this API, {limit.quota} requests in {limit.window_s} seconds, is used up. "
        f"Wait for {decision.reset_s} seconds.",
        headers=decision.headers(),
    )


def _refused(error: Exception, correlation: str) -> Refused:
    """Return what the client is told about an error; one that nobody meant to raise goes to the log."""
    if isinstance(error, Refused):
        return error
    if is_busy(error):
        _LOG.warning("the database is busy, correlation id %s", correlation)
        return Refused(
            Kind.SERVICE_UNAVAILABLE,
            "The service is overloaded. Wait for 5 seconds.",
            headers={"Retry-After": "5"},
        )
    _LOG.error("a request failed, correlation id %s", correlation, exc_info=error)
    return Refused(
        Kind.INTERNAL_ERROR,
        "An unexpected fault stopped this request. Quote the correlation identifier to support.",
    )
