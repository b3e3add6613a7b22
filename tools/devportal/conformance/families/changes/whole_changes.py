"""Changes of whole resources: null in a patch takes a value away, a replacement takes away what it leaves out, and
computed values follow.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.creations.lost_members import create_whole
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import (
    raised_members,
    says_that_it_merges,
    says_that_it_replaces,
)
from devportal.conformance.knowledge.failures import first_response_failure
from devportal.conformance.knowledge.json_api import members_schema
from devportal.conformance.knowledge.requests.request_variants import (
    takes_merge_patch,
    valid_body,
    varied_texts_request,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    GONE_STATUSES,
    CreatedResource,
    create_resource,
    differing_tags,
    is_from_cache,
    is_success,
    read_created,
    read_resource,
    shown_members,
    with_if_match,
)
from devportal.conformance.knowledge.resources.operation_resources import (
    change_body,
    change_request,
    checkable_changes,
)
from devportal.conformance.knowledge.resources.representation_match import (
    is_certainly_different,
    is_equivalent,
    is_json_number,
    resource_schema,
)
from devportal.conformance.knowledge.resources.versions import VERSION_NAMES
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import ABSENT, Operation, Property, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.wording import quote_value

_GROWS = re.compile(
    r"\b(grows?|increas\w*|increment\w*|rais\w*|bump\w*|goes up|counts? up|optimistic|"
    r"(?:each|every) (?:change|update))\b",
    re.IGNORECASE,
)


def whole_change_probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each operation that changes a resource that can be created and read."""
    for resource, change in checkable_changes(subject):
        name = operation_label(change)
        yield Probe(operation=name, run=partial(_check_versions, subject, resource, change))
        if change.method == "PATCH":
            yield Probe(operation=name, run=partial(_check_null, subject, resource, change))
            yield Probe(operation=name, run=partial(_check_computed, subject, resource, change))
        if change.method == "PUT" and _is_replacement(resource, change):
            yield Probe(operation=name, run=partial(_check_replacement, subject, resource, change))


def _is_replacement(resource: Resource, change: Operation) -> bool:
    """Return whether a PUT replaces the resource by its words, or since it creates it as well (RFC 9110 §9.3.4): many
    merge, and say so.
    """
    return says_that_it_replaces(change) or (resource.is_created_by_put and not says_that_it_merges(change))


def _create_whole(subject: Subject, resource: Resource, send: Send) -> tuple[CreatedResource, Exchange]:
    """Create a resource with all members that the deployment takes, and read it."""
    created = create_whole(subject, resource, send)
    before = read_created(subject, created, send)
    if not is_success(before) or is_from_cache(before):
        raise Unsendable("a created resource that can be read")
    return created, before


def _send_members(
    subject: Subject,
    created: CreatedResource,
    change: Operation,
    members: Mapping[str, Any],
    before: Exchange,
    send: Send,
) -> Exchange | None:
    """Send a change with these members; return None if the contract does not allow them."""
    body = change_body(subject, created, change)
    if not body.is_valid(subject, members):
        return None
    request = with_if_match(change, body.request(members), before)
    return send(change, with_new_idempotency_key(subject, change, request))


def _is_made(exchange: Exchange | None) -> bool:
    return exchange is not None and is_success(exchange) and exchange.status != ACCEPTED


def _check_null(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Set the members of a resource that may be null, then send null for each (RFC 7396 §2); change one member
    of a nested object, and a list.
    """
    created, before = _create_whole(subject, resource, send)
    body = change_body(subject, created, change)
    is_merge = takes_merge_patch(change)
    if not is_merge and re.search(r"\bnull\b", f"{change.summary} {change.description}") is None:
        raise Unsendable("a merge patch, or a description that says what null does")
    schema = resource_schema(subject, resource, resource.read, before.status)
    shown_members_of = {
        property_.name: property_ for property_ in (object_properties(subject.api, schema) if schema else ())
    }
    shown = {name: subject.api.resolve(property_.schema) for name, property_ in shown_members_of.items()}
    has_compared = False
    for property_ in object_properties(subject.api, body.schema):
        value = shown_members(resource, before).get(property_.name)
        if value in EMPTY_VALUES or property_.name not in shown or property_.name not in created.sent_members:
            continue
        may_be_null = shown[property_.name].nullable or (
            is_merge and _may_be_removed(subject, property_, shown_members_of[property_.name], created)
        )
        for members, expected in _patches(
            subject, property_.name, value, shown[property_.name], is_merge=is_merge, may_be_null=may_be_null
        ):
            update = _send_members(subject, created, change, members, before, send)
            if update is None or not _is_made(update):
                continue
            after = read_resource(subject, resource, created.id, send)
            if not is_success(after) or is_from_cache(after):
                return
            has_compared = True
            read = shown_members(resource, after).get(property_.name)
            failure = _patch_failure(property_.name, value, expected, read, is_merge=is_merge)
            if failure is not None:
                yield first_response_failure(change, *failure, created.exchange, before, update, after)
                return
            before = after
    if not has_compared:
        raise Unsendable("a member that may be null, of a resource that the deployment lets change")


def _may_be_removed(subject: Subject, sent: Property, shown: Property, created: CreatedResource) -> bool:
    """Return whether null removes a member (RFC 7396 §1): the patch allows null, the response need not have the
    member, and no default comes instead.
    """
    create = created.resource.create
    creation = body_schema(create) if create is not None else None
    members: list[Property] = [sent, shown]
    if creation is not None:
        described = members_schema(subject.api, creation, created.resource.envelope)
        members += object_properties(subject.api, described)
    meanings = [subject.api.resolve(member.schema) for member in members if member.name == sent.name]
    return meanings[0].nullable and not shown.required and all(each.default is ABSENT for each in meanings)


def _patches(
    subject: Subject, name: str, value: Any, shown: Schema, *, is_merge: bool, may_be_null: bool
) -> Iterator[tuple[Mapping[str, Any], Any]]:
    """Yield patches of one member, and the value that it has afterwards: part of an object, another list, null."""
    if isinstance(value, dict) and is_merge and len(value) > 1:
        inner = {
            property_.name: subject.api.resolve(property_.schema)
            for property_ in object_properties(subject.api, shown)
        }
        for key, item in value.items():
            is_text = isinstance(item, str) and key in inner and not inner[key].enum and not inner[key].format
            if is_text and not any(constraint.keyword == "pattern" for constraint in inner[key].constraints):
                yield {name: {key: f"{item[:-1]}x"}}, {**value, key: f"{item[:-1]}x"}
                break
    if isinstance(value, list) and is_merge and all(isinstance(item, str) for item in value):
        yield {name: value[:1]}, value[:1]
    if may_be_null:
        yield {name: None}, None


def _patch_failure(
    name: str, value: Any, expected: Any, read: Any, *, is_merge: bool
) -> tuple[str, str] | None:
    """Return the title and the message of the failure of an accepted patch."""
    if expected is None:
        is_kept = read is not None and is_equivalent(read, value)
        if is_kept or (is_merge and read == ""):
            return (
                "null in a patch does not take the value away",
                f"{name!r} was sent as null and is read as {quote_value(read)}",
            )
    elif isinstance(expected, dict) and isinstance(read, dict):
        lost = [
            key
            for key, item in expected.items()
            if item not in EMPTY_VALUES and is_certainly_different(read.get(key), item)
        ]
        lost = [key for key in lost if is_equivalent(value.get(key), expected[key])]
        if lost:
            message = f"a member of {name!r} was changed, and these changed as well: {', '.join(lost)}"
            return "a patch of an object changes its other members", message
    elif isinstance(expected, list) and isinstance(read, list) and len(read) > len(expected):
        return (
            "a patch does not replace a list",
            f"{name!r} was sent as {quote_value(expected)} and is read as {quote_value(read)}",
        )
    return None


def _check_replacement(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Replace a resource by one without its optional members: they have no value afterwards, or their default."""
    created, before = _create_whole(subject, resource, send)
    body = change_body(subject, created, change)
    required = {
        property_.name for property_ in object_properties(subject.api, body.schema) if property_.required
    }
    shown = shown_members(resource, before)  # has what a creation does not take, such as a version
    known = {**{name: shown[name] for name in required if name in shown}, **created.sent_members}
    members = {name: value for name, value in known.items() if name in required}
    update = _send_members(subject, created, change, members, before, send)
    if update is None or not _is_made(update):
        raise Unsendable("a replacement that leaves out optional members, and that the deployment accepts")
    after = read_resource(subject, resource, created.id, send)
    first, second = shown_members(resource, before), shown_members(resource, after)
    defaults = {
        property_.name: subject.api.resolve(property_.schema).default
        for property_ in object_properties(subject.api, body.schema)
    }
    kept = [
        name
        for name, default in defaults.items()
        if name not in members
        and name in created.sent_members
        and str(first.get(name)) != created.id
        and first.get(name) not in (*EMPTY_VALUES, False, 0)
        and not (default is not ABSENT and is_equivalent(first.get(name), default))
        and not matches_any_name(name, subject.conventions.state)
        and name in second
        and is_equivalent(first[name], second[name])
    ]
    if not kept or not is_success(after) or is_from_cache(after):
        return
    usual = _usual_values(subject, resource, send)
    kept = [name for name in kept if name not in usual or not is_equivalent(first[name], usual[name])]
    if kept:
        message = f"it leaves these out, and they keep their values: {', '.join(kept)}"
        yield first_response_failure(
            change, "a replacement keeps what it leaves out", message, created.exchange, before, update, after
        )


def _usual_values(subject: Subject, resource: Resource, send: Send) -> Mapping[str, Any]:
    """Return the members of a resource that is created with its required members alone: a deployment may have
    defaults that the contract does not tell. Raises Unsendable if it cannot be created so.
    """
    body = valid_body(subject, resource.create)
    if body is None:
        raise Unsendable("a creation with an object as its body")
    required = {
        property_.name for property_ in object_properties(subject.api, body.schema) if property_.required
    }
    members = {name: value for name, value in body.members.items() if name in required}
    if not body.is_valid(subject, members):
        raise Unsendable("a creation with the required members alone")
    created = create_resource(subject, resource, send, request=body.request(members))
    return shown_members(resource, read_created(subject, created, send))


def _check_versions(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Change a resource: it is still there, its version is a later one, and the tag of the response is its tag."""
    created = create_resource(subject, resource, send)
    before = read_created(subject, created, send)
    request = change_request(subject, created, change)
    if request is None or not is_success(before):
        raise Unsendable("a change of a resource that can be read")
    if _has_version(shown_members(resource, before)) and len(resource.changes) > 1:
        # A version that a change sets back to the first one is seen at a later one.
        other = next(operation for operation in resource.changes if operation is not change)
        first = change_request(subject, created, other)
        if first is not None:
            send(other, with_new_idempotency_key(subject, other, with_if_match(other, first, before)))
            before = read_created(subject, created, send)
    candidates: tuple[Request, ...] = (request,)
    if next(raised_members(change, tuple(shown_members(resource, before))), None) is not None:
        # A change that changes nothing need not raise anything.
        candidates = (varied_texts_request(subject, change, request), request)
    updates = (
        send(change, with_new_idempotency_key(subject, change, with_if_match(change, candidate, before)))
        for candidate in candidates
    )
    update = next(filter(_is_made, updates), None)
    if update is None:
        raise Unsendable("a change that the deployment accepts")
    after = read_created(subject, created, send)
    evidence = (created.exchange, before, update, after)
    if after.status in GONE_STATUSES:
        message = f"{created.id!r} was read before the change; reading it gets {after.status} after it"
        yield first_response_failure(change, "a change makes a resource unreadable", message, *evidence)
        return
    if not is_success(after) or is_from_cache(after):
        return
    tags = differing_tags(change, resource, update, after)
    if tags is not None:
        message = (
            f"the response to the change has {tags[0]}, and the same representation is read with {tags[1]}"
        )
        yield first_response_failure(
            change, "a change answers with another ETag than that of its result", message, *evidence
        )
    yield from _version_failures(subject, resource, change, evidence)


def _has_version(members: Mapping[str, Any]) -> bool:
    return any(
        matches_any_name(name, VERSION_NAMES) and isinstance(value, int) for name, value in members.items()
    )


def _version_failures(
    subject: Subject,
    resource: Resource,
    change: Operation,
    evidence: tuple[Exchange, ...],
) -> Iterator[CheckFailure]:
    first, second = shown_members(resource, evidence[1]), shown_members(resource, evidence[3])
    schema = resource_schema(subject, resource, resource.read, evidence[1].status)
    raised = dict(raised_members(change, tuple(first)))
    for property_ in object_properties(subject.api, schema) if schema is not None else ():
        meaning = subject.api.resolve(property_.schema)
        earlier, later = first.get(property_.name), second.get(property_.name)
        description = f"{meaning.description}\n{raised.get(property_.name, '')}"
        is_named = matches_any_name(property_.name, VERSION_NAMES) or property_.name in raised
        is_version = is_named and "integer" in meaning.types
        if not is_version or not isinstance(earlier, int) or not isinstance(later, int):
            continue
        ignored = (property_.name, *subject.conventions.updated)
        changed = {
            name
            for name, value in first.items()
            if name in second
            and not matches_any_name(name, ignored)
            and not is_equivalent(value, second[name])
        }
        has_to_grow = bool(changed) and _GROWS.search(description) is not None
        # A state that moves by itself meanwhile is one more change.
        is_alone = not any(matches_any_name(name, subject.conventions.state) for name in changed)
        is_by_one = re.search(r"\bby one\b|\bby 1\b", description) is not None
        if later < earlier or (has_to_grow and later == earlier):
            message = f"{property_.name!r} was {earlier}, and is {later} after the change"
            yield first_response_failure(
                change, f"a change does not raise {property_.name!r}", message, *evidence
            )
        elif has_to_grow and is_by_one and is_alone and later > earlier + 1:
            message = f"{property_.name!r} was {earlier}, and is {later} after one change"
            yield first_response_failure(
                change, f"one change raises {property_.name!r} by more than one", message, *evidence
            )


def _check_computed(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Give a resource the members of another one: the numbers that a deployment computes are equal then."""
    create = resource.create
    body = valid_body(subject, create)
    other = _longer_lists(body.members) if body is not None else {}
    if body is None or not other or not body.is_valid(subject, {**body.members, **other}):
        raise Unsendable("a resource with a list of objects, from which values are computed")
    first = create_resource(subject, resource, send, request=body.request({**body.members, **other}))
    second = create_resource(subject, resource, send, request=body.request(body.members))
    before = read_created(subject, second, send)
    update = _send_members(subject, second, change, other, before, send)
    if update is None or not _is_made(update):
        raise Unsendable("a change of a list that the deployment accepts")
    wanted = read_created(subject, first, send)
    after = read_resource(subject, resource, second.id, send)
    schema = resource_schema(subject, resource, resource.read, after.status)
    target, start, end = (shown_members(resource, exchange) for exchange in (wanted, before, after))
    stale = [
        property_.name
        for property_ in (object_properties(subject.api, schema) if schema is not None else ())
        if property_.name not in body.members
        and not matches_any_name(
            property_.name, (*VERSION_NAMES, *subject.conventions.identifier, *subject.conventions.created)
        )
        and is_json_number(target.get(property_.name))
        and target[property_.name] != start.get(property_.name)
        and end.get(property_.name) == start.get(property_.name)
    ]
    if stale:  # a number that differs between equal resources, such as a sequence, is not computed
        twin = create_resource(subject, resource, send, request=body.request(body.members))
        same = shown_members(resource, read_created(subject, twin, send))
        stale = [name for name in stale if same.get(name) == start.get(name)]
    is_stored = all(is_equivalent(end.get(name), target.get(name)) for name in other)
    if stale and is_stored and not is_from_cache(after):
        message = (
            f"{', '.join(repr(text) for text in stale)}: {quote_value(start[stale[0]])} before and after "
            f"{', '.join(map(repr, other))} changed; a resource created with the same has "
            f"{quote_value(target[stale[0]])}"
        )
        title = "a change does not update a computed value"
        yield first_response_failure(
            change, title, message, first.exchange, wanted, second.exchange, before, update, after
        )


def _longer_lists(members: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the lists of objects of a request, each with its first item twice and with larger numbers."""
    return {
        name: [*value, {key: item + 1 if is_json_number(item) else item for key, item in value[0].items()}]
        for name, value in members.items()
        if isinstance(value, list) and value and isinstance(value[0], dict)
    }
