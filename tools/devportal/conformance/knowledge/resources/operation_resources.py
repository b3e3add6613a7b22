"""The resource of an operation: its type, new ones for it, and identifiers of the same form that do not
exist.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from datetime import timedelta
from itertools import islice
from typing import Any
from urllib.parse import unquote

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.requests.raw_bodies import is_file_type
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    object_body,
    request_variants,
    varied_texts_request,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.requests.unique_members import unique_members
from devportal.conformance.knowledge.requests.valid_request import writable_media_type
from devportal.conformance.knowledge.resources.created_resources import (
    MOST_VARIANTS,
    CreatedResource,
    create_resource,
    is_success,
    read_resource,
    with_if_match,
)
from devportal.conformance.knowledge.resources.representation_match import differing_after_rejection
from devportal.conformance.knowledge.resources.state_actions import resource_actions
from devportal.conformance.knowledge.subject import Subject, with_resource_id
from devportal.contract import Operation
from devportal.contract.path_templates import action_target, is_below, last_segment
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.instants import parse_instant, shift_time, time_text

READ_METHODS = ("GET", "HEAD")
CHANGED_CHARACTERS = 8
"""How many letters and digits at the end are changed: the rest may be a prefix or a date."""
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


def resource_of(subject: Subject, operation: Operation) -> Resource | None:
    """Return the resource type that an operation belongs to, the innermost of several."""
    matching = [resource for resource in subject.resources if is_within(operation, resource)]
    return max(matching, key=lambda item: len(item.path), default=None)


def checkable_changes(subject: Subject) -> Iterator[tuple[Resource, Operation]]:
    """Yield each change of a resource that can be created and read, with the resource: its effect can be checked."""
    for resource in subject.resources:
        if resource.create is not None and resource.read is not None:
            yield from ((resource, change) for change in resource.changes)


def is_within(operation: Operation, resource: Resource) -> bool:
    """Return whether an operation belongs to a resource type or to something below it."""
    is_action = action_target(operation.path) == resource.value_key or operation in resource.calls
    return operation.path == resource.path or is_action or is_below(operation.path, resource.path)


def resource_uploads(subject: Subject, resource: Resource) -> Iterator[Operation]:
    """Yield the operations that store a file directly below a resource: some actions need it before."""
    for operation in subject.operations:
        is_below_it = action_target(operation.path) == resource.value_key and operation.method == "PUT"
        body = operation.request_body
        media_type = writable_media_type(body.content) if is_below_it and body is not None else None
        if media_type is not None and is_file_type(media_type.name):
            yield operation


def change_request(subject: Subject, created: CreatedResource, change: Operation) -> Request | None:
    """Return a valid request that changes a created resource, None if there is none. A PUT sends what the
    creation sent: the contract's example may have a value that only one resource can have. A PATCH sends such values of
    the resource if it changes others; without an example it has days and times near those of the resource, which may
    have to follow each other.
    """
    request = with_resource_id(subject, created.resource, created.id).valid(change)
    body = object_body(subject, change, request) if request is not None else None
    if request is None or body is None or not isinstance(created.sent_json, dict):
        return request
    properties = tuple(object_properties(subject.api, body.schema))
    if change.method == "PUT":
        names = {property_.name for property_ in properties}
        members = {name: value for name, value in created.sent_json.items() if name in names}
    else:
        near = _near_times(subject, created, change, body)
        members = {**body.members, **near, **_own_unique_values(subject, created, body)}
    return body.request(members) if body.is_valid(subject, members) else request


def _own_unique_values(subject: Subject, created: CreatedResource, body: ObjectBody) -> Mapping[str, Any]:
    """Return the values of a resource for the members of a change that no two resources share: an earlier change may
    have given the value of the example to another one. There are none if nothing else changes.
    """
    create = created.resource.create
    if create is None:
        return {}
    unique = unique_members(subject.api, create, created.resource.envelope, subject.names_of_others(create))
    names = {member.name for member in unique} & body.members.keys() & created.sent_members.keys()
    return {name: created.sent_members[name] for name in names} if body.members.keys() > names else {}


def _near_times(
    subject: Subject, created: CreatedResource, change: Operation, body: ObjectBody
) -> Mapping[str, str]:
    """Return days and times for the members of a change that the contract has no examples of: those of the resource,
    and the last one of them a day later.
    """
    if any(media_type.examples for media_type in change.request_content):
        return {}
    formats = {
        property_.name: meaning.format
        for property_ in object_properties(subject.api, body.schema)
        if (meaning := subject.api.resolve(property_.schema)).format in ("date", "date-time")
        and not (meaning.examples or property_.schema.examples)
    }
    times = {
        name: time
        for name, value in created.sent_members.items()
        if isinstance(value, str) and (time := parse_instant(value if "T" in value else f"{value}T00:00:00Z"))
    }
    last = max(times, key=lambda name: times[name], default="")
    near = {name: created.sent_members[name] for name in formats if name in times and name in body.members}
    later = shift_time(times[last], timedelta(days=1)) if last in near else None
    if later is not None:
        near[last] = str(later.date()) if formats[last] == "date" else time_text(later)
    return near


def send_to(
    subject: Subject,
    created: CreatedResource,
    operation: Operation,
    before: Exchange,
    send: Send,
    *,
    is_varied: bool = False,
) -> Exchange | None:
    """Send a valid request of an operation on a resource or below it, with other texts if it `is_varied`; return None
    if there is none.
    """
    request = change_request(subject, created, operation)
    if request is None:
        return None
    request = varied_texts_request(subject, operation, request) if is_varied else request
    with suppress(Unsendable):
        request = with_if_match(operation, request, before)
        return send(operation, with_new_idempotency_key(subject, operation, request))
    return None


def change_body(subject: Subject, created: CreatedResource, change: Operation) -> ObjectBody:
    """Return the body of a valid request that changes a created resource. Raises Unsendable if it is not an object."""
    request = change_request(subject, created, change)
    body = object_body(subject, change, request) if request is not None else None
    if body is None:
        raise Unsendable("a change with an object as its body")
    return body


def send_members(
    subject: Subject,
    created: CreatedResource,
    change: Operation,
    members: Mapping[str, Any],
    before: Exchange,
    send: Send,
) -> Exchange | None:
    """Send a change of these members, with those that it requires, and all that the client knows if it is a PUT;
    return None if the contract does not allow that.
    """
    body = change_body(subject, created, change)
    properties = tuple(object_properties(subject.api, body.schema))
    sent = created.sent_members
    known = {**body.members, **{name: value for name, value in sent.items() if name in body.members}}
    needed = {
        property_.name: {**known, **sent}[property_.name]
        for property_ in properties
        if property_.name in {**known, **sent} and (property_.required or change.method == "PUT")
    }
    whole = {**needed, **members}
    is_described = members.keys() <= {property_.name for property_ in properties}
    if not is_described or not body.is_valid(subject, whole):
        return None
    request = with_if_match(change, body.request(whole), before)
    return send(change, with_new_idempotency_key(subject, change, request))


def change_resource(subject: Subject, created: CreatedResource, send: Send) -> tuple[Exchange, ...]:
    """Change a resource once and execute an action on it, if it has any; return the exchanges that succeeded."""
    operations = (*created.resource.changes[:1], *islice(resource_actions(subject, created.resource), 1))
    exchanges = []
    for operation in operations:
        request = change_request(subject, created, operation)
        if request is not None:
            last_read = read_resource(subject, created.resource, created.id, send)
            request = with_if_match(operation, request, last_read)
            exchanges.append(send(operation, with_new_idempotency_key(subject, operation, request)))
    return tuple(exchange for exchange in exchanges if is_success(exchange))


def delete_created(
    subject: Subject,
    created: CreatedResource,
    delete: Operation,
    send: Send,
    last_read: Exchange | None = None,
) -> Exchange:
    """Delete a created resource, with the tag of its last reading if the deletion takes one. Raises Unsendable if that
    cannot be requested.
    """
    request = with_resource_id(subject, created.resource, created.id).valid(delete)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    return send(delete, with_if_match(delete, request, last_read or created.exchange))


def change_member(subject: Subject, created: CreatedResource, send: Send) -> tuple[Exchange, ...]:
    """Change one member of a resource to another value, the first that the deployment accepts; return the exchange,
    none if it accepts none.
    """
    for change in created.resource.changes[:1]:
        request = change_request(subject, created, change)
        variants = request_variants(subject, change, request) if request is not None else ()
        for variant in islice(variants, MOST_VARIANTS):
            last_read = read_resource(subject, created.resource, created.id, send)
            conditional = with_if_match(change, variant, last_read)
            exchange = send(change, with_new_idempotency_key(subject, change, conditional))
            if is_success(exchange):
                return (exchange,)
    return ()


def changed_after_rejection(
    subject: Subject, created: CreatedResource, before: Exchange, after: Exchange, send: Send
) -> list[str]:
    """Return the members that are read with other values after a rejected request, without those that a reading
    moves, such as a number of views.
    """
    differing = differing_after_rejection(subject, created.resource, before, after)
    if differing:
        again = read_resource(subject, created.resource, created.id, send)
        moving = differing_after_rejection(subject, created.resource, after, again)
        differing = [name for name in differing if name not in moving]
    return differing


@contextmanager
def temporary_resource(subject: Subject, resource: Resource, send: Send) -> Iterator[CreatedResource]:
    """Create a resource and delete it at the end: accounts may have a limited number.

    Raises Unsendable if none can be created.
    """
    created = create_resource(subject, resource, send)
    try:
        yield created
    finally:
        delete = resource.delete
        request = (
            with_resource_id(subject, resource, created.id).valid(delete) if delete is not None else None
        )
        if delete is not None and request is not None:
            # Under no operation: it may be gone by now, so the response is not checked.
            send(None, with_new_idempotency_key(subject, delete, request))


@contextmanager
def with_new_resource(subject: Subject, operation: Operation, send: Send) -> Iterator[Subject]:
    """Yield the subject with a new resource for an operation that changes one, since some changes work only
    once.

    If none can be created, the known resource is used.
    """
    resource = resource_of(subject, operation) if operation.method not in READ_METHODS else None
    with with_new_resource_of(subject, resource, send) as prepared:
        yield prepared


@contextmanager
def with_new_resource_of(subject: Subject, resource: Resource | None, send: Send) -> Iterator[Subject]:
    """Yield the subject with a new resource of a type, or unchanged if none can be created."""
    with ExitStack() as stack:
        if resource is not None:
            with suppress(Unsendable):
                created = stack.enter_context(temporary_resource(subject, resource, send))
                subject = with_resource_id(subject, resource, created.id)
        yield subject


@contextmanager
def with_resource_for_action(subject: Subject, operation: Operation, send: Send) -> Iterator[Subject]:
    """Yield the subject with a new resource if the operation is an action: the known one may be in a state afterwards
    that forbids everything else, such as archived.
    """
    is_action = operation.method == "POST" and bool(action_target(operation.path))
    creates = any(operation is resource.create for resource in subject.resources)
    resource = resource_of(subject, operation) if is_action and not creates else None
    with with_new_resource_of(subject, resource, send) as prepared:
        yield prepared


def current_id(subject: Subject, resource: Resource) -> str:
    """Return the identifier that requests for a resource type have now, empty if no request can be written."""
    operation = next((operation for operation in subject.operations if operation.path == resource.path), None)
    request = subject.bare(operation) if operation is not None else None
    return unquote(last_segment(request.url.partition("?")[0])) if request is not None else ""


def different_id(value: str) -> str:
    """Return another identifier of the same form: the same kinds of characters at the same positions."""
    changed = [index for index, text in enumerate(value) if text.isascii() and text.isalnum()][
        -CHANGED_CHARACTERS:
    ]
    is_hexadecimal = all(value[index] in _HEXADECIMAL for index in changed)
    return "".join(
        _different_character(text, is_hexadecimal=is_hexadecimal) if index in changed else text
        for index, text in enumerate(value)
    )


def _different_character(character: str, *, is_hexadecimal: bool) -> str:
    if character.isdigit():
        return str((int(character) + 5) % 10)
    first, size = ("a" if character.islower() else "A"), (6 if is_hexadecimal else 26)
    return chr(ord(first) + (ord(character) - ord(first) + size // 2) % size)
