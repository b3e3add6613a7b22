"""The result of a whole run, and the promises it was measured by."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from math import ceil

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.results.constraint_coverage import operation_constraints
from devportal.conformance.results.contract_coverage import contract_coverage
from devportal.conformance.results.gravity import GRAVITY_ORDER, failure_gravity
from devportal.conformance.results.result import (
    CheckTally,
    Failure,
    Latency,
    OperationResult,
    Result,
    RunWarning,
    Shard,
)
from devportal.conformance.run.confirm import RunContext, intermittent_server_errors, mark_intermittent
from devportal.conformance.run.earlier_requests import EarlierRequests
from devportal.conformance.run.failing_operations import join_failures_of_failing_operations
from devportal.conformance.run.gate import (
    never_succeeded_failures,
    schemathesis_warnings,
    unfinished_run_failures,
)
from devportal.conformance.run.joined_failures import join_failures_of_last_request, join_same_failures
from devportal.conformance.run.options import Options
from devportal.conformance.run.preflight import failure_hints
from devportal.conformance.run.run_log import RunLog
from devportal.conformance.schemathesis.events import COMPLETED, SchemathesisOutcome
from devportal.contract import Contract, Operation
from devportal.errors import Place

MOST_LINES = 5
LONGEST_LINE = 160
"""Code points of a line that are quoted; a contract on one line is quoted from the place on."""


class PromiseLines:
    """The lines of a contract's files."""

    def __init__(self, contract: Contract) -> None:
        """Take the contract; its files are divided into lines when one is asked for."""
        self._texts = {document.name: document.text for document in contract.source.documents().values()}
        self._lines: dict[str, Sequence[str]] = {}

    def at(self, place: Place | None) -> str:
        """Return the line of a place and those that belong to it, without their common indentation.

        Empty where there is no place, or it is a whole file.
        """
        if place is None or not place.line or place.file not in self._texts:
            return ""
        lines = self._lines_of(place.file)[place.line - 1 :]
        if not lines:
            return ""
        first = lines[0]
        if len(first) > LONGEST_LINE and place.column > 1:
            return _cut_line(first[place.column - 1 :].rstrip())
        return "\n".join(_quote_block(lines))

    def _lines_of(self, file: str) -> Sequence[str]:
        if file not in self._lines:
            self._lines[file] = self._texts[file].replace("\r\n", "\n").split("\n")
        return self._lines[file]


def _quote_block(lines: Sequence[str]) -> list[str]:
    indent = _indentation(lines[0])
    quoted = [_cut_line(lines[0].strip())]
    for line in lines[1:]:
        if not line.strip() or _indentation(line) <= indent:
            break
        if len(quoted) == MOST_LINES:
            return [*quoted, "…"]
        quoted.append(_cut_line(line[indent:].rstrip()))
    return quoted


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _cut_line(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


def run_result(
    options: Options,
    judge: RunContext,
    log: RunLog,
    outcome: SchemathesisOutcome,
    started_at: datetime,
    duration_s: float,
) -> Result:
    """Return the result of a run that took this many seconds."""
    subject = judge.subject
    exchanges: dict[str, list[Exchange]] = {
        operation_label(operation): [] for operation in subject.operations
    }
    for exchange in log.exchanges:
        exchanges.setdefault(exchange.operation, []).append(exchange)
    operations = tuple(
        _operation_result(operation, exchanges[operation_label(operation)], judge, log)
        for operation in subject.operations
    )
    failures = _settle_failures(options, judge, log, outcome, operations, exchanges)
    declared = [operation_label(operation) for operation in subject.api.operations]
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
        warnings=tuple(_run_warnings(subject, operations, outcome, log.exchanges)),
        gaps=tuple(log.untested_checks),
        coverage=contract_coverage(subject, exchanges, log.received_events),
        doubts=tuple(options.baseline.doubts(failures, exchanges, declared)),
        assumptions=tuple(log.assumptions),
        hints=(*log.notes, *failure_hints(subject, log.exchanges)),
        shard=Shard(number=options.selection.shard, of=options.selection.shards),
        site=options.settings.site,
        min_coverage=options.min_coverage,
    )


def sort_failures(failures: Iterable[Failure], operations: Sequence[OperationResult]) -> tuple[Failure, ...]:
    """Return failures in the order of reports: those that count first, then by gravity, then as the contract."""
    order = {operation.label: position for position, operation in enumerate(operations)}

    def position(failure: Failure) -> tuple[bool, int, int, str, str, str]:
        gravity = GRAVITY_ORDER.index(failure_gravity(failure))
        return (
            not failure.fails,
            gravity,
            order.get(failure.operation, -1),
            failure.source,
            failure.check,
            failure.title,
        )

    return tuple(sorted(failures, key=position))


def _run_warnings(
    subject: Subject,
    operations: Sequence[OperationResult],
    outcome: SchemathesisOutcome,
    exchanges: Sequence[Exchange],
) -> Iterator[RunWarning]:
    """Yield the warnings; of a run that was cut short they only tell how far it came."""
    for schemathesis_warning in schemathesis_warnings(subject, operations, outcome, exchanges):
        yield (
            schemathesis_warning
            if outcome.stop_reason == COMPLETED
            else replace(schemathesis_warning, gates=False)
        )


def _settle_failures(
    options: Options,
    judge: RunContext,
    log: RunLog,
    outcome: SchemathesisOutcome,
    operations: Sequence[OperationResult],
    exchanges: Mapping[str, Sequence[Exchange]],
) -> tuple[Failure, ...]:
    subject, lines = judge.subject, PromiseLines(judge.subject.contract)
    is_whole = outcome.stop_reason == COMPLETED
    found = [
        *log.failures,
        *(never_succeeded_failures(subject, operations, log.exchanges) if is_whole else ()),
        *unfinished_run_failures(outcome),
    ]
    settled = mark_intermittent(found)
    more = intermittent_server_errors(subject, operations, log.exchanges, settled)
    distinct = join_failures_of_failing_operations(subject, operations, exchanges, (*settled, *more))
    weighed = join_failures_of_last_request(
        join_same_failures([options.baseline.mark_known(failure) for failure in distinct])
    )
    earlier = EarlierRequests(subject, log.exchanges)
    quoted = (
        earlier.with_needed_requests(replace(failure, promise_text=lines.at(failure.promise)))
        for failure in weighed
    )
    return sort_failures(quoted, operations)


def _operation_result(
    operation: Operation, exchanges: Sequence[Exchange], judge: RunContext, log: RunLog
) -> OperationResult:
    name = operation_label(operation)
    statuses = Counter(exchange.status for exchange in exchanges)
    return OperationResult(
        id=operation.id,
        label=name,
        stability=operation.stability,
        gates=judge.gates(name),
        place=judge.subject.contract.place(operation.location),
        cases=statuses.total(),
        statuses=tuple(sorted(statuses.items())),
        checks=tuple(_check_tallies(name, log)),
        latency=measure_latency(exchanges),
        constraints=operation_constraints(judge.subject, operation, exchanges),
    )


def measure_latency(exchanges: Sequence[Exchange]) -> Latency | None:
    """Return how long the responses took (nearest-rank percentiles), None if there is none."""
    times = sorted(exchange.answer.elapsed_s * 1000 for exchange in exchanges if exchange.answer is not None)
    if not times:
        return None
    ranks = [ceil(len(times) * share / 100) - 1 for share in (50, 95, 99)]
    p50, p95, p99, slowest = (round(times[rank], 3) for rank in (*ranks, -1))
    return Latency(p50_ms=p50, p95_ms=p95, p99_ms=p99, slowest_ms=slowest)


def _check_tallies(operation: str, log: RunLog) -> Iterator[CheckTally]:
    names = {(check, source) for name, check, source, _ in log.tallies if name == operation}
    for check, source in sorted(names):
        yield CheckTally(
            check=check,
            source=source,
            passed=log.tallies[operation, check, source, True],
            failed=log.tallies[operation, check, source, False],
        )
