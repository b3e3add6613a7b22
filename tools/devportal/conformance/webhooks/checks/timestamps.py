"""The timestamp in the headers is the time of the attempt, so that old deliveries can be rejected."""

from collections.abc import Iterator
from itertools import pairwise

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import EVENTS, WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.signature import STANDARD_WEBHOOKS, SignatureScheme
from devportal.contract.conventions import matches_any_name
from devportal.contract.values.instants import parse_instant
from devportal.contract.wording import name_words

EVENT_TIMES = (
    "time",
    "timestamp",
    "occurred_at",
    "happened_at",
    "sent_at",
    "event_time",
    "created_at",
    "created",
)
"""Members of an event that say when it happened: the first is that of CloudEvents 1.0."""
OLD_EVENT_S = 300.0
"""So much earlier than its cause no event happens, whatever the clocks of two machines say."""
TIMESTAMP_WORDS = ("timestamp",)
"""The last word in the name of a header that says when a delivery was sent, or when its event happened."""
SLACK_S = 2.0
"""Headers count whole seconds, and an attempt takes time to get here."""


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield timestamps that are invalid, far from now, or unchanged in later attempts, and old events."""
    if result.plan.clock is None:
        yield from _old_events(result)
    scheme = result.plan.scheme
    if scheme is None or scheme.timestamp is None:
        return
    for delivery in result.deliveries:
        if not scheme.timestamp_text(delivery.headers):
            continue
        at = scheme.timestamp_s(delivery.headers)
        if at is None and scheme != STANDARD_WEBHOOKS:
            continue
        if at is None:
            message = (
                f"{scheme.timestamp_text(delivery.headers)[:40]!r} is not a number of seconds since 1970"
            )
            yield result.failure("the time of a delivery cannot be read", message, (delivery,))
        elif abs(at - delivery.arrived_at) > scheme.tolerance_s:
            away = delivery.arrived_at - at
            message = (
                f"it is {abs(away):.0f} s {'old' if away > 0 else 'ahead'} when {delivery.event!r} arrives"
            )
            yield result.failure("the time of a delivery is not now", message, (delivery,))
    if result.plan.clock is None:
        yield from _unchanged_timestamps(result, scheme)


def _old_events(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield events whose own time is long before their trigger."""
    for delivery in result.deliveries if result.trigger.sent_at else ():
        for name, at_s in _event_times(result, delivery):
            age_s = result.trigger.sent_at - at_s
            if age_s > OLD_EVENT_S:
                message = f"`{name}` of {delivery.event!r} is {age_s:.0f} s before the request that caused it"
                yield result.failure("an event is older than its cause", message, (delivery,))
                return


def _event_times(result: ScenarioResult, delivery: Delivery) -> Iterator[tuple[str, float]]:
    """Yield the members of a body that say when the event happened, and the headers that are called timestamps,
    in seconds since 1970. The header of the signature scheme has a stricter check.
    """
    scheme = result.plan.scheme
    signed = scheme.timestamp.header.lower() if scheme is not None and scheme.timestamp is not None else ""
    for name, text in delivery.headers:
        if name_words(name)[-1:] == TIMESTAMP_WORDS and name.lower() != signed:
            at = parse_instant(int(text) if text.isascii() and text.isdigit() else text)
            if at is not None:
                yield name, at.timestamp()
    body = parse_json_or_none(delivery.body)
    for name, value in body.items() if isinstance(body, dict) else ():
        at = parse_instant(value) if matches_any_name(name, EVENT_TIMES) else None
        if at is not None:
            yield name, at.timestamp()


def _unchanged_timestamps(result: ScenarioResult, scheme: SignatureScheme) -> Iterator[CheckFailure]:
    for group in result.event_attempts:
        for before, after in pairwise(group):
            first, second = scheme.timestamp_s(before.headers), scheme.timestamp_s(after.headers)
            passed = after.arrived_at - before.arrived_at
            if first is not None and second is not None and second - first < passed - SLACK_S:
                message = (
                    f"{passed:.1f} s lie between two attempts, and {second - first:.1f} s between their times"
                )
                yield result.failure("a repeated delivery has an old time", message, (before, after))


def has_time(result: ScenarioResult) -> bool:
    """Return whether a delivery has a time where the settings say, or in its body."""
    scheme = result.plan.scheme
    is_signed = scheme is not None and any(
        scheme.timestamp_text(delivery.headers) for delivery in result.deliveries
    )
    return is_signed or (
        result.plan.clock is None
        and any(True for delivery in result.deliveries for _ in _event_times(result, delivery))
    )


CHECK = WebhookCheck(
    family=Family(
        name="webhook-timestamps",
        summary="deliveries carry the time of the attempt",
        words=CheckDescription(
            promise="The signed time is the time of the attempt in Unix seconds, so that receivers can reject"
            " recorded deliveries. An event does not say that it happened before its cause.",
            test="The time of each delivery is compared with the clock of the run, and the times of two "
            "attempts with each other. A time in the body, such as `created_at`, is compared with the time of the "
            "trigger.",
            remedy="Take the time when you make the attempt, not when the event happened.",
            sources=("Standard Webhooks 1.0.0",),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=has_time,
    needs=lambda *_: (
        "the time of a delivery: write `signature: {timestamp: …}` under `webhooks` with the name of its header"
    ),
)
