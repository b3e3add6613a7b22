"""Messages in the database: accepted as queued, settled later together with the event that says so."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from telecom.receipts import EVENT_TYPE, Receipt, outcome_for
from telecom.sandbox.outbox import Event, add_event
from telecom.sandbox.tables import MESSAGES
from telecom.sandbox.timed import Moment

QUEUED = "queued"
_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedMessage:
    """A message that was accepted; its outcome is known to the sandbox and due at `settles_at`."""

    id: str
    account: str
    to: str
    channel: str
    body: str
    segments: int
    accepted_at: datetime
    settles_at: datetime


def add_message(connection: sa.Connection, message: AcceptedMessage) -> None:
    """Store a message as queued."""
    connection.execute(
        sa.insert(MESSAGES).values(
            id=message.id,
            account=message.account,
            to=message.to,
            channel=message.channel,
            body=message.body,
            segments=message.segments,
            status=QUEUED,
            accepted_at=message.accepted_at,
            settles_at=message.settles_at,
        )
    )


def settle_due(connection: sa.Connection, moment: Moment) -> int:
    """Give every due message its outcome and write the event of it, in one transaction; say how many."""
    due = connection.execute(
        sa.select(MESSAGES)
        .where(MESSAGES.c.status == QUEUED, MESSAGES.c.settles_at <= moment.now)
        .order_by(MESSAGES.c.settles_at)
        .limit(_AT_ONCE)
    ).all()
    for row in due:
        receipt = Receipt(
            message_id=row.id,
            to=row.to,
            channel=row.channel,
            segments=row.segments,
            outcome=outcome_for(row.to),
            at=moment.now,
        )
        connection.execute(
            sa.update(MESSAGES).where(MESSAGES.c.id == row.id).values(status=receipt.outcome.status.value)
        )
        event = Event(
            type=EVENT_TYPE, account=row.account, subject=row.id, at=moment.now, data=receipt.data()
        )
        add_event(connection, event, moment)
    return len(due)


def next_settlement(connection: sa.Connection) -> datetime | None:
    """Return when the next message is due, None where none is queued."""
    due: datetime | None = connection.execute(
        sa.select(sa.func.min(MESSAGES.c.settles_at)).where(MESSAGES.c.status == QUEUED)
    ).scalar()
    return due
