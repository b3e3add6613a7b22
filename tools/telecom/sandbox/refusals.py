"""Refusals of requests that have nothing to do with any one operation."""

import logging
from collections.abc import Sequence

from starlette.requests import Request

from telecom.problems import Kind
from telecom.sandbox.database import is_busy
from telecom.sandbox.exchange import Refused
from telecom.sandbox.limits import Decision
from telecom.sandbox.storage_failures import storage_failure

RETRY_AFTER_S = 5
_LOG = logging.getLogger("telecom.sandbox")


def method_not_allowed(request: Request, methods: Sequence[str]) -> Refused:
    """Return the refusal (405) of a method that a path does not have (RFC 9110 §15.5.6)."""
    allowed = ", ".join(methods)
    method = ascii(request.method)[1:-1][:40]
    return Refused(
        Kind.METHOD_NOT_ALLOWED,
        f"This path does not have the method {method}. The Allow header lists those that it has.",
        headers={"Allow": allowed},
    )


def over_limit(decision: Decision) -> Refused:
    """Return the refusal (429) of one request more than the quota has."""
    limit = decision.limit
    return Refused(
        Kind.RATE_LIMIT_EXCEEDED,
        f"The quota of this API, {limit.quota} requests in {limit.window_s} seconds, is used up. "
        f"Wait for {decision.reset_s} seconds.",
        headers=decision.headers(),
    )


def refused(error: Exception, correlation: str) -> Refused:
    """Return what the client is told about an error; one that nobody meant to raise goes to the log."""
    if isinstance(error, Refused):
        return error
    if storage_failure(error) is not None:  # logged once, by the database
        return _unavailable("The service cannot reach its data now.")
    if is_busy(error):
        _LOG.warning("the database is busy, correlation id %s", correlation)
        return _unavailable("The service is overloaded.")
    _LOG.error("a request failed, correlation id %s", correlation, exc_info=error)
    return Refused(
        Kind.INTERNAL_ERROR,
        "An unexpected fault stopped this request. Quote the correlation identifier to support.",
    )


def _unavailable(why: str) -> Refused:
    """Return the refusal (503) of what may succeed later."""
    return Refused(
        Kind.SERVICE_UNAVAILABLE,
        f"{why} Wait for {RETRY_AFTER_S} seconds.",
        headers={"Retry-After": str(RETRY_AFTER_S)},
    )
