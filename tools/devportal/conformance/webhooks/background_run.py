"""Runs the webhook harness beside the other checks: it starts early and reports at the end."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.credentials import VARIABLES, Role
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.deployment.masking import Mask, Placeholder
from devportal.conformance.family import CheckFailure
from devportal.conformance.results.result import Source, Standing, UntestedCheck
from devportal.conformance.run.confirm import RunContext, to_failure
from devportal.conformance.run.options import Options
from devportal.conformance.run.probing import DirectSender
from devportal.conformance.run.run_log import RunLog
from devportal.conformance.webhooks.checks import WEBHOOK_CHECKS, log, readings
from devportal.conformance.webhooks.checks.check import WebhookCheck
from devportal.conformance.webhooks.plan import WebhookPlan
from devportal.conformance.webhooks.planning import PlannedWebhooks, plan_webhooks
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenario_run import ScenarioRunner, read_triggered_resource
from devportal.conformance.webhooks.scenarios import missing_time_reasons, plan_scenarios
from devportal.contract import Operation
from devportal.errors import InvalidSettings, PortalError

FIRST_CHECK = "webhook-arrival"
"""The check that is reported if the harness could not run."""
SECRET_NAME = "DEVPORTAL_WEBHOOK_SECRET_TOKEN"
"""The name that replaces the secret of an endpoint in all output."""


@dataclass(slots=True)
class WebhookHarness:
    """The results of all scenarios: of the first play, and of a second one for those with failures."""

    plan: WebhookPlan
    planned: PlannedWebhooks
    context: RunContext
    runner: ScenarioRunner
    is_gating: Callable[[Operation], bool]
    results: tuple[ScenarioResult, ...] = ()
    repeated_results: tuple[ScenarioResult, ...] = ()
    error_text: str = ""

    def play(self) -> None:
        """Play every scenario, and those with failures again."""
        try:
            self.results = self.runner.play(
                plan_scenarios(self.plan, has_other_account=self.has_other_account)
            )
            failed_scenarios = [result.scenario for result in self.results if _check_scenario(result)]
            if failed_scenarios and not self.runner.stop_requested.is_set():
                self.repeated_results = self.runner.play(failed_scenarios)
        except (PortalError, Unsendable) as error:
            self.error_text = str(error)

    @property
    def has_other_account(self) -> bool:
        """Return whether the run has the credential of another account."""
        return self.context.subject.other(Role.OTHER_TENANT) is not None

    def log_results(self, run_log: RunLog) -> None:
        """Write the results into the log of the run."""
        if self.planned.assumption:
            run_log.assumptions.append(self.planned.assumption)
        for reason in missing_time_reasons(self.plan):
            run_log.untested_checks.append(UntestedCheck(check="webhook-retries", reason=reason))
        for reason in dict.fromkeys([*self.runner.untested_reasons, *filter(None, [self.error_text])]):
            run_log.untested_checks.append(UntestedCheck(check=FIRST_CHECK, reason=reason))
        if not self.has_other_account:
            reason = f"a token of another tenant: set {VARIABLES[Role.OTHER_TENANT]}"
            run_log.untested_checks.append(UntestedCheck(check="webhook-tenants", reason=reason))
        for result in self.results:
            known = (
                delivery for delivery in result.deliveries if result.event_operation(delivery) is not None
            )
            run_log.received_events.update(
                self.plan.matcher.contract_name(delivery.event) for delivery in known
            )
        for check in WEBHOOK_CHECKS:
            self._log_check(check, run_log)

    def _log_check(self, check: WebhookCheck, run_log: RunLog) -> None:
        repeated_titles = {
            failure.title for result in self.repeated_results for failure in check.find_failures(result)
        }
        by_title: dict[tuple[str, str], list[tuple[ScenarioResult, CheckFailure]]] = {}
        is_compared = False
        for result in self.results:
            failures = list(check.find_failures(result))
            if failures or check.compares(result):
                is_compared = True
                run_log.count_check(
                    result.trigger.operation, check.family.name, Source.DEVPORTAL, passed=not failures
                )
            for failure in failures:
                by_title.setdefault((failure.operation, failure.title), []).append((result, failure))
        if not is_compared and all(
            untested_check.check != check.family.name for untested_check in run_log.untested_checks
        ):
            run_log.untested_checks.append(
                UntestedCheck(check=check.family.name, reason=check.needs(self.plan, self.results))
            )
        for (_, title), members in by_title.items():
            result, failure = members[0]
            standing = Standing.CONFIRMED if title in repeated_titles else Standing.NOT_REPRODUCED
            run_failure = to_failure(
                self.context, check.family.name, _mask_failure(self.context.mask, result, failure), standing
            )
            is_gating = any(self._can_gate(scenario_result) for scenario_result, _ in members)
            run_log.failure_count += 1
            run_log.add_failure(
                replace(run_failure, count=len(members), gates=run_failure.gates and is_gating)
            )

    def _can_gate(self, result: ScenarioResult) -> bool:
        """Return whether the events of a result are stable enough to fail the run."""
        described = (self.plan.event_operation(event.name) for event in result.scenario.trigger.events)
        return any(operation is not None and self.is_gating(operation) for operation in described)


@contextmanager
def run_webhook_harness(
    context: RunContext, options: Options, run_log: RunLog, is_gating: Callable[[Operation], bool]
) -> Iterator[None]:
    """Play the scenarios beside the block, and write the results into the log at its end. Raises
    InvalidSettings for names in the settings that the contract does not have, and for secrets that are
    missing or cannot be read.
    """
    planned = plan_webhooks(context.subject, options.settings.webhooks)
    plan = planned.plan
    if plan is None:
        if planned.missing:
            run_log.untested_checks += [
                UntestedCheck(check=webhook_check.family.name, reason=planned.missing)
                for webhook_check in WEBHOOK_CHECKS
            ]
        yield
        return
    secret = _require_variable(plan.secret_variable, "webhooks.secret") if plan.secret_variable else ""
    if secret and plan.scheme is not None:
        plan.scheme.key(secret)
    with (
        Deployment(options.policy, mask=Mask(), connection=options.connection) as deployment,
        Deployment(options.policy, mask=Mask(), connection=options.connection) as second_connection,
    ):
        # On its own connection and without logging: its exchanges hold secrets of endpoints.
        send = DirectSender(deployment)
        runner = ScenarioRunner(
            plan=plan,
            subject=context.subject,
            send=send,
            read_now=_concurrent_reader(DirectSender(second_connection)),
            secret=secret,
            is_settled=lambda result: (
                not any(
                    True for module_type in (log, readings) for _ in module_type.CHECK.find_failures(result)
                )
            ),
            advance_clock=_clock_advancer(plan, context.subject.base_url, send),
        )
        harness = WebhookHarness(
            plan=plan, planned=planned, context=context, runner=runner, is_gating=is_gating
        )
        with ThreadPoolExecutor(max_workers=1) as threads:
            future = threads.submit(harness.play)
            try:
                yield
            except BaseException:
                runner.stop_requested.set()
                raise
            future.result()
    harness.log_results(run_log)


def _check_scenario(result: ScenarioResult) -> list[CheckFailure]:
    return [failure for check in WEBHOOK_CHECKS for failure in check.find_failures(result)]


def _mask_failure(mask: Mask, result: ScenarioResult, failure: CheckFailure) -> CheckFailure:
    """Return a failure without the secrets of its endpoint and those of the run."""
    placeholders = (
        Placeholder(secret=secret, name=SECRET_NAME) for secret in result.endpoint.secrets if secret
    )
    mask_all = Mask((*mask.placeholders, *placeholders))
    return replace(
        failure,
        message=mask_all.text(failure.message),
        evidence=tuple(map(mask_all.exchange, failure.evidence)),
    )


def _concurrent_reader(send: DirectSender) -> Callable[[ScenarioResult], Exchange | None]:
    """Return a function that reads the resource of a result, whatever thread calls it."""
    lock = threading.Lock()

    def read_now(result: ScenarioResult) -> Exchange | None:
        with lock:
            try:
                return read_triggered_resource(result, send)
            except PortalError:
                return None

    return read_now


def _clock_advancer(plan: WebhookPlan, base_url: str, send: DirectSender) -> Callable[[], None]:
    """Return a function that advances the clock of the deployment; it does nothing if the clock is real."""
    clock = plan.clock
    if clock is None:
        return lambda: None
    token = _require_variable(clock.variable, "webhooks.clock") if clock.variable else ""
    request = Request(
        method=clock.method,
        url=clock.url if "://" in clock.url else base_url + clock.url,
        headers=(
            ("Content-Type", "application/json"),
            *((("Authorization", f"Bearer {token}"),) if token else ()),
        ),
        body=json.dumps(clock.body).encode() if clock.body is not None else None,
    )

    def advance_clock() -> None:
        send(None, request)

    return advance_clock


def _require_variable(name: str, settings_path: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        raise InvalidSettings(
            f"{settings_path}: the environment variable {name} is empty", help="set it, or take it out"
        )
    return value
