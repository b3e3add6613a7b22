"""Messages in the database: accepted as queued, moved on by the reports that come in about them, together
with the events that say so."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from telecom.magic_numbers import Course
from telecom.receipts import (
    MACHINE,
    RECEIPT,
    STATUS_CHANGED,
    CarrierStatus,
    Channel,
    ErrorCode,
    MessageStatus,
    Outcome,
    Subject,
    receipt_data,
    status_data,
)
from telecom.sandbox.outbox import Event, add_event
from telecom.sandbox.tables import MESSAGE_REPORTS, MESSAGES
from telecom.sandbox.timed import Moment
from telecom.segments import segment
from telecom.states import Machines
from telecom.times import from_rfc3339, rfc3339

_AT_ONCE = 100
_TIMES = ("created_at", "sent_at", "finished_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message: what was asked for (`NewMessage` of the contract), and what became of it so far.

    `encoding` is None where the text is not cut into segments, as in an MMS.
    """

    account: str
    id: str
    asked: Mapping[str, Any]
    segments: int
    encoding: str | None
    created_at: datetime
    status: str = MessageStatus.QUEUED
    sent_as: str | None = None
    carrier_status: str | None = None
    error_code: str | None = None
    sent_at: datetime | None = None
    finished_at: datetime | None = None

    @classmethod
    def of(cls, row: sa.RowMapping) -> "Message":
        """Return the message of a row of the table."""
        kept = {name: value for name, value in row.items() if name not in {"to", "channel"}}
        return cls(**{**kept, "asked": json.loads(row["asked"])})

    @classmethod
    def read(cls, document: Mapping[str, Any], *, account: str) -> "Message":
        """Return the message of a `Message` of the contract."""
        own = {one.name for one in fields(cls)} - {"account", "asked"}
        known: dict[str, Any] = {name: document[name] for name in own - {*_TIMES}}
        known |= {name: document[name] and from_rfc3339(document[name]) for name in _TIMES}
        asked = {name: document[name] for name in document if name not in {*own, "final"}}
        return cls(account=account, asked={k: v for k, v in asked.items() if v is not None}, **known)

    def document(self, machines: Machines) -> dict[str, Any]:
        """Return the message as the contract's `Message`."""
        return {
            "id": self.id,
            "status": self.status,
            "final": machines.is_final(MACHINE, self.status),
            "segments": self.segments,
            "sender": None,
            **self.asked,
            "sent_as": self.sent_as,
            "encoding": self.encoding,
            "carrier_status": self.carrier_status,
            "error_code": self.error_code,
            "created_at": rfc3339(self.created_at),
            "sent_at": self.sent_at and rfc3339(self.sent_at),
            "finished_at": self.finished_at and rfc3339(self.finished_at),
        }


def add_message(connection: sa.Connection, message: Message) -> None:
    """Write a new message."""
    connection.execute(sa.insert(MESSAGES).values(_values(message)))


def replace_message(connection: sa.Connection, message: Message) -> None:
    """Write a message in place of the one with the same identifier, and forget what was to be reported."""
    for table, identifier in ((MESSAGES, MESSAGES.c.id), (MESSAGE_REPORTS, MESSAGE_REPORTS.c.message_id)):
        connection.execute(
            sa.delete(table).where(table.c.account == message.account, identifier == message.id)
        )
    add_message(connection, message)


def plan(connection: sa.Connection, message: Message, course: Course, *, second: timedelta) -> None:
    """Write down what will be reported of a message, and when; `second` is how long a second takes here."""
    for number, report in enumerate(course.reports):
        at = message.created_at + report.after * second
        connection.execute(
            sa.insert(MESSAGE_REPORTS).values(
                account=message.account,
                message_id=message.id,
                number=number,
                at=at,
                happened_at=at - report.late * second,
                status=report.outcome.status,
                carrier_status=report.outcome.carrier,
                error_code=report.outcome.error,
                sent_as=course.sent_as,
                is_receipt=report.is_receipt,
            )
        )


def find_message(connection: sa.Connection, account: str, message_id: str) -> Message | None:
    """Return a message of an account, None where it has none with this identifier."""
    key = (MESSAGES.c.account == account) & (MESSAGES.c.id == message_id)
    row = connection.execute(sa.select(MESSAGES).where(key)).mappings().first()
    return Message.of(row) if row is not None else None


def report_due(connection: sa.Connection, moment: Moment) -> int:
    """Take in every report that is due, in the order in which they come; say how many."""
    due = connection.execute(
        sa.select(MESSAGE_REPORTS)
        .where(MESSAGE_REPORTS.c.at <= moment.now)
        .order_by(MESSAGE_REPORTS.c.at, MESSAGE_REPORTS.c.message_id, MESSAGE_REPORTS.c.number)
        .limit(_AT_ONCE)
    ).all()
    for row in due:
        message = find_message(connection, row.account, row.message_id)
        if message is not None:
            _take_in(connection, message, row, moment)
        connection.execute(
            sa.delete(MESSAGE_REPORTS).where(
                MESSAGE_REPORTS.c.account == row.account,
                MESSAGE_REPORTS.c.message_id == row.message_id,
                MESSAGE_REPORTS.c.number == row.number,
            )
        )
    return len(due)


def next_report(connection: sa.Connection) -> datetime | None:
    """Return when the next report is due, None where none is."""
    due: datetime | None = connection.execute(sa.select(sa.func.min(MESSAGE_REPORTS.c.at))).scalar()
    return due


def _take_in(connection: sa.Connection, message: Message, report: sa.Row[Any], moment: Moment) -> None:
    """Move a message on where the contract has the step, and pass on what is a receipt.

    A report that is late or came before is no step: the message stays as it is (decision 0016).
    """
    outcome = Outcome(
        status=MessageStatus(report.status),
        carrier=report.carrier_status and CarrierStatus(report.carrier_status),
        error=report.error_code and ErrorCode(report.error_code),
    )
    before, moved = message.status, False
    if moment.machines.allows(MACHINE, before, outcome.status):
        message, moved = _moved(message, outcome, report, moment.machines), True
        connection.execute(sa.update(MESSAGES).where(_key(message)).values(_values(message)))
    subject, sequence = _subject(message), _step_number(message, outcome.status)
    final = moment.machines.is_final(MACHINE, outcome.status)
    events = []
    if moved:
        data = status_data(subject, outcome, sequence=sequence, final=final, before=before)
        events.append((STATUS_CHANGED, data))
    if report.is_receipt:
        events.append((RECEIPT, receipt_data(subject, outcome, sequence=sequence, final=final)))
    for kind, data in events:
        event = Event(
            type=kind, account=message.account, subject=message.id, at=report.happened_at, data=data
        )
        add_event(connection, event, moment)


def _moved(message: Message, outcome: Outcome, report: sa.Row[Any], machines: Machines) -> Message:
    moved = replace(
        message,
        status=machines.step(MACHINE, message.status, outcome.status),
        carrier_status=outcome.carrier,
        error_code=outcome.error,
    )
    if outcome.status is MessageStatus.SENT:
        moved = replace(moved, sent_as=report.sent_as, sent_at=report.happened_at)
        if report.sent_as == Channel.SMS:
            # An RCS message was one until it fell back: as SMS it is cut like any other text.
            cut = segment(message.asked["body"])
            moved = replace(moved, encoding=cut.encoding, segments=len(cut.segments))
    if machines.is_final(MACHINE, moved.status):
        moved = replace(moved, finished_at=report.happened_at)
    return moved


def _step_number(message: Message, status: MessageStatus) -> int:
    """Return which step of a message led, or would have led, to a status: no step is longer than two, and
    between the first status and the last there is only `sent`."""
    return 2 if message.sent_at is not None and status is not MessageStatus.SENT else 1


def _key(message: Message) -> sa.ColumnElement[bool]:
    return (MESSAGES.c.account == message.account) & (MESSAGES.c.id == message.id)


def _values(message: Message) -> dict[str, Any]:
    """Return a message as a row; what lists filter by has columns of its own."""
    return {
        **{one.name: getattr(message, one.name) for one in fields(message)},
        "asked": json.dumps(dict(message.asked)),
        "to": message.asked["to"],
        "channel": message.asked["channel"],
    }


def _subject(message: Message) -> Subject:
    return Subject(
        id=message.id, to=message.asked["to"], channel=message.asked["channel"], segments=message.segments
    )
