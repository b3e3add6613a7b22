"""The event log tells what happened: every delivery, every attempt, and nothing else."""

from collections.abc import Iterator

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.scenario_record import LogRow, ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind

Attempts = tuple[Delivery, ...]


def find_failures(story: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield where the log and the receiver disagree."""
    if story.rows is None or story.scenario.kind is ScenarioKind.STRANGER:
        return
    # An endpoint that was made known by hand has an identifier that nobody here knows.
    mine = story.endpoint.id
    own = [one for one in story.rows if not mine or one.endpoint_id in (None, mine)]
    for group in story.events:
        name = group[0].event_id
        here = [row for row in own if row.event_id == name]
        if not name:
            continue
        if not here:
            yield story.fault("a delivery is not in the log", f"{name!r} came, and is not there", group[:1])
        elif len(here) > 1:
            message = f"{name!r} is there {len(here)} times"
            yield story.fault("a delivery is in the log twice", message, (group[0], here[0].exchange))
        else:
            yield from _row_failures(story, group, here[0])
    yield from _unreceived_deliveries(story, own)


def _row_failures(story: ScenarioResult, group: Attempts, row: LogRow) -> Iterator[CheckFailure]:
    evidence = (group[-1], row.exchange)
    answered = [one for one in group if one.answered_at]
    if row.attempts is not None and row.attempts != len(group):
        message = f"{row.event_id!r} came {len(group)} times, and the log has {row.attempts} attempts"
        yield story.fault("the log has another number of attempts", message, evidence)
    elif row.statuses is not None and len(answered) == len(group):
        told = [one.reply.status for one in group]
        if any(
            isinstance(seen, int) and seen != said for seen, said in zip(row.statuses, told, strict=False)
        ):
            message = f"{row.event_id!r} was answered with {told}, and the log has {list(row.statuses)}"
            yield story.fault("the log has another answer", message, evidence)
    wanted = _expected_log_state(story, group)
    if row.state is not None and wanted and row.state not in story.plan.log_states(wanted):
        message = f"{row.event_id!r} is {row.state!r}; it was {wanted}"
        yield story.fault(f"what was {wanted} has another state in the log", message, evidence)
    if not any(one.is_taken for one in group) and row.state in story.plan.log_states("delivered"):
        message = f"{row.event_id!r} is {row.state!r}; it was answered with {group[-1].reply.words}"
        yield story.fault("what was not taken is delivered in the log", message, evidence)
    if row.payload is not None and row.payload != parse_json_or_none(group[0].body):
        message = f"the payload of {row.event_id!r} is not what was sent"
        yield story.fault("the log has another payload", message, evidence)


def _expected_log_state(story: ScenarioResult, group: Attempts) -> str:
    """Return what became of an event, empty where the log may show one thing or another."""
    if any(one.is_taken for one in group):
        return "delivered"
    is_last = story.scenario.kind is ScenarioKind.GIVEN_UP and len(group) == story.plan.promises.attempts
    return "failed" if is_last else ""


def _unreceived_deliveries(story: ScenarioResult, rows: list[LogRow]) -> Iterator[CheckFailure]:
    """Yield what the log says was delivered here, and never came."""
    come = {one.event_id for one in story.everything if one.endpoint == story.endpoint.name}
    for row in rows:
        is_said = row.endpoint_id == story.endpoint.id and row.state in story.plan.log_states("delivered")
        if story.endpoint.id and is_said and row.event_id not in come:
            message = f"{row.event_id!r} is {row.state!r} in the log, and never came"
            yield story.fault("the log has a delivery that never came", message, (row.exchange,))


CHECK = WebhookCheck(
    family=Family(
        name="webhook-log",
        summary="the event log tells what happened",
        words=CheckDescription(
            promise="The event log has each delivery once, with every attempt and its answer, with the "
            "state that "
            "it came to, and with what was sent. What never happened is not there.",
            test="After each scenario the log is read and held against what the receiver got. It has some "
            "seconds to catch up.",
            remedy="Write an attempt into the log where it is made, whatever its outcome.",
        ),
    ),
    judge=find_failures,
)
