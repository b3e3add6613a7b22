"""Deliveries in the database: one for each event and each endpoint that wants it, with all attempts.

Each goes its own way from pending to delivered, failed or skipped, along the state machine that the contract
has at `DeliveryState`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa

from telecom.sandbox.tables import EVENTS, METADATA, UtcTime
from telecom.states import Machines

_MACHINE = "DeliveryState"

DELIVERIES = sa.Table(
    "deliveries",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("event_id", sa.String(64), primary_key=True),
    sa.Column("endpoint_id", sa.String(64), primary_key=True),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("attempts_before", sa.Integer, nullable=False),
    sa.Column("replays", sa.Integer, nullable=False),
    sa.Column("due_at", UtcTime),
    sa.Index("deliveries_to_send", "account", "endpoint_id", "due_at"),
)
"""`attempts` were made, `attempts_before` of them before the last replay or begun before it; `due_at` is null
where no attempt is planned."""

ATTEMPTS = sa.Table(
    "attempts",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("event_id", sa.String(64), primary_key=True),
    sa.Column("endpoint_id", sa.String(64), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", UtcTime, nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("status", sa.Integer),
    sa.Column("error", sa.Text),
    sa.Column("duration_ms", sa.Integer, nullable=False),
)


class DeliveryState(StrEnum):
    """How far the delivery of an event to one endpoint has come."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DeliveryKey:
    """Which event to which endpoint of which account."""

    account: str
    event_id: str
    endpoint_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DueDelivery:
    """An event that is to be sent to an endpoint now."""

    key: DeliveryKey
    event_type: str
    body: bytes
    replays: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """How far a delivery has come; `round_attempts` were begun since it was planned or last replayed."""

    key: DeliveryKey
    state: DeliveryState
    attempts: int
    round_attempts: int
    replays: int
    due_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt of a delivery: `status` where the receiver answered, `error` where it did not."""

    number: int
    at: datetime
    url: str
    status: int | None
    error: str | None
    duration_ms: int


def plan(
    connection: sa.Connection, key: DeliveryKey, *, state: DeliveryState, due_at: datetime | None
) -> None:
    """Write a delivery that begins as pending, to be sent at `due_at`, or as skipped."""
    values = {"state": state.value, "due_at": due_at, "attempts": 0, "attempts_before": 0, "replays": 0}
    connection.execute(sa.insert(DELIVERIES).values(**_columns(key), **values))


def replan(connection: sa.Connection, key: DeliveryKey, machines: Machines, now: datetime) -> None:
    """Let a delivery begin anew, now; plan it where there is none."""
    delivery = find(connection, key)
    if delivery is None:
        plan(connection, key, state=DeliveryState.PENDING, due_at=now)
        return
    state = machines.step(_MACHINE, delivery.state, DeliveryState.PENDING)
    values = {"state": state, "due_at": now, "replays": delivery.replays + 1}
    values["attempts_before"] = delivery.attempts
    connection.execute(sa.update(DELIVERIES).where(_is(key)).values(values))


def due(
    connection: sa.Connection,
    account: str,
    endpoint_id: str,
    *,
    now: datetime,
    limit: int,
    leaving_out: Collection[str] = (),
) -> tuple[DueDelivery, ...]:
    """Return what is to be sent to an endpoint now, oldest first, but none of the events `leaving_out`."""
    rows = connection.execute(
        sa.select(DELIVERIES.c.event_id, DELIVERIES.c.replays, EVENTS.c.type, EVENTS.c.body)
        .join(EVENTS, (EVENTS.c.account == DELIVERIES.c.account) & (EVENTS.c.id == DELIVERIES.c.event_id))
        .where(*_waiting(account, endpoint_id, leaving_out), DELIVERIES.c.due_at <= now)
        .order_by(DELIVERIES.c.due_at, DELIVERIES.c.event_id)
        .limit(limit)
    )
    return tuple(
        DueDelivery(
            key=DeliveryKey(account=account, event_id=row.event_id, endpoint_id=endpoint_id),
            event_type=row.type,
            body=row.body.encode(),
            replays=row.replays,
        )
        for row in rows
    )


def next_due(
    connection: sa.Connection, account: str, endpoint_id: str, *, leaving_out: Collection[str] = ()
) -> datetime | None:
    """Return when something is to be sent to an endpoint next, None where nothing is."""
    query = sa.select(sa.func.min(DELIVERIES.c.due_at))
    moment: datetime | None = connection.execute(
        query.where(*_waiting(account, endpoint_id, leaving_out))
    ).scalar()
    return moment


def record(
    connection: sa.Connection,
    before: Delivery,
    attempt: Attempt,
    machines: Machines,
    *,
    state: DeliveryState,
    due_at: datetime | None,
    replays: int,
) -> None:
    """Write an attempt down that began after so many replays, with the state after it and the next time.

    Where the delivery was replayed while the attempt was under way, the replay is still to be sent, with all
    its attempts before it. Where it was skipped, it stays so unless the attempt succeeded.
    """
    _write_attempt(connection, before.key, attempt)
    changes: dict[str, object] = {"attempts": attempt.number}
    overtaken = replays != before.replays
    if overtaken:
        changes["attempts_before"] = attempt.number
    skipped = before.state is DeliveryState.SKIPPED
    if (state is DeliveryState.DELIVERED) if skipped else not overtaken:
        changes |= {"state": machines.step(_MACHINE, before.state, state), "due_at": due_at}
    connection.execute(sa.update(DELIVERIES).where(_is(before.key)).values(changes))


def skip_pending(connection: sa.Connection, account: str, endpoint_id: str, machines: Machines) -> None:
    """Give up what is still to be sent to an endpoint, because it is turned off or deleted."""
    skipped = machines.step(_MACHINE, DeliveryState.PENDING, DeliveryState.SKIPPED)
    connection.execute(
        sa.update(DELIVERIES)
        .where(
            DELIVERIES.c.account == account,
            DELIVERIES.c.endpoint_id == endpoint_id,
            DELIVERIES.c.state == DeliveryState.PENDING.value,
        )
        .values(state=skipped, due_at=None)
    )


def forget(connection: sa.Connection, account: str, event_id: str) -> None:
    """Delete the deliveries of an event with their attempts."""
    for table in (ATTEMPTS, DELIVERIES):
        connection.execute(sa.delete(table).where(table.c.account == account, table.c.event_id == event_id))


def restore(
    connection: sa.Connection, key: DeliveryKey, *, state: DeliveryState, attempts: Sequence[Attempt]
) -> None:
    """Write a delivery down that has come to an end, with the attempts that were made."""
    plan(connection, key, state=state, due_at=None)
    connection.execute(sa.update(DELIVERIES).where(_is(key)).values(attempts=len(attempts)))
    for attempt in attempts:
        _write_attempt(connection, key, attempt)


def find(connection: sa.Connection, key: DeliveryKey) -> Delivery | None:
    """Return a delivery, None where there is none."""
    row = connection.execute(sa.select(DELIVERIES).where(_is(key))).first()
    return _delivery(row) if row is not None else None


def deliveries_of(
    connection: sa.Connection, account: str, event_ids: Sequence[str]
) -> dict[str, tuple[Delivery, ...]]:
    """Return the deliveries of each of some events, by the identifier of the endpoint."""
    rows = connection.execute(
        sa.select(DELIVERIES)
        .where(DELIVERIES.c.account == account, DELIVERIES.c.event_id.in_(event_ids))
        .order_by(DELIVERIES.c.endpoint_id)
    )
    found: dict[str, tuple[Delivery, ...]] = dict.fromkeys(event_ids, ())
    for row in rows:
        found[row.event_id] += (_delivery(row),)
    return found


def attempts_of(connection: sa.Connection, key: DeliveryKey, *, last: int) -> tuple[Attempt, ...]:
    """Return the last attempts of a delivery, in the order in which they were made."""
    columns = (ATTEMPTS.c.number, ATTEMPTS.c.at, ATTEMPTS.c.url, ATTEMPTS.c.status, ATTEMPTS.c.error)
    rows = connection.execute(
        sa.select(*columns, ATTEMPTS.c.duration_ms)
        .where(
            ATTEMPTS.c.account == key.account,
            ATTEMPTS.c.event_id == key.event_id,
            ATTEMPTS.c.endpoint_id == key.endpoint_id,
        )
        .order_by(ATTEMPTS.c.number.desc())
        .limit(last)
    ).mappings()
    return tuple(reversed([Attempt(**row) for row in rows]))


def _write_attempt(connection: sa.Connection, key: DeliveryKey, attempt: Attempt) -> None:
    connection.execute(
        sa.insert(ATTEMPTS).values(
            **_columns(key),
            number=attempt.number,
            at=attempt.at,
            url=attempt.url,
            status=attempt.status,
            error=attempt.error,
            duration_ms=attempt.duration_ms,
        )
    )


def _delivery(row: sa.Row[tuple[object, ...]]) -> Delivery:
    return Delivery(
        key=DeliveryKey(account=row.account, event_id=row.event_id, endpoint_id=row.endpoint_id),
        state=DeliveryState(row.state),
        attempts=row.attempts,
        round_attempts=row.attempts - row.attempts_before,
        replays=row.replays,
        due_at=row.due_at,
    )


def _waiting(
    account: str, endpoint_id: str, leaving_out: Collection[str]
) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        DELIVERIES.c.account == account,
        DELIVERIES.c.endpoint_id == endpoint_id,
        DELIVERIES.c.due_at.is_not(None),
        DELIVERIES.c.event_id.not_in(leaving_out),
    )


def _columns(key: DeliveryKey) -> dict[str, str]:
    return {"account": key.account, "event_id": key.event_id, "endpoint_id": key.endpoint_id}


def _is(key: DeliveryKey) -> sa.ColumnElement[bool]:
    return sa.and_(*(DELIVERIES.c[name] == value for name, value in _columns(key).items()))
