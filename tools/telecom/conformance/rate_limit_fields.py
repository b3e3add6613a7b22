"""Do the rate limit fields agree, and is the Retry-After of a refusal correct?"""

import re
from collections.abc import Iterator, Mapping

from devportal.conformance.deployment.exchange import Exchange, HttpResponse
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation
from telecom.conformance.sending import response_failure

_ITEM = re.compile(r'"([^"]*)"((?:;[a-z]+=[^;,]+)*)')
TOO_MANY_REQUESTS = 429


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each response whose fields contradict each other."""
    for exchange in exchanges:
        operation = subject.operation(exchange.operation)
        if operation is None or exchange.answer is None:
            continue
        for title, message in _contradictions(exchange.answer):
            yield response_failure(operation, title, message, exchange)


def _contradictions(response: HttpResponse) -> Iterator[tuple[str, str]]:
    limits, policies = (
        parse_field(response.header("ratelimit")),
        parse_field(response.header("ratelimit-policy")),
    )
    for name, limit in limits.items():
        policy = policies.get(name, {})
        if policies and name not in policies:
            yield "a rate limit without its policy", f"{name!r} is not in RateLimit-Policy"
        if limit.get("r", 0) > policy.get("q", limit.get("r", 0)):
            yield "more remains than the quota", f"r={limit['r']} of q={policy['q']}"
        if limit.get("t", 0) > policy.get("w", limit.get("t", 0)):
            yield "a window longer than its policy", f"t={limit['t']} of w={policy['w']}"
        retry_after = response.header("retry-after") or ""
        if (
            response.status == TOO_MANY_REQUESTS
            and retry_after.isdigit()
            and int(retry_after) < limit.get("t", 0)
            and not limit.get("r")
        ):
            yield "Retry-After is too early", f"Retry-After: {retry_after}, and t={limit['t']}"


def parse_field(field: str | None) -> Mapping[str, Mapping[str, int]]:
    """Return the items of a field with their whole numbers; what cannot be read is ignored, as clients do
    (draft-ietf-httpapi-ratelimit-headers-10 §4)."""
    return {
        name: {
            key: int(value)
            for key, _, value in (part.partition("=") for part in parameters.split(";") if part)
            if value.isdigit()
        }
        for name, parameters in _ITEM.findall(field or "")
    }


def has_rate_limit(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a response of an operation has rate limit fields."""
    is_tested = subject.operation(exchange.operation) is not None
    return is_tested and exchange.answer is not None and bool(exchange.answer.header("ratelimit"))


def documents_rate_limit(operation: Operation) -> bool:
    """Return whether the contract documents the field RateLimit for an operation."""
    headers = (header for response in operation.responses for header in response.headers)
    return any(header.name.lower() == "ratelimit" for header in headers)


FAMILY = Family(
    name="rate-limit-fields",
    summary="rate limit headers are consistent",
    words=CheckDescription(
        promise="The remaining quota never exceeds the quota, its window ends within the policy's window, and"
        " Retry-After does not end before it.",
        test="RateLimit, RateLimit-Policy and Retry-After of every response are compared.",
        remedy="Write all three from one decision.",
        sources=("draft-ietf-httpapi-ratelimit-headers-10 §3, §4",),
    ),
    needs="a response with the header `RateLimit`",
    sees=find_failures,
    compares=has_rate_limit,
    lacks=lambda subject: (
        "" if any(map(documents_rate_limit, subject.operations)) else "an operation that documents RateLimit"
    ),
)
