"""One run, from options to result: preflight, stocking, what is tested (`testing`), the result."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.deployment.mocks import mark_mock
from devportal.conformance.deployment.pace import SAFE_METHODS
from devportal.conformance.families.registry import all_families
from devportal.conformance.knowledge.path_values import with_existing_values
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.results.result import Result, UntestedCheck
from devportal.conformance.results.run_result import run_result
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.log import RunLog, RunStep
from devportal.conformance.run.options import Gate, Options, Selection
from devportal.conformance.run.preflight import preflight
from devportal.conformance.run.probing import LoggingSender
from devportal.conformance.run.testing import run_checks
from devportal.conformance.webhooks.beside import run_webhook_harness
from devportal.contract import Api, Operation, Stability, load_contract
from devportal.contract.validate.validator import Validator
from devportal.errors import InvalidSettings
from devportal.plugins import require_plugins


def run_conformance(
    options: Options, *, now: Callable[[], datetime], on_step: Callable[[RunStep], None] = lambda _: None
) -> Result:
    """Test a deployment and return the result.

    Raises PortalError where the run cannot tell anything: no contract, nothing selected, no answer, a
    token that is refused.
    """
    started_at, clock = now(), time.monotonic()
    options.connection.check(started_at)
    subject, changing = _load_subject(options)
    families = all_families(subject.plugins)
    mask, log = Mask.of(options.parties), RunLog(on_step, options.baseline.weighed)
    with Deployment(options.manners, mask=mask, connection=options.connection) as deployment:
        judge = RunContext(
            subject=subject, deployment=deployment, mask=mask, gates=_gating_predicate(subject, options.gate)
        )
        log.gaps.extend(_read_only_gaps(changing))
        log.enter("preflight")
        send = LoggingSender(judge, log)
        preflight(subject, send, log)
        judge = replace(judge, subject=mark_mock(with_existing_values(subject, send), send, log))
        with run_webhook_harness(judge, options, log, partial(_is_gating, gate=options.gate)):
            outcome = run_checks(judge, log, families, options)
    return run_result(options, judge, log, outcome, started_at, time.monotonic() - clock)


def _load_subject(options: Options) -> tuple[Subject, tuple[Operation, ...]]:
    """Return what is tested, and the operations that a run which only reads leaves out."""
    contract = load_contract(options.contract)
    operations = options.selection.of(contract.api.operations)
    changing = tuple(
        one for one in operations if options.manners.is_read_only and one.method not in SAFE_METHODS
    )
    operations = tuple(one for one in operations if one not in changing)
    if not operations:
        raise InvalidSettings(
            f"every operation of {options.contract.name} that is selected can change something, and "
            "--read-only leaves nothing to ask",
            help="leave out --read-only, or select operations that read",
        )
    gates = [one for one in operations if _is_gating(one, options.gate)]
    if not gates:
        levels = ", ".join(sorted({one.stability.value for one in operations})) or "none at all"
        raise InvalidSettings(
            f"no operation of {options.contract.name} is selected by --stability {options.gate.value}; "
            f"its operations are: {levels}",
            help="give --stability all",
        )
    subject = Subject(
        contract=contract,
        operations=operations,
        base_url=options.url,
        parties=options.parties,
        validator=Validator(contract.api),
        conventions=options.settings.conventions,
        values=options.settings.values,
        shared=frozenset(
            map(operation_label, _shared_operations(contract.api.operations, options.settings.shared))
        ),
        plugins=_plugin_settings(contract.api, options),
        slowest_p95_ms=options.settings.slowest_p95_ms,
        undocumented_fails=options.settings.undocumented_fails,
    )
    return subject, changing


def _plugin_settings(api: Api, options: Options) -> dict[str, Mapping[str, Any]]:
    """Return the settings of each plug-in that the contract or the settings name."""
    named = require_plugins(api.plugins, listed_in=options.contract.name)
    return {**{name: {} for name in named}, **options.settings.plugins}


def _read_only_gaps(changing: tuple[Operation, ...]) -> Iterator[UntestedCheck]:
    for operation in changing:
        yield UntestedCheck(
            check="read-only",
            reason=f"a run without --read-only, elsewhere: {operation.method} can change something",
            operation=operation_label(operation),
        )


def _shared_operations(operations: tuple[Operation, ...], patterns: tuple[str, ...]) -> tuple[Operation, ...]:
    """Return the operations on things that every account sees, as the settings say."""
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
    """Return whether a label's failures can make the run red; what belongs to no operation can."""
    others = {operation_label(one) for one in subject.operations if not _is_gating(one, gate)}
    return lambda name: name not in others
