"""Failures grouped and confirmed by a replay, and those that come and go."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.exchange import Exchange, HttpResponse, exchange_digest
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.families import documented_responses, unique_ids
from devportal.conformance.families.methods import is_unknown_method
from devportal.conformance.family import CheckFailure, Family
from devportal.conformance.knowledge.response_check import (
    ResponseAspect,
    documented_response,
    documents_status,
    is_left_to_http,
    response_mismatches,
)
from devportal.conformance.knowledge.test_target import Subject
from devportal.conformance.results.result import RED_STANDINGS, Failure, OperationResult, Source, Standing
from devportal.conformance.run.replay import replay_exchanges, replay_sequences
from devportal.conformance.schemathesis.events import Case, FailedCheck
from devportal.contract import Location, Operation

MOST_REPLAYS = 3
"""How many different cases of one failure are replayed until one of them shows it again."""
MOST_NAMED = 20
"""How many exchanges that showed a failure are told apart; only few matter."""

ASPECTS_BY_CODE = {
    "ST103": ResponseAspect.STATUS,
    "ST104": ResponseAspect.MEDIA_TYPE,
    "ST105": ResponseAspect.MEDIA_TYPE,
    "ST106": ResponseAspect.MEDIA_TYPE,
    "ST107": ResponseAspect.HEADER,
    "ST108": ResponseAspect.BODY,
    "ST109": ResponseAspect.BODY,
    "ST110": ResponseAspect.BODY,
    "ST111": ResponseAspect.BODY,
}
"""The failure codes of Schemathesis that are about the shape of an answer, and which part of it."""
HEADERS_CHECK = "response_headers_conformance"
SERVER_ERROR_CODES = frozenset({"ST101", "ST102"})
MISSING_REFUSAL_CODES = frozenset({"ST401", "ST402"})
STATE_CODES = frozenset({"ST301", "ST302"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What a confirmation needs: the subject, the deployment to ask again, which operations gate."""

    subject: Subject
    deployment: Deployment
    mask: Mask
    gates: Callable[[str], bool]


def without_expected_failures(subject: Subject, case: Case) -> Case:
    """Return the case without the server errors that are none, 501 to an undeclared method, without the
    undocumented statuses that the contract leaves to HTTP, and without what only a deployment can keep that
    is no mock.
    """
    return replace(
        case, deviations=tuple(one for one in case.deviations if not _is_expected_failure(subject, one))
    )


def _is_expected_failure(subject: Subject, deviation: FailedCheck) -> bool:
    exchange = deviation.exchange
    if deviation.code in SERVER_ERROR_CODES:
        return is_unknown_method(subject, exchange)
    if deviation.code in STATE_CODES:
        return subject.keeps_nothing
    operation = subject.operation(exchange.operation)
    if deviation.code != "ST103" or operation is None or subject.undocumented_fails:
        return False
    return is_left_to_http(operation, exchange.status)


def schemathesis_failures(judge: RunContext, cases: Sequence[Case]) -> Iterator[Failure]:
    """Yield one failure for each distinct deviation of an operation, confirmed or not."""
    groups: dict[tuple[str, str, str, str, str, str], list[tuple[Case, FailedCheck]]] = {}
    for case in (without_expected_failures(judge.subject, one) for one in cases):
        for deviation in case.deviations:
            key = (
                case.exchange.operation,
                deviation.check,
                deviation.code,
                deviation.where,
                deviation.title,
                str(deviation.exchange.status),
            )
            groups.setdefault(key, []).append((case, deviation))
    for key, members in groups.items():
        members.sort(key=lambda one: _evidence_size(one[1]))
        case, deviation = members[0]
        standing, shown = _replay_standing(judge, [one for _, one in members])
        operation = judge.subject.operation(key[0])
        yield Failure(
            check=deviation.check,
            source=Source.SCHEMATHESIS,
            title=deviation.title,
            message=_failure_message(deviation, case),
            operation=key[0],
            code=deviation.code,
            where=deviation.where,
            promise=judge.subject.contract.place(_promise_location(operation, deviation))
            if operation
            else None,
            exchange=shown[-1],
            chain=shown[:-1],
            count=len(members),
            seen_in=_exchange_digests([one.exchange for _, one in members]),
            standing=standing,
            gates=judge.gates(key[0]),
        )


def family_failures(
    judge: RunContext, family: Family, faults: Sequence[CheckFailure], exchanges: tuple[Exchange, ...]
) -> Iterator[Failure]:
    """Yield one failure for each distinct fault that a family saw in the exchanges of the run."""
    groups: dict[tuple[str, str, Location | None], list[CheckFailure]] = {}
    for fault in faults:
        groups.setdefault((fault.operation, fault.title, fault.promise), []).append(fault)
    for members in groups.values():
        members.sort(key=lambda one: sum(len(each.request.body or b"") for each in one.evidence))
        fault = members[0]
        standing = Standing.NOTE if fault.is_note else Standing.NOT_REPRODUCED
        for candidate in members[:MOST_REPLAYS] if not fault.is_note else ():
            if again := _replay_failure(judge, family, candidate, exchanges):
                standing, fault = Standing.CONFIRMED, again
                break
        seen_in = _exchange_digests([one.evidence[-1] for one in members if one.evidence])
        yield replace(to_failure(judge, family.name, fault, standing), count=len(members), seen_in=seen_in)


def to_failure(judge: RunContext, check: str, fault: CheckFailure, standing: Standing) -> Failure:
    """Return the failure that a fault of one of our families is, seen once."""
    return Failure(
        check=check,
        source=Source.DEVPORTAL,
        title=fault.title,
        message=fault.message,
        operation=fault.operation,
        promise=judge.subject.contract.place(fault.promise) if fault.promise is not None else None,
        exchange=fault.evidence[-1] if fault.evidence else None,
        chain=fault.evidence[:-1],
        seen_in=_exchange_digests(fault.evidence[-1:]),
        standing=standing,
        gates=judge.gates(fault.operation),
    )


def _replay_failure(
    judge: RunContext, family: Family, fault: CheckFailure, exchanges: tuple[Exchange, ...]
) -> CheckFailure | None:
    """Return the fault as it shows when its evidence is sent again, as often as its family says."""
    replaced = {id(one) for one in fault.evidence}
    kept = tuple(one for one in exchanges if id(one) not in replaced)
    for rounds in replay_sequences(judge.subject, fault.evidence, exchanges, family.rounds):
        renewed: tuple[Exchange, ...] = ()
        for evidence in rounds:
            again = replay_exchanges(judge.deployment, judge.mask, evidence)
            if again is None:
                break
            renewed += again
            if found := _find_same_failure(judge, family, fault, renewed, kept):
                return found
    return None


def _find_same_failure(
    judge: RunContext,
    family: Family,
    fault: CheckFailure,
    renewed: tuple[Exchange, ...],
    kept: tuple[Exchange, ...],
) -> CheckFailure | None:
    for found in family.sees(judge.subject, (*renewed, *kept)) if family.sees is not None else ():
        same = (found.operation, found.title) == (fault.operation, fault.title)
        if same and any(one in renewed for one in found.evidence):
            return found
    return None


def _exchange_digests(exchanges: Sequence[Exchange]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(exchange_digest(one) for one in exchanges[:MOST_NAMED]))


def _replay_standing(
    judge: RunContext, deviations: Sequence[FailedCheck]
) -> tuple[Standing, tuple[Exchange, ...]]:
    """Return whether a replay shows it, and all exchanges that do, the last of them with the fault."""
    for deviation in deviations[:MOST_REPLAYS]:
        for (evidence,) in replay_sequences(judge.subject, (*deviation.chain, deviation.exchange), ()):
            renewed = replay_exchanges(judge.deployment, judge.mask, evidence)
            if renewed is not None and _is_reproduced(judge.subject, deviation, renewed[-1]):
                return Standing.CONFIRMED, renewed
    return Standing.NOT_REPRODUCED, (*deviations[0].chain, deviations[0].exchange)


def _is_reproduced(subject: Subject, deviation: FailedCheck, again: Exchange) -> bool:
    """Say whether the renewed exchange has the fault that Schemathesis saw in the recorded one."""
    before = deviation.exchange
    if deviation.code in SERVER_ERROR_CODES:
        return again.status >= 500 and not is_unknown_method(subject, again)
    if deviation.code in MISSING_REFUSAL_CODES:
        return again.status not in (401, 403)
    aspect, operation = _aspect_of_check(deviation), subject.operation(before.operation)
    if aspect is None or operation is None:
        return again.status // 100 == before.status // 100
    if aspect in _mismatched_aspects(subject, operation, before.answer):
        return aspect in _mismatched_aspects(subject, operation, again.answer)
    # Schemathesis reads some schemas more strictly than we do: then the same status is what can be compared.
    return again.status == before.status


def _aspect_of_check(deviation: FailedCheck) -> ResponseAspect | None:
    """Return which part of an answer a deviation is about: one code stands for bodies and headers alike."""
    return ResponseAspect.HEADER if deviation.check == HEADERS_CHECK else ASPECTS_BY_CODE.get(deviation.code)


def _mismatched_aspects(
    subject: Subject, operation: Operation, answer: HttpResponse | None
) -> set[ResponseAspect]:
    return (
        {one.aspect for one in response_mismatches(subject.validator, operation, answer)} if answer else set()
    )


def _evidence_size(deviation: FailedCheck) -> int:
    request = deviation.exchange.request
    return len(deviation.chain) * 1_000_000 + len(request.body or b"") + len(request.url)


def _failure_message(deviation: FailedCheck, case: Case) -> str:
    lines = [line.strip() for line in deviation.message.splitlines() if line.strip()]
    about = f" [{case.phase}: {case.about}]" if case.about else f" [{case.phase}]"
    return (" ".join(lines) or deviation.title) + about


def _promise_location(operation: Operation, deviation: FailedCheck) -> Location:
    """Return where the contract makes the promise that a deviation breaks."""
    response = documented_response(operation, deviation.exchange.status)
    if deviation.code in MISSING_REFUSAL_CODES and documents_status(operation, 401):
        refusal = documented_response(operation, 401)
        return refusal.location if refusal is not None else operation.location
    if deviation.code == "ST103" or response is None:
        return operation.location.child("responses")
    if deviation.code in ASPECTS_BY_CODE:
        return response.location
    if deviation.code in ("ST201", "ST202") and operation.request_body is not None:
        return operation.request_body.location
    return operation.location


SAME_FAILURE = 2
"""So many answers with one fault that the answer itself proves are no single hiccup."""
ANY_FAILURES = 3
"""So many answers with faults of any kind, none of which a replay shows, are none either."""
SHARE_OF_SERVER_ERRORS = 0.01
PROVEN_CHECKS = frozenset({documented_responses.FAMILY.name, unique_ids.FAMILY.name})
"""The families of ours whose evidence alone proves a fault."""
TOO_MANY_REQUESTS = 429
"""What a rate limit does to one request it does not do to the next: no reason to call a run red."""


def mark_intermittent(failures: Sequence[Failure]) -> tuple[Failure, ...]:
    """Return the failures, those that did not show again but were met too often marked `INTERMITTENT`."""
    loose = [one for one in failures if _may_be_intermittent(one)]
    everywhere = {digest for one in loose for digest in one.seen_in}
    together: dict[tuple[str, str, str], set[str]] = {}
    for one in loose:
        together.setdefault(_failure_kind(one), set()).update(one.seen_in)

    def with_standing(failure: Failure) -> Failure:
        if not _may_be_intermittent(failure):
            return failure
        same = together[_failure_kind(failure)]
        is_often = _is_proven_by_response(failure) and len(same) >= SAME_FAILURE
        if not is_often and len(everywhere) < ANY_FAILURES:
            return failure
        told = f"seen in {_count_responses(len(same))} and in no replay"
        rest = (
            f"; {_count_responses(len(everywhere))} of the run had faults like this" if not is_often else ""
        )
        return replace(failure, standing=Standing.INTERMITTENT, message=f"{failure.message} ({told}{rest})")

    return tuple(with_standing(one) for one in failures)


def intermittent_server_errors(
    subject: Subject,
    operations: Sequence[OperationResult],
    exchanges: Sequence[Exchange],
    failures: Sequence[Failure],
) -> Iterator[Failure]:
    """Yield a failure for each operation that answered 5xx now and then without a check that says so."""
    told = {one.operation for one in failures if _is_reported_server_error(one)}
    errors: dict[str, list[Exchange]] = {}
    for exchange in exchanges:
        if exchange.status >= 500 and not _is_documented_status(subject, exchange):
            errors.setdefault(exchange.operation, []).append(exchange)
    for result in operations:
        met = errors.get(result.label, [])
        if (
            len(met) < SAME_FAILURE
            or len(met) < SHARE_OF_SERVER_ERRORS * result.cases
            or result.label in told
        ):
            continue
        statuses = ", ".join(
            f"{status} ({n}×)" for status, n in sorted(Counter(e.status for e in met).items())
        )
        smallest = min(met, key=lambda one: len(one.request.body or b""))
        yield Failure(
            check="steadiness",
            source=Source.GATE,
            title="server errors now and then",
            message=f"{len(met)} of {result.cases} answers: {statuses}",
            operation=result.label,
            promise=result.place,
            exchange=smallest,
            count=len(met),
            standing=Standing.INTERMITTENT,
            gates=result.gates,
        )


def _may_be_intermittent(failure: Failure) -> bool:
    """Say whether a failure that no replay showed can still be one."""
    is_limit = failure.exchange is not None and failure.exchange.status == TOO_MANY_REQUESTS
    return failure.gates and failure.standing is Standing.NOT_REPRODUCED and not is_limit


def _is_proven_by_response(failure: Failure) -> bool:
    """Say whether the answer alone proves the fault, whatever was asked and whatever was there before."""
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
    """Say whether the contract names the status, or the method is one that no server need know."""
    operation = subject.operation(exchange.operation)
    if operation is None or is_unknown_method(subject, exchange):
        return True
    return documents_status(operation, exchange.status)


def _failure_kind(failure: Failure) -> tuple[str, str, str]:
    return failure.check, failure.code, failure.title


def _count_responses(count: int) -> str:
    return f"{count} answer{'' if count == 1 else 's'}"
