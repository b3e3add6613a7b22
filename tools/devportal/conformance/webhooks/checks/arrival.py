"""Events arrive at each subscribed endpoint and nowhere else."""

from collections.abc import Iterator

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import EVENTS, WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.payload_members import occurs_in
from devportal.conformance.webhooks.plan import WebhookPlan
from devportal.conformance.webhooks.resource_states import must_arrive
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind

COMPARED_KINDS = (ScenarioKind.ACCEPTED, ScenarioKind.ROTATED, ScenarioKind.DELETED, ScenarioKind.UNWANTED)


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield missing events, and events at an endpoint that must not get them."""
    if result.scenario.kind in (ScenarioKind.ACCEPTED, ScenarioKind.ROTATED):
        yield from _missing_events(result)
    if result.scenario.kind is ScenarioKind.DELETED and result.deliveries:
        message = f"{result.deliveries[0].event!r} came to an endpoint that was deleted before it happened"
        yield result.failure("an event goes to a deleted endpoint", message, result.deliveries[:1])
    if result.scenario.kind is ScenarioKind.UNWANTED:
        subscribed = result.scenario.trigger.events[0].name
        others = [delivery for delivery in result.deliveries if delivery.event != subscribed]
        if others:
            message = f"{others[0].event!r} came to an endpoint that asked for {subscribed!r} only"
            yield result.failure("an event goes where it is not wanted", message, others[:1])


def _missing_events(result: ScenarioResult) -> Iterator[CheckFailure]:
    received_events = {delivery.event for delivery in result.deliveries}
    unreadable = any(_is_unreadable(result, delivery) for delivery in result.all_deliveries)
    for event in result.scenario.trigger.events:
        operation = result.plan.event_operation(event.name)
        if event.name not in received_events and not unreadable and must_arrive(result, event):
            others = [
                delivery
                for delivery in result.all_deliveries
                if _is_about_another(result, delivery, event.name)
            ]
            elsewhere = f", but {len(others)} about other resources" if others else ""
            if not result.all_deliveries:
                elsewhere = (
                    "; nothing else came. Can the deployment reach this machine? See `webhooks.receiver`"
                )
            yield result.failure(
                "an event does not arrive",
                f"within {result.waited_s:.0f} s no {event.name!r} came about {result.resource_id!r}{elsewhere}",
                result.deliveries[:1] or others[:1],
                promise=operation.location if operation is not None else None,
            )


def has_expectation(result: ScenarioResult) -> bool:
    """Return whether a scenario expects that events arrive, or that they do not. Without a delivery, an event that
    need not have happened shows nothing, nor does silence where nothing has arrived anywhere.
    """
    if result.scenario.kind in (ScenarioKind.ACCEPTED, ScenarioKind.ROTATED):
        events = result.scenario.trigger.events
        return bool(result.deliveries) or any(must_arrive(result, event) for event in events)
    return result.scenario.kind in COMPARED_KINDS and bool(result.all_deliveries)


def _is_unreadable(result: ScenarioResult, delivery: Delivery) -> bool:
    """Return whether a delivery may be the missing one, but cannot be read: another check says why."""
    if delivery.endpoint != result.endpoint.name or delivery.resource_id:
        return False
    body = parse_json_or_none(delivery.body)
    is_event = result.event_operation(delivery) is not None or occurs_in(body, result.resource_id)
    return is_event or (bool(delivery.body) and body is None)


def _is_about_another(result: ScenarioResult, delivery: Delivery, event: str) -> bool:
    is_here = delivery.endpoint == result.endpoint.name and delivery.event == event
    return is_here and delivery.resource_id != result.resource_id


def missing_expectation(_: WebhookPlan, results: tuple[ScenarioResult, ...]) -> str:
    """Return what is lacking if no event came, and none had to."""
    names = dict.fromkeys(repr(event.name) for result in results for event in result.scenario.trigger.events)
    if not names:
        return "a trigger that the deployment accepts"
    return (
        f"an event that comes or has to: no {', '.join(names)} came, and nothing shows that one happened. If it must, "
        "declare it under `webhooks.triggers` in the settings"
    )


CHECK = WebhookCheck(
    family=Family(
        name="webhook-arrival",
        summary="events reach subscribed endpoints only",
        words=CheckDescription(
            promise="Every event that the contract describes is sent to each subscribed endpoint, and to no "
            "other: not to deleted ones, and not to ones subscribed to other events.",
            test="The run registers endpoints, triggers events, and waits for them.",
            remedy="Write the event in the transaction that changes the resource, and look up the endpoints "
            "when you send it.",
            sources=("Standard Webhooks 1.0.0",),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=has_expectation,
    needs=missing_expectation,
)
