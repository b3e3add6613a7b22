"""Every request gets a response in time."""

from collections.abc import Iterator

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.subject import Subject


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each request without a response."""
    for exchange in exchanges:
        operation = subject.operation(exchange.operation)
        if operation is not None and exchange.answer is None:
            yield CheckFailure(
                title="a request gets no response",
                message=exchange.unanswered or "the connection was closed, or nothing came in time",
                operation=exchange.operation,
                promise=operation.location,
                evidence=(exchange,),
            )


FAMILY = Family(
    name="answers",
    summary="every request gets a response",
    words=CheckDescription(
        promise="Every request gets a complete response in time.",
        test="All requests of a run are examined, including those of Schemathesis.",
        remedy="Check the deployment's log for a crash, a time-out before the application, or a response "
        "that never ends.",
        sources=("RFC 9110 §15",),
    ),
    needs="a request",
    sees=find_failures,
    compares=lambda subject, exchange: subject.operation(exchange.operation) is not None,
)
