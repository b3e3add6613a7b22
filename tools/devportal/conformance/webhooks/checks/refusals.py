"""The sender respects a rejection: 410 ends the delivery, and redirects are not followed."""

from collections.abc import Iterator

from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import EVENTS, WebhookCheck
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield deliveries after 410, and those that follow a redirect."""
    if result.scenario.kind is ScenarioKind.GONE:
        for group in result.event_attempts:
            if len(group) > 1 and group[1].arrived_at > group[0].replied_at:
                message = (
                    f"{group[0].event!r} came again {group[1].arrived_at - group[0].replied_at:.2f} s "
                    "after the response 410"
                )
                yield result.failure("an event comes again after 410", message, group[:2])
        if result.later_deliveries and all(len(group) == 1 for group in result.event_attempts):
            event = result.later_deliveries[0].event
            message = f"{event!r} of a later event was sent to an endpoint that had returned 410"
            yield result.failure(
                "an endpoint that is gone gets other events", message, result.later_deliveries[:1]
            )
    if result.scenario.kind is ScenarioKind.REDIRECTED and result.redirected_deliveries:
        message = (
            f"{result.redirected_deliveries[0].event!r} went where {result.scenario.first_reply.status} led"
        )
        yield result.failure("a redirect is followed", message, result.redirected_deliveries[:1])


CHECK = WebhookCheck(
    family=Family(
        name="webhook-refusals",
        summary="410 stops deliveries, and redirects are not followed",
        words=CheckDescription(
            promise="`410 Gone` ends the delivery of the event and disables the endpoint if that is declared."
            " Following a redirect is a failure: an unverified address must receive nothing.",
            test="One endpoint returns 410, then another event is triggered. Another endpoint returns "
            "redirects.",
            remedy="Disable an endpoint after 410. Configure the HTTP client not to follow redirects.",
            sources=("Standard Webhooks 1.0.0", "RFC 9110 §15.5.11"),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=lambda result: result.scenario.kind in (ScenarioKind.GONE, ScenarioKind.REDIRECTED),
    needs=lambda *_: (
        "a promise about rejections: write `gone: disable` or `redirects: failure` under `webhooks.promises`"
    ),
)
