"""What contracts say of deletions: what others refer to stays, and counts fall."""

import re
from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import (
    CONFLICT,
    deletes_only_empty,
    forbids_deletion_with,
)
from devportal.conformance.knowledge.failures import first_response_failure
from devportal.conformance.knowledge.json_api import members_schema
from devportal.conformance.knowledge.requests.request_variants import valid_body, with_new_idempotency_key
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.resources.child_resources import ChildType, child_types, create_child
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    resource_json,
    with_if_match,
)
from devportal.conformance.knowledge.resources.representation_match import schema_of_reading
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import last_segment, parent_path, singular
from devportal.contract.resources import Resource, object_properties
from devportal.documents import member_at

_COUNTS = re.compile(r"\b(number|count) of\b", re.IGNORECASE)
_COUNTS_ALL_EVER = re.compile(
    r"\b(ever|lifetime|so far|since|deleted|removed|maximum|minimum|running|serial|placed|made|sent|used|issued|"
    r"created|added|received)\b",
    re.IGNORECASE,
)


def deletion_rule_probes(subject: Subject, resource: Resource, delete: Operation) -> Iterator[Probe]:
    """Yield the probes of what the contract says of the deletion of a resource that can be created."""
    for other in subject.resources if documents_exact_status(delete, CONFLICT) else ():
        member = _reference_member(subject, other, resource)
        if member and forbids_deletion_with(delete, last_segment(parent_path(other.path))):
            run = partial(_check_referenced, subject, resource, delete, other, member)
            yield Probe(operation=operation_label(delete), run=run)
    children = tuple(child_types(subject, (resource,))) if documents_exact_status(delete, CONFLICT) else ()
    is_only_empty = len(children) == 1 and deletes_only_empty(delete)  # of several, one may not count
    for child in children:
        is_content = is_only_empty and _is_all_that_is_below(subject, child)
        if not child.member and (is_content or forbids_deletion_with(delete, child.collection)):
            yield Probe(operation=operation_label(delete), run=partial(_check_owner, subject, child, delete))
    for parent in subject.resources:
        is_parent = parent_path(parent_path(resource.path)) == parent.path and parent.create is not None
        names = counting_members(subject, parent) if is_parent and parent.read is not None else ()
        if names:
            run = partial(_check_counts, subject, parent, resource, delete, names)
            yield Probe(operation=operation_label(delete), run=run)


def _is_all_that_is_below(subject: Subject, child: ChildType) -> bool:
    """Return whether nothing else is stored below a resource, such as files that are uploaded by PUT: these are what it
    has to be empty of, and not, say, its grants.
    """
    start = f"{child.parent.value_key}/"
    stored = (
        operation.path.removeprefix(start).split("/")
        for operation in subject.operations
        if operation.method in ("POST", "PUT") and operation.path.startswith(start)
    )
    return all(first == child.collection for first, *deeper in stored if deeper or singular(first) != first)


def _reference_member(subject: Subject, resource: Resource, referred: Resource) -> str:
    """Return the member of a creation that names a resource of another type, empty if none does."""
    create = resource.create
    schema = body_schema(create) if create is not None and create is not referred.create else None
    members = (
        object_properties(subject.api, members_schema(subject.api, schema, resource.envelope))
        if schema is not None
        else ()
    )
    return next(
        (member.name for member in members if matches_any_name(member.name, referred.reference_names)), ""
    )


def _check_referenced(
    subject: Subject, resource: Resource, delete: Operation, other: Resource, member: str, send: Send
) -> Iterator[CheckFailure]:
    """Delete a resource that another one names, which the description forbids."""
    created = create_resource(subject, resource, send)
    body = valid_body(subject, other.create)
    is_number = created.id.isascii() and created.id.isdigit()
    values: tuple[str | int, ...] = (created.id, int(created.id)) if is_number else (created.id,)
    bodies = [{**body.members, member: value} for value in values] if body is not None else []
    members = next((each for each in bodies if body is not None and body.is_valid(subject, each)), None)
    if body is None or members is None:
        raise Unsendable(f"a creation with {member!r}")
    referring = create_resource(subject, other, send, request=body.request(members))
    shown = resource_json(other, referring.exchange)
    if member_at(shown, (member,)) != members[member]:
        raise Unsendable(f"a creation that shows its {member!r}")
    before = read_created(subject, created, send) if resource.read is not None else created.exchange
    deleted = _delete(subject, created, delete, before, send)
    if is_success(deleted) and deleted.status != ACCEPTED:
        message = (
            f"{created.id!r} is deleted, {deleted.status}, and {referring.id!r} has it as its {member!r}"
        )
        title = "a resource is deleted that others refer to"
        yield first_response_failure(delete, title, message, created.exchange, referring.exchange, deleted)


def _check_owner(subject: Subject, child: ChildType, delete: Operation, send: Send) -> Iterator[CheckFailure]:
    """Delete a resource with another one below it, which the description forbids."""
    owner = create_resource(subject, child.parent, send)
    below = create_child(subject, child, owner.id, send)
    before = read_created(subject, owner, send) if child.parent.read is not None else owner.exchange
    deleted = _delete(subject, owner, delete, before, send)
    if is_success(deleted) and deleted.status != ACCEPTED:
        message = f"{owner.id!r} is deleted, {deleted.status}, and {below.id!r} is below it"
        title = "a resource is deleted that others refer to"
        yield first_response_failure(delete, title, message, owner.exchange, below.exchange, deleted)


def counting_members(subject: Subject, parent: Resource) -> tuple[str, ...]:
    """Return the members of a resource that count something by their descriptions."""
    schema = schema_of_reading(subject, parent)
    members = [
        (property_.name, subject.api.resolve(property_.schema))
        for property_ in (object_properties(subject.api, schema) if schema is not None else ())
    ]
    return tuple(
        name
        for name, meaning in members
        if "integer" in meaning.types
        and _COUNTS.search(meaning.description)
        and not counts_all_ever(meaning.description)
    )


def counts_all_ever(description: str) -> bool:
    """Return whether a number counts what is gone as well, by its description, so that a deletion does not lower it."""
    return _COUNTS_ALL_EVER.search(description) is not None


def _check_counts(
    subject: Subject, parent: Resource, child: Resource, delete: Operation, names: tuple[str, ...], send: Send
) -> Iterator[CheckFailure]:
    """Create a resource below another one and delete it: what it raised by one falls again."""
    owner = create_resource(subject, parent, send)
    below = with_resource_id(subject, parent, owner.id)
    start = read_created(subject, owner, send)
    created = create_resource(below, child, send)

    def count(exchange: Exchange, name: str) -> int | None:
        value = member_at(resource_json(parent, exchange), (name,)) if is_success(exchange) else None
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    reading = partial(read_resource, subject, parent, owner.id, send)
    raised = poll_until(
        reading, send, lambda exchange: any(count(exchange, name) != count(start, name) for name in names)
    )
    counted = [
        name
        for name in names
        if (before := count(start, name)) is not None and count(raised, name) == before + 1
    ]
    deleted = _delete(below, created, delete, created.exchange, send) if counted else None
    if deleted is None or not is_success(deleted) or deleted.status == ACCEPTED:
        raise Unsendable("a number that counts what is created, and a deletion that the deployment accepts")
    after = poll_until(
        reading, send, lambda exchange: all(count(exchange, name) == count(start, name) for name in counted)
    )
    for name in counted:
        if is_success(after) and not is_from_cache(after) and count(after, name) == count(raised, name):
            message = (
                f"{name!r} was {count(start, name)}, {count(raised, name)} after a creation, and stays so"
            )
            title = f"a deletion does not lower {name!r}"
            yield first_response_failure(
                delete, title, message, owner.exchange, start, created.exchange, raised, deleted, after
            )


def _delete(
    subject: Subject, created: CreatedResource, delete: Operation, last_read: Exchange, send: Send
) -> Exchange:
    request: Request | None = with_resource_id(subject, created.resource, created.id).valid(delete)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    return send(delete, with_new_idempotency_key(subject, delete, with_if_match(delete, request, last_read)))
