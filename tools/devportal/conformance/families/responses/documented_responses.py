"""Every response to our own probes has a documented status, media type, headers and body.

Schemathesis checks the responses to its cases; this family checks the others in the same way.
"""

from collections.abc import Iterator

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.response_check import (
    ResponseAspect,
    is_left_to_http,
    response_mismatches,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.wording import WRONG_BODY

_TITLES = {
    ResponseAspect.STATUS: "undocumented status",
    ResponseAspect.HEADER: "a documented header is missing or wrong",
    ResponseAspect.MEDIA_TYPE: "undocumented media type",
    ResponseAspect.BODY: WRONG_BODY,
}


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each promise that a response breaks."""
    for exchange in exchanges:
        operation = subject.operation(exchange.operation)
        if operation is None or exchange.answer is None or not is_for_contract(subject, exchange):
            continue
        for mismatch in response_mismatches(subject.validator, operation, exchange.answer):
            yield CheckFailure(
                title=f"{exchange.status}: {_TITLES[mismatch.aspect]}",
                message=mismatch.message,
                operation=exchange.operation,
                promise=mismatch.promise,
                evidence=(exchange,),
            )


def is_for_contract(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a response is one that the contract has to document, rather than HTTP."""
    operation = subject.operation(exchange.operation)
    if operation is None or exchange.answer is None:
        return False
    return subject.undocumented_fails or not is_left_to_http(operation, exchange.status)


FAMILY = Family(
    name="documented-responses",
    summary="every response is documented",
    words=CheckDescription(
        promise="Every response has a documented status, media type, headers and body. If an operation "
        "documents no error but 401, 403 and 429, statuses from 400 to 499 follow HTTP; if it documents no "
        "response at all, so do all below 500. So do 401 and 403 if a "
        "credential is required and neither is documented. With `undocumented: fail` in the settings,"
        " both are failures.",
        test="The responses to this command's requests are compared with the contract. Schemathesis does "
        "the same for its requests.",
        remedy="Document the response that the deployment returns, or return a documented one.",
        sources=("OAS 3.0.3 §4.7.16", "OAS 3.0.3 §4.7.17"),
    ),
    needs="a response to one of its requests",
    sees=find_failures,
    compares=is_for_contract,
    sees_all=False,
)
