"""Operation × time: 95 of 100 answers come within the time that the settings allow."""

from collections.abc import Iterator
from functools import partial
from math import ceil

from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.subject import Subject, label
from devportal.contract import Operation

FIRST = 20
"""How often each operation is asked."""
MORE = 40
"""How often it is asked besides where one of the first answers is late: a slow tail needs more to be seen."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that can be asked more than once; none without a declared time."""
    limit_ms = subject.slowest_p95_ms
    for operation in subject.operations if limit_ms is not None else ():
        request = subject.valid(operation)
        if request is not None and operation.method != "DELETE":
            yield Probe(operation=label(operation), run=partial(_timed, operation, request, limit_ms or 0.0))


def _timed(operation: Operation, request: Request, limit_ms: float, send: Send) -> Iterator[Fault]:
    asked = [send(operation, request) for _ in range(FIRST)]
    if any(_took_ms(one) > limit_ms for one in asked):
        asked += [send(operation, request) for _ in range(MORE)]
    ranked = sorted(asked, key=_took_ms)
    at = ranked[ceil(len(ranked) * 0.95) - 1]
    if _took_ms(at) > limit_ms:
        late = sum(_took_ms(one) > limit_ms for one in asked)
        yield Fault(
            title="answers come too late",
            message=f"the 95th percentile is {_took_ms(at):.0f} ms; {limit_ms:g} ms are allowed "
            f"({late} of {len(asked)} answers took longer)",
            operation=label(operation),
            promise=operation.location,
            evidence=(at,),
        )


def _took_ms(exchange: Exchange) -> float:
    """Return how long an answer took; none at all counts as no time, since another family tells it."""
    return exchange.answer.elapsed_s * 1000 if exchange.answer is not None else 0.0


FAMILY = Family(
    name="latency",
    summary="answers come in time",
    words=Words(
        promise="Of 100 answers of an operation, 95 come within the time that the settings allow "
        "(`latency: {p95_ms: …}`). Without such a setting nothing is tested.",
        test="Each operation gets 20 valid requests, one after the other, and 40 more where one of the "
        "answers is late. It is asked all of them once more before the run fails.",
        remedy="Look for what the slow answers have in common: a cold cache, a lock, a missing index.",
    ),
    probes=probes,
)
