"""The event log is complete: it has every delivery, every attempt, and nothing else."""

from collections.abc import Iterator

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import EVENTS, WebhookCheck
from devportal.conformance.webhooks.checks.identifiers import EVENT_ID
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.plan import WebhookPlan
from devportal.conformance.webhooks.scenario_record import LogRow, ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind

Attempts = tuple[Delivery, ...]


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield the differences between the log and the receiver."""
    if result.log_rows is None or result.scenario.kind is ScenarioKind.OTHER_ACCOUNT:
        return
    # An endpoint that was registered by hand has an unknown identifier.
    endpoint_id = result.endpoint.id
    own_rows = [
        log_row
        for log_row in result.log_rows
        if not endpoint_id or log_row.endpoint_id in (None, endpoint_id)
    ]
    for group in result.event_attempts:
        name = group[0].event_id
        matching_rows = [row for row in own_rows if row.event_id == name]
        if not name:
            continue
        if not matching_rows:
            yield result.failure(
                "a delivery is not in the log", f"{name!r} came, and is not there", group[:1]
            )
        elif len(matching_rows) > 1:
            message = f"{name!r} is there {len(matching_rows)} times"
            yield result.failure(
                "a delivery is in the log twice", message, (group[0], matching_rows[0].exchange)
            )
        else:
            yield from _row_failures(result, group, matching_rows[0])
    yield from _unreceived_deliveries(result, own_rows)


def _row_failures(result: ScenarioResult, group: Attempts, row: LogRow) -> Iterator[CheckFailure]:
    evidence = (group[-1], row.exchange)
    replied = [delivery for delivery in group if delivery.replied_at]
    if row.attempts is not None and row.attempts != len(group):
        message = f"{row.event_id!r} came {len(group)} times, and the log has {row.attempts} attempts"
        yield result.failure("the log has another number of attempts", message, evidence)
    elif row.statuses is not None and len(replied) == len(group):
        sent_statuses = [delivery.reply.status for delivery in group]
        if any(
            isinstance(logged_status, int) and logged_status != sent_status
            for logged_status, sent_status in zip(row.statuses, sent_statuses, strict=False)
        ):
            message = f"the receiver returned {sent_statuses} for {row.event_id!r}, but the log has "
            f"{list(row.statuses)}"
            yield result.failure("the log has a different response", message, evidence)
    expected_state = _expected_log_state(result, group)
    if row.state is not None and expected_state and row.state not in result.plan.log_states(expected_state):
        message = f"{row.event_id!r} is {row.state!r}; it was {expected_state}"
        yield result.failure(f"what was {expected_state} has another state in the log", message, evidence)
    if not any(delivery.is_accepted for delivery in group) and row.state in result.plan.log_states(
        "delivered"
    ):
        message = f"{row.event_id!r} is {row.state!r}; the receiver returned {group[-1].reply.description}"
        yield result.failure("a failed delivery is delivered in the log", message, evidence)
    if row.payload is not None and row.payload != parse_json_or_none(group[0].body):
        message = f"the payload of {row.event_id!r} is not what was sent"
        yield result.failure("the log has another payload", message, evidence)


def _expected_log_state(result: ScenarioResult, group: Attempts) -> str:
    """Return the expected state of an event, empty if the log may show either."""
    if any(delivery.is_accepted for delivery in group):
        return "delivered"
    is_last = result.scenario.kind is ScenarioKind.GIVEN_UP and len(group) == result.plan.promises.attempts
    return "failed" if is_last else ""


def _unreceived_deliveries(result: ScenarioResult, rows: list[LogRow]) -> Iterator[CheckFailure]:
    """Yield deliveries that the log shows as delivered and that never came."""
    received_ids = {
        delivery.event_id for delivery in result.all_deliveries if delivery.endpoint == result.endpoint.name
    }
    for row in rows:
        is_logged = row.endpoint_id == result.endpoint.id and row.state in result.plan.log_states("delivered")
        if result.endpoint.id and is_logged and row.event_id not in received_ids:
            message = f"{row.event_id!r} is {row.state!r} in the log, and never came"
            yield result.failure("the log has a delivery that never came", message, (row.exchange,))


def has_logged_event(result: ScenarioResult) -> bool:
    """Return whether the log was read, and a delivery has an identifier to find in it."""
    is_read = result.log_rows is not None and result.scenario.kind is not ScenarioKind.OTHER_ACCOUNT
    return is_read and any(delivery.event_id for delivery in result.deliveries)


def missing_part(plan: WebhookPlan, _: tuple[ScenarioResult, ...]) -> str:
    """Return what the settings lack."""
    if plan.log is None:
        return "the event log: write `webhooks.log` with the operation that lists events, if there is one"
    return EVENT_ID if plan.scheme is None or plan.scheme.id is None else "a log that the run can read"


CHECK = WebhookCheck(
    family=Family(
        name="webhook-log",
        summary="the event log is correct",
        words=CheckDescription(
            promise="The event log has each delivery once, with every attempt and its response, its final "
            "state, and the body that was sent. It contains nothing that did not happen.",
            test="After each scenario the log is compared with what the receiver got. It has a few seconds"
            " to catch up.",
            remedy="Log each attempt where it is made, whatever its result.",
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=has_logged_event,
    needs=missing_part,
)
