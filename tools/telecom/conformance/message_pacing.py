"""Do messages leave their queue at the pace that is agreed, and in the order in which they were accepted?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from math import ceil

from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.subject import Subject, label
from telecom.conformance.following import Document, followed
from telecom.conformance.sending import READ, SEND, accepted, fault, lacking, needed, send_message
from telecom.conformance.settings import PLUGIN, settings_of
from telecom.conformance.waiting import WITHIN_S
from telecom.segments import MAX_SEGMENTS
from telecom.times import from_rfc3339

BURST_S = 3.0
"""So many seconds of the agreed pace are sent at once."""
FEWEST, MOST = 4, 60
"""How many messages are sent."""
FASTEST_PER_S = MOST * MAX_SEGMENTS / BURST_S
TEXT = "a" * 153 * MAX_SEGMENTS
"""A text that takes as many segments as a message may have (3GPP TS 23.040 §9.2.3.24.1)."""
A_SECOND = timedelta(seconds=1)
TOLERANCE = 1.1
"""How much faster a clock may seem that writes whole milliseconds, or starts each second anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A message that a carrier has taken: when, in how many segments, and what accepted it."""

    at: datetime
    segments: int
    exchange: Exchange


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe: more messages at once than may leave at once."""
    yield Probe(operation=label(needed(subject, READ)), run=partial(_paced, subject))


def _paced(subject: Subject, send: Send) -> Iterator[Fault]:
    pace_per_s = settings_of(subject).messages_per_s or FASTEST_PER_S
    count = max(FEWEST, ceil(BURST_S * pace_per_s / MAX_SEGMENTS))
    sent = {str(number): send_message(subject, send, channel="sms", body=TEXT) for number in range(count)}
    if any(accepted(exchange) is None for exchange in sent.values()):
        raise Unsendable("not every message is accepted")
    within_s = WITHIN_S + count * MAX_SEGMENTS / pace_per_s
    seen = followed(subject, send, sent, lambda _, shown: shown.get("sent_at") is not None, within_s=within_s)
    left = [one for number, exchange in sent.items() if (one := _sent(exchange, seen.get(number)))]
    if len(left) < count:
        text = f"{count - len(left)} of {count} messages have not left after {within_s:.0f} s"
        yield fault(needed(subject, READ), "messages stay in the queue", text, sent[str(count - 1)])
        return
    yield from _judged(subject, left, pace_per_s)


def _judged(subject: Subject, sent: Sequence[Sent], pace_per_s: float) -> Iterator[Fault]:
    operation = needed(subject, READ)
    if burst := fastest(sent, pace_per_s):
        segments, took = burst
        within = f"within {took.total_seconds():.1f} s"
        text = f"{segments} segments left {within}, and {pace_per_s:g} a second are agreed"
        yield fault(operation, "messages leave faster than agreed", text, sent[-1].exchange)
    if pair := overtaken(sent):
        one, two = pair
        text = f"a message left at {one.at}, and one that was accepted after it at {two.at}"
        title = "messages leave in another order than accepted"
        yield fault(operation, title, text, one.exchange, two.exchange)


def overtaken(sent: Sequence[Sent]) -> tuple[Sent, Sent] | None:
    """Return a message and one that was accepted later and left more than a second before it, None where
    there is no such; messages in the order of their acceptance.
    """
    latest = sent[0]
    for one in sent:
        if one.at + A_SECOND < latest.at:
            return latest, one
        latest = max(latest, one, key=lambda each: each.at)
    return None


def fastest(sent: Sequence[Sent], pace_per_s: float) -> tuple[int, timedelta] | None:
    """Return how many segments left in which time, where that is more than the pace allows and what it allows
    for a second besides; None where it is not.
    """
    in_turn = sorted(sent, key=lambda one: one.at)
    for first, one in enumerate(in_turn):
        segments = 0
        for other in in_turn[first:]:
            segments += other.segments
            took = other.at - one.at
            if segments - other.segments > TOLERANCE * pace_per_s * (took + A_SECOND).total_seconds():
                return segments, took
    return None


def _sent(exchange: Exchange, shown: Document | None) -> Sent | None:
    at = from_rfc3339(str(shown.get("sent_at"))) if shown is not None else None
    segments = (accepted(exchange) or {}).get("segments")
    if at is None or not isinstance(segments, int):
        return None
    return Sent(at=at, segments=segments, exchange=exchange)


def _lacks(subject: Subject) -> str:
    pace_per_s = settings_of(subject).messages_per_s
    if pace_per_s is None:
        return (
            f"the agreed throughput: say `plugins: {{{PLUGIN}: {{messages_per_second: …}}}}` in the settings"
        )
    if pace_per_s > FASTEST_PER_S:
        return (
            f"a throughput of at most {FASTEST_PER_S:g} segments per second: at {pace_per_s:g}, "
            f"{BURST_S:g} s of it are more than the {MOST} messages that a run sends"
        )
    return lacking(SEND, READ)(subject)


FAMILY = Family(
    name="message-pacing",
    summary="messages leave their queue at the agreed pace",
    words=Words(
        promise="Accepted messages wait in a queue and leave it in the order of their acceptance, no faster "
        "than agreed, counted in segments.",
        test="Only where the settings say what is agreed (`messages_per_second`): messages of "
        f"{MAX_SEGMENTS} segments for {BURST_S:g} seconds of that pace, at least {FEWEST} and at most "
        f"{MOST}, are sent one after the other to the number of the contract's example, and `sent_at` is "
        "compared. What the pace allows for one second may leave at once.",
        remedy="Give each message its moment when it is accepted: the one of the message before, and the "
        "time that its segments take.",
        sources=("service.md, Limits 1 and 3", "the guide to limits"),
    ),
    probes=probes,
    lacks=_lacks,
    about_state=True,
)
