"""Runs the webhook harness beside the other checks: begun early, told late."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.credentials import VARIABLES, Role
from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.deployment.masking import Mask, Placeholder
from devportal.conformance.family import CheckFailure
from devportal.conformance.results.result import Source, Standing, UntestedCheck
from devportal.conformance.run.confirm import RunContext, to_failure
from devportal.conformance.run.log import RunLog
from devportal.conformance.run.options import Options
from devportal.conformance.run.probing import DirectSender
from devportal.conformance.webhooks.checks import WEBHOOK_CHECKS, log
from devportal.conformance.webhooks.checks.check import WebhookCheck
from devportal.conformance.webhooks.plan import WebhookPlan, parse_plan, promised_events
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenario_run import ScenarioRunner
from devportal.conformance.webhooks.scenarios import missing_time_reasons, plan_scenarios
from devportal.contract import Operation
from devportal.errors import InvalidSettings, PortalError

FIRST_CHECK = "webhook-arrival"
"""The check that is named where none of them could be made."""
SECRET_NAME = "DEVPORTAL_WEBHOOK_SECRET_TOKEN"
"""What stands for the secret of an endpoint in what is shown."""
UNDECLARED = (
    "`webhooks` in the settings, with `triggers` and `subscribe` or `receiver`: the contract promises "
    "events, and how to receive them is not in it"
)


@dataclass(slots=True)
class WebhookHarness:
    """Everything that was played, and what the checks said of it: the first time, and again where faulty."""

    plan: WebhookPlan
    judge: RunContext
    stage: ScenarioRunner
    is_gating: Callable[[Operation], bool]
    stories: tuple[ScenarioResult, ...] = ()
    again: tuple[ScenarioResult, ...] = ()
    trouble: str = ""

    def play(self) -> None:
        """Play every scenario, and those in which something was wrong once more."""
        try:
            self.stories = self.stage.play(plan_scenarios(self.plan, has_stranger=self.has_stranger))
            faulty = [one.scenario for one in self.stories if _check_scenario(one)]
            if faulty and not self.stage.is_over.is_set():
                self.again = self.stage.play(faulty)
        except (PortalError, Unsendable) as trouble:
            self.trouble = str(trouble)

    @property
    def has_stranger(self) -> bool:
        """Say whether somebody else is there to be kept apart."""
        return self.judge.subject.other(Role.OTHER_TENANT) is not None

    def tell(self, into: RunLog) -> None:
        """Write into the log of the run what was found."""
        for reason in missing_time_reasons(self.plan):
            into.untested_checks.append(UntestedCheck(check="webhook-retries", reason=reason))
        for reason in dict.fromkeys([*self.stage.gaps, *filter(None, [self.trouble])]):
            into.untested_checks.append(UntestedCheck(check=FIRST_CHECK, reason=reason))
        if not self.has_stranger:
            reason = f"a token of another tenant: set {VARIABLES[Role.OTHER_TENANT]}"
            into.untested_checks.append(UntestedCheck(check="webhook-tenants", reason=reason))
        for story in self.stories:
            into.received_events.update(
                one.event for one in story.deliveries if one.event in self.plan.events
            )
        for check in WEBHOOK_CHECKS:
            self._tell(check, into)

    def _tell(self, check: WebhookCheck, into: RunLog) -> None:
        again = {fault.title for story in self.again for fault in check.judge(story)}
        found: dict[tuple[str, str], list[tuple[ScenarioResult, CheckFailure]]] = {}
        for story in self.stories:
            faults = list(check.judge(story))
            into.count_check(story.trigger.operation, check.family.name, Source.DEVPORTAL, passed=not faults)
            for fault in faults:
                found.setdefault((fault.operation, fault.title), []).append((story, fault))
        for (_, title), members in found.items():
            story, fault = members[0]
            standing = Standing.CONFIRMED if title in again else Standing.NOT_REPRODUCED
            failure = to_failure(
                self.judge, check.family.name, _mask_failure(self.judge.mask, story, fault), standing
            )
            is_gating = any(self._gates(one) for one, _ in members)
            into.failure_count += 1
            into.add_failure(replace(failure, count=len(members), gates=failure.gates and is_gating))

    def _gates(self, story: ScenarioResult) -> bool:
        """Say whether the events of a story are as stable as the run asks for."""
        return any(self.is_gating(self.plan.events[one.name]) for one in story.scenario.trigger.events)


@contextmanager
def run_webhook_harness(
    context: RunContext, options: Options, into: RunLog, is_gating: Callable[[Operation], bool]
) -> Iterator[None]:
    """Play beside the block, and write into the log at its end. Raises InvalidSettings for names in the
    settings that the contract does not have, and for secrets that are not there or cannot be read.
    """
    given = options.settings.webhooks
    if not given:
        if promised_events(context.subject.api):
            into.untested_checks.append(UntestedCheck(check=FIRST_CHECK, reason=UNDECLARED))
        yield
        return
    plan = parse_plan(context.subject.api, given)
    secret = _require_variable(plan.secret_variable, "webhooks.secret") if plan.secret_variable else ""
    if secret and plan.scheme is not None:
        plan.scheme.key(secret)
    with Deployment(options.policy, mask=Mask(), connection=options.connection) as deployment:
        # On a connection of its own, and nothing is logged: its exchanges hold secrets of endpoints.
        send = DirectSender(deployment)
        stage = ScenarioRunner(
            plan=plan,
            subject=context.subject,
            send=send,
            secret=secret,
            agrees=lambda story: not any(True for _ in log.CHECK.judge(story)),
            pass_time=_clock_advancer(plan, context.subject.base_url, send),
        )
        harness = WebhookHarness(plan=plan, judge=context, stage=stage, is_gating=is_gating)
        with ThreadPoolExecutor(max_workers=1) as threads:
            playing = threads.submit(harness.play)
            try:
                yield
            except BaseException:
                stage.is_over.set()
                raise
            playing.result()
    harness.tell(into)


def _check_scenario(story: ScenarioResult) -> list[CheckFailure]:
    return [fault for check in WEBHOOK_CHECKS for fault in check.judge(story)]


def _mask_failure(mask: Mask, story: ScenarioResult, fault: CheckFailure) -> CheckFailure:
    """Return a fault without the secrets of its endpoint and those of the run."""
    names = (Placeholder(secret=one, name=SECRET_NAME) for one in story.endpoint.secrets if one)
    whole = Mask((*mask.placeholders, *names))
    return replace(
        fault, message=whole.text(fault.message), evidence=tuple(map(whole.exchange, fault.evidence))
    )


def _clock_advancer(plan: WebhookPlan, base_url: str, send: DirectSender) -> Callable[[], None]:
    """Return what has time pass on the deployment: nothing where its clock is real."""
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

    def pass_time() -> None:
        send(None, request)

    return pass_time


def _require_variable(name: str, where: str, environment: Mapping[str, str] = os.environ) -> str:
    value = environment.get(name, "").strip()
    if not value:
        raise InvalidSettings(
            f"{where}: the environment variable {name} is empty", help="set it, or take it out"
        )
    return value
