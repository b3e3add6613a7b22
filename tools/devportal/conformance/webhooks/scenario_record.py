"""The result of a scenario: everything that the checks use."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckFailure
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.webhooks.delivery import Delivery, group_attempts
from devportal.conformance.webhooks.plan import WebhookPlan
from devportal.conformance.webhooks.scenarios import Scenario
from devportal.contract import Location, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A registered endpoint. `secrets` are all that it had, the newest last; never shown. One that
    `is_exclusive` receives the events of one trigger and nothing else.
    """

    name: str
    url: str
    id: str = ""
    is_exclusive: bool = False
    events: frozenset[str] = frozenset()
    """The names of the events of its trigger, if it is exclusive."""
    secrets: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """A delivery in the event log. Values that the log does not show are None."""

    event_id: str
    endpoint_id: str | None
    state: str | None
    attempts: int | None
    statuses: tuple[Any, ...] | None
    payload: Any
    exchange: Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioResult:
    """A played scenario: the endpoint, the trigger, and the deliveries.

    `deliveries` are those to the endpoint about the resource of the trigger, `later_deliveries` those about
    the resource of a second trigger. `log_rows` are the rows of the log about them, None if it was not read.
    `foreign_exchanges` are the reads of another account. `final_read` shows the resource at the end.
    """

    plan: WebhookPlan
    subject: Subject
    scenario: Scenario
    endpoint: Endpoint
    trigger: Exchange
    resource_id: str
    creations: tuple[Exchange, ...] = ()
    """The exchanges that created what the trigger acts on."""
    deliveries: tuple[Delivery, ...] = ()
    later_deliveries: tuple[Delivery, ...] = ()
    all_deliveries: tuple[Delivery, ...] = field(default=(), repr=False)
    """Every delivery to every endpoint during the scenario."""
    redirected_deliveries: tuple[Delivery, ...] = ()
    """The deliveries that followed a redirect."""
    log_rows: tuple[LogRow, ...] | None = None
    foreign_exchanges: tuple[Exchange, ...] = ()
    final_read: Exchange | None = None
    waited_s: float = 0.0
    is_complete: bool = False
    """Whether all expected deliveries have come."""

    @property
    def event_attempts(self) -> list[tuple[Delivery, ...]]:
        """The deliveries grouped by event, each group with all attempts in order."""
        return group_attempts(self.deliveries)

    def failure(
        self,
        title: str,
        message: str,
        evidence: Sequence[Delivery | Exchange] = (),
        promise: Location | None = None,
    ) -> CheckFailure:
        """Return a failure; its evidence is the trigger with what it needs, then the given exchanges."""
        exchanges = (
            delivery.exchange if isinstance(delivery, Delivery) else delivery for delivery in evidence
        )
        return CheckFailure(
            title=title,
            message=message,
            operation=self.trigger.operation,
            promise=promise
            or self.promise_location(
                next((delivery for delivery in evidence if isinstance(delivery, Delivery)), None)
            ),
            evidence=(*self.creations, self.trigger, *exchanges),
        )

    def event_operation(self, delivery: Delivery | None) -> Operation | None:
        """Return the contract's request of a delivery's event, None if it has none."""
        return self.plan.event_operation(delivery.event) if delivery is not None else None

    def promise_location(self, delivery: Delivery | None) -> Location | None:
        """Return where the contract promises the event of a delivery, or the first event of the trigger."""
        described = self.event_operation(delivery) or self.plan.event_operation(
            self.scenario.trigger.events[0].name
        )
        return described.location if described is not None else None
