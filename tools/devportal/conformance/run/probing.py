"""Runs the probes of the check families, failed ones again."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.subject import operation_label
from devportal.conformance.results.result import Source, Standing, UntestedCheck
from devportal.conformance.run.confirm import RunContext, family_failures, to_failure
from devportal.conformance.run.gate import broken_check_failure
from devportal.conformance.run.mocks import missing_requirement
from devportal.conformance.run.run_log import RunLog
from devportal.contract import Operation
from devportal.errors import PortalError
from devportal.unexpected_errors import is_traceback_wanted


@dataclass(frozen=True, slots=True)
class DirectSender:
    """Sends requests to the deployment without logging (`family.Send`)."""

    deployment: Deployment

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Send a request and return the exchange."""
        return self.deployment.send(request, operation=_operation_label(operation))

    def at_once(self, operation: Operation | None, requests: Sequence[Request]) -> tuple[Exchange, ...]:
        """Send requests at the same time; return the exchanges in their order."""
        return self.deployment.at_once(requests, operation=_operation_label(operation))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.deployment.wait(seconds)


@dataclass(frozen=True, slots=True)
class LoggingSender:
    """Sends requests to the deployment and logs all exchanges (`family.Send`)."""

    context: RunContext
    log: RunLog

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Send a request and return the exchange."""
        exchange = DirectSender(self.context.deployment)(operation, request)
        self._log_exchange(exchange)
        return exchange

    def at_once(self, operation: Operation | None, requests: Sequence[Request]) -> tuple[Exchange, ...]:
        """Send requests at the same time; return the exchanges in their order."""
        exchanges = DirectSender(self.context.deployment).at_once(operation, requests)
        for exchange in exchanges:
            self._log_exchange(exchange)
        return exchanges

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.context.deployment.wait(seconds)

    def _log_exchange(self, exchange: Exchange) -> None:
        self.log.add_exchange(exchange)
        self.log.own_exchanges.append(exchange)


@dataclass(frozen=True, slots=True)
class _GoingOnAfterErrors(AbstractContextManager[None]):
    """Logs a failure for an exception in its block that nobody expected, such as one of a plug-in: what all other
    checks find is not lost for it. With DEVPORTAL_DEBUG, the run ends with its traceback.
    """

    log: RunLog
    family: Family
    operation: str = ""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Return whether the run goes on."""
        if not isinstance(error, Exception) or isinstance(error, PortalError | Unsendable):
            return False
        if is_traceback_wanted():
            return False
        self.log.add_failure(broken_check_failure(self.family.name, self.operation, error))
        return True


def run_probes(
    family: Family,
    context: RunContext,
    log: RunLog,
    *,
    after_probe: Callable[[], None] = lambda: None,
    rude: bool | None = None,
) -> None:
    """Run the probes of a family: the `rude` ones, the others, or all. Call `after_probe` after each. Run a
    failed probe again.
    """
    if reason := missing_requirement(family, context.subject):
        if rude is not True:
            log.untested_checks.append(UntestedCheck(check=family.name, reason=reason))
        return
    with _GoingOnAfterErrors(log, family):
        for probe in family.probes(context.subject) if family.probes is not None else ():
            if rude not in (None, probe.is_rude):
                continue
            is_tested = False
            with _GoingOnAfterErrors(log, family, probe.operation):
                is_tested = _run_twice_if_failed(probe, family, context, log)
            if is_tested:
                after_probe()
    if rude is not False and family.sees is None:
        log.finished_checks.add(family.name)


def _run_twice_if_failed(probe: Probe, family: Family, context: RunContext, log: RunLog) -> bool:
    """Run a probe, again if it fails, and log what it finds; return whether it compared anything."""
    send = LoggingSender(context, log)
    failures, needs = run_probe(probe, send)
    if needs and not failures:
        log.untested_probes.setdefault((family.name, probe.operation), needs)
        return False
    counted = [failure for failure in failures if not failure.is_note]
    log.count_check(probe.operation, family.name, Source.DEVPORTAL, passed=not counted)
    log.failure_count += len(counted)
    again = run_probe(probe, send)[0] if counted else ()
    repeated_failures = {(failure.title, failure.promise): failure for failure in again}
    for failure in failures:
        repeated = repeated_failures.get((failure.title, failure.promise))
        standing = Standing.CONFIRMED if repeated is not None else Standing.NOT_REPRODUCED
        shown = repeated or failure
        log.add_failure(
            to_failure(context, family.name, shown, Standing.NOTE if failure.is_note else standing)
        )
    return True


def check_exchanges(
    family: Family, context: RunContext, log: RunLog, own_exchanges: tuple[Exchange, ...]
) -> None:
    """Let a family check the exchanges of the run; `own_exchanges` are those of our probes."""
    if family.sees is None or missing_requirement(family, context.subject):
        return
    exchanges = tuple(log.exchanges) if family.sees_all else own_exchanges
    failures = _failures_seen(family, context, log, exchanges)
    if failures is None:
        return
    for operation in context.subject.operations:
        name = operation_label(operation)
        failed = sum(1 for failure in failures if failure.operation == name)
        seen = sum(
            1
            for exchange in exchanges
            if exchange.operation == name and family.compares(context.subject, exchange)
        )
        log.count_check(name, family.name, Source.DEVPORTAL, passed=True, count=max(seen - failed, 0))
        log.count_check(name, family.name, Source.DEVPORTAL, passed=False, count=failed)
    log.finished_checks.add(family.name)
    confirmed_before = {
        (failure.operation, failure.title)
        for failure in log.failures
        if failure.check == family.name and failure.standing is Standing.CONFIRMED
    }
    for failure in family_failures(context, family, failures, exchanges):
        # A probe that changes a resource confirms what two readings, sent again, cannot show.
        is_repeated = failure.standing is Standing.NOT_REPRODUCED
        if not (is_repeated and (failure.operation, failure.title) in confirmed_before):
            log.add_failure(failure)


def check_rude_exchanges(
    family: Family, context: RunContext, log: RunLog, exchanges: tuple[Exchange, ...]
) -> None:
    """Let a family check what rude probes provoked; a failure that it found before is not repeated."""
    if family.sees is None or not family.sees_rude or missing_requirement(family, context.subject):
        return
    titles = {failure.title for failure in log.failures if failure.check == family.name}
    seen = _failures_seen(family, context, log, exchanges) or ()
    failures = [failure for failure in seen if failure.title not in titles]
    for failure in failures:
        log.count_check(failure.operation, family.name, Source.DEVPORTAL, passed=False)
    for confirmed in family_failures(context, family, failures, exchanges):
        log.add_failure(confirmed)


def _failures_seen(
    family: Family, context: RunContext, log: RunLog, exchanges: tuple[Exchange, ...]
) -> list[CheckFailure] | None:
    """Return what a family finds wrong in exchanges, None if it ended with an error."""
    with _GoingOnAfterErrors(log, family):
        return list(family.sees(context.subject, exchanges)) if family.sees is not None else []
    return None


def run_probe(probe: Probe, send: Send) -> tuple[list[CheckFailure], str]:
    """Return the failures that a probe found, and what it would need if it could not end."""
    failures: list[CheckFailure] = []
    try:
        failures.extend(probe.run(send))
    except Unsendable as error:
        return failures, str(error)
    return failures, ""


def _operation_label(operation: Operation | None) -> str:
    return operation_label(operation) if operation is not None else ""
