"""A run from its options to its result."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib.metadata import version
from itertools import islice
from typing import Any

from devportal.conformance.deployment.client import Deployment, DeploymentWentDown, RunTimeout
from devportal.conformance.deployment.exchange import SAFE_METHODS
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.expectations import ExpectedResponse, LatencyLimits, require_matches
from devportal.conformance.families.registry import all_families
from devportal.conformance.family import CheckFailure, Family, Send, send_or_none
from devportal.conformance.knowledge.requests.plain_parameters import with_plain_parameters
from devportal.conformance.knowledge.requests.request_variants import with_new_idempotency_key
from devportal.conformance.knowledge.resources.existing_values import with_existing_values
from devportal.conformance.knowledge.resources.single_resources import restored_addresses
from devportal.conformance.knowledge.subject import (
    Subject,
    exchanges_by_operation,
    has_succeeded,
    operation_label,
    require_operation_named,
)
from devportal.conformance.results.result import Failure, Result, Source, UntestedCheck
from devportal.conformance.results.run_result import run_result
from devportal.conformance.run.confirm import (
    RunContext,
    family_failures,
    schemathesis_failures,
    without_expected_failures,
)
from devportal.conformance.run.gate import went_down_failure
from devportal.conformance.run.mocks import mark_mock, missing_requirement
from devportal.conformance.run.options import Gate, Options, Selection
from devportal.conformance.run.plan import plan_run
from devportal.conformance.run.preflight import check_responds, preflight
from devportal.conformance.run.probing import (
    DirectSender,
    LoggingSender,
    check_exchanges,
    check_rude_exchanges,
    run_probes,
)
from devportal.conformance.run.run_log import RunLog, RunStep
from devportal.conformance.run.untested_checks import untested_checks
from devportal.conformance.schemathesis.comparisons import CaseHistory, is_compared
from devportal.conformance.schemathesis.events import (
    COMPLETED,
    MAX_TIME,
    WENT_DOWN,
    Case,
    SchemathesisOutcome,
)
from devportal.conformance.schemathesis.process import start_schemathesis
from devportal.conformance.webhooks.background_run import run_webhook_harness
from devportal.contract import Api, Operation, Stability
from devportal.contract.validate.validator import Validator
from devportal.errors import DeploymentError, InvalidContract, InvalidSettings, Place
from devportal.plugins import require_plugins
from devportal.project.named_contract import load_named_contract
from devportal.reporting.output import refuse_overwriting

TRIES = 3
"""How often: other tests may delete a resource of the request at the same time."""


def _retry_order(operation: Operation) -> tuple[bool, int]:
    """Return what sorts deletions to the end, and among them what is below a resource before the resource."""
    is_deletion = operation.method == "DELETE"
    return is_deletion, -operation.path.count("/") if is_deletion else 0


def retry_unused_operations(subject: Subject, send: Send, log: RunLog, known: Subject | None = None) -> None:
    """Send a valid request about existing resources to each operation that has never succeeded.

    The values of `subject` are those that the settings declare: others are looked up, after those of `known`
    have been tried: a job that was started at the beginning has ended by now.
    """
    for attempt in range(TRIES):
        own = exchanges_by_operation(subject.operations, log.exchanges)
        unused = [
            operation
            for operation in subject.operations
            if not has_succeeded(operation, own[operation_label(operation)])
        ]
        is_known = known is not None and attempt == 0
        current = (
            known
            if known is not None and is_known
            else with_existing_values(subject, send)
            if unused
            else subject
        )
        for operation in sorted(unused, key=_retry_order):
            request = current.valid(operation)
            send_or_none(
                send,
                operation,
                with_new_idempotency_key(current, operation, request) if request is not None else None,
            )


SHARE_TO_SEARCH = 0.85
"""The share of its time that a run may search for failures; the rest is left to confirm them."""
MOST_ANNOUNCED = 5
"""How many failures of Schemathesis are replayed at once, so that they show before the end of the run."""
MOST_RESPONSE_CHECKS = 3
"""How often a deployment is asked whether it is still up: one response may be lost."""


def run_checks(
    context: RunContext, log: RunLog, families: Sequence[Family], options: Options
) -> SchemathesisOutcome:
    """Test a deployment and log all failures. Return the outcome of Schemathesis."""
    outcome = SchemathesisOutcome(
        version=version("schemathesis"), stop_reason=MAX_TIME, cases=(), errors=(), warnings=()
    )
    try:
        with restored_addresses(context.subject, DirectSender(context.deployment)):
            with suppress(RunTimeout), context.deployment.limit_time(SHARE_TO_SEARCH):
                outcome = _search_failures(context, log, families, options)
            _confirm_failures(context, log, families, outcome)
            log.begin_stage("stress checks")
            sent_before = len(log.exchanges)
            for family in families:
                run_probes(family, context, log, rude=True)
            _check_is_up(context)
        for family in families:
            check_rude_exchanges(family, context, log, tuple(log.exchanges[sent_before:]))
    except RunTimeout:
        log.add_announced_failures()
        return replace(outcome, stop_reason=MAX_TIME)
    except DeploymentWentDown as error:
        log.add_announced_failures()
        log.add_failure(went_down_failure(error.message, error.last_exchange))
        return replace(outcome, stop_reason=WENT_DOWN)
    return outcome


def _check_is_up(context: RunContext) -> None:
    """Raise DeploymentWentDown if a deployment no longer responds, though it may accept connections."""
    last = context.deployment.last_exchange
    for left in reversed(range(MOST_RESPONSE_CHECKS)):
        try:
            check_responds(context.subject, context.deployment, when=" any more")
        except (RunTimeout, DeploymentWentDown):
            raise
        except DeploymentError as error:
            if not left:
                raise DeploymentWentDown(error.message, last_exchange=last, help=error.help) from error
        else:
            return


def _confirm_failures(
    context: RunContext, log: RunLog, families: Sequence[Family], outcome: SchemathesisOutcome
) -> None:
    """Replay the failures of Schemathesis and of our families, and add them."""
    log.begin_stage("replay")
    for failure in schemathesis_failures(context, outcome.cases, log.exchanges):
        log.add_failure(failure)
    for family in families:
        check_exchanges(family, context, log, tuple(log.own_exchanges))


def _search_failures(
    context: RunContext, log: RunLog, families: Sequence[Family], options: Options
) -> SchemathesisOutcome:
    log.begin_stage("checks of the toolkit")
    for family in families:
        if not family.beside:
            run_probes(family, context, log, rude=False)
    _announce_first_failures(context, log, families)
    log.begin_stage("checks of the toolkit and Schemathesis")
    with start_schemathesis(context.subject, options, max_time_s=context.deployment.remaining_s) as run:
        intake = _CaseIntake(context, log)
        is_over = not _run_concurrent_probes(
            context, log, families, lambda: intake.add_cases(run.new_cases())
        )
        intake.add_cases(run.remaining_cases())
        outcome = run.outcome()
    if not is_over:
        retry_unused_operations(
            replace(context.subject, values=options.settings.values),
            LoggingSender(context, log),
            log,
            known=context.subject,
        )
    return replace(outcome, stop_reason=MAX_TIME) if is_over else outcome


def _run_concurrent_probes(
    context: RunContext, log: RunLog, families: Sequence[Family], after_probe: Callable[[], None]
) -> bool:
    """Run the families that allow concurrent requests; return whether there was time for all."""
    try:
        for family in families:
            if family.beside:
                run_probes(family, context, log, after_probe=after_probe, rude=False)
    except RunTimeout:
        return False
    return True


def _announce_first_failures(context: RunContext, log: RunLog, families: Sequence[Family]) -> None:
    """Show the first failure of each family so far; all exchanges are checked at the end."""
    exchanges = tuple(log.exchanges)
    for family in families:
        if family.sees is None or missing_requirement(family, context.subject):
            continue
        first_failures: list[CheckFailure] = []
        with suppress(Exception):  # it is reported at the end
            first_failures += islice(family.sees(context.subject, exchanges), 1)
        for failure in family_failures(context, family, first_failures, exchanges):
            log.announce_failure(failure)


class _CaseIntake:
    """Takes the cases of Schemathesis as they come."""

    def __init__(self, context: RunContext, log: RunLog) -> None:
        self._context = context
        self._log = log
        self._history = CaseHistory()
        self._announced_kinds: set[tuple[str, str, str]] = set()

    def add_cases(self, cases: Iterable[Case]) -> None:
        """Count each case, and show the first failures at once."""
        for recorded in cases:
            case = without_expected_failures(self._context.subject, recorded)
            operation = case.exchange.operation
            for check in case.passed:
                if is_compared(check, case, self._context.subject, self._history):
                    self._log.count_check(operation, check, Source.SCHEMATHESIS, passed=True)
            self._history.add(case)
            for check in {failed_check.check for failed_check in case.failed_checks}:
                self._log.count_check(operation, check, Source.SCHEMATHESIS, passed=False)
            self._log.add_exchange(case.exchange, failures=len(case.failed_checks))
            for failure in self._new_failures(case):
                self._log.announce_failure(failure)

    def _new_failures(self, case: Case) -> Iterable[Failure]:
        kinds = {
            (failed_check.check, failed_check.code, failed_check.title) for failed_check in case.failed_checks
        } - self._announced_kinds
        if not kinds or len(self._announced_kinds) >= MOST_ANNOUNCED:
            return ()
        self._announced_kinds |= kinds
        try:
            return tuple(schemathesis_failures(self._context, [case], self._log.exchanges))
        except RunTimeout:
            return ()


def run_conformance(
    options: Options, *, now: Callable[[], datetime], on_step: Callable[[RunStep], None] = lambda _: None
) -> Result:
    """Test a deployment and return the result.

    Raises PortalError if the run cannot prove anything: no contract, no selected operation, no response, a
    rejected token.
    """
    started_at, clock = now(), time.monotonic()
    options.connection.check(started_at)
    subject, changing = load_subject(options)
    families = all_families(subject.plugins)
    mask, log = Mask.of(options.credentials), RunLog(on_step, options.baseline.mark_known)
    with Deployment(options.policy, mask=mask, connection=options.connection) as deployment:
        context = RunContext(
            subject=subject, deployment=deployment, mask=mask, gates=_gating_predicate(subject, options.gate)
        )
        log.untested_checks.extend(_read_only_gaps(changing))
        log.begin_stage("preflight")
        send = LoggingSender(context, log)
        preflight(subject, send, log)
        context = replace(context, subject=mark_mock(with_existing_values(subject, send), send, log))
        log.plan = plan_run(context.subject, options)
        with run_webhook_harness(context, options, log, partial(_is_gating, gate=options.gate)):
            outcome = run_checks(context, log, families, options)
    is_finished = outcome.stop_reason == COMPLETED
    log.untested_checks.extend([*untested_checks(families, log, is_finished=is_finished)])
    return run_result(options, context, log, outcome, started_at, time.monotonic() - clock)


def load_subject(options: Options) -> tuple[Subject, tuple[Operation, ...]]:
    """Return the subject, and the operations that a read-only run leaves out."""
    contract = with_plain_parameters(
        load_named_contract(options.contract, allow_outside_references=options.allow_outside_references)
    )
    refuse_overwriting(options.results, inputs=contract.files_at(options.contract))
    if not contract.api.operations:
        raise InvalidContract(
            "the contract has no operations to test",
            place=Place(file=str(options.contract)),
            help="add a path with an operation",
        )
    operations = options.selection.of(contract.api.operations)
    changing = tuple(
        operation
        for operation in operations
        if options.policy.is_read_only and operation.method not in SAFE_METHODS
    )
    operations = tuple(operation for operation in operations if operation not in changing)
    if not operations:
        raise InvalidSettings(
            f"every operation of {options.contract.name} that is selected can change something, and "
            "--read-only leaves nothing to ask",
            help="leave out --read-only, or select operations that read",
        )
    gates = [operation for operation in operations if _is_gating(operation, options.gate)]
    if not gates:
        levels = ", ".join(sorted({operation.stability.value for operation in operations})) or "none at all"
        raise InvalidSettings(
            f"no operation of {options.contract.name} is selected by --stability {options.gate.value}; "
            f"its operations are: {levels}",
            help="give --stability all",
        )
    subject = Subject(
        contract=contract,
        operations=operations,
        base_url=options.url,
        parties=options.credentials,
        validator=Validator(contract.api),
        conventions=options.settings.conventions,
        values=options.settings.values,
        shared=frozenset(
            map(operation_label, _shared_operations(contract.api.operations, options.settings.shared))
        ),
        plugins=_plugin_settings(contract.api, options),
        latency=_known_latency(contract.api, options.settings.latency),
        expected=_known_expectations(contract.api, options.settings.expected),
        undocumented_fails=options.settings.undocumented_fails,
    )
    return subject, changing


def _known_expectations(api: Api, expected: tuple[ExpectedResponse, ...]) -> tuple[ExpectedResponse, ...]:
    """Return expectations of operations that the contract has; raises InvalidSettings for others."""
    for expected_response in expected:
        require_operation_named(api.operations, expected_response.operation, settings_path="expected")
    return expected


def _known_latency(api: Api, latency: LatencyLimits) -> LatencyLimits:
    """Return limits for operations that the contract has; raises InvalidSettings for others."""
    patterns = (pattern for pattern, _ in latency.by_pattern)
    require_matches(api.operations, patterns, settings_path="latency.operations")
    return latency


def _plugin_settings(api: Api, options: Options) -> dict[str, Mapping[str, Any]]:
    """Return the settings of each plug-in that the contract or the settings name."""
    required = require_plugins(api.plugins, listed_in=options.contract.name)
    return {**{name: {} for name in required}, **options.settings.plugins}


def _read_only_gaps(changing: tuple[Operation, ...]) -> Iterator[UntestedCheck]:
    for operation in changing:
        yield UntestedCheck(
            check="read-only",
            reason=f"a run without --read-only, elsewhere: {operation.method} can change something",
            operation=operation_label(operation),
        )


def _shared_operations(operations: tuple[Operation, ...], patterns: tuple[str, ...]) -> tuple[Operation, ...]:
    """Return the operations that the settings declare shared by all accounts."""
    return Selection(include=patterns).of(operations) if patterns else ()


def _is_gating(operation: Operation, gate: Gate) -> bool:
    match gate:
        case Gate.ALL:
            return True
        case Gate.STABLE:
            return operation.stability is Stability.STABLE
        case Gate.BETA:
            return operation.stability is not Stability.STABLE


def _gating_predicate(subject: Subject, gate: Gate) -> Callable[[str], bool]:
    """Return a function that says whether failures under a label can fail the run; those without an
    operation can.
    """
    others = {
        operation_label(operation) for operation in subject.operations if not _is_gating(operation, gate)
    }
    return lambda name: name not in others
