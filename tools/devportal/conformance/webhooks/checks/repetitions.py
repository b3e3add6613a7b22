"""An accepted event is not delivered again."""

from collections.abc import Iterator

from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import DELIVERY, EVENTS, WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.scenario_record import ScenarioResult

DEFAULT_TIMEOUT_S = 15.0
"""The minimum time that a sender waits for a response by Standard Webhooks 1.0.0, if no other is promised."""


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield deliveries of events that were already accepted with 2xx, or were still being delivered."""
    for group in result.event_attempts:
        for position, accepted in enumerate(group[:-1]):
            after = group[position + 1]
            if accepted.is_accepted and _is_in_time(result, accepted):
                is_at_once = after.arrived_at < accepted.replied_at
                title = (
                    "an event is sent twice at once" if is_at_once else "an event that was taken comes again"
                )
                later_s = after.arrived_at - accepted.replied_at
                message = f"{accepted.event!r} came again {later_s:.2f} s after the response "
                f"{accepted.reply.description}"
                yield result.failure(title, message, (accepted, after))
                break


def _is_in_time(result: ScenarioResult, accepted: Delivery) -> bool:
    """Return whether a response was so early that the sender must have received it."""
    timeout_s = result.plan.promises.timeout_s or DEFAULT_TIMEOUT_S
    return accepted.replied_at - accepted.arrived_at < timeout_s / 2


def has_accepted_delivery(result: ScenarioResult) -> bool:
    """Return whether the receiver accepted a delivery in time."""
    return any(one.is_accepted and _is_in_time(result, one) for one in result.deliveries)


CHECK = WebhookCheck(
    family=Family(
        name="webhook-repetitions",
        summary="received events are not sent again",
        words=CheckDescription(
            promise="A 2xx response ends the delivery of an event to an endpoint.",
            test="Deliveries receive each documented success, some after a few seconds, and nothing may "
            "follow.",
            remedy="Treat every status from 200 to 299 as success, and record it before the next attempt is "
            "due.",
            sources=("Standard Webhooks 1.0.0",),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=has_accepted_delivery,
    needs=lambda *_: DELIVERY,
)
