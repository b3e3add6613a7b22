"""Events arrive, each where it is wanted and nowhere else."""

from collections.abc import Iterator

from devportal.conformance.family import Family, Fault, Words
from devportal.conformance.webhooks.checks.check import Check
from devportal.conformance.webhooks.scenarios import Kind
from devportal.conformance.webhooks.story import Story


def judge(story: Story) -> Iterator[Fault]:
    """Yield what did not arrive, and what arrived where it must not."""
    if story.scenario.kind in (Kind.TAKEN, Kind.ROTATED):
        yield from _missing(story)
    if story.scenario.kind is Kind.DELETED and story.deliveries:
        message = f"{story.deliveries[0].event!r} came to an endpoint that was deleted before it happened"
        yield story.fault("an event goes to a deleted endpoint", message, story.deliveries[:1])
    if story.scenario.kind is Kind.UNWANTED:
        wanted = story.scenario.trigger.events[0].name
        others = [one for one in story.deliveries if one.event != wanted]
        if others:
            message = f"{others[0].event!r} came to an endpoint that asked for {wanted!r} only"
            yield story.fault("an event goes where it is not wanted", message, others[:1])


def _missing(story: Story) -> Iterator[Fault]:
    come = {one.event for one in story.deliveries}
    for event in story.scenario.trigger.events:
        if event.name not in come:
            yield story.fault(
                "an event does not arrive",
                f"within {story.waited_s:.0f} s no {event.name!r} came about {story.thing_id!r}",
                story.deliveries[:1],
                promise=story.plan.events[event.name].location,
            )


CHECK = Check(
    family=Family(
        name="webhook-arrival",
        summary="events arrive where they are wanted, and nowhere else",
        words=Words(
            promise="Every event that the contract describes is sent to each endpoint that wants it, and to "
            "no "
            "other: not to one that was deleted, not to one that asked for other events.",
            test="The run makes endpoints known, has something happen, and waits for the events about it.",
            remedy="Write the event in the transaction that changes the thing, and look up the endpoints "
            "when it "
            "is sent.",
            sources=("Standard Webhooks 1.0.0",),
        ),
    ),
    judge=judge,
)
