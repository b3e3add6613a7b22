"""Events in the database: written with the change they report, together with a delivery to each endpoint that
wants them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from telecom.sandbox.api.identifiers import new_id
from telecom.sandbox.database.tables import EVENTS
from telecom.sandbox.delivery import deliveries
from telecom.sandbox.delivery.deliveries import DeliveryKey, PlannedDelivery
from telecom.sandbox.delivery.endpoint_store import Endpoint, lock_endpoints_of
from telecom.sandbox.stores.timed import AdvanceContext
from telecom.times import format_rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened to a thing of an account, at an aware time; `subject` is the thing's id."""

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


def add_events(connection: sa.Connection, events: Sequence[Event], moment: AdvanceContext) -> None:
    """Write events in the transaction of the changes they report, in their order.

    Each is due at once at every endpoint that wants its type and is on, and skipped at those that are off, so
    that the log shows what they missed.
    """
    if not events:
        return
    identifiers = _insert_events(connection, events, moment)
    wanting = {
        account: lock_endpoints_of(connection, account) for account in sorted({one.account for one in events})
    }
    deliveries.plan_deliveries(
        connection,
        (
            PlannedDelivery(
                key=DeliveryKey(account=event.account, event_id=event_id, endpoint_id=endpoint.id),
                due_at=moment.now if endpoint.enabled else None,
            )
            for event, event_id in zip(events, identifiers, strict=True)
            for endpoint in wanting[event.account]
            if event.type in endpoint.event_types
        ),
    )


def add_event_for(connection: sa.Connection, event: Event, endpoint: Endpoint, moment: AdvanceContext) -> str:
    """Write an event that is due at once at one endpoint and nowhere else, be it on or off; return its id."""
    (event_id,) = _insert_events(connection, (event,), moment)
    key = DeliveryKey(account=event.account, event_id=event_id, endpoint_id=endpoint.id)
    deliveries.plan_deliveries(connection, (PlannedDelivery(key=key, due_at=moment.now),))
    return event_id


def _insert_events(
    connection: sa.Connection, events: Sequence[Event], moment: AdvanceContext
) -> tuple[str, ...]:
    """Write events without their deliveries; return their identifiers."""
    identifiers = tuple(new_id("evt_", moment.now, moment.random_bytes) for _ in events)
    rows = [
        {
            "id": event_id,
            "account": event.account,
            "subject": event.subject,
            "type": event.type,
            "body": event.body(),
            "created_at": moment.now,
        }
        for event, event_id in zip(events, identifiers, strict=True)
    ]
    connection.execute(_ADD, rows)
    return identifiers
