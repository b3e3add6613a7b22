"""Are requests counted as the rate limit fields say? Each response must count one down."""

import time
from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from telecom.conformance.quota import QuotaReading, parse_quota, quota_count_mismatches
from telecom.conformance.rate_limit_fields import documents_rate_limit
from telecom.conformance.sending import response_failure

REQUESTS_PER_API = 6


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each API: the first operation of a tag that only reads."""
    for operation in reading_operations(subject):
        yield Probe(operation=operation_label(operation), run=partial(_check_countdown, subject, operation))


def reading_operations(subject: Subject) -> tuple[Operation, ...]:
    """Return for each tag the first operation that only reads, needs no path parameter, and documents rate
    limits."""
    by_tags: dict[tuple[str, ...], Operation] = {}
    for operation in subject.operations:
        if operation.method == "GET" and "{" not in operation.path and documents_rate_limit(operation):
            by_tags.setdefault(tuple(operation.tags), operation)
    return tuple(by_tags.values())


def read_quota(operation: Operation, request: Request, send: Send) -> QuotaReading | None:
    """Send a request, without a retry if it is refused, and return the fields of the response."""
    sent_s = time.monotonic()
    # `at_once` does not wait after a 429: the refusal itself is read.
    (exchange,) = send.at_once(operation, [request])
    return parse_quota(exchange, sent_s=sent_s, received_s=time.monotonic())


def _check_countdown(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    request = subject.valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    readings = [
        one for _ in range(REQUESTS_PER_API) if (one := read_quota(operation, request, send)) is not None
    ]
    if len(readings) < REQUESTS_PER_API:
        raise Unsendable("rate limit headers in every response")
    for mismatch in quota_count_mismatches(readings):
        yield response_failure(
            operation, mismatch.title, mismatch.message, readings[0].exchange, mismatch.reading.exchange
        )


FAMILY = Family(
    name="request-quotas",
    summary="each request counts once",
    words=CheckDescription(
        promise="Within a window each request reduces the remaining quota by one, and every response shows "
        "the same quota.",
        test=f"Of each group of operations one that reads is asked {REQUESTS_PER_API} times in a row.",
        remedy="Count each request once, in one place, and write the headers from the result.",
        sources=("draft-ietf-httpapi-ratelimit-headers-10 §3, §4", "service.md, Limits 4"),
    ),
    probes=probes,
    lacks=lambda subject: (
        "" if reading_operations(subject) else "an operation that reads and documents RateLimit"
    ),
    about_state=True,
)
