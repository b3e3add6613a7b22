"""Resources that a run created, and values for parameters of paths that lead to them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, TypeVar
from urllib.parse import quote, unquote, urlsplit

from devportal.conformance.conventions import matches_any_name
from devportal.conformance.deployment.exchange import Exchange, Request, parse_json_or_none
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send, send_or_none
from devportal.conformance.knowledge.request_variants import (
    request_json,
    request_variants,
    with_header,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources import Resource
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.test_target import Subject
from devportal.contract import Location, Operation, ParameterLocation
from devportal.contract.validate.json_schema import Direction

NOT_FOUND_STATUSES = (404, 410)


def with_existing_values(subject: Subject, send: Send) -> Subject:
    """Return the subject with values for things that are there. What cannot be found stays as it was."""
    for resource in subject.resources:
        if not _exists(subject, resource, send):
            found_id = _id_from_list(subject, resource, send) or _id_from_creation(subject, resource, send)
            if found_id is not None:
                subject = subject.with_values({resource.path: found_id})
    return subject


def member_at(document: Any, path: Sequence[str]) -> Any:
    """Return the member that a path leads to, None where it leads nowhere."""
    for step in path:
        if not isinstance(document, Mapping):
            return None
        document = document.get(step)
    return document


def response_json(exchange: Exchange) -> Any:
    """Return the JSON value of an answer's body, None where there is none."""
    return parse_json_or_none(exchange.answer.body) if exchange.answer is not None else None


def resource_url(subject: Subject, resource: Resource, resource_id: str) -> str:
    """Return where a thing is, its last parameter replaced; those before it are filled as for any request."""
    request = subject.bare(resource.read) if resource.read is not None else None
    collection = request.url.partition("?")[0].rpartition("/")[0] if request is not None else ""
    return f"{collection}/{quote(resource_id, safe='')}"


def _exists(subject: Subject, resource: Resource, send: Send) -> bool:
    """Say whether the thing of the usual request is there, or whether that cannot be asked."""
    if resource.read is None or not resource.key:
        return True
    exchange = _send_valid_request(subject, resource.read, send)
    return exchange is None or exchange.status not in NOT_FOUND_STATUSES


def _id_from_list(subject: Subject, resource: Resource, send: Send) -> str | None:
    if resource.listing is None:
        return None
    exchange = _send_valid_request(subject, resource.listing.operation, send)
    items = member_at(response_json(exchange), resource.listing.items) if exchange is not None else None
    return _first_id(member_at(one, resource.key) for one in items) if isinstance(items, list) else None


def _id_from_creation(subject: Subject, resource: Resource, send: Send) -> str | None:
    if resource.create is None:
        return None
    exchange = _send_valid_request(subject, resource.create, send)
    if exchange is None or exchange.answer is None or not exchange.answer.is_success:
        return None
    return _first_id([member_at(response_json(exchange), resource.key)])


def _first_id(values: Iterable[Any]) -> str | None:
    """Return the first value that can name a thing."""
    texts = (
        str(one) for one in values if isinstance(one, str | int) and not isinstance(one, bool) and one != ""
    )
    return next(texts, None)


def _send_valid_request(subject: Subject, operation: Operation, send: Send) -> Exchange | None:
    return send_or_none(send, operation, subject.valid(operation))


Observed = TypeVar("Observed")
REFUSED_STATUSES = (400, 409, 422)
"""What a server answers that holds a thing like this one already, or has a rule against it."""
GONE_STATUSES = (404, 410)
ACCEPTED = 202
"""What is to be done later need not be done (RFC 9110 §15.3.3)."""
IF_MATCH = "If-Match"
MOST_VARIANTS = 4
PAUSES_S = (0.2, 0.4, 0.8, 1.6)
"""How long a deployment may take to show what it has accepted: its parts need not agree at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedResource:
    """A thing that a probe made: what was sent, the exchange that made it, what names it."""

    resource: Resource
    id: str
    sent_json: Any
    exchange: Exchange

    @property
    def is_id_certain(self) -> bool:
        """Say whether contract or answer say what names it; else it is a guess that many APIs keep."""
        return self.resource.is_key_sure or _id_in_location(self.exchange) == self.id

    @property
    def representation(self) -> Any:
        """What the answer to its making shows of it."""
        return response_json(self.exchange)


def create_resource(
    subject: Subject, resource: Resource, send: Send, *, other: bool = False
) -> CreatedResource:
    """Make a thing, from the usual request, or from `other` data.

    Raises Unsendable where none can be made: then a probe has nothing to look at.
    """
    create = resource.create
    request = request_for(subject, create) if create is not None else None
    if create is None or request is None:
        raise Unsendable("there is no way to make one")
    variants = islice(request_variants(subject, create, request), MOST_VARIANTS)
    for candidate in variants if other else chain((request,), variants):
        exchange = send(create, with_new_idempotency_key(subject, create, candidate))
        if exchange.answer is not None and exchange.answer.is_success:
            return _created_resource(subject, resource, candidate, exchange)
        if exchange.status not in REFUSED_STATUSES:
            break
    raise Unsendable("it was refused")


def request_for(subject: Subject, operation: Operation) -> Request | None:
    """Return a valid request whose body names things that are there, as far as they are known."""
    request = subject.valid(operation)
    body = request_json(request) if request is not None else None
    if request is None or not isinstance(body, dict):
        return request
    known_values = {
        name: subject.values[one.path]
        for one in subject.resources
        if one.path in subject.values
        for name in body
        if isinstance(body[name], str) and matches_any_name(name, (one.parameter,))
    }
    return replace(request, body=_json_bytes({**body, **known_values})) if known_values else request


def with_resource_id(subject: Subject, resource: Resource, resource_id: str) -> Subject:
    """Return the subject whose requests are about the thing that a value names."""
    others = {name: given for name, given in subject.values.items() if name != resource.parameter}
    return replace(subject, values={**others, resource.path: resource_id})


def read_resource(subject: Subject, resource: Resource, resource_id: str, send: Send) -> Exchange:
    """Read the thing that a value names. Raises Unsendable where that cannot be asked."""
    request = (
        with_resource_id(subject, resource, resource_id).valid(resource.read)
        if resource.read is not None
        else None
    )
    if request is None:
        raise Unsendable("there is no way to read it")
    return send(resource.read, request)


def poll_until(observe: Callable[[], Observed], send: Send, is_done: Callable[[Observed], bool]) -> Observed:
    """Ask until what is seen is good, or for as long as a deployment may take; return what is seen last."""
    observed = observe()
    for pause_s in PAUSES_S:
        if is_done(observed):
            break
        send.wait(pause_s)
        observed = observe()
    return observed


def with_if_match(operation: Operation, request: Request, exchange: Exchange) -> Request:
    """Return the request with the tag of what was seen, where an operation takes one (RFC 9110 §13.1.1)."""
    tag = exchange.answer.header("etag") if exchange.answer is not None else None
    takes_if_match = any(
        one.location_in is ParameterLocation.HEADER and one.name.lower() == IF_MATCH.lower()
        for one in operation.parameters
    )
    return with_header(request, IF_MATCH, tag) if takes_if_match and tag is not None else request


def is_success(exchange: Exchange) -> bool:
    """Say whether an exchange was answered with 2xx."""
    return exchange.answer is not None and exchange.answer.is_success


def is_from_cache(exchange: Exchange) -> bool:
    """Say whether a cache gave an answer (RFC 9111 §5.1): it need not know yet what has happened."""
    return exchange.answer is not None and exchange.answer.header("age") is not None


def response_location(operation: Operation, exchange: Exchange) -> Location:
    """Return where the contract describes an answer: by its status, or else all of them."""
    response = documented_response(operation, exchange.status)
    return response.location if response is not None else operation.location.child("responses")


def is_allowed_id(subject: Subject, resource: Resource, resource_id: str) -> bool:
    """Say whether the contract allows a value for the last parameter of a resource's path."""
    operation = resource.read or resource.delete
    parameters = operation.parameters if operation is not None else ()
    schema = next((one.schema for one in parameters if one.name == resource.parameter), None)
    if schema is None:
        return True
    readings: tuple[Any, ...] = (
        (resource_id, int(resource_id)) if resource_id.isascii() and resource_id.isdigit() else (resource_id,)
    )
    return any(subject.validator.is_valid(schema, one, Direction.REQUEST) for one in readings)


def created_id(resource: Resource, exchange: Exchange) -> str:
    """Return what the answer to a making says that names the thing, empty where it says nothing."""
    member = member_at(response_json(exchange), resource.key) if resource.key else None
    is_id = isinstance(member, str | int) and not isinstance(member, bool) and member != ""
    return str(member) if is_id else _id_in_location(exchange)


def _created_resource(
    subject: Subject, resource: Resource, request: Request, exchange: Exchange
) -> CreatedResource:
    if exchange.status == ACCEPTED and _points_to_other_resource(subject, resource, exchange):
        raise Unsendable("what was accepted is to be watched at a thing of another kind")
    found_id = created_id(resource, exchange)
    if not found_id or not is_allowed_id(subject, resource, found_id):
        raise Unsendable("nothing in the answer is known to name what was made")
    return CreatedResource(resource=resource, id=found_id, sent_json=request_json(request), exchange=exchange)


def _points_to_other_resource(subject: Subject, resource: Resource, exchange: Exchange) -> bool:
    """Say whether `Location` is the address of another kind of thing, such as of the task that will make what
    was asked for (RFC 9110 §15.3.3: a status monitor).
    """
    paths = {
        one.path
        for one in subject.api.operations
        if _matches_path_template(one.path, _location_path(exchange))
    }
    return bool(paths) and resource.path not in paths


def _matches_path_template(path: str, address: str) -> bool:
    """Say whether an address is of a path of the contract, below whatever base."""
    template_segments, segments = path.strip("/").split("/"), address.split("/")
    return len(segments) > len(template_segments) and all(
        step == one or (one != "" and step.startswith("{"))
        for step, one in zip(reversed(template_segments), reversed(segments), strict=False)
    )


def _id_in_location(exchange: Exchange) -> str:
    return unquote(_location_path(exchange).rpartition("/")[2])


def _location_path(exchange: Exchange) -> str:
    location = exchange.answer.header("location") if exchange.answer is not None else None
    return urlsplit(location or "").path.rstrip("/")


def _json_bytes(value: Any) -> bytes:
    return json.dumps(value).encode()
