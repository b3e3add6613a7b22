"""Asks the questions of the families, and asks once more where an answer is a fault."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from devportal.conformance.confirm import Judge, failure_of, family_failures
from devportal.conformance.deployment import Deployment
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Family, Fault, Probe, Send
from devportal.conformance.line import Unsendable
from devportal.conformance.mocks import lacking
from devportal.conformance.result import Gap, Source, Standing
from devportal.conformance.run_log import RunLog
from devportal.conformance.subject import label
from devportal.contract import Operation


@dataclass(frozen=True, slots=True)
class Direct:
    """The way to the deployment whose exchanges are in no log (`family.Send`)."""

    deployment: Deployment

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Send a request and return what came back."""
        return self.deployment.send(request, operation=_name(operation))

    def at_once(self, operation: Operation | None, requests: Sequence[Request]) -> tuple[Exchange, ...]:
        """Send requests at the same time; return the exchanges in their order."""
        return self.deployment.at_once(requests, operation=_name(operation))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.deployment.wait(seconds)


@dataclass(frozen=True, slots=True)
class Sender:
    """The way to the deployment whose exchanges are all logged (`family.Send`)."""

    judge: Judge
    log: RunLog

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Send a request and return what came back."""
        exchange = Direct(self.judge.deployment)(operation, request)
        self._keep(exchange)
        return exchange

    def at_once(self, operation: Operation | None, requests: Sequence[Request]) -> tuple[Exchange, ...]:
        """Send requests at the same time; return the exchanges in their order."""
        exchanges = Direct(self.judge.deployment).at_once(operation, requests)
        for exchange in exchanges:
            self._keep(exchange)
        return exchanges

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.judge.deployment.wait(seconds)

    def _keep(self, exchange: Exchange) -> None:
        self.log.exchange(exchange)
        self.log.own.append(exchange)


def ask(
    family: Family,
    judge: Judge,
    log: RunLog,
    *,
    between: Callable[[], None] = lambda: None,
    rude: bool | None = None,
) -> None:
    """Ask the questions of a family, `between` after each: the `rude` ones, the others, or all. Ask again
    where the answer is a fault.
    """
    if reason := lacking(family, judge.subject):
        if rude is not True:
            log.gaps.append(Gap(check=family.name, reason=reason))
        return
    send = Sender(judge, log)
    probes = family.probes(judge.subject) if family.probes is not None else ()
    for probe in (one for one in probes if rude in (None, one.is_rude)):
        faults = _asked(probe, send)
        if faults is None:
            continue
        broken = [one for one in faults if not one.is_note]
        log.tally(probe.operation, family.name, Source.DEVPORTAL, passed=not broken)
        log.faults += len(broken)
        again = {fault.title: fault for fault in _asked(probe, send) or ()} if broken else {}
        for fault in faults:
            standing = Standing.CONFIRMED if fault.title in again else Standing.NOT_REPRODUCED
            shown = again.get(fault.title, fault)
            log.fail(failure_of(judge, family.name, shown, Standing.NOTE if fault.is_note else standing))
        between()


def look(family: Family, judge: Judge, log: RunLog, own: tuple[Exchange, ...]) -> None:
    """Let a family see the exchanges of the run; `own` are those of our own probes."""
    if family.sees is None or lacking(family, judge.subject):
        return
    exchanges = tuple(log.exchanges) if family.sees_all else own
    faults = list(family.sees(judge.subject, exchanges))
    for operation in judge.subject.operations:
        name = label(operation)
        failed = sum(1 for fault in faults if fault.operation == name)
        seen = sum(1 for one in exchanges if one.operation == name)
        log.tally(name, family.name, Source.DEVPORTAL, passed=True, count=max(seen - failed, 0))
        log.tally(name, family.name, Source.DEVPORTAL, passed=False, count=failed)
    for failure in family_failures(judge, family, faults, exchanges):
        log.fail(failure)


def _asked(probe: Probe, send: Send) -> list[Fault] | None:
    """Return the faults that a probe found, None where it could not be sent."""
    try:
        return list(probe.run(send))
    except Unsendable:
        return None


def _name(operation: Operation | None) -> str:
    return label(operation) if operation is not None else ""
