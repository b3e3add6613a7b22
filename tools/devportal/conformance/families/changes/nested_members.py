"""A change below a resource whose body is a member of the resource: `PUT /users/{id}/address` for the `address` that
`GET /users/{id}` shows. What was sent is read there, and the other members stay.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import says_that_it_merges
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    object_body,
    request_variants,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    shown_members,
    with_if_match,
)
from devportal.conformance.knowledge.resources.representation_match import is_equivalent, schema_of_reading
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import ABSENT, Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import last_segment, parent_path
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.wording import quote_value

MOST_CHANGES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _NestedMember:
    """The member `name` of a resource that an operation below it changes; `sent` are the members of its body that the
    resource shows, with their defaults.
    """

    resource: Resource
    change: Operation
    name: str
    sent: Mapping[str, Any]


def nested_member_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each change of a member that has an address below its resource."""
    for change in subject.operations:
        nested = _nested_member(subject, change) if change.method in ("PUT", "PATCH") else None
        if nested is not None:
            run = partial(_check_member, subject, nested)
            yield Probe(operation=operation_label(change), run=run)


def _nested_member(subject: Subject, change: Operation) -> _NestedMember | None:
    """Return the member that a change is about: an object of the resource above it with the name of the last segment of
    its path, which shows members of its body. Texts may be rewritten, so only numbers, booleans and enumerated texts
    count. None if there is none.
    """
    owner = next(
        (
            each
            for each in subject.resources
            if each.create is not None
            and each.read is not None
            and each.value_key == parent_path(change.path)
            and not last_segment(change.path).startswith("{")
        ),
        None,
    )
    request = subject.valid(change) if owner is not None and change.request_body is not None else None
    body = object_body(subject, change, request) if request is not None else None
    if owner is None or body is None or body.envelope:
        return None
    schema = schema_of_reading(subject, owner)
    members = object_properties(subject.api, schema) if schema is not None else ()
    member = next(
        (each for each in members if matches_any_name(each.name, (last_segment(change.path),))), None
    )
    shown = (
        {each.name for each in object_properties(subject.api, member.schema)} if member is not None else set()
    )
    meanings = {
        each.name: subject.api.resolve(each.schema) for each in object_properties(subject.api, body.schema)
    }
    sent = {
        name: meaning.default
        for name, meaning in meanings.items()
        if name in shown and (meaning.enum or {"boolean", "integer", "number"} & set(meaning.types))
    }
    if member is None or not sent:
        return None
    return _NestedMember(resource=owner, change=change, name=member.name, sent=sent)


def _value(nested: _NestedMember, exchange: Exchange) -> Mapping[str, Any]:
    """Return the member that a representation of the resource shows, empty if it shows none."""
    value = shown_members(nested.resource, exchange).get(nested.name)
    return value if isinstance(value, dict) else {}


def _check_member(subject: Subject, nested: _NestedMember, send: Send) -> Iterator[CheckFailure]:
    """Change one member of the body after another, and then leave out those that are optional."""
    created = create_resource(subject, nested.resource, send)
    below = with_resource_id(subject, nested.resource, created.id)
    before = read_created(subject, created, send)
    request = below.valid(nested.change)
    body = object_body(below, nested.change, request) if request is not None else None
    if request is None or body is None or not is_success(before):
        raise Unsendable(NO_VALID_REQUEST)
    bodies = [body, *_varied_bodies(below, nested, request)]
    has_compared = False
    for each in bodies:
        update, after = _send(below, nested, created, each, before, send)
        if not is_success(update) or update.status == ACCEPTED or is_from_cache(after):
            continue
        has_compared = True
        failure = _stored_failure(nested, created, each.members, before, update, after)
        failure = failure or _moved_failure(nested, created, before, update, after)
        if failure is not None:
            yield failure
            return
        before = after
    if not has_compared:
        raise Unsendable("a change that the deployment accepts and makes at once")
    if nested.change.method == "PUT" and not says_that_it_merges(nested.change) and body.is_valid(below, {}):
        yield from _left_out_failures(below, nested, created, body, before, send)


def _varied_bodies(subject: Subject, nested: _NestedMember, request: Request) -> Iterator[ObjectBody]:
    variants = request_variants(subject, nested.change, request)
    for variant in islice(variants, MOST_CHANGES):
        body = object_body(subject, nested.change, variant)
        if body is not None:
            yield body


def _send(
    subject: Subject,
    nested: _NestedMember,
    created: CreatedResource,
    body: ObjectBody,
    before: Exchange,
    send: Send,
) -> tuple[Exchange, Exchange]:
    """Return the exchange of a change, and the reading of the resource as soon as it shows what was sent."""
    request = with_if_match(nested.change, body.plain, before)
    update = send(nested.change, with_new_idempotency_key(subject, nested.change, request))
    after = poll_until(
        partial(read_resource, subject, nested.resource, created.id, send),
        send,
        lambda exchange: not is_success(update) or not _differing(nested, body.members, exchange),
    )
    return update, after


def _differing(nested: _NestedMember, members: Mapping[str, Any], exchange: Exchange) -> list[str]:
    shown = _value(nested, exchange)
    return [
        name
        for name, value in members.items()
        if name in nested.sent and name in shown and not is_equivalent(shown[name], value)
    ]


def _stored_failure(
    nested: _NestedMember,
    created: CreatedResource,
    members: Mapping[str, Any],
    before: Exchange,
    update: Exchange,
    after: Exchange,
) -> CheckFailure | None:
    """Return the failure of a change that is read otherwise, or that its response shows otherwise."""
    for exchange, title, where in (
        (after, f"a change of {nested.name!r} is not read back", "is read as"),
        (update, f"the response to a change of {nested.name!r} shows another value", "is in the response"),
    ):
        wrong = _differing(nested, members, exchange) if is_success(exchange) else []
        if wrong:
            shown = _value(nested, exchange)[wrong[0]]
            message = (
                f"{nested.name + '.' + wrong[0]!r} was sent as {quote_value(members[wrong[0]])}, and {where} "
                f"{quote_value(shown)}"
            )
            return response_failure(
                nested.change, update, title, message, created.exchange, before, update, after
            )
    return None


def _moved_failure(
    nested: _NestedMember, created: CreatedResource, before: Exchange, update: Exchange, after: Exchange
) -> CheckFailure | None:
    """Return the failure of a change that gives another value to a member that the client set at the creation."""
    first, second = (shown_members(nested.resource, exchange) for exchange in (before, after))
    moved = [
        name
        for name, value in created.sent_members.items()
        if name != nested.name
        and name in second
        and is_equivalent(first.get(name), value)
        and not is_equivalent(second[name], value)
    ]
    if not moved:
        return None
    message = f"the change is of {nested.name!r}; these are read with other values: {', '.join(moved)}"
    title = f"a change of {nested.name!r} changes other members"
    return response_failure(nested.change, update, title, message, created.exchange, before, update, after)


def _left_out_failures(
    subject: Subject,
    nested: _NestedMember,
    created: CreatedResource,
    body: ObjectBody,
    before: Exchange,
    send: Send,
) -> Iterator[CheckFailure]:
    """Yield a failure if a replacement without members leaves one that has a default at another value."""
    filled = [each for each in _varied_bodies(subject, nested, body.plain) if each.members != nested.sent]
    for each in filled[-1:]:
        _, before = _send(subject, nested, created, each, before, send)
    empty = object_body(subject, nested.change, body.request({}))
    if empty is None:
        return
    update, after = _send(subject, nested, created, empty, before, send)
    shown = _value(nested, after)
    kept = [
        name
        for name, default in nested.sent.items()
        if default is not ABSENT
        and name in shown
        and shown[name] not in EMPTY_VALUES
        and not is_equivalent(shown[name], default)
    ]
    if is_success(update) and update.status != ACCEPTED and kept and not is_from_cache(after):
        name = kept[0]
        message = (
            f"{nested.name + '.' + name!r} was left out, and is read as {quote_value(shown[name])}; its default is "
            f"{quote_value(nested.sent[name])}"
        )
        title = f"a replacement of {nested.name!r} keeps what it leaves out"
        yield response_failure(nested.change, update, title, message, created.exchange, before, update, after)
