"""A deleted resource that is restored can be read as it was before: `POST /tickets/{id}/restore`."""

import re
from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.creations.lost_members import create_whole
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import CONFLICT, operation_sentences
from devportal.conformance.knowledge.failures import last_response_failure
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    resource_json,
)
from devportal.conformance.knowledge.resources.operation_resources import delete_created, send_to
from devportal.conformance.knowledge.resources.representation_match import (
    changed_members,
    echoed_members,
    leaf_members,
    resource_schema,
)
from devportal.conformance.knowledge.resources.state_actions import resource_actions
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.path_templates import action_name
from devportal.contract.resources import Resource
from devportal.contract.wording import plain_letters, sentences_of

CERTAIN_NAMES = frozenset({"undelete", "undodelete", "undodeletion"})
NAMES = frozenset({"restore", "recover", "unremove"})
"""Names of actions that undo a deletion, if their words say so."""
_OF_DELETED = re.compile(r"\bdelet(?:ed|ion)\b", re.IGNORECASE)
_REJECTED = re.compile(r"\b409\b|\b(?:rejected|refused)\b", re.IGNORECASE)
_NOT_DELETED = re.compile(r"\b(?:is|was) not (?:been )?deleted\b|\bhas not been deleted\b", re.IGNORECASE)


def restoration_probes(subject: Subject, resource: Resource, delete: Operation) -> Iterator[Probe]:
    """Yield a probe for each action that undoes the deletion of a resource that can be created and read."""
    if resource.create is None or resource.read is None:
        return
    for action in resource_actions(subject, resource):
        if _undoes_deletion(action):
            run = partial(_check_restoration, subject, resource, delete, action)
            yield Probe(operation=operation_label(action), run=run)


def _undoes_deletion(action: Operation) -> bool:
    name = plain_letters(action_name(action.path))
    is_said = _OF_DELETED.search(f"{action.summary} {action.description}") is not None
    return name in CERTAIN_NAMES or (name in NAMES and is_said)


def _forbids_what_is_not_deleted(action: Operation) -> bool:
    """Return whether an action rejects a resource that is not deleted, by its description or that of its 409."""
    response = documented_response(action, CONFLICT)
    if response is None or not documents_exact_status(action, CONFLICT):
        return False
    rejecting = (each for each in operation_sentences(action) if _REJECTED.search(each))
    return any(map(_NOT_DELETED.search, (*sentences_of(response.description), *rejecting)))


def _check_restoration(
    subject: Subject, resource: Resource, delete: Operation, action: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Try to restore a resource with all of its members, delete it, restore it, and read it."""
    created = create_whole(subject, resource, send)
    before = read_created(subject, created, send)
    if not is_success(before) or is_from_cache(before):
        raise Unsendable("a created resource that can be read")
    early = send_to(subject, created, action, before, send) if _forbids_what_is_not_deleted(action) else None
    if early is not None and is_success(early):
        message = f"{created.id!r} is not deleted, and gets {early.status}"
        title = "what is not deleted is restored"
        yield last_response_failure(action, title, message, created.exchange, before, early)
        return
    deleted = delete_created(subject, created, delete, send, before)
    restored = send_to(subject, created, action, before, send) if is_success(deleted) else None
    if restored is None or not is_success(restored) or ACCEPTED in (deleted.status, restored.status):
        raise Unsendable("a deletion and a restoration that the deployment accepts at once")
    after = poll_until(partial(read_resource, subject, resource, created.id, send), send, is_success)
    evidence = (created.exchange, before, deleted, restored, after)
    if not is_success(after):
        message = f"{created.id!r} is restored, {restored.status}, and reading it gets {after.outcome}"
        yield last_response_failure(action, "a restored resource cannot be read", message, *evidence)
    elif differing := _differing_members(subject, created, before, after):
        message = f"{created.id!r} was read with other values before its deletion in: {', '.join(differing)}"
        yield last_response_failure(action, "a restored resource has other values", message, *evidence)


def _differing_members(
    subject: Subject, created: CreatedResource, before: Exchange, after: Exchange
) -> list[str]:
    """Return the members that only the client sets and that a restoration changed or removed."""
    resource = created.resource
    first, second = (leaf_members(resource_json(resource, exchange)) for exchange in (before, after))
    schema = resource_schema(subject, resource, resource.read, before.status)
    own = tuple(echoed_members(subject, created.sent_json, resource_json(resource, before), schema))
    lost = [".".join(path) for path in own if path in first and path not in second]
    return [*changed_members(first, second, iter(own)), *lost]
