"""An event has one identifier: the same in each attempt, and no other event's."""

from collections.abc import Iterator

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.plan import value_at
from devportal.conformance.webhooks.scenario_record import ScenarioResult


def find_failures(story: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield identifiers that change from attempt to attempt, and those of two events."""
    if story.plan.scheme is None or story.plan.scheme.id is None:
        return
    for group in story.events:
        names = {one.event_id for one in group}
        if len(names) > 1 and "" not in names:
            message = f"{group[0].event!r} is called {names.pop()!r} and {names.pop()!r}"
            yield story.fault(
                "the identifier changes from attempt to attempt", message, (group[0], group[-1])
            )
    for mine in story.deliveries:
        other = next(
            (one for one in story.everything if _is_other_event_with_same_id(story, mine, one)), None
        )
        if other is not None:
            message = f"{mine.event_id!r} names {_describe_delivery(mine)} and {_describe_delivery(other)}"
            yield story.fault("two events have one identifier", message, (mine, other))
            return


def _is_other_event_with_same_id(story: ScenarioResult, one: Delivery, other: Delivery) -> bool:
    if not one.event_id or one.event_id != other.event_id or not other.subject:
        return False
    return (one.event, one.subject, _declared_step(story, one)) != (
        other.event,
        other.subject,
        _declared_step(story, other),
    )


def _declared_step(story: ScenarioResult, delivery: Delivery) -> object:
    """Return what tells the events of one kind about one thing from each other, as far as that is "
    "declared."""
    expected = story.plan.expected_events.get(delivery.event)
    body = parse_json_or_none(delivery.body)
    if expected is None:
        return None
    return [value_at(body, one) for one in (expected.state, expected.sequence) if one]


def _describe_delivery(delivery: Delivery) -> str:
    return f"{delivery.event!r} about {delivery.subject!r}"


CHECK = WebhookCheck(
    family=Family(
        name="webhook-identifiers",
        summary="an event keeps its identifier, and no other has it",
        words=CheckDescription(
            promise="Each attempt of an event has the same identifier, and two events never have one: a "
            "receiver "
            "knows by it what it has done already.",
            test="Deliveries of one event are compared over its repetitions, and those of all events with "
            "each "
            "other.",
            remedy="Make the identifier when the event happens, and store it with the event.",
            sources=("Standard Webhooks 1.0.0",),
        ),
    ),
    judge=find_failures,
)
