"""A change of one resource leaves others of its type as they were."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.resources.created_resources import (
    CreatedResource,
    create_resource,
    is_from_cache,
    is_success,
    read_created,
    read_resource,
    shown_members,
)
from devportal.conformance.knowledge.resources.representation_match import is_equivalent
from devportal.conformance.knowledge.resources.versions import VERSION_NAMES
from devportal.conformance.knowledge.subject import Subject
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
    other = _read_again(subject, neighbour, send) if updates else None
    if neighbour is None or other is None:
        return
    changed = _changed_members(neighbour, other)
    copied = [
        name
        for name, (value, _) in updates.items()
        if name in changed and is_equivalent(changed[name], value)
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
    other = _read_again(subject, neighbour, send)
    if neighbour is None or other is None:
        return
    resource, sent = neighbour.created.resource, neighbour.created.sent_members
    first = shown_members(resource, neighbour.before)
    own = {**shown_members(resource, made), **shown_members(resource, after)}
    names = (*subject.conventions.updated, *subject.conventions.created, *VERSION_NAMES)
    copied = [
        name
        for name, value in _changed_members(neighbour, other).items()
        if name in first
        and name in own
        and not matches_any_name(name, names)
        and (name in sent or isinstance(value, bool) or matches_any_name(name, subject.conventions.state))
        and is_equivalent(own[name], value)
    ]
    if copied:
        yield _failure(neighbour, operation, made, other, copied)


def _read_again(subject: Subject, neighbour: Neighbour | None, send: Send) -> Exchange | None:
    """Return a new reading of a neighbour, None if there is none."""
    if neighbour is None:
        return None
    other = read_resource(subject, neighbour.created.resource, neighbour.created.id, send)
    return other if is_success(other) and not is_from_cache(other) else None


def _changed_members(neighbour: Neighbour, other: Exchange) -> dict[str, Any]:
    """Return the members that a new reading shows with another value than the one before."""
    before, after = (
        shown_members(neighbour.created.resource, exchange) for exchange in (neighbour.before, other)
    )
    return {name: value for name, value in after.items() if not is_equivalent(before.get(name), value)}


def _failure(
    neighbour: Neighbour, operation: Operation, made: Exchange, other: Exchange, copied: Sequence[str]
) -> CheckFailure:
    created = neighbour.created
    message = f"{created.id!r} is another resource, and has the new values too in: {', '.join(copied)}"
    title = "a request about one resource changes another"
    return response_failure(operation, made, title, message, created.exchange, neighbour.before, made, other)
