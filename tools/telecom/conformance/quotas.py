"""Are requests counted as the rate limit fields tell? Every answer counts one down."""

import time
from collections.abc import Iterator
from functools import partial

from devportal.conformance.exchange import Request
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.subject import Subject, label
from devportal.contract import Operation
from telecom.conformance.quota import Reading, miscounts, reading_of
from telecom.conformance.rate_limit_fields import tells_limits
from telecom.conformance.sending import fault

REQUESTS = 6


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each API: the first operation of a tag that only reads."""
    for operation in readers(subject):
        yield Probe(operation=label(operation), run=partial(_counted, subject, operation))


def readers(subject: Subject) -> tuple[Operation, ...]:
    """Return for each tag the first operation that only reads, needs no thing, and tells limits."""
    found: dict[tuple[str, ...], Operation] = {}
    for one in subject.operations:
        if one.method == "GET" and "{" not in one.path and tells_limits(one):
            found.setdefault(tuple(one.tags), one)
    return tuple(found.values())


def asked(operation: Operation, request: Request, send: Send) -> Reading | None:
    """Send a request, and nothing again where it is refused; return what the answer says."""
    began = time.monotonic()
    # At once, and not one after the other: a refusal is to be seen, and not to be waited for.
    (exchange,) = send.at_once(operation, [request])
    return reading_of(exchange, sent_s=began, came_s=time.monotonic())


def _counted(subject: Subject, operation: Operation, send: Send) -> Iterator[Fault]:
    request = subject.valid(operation)
    if request is None:
        raise Unsendable("there is no valid request")
    readings = [one for _ in range(REQUESTS) if (one := asked(operation, request, send)) is not None]
    if len(readings) < REQUESTS:
        raise Unsendable("not every answer tells limits")
    for wrong in miscounts(readings):
        yield fault(operation, wrong.title, wrong.message, readings[0].exchange, wrong.reading.exchange)


FAMILY = Family(
    name="request-quotas",
    summary="each request counts one down",
    words=Words(
        promise="Within a window each request takes one from what remains, and the quota is the same in each "
        "answer.",
        test=f"Of each group of operations one that reads is asked {REQUESTS} times in a row.",
        remedy="Count each request once, in one place, and write the fields from what that returns.",
        sources=("draft-ietf-httpapi-ratelimit-headers-10 §3, §4", "service.md, Limits 4"),
    ),
    probes=probes,
    lacks=lambda subject: "" if readers(subject) else "an operation that reads and documents RateLimit",
    about_state=True,
)
