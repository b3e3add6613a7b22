"""What happened in a scenario: all that the checks look at."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckFailure
from devportal.conformance.knowledge.test_target import Subject
from devportal.conformance.webhooks.delivery import Delivery, group_attempts
from devportal.conformance.webhooks.plan import WebhookPlan
from devportal.conformance.webhooks.scenarios import Scenario
from devportal.contract import Location, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An address that was made known. `secrets` are all it had, the newest last; never shown."""

    name: str
    url: str
    id: str = ""
    secrets: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """A delivery as the event log shows it. What the log does not show is None."""

    event_id: str
    endpoint_id: str | None
    state: str | None
    attempts: int | None
    statuses: tuple[Any, ...] | None
    payload: Any
    exchange: Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioResult:
    """A scenario that was played: the endpoint, what was sent to trigger it, what came of it.

    `deliveries` are those to the endpoint about the resource that the trigger made, `later_deliveries` those
    about the resource of a second trigger; `log_rows` what the log says of them, None if it was not read.
    `foreign_exchanges` are answers to another account that asked for what is not its own. `final_read` shows
    the resource in the end.
    """

    plan: WebhookPlan
    subject: Subject
    scenario: Scenario
    endpoint: Endpoint
    trigger: Exchange
    resource_id: str
    deliveries: tuple[Delivery, ...] = ()
    later_deliveries: tuple[Delivery, ...] = ()
    all_deliveries: tuple[Delivery, ...] = field(default=(), repr=False)
    """Every delivery to every endpoint while this was played."""
    redirected_deliveries: tuple[Delivery, ...] = ()
    """What followed a redirect."""
    log_rows: tuple[LogRow, ...] | None = None
    foreign_exchanges: tuple[Exchange, ...] = ()
    final_read: Exchange | None = None
    waited_s: float = 0.0
    is_complete: bool = False
    """Whether all that was waited for has come."""

    @property
    def event_attempts(self) -> list[tuple[Delivery, ...]]:
        """The attempts of each event."""
        return group_attempts(self.deliveries)

    def failure(
        self,
        title: str,
        message: str,
        evidence: Sequence[Delivery | Exchange] = (),
        promise: Location | None = None,
    ) -> CheckFailure:
        """Return a failure; its evidence is the trigger, then what came."""
        shown = (one.exchange if isinstance(one, Delivery) else one for one in evidence)
        return CheckFailure(
            title=title,
            message=message,
            operation=self.trigger.operation,
            promise=promise
            or self.promise_location(next((one for one in evidence if isinstance(one, Delivery)), None)),
            evidence=(self.trigger, *shown),
        )

    def event_operation(self, delivery: Delivery | None) -> Operation | None:
        """Return what the contract says of the request of a delivery's event, None if it has no such."""
        return self.plan.events.get(delivery.event) if delivery is not None else None

    def promise_location(self, delivery: Delivery | None) -> Location | None:
        """Return where the contract promises the event of a delivery, or the first event of the trigger."""
        described = self.event_operation(delivery) or self.plan.events.get(
            self.scenario.trigger.events[0].name
        )
        return described.location if described is not None else None
