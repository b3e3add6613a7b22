"""Operation × percentile: do responses come within the time that the settings allow?"""

from collections.abc import Iterator
from functools import partial
from math import ceil

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.expectations import Percentiles
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation

FIRST_REQUESTS = 20
"""How many requests each operation gets."""
MORE_REQUESTS = 40
"""How many more it gets if one of the first responses is late: a slow tail needs more to be seen."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that can be repeated; none without a declared limit."""
    for operation in subject.operations:
        limits = subject.latency.of(operation)
        request = subject.valid(operation) if limits else None
        if request is not None and operation.method != "DELETE":
            yield Probe(
                operation=operation_label(operation),
                run=partial(_check_latency, operation, request, limits),
            )


def _check_latency(
    operation: Operation, request: Request, limits: Percentiles, send: Send
) -> Iterator[CheckFailure]:
    strictest_ms = min(limits.values())
    exchanges = [send(operation, request) for _ in range(FIRST_REQUESTS)]
    if any(_elapsed_ms(exchange) > strictest_ms for exchange in exchanges):
        exchanges += [send(operation, request) for _ in range(MORE_REQUESTS)]
    ranked = sorted(exchanges, key=_elapsed_ms)
    broken = [
        (percent, limit_ms, at)
        for percent, limit_ms in sorted(limits.items())
        for at in [ranked[ceil(len(ranked) * percent / 100) - 1]]
        if _elapsed_ms(at) > limit_ms
    ]
    if broken:
        percent, limit_ms, at = broken[0]
        late = sum(_elapsed_ms(exchange) > limit_ms for exchange in exchanges)
        name = "the slowest response" if percent == 100 else f"the {percent:g}th percentile"
        yield CheckFailure(
            title="responses arrive too late",
            message=f"{name} is {_elapsed_ms(at):.0f} ms; {limit_ms:g} ms are allowed "
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
        promise="Of 100 responses of an operation, so many arrive within the time in the settings: 95 for "
        "`latency: {p95_ms: 800}`, all for `slowest_ms`. Without this setting nothing is tested.",
        test="Each operation receives 20 valid requests in sequence, and 40 more if a response is late. "
        "All of them are repeated once before the run fails.",
        remedy="Find out what the slow responses have in common: a cold cache, a lock, a missing index.",
    ),
    needs="an operation that can be repeated",
    probes=probes,
    lacks=lambda subject: (
        ""
        if any(subject.latency.of(operation) for operation in subject.operations)
        else "a limit: write `latency: {p95_ms: 500}` into the settings"
    ),
)
