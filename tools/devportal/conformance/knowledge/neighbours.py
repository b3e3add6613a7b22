"""A change of one resource leaves others of its type as they were."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.created_resources import (
    CreatedResource,
    create_resource,
    is_from_cache,
    is_success,
    read_created,
    read_resource,
    response_failure,
    shown_members,
)
from devportal.conformance.knowledge.representation_match import is_equivalent
from devportal.conformance.knowledge.test_target import Subject
from devportal.conformance.knowledge.versions import VERSION_NAMES
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """Another resource of the same type, and how it was read before a request that is not about it."""

    created: CreatedResource
    before: Exchange


def create_neighbour(subject: Subject, created: CreatedResource, send: Send) -> Neighbour | None:
    """Create another resource and read it; None if there can be none: some accounts have one of a type."""
    with suppress(Unsendable):
        other = create_resource(subject, created.resource, send)
        return read_neighbour(subject, other, send) if other.id != created.id else None
    return None


def read_neighbour(subject: Subject, created: CreatedResource, send: Send) -> Neighbour | None:
    """Read a resource before a request about another one; None if it cannot be read."""
    if created.resource.read is None:
        return None
    before = read_created(subject, created, send)
    return Neighbour(created=created, before=before) if is_success(before) else None


def copied_member_failures(
    subject: Subject,
    neighbour: Neighbour | None,
    operation: Operation,
    updates: Mapping[str, tuple[Any, Exchange]],
    send: Send,
) -> Iterator[CheckFailure]:
    """Yield a failure if changes of members of one resource, by their names with the values that were sent and the
    exchanges, have given another one the same new values.
    """
    if neighbour is None or not updates:
        return
    resource, before = neighbour.created.resource, shown_members(neighbour.created.resource, neighbour.before)
    other = read_resource(subject, resource, neighbour.created.id, send)
    if not is_success(other) or is_from_cache(other):
        return
    after = shown_members(resource, other)
    copied = [
        name
        for name, (value, _) in updates.items()
        if name in after and is_equivalent(after[name], value) and not is_equivalent(before.get(name), value)
    ]
    if copied:
        update = updates[copied[0]][1]
        yield _failure(neighbour, operation, update, other, copied)


def neighbour_failures(
    subject: Subject,
    neighbour: Neighbour | None,
    operation: Operation,
    made: Exchange,
    after: Exchange,
    send: Send,
) -> Iterator[CheckFailure]:
    """Yield a failure if a request about one resource has given another one the same new values. Values that are not
    those of the changed resource are not a failure: a new default or a new position changes others in other ways.
    """
    if neighbour is None:
        return
    created, before = neighbour.created, neighbour.before
    other = read_resource(subject, created.resource, created.id, send)
    if not is_success(other) or is_from_cache(other):
        return
    first, second = (shown_members(created.resource, exchange) for exchange in (before, other))
    own = {**shown_members(created.resource, made), **shown_members(created.resource, after)}
    sent = created.sent_members
    names = (*subject.conventions.updated, *subject.conventions.created, *VERSION_NAMES)
    copied = [
        name
        for name, value in second.items()
        if name in first
        and name in own
        and not matches_any_name(name, names)
        and (name in sent or isinstance(value, bool) or matches_any_name(name, subject.conventions.state))
        and not is_equivalent(first[name], value)
        and is_equivalent(own[name], value)
    ]
    if copied:
        yield _failure(neighbour, operation, made, other, copied)


def _failure(
    neighbour: Neighbour, operation: Operation, made: Exchange, other: Exchange, copied: Sequence[str]
) -> CheckFailure:
    created = neighbour.created
    message = f"{created.id!r} is another resource, and has the new values too in: {', '.join(copied)}"
    title = "a request about one resource changes another"
    return response_failure(operation, made, title, message, created.exchange, neighbour.before, made, other)
