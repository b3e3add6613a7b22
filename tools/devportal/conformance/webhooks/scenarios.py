"""Derives the scenarios: one for each reply to a delivery that the contract or the settings mention.

A matrix: every kind of success, every failure that is promised to be retried, and each rule for one status.
Scenarios that can disable an endpoint have a separate one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from devportal.conformance.webhooks.delivery import Reply
from devportal.conformance.webhooks.plan import Trigger, WebhookPlan

FAILURES_IN_A_ROW = (4, 3, 2)
"""How many failures in a row are tried, to see whether the pauses grow: as many as there is time for."""
JITTER = 1.25
"""How much longer than promised a random pause may be."""
RETRY_AFTER_S = 2
REDIRECT_PATH = "/elsewhere"
"""The target of redirects, below the endpoint's own address."""


class ScenarioKind(StrEnum):
    """The purpose of a scenario."""

    ACCEPTED = "taken"
    """Every delivery is accepted: each event arrives once."""
    FAILED = "failed"
    """The first deliveries fail: they are repeated until one is accepted."""
    GROWING = "growing"
    """Several in a row fail: the pauses between them grow."""
    THROTTLED = "throttled"
    """429 with Retry-After: nothing comes before that time."""
    REDIRECTED = "redirected"
    """A redirect, which must not be followed."""
    GIVEN_UP = "given up"
    """Every delivery fails: the sender gives up after the promised number of attempts."""
    GONE = "gone"
    """410: the event does not come again, nor, if promised, any other."""
    ROTATED = "rotated"
    """The secret was rotated before."""
    DELETED = "deleted"
    """The endpoint was deleted before."""
    UNWANTED = "unwanted"
    """The endpoint subscribed to the first of the trigger's events only."""
    OTHER_ACCOUNT = "stranger"
    """The endpoint of another account."""


KINDS_WITHOUT_DELIVERY = frozenset({ScenarioKind.DELETED, ScenarioKind.OTHER_ACCOUNT})
"""Scenarios in which nothing must arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """The replies to the events of one trigger. `replies` are those to the attempts of each event, the last
    one for all further attempts. Scenarios of one `endpoint` share it.
    """

    kind: ScenarioKind
    endpoint: str
    trigger: Trigger
    replies: tuple[Reply, ...]
    has_second_trigger: bool = False
    """Whether the trigger is sent again at the end, and nothing must arrive."""

    @property
    def first_reply(self) -> Reply:
        """The reply to the first attempt of each event."""
        return self.replies[0]

    def reply_to(self, attempt: int) -> Reply:
        """Return the reply to an attempt, from 1."""
        return self.replies[min(attempt, len(self.replies)) - 1]


def plan_scenarios(plan: WebhookPlan, *, has_other_account: bool) -> tuple[Scenario, ...]:
    """Return the scenarios of a plan: deliveries that are accepted or fail, special replies, several endpoints."""
    return (
        *_accepting_scenarios(plan),
        *_failing_scenarios(plan),
        *_special_reply_scenarios(plan),
        *_endpoint_scenarios(plan, has_other_account=has_other_account),
    )


def missing_time_reasons(plan: WebhookPlan) -> Iterator[str]:
    """Yield what is needed for the tests that there is no time for."""
    attempts = plan.promises.attempts
    late_s = plan.promises.timeout_s or 0
    if late_s and _has_time(plan, 1) and not _has_time(plan, 1, late_s=late_s):
        yield _time_needed_text(
            plan, late_s + _pauses_s(plan, 1), "an event comes again after no response in time"
        )
    for name, failures in (
        ("failures are repeated", 1),
        ("pauses grow", FAILURES_IN_A_ROW[-1]),
        ("an event is given up", attempts - 1 if attempts is not None else 0),
    ):
        if not _has_time(plan, failures):
            yield _time_needed_text(plan, _pauses_s(plan, failures), name)


def _time_needed_text(plan: WebhookPlan, time_s: float, name: str) -> str:
    return (
        f"{time_s:.0f} s to see that {name}: set `webhooks.patience_s` above "
        f"{plan.patience_s:g}, or use a deployment with shorter pauses"
    )


def _has_time(plan: WebhookPlan, failures: int, *, late_s: float = 0) -> bool:
    """Return whether the pauses after this many failures, and a wait for a missing response, end while the run
    waits.
    """
    return plan.clock is not None or late_s + _pauses_s(plan, failures) <= plan.patience_s


def _pauses_s(plan: WebhookPlan, failures: int) -> float:
    return sum(plan.promises.pauses_s[:failures]) * JITTER


def _accepting_scenarios(plan: WebhookPlan) -> Iterator[Scenario]:
    """Yield each kind of success that the contract documents for a receiver, and a slow one."""
    statuses = {
        status
        for name in plan.expected_events
        for operation in [plan.event_operation(name)]
        for response in (operation.responses if operation is not None else ())
        for status in _success_statuses(response.status)
    }
    first, *others = plan.triggers
    replies = [Reply(status=status) for status in sorted(statuses or {200})]
    if plan.promises.timeout_s is not None and plan.promises.timeout_s >= 1:
        replies.append(Reply(status=200, delay_s=min(plan.promises.timeout_s / 4, 3.0)))
    for reply in replies:
        yield Scenario(kind=ScenarioKind.ACCEPTED, endpoint="taken", trigger=first, replies=(reply,))
    for trigger in others:
        yield Scenario(kind=ScenarioKind.ACCEPTED, endpoint="taken", trigger=trigger, replies=(replies[0],))


def _success_statuses(status: str) -> tuple[int, ...]:
    """Return the statuses of a documented one: any 2xx is a success if the range is documented."""
    if status.upper() == "2XX":
        return (200, 202, 204, 299)
    return (int(status),) if status.isdigit() and status.startswith("2") else ()


def _failing_scenarios(plan: WebhookPlan) -> Iterator[Scenario]:
    trigger, accepted, promises = plan.triggers[0], Reply(), plan.promises
    if not _has_time(plan, 1):
        return
    for status in promises.retried:
        headers = (("Location", REDIRECT_PATH),) if 300 <= status < 400 else ()
        failure = Reply(status=status, headers=headers)
        yield Scenario(
            kind=ScenarioKind.FAILED, endpoint="failing", trigger=trigger, replies=(failure, accepted)
        )
    if promises.retries_closed:
        closed = Reply(status=None)
        yield Scenario(
            kind=ScenarioKind.FAILED, endpoint="failing", trigger=trigger, replies=(closed, accepted)
        )
    if promises.timeout_s is not None and _has_time(plan, 1, late_s=promises.timeout_s):
        late = Reply(status=None, delay_s=promises.timeout_s * 1.2 + 1)
        yield Scenario(
            kind=ScenarioKind.FAILED, endpoint="failing", trigger=trigger, replies=(late, accepted)
        )
    in_a_row = next((number for number in FAILURES_IN_A_ROW if _has_time(plan, number)), 0)
    if promises.retried and in_a_row:
        failures = (Reply(status=promises.retried[0]),) * in_a_row
        yield Scenario(
            kind=ScenarioKind.GROWING, endpoint="failing", trigger=trigger, replies=(*failures, accepted)
        )


def _special_reply_scenarios(plan: WebhookPlan) -> Iterator[Scenario]:
    trigger, accepted, promises = plan.triggers[0], Reply(), plan.promises
    if promises.retry_after:
        wait = Reply(status=429, headers=(("Retry-After", str(RETRY_AFTER_S)),))
        yield Scenario(
            kind=ScenarioKind.THROTTLED, endpoint="failing", trigger=trigger, replies=(wait, accepted)
        )
    if promises.redirects:
        for status in (302, 307):
            moved = Reply(status=status, headers=(("Location", REDIRECT_PATH),))
            yield Scenario(
                kind=ScenarioKind.REDIRECTED, endpoint="failing", trigger=trigger, replies=(moved, accepted)
            )
    if promises.attempts is not None and _has_time(plan, promises.attempts - 1):
        failing = (Reply(status=promises.retried[0] if promises.retried else 500),)
        yield Scenario(kind=ScenarioKind.GIVEN_UP, endpoint="given-up", trigger=trigger, replies=failing)
    if promises.gone and not plan.is_subscribed_by_hand:
        yield Scenario(
            kind=ScenarioKind.GONE,
            endpoint="gone",
            trigger=trigger,
            replies=(Reply(status=410),),
            has_second_trigger=promises.gone == "disable" and plan.subscription is not None,
        )


def _endpoint_scenarios(plan: WebhookPlan, *, has_other_account: bool) -> Iterator[Scenario]:
    trigger, accepted, subscription = plan.triggers[0], (Reply(),), plan.subscription
    if subscription is None:
        return
    if subscription.rotate is not None and subscription.secret:
        yield Scenario(kind=ScenarioKind.ROTATED, endpoint="rotated", trigger=trigger, replies=accepted)
    if subscription.delete is not None:
        yield Scenario(kind=ScenarioKind.DELETED, endpoint="deleted", trigger=trigger, replies=accepted)
    if subscription.types and len(trigger.events) > 1:
        yield Scenario(kind=ScenarioKind.UNWANTED, endpoint="unwanted", trigger=trigger, replies=accepted)
    if has_other_account:
        yield Scenario(
            kind=ScenarioKind.OTHER_ACCOUNT, endpoint="stranger", trigger=trigger, replies=accepted
        )
