"""A number of a resource that counts what belongs to it follows creations and deletions: `invoiceCount`."""

import re
from collections.abc import Iterator, Mapping
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.deletion_rules import counts_all_ever
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.child_resources import (
    Child,
    ChildType,
    child_types,
    count_names,
    create_child,
)
from devportal.conformance.knowledge.created_resources import (
    ACCEPTED,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    response_failure,
    response_json,
    shown_members,
    with_if_match,
    with_resource_id,
)
from devportal.conformance.knowledge.representation_match import resource_schema
from devportal.conformance.knowledge.request_variants import with_new_idempotency_key
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name, normalize_name
from devportal.contract.resources import Resource, object_properties

Counts = Mapping[str, int]
_NOT_YET = re.compile(
    r"pending|draft|propos|request|submit|wait|review|queue|unconfirm|unpublish|unapprov|inactive|invit|new|created",
    re.IGNORECASE,
)
"""States of what does not count yet."""


def child_count_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each type of resources whose parent has a number of them, by its name."""
    for child in child_types(subject):
        names = _count_members(subject, child) if child.parent.read is not None else ()
        if names:
            run = partial(_check_counts, subject, child, names)
            yield Probe(operation=operation_label(child.create), run=run)


def _count_members(subject: Subject, child: ChildType) -> tuple[str, ...]:
    """Return the members of a parent that count its children by their names: `plantCount`, `number_of_plants`."""
    names = count_names(child.collection)
    reading = child.parent.read
    success = next((each for each in reading.successes if each.status.isdigit()), None) if reading else None
    schema = (
        resource_schema(subject, child.parent, reading, int(success.status)) if success is not None else None
    )
    found = []
    for property_ in object_properties(subject.api, schema) if schema is not None else ():
        meaning = subject.api.resolve(property_.schema)
        is_count = normalize_name(property_.name) in names and "integer" in meaning.types
        if is_count and not counts_all_ever(meaning.description):
            found.append(property_.name)
    return tuple(found)


def _counts(parent: Resource, names: tuple[str, ...], exchange: Exchange) -> Counts:
    shown = shown_members(parent, exchange)
    values = {name: shown.get(name) for name in names}
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, int) and not isinstance(value, bool)
    }


def _check_counts(
    subject: Subject, child: ChildType, names: tuple[str, ...], send: Send
) -> Iterator[CheckFailure]:
    """Create something for a new parent and for another one, and delete the first again: the count of its parent is
    one higher in between.
    """
    parent = child.parent
    owner, other = (create_resource(subject, parent, send) for _ in range(2))
    start = read_created(subject, owner, send)
    first = _counts(parent, names, start)
    if not first or owner.id == other.id:
        raise Unsendable("a new resource that shows the number of what belongs to it")
    created = create_child(subject, child, owner.id, send, is_varied=True)
    beside = create_child(subject, child, other.id, send)
    reading = partial(read_resource, subject, parent, owner.id, send)

    def rises(exchange: Exchange) -> bool:
        return all(_counts(parent, names, exchange).get(name) == value + 1 for name, value in first.items())

    raised = poll_until(reading, send, rises)
    if not is_success(raised) or is_from_cache(raised):
        raise Unsendable("a parent that can be read")
    evidence = (owner.exchange, other.exchange, start, created.exchange, beside.exchange, raised)
    second = _counts(parent, names, raised)
    if second == first and _may_count_later(subject, created):
        raise Unsendable(
            "something that counts from its creation on: what is created has to be approved first"
        )
    for name, value in first.items():
        if second.get(name, value + 1) != value + 1:
            message = (
                f"{name!r} was {value}, and is {second[name]} after one was created, and one for {other.id!r}"
            )
            yield _failure(child.create, f"a creation does not raise {name!r} by one", message, *evidence)
            return
    yield from _deletion_failures(subject, child, created, owner.id, first, evidence, send)


def _may_count_later(subject: Subject, created: Child) -> bool:
    """Return whether what was created may count only in a later state, such as a comment that is `pending`."""
    shown = response_json(created.exchange)
    inner = [item for item in shown.values() if isinstance(item, dict)] if isinstance(shown, dict) else []
    states = (
        value
        for members in (shown, *inner)
        if isinstance(members, dict)
        for name, value in members.items()
        if matches_any_name(name, subject.conventions.state)
    )
    return any(isinstance(state, str) and _NOT_YET.search(state) for state in states)


def _deletion_failures(
    subject: Subject,
    child: ChildType,
    created: Child,
    parent_id: str,
    first: Counts,
    evidence: tuple[Exchange, ...],
    send: Send,
) -> Iterator[CheckFailure]:
    resource = child.resource
    delete = resource.delete if resource is not None else None
    below = with_resource_id(subject, child.parent, parent_id)
    request = with_resource_id(below, resource, created.id).valid(delete) if resource and delete else None
    if delete is None or request is None:
        return
    request = with_if_match(delete, request, created.exchange)
    deleted = send(delete, with_new_idempotency_key(subject, delete, request))
    if not is_success(deleted) or deleted.status == ACCEPTED:
        return
    names = tuple(first)
    after = poll_until(
        partial(read_resource, subject, child.parent, parent_id, send),
        send,
        lambda exchange: _counts(child.parent, names, exchange) == first,
    )
    last = _counts(child.parent, names, after)
    for name, value in first.items():
        if last.get(name, value) != value and not is_from_cache(after):
            message = (
                f"{name!r} was {value}, {value + 1} after a creation, and is {last[name]} after the deletion"
            )
            title = f"a deletion does not lower {name!r} by one"
            yield _failure(delete, title, message, *evidence, deleted, after)


def _failure(operation: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    response = next(
        exchange for exchange in reversed(evidence) if exchange.operation == operation_label(operation)
    )
    return response_failure(operation, response, title, message, *evidence)
