"""Reading changes nothing: a thing stays there and stays what it is, and validators tell the truth."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.agreement import answer_schema, echoed, is_same, leaves
from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.resources import Resource
from devportal.conformance.response_check import promises, response_for
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import GONE, Thing, is_success, make, patiently, promise_of, read
from devportal.conformance.variation import with_header
from devportal.contract import Operation

READS = 6
SETTLING_S = 2.0
"""How long copies of a deployment may differ before what they say counts."""
NOT_MODIFIED = 304
OTHER_VERSION = '"none-of-this-contract"'


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield what is asked of things that can be made and read, and of operations that promise 304."""
    for resource in subject.resources:
        if resource.create is not None and resource.read is not None:
            run = partial(_again_and_again, subject, resource, resource.read)
            yield Probe(operation=label(resource.read), run=run)
    for operation in subject.operations:
        if operation.method == "GET" and promises(operation, NOT_MODIFIED):
            yield Probe(operation=label(operation), run=partial(_validated, subject, operation))


def _again_and_again(
    subject: Subject, resource: Resource, operation: Operation, send: Send
) -> Iterator[Fault]:
    """Read a thing several times, and once more where the copies of a deployment may not agree yet."""
    thing = make(subject, resource, send)
    patiently(partial(read, subject, resource, thing.value, send), send, is_success)
    if any(_differences(subject, operation, thing, _readings(subject, thing, send))):
        send.wait(SETTLING_S)
        yield from _differences(subject, operation, thing, _readings(subject, thing, send))


def _readings(subject: Subject, thing: Thing, send: Send) -> list[Exchange]:
    """Read a thing several times, with readings of its list in between."""
    seen, listing = [], thing.resource.listing
    request = subject.valid(listing.operation) if listing is not None else None
    for _ in range(READS):
        seen.append(read(subject, thing.resource, thing.value, send))
        if listing is not None and request is not None:
            send(listing.operation, request)
    return seen


def _differences(
    subject: Subject, operation: Operation, thing: Thing, seen: list[Exchange]
) -> Iterator[Fault]:
    there = [one for one in seen if is_success(one)]
    gone = [one for one in seen if one.status in GONE or one.status >= 500 or one.answer is None]
    if there and gone:
        message = f"{len(gone)} of {READS} readings of {thing.value!r} get {gone[0].outcome}"
        yield _fault(operation, "a thing comes and goes", message, thing.exchange, there[0], gone[0])
    if changing := _changing(subject, thing, there):
        message = f"nobody has changed {thing.value!r}, and its readings differ in: {', '.join(changing)}"
        yield _fault(operation, "a thing changes from reading to reading", message, thing.exchange, *there)


def _changing(subject: Subject, thing: Thing, seen: list[Exchange]) -> list[str]:
    """Return the members that only a client changes and that differ between readings."""
    schema = answer_schema(thing.resource.create, thing.exchange.status)
    ways = set(echoed(subject, thing.sent, thing.shown, schema)) | {thing.resource.key}
    shown = [leaves(body_of(one)) for one in seen]
    ways |= {way for one in shown for way in one if is_called(way[0], subject.conventions.created)}
    named = sorted(way for way in ways if all(way in one for one in shown))
    return [".".join(way) for way in named if _is_changing([one[way] for one in shown])]


def _is_changing(values: list[Any]) -> bool:
    """Say whether values differ. Numbers that go one way only, as seconds that are left, do not."""
    if all(is_same(one, values[0]) for one in values[1:]):
        return False
    is_counting = all(isinstance(one, int | float) for one in values)
    return not (is_counting and values in (sorted(values), sorted(values, reverse=True)))


def _validated(subject: Subject, operation: Operation, send: Send) -> Iterator[Fault]:
    """Ask again with the tag of what is there, and with another (RFC 9110 §13.1.2)."""
    request = subject.valid(operation)
    if request is None:
        raise Unsendable("there is no valid request")
    start = send(operation, request)
    tag = _tag(start)
    if not is_success(start) or not tag:
        raise Unsendable("there is no tag to ask with")
    same = send(operation, with_header(request, "If-None-Match", tag))
    other = send(operation, with_header(request, "If-None-Match", OTHER_VERSION))
    if is_success(same) and _opaque(_tag(same)) == _opaque(tag):
        message = f"If-None-Match: {tag} gets {same.status} with that very tag"
        yield _fault(
            operation, "what has not changed is sent again", message, start, same, status=NOT_MODIFIED
        )
    if other.status == NOT_MODIFIED:
        message = f"If-None-Match: {OTHER_VERSION} gets 304, and the tag is {tag}"
        yield _fault(operation, "another version is called unchanged", message, start, other)


def _tag(exchange: Exchange) -> str:
    return (exchange.answer.header("etag") if exchange.answer is not None else None) or ""


def _opaque(tag: str) -> str:
    """Return a tag for weak comparison (RFC 9110 §8.8.3.2)."""
    return tag.removeprefix("W/")


def sees(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[Fault]:
    """Yield a fault for each operation with two different JSON values under one strong tag of one address."""
    first: dict[tuple[str, ...], Exchange] = {}
    told: set[str] = set()
    for exchange in exchanges:
        operation, tag = subject.operation(exchange.operation), _tag(exchange)
        is_strong = tag.startswith('"') and exchange.status == 200 and exchange.request.method == "GET"
        if not is_strong or operation is None or exchange.operation in told or body_of(exchange) is None:
            continue
        said = sorted(f"{name.lower()}: {value}" for name, value in exchange.request.headers)
        before = first.setdefault((exchange.request.url, tag, *said), exchange)
        if _canonical(before) != _canonical(exchange):
            told.add(exchange.operation)
            message = f"ETag {tag} stands for two different bodies (RFC 9110 §8.8.1)"
            yield _fault(operation, "one tag for two versions", message, before, exchange)


def _canonical(exchange: Exchange) -> str:
    return json.dumps(body_of(exchange), sort_keys=True)


def _fault(
    operation: Operation, title: str, message: str, *evidence: Exchange, status: int | None = None
) -> Fault:
    response = response_for(operation, status) if status is not None else None
    return Fault(
        title=title,
        message=message,
        operation=label(operation),
        promise=response.location if response is not None else promise_of(operation, evidence[-1]),
        evidence=evidence,
    )


FAMILY = Family(
    name="repeat-reads",
    summary="reading changes nothing",
    words=Words(
        promise="A thing that nobody changes is read as the same, time after time. An `ETag` stands for one "
        "version, and `If-None-Match` with it gets 304 where that is documented.",
        test="Things that the run made are read six times, with readings of their list in between: they must "
        "be there each time, and what the client said of them must stay. Operations that document 304 are "
        "asked with the tag they gave, and with another.",
        remedy="Let no reading write, answer from copies that have caught up, and make the tag from what is "
        "sent.",
        sources=("RFC 9110 §9.2.1", "RFC 9110 §8.8.1", "RFC 9110 §13.1.2"),
    ),
    probes=probes,
    sees=sees,
    about_state=True,
)
