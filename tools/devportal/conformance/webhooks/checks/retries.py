"""A delivery that was not accepted is repeated, after growing pauses, as often as promised."""

from collections.abc import Iterator
from itertools import pairwise

from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import EVENTS, WebhookCheck
from devportal.conformance.webhooks.checks.identifiers import attempt_with_other_id
from devportal.conformance.webhooks.delivery import Delivery, Reply
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import RETRY_AFTER_S, ScenarioKind

SLACK_S = 0.3
"""The tolerance for the clocks of two machines, and the time of a response on its way."""
LEAST_PAUSE_S = 0.05
"""Shorter promised pauses cannot be measured."""
LEAST_GROWTH = 1.2


COMPARED_KINDS = (
    ScenarioKind.FAILED,
    ScenarioKind.GROWING,
    ScenarioKind.THROTTLED,
    ScenarioKind.GIVEN_UP,
)


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield events that are given up too early or too late, and pauses that are too short."""
    is_in_a_row = result.scenario.kind is ScenarioKind.GROWING and result.plan.promises.attempts is None
    if is_in_a_row or result.scenario.kind in (ScenarioKind.FAILED, ScenarioKind.THROTTLED):
        yield from _missing_retries(result)
    if result.scenario.kind is ScenarioKind.THROTTLED:
        yield from _early_retries(result)
    if result.scenario.kind is ScenarioKind.GROWING and result.plan.clock is None:
        yield from _growth_failures(result)
    if result.scenario.kind in (ScenarioKind.GROWING, ScenarioKind.GIVEN_UP) and result.plan.clock is None:
        yield from _pause_failures(result)
    if result.scenario.kind is ScenarioKind.GIVEN_UP:
        yield from _attempt_count_failures(result)


def _missing_retries(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield events that were sent once and failed. How often one is sent again is tested against the promised
    number of attempts only.
    """
    for group in result.event_attempts if not result.redirected_deliveries else ():
        is_retried = len(group) > 1
        if is_retried or group[0].is_accepted or result.plan.promises.attempts == 1:
            continue
        if attempt_with_other_id(result, group) is not None:
            continue  # `webhook-identifiers` reports it
        seen = f"{group[0].event!r} came once within {result.waited_s:.0f} s"
        message = f"{seen}, with the response {group[0].reply.description}"
        yield result.failure(
            f"an event is not sent again after {_reply_kind(group[-1].reply)}", message, group[-1:]
        )


def _reply_kind(reply: Reply) -> str:
    return reply.description if reply.status is None else "a response that is not a success"


def _pause_s(before: Delivery, after: Delivery) -> float:
    return after.arrived_at - (before.replied_at or before.arrived_at)


def _early_retries(result: ScenarioResult) -> Iterator[CheckFailure]:
    for group in result.event_attempts:
        if len(group) > 1 and _pause_s(*group[:2]) < RETRY_AFTER_S - SLACK_S:
            message = (
                f"{group[0].event!r} came again after {_pause_s(*group[:2]):.2f} s; Retry-After was "
                f"{RETRY_AFTER_S}"
            )
            yield result.failure("Retry-After is not honoured", message, group[:2])


def _growth_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield a failure if the last of several pauses is not longer than the shortest: a busy machine can only
    lengthen them.
    """
    failures = len(result.scenario.replies) - 1
    for group in result.event_attempts if result.plan.promises.growing else ():
        gaps = [_pause_s(before, after) for before, after in pairwise(group[: failures + 1])]
        if len(gaps) == failures and gaps[-1] < max(min(gaps) * LEAST_GROWTH, LEAST_PAUSE_S):
            gaps_text = ", ".join(f"{gap:.2f}" for gap in gaps)
            message = f"{group[0].event!r} came again after {gaps_text} s"
            yield result.failure("the pauses between attempts do not grow", message, group[: failures + 1])


def _pause_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    for group in result.event_attempts:
        for pause, (before, after) in zip(result.plan.promises.pauses_s, pairwise(group), strict=False):
            if pause >= LEAST_PAUSE_S and _pause_s(before, after) < pause * 0.9 - LEAST_PAUSE_S:
                message = f"{after.event!r} came again after {_pause_s(before, after):.2f} s; promised: {pause:.2f} s"
                yield result.failure("the pause before an attempt is too short", message, (before, after))
                break


def _attempt_count_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    promised = result.plan.promises.attempts or 0
    for group in result.event_attempts:
        if len(group) > promised:
            message = f"{group[0].event!r} came {len(group)} times; promised: {promised}"
            yield result.failure("an event is sent more often than promised", message, group[-1:])
        elif 1 < len(group) < promised and not result.is_complete:
            message = (
                f"{group[0].event!r} came {len(group)} times in {result.waited_s:.0f} s; promised: {promised}"
            )
            yield result.failure("an event is given up too early", message, group[-1:])


CHECK = WebhookCheck(
    family=Family(
        name="webhook-retries",
        summary="failed deliveries are retried after growing pauses",
        words=CheckDescription(
            promise="A delivery without a 2xx response is sent again: after each declared status, a closed "
            "connection, and a time-out. The pauses grow, `Retry-After` is honored, and the sender "
            "gives up after the promised number of attempts.",
            test="The receiver fails in each of these ways, then accepts the event. Pauses are measured "
            "from its response to the next attempt.",
            remedy="Store the time of the next attempt in a table. Treat everything but 2xx as failed. Add "
            "jitter to the pauses.",
            sources=("Standard Webhooks 1.0.0", "RFC 9110 §10.2.3"),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=lambda result: result.scenario.kind in COMPARED_KINDS and bool(result.deliveries),
    needs=lambda *_: (
        "a promise about retries that there is time for: write `retried: [500]` under `webhooks.promises`"
    ),
)
