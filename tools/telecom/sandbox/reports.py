"""Reports about messages: taken in when they are due, in one transaction with the events that tell of it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa

from telecom.magic_numbers import Report
from telecom.receipts import (
    MACHINE,
    RECEIPT,
    STATUS_CHANGED,
    Channel,
    MessageStatus,
    Subject,
    receipt_data,
    status_data,
)
from telecom.sandbox.messages import Message, Progress, claim_due, move_on, next_due
from telecom.sandbox.outbox import Event, add_events
from telecom.sandbox.timed import Moment, Thing, Timed
from telecom.segments import segment
from telecom.states import Machines

_AT_ONCE = 100


def report_due(connection: sa.Connection, moment: Moment) -> int:
    """Take in every report that is due about some messages, in the order in which they come; say of how many
    messages."""
    due = claim_due(connection, moment.now, limit=_AT_ONCE)
    caught_up = [_caught_up(message, progress, moment) for message, progress in due]
    move_on(connection, ((message, progress) for message, progress, _ in caught_up))
    add_events(connection, [event for _, _, events in caught_up for event in events], moment)
    return len(caught_up)


def _caught_up(
    message: Message, progress: Progress, moment: Moment
) -> tuple[Message, Progress, tuple[Event, ...]]:
    """Take in what is due about one message; return how it is then, and what is to be told."""
    events: tuple[Event, ...] = ()
    now, later = message, progress
    while (at := later.due_at) is not None and at <= moment.now:
        now, told = taken_in(now, later, at, moment.machines)
        later, events = replace(later, reported=later.reported + 1), (*events, *told)
    return now, later, events


def taken_in(
    message: Message, progress: Progress, at: datetime, machines: Machines
) -> tuple[Message, tuple[Event, ...]]:
    """Move a message on where the contract has the step, and pass on what is a receipt.

    A report that is late or came before is no step: the message stays as it is (decision 0016).
    """
    report = progress.course.reports[progress.reported]
    happened_at = at - report.late * progress.second
    before, status = message.status, report.outcome.status
    moves = machines.allows(MACHINE, before, status)
    if moves:
        message = _moved(message, report, progress.course.sent_as, happened_at, machines)
    told = _told(message, report, moved_from=before if moves else None, machines=machines)
    return message, tuple(
        Event(type=kind, account=message.account, subject=message.id, at=happened_at, data=data)
        for kind, data in told
    )


def _told(
    message: Message, report: Report, *, moved_from: str | None, machines: Machines
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield type and data of the events that tell of a report."""
    outcome = report.outcome
    subject = Subject(
        id=message.id, to=message.asked["to"], channel=message.asked["channel"], segments=message.segments
    )
    sequence = _step_number(message, outcome.status)
    final = machines.is_final(MACHINE, outcome.status)
    if moved_from is not None:
        changed = status_data(subject, outcome, sequence=sequence, final=final, before=moved_from)
        yield STATUS_CHANGED, dict(changed)
    if report.is_receipt:
        yield RECEIPT, dict(receipt_data(subject, outcome, sequence=sequence, final=final))


def _moved(
    message: Message, report: Report, sent_as: Channel, happened_at: datetime, machines: Machines
) -> Message:
    outcome = report.outcome
    moved = replace(
        message,
        status=machines.step(MACHINE, message.status, outcome.status),
        carrier_status=outcome.carrier,
        error_code=outcome.error,
    )
    if outcome.status is MessageStatus.SENT:
        moved = replace(moved, sent_as=sent_as, sent_at=happened_at)
        if sent_as is Channel.SMS and message.encoding is None:
            # An RCS message was one until it fell back: as SMS it is cut like any other text.
            cut = segment(message.asked["body"])
            moved = replace(moved, encoding=cut.encoding, segments=len(cut.segments))
    if machines.is_final(MACHINE, moved.status):
        moved = replace(moved, finished_at=happened_at)
    return moved


def _step_number(message: Message, status: MessageStatus) -> int:
    """Return which step of a message led, or would have led, to a status: no step is longer than two, and
    between the first status and the last there is only `sent`."""
    return 2 if message.sent_at is not None and status is not MessageStatus.SENT else 1


TIMED = Timed(thing=Thing.MESSAGE, next_due=next_due, advance=report_due)
