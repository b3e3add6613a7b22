"""The last state that events report is the one that the API shows."""

from collections.abc import Iterator
from itertools import islice

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.subject import operation_label
from devportal.conformance.webhooks.checks.check import DELIVERY, EVENTS, STATE_IN_EVENTS, WebhookCheck
from devportal.conformance.webhooks.checks.states import machine_and_state
from devportal.conformance.webhooks.plan import WebhookPlan
from devportal.conformance.webhooks.resource_states import (
    is_about_any_state,
    names_state,
    observed_states,
    reported_states,
    state_in,
    state_member,
)
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind
from devportal.documents import value_at

GONE_STATUSES = (404, 410)


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield a failure if the API shows a state that an event could report, and none does."""
    if result.scenario.kind is not ScenarioKind.ACCEPTED:
        return
    yield from islice(_late_changes(result), 1)
    if result.final_read is None:
        return
    shown = observed_states(result).last
    for event in result.scenario.trigger.events:
        member, reported = state_member(result, event), reported_states(result, event)
        if member is None or not shown or not reported or shown in reported:
            continue
        allowed = member.allowed_texts
        is_about_it = is_about_any_state(result, event, {*allowed, shown}) or names_state(event, shown)
        if not is_about_it or (allowed and shown not in allowed):
            continue
        last = next(delivery for delivery in reversed(result.deliveries) if delivery.event == event.name)
        yield result.failure(
            "events and API disagree about the state",
            f"the last {event.name!r} about {result.resource_id!r} says {reported[-1]!r}; the API says {shown!r}",
            (last, result.final_read),
        )


def _late_changes(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield events that arrived before the API showed the resource, or the state that they report."""
    for delivery in result.deliveries:
        event, reading = result.plan.expected_events.get(delivery.event), delivery.reading
        if reading is None or event is None:
            continue
        if reading.status in GONE_STATUSES:
            message = (
                f"{delivery.event!r} came when reading {result.resource_id!r} still got {reading.status}"
            )
            yield result.failure(
                "an event comes before the API shows its resource", message, (delivery, reading)
            )
        reported = value_at(parse_json_or_none(delivery.body), event.state) if event.state else None
        (machine, _), shown = machine_and_state(result, event), state_in(result, reading)
        if not isinstance(reported, str) or not shown or reported == shown:
            continue
        if machine is not None and shown in machine.states:
            is_ahead = reported in machine.reachable_from(shown) and shown not in machine.reachable_from(
                reported
            )
        else:
            is_ahead = shown == state_in(result, result.trigger)
        if is_ahead:
            message = f"{delivery.event!r} says {reported!r} when the API still says {shown!r}"
            yield result.failure(
                "an event comes before the API shows its state", message, (delivery, reading)
            )


def has_states(result: ScenarioResult) -> bool:
    """Return whether events and API both show a state, or the API was read when an event arrived."""
    if any(delivery.reading is not None for delivery in result.deliveries):
        return True
    is_read = result.scenario.kind is ScenarioKind.ACCEPTED and bool(observed_states(result).last)
    return is_read and any(
        reported_states(result, event) for event in result.scenario.trigger.events if event.state
    )


def missing_part(plan: WebhookPlan, results: tuple[ScenarioResult, ...]) -> str:
    """Return what settings, contract or deployment lack."""
    if not any(event.state for trigger in plan.triggers for event in trigger.events):
        return STATE_IN_EVENTS
    readings = [result.final_read for result in results if result.final_read is not None]
    if results and not readings:
        label = operation_label(results[0].scenario.trigger.operation)
        return (
            f"an operation that reads what the trigger {label} is about: none of those that are tested does"
        )
    if readings and not any(observed_states(result).last for result in results):
        return (
            f"the state in the response of {readings[0].operation}: name its member under `conventions.state` "
            f"in the settings (the status was {readings[0].status})"
        )
    return DELIVERY


CHECK = WebhookCheck(
    family=Family(
        name="webhook-readings",
        summary="events and API agree about the state",
        words=CheckDescription(
            promise="The state that the API shows for a resource is one that an event reported, if the event "
            "reports every change.",
            test="After the last event about a resource, the resource is read, and the states are compared. "
            "If `consistent` is promised, it is also read when each event arrives. "
            "Events whose name is about one state, such as `order.shipped`, are left out.",
            remedy="Write the event in the transaction that changes the state, with the new state, and send it "
            "after the commit.",
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=has_states,
    needs=missing_part,
)
