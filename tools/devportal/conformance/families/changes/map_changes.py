"""Changes of maps, whose names clients choose, such as labels: an entry is changed, and the others stay."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.creations.lost_members import ENTRY_NAMES, map_entries, map_members
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import says_that_member_merges
from devportal.conformance.knowledge.failures import first_response_failure
from devportal.conformance.knowledge.requests.request_variants import (
    takes_merge_patch,
    valid_body,
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
)
from devportal.conformance.knowledge.resources.operation_resources import change_body, send_members
from devportal.conformance.knowledge.resources.representation_match import is_certainly_different
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.resources import Resource, object_properties
from devportal.contract.wording import quote_value


def map_change_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each change of a resource with a map that a client can set at its creation."""
    for resource in subject.resources:
        if resource.create is None or resource.read is None:
            continue
        maps = {name for name, values in map_members(subject, resource) if values is not None}
        for change in resource.changes if maps else ():
            run = partial(_check_maps, subject, resource, change, frozenset(maps))
            yield Probe(operation=operation_label(change), run=run)


def _check_maps(
    subject: Subject, resource: Resource, change: Operation, names: frozenset[str], send: Send
) -> Iterator[CheckFailure]:
    """Create a resource with a map of two entries, change one of them, then another member."""
    for name in sorted(names):
        created = _create_with_entries(subject, resource, name, send)
        before = read_created(subject, created, send)
        entries = shown_members(resource, before).get(name)
        if not isinstance(entries, dict) or not all(entry in entries for entry in ENTRY_NAMES):
            continue
        failure = _entry_failure(subject, created, change, name, before, send)
        if failure is not None:
            yield failure
        return
    raise Unsendable("a map whose entries can be changed, of a resource that the deployment creates")


def _create_with_entries(subject: Subject, resource: Resource, name: str, send: Send) -> CreatedResource:
    create = resource.create
    body = valid_body(subject, create)
    values = dict(map_members(subject, resource))[name]
    members = {**body.members, name: map_entries(subject, values)} if body and values is not None else {}
    if body is None or not members[name] or not body.is_valid(subject, members):
        raise Unsendable("a creation with two entries in a map")
    return create_resource(subject, resource, send, request=body.request(members))


def _entry_failure(
    subject: Subject, created: CreatedResource, change: Operation, name: str, before: Exchange, send: Send
) -> CheckFailure | None:
    resource = created.resource
    first, second = ENTRY_NAMES
    entries = shown_members(resource, before)[name]
    other = entries[second]
    is_merged = takes_merge_patch(change) or (
        change.method == "PATCH" and says_that_member_merges(change, name)
    )
    changed_entry = {first: other} if is_merged else {**entries, first: other}
    update = send_members(subject, created, change, {name: changed_entry}, before, send)
    if update is None or not is_success(update) or update.status == ACCEPTED:
        raise Unsendable("a change of a map that the deployment accepts")

    def is_changed(exchange: Exchange) -> bool:
        shown = shown_members(resource, exchange).get(name)
        return isinstance(shown, dict) and not is_certainly_different(shown.get(first), other)

    after = poll_until(partial(read_resource, subject, resource, created.id, send), send, is_changed)
    shown = shown_members(resource, after).get(name)
    if not is_success(after) or is_from_cache(after):
        return None
    evidence = (created.exchange, before, update, after)
    if not is_changed(after):
        read = shown.get(first) if isinstance(shown, dict) else shown
        message = f"{first!r} of {name!r} was sent as {quote_value(other)} and is read as {quote_value(read)}"
        return first_response_failure(change, "a change of a map is not read back", message, *evidence)
    if isinstance(shown, dict) and is_certainly_different(shown.get(second), other):
        message = (
            f"{first!r} of {name!r} was changed; {second!r} was {quote_value(other)}, and is "
            f"{quote_value(shown.get(second))}"
        )
        return first_response_failure(
            change, "a change of a map changes its other entries", message, *evidence
        )
    return (
        _other_member_failure(subject, created, change, name, after, send)
        if change.method == "PATCH"
        else None
    )


def _other_member_failure(
    subject: Subject, created: CreatedResource, change: Operation, name: str, before: Exchange, send: Send
) -> CheckFailure | None:
    """Return the failure of a PATCH of another member that changes the map, which it does not name (RFC 5789 §2)."""
    body = change_body(subject, created, change)
    sent = created.sent_members
    others = (
        property_.name
        for property_ in object_properties(subject.api, body.schema)
        if property_.name != name and isinstance(sent.get(property_.name), str | bool | int)
    )
    other = next(others, None)
    members = {other: sent[other]} if other is not None else {}
    update = send_members(subject, created, change, members, before, send) if members else None
    if update is None or not is_success(update) or update.status == ACCEPTED:
        return None
    after = read_resource(subject, created.resource, created.id, send)
    first, second = (shown_members(created.resource, exchange).get(name) for exchange in (before, after))
    if is_success(after) and not is_from_cache(after) and is_certainly_different(first, second):
        message = f"the change names {other!r} only; {name!r} was {quote_value(first)}, and is {quote_value(second)}"
        evidence = (created.exchange, before, update, after)
        return first_response_failure(change, "a change loses what it does not name", message, *evidence)
    return None
