"""The result of a run, made of what its log holds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from math import ceil

from devportal.conformance.confirm import Judge
from devportal.conformance.coverage import coverage_of
from devportal.conformance.events import COMPLETED, Outcome
from devportal.conformance.exchange import Exchange
from devportal.conformance.gate import unfinished, vacuous, warned
from devportal.conformance.hints import hints
from devportal.conformance.intermittent import server_errors, with_intermittent
from devportal.conformance.options import Options
from devportal.conformance.promise_lines import PromiseLines
from devportal.conformance.result import (
    CheckTally,
    Failure,
    Latency,
    OperationResult,
    Result,
    Shard,
    Warned,
)
from devportal.conformance.run_log import RunLog
from devportal.conformance.subject import Subject, label
from devportal.contract import Operation


def run_result(
    options: Options, judge: Judge, log: RunLog, outcome: Outcome, started_at: datetime, duration_s: float
) -> Result:
    """Return the result of a run that took so many seconds."""
    subject = judge.subject
    exchanges: dict[str, list[Exchange]] = {label(one): [] for one in subject.operations}
    for exchange in log.exchanges:
        exchanges.setdefault(exchange.operation, []).append(exchange)
    operations = tuple(_operation(one, exchanges[label(one)], judge, log) for one in subject.operations)
    failures = _failures(options, judge, log, outcome, operations)
    declared = [label(one) for one in subject.api.operations]
    return Result(
        url=options.url,
        contract=options.contract.name,
        contract_title=subject.api.title,
        contract_version=subject.api.version,
        contract_digest=subject.contract.digest,
        profile=options.profile.name,
        gate=options.gate.value,
        seed=options.seed,
        schemathesis=outcome.version,
        started_at=started_at,
        duration_s=round(duration_s, 3),
        operations=operations,
        failures=failures,
        warnings=tuple(_warnings(subject, operations, outcome)),
        gaps=tuple(log.gaps),
        coverage=coverage_of(subject, exchanges, log.events),
        doubts=tuple(options.baseline.doubts(failures, exchanges, declared)),
        hints=(*log.notes, *hints(subject, log.exchanges)),
        shard=Shard(number=options.selection.shard, of=options.selection.shards),
        site=options.settings.site,
    )


def ordered(failures: Iterable[Failure], operations: Sequence[OperationResult]) -> tuple[Failure, ...]:
    """Return failures in the order in which they are told: those that count first, then as the contract."""
    order = {one.label: position for position, one in enumerate(operations)}

    def position(one: Failure) -> tuple[bool, int, str, str, str]:
        return not one.fails, order.get(one.operation, -1), one.source, one.check, one.title

    return tuple(sorted(failures, key=position))


def _warnings(subject: Subject, operations: Sequence[OperationResult], outcome: Outcome) -> Iterator[Warned]:
    """Yield the warnings; of a run that was cut short they only tell how far it came."""
    for one in warned(subject, operations, outcome):
        yield one if outcome.stop == COMPLETED else replace(one, gates=False)


def _failures(
    options: Options, judge: Judge, log: RunLog, outcome: Outcome, operations: Sequence[OperationResult]
) -> tuple[Failure, ...]:
    subject, lines = judge.subject, PromiseLines(judge.subject.contract)
    is_whole = outcome.stop == COMPLETED
    found = [*log.failures, *(vacuous(subject, operations) if is_whole else ()), *unfinished(outcome)]
    settled = with_intermittent(found)
    more = server_errors(subject, operations, log.exchanges, settled)
    weighed = (options.baseline.weighed(one) for one in (*settled, *more))
    told = (replace(one, promise_text=lines.at(one.promise)) for one in weighed)
    return ordered(told, operations)


def _operation(
    operation: Operation, exchanges: Sequence[Exchange], judge: Judge, log: RunLog
) -> OperationResult:
    name = label(operation)
    statuses = Counter(one.status for one in exchanges)
    return OperationResult(
        id=operation.id,
        label=name,
        stability=operation.stability,
        gates=judge.gates(name),
        place=judge.subject.contract.place(operation.location),
        cases=statuses.total(),
        statuses=tuple(sorted(statuses.items())),
        checks=tuple(_tallies(name, log)),
        latency=latency_of(exchanges),
    )


def latency_of(exchanges: Sequence[Exchange]) -> Latency | None:
    """Return how long the answers took (nearest-rank percentiles), None where there is none."""
    times = sorted(one.answer.elapsed_s * 1000 for one in exchanges if one.answer is not None)
    if not times:
        return None
    ranks = [ceil(len(times) * share / 100) - 1 for share in (50, 95, 99)]
    p50, p95, p99, slowest = (round(times[rank], 3) for rank in (*ranks, -1))
    return Latency(p50_ms=p50, p95_ms=p95, p99_ms=p99, slowest_ms=slowest)


def _tallies(operation: str, log: RunLog) -> Iterator[CheckTally]:
    names = {(check, source) for name, check, source, _ in log.tallies if name == operation}
    for check, source in sorted(names):
        yield CheckTally(
            check=check,
            source=source,
            passed=log.tallies[operation, check, source, True],
            failed=log.tallies[operation, check, source, False],
        )
