"""How grave a failure is, which orders the failures of a report."""

from enum import StrEnum

from devportal.conformance.results.result import Failure
from devportal.conformance.results.wording import VALUE_CHANGED


class Gravity(StrEnum):
    """The gravity of a failure, the gravest first."""

    SERIOUS = "serious"
    """Server errors, and data that is lost or shown to others."""
    WRONG_DATA = "wrong-data"
    MISSING_REFUSAL = "missing-refusal"
    HEADERS = "headers"
    PEDANTIC = "pedantic"
    """An unusual request that hardly any client sends."""


GRAVITY_ORDER = tuple(Gravity)
_SERIOUS_CHECKS = frozenset(
    {
        "answers",
        "authentication",
        "changed-things",
        "created-things",
        "deleted-things",
        "ensure_resource_availability",
        "expired-credentials",
        "idempotency",
        "idempotency-tenants",
        "ignored_auth",
        "not_a_server_error",
        "object_level_authorization",
        "permissions",
        "some-success",
        "steadiness",
        "tenants",
        "use_after_free",
        "whole-run",
    }
)
_REFUSAL_CHECKS = frozenset(
    {
        "accept",
        "boundary-values",
        "json-types",
        "media-types",
        "methods",
        "missing_required_header",
        "negative_data_rejection",
        "odd-bodies",
        "odd-parameters",
        "preconditions",
        "query-parameters",
        "unknown-ids",
        "unsupported_method",
        "whitespace",
    }
)
_HEADER_CHECKS = frozenset(
    {
        "content_type_conformance",
        "correlation",
        "head",
        "private-caching",
        "quota-fields",
        "rate-limit-fields",
        "response_headers_conformance",
        "undocumented-parts",
    }
)


def failure_gravity(failure: Failure) -> Gravity:
    """Return the gravity of a failure: of all that it joins, the gravest."""
    return min((_own_gravity(member) for member in failure.members), key=GRAVITY_ORDER.index)


def _own_gravity(failure: Failure) -> Gravity:
    if failure.is_pedantic:
        return Gravity.PEDANTIC
    if failure.exchange is not None and (failure.exchange.status >= 500 or not failure.exchange.status):
        return Gravity.SERIOUS
    if failure.title == VALUE_CHANGED:
        return Gravity.WRONG_DATA
    if failure.check in _HEADER_CHECKS or _is_about_header(failure):
        return Gravity.HEADERS
    if failure.check in _SERIOUS_CHECKS:
        return Gravity.SERIOUS
    is_refused = failure.exchange is not None and failure.exchange.status >= 400
    return (
        Gravity.MISSING_REFUSAL if failure.check in _REFUSAL_CHECKS and not is_refused else Gravity.WRONG_DATA
    )


def _is_about_header(failure: Failure) -> bool:
    """Return whether a failure of a check of several parts is about a header only."""
    titles = ("a documented header is missing or wrong", "undocumented media type")
    is_response = failure.check == "documented-responses" and failure.title.endswith(titles)
    return is_response or (failure.check == "authentication" and failure.title.startswith("a 401 "))
