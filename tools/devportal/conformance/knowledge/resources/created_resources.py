"""Resources that a run creates and reads, and what identifies them in responses."""

import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from devportal.conformance.deployment.exchange import Exchange, Request, parse_json_or_none, resolve_address
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.json_api import with_attributes_as_members
from devportal.conformance.knowledge.requests.request_variants import (
    request_json,
    request_variants,
    varied_texts_request,
    with_header,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.requests.valid_request import IF_MATCH, is_if_match
from devportal.conformance.knowledge.resources.new_references import (
    CreateOne,
    requests_with_new_references,
)
from devportal.conformance.knowledge.resources.prepared_creations import prepared_requests
from devportal.conformance.knowledge.resources.versions import with_current_version
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject, with_resource_id
from devportal.contract import Operation
from devportal.contract.path_templates import path_pattern, value_at_end
from devportal.contract.resources import HAL_LINKS, RESOURCE_NAMES, Resource, id_in_resource_name
from devportal.contract.resources.procedures import identifier_schema
from devportal.contract.validate.json_schema import Direction
from devportal.documents import member_at

Observed = TypeVar("Observed")
REFUSED_STATUSES = (400, 409, 422)
"""The statuses of a server that already has such a resource, or has a rule against it."""
TAKEN_STATUSES = frozenset({409, 422})
"""The statuses of a server that has a resource already that allows no second one of this kind."""
GONE_STATUSES = (404, 410)
_OWN_LINK = (HAL_LINKS, "self", "href")
CREATED_ID = "an identifier in the response to the creation (`conventions.identifier` in the settings)"
"""What a test needs that compares created resources."""
CREATED = 201
ACCEPTED = 202
"""An accepted request need not succeed later (RFC 9110 §15.3.3)."""
OTHER_VERSION = '"none-of-this-contract"'
"""A tag that no version of a resource has."""
SETTLING_S = 2.0
"""How long the replicas of a deployment may differ."""
MOST_VARIANTS = 4
SHORT_ID = 5
"""The most characters of an identifier that may exist already although it is random."""
PAUSES_S = (0.2, 0.4, 0.8, 1.6)
"""How long a deployment may take to show an accepted change: its parts need not agree at once."""


def response_json(exchange: Exchange) -> Any:
    """Return the JSON value of a response's body, None if there is none."""
    return parse_json_or_none(exchange.answer.body) if exchange.answer is not None else None


def resource_json(resource: Resource, exchange: Exchange) -> Any:
    """Return the representation of a resource in a response, without its envelope; None if there is none."""
    return _without_envelope(resource, response_json(exchange))


def sent_representation(resource: Resource, request: Request) -> Any:
    """Return the representation of a resource in a request, without its envelope and without files; None if there is
    none.
    """
    body, files = request_json(request), request.form.files if request.form is not None else frozenset()
    members = {name: value for name, value in body.items() if name not in files} if files else body
    return _without_envelope(resource, members)


def _without_envelope(resource: Resource, body: Any) -> Any:
    has_envelope = bool(resource.envelope) and isinstance(body, dict) and resource.envelope in body
    return with_attributes_as_members(body[resource.envelope] if has_envelope else body)


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedResource:
    """A resource that a probe created: its identifier, the JSON that was sent, and the exchange that created
    it.
    """

    resource: Resource
    id: str
    sent_json: Any
    exchange: Exchange

    @property
    def is_id_certain(self) -> bool:
        """Return whether the contract or the response states the identifier; else it follows a common
        convention.
        """
        is_chosen = (
            self.resource.is_created_by_put
            and _id_in_address(self.resource, self.exchange.request) == self.id
        )
        return (
            is_chosen or self.resource.is_key_sure or _id_in_location(self.resource, self.exchange) == self.id
        )

    @property
    def sent_members(self) -> Mapping[str, Any]:
        """The members of the JSON object that was sent, none if it was not an object."""
        return self.sent_json if isinstance(self.sent_json, dict) else {}

    @property
    def representation(self) -> Any:
        """The representation in the response that created it."""
        return resource_json(self.resource, self.exchange)


def create_resource(
    subject: Subject,
    resource: Resource,
    send: Send,
    *,
    other: bool = False,
    request: Request | None = None,
    dependents: tuple[Resource, ...] = (),
) -> CreatedResource:
    """Create a resource from a request, by default a valid one, or from `other` data. One that the deployment accepts
    only once names new resources the next time; the new one is created for `dependents`, which are not created again.

    Raises Unsendable if none can be created: then a probe has nothing to test.
    """
    create = resource.create
    if request is None and create is not None:
        request = subject.valid(create)
    if create is None or request is None:
        raise Unsendable(NO_VALID_REQUEST)
    variants = chain(
        islice(request_variants(subject, create, request), MOST_VARIANTS),
        (varied_texts_request(subject, create, other_request) for other_request in (request, request)),
    )
    is_taken = False
    create_one = creator(subject, send, (*dependents, resource))

    def prepared_if_taken() -> Iterator[Request]:
        if is_taken:
            yield from prepared_requests(subject, resource, create, request, send, create_one)

    def renewed_if_taken() -> Iterator[Request]:
        if is_taken:
            yield from requests_with_new_references(subject, create, request, create_one)

    first = variants if other else (request,)
    for candidate in chain(first, prepared_if_taken(), variants, renewed_if_taken()):
        addressed = _at_unused_address(subject, resource, candidate, send)
        exchange = send(create, with_new_idempotency_key(subject, create, addressed))
        if exchange.is_success:
            return identify_created(subject, resource, addressed, exchange)
        if exchange.status not in REFUSED_STATUSES:
            break
        is_taken = is_taken or exchange.status in TAKEN_STATUSES
    raise Unsendable("a request to create the resource that the deployment accepts")


def renewed_requests(
    subject: Subject,
    create: Operation,
    request: Request,
    send: Send,
    dependents: tuple[Resource, ...] = (),
    *,
    only_usual: bool = True,
) -> Iterator[Request]:
    """Yield a creation with new resources in place of those that it names (`requests_with_new_references`). They are
    created when the request is asked for, but not those of the types of `dependents`, which need them.
    """
    create_one = creator(subject, send, dependents)
    yield from requests_with_new_references(subject, create, request, create_one, only_usual=only_usual)


def creator(subject: Subject, send: Send, dependents: tuple[Resource, ...]) -> CreateOne:
    """Return what creates the resources that a creation names, but not those of the types of `dependents`."""

    def create_one(named: Resource) -> str:
        if any(named is dependent for dependent in dependents):
            raise Unsendable("a resource that does not name one of the same type")
        return create_resource(subject, named, send, dependents=dependents).id

    return create_one


_AS_LETTERS = str.maketrans("0123456789", "ghijklmnop")
"""What makes letters of hexadecimal digits."""


def at_new_address(subject: Subject, resource: Resource, request: Request) -> Request:
    """Return the request with a new identifier in its address if the client chooses it, else the request.

    Raises Unsendable if the contract allows none that can be generated.
    """
    if not resource.is_created_by_put or resource.create is None:
        return request
    suffix, known = uuid.uuid4().hex, _id_in_address(resource, request)
    letters = suffix.translate(_AS_LETTERS)[:8]
    candidates = (
        *(f"{known}-{suffix[:8]}", f"{known}{suffix[:8]}", str(uuid.uuid4()), suffix, suffix[:8]),
        *(
            f"{known}-{letters}",
            letters,
            letters.upper(),
            letters[:4],
            letters[:4].upper(),
            letters[:3].upper(),
            letters[:2],
            letters[:2].upper(),
            f"{letters[:2]}-{letters[2:4].upper()}",
        ),
    )
    numbers = (str(int(suffix[:size], 16)) for size in (8, 5, 3))
    allowed = (
        candidate for candidate in (*candidates, *numbers) if is_allowed_id(subject, resource, candidate)
    )
    new_id = next(allowed, None)
    addressed = (
        with_resource_id(subject, resource, new_id).bare(resource.create) if new_id is not None else None
    )
    if addressed is None:
        raise Unsendable("a new identifier that its schema allows")
    return replace(request, url=addressed.url)


def _at_unused_address(subject: Subject, resource: Resource, request: Request, send: Send) -> Request:
    """Return the request at a new address, for a short identifier at one where nothing is: there are few of them.
    Raises Unsendable if none is found.
    """
    for _ in range(MOST_VARIANTS):
        addressed = at_new_address(subject, resource, request)
        new_id = _id_in_address(resource, addressed)
        is_short = resource.is_created_by_put and resource.read is not None and len(new_id) <= SHORT_ID
        if not is_short or not is_success(read_resource(subject, resource, new_id, send)):
            return addressed
    raise Unsendable("a new identifier of which nothing exists")


def _id_in_address(resource: Resource, request: Request) -> str:
    return unquote(value_at_end(resource.path, urlsplit(request.url).path))


def read_resource(subject: Subject, resource: Resource, resource_id: str, send: Send) -> Exchange:
    """Read the resource with an identifier. Raises Unsendable if that cannot be requested."""
    request = (
        with_resource_id(subject, resource, resource_id).valid(resource.read)
        if resource.read is not None
        else None
    )
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    return send(resource.read, request)


def poll_until(observe: Callable[[], Observed], send: Send, is_done: Callable[[Observed], bool]) -> Observed:
    """Repeat an observation until it is as wanted, or for as long as a deployment may take; return the last
    one.
    """
    observed = observe()
    for pause_s in PAUSES_S:
        if is_done(observed):
            break
        send.wait(pause_s)
        observed = observe()
    return observed


def read_created(subject: Subject, created: CreatedResource, send: Send) -> Exchange:
    """Read a new resource, until that succeeds or for as long as a deployment may take; return the last
    exchange. Raises Unsendable if it cannot be requested.
    """
    return poll_until(partial(read_resource, subject, created.resource, created.id, send), send, is_success)


def with_if_match(operation: Operation, request: Request, exchange: Exchange) -> Request:
    """Return the request with `If-Match` and the tag of an exchange if the operation takes one (RFC 9110
    §13.1.1), and with the version that it shows if the body has one.
    """
    request = with_current_version(operation, request, response_json(exchange))
    tag = exchange.answer.header("etag") if exchange.answer is not None else None
    return with_header(request, IF_MATCH, tag) if takes_if_match(operation) and tag is not None else request


def takes_if_match(operation: Operation) -> bool:
    """Return whether an operation has the header `If-Match`."""
    return any(map(is_if_match, operation.parameters))


def is_success(exchange: Exchange) -> bool:
    """Return whether the response of an exchange is 2xx."""
    return exchange.is_success


def differing_tags(
    operation: Operation, resource: Resource, written: Exchange, read: Exchange
) -> tuple[str, str] | None:
    """Return the tags of the response to a creation or a change and of a reading of the same representation if they
    differ: that of the response is current (RFC 9110 §15.3.2). None if they do not, or one has none.

    A framework may make tags of bodies that have the members in another order: they count if the operation documents
    them. On the way, a tag may become a weak one.
    """
    shown, answers = shown_members(resource, read), [written.answer, read.answer]
    tags = [answer.header("etag") for answer in answers if answer is not None]
    bodies = {answer.body for answer in answers if answer is not None}
    if not shown or shown_members(resource, written) != shown or len(tags) != 2:
        return None
    if len(bodies) > 1 and not _documents_tag(operation, written.status):
        return None
    first, second = tags
    if not first or not second or first.removeprefix("W/") == second.removeprefix("W/"):
        return None
    return first, second


def _documents_tag(operation: Operation, status: int) -> bool:
    response = documented_response(operation, status)
    return response is not None and any(header.name.lower() == "etag" for header in response.headers)


def is_from_cache(exchange: Exchange) -> bool:
    """Return whether a response came from a cache (RFC 9111 §5.1): it may not reflect a recent change."""
    return exchange.answer is not None and exchange.answer.header("age") is not None


def shown_members(resource: Resource, exchange: Exchange) -> Mapping[str, Any]:
    """Return the members of a resource that a success shows; none for any other response."""
    shown = resource_json(resource, exchange)
    return shown if is_success(exchange) and isinstance(shown, dict) else {}


def is_allowed_id(subject: Subject, resource: Resource, resource_id: str) -> bool:
    """Return whether the contract allows a value for the last parameter of a resource's path."""
    schema = identifier_schema(subject.api, resource)
    if schema is None:
        return True
    readings: tuple[Any, ...] = (
        (resource_id, int(resource_id)) if resource_id.isascii() and resource_id.isdigit() else (resource_id,)
    )
    return any(subject.validator.is_valid(schema, reading, Direction.REQUEST) for reading in readings)


def created_id(resource: Resource, exchange: Exchange) -> str:
    """Return the identifier in the response to a creation, empty if it has none."""
    return (
        representation_id(resource, resource_json(resource, exchange))
        or _id_in_location(resource, exchange)
        or (_id_in_address(resource, exchange.request) if resource.is_created_by_put else "")
    )


def representation_id(resource: Resource, representation: Any) -> str:
    """Return the identifier in the representation of a resource, empty if it has none. A name such as `events/42`
    holds the identifier of the address (AIP-122), whatever other identifiers there are. Without a member for it, the
    link to the resource itself has it (draft-kelly-json-hal-11 §5).
    """
    member = member_at(representation, resource.key) if resource.key else None
    names = [member_at(representation, (name,)) for name in RESOURCE_NAMES]
    found = next(filter(None, (id_in_resource_name(resource.path, name) for name in (member, *names))), "")
    is_id = isinstance(member, str | int) and not isinstance(member, bool)
    return found or (str(member) if is_id else "") or _id_in_own_link(resource, representation)


def _id_in_own_link(resource: Resource, representation: Any) -> str:
    link = member_at(representation, _OWN_LINK) if not resource.key else None
    address = re.split(r"[?{#]", link)[0] if isinstance(link, str) else ""  # a link may be a template
    return unquote(id_in_resource_name(resource.path, address))


def is_among(created: CreatedResource, items: Iterable[Any]) -> bool:
    """Return whether a list shows a created resource."""
    return any(representation_id(created.resource, item) == created.id for item in items)


def identify_created(
    subject: Subject, resource: Resource, request: Request, exchange: Exchange
) -> CreatedResource:
    """Return the resource that an accepted request created. Raises Unsendable if it cannot be identified."""
    if exchange.status == ACCEPTED and _points_to_other_resource(subject, resource, exchange):
        raise Unsendable("a creation that returns the resource itself")
    found_id = created_id(resource, exchange)
    if not found_id or not is_allowed_id(subject, resource, found_id):
        raise Unsendable(CREATED_ID)
    return CreatedResource(
        resource=resource, id=found_id, sent_json=sent_representation(resource, request), exchange=exchange
    )


def _points_to_other_resource(subject: Subject, resource: Resource, exchange: Exchange) -> bool:
    """Return whether `Location` is the address of another resource type, such as a status monitor (RFC 9110
    §15.3.3).
    """
    paths = {
        operation.path
        for operation in subject.api.operations
        if _matches_path_template(operation.path, _location_path(exchange))
    }
    return bool(paths) and resource.path not in paths


def _matches_path_template(path: str, address: str) -> bool:
    """Return whether an address matches a path of the contract, below any base."""
    template_segments, segments = path.strip("/").split("/"), address.split("/")
    return len(segments) > len(template_segments) and all(
        path_pattern(step).fullmatch(segment) is not None
        for step, segment in zip(reversed(template_segments), reversed(segments), strict=False)
    )


def _id_in_location(resource: Resource, exchange: Exchange) -> str:
    return unquote(value_at_end(resource.path, _location_path(exchange)))


def _location_path(exchange: Exchange) -> str:
    location = exchange.answer.header("location") if exchange.answer is not None else None
    address = resolve_address(exchange.request, location) if location else None
    return address.path.rstrip("/") if address is not None else ""
