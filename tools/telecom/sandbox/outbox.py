"""Events in the database: written with the change they report, together with a delivery to each endpoint that
wants them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from telecom.sandbox import deliveries, endpoints
from telecom.sandbox.deliveries import DeliveryKey, DeliveryState
from telecom.sandbox.endpoints import Endpoint
from telecom.sandbox.identifiers import new_id
from telecom.sandbox.tables import EVENTS
from telecom.sandbox.timed import Moment
from telecom.times import rfc3339


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
        document = {"type": self.type, "timestamp": rfc3339(self.at), "data": dict(self.data)}
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def add_event(connection: sa.Connection, event: Event, moment: Moment) -> str:
    """Write an event in the transaction of the change it reports; return its id.

    It is due at once at each endpoint that wants its type and is on, and skipped at those that are off, so
    that the log shows what they missed.
    """
    event_id = _write(connection, event, moment)
    for endpoint in endpoints.subscribers(connection, event.account, event.type):
        key = DeliveryKey(account=event.account, event_id=event_id, endpoint_id=endpoint.id)
        if endpoint.enabled:
            deliveries.plan(connection, key, state=DeliveryState.PENDING, due_at=moment.now)
        else:
            deliveries.plan(connection, key, state=DeliveryState.SKIPPED, due_at=None)
    return event_id


def add_event_for(connection: sa.Connection, event: Event, endpoint: Endpoint, moment: Moment) -> str:
    """Write an event that is due at once at one endpoint and nowhere else, be it on or off; return its id."""
    event_id = _write(connection, event, moment)
    key = DeliveryKey(account=event.account, event_id=event_id, endpoint_id=endpoint.id)
    deliveries.plan(connection, key, state=DeliveryState.PENDING, due_at=moment.now)
    return event_id


def _write(connection: sa.Connection, event: Event, moment: Moment) -> str:
    event_id = new_id("evt_", moment.now, moment.random_bytes)
    connection.execute(
        sa.insert(EVENTS).values(
            id=event_id,
            account=event.account,
            subject=event.subject,
            type=event.type,
            body=event.body(),
            created_at=moment.now,
        )
    )
    return event_id
