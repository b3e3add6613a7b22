"""Deliveries in the database: one for each event and each subscribed endpoint, with all attempts.

Each goes from pending to delivered, failed or skipped, by the state machine at `DeliveryState` of the
contract.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa

from telecom.sandbox.database.tables import METADATA, UtcTime, due_index
from telecom.states import StateMachines

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
    sa.Column("leased_until", UtcTime),
    due_index("deliveries_to_send", "account", "endpoint_id", "due_at"),
)
"""`attempts` were made, `attempts_before` of them before the last replay or begun before it; `due_at` is null
if no attempt is planned. `leased_until`, in real time, is how long a worker that makes an attempt keeps
others off it."""

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
    sa.Column("signed_at", UtcTime),
    sa.Column("signed_with", sa.Text),
)
"""`signed_at`, in real time, and the fingerprints of the secrets that an attempt was `signed_with` are null
if it failed before it was signed."""


_INITIAL_COLUMNS = {"attempts": 0, "attempts_before": 0, "replays": 0, "leased_until": None}


class DeliveryState(StrEnum):
    """The state of the delivery of an event to one endpoint."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DeliveryKey:
    """The event, the endpoint and the account of a delivery."""

    account: str
    event_id: str
    endpoint_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedDelivery:
    """A new delivery: pending, to be sent at `due_at`, or skipped if that is None."""

    key: DeliveryKey
    due_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The state of a delivery; `round_attempts` were begun since it was planned or last replayed."""

    key: DeliveryKey
    state: DeliveryState
    attempts: int
    round_attempts: int
    replays: int
    due_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt of a delivery: `status` if the receiver responded, `error` if it did not."""

    number: int
    at: datetime
    url: str
    status: int | None
    error: str | None
    duration_ms: int
    signed_at: datetime | None = None
    signed_with: str | None = None


def plan_deliveries(connection: sa.Connection, planned: Iterable[PlannedDelivery]) -> None:
    """Store new deliveries."""
    rows = [
        {
            **_key_columns(planned_delivery.key),
            **_INITIAL_COLUMNS,
            "state": (
                DeliveryState.SKIPPED if planned_delivery.due_at is None else DeliveryState.PENDING
            ).value,
            "due_at": planned_delivery.due_at,
        }
        for planned_delivery in planned
    ]
    if rows:
        connection.execute(_INSERT, rows)


def replan_delivery(
    connection: sa.Connection, key: DeliveryKey, machines: StateMachines, now: datetime
) -> None:
    """Restart a delivery now; plan it if there is none."""
    delivery = find_delivery(connection, key)
    if delivery is None:
        plan_deliveries(connection, (PlannedDelivery(key=key, due_at=now),))
        return
    state = machines.step(_MACHINE, delivery.state, DeliveryState.PENDING)
    values = {"state": state, "due_at": now, "replays": delivery.replays + 1}
    values["attempts_before"] = delivery.attempts
    connection.execute(sa.update(DELIVERIES).where(_has_key(key)).values(values))


def record_attempt(
    connection: sa.Connection,
    delivery: Delivery,
    attempt: Attempt,
    machines: StateMachines,
    *,
    state: DeliveryState,
    due_at: datetime | None,
    replays: int,
) -> None:
    """Store an attempt that began after this many replays, with the state after it and the next time.

    If the delivery was replayed during the attempt, the replay is still to be sent, with all its attempts
    ahead. If it was skipped, it stays so unless the attempt succeeded.
    """
    _write_attempt(connection, delivery.key, attempt)
    was_replayed = replays != delivery.replays
    was_skipped = delivery.state is DeliveryState.SKIPPED
    changes_state = (state is DeliveryState.DELIVERED) if was_skipped else not was_replayed
    changes = {
        **_key_parameters(delivery.key),
        "state": machines.step(_MACHINE, delivery.state, state) if changes_state else delivery.state.value,
        "due_at": due_at if changes_state else delivery.due_at,
        "attempts": attempt.number,
        "attempts_before": attempt.number if was_replayed else delivery.attempts - delivery.round_attempts,
    }
    connection.execute(_UPDATE_AFTER_ATTEMPT, changes)


def skip_pending(connection: sa.Connection, account: str, endpoint_id: str, machines: StateMachines) -> None:
    """Skip what is still to be sent to an endpoint, because it is disabled or deleted."""
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


def delete_deliveries(connection: sa.Connection, account: str, event_id: str) -> None:
    """Delete the deliveries of an event with their attempts."""
    for table in (ATTEMPTS, DELIVERIES):
        connection.execute(sa.delete(table).where(table.c.account == account, table.c.event_id == event_id))


def restore_delivery(
    connection: sa.Connection, key: DeliveryKey, *, state: DeliveryState, attempts: Sequence[Attempt]
) -> None:
    """Store a finished delivery, with its attempts."""
    columns = {"state": state.value, "due_at": None, "attempts": len(attempts)}
    connection.execute(_INSERT, {**_key_columns(key), **_INITIAL_COLUMNS, **columns})
    for attempt in attempts:
        _write_attempt(connection, key, attempt)


def find_delivery(connection: sa.Connection, key: DeliveryKey) -> Delivery | None:
    """Return a delivery, None if there is none. Its row is locked until the transaction ends."""
    row = connection.execute(_FIND, _key_parameters(key)).first()
    return _delivery_from_row(row) if row is not None else None


def deliveries_of(
    connection: sa.Connection, account: str, event_ids: Sequence[str]
) -> dict[str, tuple[Delivery, ...]]:
    """Return the deliveries of each of some events, sorted by endpoint."""
    rows = connection.execute(
        sa.select(DELIVERIES)
        .where(DELIVERIES.c.account == account, DELIVERIES.c.event_id.in_(event_ids))
        .order_by(DELIVERIES.c.endpoint_id)
    )
    by_event: dict[str, tuple[Delivery, ...]] = dict.fromkeys(event_ids, ())
    for row in rows:
        by_event[row.event_id] += (_delivery_from_row(row),)
    return by_event


def attempts_of(connection: sa.Connection, key: DeliveryKey, *, last: int) -> tuple[Attempt, ...]:
    """Return the last attempts of a delivery, in the order in which they were made."""
    rows = connection.execute(
        sa.select(*(ATTEMPTS.c[name] for name in _OF_ATTEMPT))
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
    columns = {name: getattr(attempt, name) for name in _OF_ATTEMPT}
    connection.execute(_ADD_ATTEMPT, {**_key_columns(key), **columns})


def _delivery_from_row(row: sa.Row[tuple[object, ...]]) -> Delivery:
    return Delivery(
        key=DeliveryKey(account=row.account, event_id=row.event_id, endpoint_id=row.endpoint_id),
        state=DeliveryState(row.state),
        attempts=row.attempts,
        round_attempts=row.attempts - row.attempts_before,
        replays=row.replays,
        due_at=row.due_at,
    )


def _key_columns(key: DeliveryKey) -> dict[str, str]:
    return {"account": key.account, "event_id": key.event_id, "endpoint_id": key.endpoint_id}


def _has_key(key: DeliveryKey) -> sa.ColumnElement[bool]:
    return sa.and_(*(DELIVERIES.c[name] == value for name, value in _key_columns(key).items()))


def _key_parameters(key: DeliveryKey) -> dict[str, str]:
    """Return the key as parameters of the statements below."""
    return {f"of_{name}": value for name, value in _key_columns(key).items()}


_OF_KEY = sa.and_(
    *(DELIVERIES.c[name] == sa.bindparam(f"of_{name}") for name in ("account", "event_id", "endpoint_id"))
)
_INSERT = sa.insert(DELIVERIES)
_FIND = sa.select(DELIVERIES).where(_OF_KEY).with_for_update()
_UPDATE_AFTER_ATTEMPT = (
    sa.update(DELIVERIES)
    .where(_OF_KEY)
    .values(
        leased_until=sa.null(),
        **{name: sa.bindparam(name) for name in ("state", "due_at", "attempts", "attempts_before")},
    )
)
_OF_ATTEMPT = tuple(field.name for field in fields(Attempt))
_ADD_ATTEMPT = sa.insert(ATTEMPTS)
