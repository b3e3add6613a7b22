"""Operation × time: 95 of 100 responses come within the time that the settings allow."""

from collections.abc import Iterator
from functools import partial
from math import ceil

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import Operation

FIRST_REQUESTS = 20
"""How many requests each operation gets."""
MORE_REQUESTS = 40
"""How many more it gets if one of the first responses is late: a slow tail needs more to be seen."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that can be repeated; none without a declared limit."""
    limit_ms = subject.slowest_p95_ms
    for operation in subject.operations if limit_ms is not None else ():
        request = subject.valid(operation)
        if request is not None and operation.method != "DELETE":
            yield Probe(
                operation=operation_label(operation),
                run=partial(_check_latency, operation, request, limit_ms or 0.0),
            )


def _check_latency(
    operation: Operation, request: Request, limit_ms: float, send: Send
) -> Iterator[CheckFailure]:
    exchanges = [send(operation, request) for _ in range(FIRST_REQUESTS)]
    if any(_elapsed_ms(one) > limit_ms for one in exchanges):
        exchanges += [send(operation, request) for _ in range(MORE_REQUESTS)]
    ranked = sorted(exchanges, key=_elapsed_ms)
    at = ranked[ceil(len(ranked) * 0.95) - 1]
    if _elapsed_ms(at) > limit_ms:
        late = sum(_elapsed_ms(one) > limit_ms for one in exchanges)
        yield CheckFailure(
            title="responses arrive too late",
            message=f"the 95th percentile is {_elapsed_ms(at):.0f} ms; {limit_ms:g} ms are allowed "
            f"({late} of {len(exchanges)} responses took longer)",
            operation=operation_label(operation),
            promise=operation.location,
            evidence=(at,),
        )


def _elapsed_ms(exchange: Exchange) -> float:
    """Return the response time in milliseconds; 0 without a response, which another family reports."""
    return exchange.answer.elapsed_s * 1000 if exchange.answer is not None else 0.0


FAMILY = Family(
    name="latency",
    summary="responses arrive in time",
    words=CheckDescription(
        promise="At least 95 of 100 responses of an operation arrive within the time in the settings (`latency: "
        "{p95_ms: …}`). Without this setting nothing is tested.",
        test="Each operation receives 20 valid requests in sequence, and 40 more if a response is late. "
        "All of them are repeated once before the run fails.",
        remedy="Find out what the slow responses have in common: a cold cache, a lock, a missing index.",
    ),
    needs="an operation that can be repeated",
    probes=probes,
    lacks=lambda subject: (
        ""
        if subject.slowest_p95_ms is not None
        else "a limit: write `latency: {p95_ms: 500}` into the settings"
    ),
)
