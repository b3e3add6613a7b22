"""The course of a message or a call as a list of steps, each with the events that told of it.

Steps are computed as they were taken: from what was asked for, and from how far it has come. Nothing of what
is still to come is shown but when it comes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from telecom.calls import RECORD_EVENT, STATUS_EVENT, CallStatus, course_of
from telecom.receipts import MACHINE, Channel, MessageStatus
from telecom.sandbox.messages import Message, Progress
from telecom.sandbox.pages.shipments import Told
from telecom.sandbox.pages.shown import moment, words
from telecom.sandbox.reports import taken_in
from telecom.states import Machines

_CHANGING = ("sent_as", "encoding", "segments", "carrier_status", "error_code")


class Kind(StrEnum):
    """What sort of step it is; the mark on the line depends on it."""

    ACCEPTED = "accepted"
    WAITS = "waits"
    MOVED = "moved"
    FINAL = "final"
    IGNORED = "ignored"
    EVENT = "event"
    NEXT = "next"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Something that happened, or will; `status` is the one after it, None where it changes none."""

    kind: Kind
    at: datetime
    title: str
    status: str | None = None
    facts: tuple[tuple[str, str], ...] = ()
    told: tuple[Told, ...] = ()
    announces: tuple[str, ...] = ()
    """The types of the events that tell of it, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The steps in their order, and whether something is still to come."""

    steps: tuple[Step, ...]
    is_live: bool


def of_message(message: Message, progress: Progress, told: Sequence[Told], machines: Machines) -> Timeline:
    """Return the timeline of a message from the events that are told of it, the oldest first."""
    steps = (*_beginning(message, progress), *_reports(message, progress, machines))
    return _with_events(steps, told, _next("The next report is due.", progress.due_at))


def of_call(row: Mapping[Any, Any], told: Sequence[Told], machines: Machines) -> Timeline:
    """Return the timeline of a call from its row and the events that are told of it, the oldest first."""
    steps = (_call_accepted(row), *_call_steps(row, machines))
    return _with_events(steps, told, _next("The next step is due.", row["due_at"]))


def _beginning(message: Message, progress: Progress) -> Iterator[Step]:
    yield Step(
        kind=Kind.ACCEPTED,
        at=message.created_at,
        title="Accepted.",
        status=MessageStatus.QUEUED,
        facts=(
            ("Channel", str(message.asked["channel"])),
            ("Segments", str(_at_first(message).segments)),
        ),
    )
    if progress.starts_at > message.created_at:
        yield Step(
            kind=Kind.WAITS,
            at=message.created_at,
            title=f"Waits in the queue of the account until {moment(progress.starts_at)}.",
        )


def _reports(message: Message, progress: Progress, machines: Machines) -> Iterator[Step]:
    """Yield a step for each report that came in; a sample has none, and shows what its times say."""
    if not progress.reported:
        yield from _of_times(message)
    now = _at_first(message)
    for number in range(progress.reported):
        then = replace(progress, reported=number)
        at = progress.time_of(number)
        before, (now, told) = now, taken_in(now, then, at, machines)
        announces = tuple(event.type for event in told)
        yield _report(before, now, at, machines, announces, then)


def _report(
    before: Message,
    now: Message,
    at: datetime,
    machines: Machines,
    announces: tuple[str, ...],
    progress: Progress,
) -> Step:
    report = progress.course.reports[progress.reported]
    outcome = report.outcome.status.value
    if now == before:
        title = f"A report of “{outcome}” came in, and changes nothing: the message is “{before.status}”."
        return Step(kind=Kind.IGNORED, at=at, title=title, announces=announces)
    late_s = (report.late * progress.second).total_seconds()
    late = f", {late_s:g} seconds after it happened" if late_s else ""
    final = machines.is_final(MACHINE, now.status)
    return Step(
        kind=Kind.FINAL if final else Kind.MOVED,
        at=at,
        title=f"A report came in{late}: {before.status} → {now.status}.",
        status=now.status,
        facts=_changes(before, now),
        announces=announces,
    )


def _changes(before: Message, now: Message) -> tuple[tuple[str, str], ...]:
    pairs = ((name, getattr(before, name), getattr(now, name)) for name in _CHANGING)
    return tuple((words(name).capitalize(), str(new)) for name, old, new in pairs if new != old and new)


def _of_times(message: Message) -> Iterator[Step]:
    if message.sent_at is not None:
        yield Step(kind=Kind.MOVED, at=message.sent_at, title="Sent.", status=MessageStatus.SENT)
    if message.finished_at is not None:
        facts = _changes(_at_first(message), message)
        ended = words(message.status).capitalize()
        yield Step(
            kind=Kind.FINAL, at=message.finished_at, title=f"{ended}.", status=message.status, facts=facts
        )


def _at_first(message: Message) -> Message:
    """Return a message as it was when it was accepted."""
    is_sms = message.asked["channel"] == Channel.SMS
    return replace(
        message,
        status=MessageStatus.QUEUED,
        segments=message.segments if is_sms else 1,
        encoding=message.encoding if is_sms else None,
        sent_as=None,
        carrier_status=None,
        error_code=None,
        sent_at=None,
        finished_at=None,
    )


def _call_accepted(row: Mapping[Any, Any]) -> Step:
    outbound = row["direction"] == "outbound"
    title = "Accepted." if outbound else "Came in."
    return Step(kind=Kind.ACCEPTED, at=row["created_at"], title=title, status=CallStatus.QUEUED.value)


def _call_steps(row: Mapping[Any, Any], machines: Machines) -> Iterator[Step]:
    if not row["sequence"]:
        yield from _of_call_times(row)
        return
    steps = course_of(json.loads(row["request"])).steps
    before = CallStatus.QUEUED.value
    for step in steps[: row["sequence"]]:
        final = machines.is_final("CallStatus", step.status)
        yield Step(
            kind=Kind.FINAL if final else Kind.MOVED,
            at=row["created_at"] + timedelta(seconds=step.after_s),
            title=f"{words(before).capitalize()} → {words(step.status.value)}.",
            status=step.status.value,
            facts=_call_end(row) if final else (),
            announces=(STATUS_EVENT, RECORD_EVENT) if final else (STATUS_EVENT,),
        )
        before = step.status.value


def _of_call_times(row: Mapping[Any, Any]) -> Iterator[Step]:
    if row["answered_at"] is not None:
        answered = CallStatus.IN_PROGRESS.value
        yield Step(kind=Kind.MOVED, at=row["answered_at"], title="Answered.", status=answered)
    if row["ended_at"] is not None:
        facts = _call_end(row)
        yield Step(kind=Kind.FINAL, at=row["ended_at"], title="Ended.", status=row["status"], facts=facts)


def _call_end(row: Mapping[Any, Any]) -> tuple[tuple[str, str], ...]:
    shown = (
        ("End cause", row["end_cause"]),
        ("SIP code", row["sip_code"]),
        ("Duration", row["duration_s"] is not None and f"{row['duration_s']} s"),
        ("Billed", row["billed_s"] is not None and f"{row['billed_s']} s"),
        ("Answered by", row["answered_by"]),
    )
    return tuple((name, str(value)) for name, value in shown if value is not None and value is not False)


def _next(title: str, due_at: datetime | None) -> tuple[Step, ...]:
    return (Step(kind=Kind.NEXT, at=due_at, title=title),) if due_at is not None else ()


def _with_events(steps: Iterable[Step], told: Sequence[Told], ahead: tuple[Step, ...]) -> Timeline:
    """Give each step the events that it announces, as far as there are; others become steps of their own."""
    left = list(told)
    filled: list[Step] = []
    for step in steps:
        own = tuple(filter(None, (_first(left, kind) for kind in step.announces)))
        filled.append(replace(step, told=own))
    alone = (Step(kind=Kind.EVENT, at=one.at, title="An event was made.", told=(one,)) for one in left)
    is_live = bool(ahead) or any(one.is_pending for one in told)
    return Timeline(steps=(*filled, *alone, *ahead), is_live=is_live)


def _first(left: list[Told], kind: str) -> Told | None:
    """Take the first event of a type away from those that are left."""
    found = next((one for one in left if one.type == kind), None)
    if found is not None:
        left.remove(found)
    return found
