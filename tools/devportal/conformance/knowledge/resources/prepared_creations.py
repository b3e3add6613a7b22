"""Creations that are accepted only once a resource that they name is in a state: seats are held for an event that is on
sale, and a paid order is refunded. The actions of that resource lead there.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.requests.request_variants import object_body, with_new_idempotency_key
from devportal.conformance.knowledge.resources.new_references import CreateOne, named_types, with_references
from devportal.conformance.knowledge.resources.state_actions import preparing_actions
from devportal.conformance.knowledge.subject import Subject, with_resource_id
from devportal.contract import Operation
from devportal.contract.path_templates import is_below
from devportal.contract.resources import Resource


def prepared_requests(
    subject: Subject,
    resource: Resource | None,
    create: Operation,
    request: Request,
    send: Send,
    create_one: CreateOne,
) -> Iterator[Request]:
    """Yield a creation after each action that its words ask for (`preparing_actions`). The action is executed when the
    request is asked for: on a new resource, or on the known one if a probe has chosen it, or if the address of what is
    created leads through it.
    """
    body = object_body(subject, create, request) if create.request_body is not None else None
    members = named_types(subject, body, create) if body is not None else {}
    above = {each.value_key: each for each in subject.resources if is_below(create.path, each.path)}
    for member, named in (
        *((name, each) for name, each in members.items()),
        *(("", each) for each in above.values()),
    ):
        leads_through = not member and resource is not None and is_below(resource.path, named.path)
        for action in preparing_actions(subject, create, named):
            with suppress(Unsendable):
                is_known = leads_through or named.value_key in subject.chosen
                named_id = _known_id(subject, named) if is_known else create_one(named)
                if not _execute(with_resource_id(subject, named, named_id), action, send):
                    continue
                if is_known:
                    yield request
                elif member and body is not None:
                    yield with_references(body, body.members, {member: named_id})
                else:
                    yield _address_to_named(with_resource_id(subject, named, named_id), create, request)


def _known_id(subject: Subject, named: Resource) -> str:
    """Return the identifier that requests have for a resource. Raises Unsendable if none is known."""
    if named.value_key not in subject.values:
        raise Unsendable("an existing resource that a creation names")
    return subject.values[named.value_key]


def _execute(subject: Subject, action: Operation, send: Send) -> bool:
    """Execute an action; return whether it was accepted."""
    request = subject.valid(action)
    if request is None:
        return False
    return send(action, with_new_idempotency_key(subject, action, request)).is_success


def _address_to_named(subject: Subject, create: Operation, request: Request) -> Request:
    """Return the request at the address of the resources that a subject names."""
    other = subject.bare(create)
    if other is None:
        raise Unsendable(NO_VALID_REQUEST)
    return replace(request, url=other.url)
