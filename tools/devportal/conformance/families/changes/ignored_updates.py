"""Finds updates that are acknowledged but have no effect."""

import re
from collections.abc import Iterator

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.resources.created_resources import (
    CreatedResource,
    resource_json,
    sent_representation,
)
from devportal.conformance.knowledge.resources.representation_match import (
    is_certainly_different,
    is_equivalent,
    is_masked,
    leaf_members,
    resource_schema,
    state_members,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation, Property
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource

MemberPath = tuple[str, ...]
_IS_KEPT = re.compile(
    r"\b(?:immutable|read[- ]only|ignored|confirm\w*|verif\w*|pending|only (?:at|on|when|during)|cannot|can't|never|"
    r"not (?:be )?(?:changed|updated|modified|edited|stored|saved|shown|returned))\b",
    re.IGNORECASE,
)
"""Words about members that a change leaves as they were."""
_IS_CONFIRMED = re.compile(r"mail|phone|mobile|address|domain|password|secret|token|url|iban", re.IGNORECASE)
"""Names of members that somebody confirms before they change."""
_IS_FIXED = re.compile(
    r"user_?name|login|handle|slug|sku|code|currency|country|type|kind|key|serial|number|reference|isbn|locale|owner|"
    r"_id$|(?-i:[a-z]Id$)|^id$",
    re.IGNORECASE,
)
"""Names of members that say what something is: many APIs take them in the schema of a creation, which is that of
changes too, and keep them.
"""


def requested_changes(
    subject: Subject, created: CreatedResource, before: Exchange, update: Exchange
) -> tuple[MemberPath, ...]:
    """Return the paths of the members that an update sets to another value, of those that its response shows
    and a client may change.
    """
    requested, sent_at_creation = (
        leaf_members(sent_representation(created.resource, update.request)),
        leaf_members(created.sent_json),
    )
    before_members, shown_members = (
        leaf_members(resource_json(created.resource, exchange)) for exchange in (before, update)
    )
    # The value sent at creation may be the current one, in the server's own notation.
    others = (
        path
        for path, value in requested.items()
        if path in before_members
        and path in shown_members
        and is_certainly_different(value, before_members[path])
        and (path not in sent_at_creation or is_certainly_different(value, sent_at_creation[path]))
    )
    server_managed = set(_server_managed_members(subject, created, before))
    return tuple(
        path for path in others if path not in server_managed and not is_masked(before_members[path])
    )


def is_change_visible(
    resource: Resource,
    before: Exchange,
    update: Exchange,
    read_exchange: Exchange,
    paths: tuple[MemberPath, ...],
) -> bool:
    """Return whether an update has any visible effect: another value at one of the paths, or a text that was
    sent at any other path, such as an address that is yet to be confirmed.
    """
    requested = leaf_members(sent_representation(resource, update.request))
    before_members, shown_members = (
        leaf_members(resource_json(resource, exchange)) for exchange in (before, read_exchange)
    )
    texts = [requested[path] for path in paths if isinstance(requested[path], str)]
    is_moved = any(
        path not in shown_members or not is_equivalent(before_members[path], shown_members[path])
        for path in paths
    )
    return is_moved or any(
        value in texts and before_members.get(path) != value for path, value in shown_members.items()
    )


def _server_managed_members(
    subject: Subject, created: CreatedResource, before: Exchange
) -> Iterator[MemberPath]:
    """Yield the paths of members that servers manage themselves: identifiers, times, and states."""
    conventions = subject.conventions
    names = (*conventions.identifier[:1], *conventions.created, *conventions.updated, *conventions.state)
    states = {
        state_member.name
        for state_member in state_members(
            subject, resource_schema(subject, created.resource, created.resource.read, before.status)
        )
    }
    for path in leaf_members(resource_json(created.resource, before)):
        if path == created.resource.key or path[0] in states or matches_any_name(path[-1], names):
            yield path


def is_confirmed_first(name: str) -> bool:
    """Return whether somebody confirms a member before it changes, by its name: an address, or a secret."""
    return _IS_CONFIRMED.search(name) is not None


def is_kept_by_words(text: str) -> bool:
    """Return whether a description says that a member stays as it was: it is computed, read-only, or confirmed."""
    return _IS_KEPT.search(text) is not None


def may_stay(subject: Subject, change: Operation, member: Property) -> bool:
    """Return whether a text may stay as it was after an accepted change of it: one of a format or a name that somebody
    confirms first, such as an address, one that says what something is, such as a code, and one whose description
    allows it.
    """
    meaning = subject.api.resolve(member.schema)
    texts = (member.schema.description, meaning.description, change.summary, change.description)
    is_usual = is_confirmed_first(member.name) or _IS_FIXED.search(member.name)
    return bool(meaning.format or is_usual) or any(map(is_kept_by_words, texts))
