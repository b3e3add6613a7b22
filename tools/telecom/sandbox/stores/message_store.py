"""Messages in the database: accepted as queued, and advanced by reports."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from telecom.magic_numbers import MessageCourse, StatusReport, message_course
from telecom.receipts import (
    MESSAGE_STATE_MACHINE,
    RECEIPT,
    STATUS_CHANGED,
    Channel,
    MessageStatus,
    ReportedMessage,
    receipt_data,
    status_data,
)
from telecom.sandbox.database.tables import MESSAGES, UtcTime
from telecom.sandbox.delivery.delivery_queue import Event, add_events
from telecom.sandbox.stores.scheduled_work import AdvanceContext, TimedKind, TimedResource
from telecom.segments import split_into_segments
from telecom.states import StateMachines
from telecom.times import format_rfc3339, parse_rfc3339

_TIMES = ("created_at", "sent_at", "finished_at")
_US = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message: the request (`NewMessage` of the contract), and its status so far.

    `encoding` is None if the text is not split into segments, as in an MMS.
    """

    account: str
    id: str
    request: Mapping[str, Any]
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
        return cls(**{name: row[name] for name in _COLUMN_FIELDS}, request=json.loads(row["asked"]))

    @classmethod
    def read(cls, document: Mapping[str, Any], *, account: str) -> "Message":
        """Return the message of a `Message` of the contract."""
        field_names = {field.name for field in fields(cls)} - {"account", "request"}
        values: dict[str, Any] = {name: document[name] for name in field_names - {*_TIMES}}
        values |= {name: document[name] and parse_rfc3339(document[name]) for name in _TIMES}
        request = {name: document[name] for name in document if name not in {*field_names, "final"}}
        return cls(account=account, request={k: v for k, v in request.items() if v is not None}, **values)

    def document(self, machines: StateMachines) -> dict[str, Any]:
        """Return the message as the contract's `Message`."""
        return {
            "id": self.id,
            "status": self.status,
            "final": machines.is_final(MESSAGE_STATE_MACHINE, self.status),
            "segments": self.segments,
            "sender": None,
            **self.request,
            "sent_as": self.sent_as,
            "encoding": self.encoding,
            "carrier_status": self.carrier_status,
            "error_code": self.error_code,
            "created_at": format_rfc3339(self.created_at),
            "sent_at": self.sent_at and format_rfc3339(self.sent_at),
            "finished_at": self.finished_at and format_rfc3339(self.finished_at),
        }


_COLUMN_FIELDS = tuple(field.name for field in fields(Message) if field.name != "request")


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of a message's course: it starts when the message leaves the queue, a second of it lasts
    `second` in the sandbox, and `reported` of its reports have come in."""

    course: MessageCourse
    starts_at: datetime
    second: timedelta
    reported: int = 0

    @classmethod
    def of(cls, message: Message, row: sa.RowMapping) -> "Progress":
        """Return the progress of the message of a row: its course follows from the request."""
        return cls(
            course=course_of(message.request),
            starts_at=row["starts_at"],
            second=row["pace_us"] * _US,
            reported=row["reported"],
        )

    @property
    def due_at(self) -> datetime | None:
        """When the next report comes in, None if there is none."""
        return self.time_of(self.reported) if self.reported < len(self.course.reports) else None

    def time_of(self, number: int) -> datetime:
        """Return when a report comes in, the first being number 0."""
        return self.starts_at + self.course.reports[number].after_s * self.second

    def columns(self) -> dict[str, Any]:
        """Return the progress as columns of a row."""
        return {
            "starts_at": self.starts_at,
            "pace_us": self.second // _US,
            "reported": self.reported,
            "due_at": self.due_at,
        }


def course_of(request: Mapping[str, Any]) -> MessageCourse:
    """Return the course of a requested message."""
    sms_fallback = bool(request.get("rcs", {}).get("sms_fallback", False))
    return message_course(request["to"], Channel(request["channel"]), sms_fallback=sms_fallback)


def add_message(connection: sa.Connection, message: Message, progress: Progress) -> None:
    """Store a new message, and when its first report comes in."""
    connection.execute(_ADD, _message_columns(message) | progress.columns())


def replace_message(connection: sa.Connection, message: Message) -> None:
    """Store a message in place of the one with its identifier, without further reports."""
    connection.execute(sa.delete(MESSAGES).where(_is_message(message.account, message.id)))
    progress_columns = {"starts_at": message.created_at, "pace_us": 0, "reported": 0, "due_at": None}
    connection.execute(_ADD, _message_columns(message) | progress_columns)


def find_message(connection: sa.Connection, account: str, message_id: str) -> Message | None:
    """Return a message of an account, None if there is none with this identifier."""
    row = connection.execute(_FIND, {"of_account": account, "of_id": message_id}).mappings().first()
    return Message.of(row) if row is not None else None


def claim_due(
    connection: sa.Connection, now: datetime, *, limit: int
) -> tuple[tuple[Message, Progress], ...]:
    """Return messages with a due report, those first that wait longest, and lock them until the end of the
    transaction."""
    rows = connection.execute(_CLAIM, {"now": now, "limit": limit}).mappings()
    claimed = ((Message.of(row), row) for row in rows)
    return tuple((message, Progress.of(message, row)) for message, row in claimed)


def update_progress(connection: sa.Connection, updates: Iterable[tuple[Message, Progress]]) -> None:
    """Store the progress of messages, which must be locked."""
    changes = [
        {
            "of_account": message.account,
            "of_id": message.id,
            **{name: getattr(message, name) for name in _PROGRESS_COLUMNS},
            **progress.columns(),
        }
        for message, progress in updates
    ]
    if changes:
        connection.execute(_UPDATE_PROGRESS, changes)


def next_report_due(connection: sa.Connection) -> datetime | None:
    """Return when the next report is due, None if none is."""
    due: datetime | None = connection.execute(_NEXT_DUE).scalar()
    return due


def _message_columns(message: Message) -> dict[str, Any]:
    """Return a message as a row; what lists filter by has its own columns."""
    return {
        **{name: getattr(message, name) for name in _COLUMN_FIELDS},
        "asked": json.dumps(dict(message.request)),
        "to": message.request["to"],
        "channel": message.request["channel"],
    }


def _is_message(account: Any, message_id: Any) -> sa.ColumnElement[bool]:
    return sa.and_(MESSAGES.c.account == account, MESSAGES.c.id == message_id)


_PROGRESS_COLUMNS = (
    *("status", "segments", "encoding", "sent_as", "carrier_status", "error_code", "sent_at"),
    *("finished_at",),
)
"""What reports change."""
_ADD = sa.insert(MESSAGES)
_OF_ID = _is_message(sa.bindparam("of_account"), sa.bindparam("of_id"))
_FIND = sa.select(MESSAGES).where(_OF_ID)
_NEXT_DUE = sa.select(sa.func.min(MESSAGES.c.due_at))
_CLAIM = (
    sa.select(MESSAGES)
    .where(MESSAGES.c.due_at <= sa.bindparam("now", type_=UtcTime))
    .order_by(MESSAGES.c.due_at, MESSAGES.c.id)
    .limit(sa.bindparam("limit", type_=sa.Integer))
    .with_for_update(skip_locked=True)
)
_UPDATE_PROGRESS = (
    sa.update(MESSAGES)
    .where(_OF_ID)
    .values(
        {
            name: sa.bindparam(name)
            for name in (*_PROGRESS_COLUMNS, "starts_at", "pace_us", "reported", "due_at")
        }
    )
)


_BATCH_SIZE = 100


def apply_due_reports(connection: sa.Connection, context: AdvanceContext) -> int:
    """Apply the due reports of some messages, in their order; return how many messages."""
    due = claim_due(connection, context.now, limit=_BATCH_SIZE)
    updates = [_apply_reports_of_message(message, progress, context) for message, progress in due]
    update_progress(connection, ((message, progress) for message, progress, _ in updates))
    add_events(connection, [event for _, _, events in updates for event in events], context)
    return len(updates)


def _apply_reports_of_message(
    message: Message, progress: Progress, context: AdvanceContext
) -> tuple[Message, Progress, tuple[Event, ...]]:
    """Apply the due reports of one message; return the message and its progress after them, with the events."""
    events: tuple[Event, ...] = ()
    current, current_progress = message, progress
    while (at := current_progress.due_at) is not None and at <= context.now:
        current, new_events = apply_report(current, current_progress, at, context.machines)
        current_progress, events = (
            replace(current_progress, reported=current_progress.reported + 1),
            (*events, *new_events),
        )
    return current, current_progress, events


def apply_report(
    message: Message, progress: Progress, at: datetime, machines: StateMachines
) -> tuple[Message, tuple[Event, ...]]:
    """Change the status of a message if the contract has the step, and pass on receipts.

    A report that is late or repeated is not a step: the message stays as it is (decision 0016).
    """
    report = progress.course.reports[progress.reported]
    happened_at = at - report.late_s * progress.second
    previous_status, status = message.status, report.outcome.status
    is_transition = machines.allows(MESSAGE_STATE_MACHINE, previous_status, status)
    if is_transition:
        message = _apply_outcome(message, report, progress.course.sent_as, happened_at, machines)
    typed_data = _report_events(
        message, report, previous_status=previous_status if is_transition else None, machines=machines
    )
    return message, tuple(
        Event(type=kind, account=message.account, subject=message.id, at=happened_at, data=data)
        for kind, data in typed_data
    )


def _report_events(
    message: Message, report: StatusReport, *, previous_status: str | None, machines: StateMachines
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield type and data of the events for a report."""
    outcome = report.outcome
    subject = ReportedMessage(
        id=message.id, to=message.request["to"], channel=message.request["channel"], segments=message.segments
    )
    sequence = _step_number(message, outcome.status)
    final = machines.is_final(MESSAGE_STATE_MACHINE, outcome.status)
    if previous_status is not None:
        data = status_data(subject, outcome, sequence=sequence, final=final, previous_status=previous_status)
        yield STATUS_CHANGED, dict(data)
    if report.is_receipt:
        yield RECEIPT, dict(receipt_data(subject, outcome, sequence=sequence, final=final))


def _apply_outcome(
    message: Message, report: StatusReport, sent_as: Channel, happened_at: datetime, machines: StateMachines
) -> Message:
    outcome = report.outcome
    updated = replace(
        message,
        status=machines.step(MESSAGE_STATE_MACHINE, message.status, outcome.status),
        carrier_status=outcome.carrier,
        error_code=outcome.error,
    )
    if outcome.status is MessageStatus.SENT:
        updated = replace(updated, sent_as=sent_as, sent_at=happened_at)
        if sent_as is Channel.SMS and message.encoding is None:
            # An RCS message was one until it fell back: as SMS it is cut like any other text.
            segmentation = split_into_segments(message.request["body"])
            updated = replace(updated, encoding=segmentation.encoding, segments=len(segmentation.segments))
    if machines.is_final(MESSAGE_STATE_MACHINE, updated.status):
        updated = replace(updated, finished_at=happened_at)
    return updated


def _step_number(message: Message, status: MessageStatus) -> int:
    """Return the number of the step that led, or would have led, to a status: a message takes at most two
    steps, and between the first status and the last there is only `sent`."""
    return 2 if message.sent_at is not None and status is not MessageStatus.SENT else 1


TIMED_MESSAGES = TimedResource(kind=TimedKind.MESSAGE, next_due=next_report_due, advance=apply_due_reports)
