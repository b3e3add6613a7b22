"""A webhook check: a family with its documentation, and a function that checks a scenario result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from devportal.conformance.family import CheckFailure, Family
from devportal.conformance.webhooks.plan import WebhookPlan
from devportal.conformance.webhooks.scenario_record import ScenarioResult

EVENTS = "events: `webhooks` or `callbacks` in the contract"
"""What a contract must have for any webhook check."""
STATE_IN_EVENTS = (
    "the state in events: write `state` with its place in the body for each event of `webhooks.triggers`"
)
DELIVERY = "a delivery of one of the events under `webhooks.triggers`"


def has_deliveries(result: ScenarioResult) -> bool:
    """Return whether any delivery of a scenario arrived."""
    return bool(result.deliveries)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookCheck:
    """A row. The family has no probes: the harness plays for all checks together.

    `compares` returns whether a result has something for the check. `needs` returns what the settings, the
    contract or the deployment lack if none of the results has.
    """

    family: Family
    find_failures: Callable[[ScenarioResult], Iterator[CheckFailure]]
    compares: Callable[[ScenarioResult], bool] = has_deliveries
    needs: Callable[[WebhookPlan, tuple[ScenarioResult, ...]], str] = lambda *_: DELIVERY
