"""Finds operations whose ordinary request always fails, and reports that once instead of each consequence."""

from collections import Counter
from collections.abc import Mapping, Sequence

from devportal.conformance.deployment.client import TOO_MANY_REQUESTS
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.knowledge.response_check import AUTHENTICATION_STATUSES
from devportal.conformance.knowledge.subject import Subject, has_succeeded
from devportal.conformance.results.result import Failure, OperationResult, Source, Standing
from devportal.conformance.results.wording import status_counts_text

CHECK = "some-success"


def join_failures_of_failing_operations(
    subject: Subject,
    operations: Sequence[OperationResult],
    exchanges: Mapping[str, Sequence[Exchange]],
    failures: Sequence[Failure],
) -> tuple[Failure, ...]:
    """Return the failures, with one for each operation whose ordinary request always fails.

    Such an operation answers a malformed request in the same way as a correct one: what the checks find in
    these responses has one cause. Failures in other responses, such as a success without a token, stay.
    """
    found: dict[str, Failure] = {}
    for result in operations:
        if failing := _ordinary_failures(subject, result, exchanges.get(result.label, ())):
            found[result.label] = _joined_failure(result, failing)
    kept = [failure for failure in failures if failure.operation not in found or not _is_caused(failure)]
    return (*kept, *found.values())


def _ordinary_failures(
    subject: Subject, result: OperationResult, exchanges: Sequence[Exchange]
) -> tuple[Exchange, ...]:
    """Return the exchanges of the ordinary request if all of them failed, and nothing else succeeded. Those
    whose credential was rejected are left out.
    """
    operation = subject.operation(result.label)
    if operation is not None and has_succeeded(operation, exchanges):
        return ()
    request = subject.valid(operation) if operation is not None else None
    if request is None:
        return ()
    ordinary = tuple(
        exchange
        for exchange in exchanges
        if _is_same_request(exchange.request, request) and exchange.status not in AUTHENTICATION_STATUSES
    )
    return ordinary if all(_is_failing(exchange.status) for exchange in ordinary) else ()


def _is_same_request(sent: Request, ordinary: Request) -> bool:
    """Return whether a request is the ordinary one; the values of its headers may differ."""
    return _compared_parts(sent) == _compared_parts(ordinary)


def _compared_parts(request: Request) -> tuple[str, str, bytes | None, list[str], list[str]]:
    headers = [(name.lower(), value) for name, value in request.headers]
    media_types = [value for name, value in headers if name == "content-type"]
    return request.method, request.url, request.body, sorted(name for name, _ in headers), media_types


def _is_failing(status: int) -> bool:
    return status >= 500 or status == TOO_MANY_REQUESTS


def _is_caused(failure: Failure) -> bool:
    """Return whether the failure is one of the responses of an operation that always fails."""
    if failure.exchange is None:
        return failure.check == CHECK
    return _is_failing(failure.exchange.status)


def _joined_failure(result: OperationResult, failing: Sequence[Exchange]) -> Failure:
    received = status_counts_text(sorted(Counter(exchange.status for exchange in failing).items()))
    failed = sum(count for status, count in result.statuses if _is_failing(status))
    return Failure(
        check=CHECK,
        source=Source.GATE,
        title="every request fails",
        message=f"the request that the contract describes gets {received}, and {failed} of {result.cases} "
        "requests in all fail in this way: fix this first, nothing else about the operation was tested",
        operation=result.label,
        promise=result.place,
        exchange=failing[0],
        count=failed,
        standing=Standing.CERTAIN,
        gates=result.gates,
    )
