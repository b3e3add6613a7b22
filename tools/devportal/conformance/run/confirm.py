"""Groups failures, confirms them by a replay, and finds intermittent ones."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from operator import is_not

from devportal.conformance.deployment.client import TOO_MANY_REQUESTS, Deployment
from devportal.conformance.deployment.exchange import (
    Exchange,
    HttpResponse,
    exchange_digest,
    parse_json_or_none,
)
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.families.creations import unique_ids
from devportal.conformance.families.http.methods import is_unknown_method
from devportal.conformance.families.responses import documented_responses
from devportal.conformance.family import CheckFailure, Family
from devportal.conformance.knowledge.requests.broken_inputs import missing_parameters
from devportal.conformance.knowledge.resources.representation_match import member_location
from devportal.conformance.knowledge.response_check import (
    ResponseAspect,
    documented_response,
    documents_status,
    is_left_to_http,
    response_mismatches,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.result import RED_STANDINGS, Failure, OperationResult, Source, Standing
from devportal.conformance.results.wording import BODY_SCHEMAS, status_counts_text
from devportal.conformance.run.format_ranges import is_beyond_format_only
from devportal.conformance.run.replay import replay_exchanges, replay_sequences
from devportal.conformance.run.schemathesis_wording import (
    ASPECTS_BY_CODE,
    HEADERS_CHECK,
    MISSING_REFUSAL_CODES,
    SERVER_ERROR_CODES,
    failed_aspect,
    failure_message,
    one_location_each,
    promise_locations,
)
from devportal.conformance.run.valid_bodies import is_invalid_as_sent, is_valid_as_sent
from devportal.conformance.run.valid_streams import is_valid_stream
from devportal.conformance.schemathesis.events import Case, FailedCheck
from devportal.contract import Location, Operation

MOST_REPLAYS = 3
"""How many cases of one failure are replayed until one of them reproduces it."""
MOST_DIGESTS = 20
"""How many exchanges of a failure are identified by their digests; only few matter."""

STATE_CODES = frozenset({"ST301", "ST302"})


MISSING_PARAMETER = ("missing parameter",)
"""What Schemathesis calls the rule that a request without a required parameter breaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What a confirmation needs: the subject, the deployment to replay to, and which operations gate."""

    subject: Subject
    deployment: Deployment
    mask: Mask
    gates: Callable[[str], bool]


def without_expected_failures(subject: Subject, case: Case) -> Case:
    """Return the case without expected failures: 501 to an undeclared method, undocumented statuses that the
    contract leaves to HTTP, checks of state against a mock, numbers beyond the range of a format, bodies that are
    valid as they are sent, JSON in headers, events of a stream whose schema is that of all of them, and a missing
    credential that is refused with another status than 401.
    """
    return replace(
        case,
        failed_checks=tuple(
            failed_check
            for failed_check in case.failed_checks
            if not _is_expected_failure(subject, case, failed_check)
        ),
    )


def _is_expected_failure(subject: Subject, case: Case, failed_check: FailedCheck) -> bool:
    exchange = failed_check.exchange
    if failed_check.check == BODY_SCHEMAS and is_valid_stream(subject, exchange):
        return True
    if failed_check.check == HEADERS_CHECK:
        return _has_json_headers_only(subject, exchange)
    if failed_check.code == "ST201":
        return is_beyond_format_only(subject, case) or is_valid_as_sent(subject, case)
    if failed_check.code == "ST202":
        return is_invalid_as_sent(subject, exchange)
    if failed_check.code == "ST203":  # `authentication` says which refusals of a credential are right
        return 400 <= exchange.status < 500
    if failed_check.code in SERVER_ERROR_CODES:
        return is_unknown_method(subject, exchange)
    if failed_check.code in STATE_CODES:
        return subject.keeps_nothing
    operation = subject.operation(exchange.operation)
    if failed_check.code != "ST103" or operation is None or subject.undocumented_fails:
        return False
    return is_left_to_http(operation, exchange.status)


def _has_json_headers_only(subject: Subject, exchange: Exchange) -> bool:
    """Return whether all headers fit their schemas, and one does as JSON text: the contract means that, though
    the form of objects in headers is another one (OAS 3.0.3 §4.7.12.2, `style: simple`).
    """
    operation, response = subject.operation(exchange.operation), exchange.answer
    if operation is None or response is None:
        return False
    documented = documented_response(operation, exchange.status)
    headers = documented.headers if documented is not None else ()
    values = (parse_json_or_none((response.header(header.name) or "").encode()) for header in headers)
    is_json = any(isinstance(value, dict | list) for value in values)
    return is_json and ResponseAspect.HEADER not in _mismatched_aspects(subject, operation, response)


def schemathesis_failures(
    context: RunContext, cases: Sequence[Case], exchanges: Sequence[Exchange] = ()
) -> Iterator[Failure]:
    """Yield one failure for each distinct failed check of an operation, confirmed or not. `exchanges` are those
    of the run: what a case needs of them is replayed before it.
    """
    for label, promise, group in _group_failed_checks(context.subject, cases):
        group.sort(key=lambda item: _evidence_size(item[1]))
        case, failed_check = group[0]
        standing, evidence = _replay_standing(context, group, exchanges)
        yield Failure(
            check=failed_check.check,
            source=Source.SCHEMATHESIS,
            title=failed_check.title,
            message=failure_message(context.subject, case, failed_check),
            operation=label,
            code=failed_check.code,
            where=failed_check.schema_path,
            promise=context.subject.contract.place(promise) if promise is not None else None,
            exchange=evidence[-1],
            chain=evidence[:-1],
            count=len(group),
            seen_in=_exchange_digests([failed_check.exchange for _, failed_check in group]),
            standing=standing,
            gates=context.gates(label),
        )


def _group_failed_checks(
    subject: Subject, cases: Sequence[Case]
) -> Iterator[tuple[str, Location | None, list[tuple[Case, FailedCheck]]]]:
    """Yield the failed checks that have one failure: its operation, its promise, and each with its case."""
    groups: dict[tuple[object, ...], list[tuple[Case, FailedCheck]]] = {}
    for case in (_with_missing_inputs(subject, without_expected_failures(subject, case)) for case in cases):
        for failed_check in case.failed_checks:
            key = (
                case.exchange.operation,
                failed_check.check,
                failed_check.code,
                failed_check.schema_path,
                failed_check.title,
                failed_check.exchange.status,
            )
            groups.setdefault(key, []).append((case, failed_check))
    for (label, *_), group in groups.items():
        operation = subject.operation(str(label))
        if operation is None:
            yield str(label), None, group
            continue
        locations = one_location_each([promise_locations(subject, operation, *pair) for pair in group])
        by_location: dict[Location, list[tuple[Case, FailedCheck]]] = {}
        for location, pair in zip(locations, group, strict=True):
            by_location.setdefault(location, []).append(pair)
        for location, members in by_location.items():
            yield str(label), location, members


def _with_missing_inputs(subject: Subject, case: Case) -> Case:
    """Return an invalid case with what it lacks as its invalid inputs, if the generator names none."""
    operation = subject.operation(case.exchange.operation)
    if operation is None or case.invalid_inputs or case.exchange.is_valid:
        return case
    missing = missing_parameters(operation, case.exchange.request)
    return replace(case, invalid_inputs=missing, broken_rules=MISSING_PARAMETER) if missing else case


def family_failures(
    context: RunContext, family: Family, failures: Sequence[CheckFailure], exchanges: tuple[Exchange, ...]
) -> Iterator[Failure]:
    """Yield one failure for each distinct failure that a family found in the exchanges of the run."""
    groups: dict[tuple[str, str, Location | None], list[CheckFailure]] = {}
    for failure in failures:
        groups.setdefault((failure.operation, failure.title, failure.promise), []).append(failure)
    for group in groups.values():
        group.sort(
            key=lambda check_failure: sum(len(each.request.body or b"") for each in check_failure.evidence)
        )
        failure = group[0]
        standing = Standing.NOTE if failure.is_note else Standing.NOT_REPRODUCED
        for candidate in replayed_failures(group) if not failure.is_note else ():
            if again := _replay_failure(context, family, candidate, exchanges):
                standing, failure = Standing.CONFIRMED, again
                break
        seen_in = _exchange_digests(
            [check_failure.evidence[-1] for check_failure in group if check_failure.evidence]
        )
        yield replace(to_failure(context, family.name, failure, standing), count=len(group), seen_in=seen_in)


def replayed_failures(group: Sequence[CheckFailure]) -> tuple[CheckFailure, ...]:
    """Return the failures of a group that are replayed: the smallest request, the last one, whose resource is
    most likely to exist still, and one in between.
    """
    places = dict.fromkeys((0, len(group) - 1, len(group) // 2))
    return tuple(group[place] for place in places)[:MOST_REPLAYS]


def to_failure(context: RunContext, check: str, failure: CheckFailure, standing: Standing) -> Failure:
    """Return the result's failure for a failure of one of our families that was seen once."""
    promise = _member_location(context.subject, failure) or failure.promise
    return Failure(
        check=check,
        source=Source.DEVPORTAL,
        title=failure.title,
        message=failure.message,
        operation=failure.operation,
        promise=context.subject.contract.place(promise) if promise is not None else None,
        exchange=failure.evidence[-1] if failure.evidence else None,
        chain=failure.evidence[:-1],
        seen_in=_exchange_digests(failure.evidence[-1:]),
        is_pedantic=failure.is_pedantic,
        standing=standing,
        gates=context.gates(failure.operation),
    )


def _member_location(subject: Subject, failure: CheckFailure) -> Location | None:
    """Return where the contract describes the member of the response that is wrong, None if nowhere."""
    last = failure.evidence[-1] if failure.evidence else None
    operation = subject.operation(last.operation) if last is not None else None
    if not failure.member or last is None or operation is None:
        return None
    return member_location(subject.api, operation, last.status, failure.member)


def _replay_failure(
    context: RunContext, family: Family, failure: CheckFailure, exchanges: tuple[Exchange, ...]
) -> CheckFailure | None:
    """Return the failure as it is reproduced by a replay of its evidence, in the rounds of its family."""
    replaced = {id(exchange) for exchange in failure.evidence}
    other_exchanges = tuple(exchange for exchange in exchanges if id(exchange) not in replaced)
    for rounds in replay_sequences(context.subject, failure.evidence, exchanges, family.rounds):
        resent: tuple[Exchange, ...] = ()
        for evidence in rounds:
            replayed = replay_exchanges(context.deployment, context.mask, evidence)
            if replayed is None:
                break
            resent += replayed
            if repeated_failure := _find_same_failure(context, family, failure, resent, other_exchanges):
                return repeated_failure
    return None


def _find_same_failure(
    context: RunContext,
    family: Family,
    failure: CheckFailure,
    resent: tuple[Exchange, ...],
    other_exchanges: tuple[Exchange, ...],
) -> CheckFailure | None:
    for candidate in (
        family.sees(context.subject, (*resent, *other_exchanges)) if family.sees is not None else ()
    ):
        is_same = (candidate.operation, candidate.title, candidate.promise) == (
            failure.operation,
            failure.title,
            failure.promise,
        )
        if is_same and any(exchange in resent for exchange in candidate.evidence):
            return candidate
    return None


def _exchange_digests(exchanges: Sequence[Exchange]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(exchange_digest(exchange) for exchange in exchanges[:MOST_DIGESTS]))


def _replay_standing(
    context: RunContext, group: Sequence[tuple[Case, FailedCheck]], exchanges: Sequence[Exchange]
) -> tuple[Standing, tuple[Exchange, ...]]:
    """Return whether a replay reproduces it, with all exchanges, the last of them with the failure."""
    for case, failed_check in group[:MOST_REPLAYS]:
        evidence = (*failed_check.chain, failed_check.exchange)
        earlier = tuple(takewhile(partial(is_not, case.exchange), exchanges))
        for (sequence,) in replay_sequences(context.subject, evidence, earlier):
            resent = replay_exchanges(context.deployment, context.mask, sequence)
            if resent is not None and _is_reproduced(context.subject, failed_check, resent[-1]):
                return Standing.CONFIRMED, resent
    _, first = group[0]
    return Standing.NOT_REPRODUCED, (*first.chain, first.exchange)


def _is_reproduced(subject: Subject, failed_check: FailedCheck, replayed: Exchange) -> bool:
    """Return whether the replayed exchange has the failure that Schemathesis found in the recorded one."""
    recorded = failed_check.exchange
    if failed_check.code in SERVER_ERROR_CODES:
        return replayed.status >= 500 and not is_unknown_method(subject, replayed)
    if failed_check.code in MISSING_REFUSAL_CODES:
        is_same_kind = replayed.status // 100 == recorded.status // 100
        return is_same_kind and replayed.status not in (401, 403)
    aspect, operation = failed_aspect(failed_check), subject.operation(recorded.operation)
    if aspect is None or operation is None:
        return replayed.status // 100 == recorded.status // 100
    if aspect in _mismatched_aspects(subject, operation, recorded.answer):
        return aspect in _mismatched_aspects(subject, operation, replayed.answer)
    # Schemathesis reads some schemas more strictly than we do: then only the status can be compared.
    return replayed.status == recorded.status


def _mismatched_aspects(
    subject: Subject, operation: Operation, response: HttpResponse | None
) -> set[ResponseAspect]:
    return (
        {
            response_mismatch.aspect
            for response_mismatch in response_mismatches(subject.validator, operation, response)
        }
        if response
        else set()
    )


def _evidence_size(failed_check: FailedCheck) -> int:
    request = failed_check.exchange.request
    return len(failed_check.chain) * 1_000_000 + len(request.body or b"") + len(request.url)


SAME_FAILURE = 2
"""This many responses with one failure that the response itself proves are more than a single hiccup."""
ANY_FAILURES = 3
"""So are this many responses with failures of any kind that no replay reproduces."""
SHARE_OF_SERVER_ERRORS = 0.01
PROVEN_CHECKS = frozenset({documented_responses.FAMILY.name, unique_ids.FAMILY.name})
"""Our families whose evidence alone proves a failure."""


def mark_intermittent(failures: Sequence[Failure]) -> tuple[Failure, ...]:
    """Return the failures; those that were not reproduced but occurred too often are marked `INTERMITTENT`."""
    candidates = [failure for failure in failures if _may_be_intermittent(failure)]
    all_digests = {digest for candidate in candidates for digest in candidate.seen_in}
    digests_by_kind: dict[tuple[str, str, str], set[str]] = {}
    for candidate in candidates:
        digests_by_kind.setdefault(_failure_kind(candidate), set()).update(candidate.seen_in)

    def with_standing(failure: Failure) -> Failure:
        if not _may_be_intermittent(failure):
            return failure
        digests = digests_by_kind[_failure_kind(failure)]
        is_often = _is_proven_by_response(failure) and len(digests) >= SAME_FAILURE
        if not is_often and len(all_digests) < ANY_FAILURES:
            return failure
        seen_text = f"seen in {_count_responses(len(digests))} and in no replay"
        others_text = (
            f"; {_count_responses(len(all_digests))} of the run failed like this" if not is_often else ""
        )
        return replace(
            failure, standing=Standing.INTERMITTENT, message=f"{failure.message} ({seen_text}{others_text})"
        )

    return tuple(with_standing(failure) for failure in failures)


def intermittent_server_errors(
    subject: Subject,
    operations: Sequence[OperationResult],
    exchanges: Sequence[Exchange],
    failures: Sequence[Failure],
) -> Iterator[Failure]:
    """Yield a failure for each operation with some 5xx responses that no check reports."""
    reported_labels = {failure.operation for failure in failures if _is_reported_server_error(failure)}
    errors: dict[str, list[Exchange]] = {}
    for exchange in exchanges:
        if exchange.status >= 500 and not _is_documented_status(subject, exchange):
            errors.setdefault(exchange.operation, []).append(exchange)
    for result in operations:
        operation_errors = errors.get(result.label, [])
        if (
            len(operation_errors) < SAME_FAILURE
            or len(operation_errors) < SHARE_OF_SERVER_ERRORS * result.cases
            or result.label in reported_labels
        ):
            continue
        statuses = status_counts_text(
            sorted(Counter(operation_error.status for operation_error in operation_errors).items())
        )
        smallest = min(operation_errors, key=lambda operation_error: len(operation_error.request.body or b""))
        yield Failure(
            check="steadiness",
            source=Source.GATE,
            title="intermittent server errors",
            message=f"{len(operation_errors)} of {result.cases} responses: {statuses}",
            operation=result.label,
            promise=result.place,
            exchange=smallest,
            count=len(operation_errors),
            standing=Standing.INTERMITTENT,
            gates=result.gates,
        )


def _may_be_intermittent(failure: Failure) -> bool:
    """Return whether a failure that no replay reproduced can still be intermittent. A rate limit affects one
    request and not the next: it is no reason to fail a run.
    """
    is_limit = failure.exchange is not None and failure.exchange.status == TOO_MANY_REQUESTS
    return failure.gates and failure.standing is Standing.NOT_REPRODUCED and not is_limit


def _is_proven_by_response(failure: Failure) -> bool:
    """Return whether the response alone proves the failure, whatever the request and the state were."""
    status = failure.exchange.status if failure.exchange is not None else None
    by_shape = (
        failure.code in ASPECTS_BY_CODE
        or failure.code in SERVER_ERROR_CODES
        or failure.check in PROVEN_CHECKS
    )
    return by_shape or (status is not None and (status == 0 or status >= 500))


def _is_reported_server_error(failure: Failure) -> bool:
    is_error = failure.exchange is not None and failure.exchange.status >= 500
    return is_error and failure.standing in (*RED_STANDINGS, Standing.KNOWN)


def _is_documented_status(subject: Subject, exchange: Exchange) -> bool:
    """Return whether the contract documents the status, or the method is one that no server need know."""
    operation = subject.operation(exchange.operation)
    if operation is None or is_unknown_method(subject, exchange):
        return True
    return documents_status(operation, exchange.status)


def _failure_kind(failure: Failure) -> tuple[str, str, str]:
    return failure.check, failure.code, failure.title


def _count_responses(count: int) -> str:
    return f"{count} response{'' if count == 1 else 's'}"
