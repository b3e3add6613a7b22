"""Things that probes make for themselves: made, read, looked for until they are there."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Send
from devportal.conformance.line import Unsendable
from devportal.conformance.resources import Resource
from devportal.conformance.response_check import response_for
from devportal.conformance.stocking import body_of, member_at
from devportal.conformance.subject import Subject
from devportal.conformance.variation import fresh, sent_value, variants, with_header
from devportal.contract import In, Location, Operation
from devportal.contract.json_schema import Direction

Seen = TypeVar("Seen")
REFUSED = (400, 409, 422)
"""What a server answers that holds a thing like this one already, or has a rule against it."""
GONE = (404, 410)
ACCEPTED = 202
"""What is to be done later need not be done (RFC 9110 §15.3.3)."""
IF_MATCH = "If-Match"
VARIANTS = 4
PAUSES_S = (0.2, 0.4, 0.8, 1.6)
"""How long a deployment may take to show what it has accepted: its parts need not agree at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A thing that a probe made: what was sent, the exchange that made it, what names it."""

    resource: Resource
    value: str
    sent: Any
    exchange: Exchange

    @property
    def is_surely_named(self) -> bool:
        """Say whether contract or answer say what names it; else it is a guess that many APIs keep."""
        return self.resource.is_key_sure or _located(self.exchange) == self.value

    @property
    def shown(self) -> Any:
        """What the answer to its making shows of it."""
        return body_of(self.exchange)


def make(subject: Subject, resource: Resource, send: Send, *, other: bool = False) -> Thing:
    """Make a thing, from the usual request, or from `other` data.

    Raises Unsendable where none can be made: then a probe has nothing to look at.
    """
    create = resource.create
    request = request_for(subject, create) if create is not None else None
    if create is None or request is None:
        raise Unsendable("there is no way to make one")
    changed = islice(variants(subject, create, request), VARIANTS)
    for one in changed if other else chain((request,), changed):
        exchange = send(create, fresh(subject, create, one))
        if exchange.answer is not None and exchange.answer.is_success:
            return _thing(subject, resource, one, exchange)
        if exchange.status not in REFUSED:
            break
    raise Unsendable("it was refused")


def request_for(subject: Subject, operation: Operation) -> Request | None:
    """Return a valid request whose body names things that are there, as far as they are known."""
    request = subject.valid(operation)
    body = sent_value(request) if request is not None else None
    if request is None or not isinstance(body, dict):
        return request
    known = {
        name: subject.values[one.path]
        for one in subject.resources
        if one.path in subject.values
        for name in body
        if isinstance(body[name], str) and is_called(name, (one.parameter,))
    }
    return replace(request, body=_dumped({**body, **known})) if known else request


def about(subject: Subject, resource: Resource, value: str) -> Subject:
    """Return the subject whose requests are about the thing that a value names."""
    others = {name: given for name, given in subject.values.items() if name != resource.parameter}
    return replace(subject, values={**others, resource.path: value})


def read(subject: Subject, resource: Resource, value: str, send: Send) -> Exchange:
    """Read the thing that a value names. Raises Unsendable where that cannot be asked."""
    request = about(subject, resource, value).valid(resource.read) if resource.read is not None else None
    if request is None:
        raise Unsendable("there is no way to read it")
    return send(resource.read, request)


def patiently(ask: Callable[[], Seen], send: Send, is_good: Callable[[Seen], bool]) -> Seen:
    """Ask until what is seen is good, or for as long as a deployment may take; return what is seen last."""
    seen = ask()
    for pause_s in PAUSES_S:
        if is_good(seen):
            break
        send.wait(pause_s)
        seen = ask()
    return seen


def if_unchanged(operation: Operation, request: Request, seen: Exchange) -> Request:
    """Return the request with the tag of what was seen, where an operation takes one (RFC 9110 §13.1.1)."""
    tag = seen.answer.header("etag") if seen.answer is not None else None
    takes = any(
        one.location_in is In.HEADER and one.name.lower() == IF_MATCH.lower() for one in operation.parameters
    )
    return with_header(request, IF_MATCH, tag) if takes and tag is not None else request


def is_success(exchange: Exchange) -> bool:
    """Say whether an exchange was answered with 2xx."""
    return exchange.answer is not None and exchange.answer.is_success


def is_stored(exchange: Exchange) -> bool:
    """Say whether a cache gave an answer (RFC 9111 §5.1): it need not know yet what has happened."""
    return exchange.answer is not None and exchange.answer.header("age") is not None


def promise_of(operation: Operation, exchange: Exchange) -> Location:
    """Return where the contract describes an answer: by its status, or else all of them."""
    response = response_for(operation, exchange.status)
    return response.location if response is not None else operation.location.child("responses")


def names(subject: Subject, resource: Resource, value: str) -> bool:
    """Say whether the contract allows a value for the last parameter of a resource's path."""
    operation = resource.read or resource.delete
    parameters = operation.parameters if operation is not None else ()
    schema = next((one.schema for one in parameters if one.name == resource.parameter), None)
    if schema is None:
        return True
    readings: tuple[Any, ...] = (value, int(value)) if value.isascii() and value.isdigit() else (value,)
    return any(subject.validator.is_valid(schema, one, Direction.REQUEST) for one in readings)


def name_in(resource: Resource, exchange: Exchange) -> str:
    """Return what the answer to a making says that names the thing, empty where it says nothing."""
    found = member_at(body_of(exchange), resource.key) if resource.key else None
    is_name = isinstance(found, str | int) and not isinstance(found, bool) and found != ""
    return str(found) if is_name else _located(exchange)


def _thing(subject: Subject, resource: Resource, request: Request, exchange: Exchange) -> Thing:
    if exchange.status == ACCEPTED and _leads_elsewhere(subject, resource, exchange):
        raise Unsendable("what was accepted is to be watched at a thing of another kind")
    value = name_in(resource, exchange)
    if not value or not names(subject, resource, value):
        raise Unsendable("nothing in the answer is known to name what was made")
    return Thing(resource=resource, value=value, sent=sent_value(request), exchange=exchange)


def _leads_elsewhere(subject: Subject, resource: Resource, exchange: Exchange) -> bool:
    """Say whether `Location` is the address of another kind of thing, such as of the task that will make what
    was asked for (RFC 9110 §15.3.3: a status monitor).
    """
    paths = {one.path for one in subject.api.operations if _is_address(one.path, _address(exchange))}
    return bool(paths) and resource.path not in paths


def _is_address(path: str, address: str) -> bool:
    """Say whether an address is of a path of the contract, below whatever base."""
    steps, given = path.strip("/").split("/"), address.split("/")
    return len(given) > len(steps) and all(
        step == one or (one != "" and step.startswith("{"))
        for step, one in zip(reversed(steps), reversed(given), strict=False)
    )


def _located(exchange: Exchange) -> str:
    return unquote(_address(exchange).rpartition("/")[2])


def _address(exchange: Exchange) -> str:
    location = exchange.answer.header("location") if exchange.answer is not None else None
    return urlsplit(location or "").path.rstrip("/")


def _dumped(value: Any) -> bytes:
    return json.dumps(value).encode()
