"""A change of one resource leaves others of its type as they were."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

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
        before = read_created(subject, other, send)
        if other.id != created.id and is_success(before):
            return Neighbour(created=other, before=before)
    return None


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
        message = f"{created.id!r} is another resource, and has the new values too in: {', '.join(copied)}"
        title = "a request about one resource changes another"
        yield response_failure(operation, made, title, message, created.exchange, before, made, other)
