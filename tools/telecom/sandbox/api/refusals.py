"""Problem documents for requests that match no operation, or cannot be parsed at all."""

import json
import logging
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request

from devportal.serving.http_protocol import RawHeaders, WriteRefusal
from telecom.problems import PROBLEM_MEDIA_TYPE, ProblemKind, ProblemRegistry
from telecom.sandbox.api.cross_origin import CrossOrigin
from telecom.sandbox.api.exchange import RequestRefused
from telecom.sandbox.api.identifiers import RandomBytes, correlation_id
from telecom.sandbox.api.rate_limit import RateLimitDecision
from telecom.sandbox.database.database import is_busy
from telecom.sandbox.database.storage_failures import storage_failure

RETRY_AFTER_S = 5
_LOG = logging.getLogger("telecom.sandbox")


def method_not_allowed(request: Request, methods: Sequence[str]) -> RequestRefused:
    """Return the refusal (405) of a method that a path does not have (RFC 9110 §15.5.6)."""
    allowed = ", ".join(methods)
    method = ascii(request.method)[1:-1][:40]
    return RequestRefused(
        ProblemKind.METHOD_NOT_ALLOWED,
        f"This path does not have the method {method}. The Allow header lists those that it has.",
        headers={"Allow": allowed},
    )


def rate_limit_exceeded(decision: RateLimitDecision) -> RequestRefused:
    """Return the refusal (429) of a request beyond the quota."""
    limit = decision.limit
    return RequestRefused(
        ProblemKind.RATE_LIMIT_EXCEEDED,
        f"The quota of this API, {limit.quota} requests in {limit.window_s} seconds, is used up. "
        f"Wait for {decision.reset_s} seconds.",
        headers=decision.headers(),
    )


def problem_for_error(error: Exception, correlation: str) -> RequestRefused:
    """Return the refusal that the client gets for an error; an unexpected error is logged."""
    if isinstance(error, RequestRefused):
        return error
    if storage_failure(error) is not None:  # logged once, by the database
        return _service_unavailable("The service cannot reach its data now.")
    if is_busy(error):
        _LOG.warning("the database is busy, correlation id %s", correlation)
        return _service_unavailable("The service is overloaded.")
    _LOG.error("a request failed, correlation id %s", correlation, exc_info=error)
    return RequestRefused(
        ProblemKind.INTERNAL_ERROR,
        "An unexpected error stopped this request. Quote the correlation identifier to support.",
    )


def _service_unavailable(reason: str) -> RequestRefused:
    """Return the refusal (503) of a request that may succeed later."""
    return RequestRefused(
        ProblemKind.SERVICE_UNAVAILABLE,
        f"{reason} Wait for {RETRY_AFTER_S} seconds.",
        headers={"Retry-After": str(RETRY_AFTER_S)},
    )


def problem_writer(
    problems: ProblemRegistry, cross_origin: CrossOrigin, random_bytes: RandomBytes
) -> WriteRefusal:
    """Return the function that makes such responses, with the same headers for other origins as all
    responses."""

    def write_problem(status: HTTPStatus, detail: str, request_headers: RawHeaders) -> bytes:
        correlation = correlation_id(None, random_bytes)
        _LOG.info("unreadable request %d, correlation id %s", status, correlation)
        headers = MutableHeaders({"X-Correlation-Id": correlation, "Connection": "close"})
        cross_origin.add_headers(headers, Headers(raw=list(request_headers)))
        return _raw_response(status, _problem_document(problems, status, detail, correlation), headers)

    return write_problem


def _problem_document(
    problems: ProblemRegistry, status: HTTPStatus, detail: str, correlation: str
) -> dict[str, Any]:
    """Return the problem document; one that adds nothing to its status has no type (RFC 9457 §4.2.1)."""
    if status is HTTPStatus.BAD_REQUEST:
        return problems.problem(ProblemKind.MALFORMED_REQUEST, detail).document(correlation)
    title = {"type": "about:blank", "title": status.phrase, "status": status.value}
    return {**title, "detail": detail, "correlation_id": correlation}


def _raw_response(status: HTTPStatus, document: dict[str, Any], headers: MutableHeaders) -> bytes:
    body = f"{json.dumps(document)}\n".encode()
    headers["Content-Type"], headers["Content-Length"] = PROBLEM_MEDIA_TYPE, str(len(body))
    head = b"".join(b"%s: %s\r\n" % header for header in headers.raw)
    return f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode("ascii") + head + b"\r\n" + body
