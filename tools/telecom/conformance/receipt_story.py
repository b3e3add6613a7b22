"""Whether events about a message tell what the message itself shows: pure comparison."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from devportal.contract import StateMachine
from telecom.conformance.event_log import LoggedEvent
from telecom.receipts import RECEIPT, STATUS_CHANGED
from telecom.times import parse_rfc3339

ABOUT_A_SECOND = timedelta(seconds=1)
"""Times of one moment may be written with other precision in one place and another."""
CARRIED_OVER = ("error_code", "carrier_status", "segments")
"""What the last receipt and the message both tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMismatch:
    """What disagrees, in words for a title and a message, and the event that shows it, if one does."""

    title: str
    message: str
    event: LoggedEvent | None = None


def event_mismatches(
    machine: StateMachine, message: Mapping[str, Any], events: Sequence[LoggedEvent]
) -> Iterator[EventMismatch]:
    """Yield where the events about a message that has ended tell another story than the message."""
    steps = sorted((one for one in events if one.type == STATUS_CHANGED), key=lambda one: one.sequence)
    receipts = tuple(one for one in events if one.type == RECEIPT)
    for event in (*steps, *receipts):
        yield from _subject_mismatches(message, event)
        yield from _finality_mismatches(machine, event)
    yield from _step_mismatches(machine, message, steps)
    yield from _time_mismatches(message, steps)
    yield from _receipt_mismatches(message, steps, receipts)


def _subject_mismatches(message: Mapping[str, Any], event: LoggedEvent) -> Iterator[EventMismatch]:
    told = {
        "type": (event.payload.get("type"), event.type),
        "subject": (event.shown.get("subject"), message.get("id")),
        "message_id": (event.data.get("message_id"), message.get("id")),
        "to": (event.data.get("to"), message.get("to")),
        "channel": (event.data.get("channel"), message.get("channel")),
    }
    if wrong := [f"{name} {one!r}, not {right!r}" for name, (one, right) in told.items() if one != right]:
        yield EventMismatch(title="an event is about something else", message="; ".join(wrong), event=event)


def _finality_mismatches(machine: StateMachine, event: LoggedEvent) -> Iterator[EventMismatch]:
    status, final = event.data.get("status"), event.data.get("final")
    if status in machine.states and final is not (status in machine.finals):
        message = f"{event.type} has the status {status!r}, and final is {final!r}"
        yield EventMismatch(
            title="an event tells another finality than the contract", message=message, event=event
        )


def _step_mismatches(
    machine: StateMachine, message: Mapping[str, Any], steps: Sequence[LoggedEvent]
) -> Iterator[EventMismatch]:
    """Yield where the steps, by their numbers, do not lead from a first status to the one that is there."""
    if not steps:
        yield EventMismatch(
            title="a message has ended, and no event tells of its steps",
            message=f"it is {message.get('status')!r}, and the log has no {STATUS_CHANGED} of it",
        )
        return
    numbers = [one.sequence for one in steps]
    if numbers != list(range(1, len(steps) + 1)):
        yield EventMismatch(
            title="the steps of a message are not counted from 1",
            message=f"their numbers are {numbers}",
            event=steps[-1],
        )
    before: Any = steps[0].data.get("previous_status")
    if before not in machine.initial:
        text = f"the first step begins at {before!r}; messages begin as {', '.join(machine.initial)}"
        yield EventMismatch(title="the first step is not from the beginning", message=text, event=steps[0])
    for one in steps:
        source, target = one.data.get("previous_status"), one.data.get("status")
        if source != before or not machine.allows(str(source), str(target)):
            text = f"step {one.sequence} leads from {source!r} to {target!r}, and the status was {before!r}"
            yield EventMismatch(title="a step does not follow the one before", message=text, event=one)
        before = target
    last = steps[-1].data
    for name in ("status", "error_code"):
        if last.get(name) != message.get(name):
            text = f"{name} is {last.get(name)!r} in the last step, and {message.get(name)!r} in the message"
            yield EventMismatch(title=f"the last step has another {name}", message=text, event=steps[-1])


def _time_mismatches(message: Mapping[str, Any], steps: Sequence[LoggedEvent]) -> Iterator[EventMismatch]:
    moments = [_parse_time(one.payload.get("timestamp")) for one in steps]
    for (earlier, later), step in zip(pairwise(moments), steps[1:], strict=True):
        if earlier is not None and later is not None and later < earlier:
            text = f"step {step.sequence} happened at {later}, and the one before at {earlier}"
            yield EventMismatch(title="a later step has an earlier time", message=text, event=step)
    for step, moment in zip(steps, moments, strict=True):
        is_last = step is steps[-1]
        name = "finished_at" if is_last else "sent_at" if step.data.get("status") == "sent" else ""
        shown = _parse_time(message.get(name))
        if moment is not None and shown is not None and abs(moment - shown) > ABOUT_A_SECOND:
            text = f"{name} is {shown}, and the event of that step has {moment}"
            yield EventMismatch(title=f"an event has another time than {name}", message=text, event=step)


def _receipt_mismatches(
    message: Mapping[str, Any], steps: Sequence[LoggedEvent], receipts: Sequence[LoggedEvent]
) -> Iterator[EventMismatch]:
    """Yield where no receipt reports the end, or where one reports it otherwise. Late and repeated ones may
    report what is no longer so, and have no higher number for that.
    """
    status = message.get("status")
    ends = [one for one in receipts if one.data.get("status") == status]
    if not ends:
        yield EventMismatch(
            title="a message has ended, and no receipt reports how",
            message=f"it is {status!r}, and the log has {len(receipts)} {RECEIPT} of it, none of that status",
            event=receipts[-1] if receipts else None,
        )
    for one in ends:
        for name in CARRIED_OVER:
            said, right = one.data.get(name), message.get(name)
            if said != right:
                text = f"{name} is {said!r} in the receipt, and {right!r} in the message"
                yield EventMismatch(title=f"a receipt has another {name}", message=text, event=one)
    numbers = {step.data.get("status"): step.sequence for step in steps}
    for one in receipts:
        number = numbers.get(one.data.get("status"))
        if number is not None and number != one.sequence:
            text = (
                f"the receipt of {one.data.get('status')!r} has the number {one.sequence}, its step {number}"
            )
            yield EventMismatch(title="a receipt has another number than its step", message=text, event=one)


def _parse_time(text: Any) -> datetime | None:
    return parse_rfc3339(text) if isinstance(text, str) else None
