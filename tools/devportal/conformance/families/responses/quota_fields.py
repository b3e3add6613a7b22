"""The quota that responses state is possible: `RateLimit-Limit`, `-Remaining` and `-Reset`."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import pairwise

from devportal.conformance.deployment.exchange import Exchange, HttpResponse
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.subject import Subject

PREFIXES = ("ratelimit-", "x-ratelimit-", "x-rate-limit-")
EPOCH = 10**9
"""A number of seconds above this is a time, and no duration."""
_WHOLE = re.compile(r"\s*(-?\d+)")


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield the first failure of each kind for each operation."""
    reported: set[tuple[str, str]] = set()
    for exchange in exchanges:
        operation = subject.operation(exchange.operation)
        if operation is None or exchange.answer is None:
            continue
        for title, message in _contradictions(exchange.answer):
            if (exchange.operation, title) not in reported:
                reported.add((exchange.operation, title))
                yield CheckFailure(
                    title=title,
                    message=message,
                    operation=exchange.operation,
                    promise=response_location(operation, exchange),
                    evidence=(exchange,),
                )
    yield from _ignored_quotas(subject, exchanges)


def states_quota(_: Subject, exchange: Exchange) -> bool:
    """Return whether a response states a quota."""
    headers = exchange.answer.headers if exchange.answer is not None else ()
    return any(name.lower().startswith((*PREFIXES, "retry-after")) for name, _ in headers)


def _contradictions(response: HttpResponse) -> Iterator[tuple[str, str]]:
    if (problem := _wrong_retry_after(response)) is not None:
        yield problem
    for prefix in PREFIXES:
        limit, remaining, reset = (
            _number(response, prefix, name) for name in ("limit", "remaining", "reset")
        )
        if limit is not None and remaining is not None and remaining > limit:
            yield "more requests remain than the limit allows", f"{remaining} remain of {limit}"
        for name, value in (("remaining", remaining), ("reset", reset)):
            if value is not None and value < 0:
                yield f"{prefix}{name} is negative", f"it is {value}"
        if prefix == PREFIXES[0] and reset is not None and reset > EPOCH:
            message = f"RateLimit-Reset is {reset}; it is a number of seconds from now"
            yield "RateLimit-Reset is not a duration", message


def _wrong_retry_after(response: HttpResponse) -> tuple[str, str] | None:
    """Return what is wrong with `Retry-After`: it is seconds or a time to come (RFC 9110 §10.2.3)."""
    text = response.header("retry-after")
    if text is None or (text.isascii() and text.isdigit()):
        return None
    moment, now = _http_time(text), _http_time(response.header("date") or "")
    if moment is None:
        return "Retry-After is neither seconds nor a time", f"it is {text!r}"
    if now is not None and moment < now:
        return "Retry-After is in the past", f"it is {text}, and the response is of {response.header('date')}"
    return None


def _http_time(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _ignored_quotas(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for the first three successes in a row that say that no request remains: the first may
    be the last that is allowed.
    """
    sent = sorted(
        (exchange for exchange in exchanges if exchange.sent_at), key=lambda exchange: exchange.sent_at
    )
    for (first, second), (_, third) in pairwise(pairwise(sent)):
        evidence = (first, second, third)
        operation = subject.operation(third.operation)
        if operation is not None and all(map(_is_served_without_quota, evidence)):
            yield CheckFailure(
                title="requests succeed although none remains",
                message="three responses in a row are successful and say that no request remains",
                operation=third.operation,
                promise=response_location(operation, third),
                evidence=evidence,
            )
            return


def _is_served_without_quota(exchange: Exchange) -> bool:
    response = exchange.answer
    return (
        response is not None
        and response.is_success
        and any(
            _number(response, prefix, "remaining") == 0 and _number(response, prefix, "reset") != 0
            for prefix in PREFIXES
        )
    )


def _number(response: HttpResponse, prefix: str, name: str) -> int | None:
    """Return the whole number at the beginning of a field: more may follow, as in `100, 100;w=60`."""
    found = _WHOLE.match(response.header(prefix + name) or "")
    return int(found[1]) if found is not None else None


FAMILY = Family(
    name="quota-fields",
    summary="stated quotas are possible",
    words=CheckDescription(
        promise="No more requests remain than the limit allows, none of the numbers is negative, and a client "
        "with no remaining request is not served.",
        test="`RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` of all responses are compared, with "
        "`X-` in front too. `RateLimit-Reset` is a number of seconds; `X-RateLimit-Reset` may be a time. Three "
        "successes in a row that say that no request remains are a failure. `Retry-After` is a number of seconds, "
        "or a time after that in `Date`.",
        remedy="Write all fields from the decision that admits the request.",
        sources=("draft-ietf-httpapi-ratelimit-headers-03 §3", "RFC 9110 §10.2.3"),
    ),
    needs="a response with `RateLimit-Remaining`, `X-RateLimit-Remaining` or `Retry-After`",
    sees=find_failures,
    compares=states_quota,
)
