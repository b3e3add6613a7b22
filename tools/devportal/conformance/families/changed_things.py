"""What a change was answered with is what is read afterwards, and the rest of the thing is still there."""

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from typing import Any

from devportal.conformance.agreement import NOTHING, answer_schema, different, echoed, leaves
from devportal.conformance.exchange import Exchange
from devportal.conformance.families.idle_changes import Way, asked_for, is_made
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.resources import Resource
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import (
    ACCEPTED,
    REFUSED,
    VARIANTS,
    Thing,
    about,
    if_unchanged,
    is_stored,
    is_success,
    make,
    patiently,
    promise_of,
    read,
    request_for,
)
from devportal.conformance.variation import fresh, sent_value, variants
from devportal.contract import Operation


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each way to change a thing that can be made and read."""
    for resource in subject.resources:
        for change in resource.changes if resource.create is not None and resource.read is not None else ():
            yield Probe(operation=label(change), run=partial(_changed, subject, resource, change))


def _changed(subject: Subject, resource: Resource, change: Operation, send: Send) -> Iterator[Fault]:
    thing = make(subject, resource, send)
    look = partial(read, subject, resource, thing.value, send)
    before = patiently(look, send, is_success)
    changes = _accepted(subject, thing, change, before, send)
    answer = next(changes, None)
    if answer is None:
        raise Unsendable("no change is taken at once")
    ways = _promised(subject, change, before, answer)
    expected = {**leaves(_sent(answer)), **leaves(body_of(answer))}
    after = patiently(
        look, send, lambda one: not different(expected, leaves(body_of(one)), iter(ways)) and is_success(one)
    )
    if not is_success(before) or not is_success(after) or is_stored(after):
        raise Unsendable("it cannot be read")
    if wrong := different(expected, leaves(body_of(after)), iter(ways)):
        message = f"what was changed is read with another value in: {', '.join(wrong)}"
        yield _fault(change, "a change is not read back", message, thing.exchange, answer, after)
    if lost := _lost(subject, thing, before, answer, after) if change.method == "PATCH" else []:
        message = f"the change does not name and takes away: {', '.join(lost)}"
        yield _fault(change, "a change loses what it does not name", message, thing.exchange, answer, after)
    yield from _idle(subject, thing, change, before, chain([answer], changes), send)


def _idle(
    subject: Subject,
    thing: Thing,
    change: Operation,
    before: Exchange,
    answers: Iterator[Exchange],
    send: Send,
) -> Iterator[Fault]:
    """Find the operation that makes none of several changes: one member may be for the server to keep."""
    asked: list[tuple[Exchange, tuple[Way, ...]]] = []
    for answer in answers:
        ways = asked_for(subject, thing, before, answer)
        if is_made(before, answer, answer, ways) or not (ways or asked):
            return
        asked.append((answer, ways))

    def is_any_made(shown: Exchange) -> bool:
        return any(is_made(before, answer, shown, ways) for answer, ways in asked)

    after = patiently(partial(read, subject, thing.resource, thing.value, send), send, is_any_made)
    if is_success(after) and not is_stored(after) and not is_any_made(after):
        named = ", ".join(dict.fromkeys(".".join(way) for _, ways in asked for way in ways))
        message = f"what was to change is as before, in the answer and when it is read: {named}"
        yield _fault(change, "a change does nothing", message, thing.exchange, asked[0][0], after)


def _accepted(
    subject: Subject, thing: Thing, change: Operation, before: Exchange, send: Send
) -> Iterator[Exchange]:
    """Change a thing, to another value of one member after the other and to the usual ones; yield what is
    taken at once.
    """
    there = about(subject, thing.resource, thing.value)
    usual = request_for(there, change)
    if usual is None:
        raise Unsendable("there is no valid request for the change")
    for request in (*islice(variants(there, change, usual), VARIANTS), usual):
        exchange = send(change, if_unchanged(change, fresh(there, change, request), before))
        if is_success(exchange) and exchange.status != ACCEPTED:
            yield exchange
        elif exchange.status not in REFUSED:
            return


def _sent(answer: Exchange) -> Any:
    return sent_value(answer.request)


def _promised(
    subject: Subject, change: Operation, before: Exchange, answer: Exchange
) -> tuple[tuple[str, ...], ...]:
    """Return the ways to what was sent and answered alike; where nothing was answered, to the numbers and
    switches that were sent, since a server may write texts in its own way.
    """
    sent, shown = _sent(answer), body_of(answer)
    if isinstance(shown, dict):
        return tuple(echoed(subject, sent, shown, answer_schema(change, answer.status)))
    known = leaves(body_of(before))
    return tuple(
        way
        for way, value in leaves(sent).items()
        if isinstance(value, bool | int | float) and type(known.get(way)) is type(value)
    )


def _lost(subject: Subject, thing: Thing, before: Exchange, answer: Exchange, after: Exchange) -> list[str]:
    """Return the members that a client gave a thing when it was made, and that a change of others took away
    (RFC 5789 §2).
    """
    named, was, now = _sent(answer), leaves(body_of(before)), leaves(body_of(after))
    if not isinstance(named, dict):
        return []
    schema = answer_schema(thing.resource.create, thing.exchange.status)
    given = echoed(subject, thing.sent, thing.shown, schema)
    return [
        ".".join(way)
        for way in given
        if way[0] not in named and was.get(way) not in NOTHING and now.get(way) in NOTHING
    ]


def _fault(change: Operation, title: str, message: str, *evidence: Exchange) -> Fault:
    return Fault(
        title=title,
        message=message,
        operation=label(change),
        promise=promise_of(change, evidence[1]),
        evidence=evidence,
    )


FAMILY = Family(
    name="changed-things",
    summary="a change can be read",
    words=Words(
        promise="What a change was answered with is what is read afterwards, and a change that is answered "
        "as made changes something. A `PATCH` leaves what it does not name.",
        test="Things are made, changed to other values, and read, for three seconds where a deployment takes "
        "its time. Compared is what the client sent and was answered. Where nothing that a change names has "
        "another value, others are tried: only an operation that makes none of them is wrong.",
        remedy="Write the change before it is answered, and only the members that it names.",
        sources=("RFC 5789 §2", "RFC 9110 §9.3.4"),
    ),
    probes=probes,
    about_state=True,
)
