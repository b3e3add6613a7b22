"""One run, from options to result: preflight, our probes, Schemathesis, replay, gate."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from devportal.conformance.confirm import Judge, excused, failure_of, family_failures, schemathesis_failures
from devportal.conformance.deployment import Deployment, Unsendable
from devportal.conformance.events import Case, Outcome
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.gate import unfinished, vacuous, warned
from devportal.conformance.masking import Mask
from devportal.conformance.options import Gate, Options
from devportal.conformance.preflight import check_answers, check_credentials
from devportal.conformance.result import CheckTally, Failure, OperationResult, Result, Source, Standing
from devportal.conformance.schemathesis_run import run_schemathesis
from devportal.conformance.subject import Family, Fault, Probe, Send, Subject, label
from devportal.contract import Operation, Stability, load_contract
from devportal.contract.validation import Validator
from devportal.errors import InvalidSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How far a run is: what it does now, how many requests it has sent, how many faults it has seen."""

    stage: str
    sent: int
    faults: int


@dataclass(slots=True)
class _Log:
    """What happens during a run, gathered as it happens."""

    on_step: Callable[[Step], None]
    stage: str = ""
    exchanges: list[Exchange] = field(default_factory=list)
    faults: int = 0
    failures: list[Failure] = field(default_factory=list)
    tallies: Counter[tuple[str, str, Source, bool]] = field(default_factory=Counter)
    """How often which check of whom on which operation passed or failed."""

    def enter(self, stage: str) -> None:
        self.stage = stage
        self._tell()

    def exchange(self, exchange: Exchange, faults: int = 0) -> None:
        self.exchanges.append(exchange)
        self.faults += faults
        self._tell()

    def tally(self, operation: str, check: str, source: Source, *, passed: bool) -> None:
        self.tallies[operation, check, source, passed] += 1

    def _tell(self) -> None:
        self.on_step(Step(stage=self.stage, sent=len(self.exchanges), faults=self.faults))


def run_conformance(
    options: Options, *, now: Callable[[], datetime], on_step: Callable[[Step], None] = lambda _: None
) -> Result:
    """Test a deployment and return the result.

    Raises PortalError where the run cannot tell anything: no contract, nothing selected, no answer, a
    token that is refused.
    """
    started_at, clock = now(), time.monotonic()
    subject = _subject(options)
    mask, log = Mask(options.token), _Log(on_step)
    with Deployment(
        timeout_s=options.request_timeout_s, mask=mask, max_time_s=options.max_time_s
    ) as deployment:
        judge = Judge(subject=subject, deployment=deployment, mask=mask, gates=_gates(subject, options.gate))
        log.enter("preflight")
        check_answers(subject, deployment)
        check_credentials(subject, deployment)
        log.enter("our checks")
        for family in FAMILIES:
            _probe(family, judge, log)
        own = tuple(log.exchanges)
        log.enter("Schemathesis")
        outcome = run_schemathesis(
            subject.api, subject.operations, options, on_case=lambda case: _note(excused(subject, case), log)
        )
        log.enter("replay")
        log.failures += schemathesis_failures(judge, outcome.cases)
        for family in FAMILIES:
            _look(family, judge, log, own)
        check_answers(subject, deployment, when=" any more: it went down during the run")
    return _result(options, judge, log, outcome, started_at, time.monotonic() - clock)


def _subject(options: Options) -> Subject:
    contract = load_contract(options.contract)
    operations = contract.api.operations
    gates = [one for one in operations if _is_gating(one, options.gate)]
    if not gates:
        levels = ", ".join(sorted({one.stability.value for one in operations})) or "none at all"
        raise InvalidSettings(
            f"no operation of {options.contract.name} is selected by --stability {options.gate.value}; "
            f"its operations are: {levels}",
            help="give --stability all",
        )
    return Subject(
        contract=contract,
        operations=operations,
        base_url=options.url,
        token=options.token,
        validator=Validator(contract.api),
    )


def _is_gating(operation: Operation, gate: Gate) -> bool:
    match gate:
        case Gate.ALL:
            return True
        case Gate.STABLE:
            return operation.stability is Stability.STABLE
        case Gate.BETA:
            return operation.stability is not Stability.STABLE


def _gates(subject: Subject, gate: Gate) -> Callable[[str], bool]:
    """Return whether a label's failures can make the run red; what belongs to no operation can."""
    others = {label(one) for one in subject.operations if not _is_gating(one, gate)}
    return lambda name: name not in others


def _probe(family: Family, judge: Judge, log: _Log) -> None:
    """Ask every question of a family; ask again where the answer is a fault."""
    send = _sender(judge, log)
    for probe in family.probes(judge.subject) if family.probes is not None else ():
        faults = _asked(probe, send)
        if faults is None:
            continue
        log.tally(probe.operation, family.name, Source.DEVPORTAL, passed=not faults)
        again = {fault.title: fault for fault in _asked(probe, send) or ()} if faults else {}
        for fault in faults:
            standing = Standing.CONFIRMED if fault.title in again else Standing.NOT_REPRODUCED
            shown = again.get(fault.title, fault)
            log.faults += 1
            log.failures.append(failure_of(judge, family.name, shown, standing, count=1))


def _asked(probe: Probe, send: Send) -> list[Fault] | None:
    """Return the faults that a probe found, None where it could not be sent."""
    try:
        return list(probe.run(send))
    except Unsendable:
        return None


def _sender(judge: Judge, log: _Log) -> Send:
    def send(operation: Operation | None, request: Request) -> Exchange:
        exchange = judge.deployment.send(request, operation=label(operation) if operation else "")
        log.exchange(exchange)
        return exchange

    return send


def _note(case: Case, log: _Log) -> None:
    """Take up one case of Schemathesis as it comes."""
    operation = case.exchange.operation
    for check in case.passed:
        log.tally(operation, check, Source.SCHEMATHESIS, passed=True)
    for check in {one.check for one in case.deviations}:
        log.tally(operation, check, Source.SCHEMATHESIS, passed=False)
    log.exchange(case.exchange, faults=len(case.deviations))


def _look(family: Family, judge: Judge, log: _Log, own: tuple[Exchange, ...]) -> None:
    """Let a family see the exchanges of the run."""
    if family.sees is None:
        return
    exchanges = tuple(log.exchanges) if family.sees_all else own
    faults = list(family.sees(judge.subject, exchanges))
    for operation in judge.subject.operations:
        failed = sum(1 for fault in faults if fault.operation == label(operation))
        seen = sum(1 for one in exchanges if one.operation == label(operation))
        key = (label(operation), family.name, Source.DEVPORTAL)
        log.tallies[(*key, True)] += max(seen - failed, 0)
        log.tallies[(*key, False)] += failed
    log.failures += family_failures(judge, family, faults, exchanges)


def _result(
    options: Options, judge: Judge, log: _Log, outcome: Outcome, started_at: datetime, duration_s: float
) -> Result:
    subject = judge.subject
    operations = tuple(_operation(one, judge, log) for one in subject.operations)
    failures = [*log.failures, *vacuous(subject, operations), *unfinished(outcome)]
    order = {one.label: position for position, one in enumerate(operations)}
    failures.sort(
        key=lambda one: (not one.fails, order.get(one.operation, -1), one.source, one.check, one.title)
    )
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
        duration_s=duration_s,
        operations=operations,
        failures=tuple(failures),
        warnings=tuple(warned(subject, operations, outcome)),
    )


def _operation(operation: Operation, judge: Judge, log: _Log) -> OperationResult:
    name = label(operation)
    statuses = Counter(one.status for one in log.exchanges if one.operation == name)
    return OperationResult(
        id=operation.id,
        label=name,
        stability=operation.stability,
        gates=judge.gates(name),
        place=judge.subject.contract.place(operation.location),
        cases=statuses.total(),
        statuses=tuple(sorted(statuses.items())),
        checks=tuple(_tallies(name, log)),
    )


def _tallies(operation: str, log: _Log) -> Iterator[CheckTally]:
    names = {(check, source) for name, check, source, _ in log.tallies if name == operation}
    for check, source in sorted(names):
        yield CheckTally(
            check=check,
            source=source,
            passed=log.tallies[operation, check, source, True],
            failed=log.tallies[operation, check, source, False],
        )
