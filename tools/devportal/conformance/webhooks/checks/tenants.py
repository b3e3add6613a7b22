"""Events of one account are neither delivered to another nor shown in its log."""

from collections.abc import Iterator

from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.subject import operation_label
from devportal.conformance.webhooks.checks.check import EVENTS, WebhookCheck
from devportal.conformance.webhooks.plan import WebhookPlan
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind
from devportal.contract.path_templates import placeholder_names


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield the events that another account received or can read."""
    if result.scenario.kind is ScenarioKind.OTHER_ACCOUNT and result.deliveries:
        message = f"{result.deliveries[0].event!r} about {result.resource_id!r} came to an endpoint of another account"
        yield result.failure("an event goes to another account", message, result.deliveries[:1])
    event_ids = {delivery.event_id for delivery in result.deliveries if delivery.event_id} | {
        result.resource_id
    }
    for exchange in (
        result.foreign_exchanges if result.scenario.kind is not ScenarioKind.OTHER_ACCOUNT else ()
    ):
        body = exchange.answer.body.decode("utf-8", "replace") if exchange.answer is not None else ""
        # A list that repeats its query contains the identifier of the resource, and nothing of it.
        revealed_ids = [
            event_id for event_id in sorted(event_ids) if event_id in body and event_id != result.resource_id
        ]
        if revealed_ids:
            message = f"another account can see {revealed_ids[0]!r}"
            yield result.failure("the log shows events to another account", message, (exchange,))
            return


def has_other_account(result: ScenarioResult) -> bool:
    """Return whether another account had an endpoint, or read the log."""
    return result.scenario.kind is ScenarioKind.OTHER_ACCOUNT or bool(result.foreign_exchanges)


def missing_part(plan: WebhookPlan, _: tuple[ScenarioResult, ...]) -> str:
    """Return what settings, contract or deployment lack."""
    operation = plan.subscription.operation if plan.subscription is not None else None
    if operation is not None and placeholder_names(operation.path):
        return (
            f"a subscription that another account can use: the path of {operation_label(operation)} may name "
            "an account, and the deployment refused the other token there"
        )
    return "`webhooks.subscribe` or `webhooks.log`, which another account can use too"


CHECK = WebhookCheck(
    family=Family(
        name="webhook-tenants",
        summary="events stay within their account",
        words=CheckDescription(
            promise="An event is sent only to endpoints of its account, and only that account can find it in "
            "its log.",
            test="Another account registers an endpoint, reads its log, and requests events by their "
            "identifier.",
            remedy="Add the account to every query for endpoints and events.",
            sources=("OWASP API Security 2023, API1",),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=has_other_account,
    needs=missing_part,
)
