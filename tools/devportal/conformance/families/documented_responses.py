"""Every answer to our own probes has a documented status, media type, headers and body.

Schemathesis looks at the answers to its cases; this family looks at the others in the same way.
"""

from collections.abc import Iterator

from devportal.conformance.exchange import Exchange
from devportal.conformance.response_check import Aspect, breaches
from devportal.conformance.subject import Fault, Subject

_TITLES = {
    Aspect.STATUS: "undocumented status",
    Aspect.HEADER: "a documented header is missing or wrong",
    Aspect.MEDIA_TYPE: "undocumented media type",
    Aspect.BODY: "the body breaks its schema",
}


def sees(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[Fault]:
    """Yield a fault for each promise that an answer breaks."""
    for exchange in exchanges:
        operation = subject.operation(exchange.operation)
        if operation is None or exchange.answer is None:
            continue
        for breach in breaches(subject.validator, operation, exchange.answer):
            yield Fault(
                title=f"{exchange.status}: {_TITLES[breach.aspect]}",
                message=breach.message,
                operation=exchange.operation,
                promise=breach.promise,
                evidence=(exchange,),
            )
