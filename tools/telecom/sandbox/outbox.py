"""Events in the database: written with the change they report, sent until received or given up."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from telecom.sandbox.identifiers import new_id
from telecom.sandbox.tables import ATTEMPTS, EVENTS, RECEIVERS
from telecom.sandbox.timed import Moment
from telecom.times import rfc3339


class EventState(StrEnum):
    """What became of an event."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    """Every attempt failed."""
    UNADDRESSED = "unaddressed"
    """No receiver was configured, or it had been turned off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueEvent:
    """An event to be sent now; `attempts` were made before."""

    id: str
    body: bytes
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt to deliver an event: `status` where the receiver answered, `error` where it did not."""

    event_id: str
    number: int
    at: datetime
    url: str
    status: int | None
    error: str | None
    duration_ms: int


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
    """Write an event that is due at once, in the transaction of the change it reports; return its id."""
    event_id = new_id("evt_", moment.now, moment.random_bytes)
    connection.execute(
        sa.insert(EVENTS).values(
            id=event_id,
            account=event.account,
            subject=event.subject,
            type=event.type,
            body=event.body(),
            state=EventState.PENDING.value,
            attempts=0,
            created_at=moment.now,
            due_at=moment.now,
        )
    )
    return event_id


def due_events(connection: sa.Connection, *, now: datetime, limit: int) -> tuple[DueEvent, ...]:
    """Return the events that are to be sent now, oldest first."""
    rows = connection.execute(
        sa.select(EVENTS.c.id, EVENTS.c.body, EVENTS.c.attempts)
        .where(EVENTS.c.state == EventState.PENDING.value, EVENTS.c.due_at <= now)
        .order_by(EVENTS.c.due_at, EVENTS.c.id)
        .limit(limit)
    )
    return tuple(DueEvent(id=row.id, body=row.body.encode(), attempts=row.attempts) for row in rows)


def record_attempt(
    connection: sa.Connection, attempt: Attempt, *, state: EventState, due_at: datetime | None
) -> None:
    """Write an attempt down, with the event's new state and the time of the next attempt."""
    connection.execute(
        sa.insert(ATTEMPTS).values(
            event_id=attempt.event_id,
            number=attempt.number,
            at=attempt.at,
            url=attempt.url,
            status=attempt.status,
            error=attempt.error,
            duration_ms=attempt.duration_ms,
        )
    )
    changes: dict[str, object] = {"state": state.value, "attempts": attempt.number}
    if due_at is not None:
        changes["due_at"] = due_at
    connection.execute(sa.update(EVENTS).where(EVENTS.c.id == attempt.event_id).values(changes))


def set_aside(connection: sa.Connection, events: Sequence[DueEvent]) -> None:
    """Mark events that have nobody to go to."""
    connection.execute(
        sa.update(EVENTS)
        .where(EVENTS.c.id.in_([event.id for event in events]))
        .values(state=EventState.UNADDRESSED.value)
    )


def attempts_of(connection: sa.Connection, event_id: str) -> tuple[Attempt, ...]:
    """Return the attempts to deliver an event, first to last."""
    rows = connection.execute(
        sa.select(ATTEMPTS).where(ATTEMPTS.c.event_id == event_id).order_by(ATTEMPTS.c.number)
    ).mappings()
    return tuple(Attempt(**row) for row in rows)


def next_attempt(connection: sa.Connection) -> datetime | None:
    """Return when the next attempt is due, None where no event is pending."""
    due: datetime | None = connection.execute(
        sa.select(sa.func.min(EVENTS.c.due_at)).where(EVENTS.c.state == EventState.PENDING.value)
    ).scalar()
    return due


def configure_receiver(connection: sa.Connection, url: str) -> None:
    """Remember a receiver and turn it on, whatever was before."""
    connection.execute(sa.delete(RECEIVERS).where(RECEIVERS.c.url == url))
    connection.execute(sa.insert(RECEIVERS).values(url=url, disabled_at=None))


def disable_receiver(connection: sa.Connection, url: str, now: datetime) -> None:
    """Turn a receiver off, because it answered that it is gone."""
    connection.execute(sa.update(RECEIVERS).where(RECEIVERS.c.url == url).values(disabled_at=now))


def is_enabled(connection: sa.Connection, url: str) -> bool:
    """Say whether a receiver is configured and has not been turned off."""
    row = connection.execute(sa.select(RECEIVERS.c.disabled_at).where(RECEIVERS.c.url == url)).first()
    return row is not None and row.disabled_at is None
