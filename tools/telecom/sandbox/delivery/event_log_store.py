"""The event log: events as the API shows them, with their deliveries."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from telecom.sandbox.api.exchange import OperationRequest
from telecom.sandbox.api.pagination import created_between, equality_filters
from telecom.sandbox.database.tables import EVENTS
from telecom.sandbox.delivery import deliveries
from telecom.sandbox.delivery.deliveries import DELIVERIES, Attempt, Delivery, DeliveryKey, DeliveryState
from telecom.sandbox.delivery.endpoint_store import subscribers
from telecom.states import StateMachines
from telecom.times import format_rfc3339

_MAX_ATTEMPTS = 100


def events_query(call: OperationRequest) -> sa.Select[Any]:
    """Return the query of the events that match the account and the filters of a request, without an order."""
    account = call.grant.account
    query = sa.select(EVENTS).where(
        EVENTS.c.account == account,
        *equality_filters(call, {"type": EVENTS.c.type, "subject": EVENTS.c.subject}),
        *created_between(call, EVENTS.c.created_at),
    )
    delivery_filters = equality_filters(
        call, {"webhook_endpoint_id": DELIVERIES.c.endpoint_id, "state": DELIVERIES.c.state}
    )
    if not delivery_filters:
        return query
    return query.where(
        sa.exists().where(
            DELIVERIES.c.account == account, DELIVERIES.c.event_id == EVENTS.c.id, *delivery_filters
        )
    )


def find_event(connection: sa.Connection, account: str, event_id: str) -> sa.RowMapping | None:
    """Return the row of an account's event, None if there is none."""
    query = sa.select(EVENTS).where(EVENTS.c.account == account, EVENTS.c.id == event_id)
    return connection.execute(query).mappings().first()


def event_summary(row: sa.RowMapping, event_deliveries: tuple[Delivery, ...]) -> dict[str, Any]:
    """Return an event as the list shows it."""
    states = [
        {"webhook_endpoint_id": event_delivery.key.endpoint_id, "state": event_delivery.state.value}
        for event_delivery in event_deliveries
    ]
    return {**_event_fields(row), "deliveries": states}


def event_document(connection: sa.Connection, row: sa.RowMapping) -> dict[str, Any]:
    """Return an event with its payload and every delivery."""
    event_deliveries = deliveries.deliveries_of(connection, row["account"], [row["id"]])[row["id"]]
    documents = [_delivery_document(connection, event_delivery) for event_delivery in event_deliveries]
    return {**_event_fields(row), "payload": json.loads(row["body"]), "deliveries": documents}


def read_event_document(connection: sa.Connection, account: str, event_id: str) -> dict[str, Any]:
    """Return a new event as the API shows it."""
    row = find_event(connection, account, event_id)
    if row is None:
        raise LookupError(f"there is no event {event_id}")
    return event_document(connection, row)


def replay_deliveries(
    connection: sa.Connection,
    row: sa.RowMapping,
    endpoint_id: str | None,
    machines: StateMachines,
    now: datetime,
) -> bool:
    """Replay an event to one endpoint, else to all enabled subscribers; return whether there is any."""
    account = row["account"]
    subscribed = (
        subscriber.id for subscriber in subscribers(connection, account, row["type"]) if subscriber.enabled
    )
    targets = (endpoint_id,) if endpoint_id is not None else tuple(subscribed)
    for target in targets:
        key = DeliveryKey(account=account, event_id=row["id"], endpoint_id=target)
        deliveries.replan_delivery(connection, key, machines, now)
    return bool(targets)


def restore_event(connection: sa.Connection, account: str, document: Mapping[str, Any]) -> None:
    """Store an event as the API shows it, in place of the one with its identifier."""
    deliveries.delete_deliveries(connection, account, document["id"])
    connection.execute(sa.delete(EVENTS).where(EVENTS.c.account == account, EVENTS.c.id == document["id"]))
    connection.execute(
        sa.insert(EVENTS).values(
            account=account,
            id=document["id"],
            subject=document["subject"],
            type=document["type"],
            body=json.dumps(document["payload"], ensure_ascii=False, separators=(",", ":")),
            created_at=datetime.fromisoformat(document["created_at"]),
        )
    )
    for delivery in document["deliveries"]:
        key = DeliveryKey(
            account=account, event_id=document["id"], endpoint_id=delivery["webhook_endpoint_id"]
        )
        attempts = [_attempt_from_document(item) for item in delivery["attempts"]]
        deliveries.restore_delivery(
            connection, key, state=DeliveryState(delivery["state"]), attempts=attempts
        )


def _event_fields(row: sa.RowMapping) -> dict[str, Any]:
    return {
        "id": row["id"],
        "type": row["type"],
        "subject": row["subject"],
        "created_at": format_rfc3339(row["created_at"]),
    }


def _delivery_document(connection: sa.Connection, delivery: Delivery) -> dict[str, Any]:
    attempts = deliveries.attempts_of(connection, delivery.key, last=_MAX_ATTEMPTS)
    return {
        "webhook_endpoint_id": delivery.key.endpoint_id,
        "state": delivery.state.value,
        "next_attempt_at": format_rfc3339(delivery.due_at) if delivery.due_at is not None else None,
        "attempts": [_attempt_document(attempt) for attempt in attempts],
    }


def _attempt_document(attempt: Attempt) -> dict[str, Any]:
    return {
        "number": attempt.number,
        "at": format_rfc3339(attempt.at),
        "url": attempt.url,
        "status_code": attempt.status,
        "error": attempt.error,
        "duration_ms": attempt.duration_ms,
    }


def _attempt_from_document(document: Mapping[str, Any]) -> Attempt:
    return Attempt(
        number=document["number"],
        at=datetime.fromisoformat(document["at"]),
        url=document["url"],
        status=document["status_code"],
        error=document["error"],
        duration_ms=document["duration_ms"],
    )
