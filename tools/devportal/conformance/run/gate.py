"""Finds what makes a run worthless after it, whatever its checks found: above all that nothing succeeded."""

from collections import Counter
from collections.abc import Iterator, Sequence

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import (
    Subject,
    exchanges_by_operation,
    has_succeeded,
    operation_label,
)
from devportal.conformance.results.result import (
    BROKEN_CHECK,
    UNFINISHED,
    Failure,
    OperationResult,
    RunWarning,
    Source,
    Standing,
)
from devportal.conformance.results.wording import status_counts_text
from devportal.conformance.run.joined_failures import WENT_DOWN_TITLE
from devportal.conformance.schemathesis.events import COMPLETED, MAX_TIME, WENT_DOWN, SchemathesisOutcome
from devportal.conformance.schemathesis.settings import refuses_valid_data
from devportal.unexpected_errors import unexpected_error_text

UNWRITABLE_BODY, UNUSABLE_SCHEMA = "unwritable_body", "unusable_schema"
CONTRACT_WARNINGS = frozenset(
    {
        UNWRITABLE_BODY,
        UNUSABLE_SCHEMA,
        "unsupported_regex",
        "missing_deserializer",
        "unresolvable_reference",
        "unused_openapi_auth",
        "constants_extraction",
        "dictionary_mismatch",
    }
)
"""Warnings about what Schemathesis can make of a contract: a deployment cannot fix them."""
REFUSAL_WARNINGS = frozenset({"validation_mismatch", "low_valid_rate", "missing_test_data"})
"""Warnings that much valid data was rejected: correct if the contract documents rejections of valid data."""
MISSING_DATA_WARNINGS = frozenset({"missing_test_data"})
"""Warnings that data was missing: if nothing succeeded, `some-success` reports it."""
REFUSAL_EXPLAINED_WARNINGS = REFUSAL_WARNINGS - {"missing_test_data"}
"""Those of them that are silent if rejections are documented: no made-up cursor is valid, and few states fit.
"""

BASE_URL_WARNING = "base_url_mismatch"
"""Says that a server of the contract has a path which the base URL of the run lacks, for each operation that only
got 404. The host of a deployment may well leave out that path.
"""

_NARROW = "it documents no refusal of them: make its schemas narrower, or let the deployment accept them"
WARNING_MESSAGES = {
    "missing_auth": "almost every response is 401 or 403: give the run a token with more permissions",
    "missing_test_data": "many responses are 404: use existing identifiers in the contract's examples",
    BASE_URL_WARNING: "every response is 404: the contract's servers have a path, add it to the URL",
    "validation_mismatch": f"many valid requests are rejected, and {_NARROW}",
    "low_valid_rate": f"few requests that the contract allows are accepted, and {_NARROW}",
    "method_not_allowed": "a declared method is rejected with 405: fix the deployment or the contract",
    "rate_limited": "almost every response is 429: give the token a higher limit",
    "unsupported_regex": "no data can be generated for a pattern of the contract: not a failure of the deployment",
    "missing_deserializer": "bodies of a media type were not checked: not a failure of the deployment",
    UNWRITABLE_BODY: "Schemathesis cannot write a body of this media type: not a failure of the deployment",
    UNUSABLE_SCHEMA: "Schemathesis cannot generate data for a schema: fix it if a pattern contradicts a length, "
    "say. It is not a failure of the deployment",
}
ERROR_KINDS = {
    "Serialization not possible": UNWRITABLE_BODY,
    "XML serialization error": UNWRITABLE_BODY,
    "Schema Error": UNUSABLE_SCHEMA,
    "Failed Health Check": UNUSABLE_SCHEMA,
}
"""The kinds of warnings that errors of Schemathesis are, by their titles: no response has caused them."""


def never_succeeded_failures(
    subject: Subject, operations: Sequence[OperationResult], exchanges: Sequence[Exchange]
) -> Iterator[Failure]:
    """Yield a failure for each operation that never succeeded: nothing about it was really tested. A success of
    another method of its path, such as OPTIONS, does not count for it.
    """
    own = exchanges_by_operation(subject.operations, exchanges)
    for result in operations:
        operation = subject.operation(result.label)
        if operation is None:
            continue
        success_statuses = [
            response.status for response in operation.responses if response.status[:1] in "23"
        ] or ["2XX"]
        classes = {success_status[0] for success_status in success_statuses}
        statuses = Counter(exchange.status for exchange in own[operation_label(operation)])
        if any(str(status)[0] in classes for status in statuses if status):
            continue
        received = status_counts_text(sorted(statuses.items()))
        success = (
            documented_response(operation, int(success_statuses[0]))
            if success_statuses[0].isdigit()
            else None
        )
        yield Failure(
            check="some-success",
            source=Source.GATE,
            title="no request succeeded",
            message=f"{success_statuses[0]} is promised and never came; what came: {received or 'nothing'}",
            operation=result.label,
            promise=subject.contract.place(success.location if success is not None else operation.location),
            standing=Standing.CERTAIN,
            gates=result.gates,
        )


def went_down_failure(message: str, last: Exchange | None) -> Failure:
    """Return the failure of a deployment that went down, with the last exchange: if that got no response or a
    server error, it is the likely cause.
    """
    is_killed = last is not None and (last.answer is None or last.status >= 500)
    after = f", after {last.request.method} {last.request.url[:200]}" if last is not None else ""
    return Failure(
        check="whole-run",
        source=Source.GATE,
        title=WENT_DOWN_TITLE if is_killed else UNFINISHED,
        message=f"{message}{after}: the failures found so far are reported, and the rest was not tested",
        standing=Standing.CERTAIN,
        exchange=last,
        gates=True,
    )


def broken_check_failure(check: str, operation: str, error: Exception) -> Failure:
    """Return the failure of a check that raised an exception which nobody expected. Its text may be secret."""
    problem = " ".join(unexpected_error_text(error).replace("\n  help: ", ". To find out: ").split())
    return Failure(
        check=check,
        source=Source.GATE,
        title=BROKEN_CHECK,
        message=f"{problem}. The other checks went on",
        operation=operation,
        standing=Standing.CERTAIN,
        gates=True,
    )


NETWORK_ERROR = "Network Error"
"""Schemathesis' name of a request without a response; our family `answers` confirms and reports those."""


def unfinished_run_failures(outcome: SchemathesisOutcome) -> Iterator[Failure]:
    """Yield a failure if the run stopped early, and for each error that prevented a test. `went_down_failure`
    reports a deployment that went down, and `schemathesis_warnings` what the contract or the tool is the cause of.
    """
    if outcome.stop_reason == WENT_DOWN:
        return
    if outcome.stop_reason != COMPLETED:
        yield Failure(
            check="whole-run",
            source=Source.GATE,
            title=UNFINISHED,
            message="the time limit was reached (--max-time): the failures found so far are reported, "
            "and the rest was not tested"
            if outcome.stop_reason == MAX_TIME
            else f"Schemathesis stopped early: {outcome.stop_reason}",
            standing=Standing.CERTAIN,
            gates=True,
        )
    silent = {case.exchange.operation for case in outcome.cases if case.exchange.answer is None}
    for error in outcome.errors:
        if error.title in ERROR_KINDS or (error.title == NETWORK_ERROR and error.operation in silent):
            continue
        yield Failure(
            check="whole-run",
            source=Source.GATE,
            title=error.title,
            message=" ".join(error.message.split()),
            operation=error.operation,
            standing=Standing.CERTAIN,
            gates=True,
        )


def schemathesis_warnings(
    subject: Subject,
    operations: Sequence[OperationResult],
    outcome: SchemathesisOutcome,
    exchanges: Sequence[Exchange],
) -> Iterator[RunWarning]:
    """Yield the warnings of Schemathesis, each with whether it fails the run. Left out are those about which nothing
    has to be done: documented rejections explain them, missing permissions are reported for an operation that
    succeeded, or a wrong base URL is reported although an operation succeeded below it.
    """
    gating = {operation.label for operation in operations if operation.gates}
    own = exchanges_by_operation(subject.operations, exchanges)
    succeeded = {
        operation_label(operation)
        for operation in subject.operations
        if has_succeeded(operation, own[operation_label(operation)])
    }
    for kind, labels in (*outcome.warnings, *_error_warnings(outcome)):
        if kind == BASE_URL_WARNING and succeeded:
            continue
        subjects = tuple(
            label
            for label in labels
            if not _is_explained_by_refusals(subject, kind, label)
            and not (kind == "missing_auth" and label in succeeded)
        )
        if not subjects:
            continue
        relevant = [text for text in subjects if text in gating or subject.operation(text) is None]
        yield RunWarning(
            kind=kind,
            subjects=subjects,
            message=WARNING_MESSAGES.get(kind, kind.replace("_", " ")),
            gates=any(_is_gating_warning(subject, kind, text) for text in relevant),
        )


def _error_warnings(outcome: SchemathesisOutcome) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the operations about which Schemathesis could not say anything, by the kind of the warning."""
    for kind in dict.fromkeys(ERROR_KINDS.values()):
        labels = (error.operation for error in outcome.errors if ERROR_KINDS.get(error.title) == kind)
        yield kind, tuple(dict.fromkeys(labels))


def _is_gating_warning(subject: Subject, kind: str, label: str) -> bool:
    if kind in CONTRACT_WARNINGS | MISSING_DATA_WARNINGS:
        return False
    return not (kind in REFUSAL_WARNINGS and _may_refuse_valid_data(subject, label))


def _is_explained_by_refusals(subject: Subject, kind: str, label: str) -> bool:
    return kind in REFUSAL_EXPLAINED_WARNINGS and _may_refuse_valid_data(subject, label)


def _may_refuse_valid_data(subject: Subject, label: str) -> bool:
    operation = subject.operation(label)
    return operation is not None and refuses_valid_data(operation, subject.conventions)
