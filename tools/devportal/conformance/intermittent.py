"""Faults that come and go. One hiccup that no replay shows is reported and not counted; more than one is a
deployment that breaks its contract now and then, and the run that met it is red.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from devportal.conformance.confirm import ASPECTS, SERVER_ERRORS
from devportal.conformance.exchange import Exchange
from devportal.conformance.families import documented_responses, unique_ids
from devportal.conformance.families.methods import is_unknown_method
from devportal.conformance.response_check import documents
from devportal.conformance.result import RED, Failure, OperationResult, Source, Standing
from devportal.conformance.subject import Subject

SAME_FAULT = 2
"""So many answers with one fault that the answer itself proves are no single hiccup."""
ANY_FAULTS = 3
"""So many answers with faults of any kind, none of which a replay shows, are none either."""
SHARE_OF_SERVER_ERRORS = 0.01
PROVEN = frozenset({documented_responses.FAMILY.name, unique_ids.FAMILY.name})
"""The families of ours whose evidence alone proves a fault."""
SLOW_DOWN = 429
"""What a rate limit does to one request it does not do to the next: no reason to call a run red."""


def with_intermittent(failures: Sequence[Failure]) -> tuple[Failure, ...]:
    """Return the failures, those that did not show again but were met too often marked `INTERMITTENT`."""
    loose = [one for one in failures if _is_loose(one)]
    everywhere = {digest for one in loose for digest in one.seen_in}
    together: dict[tuple[str, str, str], set[str]] = {}
    for one in loose:
        together.setdefault(_kind(one), set()).update(one.seen_in)

    def settled(failure: Failure) -> Failure:
        if not _is_loose(failure):
            return failure
        same = together[_kind(failure)]
        is_often = _is_proven(failure) and len(same) >= SAME_FAULT
        if not is_often and len(everywhere) < ANY_FAULTS:
            return failure
        told = f"seen in {_answers(len(same))} and in no replay"
        rest = f"; {_answers(len(everywhere))} of the run had faults like this" if not is_often else ""
        return replace(failure, standing=Standing.INTERMITTENT, message=f"{failure.message} ({told}{rest})")

    return tuple(settled(one) for one in failures)


def server_errors(
    subject: Subject,
    operations: Sequence[OperationResult],
    exchanges: Sequence[Exchange],
    failures: Sequence[Failure],
) -> Iterator[Failure]:
    """Yield a failure for each operation that answered 5xx now and then without a check that says so."""
    told = {one.operation for one in failures if _is_told(one)}
    errors: dict[str, list[Exchange]] = {}
    for exchange in exchanges:
        if exchange.status >= 500 and not _is_expected(subject, exchange):
            errors.setdefault(exchange.operation, []).append(exchange)
    for result in operations:
        met = errors.get(result.label, [])
        if len(met) < SAME_FAULT or len(met) < SHARE_OF_SERVER_ERRORS * result.cases or result.label in told:
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


def _is_loose(failure: Failure) -> bool:
    """Say whether a failure that no replay showed can still be one."""
    is_limit = failure.exchange is not None and failure.exchange.status == SLOW_DOWN
    return failure.gates and failure.standing is Standing.NOT_REPRODUCED and not is_limit


def _is_proven(failure: Failure) -> bool:
    """Say whether the answer alone proves the fault, whatever was asked and whatever was there before."""
    status = failure.exchange.status if failure.exchange is not None else None
    by_shape = failure.code in ASPECTS or failure.code in SERVER_ERRORS or failure.check in PROVEN
    return by_shape or (status is not None and (status == 0 or status >= 500))


def _is_told(failure: Failure) -> bool:
    is_error = failure.exchange is not None and failure.exchange.status >= 500
    return is_error and failure.standing in (*RED, Standing.KNOWN)


def _is_expected(subject: Subject, exchange: Exchange) -> bool:
    """Say whether the contract names the status, or the method is one that no server need know."""
    operation = subject.operation(exchange.operation)
    if operation is None or is_unknown_method(subject, exchange):
        return True
    return documents(operation, exchange.status)


def _kind(failure: Failure) -> tuple[str, str, str]:
    return failure.check, failure.code, failure.title


def _answers(count: int) -> str:
    return f"{count} answer{'' if count == 1 else 's'}"
