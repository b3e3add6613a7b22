"""Every answer to our own probes has a documented status, media type, headers and body.

Schemathesis looks at the answers to its cases; this family looks at the others in the same way.
"""

from collections.abc import Iterator

from devportal.conformance.exchange import Exchange
from devportal.conformance.response_check import breaches
from devportal.conformance.subject import Fault, Subject


def sees(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[Fault]:
    """Yield a fault for each promise that an answer breaks."""
    for exchange in exchanges:
        operation = subject.operation(exchange.operation)
        if operation is None or exchange.answer is None:
            continue
        for breach in breaches(subject.validator, operation, exchange.answer):
            yield Fault(
                title=f"{exchange.status}: undocumented {breach.aspect}"
                if breach.aspect != "body"
                else f"{exchange.status}: the body breaks its schema",
                message=breach.message,
                operation=exchange.operation,
                promise=breach.promise,
                evidence=(exchange,),
            )
