"""Asks the questions of the check families, failed ones again, and groups what one probe found."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.deployment.mocks import missing_requirement
from devportal.conformance.family import CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.response_check import documents_invalid_refusal
from devportal.conformance.knowledge.test_target import operation_label
from devportal.conformance.results.result import Source, Standing, UntestedCheck
from devportal.conformance.run.confirm import RunContext, family_failures, to_failure
from devportal.conformance.run.log import RunLog
from devportal.contract import Location, Operation


@dataclass(frozen=True, slots=True)
class DirectSender:
    """The way to the deployment whose exchanges are in no log (`family.Send`)."""

    deployment: Deployment

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Send a request and return what came back."""
        return self.deployment.send(request, operation=_operation_label(operation))

    def at_once(self, operation: Operation | None, requests: Sequence[Request]) -> tuple[Exchange, ...]:
        """Send requests at the same time; return the exchanges in their order."""
        return self.deployment.at_once(requests, operation=_operation_label(operation))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.deployment.wait(seconds)


@dataclass(frozen=True, slots=True)
class LoggingSender:
    """The way to the deployment whose exchanges are all logged (`family.Send`)."""

    judge: RunContext
    log: RunLog

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Send a request and return what came back."""
        exchange = DirectSender(self.judge.deployment)(operation, request)
        self._keep(exchange)
        return exchange

    def at_once(self, operation: Operation | None, requests: Sequence[Request]) -> tuple[Exchange, ...]:
        """Send requests at the same time; return the exchanges in their order."""
        exchanges = DirectSender(self.judge.deployment).at_once(operation, requests)
        for exchange in exchanges:
            self._keep(exchange)
        return exchanges

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.judge.deployment.wait(seconds)

    def _keep(self, exchange: Exchange) -> None:
        self.log.exchange(exchange)
        self.log.own.append(exchange)


def run_probes(
    family: Family,
    judge: RunContext,
    log: RunLog,
    *,
    between: Callable[[], None] = lambda: None,
    rude: bool | None = None,
) -> None:
    """Ask the questions of a family, `between` after each: the `rude` ones, the others, or all. Ask again
    where the answer is a fault.
    """
    if reason := missing_requirement(family, judge.subject):
        if rude is not True:
            log.gaps.append(UntestedCheck(check=family.name, reason=reason))
        return
    send = LoggingSender(judge, log)
    probes = family.probes(judge.subject) if family.probes is not None else ()
    for probe in (one for one in probes if rude in (None, one.is_rude)):
        faults = _run_probe(probe, send)
        if faults is None:
            continue
        broken = [one for one in faults if not one.is_note]
        log.tally(probe.operation, family.name, Source.DEVPORTAL, passed=not broken)
        log.faults += len(broken)
        again = {fault.title: fault for fault in _run_probe(probe, send) or ()} if broken else {}
        for fault in faults:
            standing = Standing.CONFIRMED if fault.title in again else Standing.NOT_REPRODUCED
            shown = again.get(fault.title, fault)
            log.fail(to_failure(judge, family.name, shown, Standing.NOTE if fault.is_note else standing))
        between()


def check_exchanges(family: Family, judge: RunContext, log: RunLog, own: tuple[Exchange, ...]) -> None:
    """Let a family see the exchanges of the run; `own` are those of our own probes."""
    if family.sees is None or missing_requirement(family, judge.subject):
        return
    exchanges = tuple(log.exchanges) if family.sees_all else own
    faults = list(family.sees(judge.subject, exchanges))
    for operation in judge.subject.operations:
        name = operation_label(operation)
        failed = sum(1 for fault in faults if fault.operation == name)
        seen = sum(1 for one in exchanges if one.operation == name)
        log.tally(name, family.name, Source.DEVPORTAL, passed=True, count=max(seen - failed, 0))
        log.tally(name, family.name, Source.DEVPORTAL, passed=False, count=failed)
    for failure in family_failures(judge, family, faults, exchanges):
        log.fail(failure)


def _run_probe(probe: Probe, send: Send) -> list[CheckFailure] | None:
    """Return the faults that a probe found, None where it could not be sent."""
    try:
        return list(probe.run(send))
    except Unsendable:
        return None


def _operation_label(operation: Operation | None) -> str:
    return operation_label(operation) if operation is not None else ""


MOST_NAMED = 5
"""How many places a message names."""


@dataclass(slots=True)
class FailureCollector:
    """The findings about one operation, by title, the places of each in the order found."""

    operation: Operation
    promise: Location | None = None
    places: dict[str, list[str]] = field(default_factory=dict)
    evidence: dict[str, tuple[Exchange, ...]] = field(default_factory=dict)

    def add(self, title: str, place: str, *evidence: Exchange) -> None:
        """Take up a finding; the evidence of the first of a title is kept."""
        self.places.setdefault(title, []).append(f"{place} gets {evidence[-1].outcome}")
        self.evidence.setdefault(title, evidence)

    def faults(self) -> Iterator[CheckFailure]:
        """Yield one fault for each title."""
        for title, places in self.places.items():
            more = f"; and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
            yield CheckFailure(
                title=title,
                message="; ".join(places[:MOST_NAMED]) + more,
                operation=operation_label(self.operation),
                promise=self.promise or request_location(self.operation),
                evidence=self.evidence[title],
            )


def check_forbidden_requests(
    operation: Operation,
    requests: Iterable[tuple[str, Request]],
    send: Send,
    *,
    accepted: str,
    broken: str,
) -> Iterator[CheckFailure]:
    """Yield what goes wrong with requests, each with its place, that the contract forbids: `accepted` is the
    title where one succeeds although a refusal is promised, `broken` that of a server error.
    """
    gathered = FailureCollector(operation)
    for place, request in requests:
        exchange = send(operation, request)
        if exchange.answer is None:  # the family `answers` tells; each further one could take as long
            break
        if exchange.answer.is_success and documents_invalid_refusal(operation):
            gathered.add(accepted, place, exchange)
        elif exchange.status >= 500:
            gathered.add(broken, place, exchange)
    yield from gathered.faults()


def request_location(operation: Operation) -> Location:
    """Return where the contract says what a request may hold."""
    if operation.request_body is not None:
        return operation.request_body.location
    return operation.parameters[0].location if operation.parameters else operation.location
