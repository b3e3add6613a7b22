"""The course of a message or a call as a list of steps, each with its events.

Steps are computed from the request and from the progress so far. Of future steps only the time of the next
one is shown.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from telecom.calls import RECORD_EVENT, STATUS_EVENT, CallStatus, plan_call
from telecom.receipts import MESSAGE_STATE_MACHINE, Channel, MessageStatus
from telecom.sandbox.pages.delivery_views import EventHistory
from telecom.sandbox.pages.formatting import as_words, format_time
from telecom.sandbox.stores.message_store import Message, Progress, apply_report
from telecom.states import StateMachines

_REPORTED_FIELDS = ("sent_as", "encoding", "segments", "carrier_status", "error_code")


class StepKind(StrEnum):
    """The kind of a step, which decides its marker on the line."""

    ACCEPTED = "accepted"
    WAITS = "waits"
    MOVED = "moved"
    FINAL = "final"
    IGNORED = "ignored"
    EVENT = "event"
    NEXT = "next"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineStep:
    """A past or future step; `status` is the one after it, None if it changes none."""

    kind: StepKind
    at: datetime
    title: str
    status: str | None = None
    facts: tuple[tuple[str, str], ...] = ()
    events: tuple[EventHistory, ...] = ()
    event_types: tuple[str, ...] = ()
    """The types of the events that report it, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The steps in their order, and whether more is to come."""

    steps: tuple[TimelineStep, ...]
    is_live: bool


def message_timeline(
    message: Message, progress: Progress, events: Sequence[EventHistory], machines: StateMachines
) -> Timeline:
    """Return the timeline of a message from its events, the oldest first."""
    steps = (*_accepted_message_steps(message, progress), *_report_steps(message, progress, machines))
    return _with_events(steps, events, _next_step("The next report is due.", progress.due_at))


def call_timeline(
    row: Mapping[Any, Any], events: Sequence[EventHistory], machines: StateMachines
) -> Timeline:
    """Return the timeline of a call from its row and its events, the oldest first."""
    steps = (_accepted_call_step(row), *_call_steps(row, machines))
    return _with_events(steps, events, _next_step("The next step is due.", row["due_at"]))


def _accepted_message_steps(message: Message, progress: Progress) -> Iterator[TimelineStep]:
    yield TimelineStep(
        kind=StepKind.ACCEPTED,
        at=message.created_at,
        title="Accepted.",
        status=MessageStatus.QUEUED,
        facts=(
            ("Channel", str(message.request["channel"])),
            ("Segments", str(_message_as_accepted(message).segments)),
        ),
    )
    if progress.starts_at > message.created_at:
        yield TimelineStep(
            kind=StepKind.WAITS,
            at=message.created_at,
            title=f"Waits in the queue of the account until {format_time(progress.starts_at)}.",
        )


def _report_steps(message: Message, progress: Progress, machines: StateMachines) -> Iterator[TimelineStep]:
    """Yield a step for each report that came in; a sample has none, so its steps come from its times."""
    if not progress.reported:
        yield from _steps_from_times(message)
    current = _message_as_accepted(message)
    for number in range(progress.reported):
        earlier_progress = replace(progress, reported=number)
        at = progress.time_of(number)
        before, (current, events) = current, apply_report(current, earlier_progress, at, machines)
        event_types = tuple(event.type for event in events)
        yield _report_step(before, current, at, machines, event_types, earlier_progress)


def _report_step(
    before: Message,
    after: Message,
    at: datetime,
    machines: StateMachines,
    event_types: tuple[str, ...],
    progress: Progress,
) -> TimelineStep:
    report = progress.course.reports[progress.reported]
    outcome = report.outcome.status.value
    if after == before:
        title = f"A report of “{outcome}” came in, and changes nothing: the message is “{before.status}”."
        return TimelineStep(kind=StepKind.IGNORED, at=at, title=title, event_types=event_types)
    late_s = (report.late_s * progress.second).total_seconds()
    late = f", {late_s:g} seconds after it happened" if late_s else ""
    final = machines.is_final(MESSAGE_STATE_MACHINE, after.status)
    return TimelineStep(
        kind=StepKind.FINAL if final else StepKind.MOVED,
        at=at,
        title=f"A report came in{late}: {before.status} → {after.status}.",
        status=after.status,
        facts=_changed_fields(before, after),
        event_types=event_types,
    )


def _changed_fields(before: Message, after: Message) -> tuple[tuple[str, str], ...]:
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in _REPORTED_FIELDS)
    return tuple((as_words(name).capitalize(), str(new)) for name, old, new in pairs if new != old and new)


def _steps_from_times(message: Message) -> Iterator[TimelineStep]:
    if message.sent_at is not None:
        yield TimelineStep(kind=StepKind.MOVED, at=message.sent_at, title="Sent.", status=MessageStatus.SENT)
    if message.finished_at is not None:
        facts = _changed_fields(_message_as_accepted(message), message)
        status_words = as_words(message.status).capitalize()
        yield TimelineStep(
            kind=StepKind.FINAL,
            at=message.finished_at,
            title=f"{status_words}.",
            status=message.status,
            facts=facts,
        )


def _message_as_accepted(message: Message) -> Message:
    """Return a message as it was at its acceptance."""
    is_sms = message.request["channel"] == Channel.SMS
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


def _accepted_call_step(row: Mapping[Any, Any]) -> TimelineStep:
    outbound = row["direction"] == "outbound"
    title = "Accepted." if outbound else "Came in."
    return TimelineStep(
        kind=StepKind.ACCEPTED, at=row["created_at"], title=title, status=CallStatus.QUEUED.value
    )


def _call_steps(row: Mapping[Any, Any], machines: StateMachines) -> Iterator[TimelineStep]:
    if not row["sequence"]:
        yield from _call_steps_from_times(row)
        return
    steps = plan_call(json.loads(row["request"])).steps
    previous_status = CallStatus.QUEUED.value
    for step in steps[: row["sequence"]]:
        final = machines.is_final("CallStatus", step.status)
        yield TimelineStep(
            kind=StepKind.FINAL if final else StepKind.MOVED,
            at=row["created_at"] + timedelta(seconds=step.after_s),
            title=f"{as_words(previous_status).capitalize()} → {as_words(step.status.value)}.",
            status=step.status.value,
            facts=_call_end_facts(row) if final else (),
            event_types=(STATUS_EVENT, RECORD_EVENT) if final else (STATUS_EVENT,),
        )
        previous_status = step.status.value


def _call_steps_from_times(row: Mapping[Any, Any]) -> Iterator[TimelineStep]:
    if row["answered_at"] is not None:
        status = CallStatus.IN_PROGRESS.value
        yield TimelineStep(kind=StepKind.MOVED, at=row["answered_at"], title="Answered.", status=status)
    if row["ended_at"] is not None:
        facts = _call_end_facts(row)
        yield TimelineStep(
            kind=StepKind.FINAL, at=row["ended_at"], title="Ended.", status=row["status"], facts=facts
        )


def _call_end_facts(row: Mapping[Any, Any]) -> tuple[tuple[str, str], ...]:
    facts = (
        ("End cause", row["end_cause"]),
        ("SIP code", row["sip_code"]),
        ("Duration", row["duration_s"] is not None and f"{row['duration_s']} s"),
        ("Billed", row["billed_s"] is not None and f"{row['billed_s']} s"),
        ("Answered by", row["answered_by"]),
    )
    return tuple((name, str(value)) for name, value in facts if value is not None and value is not False)


def _next_step(title: str, due_at: datetime | None) -> tuple[TimelineStep, ...]:
    return (TimelineStep(kind=StepKind.NEXT, at=due_at, title=title),) if due_at is not None else ()


def _with_events(
    steps: Iterable[TimelineStep], events: Sequence[EventHistory], next_steps: tuple[TimelineStep, ...]
) -> Timeline:
    """Attach to each step the events that report it, if they exist; other events become their own steps."""
    unclaimed = list(events)
    steps_with_events: list[TimelineStep] = []
    for step in steps:
        step_events = tuple(
            filter(None, (_take_first(unclaimed, event_type) for event_type in step.event_types))
        )
        steps_with_events.append(replace(step, events=step_events))
    event_steps = (
        TimelineStep(
            kind=StepKind.EVENT, at=event_history.at, title="An event was made.", events=(event_history,)
        )
        for event_history in unclaimed
    )
    is_live = bool(next_steps) or any(event.is_pending for event in events)
    return Timeline(steps=(*steps_with_events, *event_steps, *next_steps), is_live=is_live)


def _take_first(events: list[EventHistory], event_type: str) -> EventHistory | None:
    """Remove the first event of a type from a list, and return it."""
    event = next((event for event in events if event.type == event_type), None)
    if event is not None:
        events.remove(event)
    return event
