"""What is read of a thing is what was made: by its identifier, at its address, in its list."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from urllib.parse import urljoin, urlsplit

from devportal.conformance.agreement import (
    answer_schema,
    different,
    echoed,
    is_covered,
    leaves,
    settled,
    state_members,
)
from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.families.cut_texts import cut_texts
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.resources import Resource
from devportal.conformance.response_check import response_for
from devportal.conformance.stocking import body_of, member_at
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import (
    GONE,
    Thing,
    is_success,
    make,
    patiently,
    promise_of,
    read,
)

CREATED = 201
TICK_S = 1.1
"""What has another value after so long goes with time, such as seconds that are left."""
FREE_CHARACTERS = 8
"""How many characters of an identifier must be free for one at random to be nobody's."""
UNKNOWN = 2


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield what is asked of each kind of thing."""
    for resource in subject.resources:
        if resource.create is not None and resource.read is not None:
            name = label(resource.create)
            yield Probe(operation=name, run=partial(_read_back, subject, resource))
            yield Probe(operation=name, run=partial(_located, subject, resource))


def _read_back(subject: Subject, resource: Resource, send: Send) -> Iterator[Fault]:
    """Make a thing and read it, make another, and read both: the second must not stand in the way of the
    first, though it may move what a server counts.
    """
    thing = make(subject, resource, send)
    yield from _disagreements(subject, thing, send)
    with suppress(Unsendable):
        second = make(subject, resource, send, other=True)
        yield from _disagreements(subject, second, send)
        yield from _disagreements(subject, thing, send, is_fresh=False)
        yield from _cut(subject, thing, second, send)


def _cut(subject: Subject, thing: Thing, second: Thing, send: Send) -> Iterator[Fault]:
    exchange, other = (read(subject, one.resource, one.value, send) for one in (thing, second))
    if is_success(exchange) and is_success(other):
        for name in cut_texts(subject, (thing, exchange), (second, other)):
            message = f"two texts that differ are read as one, which is the beginning of both, in: {name}"
            yield _fault(second, "a text is read without its end", message, other)


def _disagreements(subject: Subject, thing: Thing, send: Send, *, is_fresh: bool = True) -> Iterator[Fault]:
    look = partial(read, subject, thing.resource, thing.value, send)
    exchange = patiently(look, send, lambda one: one.status not in GONE)
    if exchange.status in GONE and thing.is_surely_named and _is_promised(thing):
        yield _fault(
            thing,
            "what was created cannot be read",
            f"{thing.value!r} was made, and reading it gets {exchange.status}",
            exchange,
        )
    if not is_success(exchange) or not isinstance(body_of(exchange), dict):
        return
    shown = body_of(exchange)
    found = member_at(shown, thing.resource.key) if thing.resource.key else None
    if thing.is_surely_named and isinstance(found, str | int) and not _is_named(found, thing.value):
        message = f"{thing.value!r} was asked for, and {found!r} came"
        yield _fault(thing, "a thing is read under another identifier", message, exchange)
        return
    wrong = differences(subject, thing, exchange, is_fresh=is_fresh)
    if wrong:
        send.wait(TICK_S)
        moving = set(different(leaves(shown), leaves(body_of(look())), iter(leaves(shown))))
        wrong = [one for one in wrong if one not in moving]
    if wrong:
        message = f"another value in: {', '.join(wrong)}"
        yield _fault(thing, "what is read differs from what was created", message, exchange)


def differences(subject: Subject, thing: Thing, exchange: Exchange, *, is_fresh: bool) -> list[str]:
    """Return which members of a thing are read with another value than its making showed, of those that
    only a client changes, and of all while nothing has happened to it since it is `fresh`.
    """
    before, after = thing.shown, body_of(exchange)
    made = answer_schema(thing.resource.create, thing.exchange.status)
    shown = answer_schema(thing.resource.read, exchange.status)
    first, second = leaves(before), leaves(after)
    ways = [*echoed(subject, thing.sent, before, made)]
    ways += [way for way in first if len(way) == 1 and is_called(way[0], subject.conventions.created)]
    if is_fresh and not _has_begun(subject, thing, exchange):
        ways += [
            way for way in settled(subject, made, shown) if None not in (first.get(way), second.get(way))
        ]
    told = (way for way in dict.fromkeys(ways) if not is_covered(second.get(way)))
    return different(first, second, told)


def _has_begun(subject: Subject, thing: Thing, exchange: Exchange) -> bool:
    """Say whether something may have happened to a thing since it was made: another state, or none to tell
    by where it was only accepted (RFC 9110 §15.3.3).
    """
    schema = answer_schema(thing.resource.read, exchange.status)
    states = {one.name for one in state_members(subject, schema)}
    before, after = leaves(thing.shown), leaves(body_of(exchange))
    told = [way for way in after if way[0] in states or is_called(way[-1], subject.conventions.state)]
    if not told:
        return thing.exchange.status != CREATED
    return any(before.get(way) != after[way] for way in told)


def _is_promised(thing: Thing) -> bool:
    """Say whether a thing has to be there: 201 says so, and an address in what only accepts."""
    if thing.exchange.status == CREATED:
        return True
    response = (
        response_for(thing.resource.create, thing.exchange.status)
        if thing.resource.create is not None
        else None
    )
    return response is not None and bool(response.links or _location(thing))


def _located(subject: Subject, resource: Resource, send: Send) -> Iterator[Fault]:
    """Follow `Location` (RFC 9110 §10.2.2)."""
    thing = make(subject, resource, send)
    address = urljoin(thing.exchange.request.url, _location(thing))
    here, there = urlsplit(subject.base_url), urlsplit(address)
    if not _location(thing) or (here.scheme, here.netloc) != (there.scheme, there.netloc):
        raise Unsendable("there is no address to follow, or it is that of another server")
    if thing.exchange.status != CREATED and not _documents_location(thing):
        raise Unsendable("what the address means is not said")
    request = Request(method="GET", url=address)
    if resource.read is not None:
        request = subject.authorised(resource.read, request)
    exchange = patiently(lambda: send(resource.read, request), send, lambda one: one.status not in GONE)
    if exchange.status in GONE and is_success(read(subject, resource, thing.value, send)):
        message = f"Location is {_location(thing)!r}, and reading it gets {exchange.status}"
        yield _fault(thing, "Location does not lead to what was created", message, exchange)
    found = member_at(body_of(exchange), resource.key) if resource.key and is_success(exchange) else None
    if isinstance(found, str | int) and thing.resource.is_key_sure and not _is_named(found, thing.value):
        message = f"Location is {_location(thing)!r} and leads to {found!r}; {thing.value!r} was made"
        yield _fault(thing, "Location leads to another thing", message, exchange)


def _location(thing: Thing) -> str:
    return (thing.exchange.answer.header("location") if thing.exchange.answer is not None else None) or ""


def _documents_location(thing: Thing) -> bool:
    create = thing.resource.create
    response = response_for(create, thing.exchange.status) if create is not None else None
    return response is not None and any(one.name.lower() == "location" for one in response.headers)


def _is_named(found: str | int, value: str) -> bool:
    return str(found).casefold() == value.casefold()


def _fault(thing: Thing, title: str, message: str, exchange: Exchange) -> Fault:
    operation = thing.resource.read or thing.resource.create
    create = thing.resource.create
    return Fault(
        title=title,
        message=message,
        operation=label(create) if create is not None else exchange.operation,
        promise=promise_of(operation, exchange) if operation is not None else None,
        evidence=(thing.exchange, exchange),
    )


FAMILY = Family(
    name="created-things",
    summary="what was created can be read as it is",
    words=Words(
        promise="What is answered to the creation of a thing is what is read of it, under its identifier and "
        "at its `Location`.",
        test="Of each kind of thing that can be made and read two are made and read again. Compared are "
        "identifiers, the time of creation, what the client sent and was shown, and the rest as long as the "
        "thing is in the state it was made in. Texts that were only accepted may be read in another form, "
        "but not without their end. A deployment has three seconds to show what it accepted.",
        remedy="Answer from what was stored, by the identifier that was asked for.",
        sources=("RFC 9110 §15.3.2", "RFC 9110 §10.2.2"),
    ),
    probes=probes,
    about_state=True,
)
