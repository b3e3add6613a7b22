"""What is read of a thing is what was made: by its identifier, at its address, in its list."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from urllib.parse import urljoin, urlsplit

from devportal.conformance.conventions import matches_any_name
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.truncated_texts import truncated_texts
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.created_resources import (
    GONE_STATUSES,
    CreatedResource,
    create_resource,
    is_success,
    member_at,
    poll_until,
    read_resource,
    response_json,
    response_location,
)
from devportal.conformance.knowledge.representation_match import (
    changed_members,
    echoed_members,
    is_masked,
    leaf_members,
    response_schema,
    stable_members,
    state_members,
)
from devportal.conformance.knowledge.resources import Resource
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.test_target import Subject, operation_label

CREATED_STATUS = 201
TICK_S = 1.1
"""What has another value after so long goes with time, such as seconds that are left."""
FREE_CHARACTERS = 8
"""How many characters of an identifier must be free for one at random to be nobody's."""
UNKNOWN_IDS = 2


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield what is asked of each kind of thing."""
    for resource in subject.resources:
        if resource.create is not None and resource.read is not None:
            name = operation_label(resource.create)
            yield Probe(operation=name, run=partial(_check_read_back, subject, resource))
            yield Probe(operation=name, run=partial(_check_location, subject, resource))


def _check_read_back(subject: Subject, resource: Resource, send: Send) -> Iterator[CheckFailure]:
    """Make a thing and read it, make another, and read both: the second must not stand in the way of the
    first, though it may move what a server counts.
    """
    thing = create_resource(subject, resource, send)
    yield from _read_failures(subject, thing, send)
    with suppress(Unsendable):
        second = create_resource(subject, resource, send, other=True)
        yield from _read_failures(subject, second, send)
        yield from _read_failures(subject, thing, send, is_fresh=False)
        yield from _check_truncated_texts(subject, thing, second, send)


def _check_truncated_texts(
    subject: Subject, thing: CreatedResource, second: CreatedResource, send: Send
) -> Iterator[CheckFailure]:
    exchange, other = (read_resource(subject, one.resource, one.value, send) for one in (thing, second))
    if is_success(exchange) and is_success(other):
        for name in truncated_texts(subject, (thing, exchange), (second, other)):
            message = f"two texts that differ are read as one, which is the beginning of both, in: {name}"
            yield _failure(second, "a text is read without its end", message, other)


def _read_failures(
    subject: Subject, thing: CreatedResource, send: Send, *, is_fresh: bool = True
) -> Iterator[CheckFailure]:
    look = partial(read_resource, subject, thing.resource, thing.value, send)
    exchange = poll_until(look, send, lambda one: one.status not in GONE_STATUSES)
    if exchange.status in GONE_STATUSES and thing.is_surely_named and _must_exist(thing):
        yield _failure(
            thing,
            "what was created cannot be read",
            f"{thing.value!r} was made, and reading it gets {exchange.status}",
            exchange,
        )
    if not is_success(exchange) or not isinstance(response_json(exchange), dict):
        return
    shown = response_json(exchange)
    found = member_at(shown, thing.resource.key) if thing.resource.key else None
    if thing.is_surely_named and isinstance(found, str | int) and not _is_same_id(found, thing.value):
        message = f"{thing.value!r} was asked for, and {found!r} came"
        yield _failure(thing, "a thing is read under another identifier", message, exchange)
        return
    wrong = differing_members(subject, thing, exchange, is_fresh=is_fresh)
    if wrong:
        send.wait(TICK_S)
        moving = set(
            changed_members(
                leaf_members(shown), leaf_members(response_json(look())), iter(leaf_members(shown))
            )
        )
        wrong = [one for one in wrong if one not in moving]
    if wrong:
        message = f"another value in: {', '.join(wrong)}"
        yield _failure(thing, "what is read differs from what was created", message, exchange)


def differing_members(
    subject: Subject, thing: CreatedResource, exchange: Exchange, *, is_fresh: bool
) -> list[str]:
    """Return which members of a thing are read with another value than its making showed, of those that
    only a client changes, and of all while nothing has happened to it since it is `fresh`.
    """
    before, after = thing.representation, response_json(exchange)
    made = response_schema(thing.resource.create, thing.exchange.status)
    shown = response_schema(thing.resource.read, exchange.status)
    first, second = leaf_members(before), leaf_members(after)
    ways = [*echoed_members(subject, thing.sent, before, made)]
    ways += [way for way in first if len(way) == 1 and matches_any_name(way[0], subject.conventions.created)]
    if is_fresh and not _has_begun(subject, thing, exchange):
        ways += [
            way
            for way in stable_members(subject, made, shown)
            if None not in (first.get(way), second.get(way))
        ]
    told = (way for way in dict.fromkeys(ways) if not is_masked(second.get(way)))
    return changed_members(first, second, told)


def _has_begun(subject: Subject, thing: CreatedResource, exchange: Exchange) -> bool:
    """Say whether something may have happened to a thing since it was made: another state, or none to tell
    by where it was only accepted (RFC 9110 §15.3.3).
    """
    schema = response_schema(thing.resource.read, exchange.status)
    states = {one.name for one in state_members(subject, schema)}
    before, after = leaf_members(thing.representation), leaf_members(response_json(exchange))
    told = [way for way in after if way[0] in states or matches_any_name(way[-1], subject.conventions.state)]
    if not told:
        return thing.exchange.status != CREATED_STATUS
    return any(before.get(way) != after[way] for way in told)


def _must_exist(thing: CreatedResource) -> bool:
    """Say whether a thing has to be there: 201 says so, and an address in what only accepts."""
    if thing.exchange.status == CREATED_STATUS:
        return True
    response = (
        documented_response(thing.resource.create, thing.exchange.status)
        if thing.resource.create is not None
        else None
    )
    return response is not None and bool(response.links or _location_header(thing))


def _check_location(subject: Subject, resource: Resource, send: Send) -> Iterator[CheckFailure]:
    """Follow `Location` (RFC 9110 §10.2.2)."""
    thing = create_resource(subject, resource, send)
    address = urljoin(thing.exchange.request.url, _location_header(thing))
    here, there = urlsplit(subject.base_url), urlsplit(address)
    if not _location_header(thing) or (here.scheme, here.netloc) != (there.scheme, there.netloc):
        raise Unsendable("there is no address to follow, or it is that of another server")
    if thing.exchange.status != CREATED_STATUS and not _documents_location(thing):
        raise Unsendable("what the address means is not said")
    request = Request(method="GET", url=address)
    if resource.read is not None:
        request = subject.authorised(resource.read, request)
    exchange = poll_until(
        lambda: send(resource.read, request), send, lambda one: one.status not in GONE_STATUSES
    )
    if exchange.status in GONE_STATUSES and is_success(read_resource(subject, resource, thing.value, send)):
        message = f"Location is {_location_header(thing)!r}, and reading it gets {exchange.status}"
        yield _failure(thing, "Location does not lead to what was created", message, exchange)
    found = (
        member_at(response_json(exchange), resource.key) if resource.key and is_success(exchange) else None
    )
    if isinstance(found, str | int) and thing.resource.is_key_sure and not _is_same_id(found, thing.value):
        message = f"Location is {_location_header(thing)!r} and leads to {found!r}; {thing.value!r} was made"
        yield _failure(thing, "Location leads to another thing", message, exchange)


def _location_header(thing: CreatedResource) -> str:
    return (thing.exchange.answer.header("location") if thing.exchange.answer is not None else None) or ""


def _documents_location(thing: CreatedResource) -> bool:
    create = thing.resource.create
    response = documented_response(create, thing.exchange.status) if create is not None else None
    return response is not None and any(one.name.lower() == "location" for one in response.headers)


def _is_same_id(found: str | int, value: str) -> bool:
    return str(found).casefold() == value.casefold()


def _failure(thing: CreatedResource, title: str, message: str, exchange: Exchange) -> CheckFailure:
    operation = thing.resource.read or thing.resource.create
    create = thing.resource.create
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(create) if create is not None else exchange.operation,
        promise=response_location(operation, exchange) if operation is not None else None,
        evidence=(thing.exchange, exchange),
    )


FAMILY = Family(
    name="created-things",
    summary="what was created can be read as it is",
    words=CheckDescription(
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
