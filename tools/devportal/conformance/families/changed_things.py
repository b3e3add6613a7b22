"""What a change was answered with is what is read afterwards, and the rest of the thing is still there."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.agreement import answer_schema, different, echoed, leaves
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.resources import Resource
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import (
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

ACCEPTED = 202
"""What is to be changed later need not be changed (RFC 9110 §15.3.3)."""
NOTHING: tuple[Any, ...] = (None, "", [], {})


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each way to change a thing that can be made and read."""
    for resource in subject.resources:
        for change in resource.changes if resource.create is not None and resource.read is not None else ():
            yield Probe(operation=label(change), run=partial(_changed, subject, resource, change))


def _changed(subject: Subject, resource: Resource, change: Operation, send: Send) -> Iterator[Fault]:
    thing = make(subject, resource, send)
    look = partial(read, subject, resource, thing.value, send)
    before = patiently(look, send, is_success)
    answer = _accepted(subject, thing, change, before, send)
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


def _accepted(subject: Subject, thing: Thing, change: Operation, before: Exchange, send: Send) -> Exchange:
    """Change a thing, to another value if one is taken. Raises Unsendable where none is at once."""
    there = about(subject, thing.resource, thing.value)
    usual = request_for(there, change)
    if usual is None:
        raise Unsendable("there is no valid request for the change")
    tries: list[Request] = [*islice(variants(there, change, usual), VARIANTS), usual]
    for request in tries:
        exchange = send(change, if_unchanged(change, fresh(there, change, request), before))
        if is_success(exchange) and exchange.status != ACCEPTED:
            return exchange
        if exchange.status not in REFUSED:
            break
    raise Unsendable("no change is taken at once")


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
        promise="What a change was answered with is what is read afterwards. A `PATCH` leaves what it does "
        "not name.",
        test="Things are made, changed to other values, and read, for three seconds where a deployment takes "
        "its time. Compared is what the client sent and was answered.",
        remedy="Write the change before it is answered, and only the members that it names.",
        sources=("RFC 5789 §2", "RFC 9110 §9.3.4"),
    ),
    probes=probes,
    about_state=True,
)
