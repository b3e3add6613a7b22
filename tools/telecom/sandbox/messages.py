"""Messages in the database: accepted as queued, and what has become of them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from telecom.magic_numbers import Course, course
from telecom.receipts import MACHINE, Channel, MessageStatus
from telecom.sandbox.tables import MESSAGES, UtcTime
from telecom.states import Machines
from telecom.times import from_rfc3339, rfc3339

_TIMES = ("created_at", "sent_at", "finished_at")
_US = timedelta(microseconds=1)


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
        return cls(**{name: row[name] for name in _PLAIN}, asked=json.loads(row["asked"]))

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


_PLAIN = tuple(one.name for one in fields(Message) if one.name != "asked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the course of a message is: it starts when the message leaves the queue, a second of it lasts
    `second` in the sandbox, and of its reports so many have come in."""

    course: Course
    starts_at: datetime
    second: timedelta
    reported: int = 0

    @classmethod
    def of(cls, message: Message, row: sa.RowMapping) -> "Progress":
        """Return the progress of the message of a row: its course follows from what was asked for."""
        return cls(
            course=course_of(message.asked),
            starts_at=row["starts_at"],
            second=row["pace_us"] * _US,
            reported=row["reported"],
        )

    @property
    def due_at(self) -> datetime | None:
        """When the next report comes in, None where none does."""
        return self.time_of(self.reported) if self.reported < len(self.course.reports) else None

    def time_of(self, number: int) -> datetime:
        """Return when a report comes in, the first being number 0."""
        return self.starts_at + self.course.reports[number].after * self.second

    def columns(self) -> dict[str, Any]:
        """Return the progress as columns of a row."""
        return {
            "starts_at": self.starts_at,
            "pace_us": self.second // _US,
            "reported": self.reported,
            "due_at": self.due_at,
        }


def course_of(asked: Mapping[str, Any]) -> Course:
    """Return what becomes of a message that is asked for."""
    sms_fallback = bool(asked.get("rcs", {}).get("sms_fallback", False))
    return course(asked["to"], Channel(asked["channel"]), sms_fallback=sms_fallback)


def add_message(connection: sa.Connection, message: Message, progress: Progress) -> None:
    """Write a new message, and when the first report of it comes in."""
    connection.execute(_ADD, _values(message) | progress.columns())


def replace_message(connection: sa.Connection, message: Message) -> None:
    """Write a message in place of the one with its identifier; nothing more is reported of it."""
    connection.execute(sa.delete(MESSAGES).where(_is(message.account, message.id)))
    told = {"starts_at": message.created_at, "pace_us": 0, "reported": 0, "due_at": None}
    connection.execute(_ADD, _values(message) | told)


def find_message(connection: sa.Connection, account: str, message_id: str) -> Message | None:
    """Return a message of an account, None where it has none with this identifier."""
    row = connection.execute(_FIND, {"of_account": account, "of_id": message_id}).mappings().first()
    return Message.of(row) if row is not None else None


def claim_due(
    connection: sa.Connection, now: datetime, *, limit: int
) -> tuple[tuple[Message, Progress], ...]:
    """Return messages of which a report is due, those first that wait longest, and keep other workers off
    them until the end of the transaction."""
    rows = connection.execute(_CLAIM, {"now": now, "limit": limit}).mappings()
    found = ((Message.of(row), row) for row in rows)
    return tuple((message, Progress.of(message, row)) for message, row in found)


def move_on(connection: sa.Connection, moved: Iterable[tuple[Message, Progress]]) -> None:
    """Write down how far messages are, which other workers must have been kept off."""
    changes = [
        {
            "of_account": message.account,
            "of_id": message.id,
            **{name: getattr(message, name) for name in _MOVING},
            **progress.columns(),
        }
        for message, progress in moved
    ]
    if changes:
        connection.execute(_MOVE_ON, changes)


def next_due(connection: sa.Connection) -> datetime | None:
    """Return when the next report is due, None where none is."""
    due: datetime | None = connection.execute(_NEXT_DUE).scalar()
    return due


def _values(message: Message) -> dict[str, Any]:
    """Return a message as a row; what lists filter by has columns of its own."""
    return {
        **{name: getattr(message, name) for name in _PLAIN},
        "asked": json.dumps(dict(message.asked)),
        "to": message.asked["to"],
        "channel": message.asked["channel"],
    }


def _is(account: Any, message_id: Any) -> sa.ColumnElement[bool]:
    return sa.and_(MESSAGES.c.account == account, MESSAGES.c.id == message_id)


_MOVING = (
    *("status", "segments", "encoding", "sent_as", "carrier_status", "error_code", "sent_at"),
    *("finished_at",),
)
"""What reports change."""
_ADD = sa.insert(MESSAGES)
_OF_ID = _is(sa.bindparam("of_account"), sa.bindparam("of_id"))
_FIND = sa.select(MESSAGES).where(_OF_ID)
_NEXT_DUE = sa.select(sa.func.min(MESSAGES.c.due_at))
_CLAIM = (
    sa.select(MESSAGES)
    .where(MESSAGES.c.due_at <= sa.bindparam("now", type_=UtcTime))
    .order_by(MESSAGES.c.due_at, MESSAGES.c.id)
    .limit(sa.bindparam("limit", type_=sa.Integer))
    .with_for_update(skip_locked=True)
)
_MOVE_ON = (
    sa.update(MESSAGES)
    .where(_OF_ID)
    .values({name: sa.bindparam(name) for name in (*_MOVING, "starts_at", "pace_us", "reported", "due_at")})
)
