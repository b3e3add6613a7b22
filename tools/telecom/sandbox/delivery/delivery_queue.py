"""The queue of deliveries: written with the changes that cause them, and worked off in order."""

import json
import logging
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from devportal.serving.retries import HTTP_GONE, RetrySchedule
from telecom.sandbox.api.identifiers import RandomBytes, new_id
from telecom.sandbox.database.database import Database
from telecom.sandbox.database.tables import EVENTS
from telecom.sandbox.delivery import deliveries, endpoint_store, leases
from telecom.sandbox.delivery.attempt import NO_RETRIES, AttemptResponse, state_after_attempt
from telecom.sandbox.delivery.deliveries import Attempt, DeliveryKey, PlannedDelivery
from telecom.sandbox.delivery.endpoint_store import TEST_EVENT_TYPE, Endpoint, lock_endpoints_of
from telecom.sandbox.delivery.leases import DueDelivery, EndpointQueue, Instant
from telecom.sandbox.stores.scheduled_work import AdvanceContext, TimedKind, TimedResource
from telecom.states import StateMachines
from telecom.times import format_rfc3339

_LOG = logging.getLogger("telecom.sandbox")
MAX_PER_ENDPOINT = 16
"""How many deliveries to one endpoint a worker makes at a time: a slow receiver holds up only its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptResult:
    """The result of an attempt: the delivery, the response, and the duration."""

    delivery: DueDelivery
    response: AttemptResponse
    duration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Worklist:
    """The work of a delivery worker, in the database."""

    database: Database
    timed: Sequence[TimedResource]
    """The resources that change by time."""
    machines: StateMachines
    schedule: RetrySchedule
    """When failed deliveries are repeated."""
    clock: Callable[[], datetime]
    """The time of the sandbox."""
    real_clock: Callable[[], datetime]
    random_bytes: RandomBytes
    rng: random.Random

    def advance(self) -> Counter[TimedKind]:
        """Advance all due resources, with their events; return how many of which kind."""
        now = self.clock()
        with self.database.read() as connection:
            due = [
                timed_resource
                for timed_resource in self.timed
                if _is_due(timed_resource.next_due(connection), now)
            ]
        if not due:
            return Counter()
        with self.database.write(shared=True) as connection:
            context = AdvanceContext(now=now, random_bytes=self.random_bytes, machines=self.machines)
            return Counter(
                {timed_resource.kind: timed_resource.advance(connection, context) for timed_resource in due}
            )

    def take(self, under_way: Collection[DeliveryKey]) -> tuple[DueDelivery, ...]:
        """Lease what is due now, up to the capacity of the endpoints."""
        instant = Instant(now=self.clock(), real=self.real_clock())
        with self.database.read() as connection:
            due = [
                queue
                for queue in self._queues_with_capacity(connection, under_way)
                if queue[0].first_due <= instant.now
            ]
        if not due:
            return ()
        with self.database.write(shared=True) as connection:
            return tuple(
                delivery
                for queue, capacity in due
                for delivery in leases.lease_deliveries(connection, queue, instant, limit=capacity)
            )

    def next_due(self, under_way: Collection[DeliveryKey]) -> datetime | None:
        """Return when something is due next, in the time of the sandbox; None if nothing is."""
        with self.database.read() as connection:
            moments = [timed_resource.next_due(connection) for timed_resource in self.timed]
            moments += [queue.first_due for queue, _ in self._queues_with_capacity(connection, under_way)]
        return min((moment for moment in moments if moment is not None), default=None)

    def record(self, results: Sequence[AttemptResult]) -> tuple[tuple[AttemptResult, Exception], ...]:
        """Store attempts, with what follows from them; return those that could not be stored, with the
        errors.

        All are stored in one transaction; if that fails each in its own, so that none holds up the others.
        """
        try:
            self._record(results)
        except Exception as error:  # noqa: BLE001 - whatever it is, the others are to be recorded
            if len(results) == 1:
                return ((results[0], error),)
            return tuple(failed for result in results for failed in self.record((result,)))
        return ()

    def release(self, keys: Iterable[DeliveryKey]) -> None:
        """Release leased deliveries that are not going to be sent."""
        with self.database.write(shared=True) as connection:
            leases.release_leases(connection, keys)

    def _queues_with_capacity(
        self, connection: sa.Connection, under_way: Collection[DeliveryKey]
    ) -> list[tuple[EndpointQueue, int]]:
        capacity = leases.remaining_capacity(MAX_PER_ENDPOINT, under_way)
        queues = leases.waiting_queues(connection, self.real_clock())
        capacities = (
            (queue, capacity.get((queue.account, queue.endpoint_id), MAX_PER_ENDPOINT)) for queue in queues
        )
        return [(queue, count) for queue, count in capacities if count > 0]

    def _record(self, results: Sequence[AttemptResult]) -> None:
        now = self.clock()
        with self.database.write(shared=True) as connection:
            numbers = [self._record_one(connection, result, now) for result in results]
            for result in results:
                if result.response.status == HTTP_GONE:
                    self._disable_gone_endpoint(connection, result.delivery.endpoint, now)
        for result, number in zip(results, numbers, strict=True):
            outcome = result.response.status or result.response.error or "no response"
            key = result.delivery.key
            fields = {
                "event_id": key.event_id,
                "endpoint_id": key.endpoint_id,
                "attempt": number,
                "account": key.account,
                "status": result.response.status,
                "error": result.response.error,
                "duration_ms": result.duration_ms,
            }
            _LOG.info(
                "webhook %s to %s, attempt %s: %s, %d ms, account %s",
                key.event_id,
                key.endpoint_id,
                number,
                outcome,
                result.duration_ms,
                key.account,
                extra={"fields": fields},
            )

    def _record_one(self, connection: sa.Connection, result: AttemptResult, now: datetime) -> int | None:
        """Store one attempt; return its number, None if its delivery no longer exists."""
        delivery, key, signing = result.delivery, result.delivery.key, result.response.signing
        stored = deliveries.find_delivery(connection, key)
        if stored is None:
            return None  # its sample was made again at a start
        endpoint = endpoint_store.find_endpoint(connection, key.account, key.endpoint_id)
        is_retried = endpoint is not None and endpoint.enabled and delivery.event_type != TEST_EVENT_TYPE
        state, due_at = state_after_attempt(
            result.response,
            attempt=stored.round_attempts + 1,
            schedule=self.schedule if is_retried else NO_RETRIES,
            rng=self.rng,
            now=now,
        )
        attempt = Attempt(
            number=stored.attempts + 1,
            at=delivery.taken_at,
            url=delivery.endpoint.url,
            status=result.response.status,
            error=result.response.error,
            duration_ms=result.duration_ms,
            signed_at=signing.at if signing is not None else None,
            signed_with=" ".join(signing.secrets) if signing is not None else None,
        )
        deliveries.record_attempt(
            connection,
            stored,
            attempt,
            self.machines,
            state=state,
            due_at=due_at,
            replays=delivery.replays,
        )
        return attempt.number

    def _disable_gone_endpoint(self, connection: sa.Connection, endpoint: Endpoint, now: datetime) -> None:
        """Disable an endpoint whose receiver is gone for good, unless its address has changed since."""
        if endpoint_store.disable_gone_endpoint(connection, endpoint, now):
            deliveries.skip_pending(connection, endpoint.account, endpoint.id, self.machines)
            _LOG.warning("%s returned 410 Gone and is disabled until it is enabled again", endpoint.id)


def _is_due(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event about a resource of an account, at an aware time; `subject` is the resource's id."""

    type: str
    account: str
    subject: str
    at: datetime
    data: Mapping[str, Any]

    def body(self) -> str:
        """Return the JSON text that is sent (Standard Webhooks 1.0.0, Payload structure)."""
        document = {"type": self.type, "timestamp": format_rfc3339(self.at), "data": dict(self.data)}
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


_ADD = sa.insert(EVENTS)


def add_events(connection: sa.Connection, events: Sequence[Event], context: AdvanceContext) -> None:
    """Store events in the transaction of the changes they report, in their order.

    Each is due at once at every enabled endpoint that subscribes to its type, and skipped at disabled ones,
    so that the log shows what they missed.
    """
    if not events:
        return
    identifiers = _insert_events(connection, events, context)
    endpoints_by_account = {
        account: lock_endpoints_of(connection, account)
        for account in sorted({event.account for event in events})
    }
    deliveries.plan_deliveries(
        connection,
        (
            PlannedDelivery(
                key=DeliveryKey(account=event.account, event_id=event_id, endpoint_id=endpoint.id),
                due_at=context.now if endpoint.enabled else None,
            )
            for event, event_id in zip(events, identifiers, strict=True)
            for endpoint in endpoints_by_account[event.account]
            if event.type in endpoint.event_types
        ),
    )


def add_event_for(
    connection: sa.Connection, event: Event, endpoint: Endpoint, context: AdvanceContext
) -> str:
    """Store an event that is due at once at one endpoint only, whether it is enabled or not; return its id."""
    (event_id,) = _insert_events(connection, (event,), context)
    key = DeliveryKey(account=event.account, event_id=event_id, endpoint_id=endpoint.id)
    deliveries.plan_deliveries(connection, (PlannedDelivery(key=key, due_at=context.now),))
    return event_id


def _insert_events(
    connection: sa.Connection, events: Sequence[Event], context: AdvanceContext
) -> tuple[str, ...]:
    """Store events without their deliveries; return their identifiers."""
    identifiers = tuple(new_id("evt_", context.now, context.random_bytes) for _ in events)
    rows = [
        {
            "id": event_id,
            "account": event.account,
            "subject": event.subject,
            "type": event.type,
            "body": event.body(),
            "created_at": context.now,
        }
        for event, event_id in zip(events, identifiers, strict=True)
    ]
    connection.execute(_ADD, rows)
    return identifiers
