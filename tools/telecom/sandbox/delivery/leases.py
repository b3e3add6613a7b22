"""Leases on due deliveries: a lease keeps other workers off.

A lease expires, so that another worker sends what a killed worker had leased.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from telecom.sandbox.database.tables import EVENTS, UtcTime, is_running
from telecom.sandbox.delivery import endpoint_store
from telecom.sandbox.delivery.deliveries import DELIVERIES, DeliveryKey
from telecom.sandbox.delivery.endpoint_store import ENDPOINTS, Endpoint

LEASE_DURATION = timedelta(seconds=20)
"""How long a lease lasts, in real time: an attempt with its record must take less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueDelivery:
    """An event that is to be sent to an endpoint now; `taken_at` is the time of the sandbox."""

    key: DeliveryKey
    endpoint: Endpoint
    event_type: str
    body: bytes
    replays: int
    taken_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Instant:
    """The current time twice: of the sandbox, by which things are due, and real time, in which leases last."""

    now: datetime
    real: datetime


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class EndpointQueue:
    """The waiting deliveries of one endpoint, and when the first is due."""

    first_due: datetime
    account: str
    endpoint_id: str


def waiting_queues(connection: sa.Connection, real: datetime) -> tuple[EndpointQueue, ...]:
    """Return the endpoints with unleased deliveries, the first that is due in front."""
    rows = connection.execute(_FIRST_DUE, {"real": real})
    waiting = (row for row in rows if row.first_due is not None)
    return tuple(
        sorted(
            EndpointQueue(first_due=row.first_due, account=row.account, endpoint_id=row.id) for row in waiting
        )
    )


def lease_deliveries(
    connection: sa.Connection, queue: EndpointQueue, at: Instant, *, limit: int
) -> tuple[DueDelivery, ...]:
    """Lease what is due at an endpoint, oldest first, and return it."""
    queue_values = {"of_account": queue.account, "of_endpoint": queue.endpoint_id}
    values = {**queue_values, "now": at.now, "real": at.real, "limit": limit}
    rows = connection.execute(_TAKE, values).all()
    endpoint = endpoint_store.find_endpoint(connection, queue.account, queue.endpoint_id)
    if not rows or endpoint is None:
        return ()
    until = at.real + LEASE_DURATION
    connection.execute(_LEASE, [{**queue_values, "of_event": row.event_id, "until": until} for row in rows])
    return tuple(
        DueDelivery(
            key=DeliveryKey(account=queue.account, event_id=row.event_id, endpoint_id=queue.endpoint_id),
            endpoint=endpoint,
            event_type=row.type,
            body=row.body.encode(),
            replays=row.replays,
            taken_at=at.now,
        )
        for row in rows
    )


def release_leases(connection: sa.Connection, keys: Iterable[DeliveryKey]) -> None:
    """End the leases of deliveries that are not going to be sent."""
    for key in keys:
        key_values = {"of_account": key.account, "of_endpoint": key.endpoint_id, "of_event": key.event_id}
        connection.execute(_LEASE, {**key_values, "until": None})


def release_all_leases(connection: sa.Connection) -> None:
    """End every lease; no worker is running."""
    is_leased_now = DELIVERIES.c.leased_until.is_not(None)
    connection.execute(sa.update(DELIVERIES).where(is_leased_now).values(leased_until=None))


def remaining_capacity(limit: int, under_way: Iterable[DeliveryKey]) -> Mapping[tuple[str, str], int]:
    """Return the remaining capacity of each endpoint that has deliveries under way."""
    capacity: dict[tuple[str, str], int] = {}
    for key in under_way:
        endpoint = (key.account, key.endpoint_id)
        capacity[endpoint] = capacity.get(endpoint, limit) - 1
    return capacity


def is_leased(real: sa.ColumnElement[datetime]) -> sa.ColumnElement[bool]:
    """Return an SQL condition: whether a delivery is leased at a moment of real time."""
    return is_running(DELIVERIES.c.leased_until, real, LEASE_DURATION)


_NOW, _REAL = (sa.bindparam(name, type_=UtcTime) for name in ("now", "real"))
_IS_FREE = sa.and_(
    DELIVERIES.c.due_at.is_not(None),
    DELIVERIES.c.leased_until.is_(None) | sa.not_(is_leased(_REAL)),
)
_IS_OF_QUEUE = sa.and_(
    DELIVERIES.c.account == sa.bindparam("of_account"),
    DELIVERIES.c.endpoint_id == sa.bindparam("of_endpoint"),
)
_FIRST_DUE = sa.select(
    ENDPOINTS.c.account,
    ENDPOINTS.c.id,
    sa.select(sa.func.min(DELIVERIES.c.due_at))
    .where(
        DELIVERIES.c.account == ENDPOINTS.c.account,
        DELIVERIES.c.endpoint_id == ENDPOINTS.c.id,
        _IS_FREE,
    )
    .scalar_subquery()
    .label("first_due"),
)
_TAKE = (
    sa.select(DELIVERIES.c.event_id, DELIVERIES.c.replays, EVENTS.c.type, EVENTS.c.body)
    .join(EVENTS, (EVENTS.c.account == DELIVERIES.c.account) & (EVENTS.c.id == DELIVERIES.c.event_id))
    .where(_IS_OF_QUEUE, _IS_FREE, DELIVERIES.c.due_at <= _NOW)
    .order_by(DELIVERIES.c.due_at, DELIVERIES.c.event_id)
    .limit(sa.bindparam("limit", type_=sa.Integer))
    .with_for_update(of=DELIVERIES, skip_locked=True)
)
_LEASE = (
    sa.update(DELIVERIES)
    .where(_IS_OF_QUEUE, DELIVERIES.c.event_id == sa.bindparam("of_event"))
    .values(leased_until=sa.bindparam("until"))
)
