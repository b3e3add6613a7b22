"""Calls in the database: accepted as queued, then advanced along their course, each step with its event."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import sqlalchemy as sa

from devportal.catalog.records.billing import SINGLY, billed_amount
from telecom.calls import (
    DEFAULT_RING_TIMEOUT_S,
    RECORD_EVENT,
    STATUS_EVENT,
    CallCourse,
    CallStatus,
    CallStep,
    MachineDetection,
    plan_call,
)
from telecom.sandbox.database.tables import METADATA, UtcTime, due_index
from telecom.sandbox.delivery.delivery_queue import Event, add_events
from telecom.sandbox.stores.scheduled_work import AdvanceContext, TimedKind, TimedResource
from telecom.states import StateMachines
from telecom.times import format_rfc3339, parse_rfc3339

MACHINE = "CallStatus"
_BATCH_SIZE = 100

CALLS = sa.Table(
    "calls",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("direction", sa.String(16), nullable=False),
    sa.Column("from", sa.String(16), nullable=False),
    sa.Column("to", sa.String(16), nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("reference", sa.String(64)),
    sa.Column("answered_by", sa.String(16)),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("answered_at", UtcTime),
    sa.Column("ended_at", UtcTime),
    sa.Column("duration_s", sa.Integer),
    sa.Column("billed_s", sa.Integer),
    sa.Column("end_cause", sa.String(32)),
    sa.Column("sip_code", sa.Integer),
    sa.Column("request", sa.Text),
    sa.Column("sequence", sa.Integer, nullable=False),
    sa.Column("pace_us", sa.BigInteger, nullable=False),
    sa.Column("due_at", UtcTime),
    sa.Index("calls_by_age", "account", "created_at"),
    due_index("calls_due", "due_at"),
)
"""`request` is the body that the course of a call follows from, null for an inbound call. `sequence` is how
many steps of it were taken, `pace_us` how long a second of it lasts in the sandbox. `due_at` is null if
nothing more happens."""

_REQUESTED_FIELDS = ("flow", "ring_timeout_s", "machine_detection")
_CALL_FIELDS = ("id", "direction", "from", "to", "status", "reference", "answered_by")
_DEFAULTS = {"ring_timeout_s": DEFAULT_RING_TIMEOUT_S, "machine_detection": MachineDetection.OFF.value}
_END_FIELDS = ("duration_s", "billed_s", "end_cause", "sip_code")
_TIME_FIELDS = ("created_at", "answered_at", "ended_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedCall:
    """An accepted call; `pace` is how long a second of it lasts in the sandbox."""

    id: str
    account: str
    request: Mapping[str, Any]
    created_at: datetime
    pace: timedelta


def add_call(connection: sa.Connection, call: StartedCall) -> None:
    """Store a call as queued."""
    first_step = plan_call(call.request).steps[0]
    connection.execute(
        sa.insert(CALLS).values(
            {
                "account": call.account,
                "id": call.id,
                "direction": "outbound",
                "from": call.request["from"],
                "to": call.request["to"],
                "status": CallStatus.QUEUED.value,
                "reference": call.request.get("reference"),
                "created_at": call.created_at,
                "request": json.dumps(call.request),
                "sequence": 0,
                "pace_us": call.pace // timedelta(microseconds=1),
                "due_at": call.created_at + call.pace * first_step.after_s,
            }
        )
    )


def put_ended_call(connection: sa.Connection, account: str, document: Mapping[str, Any]) -> None:
    """Store a call as a document of the API shows it, in place of the one with its identifier."""
    key = (CALLS.c.account == account) & (CALLS.c.id == document["id"])
    connection.execute(sa.delete(CALLS).where(key))
    times = {name: parse_rfc3339(document[name]) if document[name] else None for name in _TIME_FIELDS}
    columns = {name: document[name] for name in (*_CALL_FIELDS, *_END_FIELDS)}
    request = {name: document[name] for name in _REQUESTED_FIELDS if document[name] is not None}
    other_columns = {
        "account": account,
        "request": json.dumps(request) if request else None,
        "sequence": 0,
        "pace_us": 0,
    }
    connection.execute(sa.insert(CALLS).values({**columns, **times, **other_columns}))


def find_call(connection: sa.Connection, account: str, identifier: str) -> sa.RowMapping | None:
    """Return the row of an account's call, None if there is none."""
    query = sa.select(CALLS).where(CALLS.c.account == account, CALLS.c.id == identifier)
    return connection.execute(query).mappings().first()


def call_document(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a call as the API returns it: the request and its outcome."""
    return {**_course_document(row), **_requested_fields(row)}


def _requested_fields(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the requested members with their defaults; all null for an inbound call."""
    if row["request"] is None:
        return dict.fromkeys(_REQUESTED_FIELDS)
    return {**_DEFAULTS, **{k: v for k, v in json.loads(row["request"]).items() if k in _REQUESTED_FIELDS}}


def _course_document(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        **{name: row[name] for name in _CALL_FIELDS},
        **{name: format_rfc3339(row[name]) if row[name] is not None else None for name in _TIME_FIELDS},
        **{name: row[name] for name in _END_FIELDS},
    }


def _next_step(connection: sa.Connection) -> datetime | None:
    due: datetime | None = connection.execute(sa.select(sa.func.min(CALLS.c.due_at))).scalar()
    return due


def _advance(connection: sa.Connection, context: AdvanceContext) -> int:
    query = sa.select(CALLS).where(CALLS.c.due_at <= context.now).order_by(CALLS.c.due_at, CALLS.c.id)
    due_query = query.limit(_BATCH_SIZE).with_for_update(skip_locked=True)
    due = connection.execute(due_query).mappings().all()
    events = [event for row in due for event in _take_step(connection, row, context.machines)]
    add_events(connection, events, context)
    return len(due)


def _take_step(connection: sa.Connection, row: sa.RowMapping, machines: StateMachines) -> Iterator[Event]:
    """Advance a call to its next status, and yield its events.

    Times are those of the simulated call, however fast the sandbox runs, so that its record is consistent.
    """
    course = plan_call(json.loads(row["request"]))
    step, later_steps = course.steps[row["sequence"]], course.steps[row["sequence"] + 1 :]
    at = row["created_at"] + timedelta(seconds=step.after_s)
    changes = {
        "status": machines.step(MACHINE, row["status"], step.status.value),
        "sequence": row["sequence"] + 1,
        "due_at": _due_at(row, later_steps[0]) if later_steps else None,
        **({"answered_at": at} if step.status is CallStatus.IN_PROGRESS else {}),
        **({} if later_steps else {"ended_at": at, **_end_columns(course)}),
    }
    key = (CALLS.c.account == row["account"]) & (CALLS.c.id == row["id"])
    connection.execute(sa.update(CALLS).where(key).values(changes))
    updated_row = {**row, **changes}
    new_event = partial(Event, account=row["account"], subject=row["id"], at=at)
    yield new_event(type=STATUS_EVENT, data=_status_change(updated_row, previous=row["status"]))
    if not later_steps:
        yield new_event(type=RECORD_EVENT, data=detail_record(updated_row))


def _end_columns(course: CallCourse) -> dict[str, Any]:
    return {
        "answered_by": course.answered_by.value if course.answered_by else None,
        "duration_s": course.talk_s,
        "billed_s": billed_amount(course.talk_s),
        "end_cause": course.cause.value,
        "sip_code": course.sip_code,
    }


def _due_at(row: sa.RowMapping, step: CallStep) -> datetime:
    due: datetime = row["created_at"] + timedelta(microseconds=row["pace_us"]) * step.after_s
    return due


def _status_change(row: Mapping[Any, Any], *, previous: str) -> dict[str, Any]:
    return {
        "call_id": row["id"],
        "sequence": row["sequence"],
        "previous_status": previous,
        **{name: row[name] for name in _CALL_FIELDS if name != "id"},
        "end_cause": row["end_cause"],
    }


def detail_record(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the detail record of an ended call."""
    document = _course_document(row)
    return {"call_id": document.pop("id"), **document, "billing_increment": SINGLY}


TIMED_CALLS = TimedResource(kind=TimedKind.CALL, next_due=_next_step, advance=_advance)
