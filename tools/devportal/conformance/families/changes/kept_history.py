"""A change leaves what the server keeps: counts of what is below the resource, its version and its state."""

import re
from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.deletions.deletion_rules import counting_members
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    shown_members,
)
from devportal.conformance.knowledge.resources.operation_resources import send_to
from devportal.conformance.knowledge.resources.state_actions import resource_actions
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import parent_path
from devportal.contract.resources import Resource
from devportal.contract.wording import quote_value

_ONLY_OF_CLIENTS = re.compile(
    r"\b(?:(?:clients?|callers?|users?|you) (?:may|can|could) (?:set|change|write|edit)|writable)\b",
    re.IGNORECASE,
)


def history_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each change of a resource with counts, and for each that changes only what clients set."""
    for resource in subject.resources:
        if resource.create is None or resource.read is None:
            continue
        counts, children = counting_members(subject, resource), tuple(_children(subject, resource))
        for change in resource.changes:
            name = operation_label(change)
            if counts and children:
                run = partial(_check_counts, subject, resource, change, counts, children[0])
                yield Probe(operation=name, run=run)
            actions = tuple(resource_actions(subject, resource))
            if actions and _ONLY_OF_CLIENTS.search(f"{change.summary} {change.description}"):
                yield Probe(operation=name, run=partial(_check_state, subject, resource, change, actions))


def _children(subject: Subject, parent: Resource) -> Iterator[Resource]:
    for child in subject.resources:
        is_child = parent_path(parent_path(child.path)) == parent.path
        if is_child and child.create is not None and child.read is not None:
            yield child


def _check_counts(
    subject: Subject,
    resource: Resource,
    change: Operation,
    names: tuple[str, ...],
    child: Resource,
    send: Send,
) -> Iterator[CheckFailure]:
    """Create something below a resource, then change the resource: what counts it stays."""
    created = create_resource(subject, resource, send)
    start = shown_members(resource, read_created(subject, created, send))
    below = with_resource_id(subject, resource, created.id)
    made = create_resource(below, child, send)
    reading = partial(read_resource, subject, resource, created.id, send)
    before = poll_until(
        reading,
        send,
        lambda exchange: any(
            shown_members(resource, exchange).get(name) != start.get(name) for name in names
        ),
    )
    counted = [
        name for name in names if start.get(name) == 0 and shown_members(resource, before).get(name) == 1
    ]
    update = send_to(subject, created, change, before, send) if counted else None
    if update is None or not is_success(update) or update.status == ACCEPTED:
        raise Unsendable("a number that counts what is created, and a change that the deployment accepts")
    after = reading()
    lost = [name for name in counted if shown_members(resource, after).get(name) == 0]
    if lost and not is_from_cache(after) and is_success(read_resource(below, child, made.id, send)):
        message = (
            f"{lost[0]!r} was 1, and is 0 after the change; {made.id!r}, which it counts, can still be read"
        )
        yield _failure(
            change, f"a change resets {lost[0]!r}", message, created.exchange, before, update, after
        )


def _check_state(
    subject: Subject, resource: Resource, change: Operation, actions: tuple[Operation, ...], send: Send
) -> Iterator[CheckFailure]:
    """Move the state of a resource by an action, then change what a client may set: the state stays."""
    created = create_resource(subject, resource, send)
    current = read_created(subject, created, send)
    start = shown_members(resource, current)
    for action in actions:
        acted = send_to(subject, created, action, current, send)
        current = read_resource(subject, resource, created.id, send)
        moved = {
            name: value
            for name, value in shown_members(resource, current).items()
            if matches_any_name(name, subject.conventions.state) and value != start.get(name)
        }
        if acted is not None and moved:
            break
    else:
        raise Unsendable("an action that moves the state")
    update = send_to(subject, created, change, current, send)
    if update is None or not is_success(update) or update.status == ACCEPTED:
        raise Unsendable("a change that the deployment accepts after an action")
    after = read_resource(subject, resource, created.id, send)
    shown = shown_members(resource, after)
    reset = [
        name
        for name in moved
        if name in shown and shown[name] == start.get(name) and name not in str(update.request.body)
    ]
    if reset and not is_from_cache(after):
        message = (
            f"{reset[0]!r} was {quote_value(moved[reset[0]])}, and is {quote_value(shown[reset[0]])} again "
            "after the change"
        )
        yield _failure(
            change, f"a change resets {reset[0]!r}", message, created.exchange, current, update, after
        )


def _failure(change: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    return response_failure(change, evidence[-2], title, message, *evidence)
