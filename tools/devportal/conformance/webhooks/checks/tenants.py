"""Events of one account are nobody else's: neither delivered to others nor in their log."""

from collections.abc import Iterator

from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import WebhookCheck
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind


def find_failures(story: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield what reached another account."""
    if story.scenario.kind is ScenarioKind.STRANGER and story.deliveries:
        message = (
            f"{story.deliveries[0].event!r} about {story.thing_id!r} came to an endpoint of another account"
        )
        yield story.fault("an event goes to another account", message, story.deliveries[:1])
    names = {one.event_id for one in story.deliveries if one.event_id} | {story.thing_id}
    for answer in story.foreign if story.scenario.kind is not ScenarioKind.STRANGER else ():
        body = answer.answer.body.decode("utf-8", "replace") if answer.answer is not None else ""
        # A list that repeats what it was asked for holds the name of the thing, and nothing of it.
        known = [one for one in sorted(names) if one in body and one != story.thing_id]
        if known:
            message = f"another account is told of {known[0]!r}"
            yield story.fault("the log shows events to another account", message, (answer,))
            return


CHECK = WebhookCheck(
    family=Family(
        name="webhook-tenants",
        summary="events of an account are nobody else's",
        words=CheckDescription(
            promise="An event goes to endpoints of the account that it belongs to, and only that account "
            "finds "
            "it in its log.",
            test="Another account makes an endpoint known and asks for the log, and for events by their "
            "identifier.",
            remedy="Make the account a part of every query for endpoints and events.",
            sources=("OWASP API Security 2023, API1",),
        ),
    ),
    judge=find_failures,
)
