"""Do messages leave their queue at the agreed pace, in the order of their acceptance?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from math import ceil

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.subject import Subject, operation_label
from telecom.conformance.sending import (
    DEFAULT_WAIT_S,
    READ_MESSAGE,
    SEND_MESSAGE,
    JsonObject,
    accepted_json,
    follow_messages,
    missing_operations,
    require_operation,
    response_failure,
    send_message,
)
from telecom.conformance.settings import PLUGIN, settings_of
from telecom.segments import MAX_SEGMENTS
from telecom.times import parse_rfc3339

BURST_S = 3.0
"""How many seconds of the agreed pace are sent at once."""
MIN_MESSAGES, MAX_MESSAGES = 4, 60
"""How many messages are sent."""
MAX_PACE_PER_S = MAX_MESSAGES * MAX_SEGMENTS / BURST_S
LONGEST_TEXT = "a" * 153 * MAX_SEGMENTS
"""A text that takes as many segments as a message may have (3GPP TS 23.040 §9.2.3.24.1)."""
ONE_SECOND = timedelta(seconds=1)
TOLERANCE = 1.1
"""How much faster a clock may seem that writes whole milliseconds, or starts each second again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMessage:
    """A message that left the queue: when, in how many segments, and the exchange that accepted it."""

    at: datetime
    segments: int
    exchange: Exchange


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe: more messages at once than may leave at once."""
    yield Probe(
        operation=operation_label(require_operation(subject, READ_MESSAGE)), run=partial(_check_pace, subject)
    )


def _check_pace(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    pace_per_s = settings_of(subject).messages_per_s or MAX_PACE_PER_S
    count = max(MIN_MESSAGES, ceil(BURST_S * pace_per_s / MAX_SEGMENTS))
    sent = {
        str(number): send_message(subject, send, channel="sms", body=LONGEST_TEXT) for number in range(count)
    }
    if any(accepted_json(exchange) is None for exchange in sent.values()):
        raise Unsendable("messages that the deployment accepts")
    timeout_s = DEFAULT_WAIT_S + count * MAX_SEGMENTS / pace_per_s
    documents = follow_messages(
        subject, send, sent, lambda _, document: document.get("sent_at") is not None, timeout_s=timeout_s
    )
    departed = [
        one for number, exchange in sent.items() if (one := _sent_message(exchange, documents.get(number)))
    ]
    if len(departed) < count:
        text = f"{count - len(departed)} of {count} messages have not left after {timeout_s:.0f} s"
        yield response_failure(
            require_operation(subject, READ_MESSAGE), "messages stay in the queue", text, sent[str(count - 1)]
        )
        return
    yield from _pace_failures(subject, departed, pace_per_s)


def _pace_failures(
    subject: Subject, sent: Sequence[SentMessage], pace_per_s: float
) -> Iterator[CheckFailure]:
    operation = require_operation(subject, READ_MESSAGE)
    if burst := find_fast_burst(sent, pace_per_s):
        segments, duration = burst
        within = f"within {duration.total_seconds():.1f} s"
        text = f"{segments} segments left {within}, and {pace_per_s:g} a second are agreed"
        yield response_failure(operation, "messages leave faster than agreed", text, sent[-1].exchange)
    if pair := find_overtaking(sent):
        overtaken, overtaking = pair
        text = f"a message left at {overtaken.at}, and one that was accepted after it at {overtaking.at}"
        title = "messages leave in another order than accepted"
        yield response_failure(operation, title, text, overtaken.exchange, overtaking.exchange)


def find_overtaking(sent: Sequence[SentMessage]) -> tuple[SentMessage, SentMessage] | None:
    """Return a message and a later accepted one that left more than a second before it, None if there is
    none. Messages are given in the order of their acceptance."""
    latest = sent[0]
    for message in sent:
        if message.at + ONE_SECOND < latest.at:
            return latest, message
        latest = max(latest, message, key=lambda each: each.at)
    return None


def find_fast_burst(sent: Sequence[SentMessage], pace_per_s: float) -> tuple[int, timedelta] | None:
    """Return how many segments left in which time if that exceeds what the pace allows in that time and one
    second more, else None."""
    by_time = sorted(sent, key=lambda start: start.at)
    for first, start in enumerate(by_time):
        segments = 0
        for message in by_time[first:]:
            segments += message.segments
            duration = message.at - start.at
            if segments - message.segments > TOLERANCE * pace_per_s * (duration + ONE_SECOND).total_seconds():
                return segments, duration
    return None


def _sent_message(exchange: Exchange, document: JsonObject | None) -> SentMessage | None:
    at = parse_rfc3339(str(document.get("sent_at"))) if document is not None else None
    segments = (accepted_json(exchange) or {}).get("segments")
    if at is None or not isinstance(segments, int):
        return None
    return SentMessage(at=at, segments=segments, exchange=exchange)


def _missing_requirement(subject: Subject) -> str:
    pace_per_s = settings_of(subject).messages_per_s
    if pace_per_s is None:
        return (
            f"the agreed throughput: set `plugins: {{{PLUGIN}: {{messages_per_second: …}}}}` in the settings"
        )
    if pace_per_s > MAX_PACE_PER_S:
        return (
            f"a throughput of at most {MAX_PACE_PER_S:g} segments per second: at {pace_per_s:g}, "
            f"{BURST_S:g} s of it are more than the {MAX_MESSAGES} messages that a run sends"
        )
    return missing_operations(SEND_MESSAGE, READ_MESSAGE)(subject)


FAMILY = Family(
    name="message-pacing",
    summary="queued messages are sent at the agreed pace",
    words=CheckDescription(
        promise="Accepted messages are sent in the order of their acceptance, no faster than agreed, counted "
        "in segments.",
        test="Only if the settings give the agreed pace (`messages_per_second`): messages of "
        f"{MAX_SEGMENTS} segments for {BURST_S:g} seconds of that pace, at least {MIN_MESSAGES} and at most "
        f"{MAX_MESSAGES}, are sent one after the other to the number of the contract's example, and `sent_at` is "
        "compared. What the pace allows for one second may leave at once.",
        remedy="Assign each message its time when it is accepted: the time of the previous one plus the time"
        " its segments take.",
        sources=("service.md, Limits 1 and 3", "the guide to limits"),
    ),
    probes=probes,
    lacks=_missing_requirement,
    about_state=True,
)
