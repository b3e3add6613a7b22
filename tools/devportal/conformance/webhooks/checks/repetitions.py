"""An accepted event is not delivered again."""

from collections.abc import Iterator

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import DELIVERY, EVENTS, WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.event_matching import EVENT_WORDS, value_at_place
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind
from devportal.conformance.webhooks.triggered_resources import creates_resource
from devportal.contract.path_templates import without_names
from devportal.contract.titles.nouns import make_singular
from devportal.contract.wording import name_words

DEFAULT_TIMEOUT_S = 15.0
"""The minimum time that a sender waits for a response by Standard Webhooks 1.0.0, if no other is promised."""

CREATED_WORDS = frozenset({"created", "creation"})


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
                message = (
                    f"{accepted.event!r} came again {later_s:.2f} s after the response "
                    f"{accepted.reply.description}"
                )
                yield result.failure(title, message, (accepted, after))
                break
    yield from _second_creations(result)


def _second_creations(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield a failure if two events with different identifiers say that one resource was created."""
    if result.scenario.kind is not ScenarioKind.ACCEPTED:
        return
    firsts: dict[str, Delivery] = {}
    for delivery, *_ in result.event_attempts:
        name = _event_type(result, delivery)
        if not delivery.event_id or not _is_about_creation(result, name):
            continue
        first = firsts.setdefault(name, delivery)
        if first is not delivery and first.is_accepted and delivery.resource_id == first.resource_id:
            message = (
                f"{name!r} about {delivery.resource_id!r} came as {first.event_id!r} and as "
                f"{delivery.event_id!r}"
            )
            yield result.failure("a creation is reported by two events", message, (first, delivery))
            return


def _event_type(result: ScenarioResult, delivery: Delivery) -> str:
    """Return the type of a delivery if its payload lists it, else the name of its event."""
    kind = result.plan.matcher.kind(delivery.event)
    declared = value_at_place(delivery.headers, parse_json_or_none(delivery.body), result.plan.type)
    is_listed = kind is not None and isinstance(declared, str) and declared in kind.type_values
    return declared if is_listed else delivery.event


def _is_about_creation(result: ScenarioResult, name: str) -> bool:
    """Return whether the name of an event says no more than that the resource of the trigger was created."""
    operation, words = result.scenario.trigger.operation, set(name_words(name))
    if not creates_resource(result.subject, operation):
        return False
    resource_words = {make_singular(name_word) for name_word in name_words(without_names(operation.path))}
    others = {make_singular(word) for word in words - CREATED_WORDS - EVENT_WORDS}
    return bool(words & CREATED_WORDS) and others <= resource_words


def _is_in_time(result: ScenarioResult, accepted: Delivery) -> bool:
    """Return whether a response was so early that the sender must have received it."""
    timeout_s = result.plan.promises.timeout_s or DEFAULT_TIMEOUT_S
    return accepted.replied_at - accepted.arrived_at < timeout_s / 2


def has_accepted_delivery(result: ScenarioResult) -> bool:
    """Return whether the receiver accepted a delivery in time."""
    return any(delivery.is_accepted and _is_in_time(result, delivery) for delivery in result.deliveries)


CHECK = WebhookCheck(
    family=Family(
        name="webhook-repetitions",
        summary="received events are not sent again",
        words=CheckDescription(
            promise="A 2xx response ends the delivery of an event to an endpoint.",
            test="Deliveries receive each documented success, some after a few seconds, and nothing may "
            "follow. That a resource was created is reported by one event.",
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
