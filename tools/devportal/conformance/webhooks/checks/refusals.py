"""A receiver that says no is heard: 410 ends it, and a redirect leads nowhere."""

from collections.abc import Iterator

from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import WebhookCheck
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind


def find_failures(story: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield what comes after 410, and what follows a redirect."""
    if story.scenario.kind is ScenarioKind.GONE:
        for group in story.events:
            if len(group) > 1 and group[1].arrived_at > group[0].answered_at:
                message = (
                    f"{group[0].event!r} came again {group[1].arrived_at - group[0].answered_at:.2f} s "
                    f"after it"
                )
                yield story.fault("an event comes again after 410", message, group[:2])
        if story.later and all(len(group) == 1 for group in story.events):
            message = f"{story.later[0].event!r} of something later came to an endpoint that had answered 410"
            yield story.fault("an endpoint that is gone gets other events", message, story.later[:1])
    if story.scenario.kind is ScenarioKind.REDIRECTED and story.elsewhere:
        message = f"{story.elsewhere[0].event!r} went where {story.scenario.failure.status} led"
        yield story.fault("a redirect is followed", message, story.elsewhere[:1])


CHECK = WebhookCheck(
    family=Family(
        name="webhook-refusals",
        summary="410 ends deliveries, and redirects are not followed",
        words=CheckDescription(
            promise="`410 Gone` ends the delivery of the event and, where that is declared, turns the "
            "endpoint "
            "off. A redirect is a failure: an address that nobody has checked gets nothing.",
            test="One endpoint answers 410, and then something else happens. Another one answers with "
            "redirects.",
            remedy="Turn an endpoint off at 410. Tell the HTTP client not to follow redirects.",
            sources=("Standard Webhooks 1.0.0", "RFC 9110 §15.5.11"),
        ),
    ),
    judge=find_failures,
)
