"""An event has one identifier, the same in each attempt and unique among events."""

from collections.abc import Iterator, Sequence

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import EVENTS, WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.documents import value_at

EVENT_ID = (
    "the identifier of an event: write `signature: {id: webhook-id}` under `webhooks` with the name of its "
    "header, or `signature: {id: /id}` with its place in the body"
)


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield identifiers that change between attempts, and those that two events share."""
    scheme = result.plan.scheme
    if scheme is None or scheme.id is None:
        return
    for group in result.event_attempts:
        event_ids = {delivery.event_id for delivery in group}
        if len(event_ids) > 1 and "" not in event_ids:
            message = f"{group[0].event!r} is called {event_ids.pop()!r} and {event_ids.pop()!r}"
            yield result.failure(
                "the identifier changes from attempt to attempt", message, (group[0], group[-1])
            )
        renamed = attempt_with_other_id(result, group)
        if renamed is not None:
            message = f"{group[0].event!r} is called {group[0].event_id!r} and then {renamed.event_id!r}"
            yield result.failure(
                "the identifier changes from attempt to attempt", message, (group[0], renamed)
            )
    for delivery in result.deliveries:
        other = next(
            (
                candidate
                for candidate in result.all_deliveries
                if _is_other_event_with_same_id(result, delivery, candidate)
            ),
            None,
        )
        if other is not None:
            message = (
                f"{delivery.event_id!r} names {_describe_delivery(delivery)} and {_describe_delivery(other)}"
            )
            yield result.failure("two events have one identifier", message, (delivery, other))
            return


def attempt_with_other_id(result: ScenarioResult, group: Sequence[Delivery]) -> Delivery | None:
    """Return a later delivery that is an event again which failed once, under another identifier: the kind of
    event, the resource and the declared state and step are the same. None if there is none.
    """
    failed = group[0]
    if len(group) > 1 or failed.reply.is_success or not failed.event_id:
        return None
    return next(
        (
            delivery
            for delivery in result.deliveries
            if delivery.arrived_at > failed.arrived_at
            and delivery.event_id not in ("", failed.event_id)
            and (delivery.event, delivery.resource_id) == (failed.event, failed.resource_id)
            and _declared_step(result, delivery) == _declared_step(result, failed)
        ),
        None,
    )


def _is_other_event_with_same_id(result: ScenarioResult, first: Delivery, second: Delivery) -> bool:
    if not first.event_id or first.event_id != second.event_id or not second.resource_id:
        return False
    return (first.event, first.resource_id, _declared_step(result, first)) != (
        second.event,
        second.resource_id,
        _declared_step(result, second),
    )


def _declared_step(result: ScenarioResult, delivery: Delivery) -> object:
    """Return the declared values that distinguish the events of one kind about one resource."""
    expected = result.plan.expected_events.get(delivery.event)
    body = parse_json_or_none(delivery.body)
    if expected is None:
        return None
    return [value_at(body, text) for text in (expected.state, expected.sequence) if text]


def _describe_delivery(delivery: Delivery) -> str:
    return f"{delivery.event!r} about {delivery.resource_id!r}"


def has_event_id(result: ScenarioResult) -> bool:
    """Return whether a delivery has an identifier where the settings say."""
    return any(delivery.event_id for delivery in result.deliveries)


CHECK = WebhookCheck(
    family=Family(
        name="webhook-identifiers",
        summary="events keep their unique identifier",
        words=CheckDescription(
            promise="All attempts of an event have the same identifier, and no two events share one: "
            "receivers use it to detect duplicates.",
            test="The attempts of each event are compared, and the events with each other.",
            remedy="Generate the identifier when the event happens, and store it with the event.",
            sources=("Standard Webhooks 1.0.0",),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=has_event_id,
    needs=lambda *_: EVENT_ID,
)
