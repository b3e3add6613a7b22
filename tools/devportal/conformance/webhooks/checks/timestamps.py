"""The timestamp in the headers is the time of the attempt, so that old deliveries can be rejected."""

from collections.abc import Iterator
from itertools import pairwise

from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import EVENTS, WebhookCheck
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.signature import STANDARD_WEBHOOKS, SignatureScheme

SLACK_S = 2.0
"""Headers count whole seconds, and an attempt takes time to get here."""


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield timestamps that are invalid, far from now, or unchanged in later attempts."""
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
    """Return whether a delivery has a time where the settings say."""
    scheme = result.plan.scheme
    return scheme is not None and any(scheme.timestamp_text(one.headers) for one in result.deliveries)


CHECK = WebhookCheck(
    family=Family(
        name="webhook-timestamps",
        summary="deliveries carry the time of the attempt",
        words=CheckDescription(
            promise="The signed time is the time of the attempt in Unix seconds, so that receivers can reject"
            " recorded deliveries.",
            test="The time of each delivery is compared with the clock of the run, and the times of two "
            "attempts with each other.",
            remedy="Take the time when you make the attempt, not when the event happened.",
            sources=("Standard Webhooks 1.0.0",),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=has_time,
    needs=lambda _: (
        "the time of a delivery: write `signature: {timestamp: …}` under `webhooks` with the name of its header"
    ),
)
