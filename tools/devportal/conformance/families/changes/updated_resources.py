"""An update is read back as it was acknowledged, and the rest of the resource is unchanged."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.bulk.bulk_changes import bulk_change_probes
from devportal.conformance.families.bulk.bulk_orders import bulk_order_probes
from devportal.conformance.families.changes.ignored_updates import (
    MemberPath,
    is_change_visible,
    requested_changes,
)
from devportal.conformance.families.changes.json_patches import json_patch_probes
from devportal.conformance.families.changes.kept_history import history_probes
from devportal.conformance.families.changes.list_changes import list_change_probes
from devportal.conformance.families.changes.map_changes import map_change_probes
from devportal.conformance.families.changes.masked_changes import masked_change_probes
from devportal.conformance.families.changes.nested_members import nested_member_probes
from devportal.conformance.families.changes.partial_updates import partial_update_probes
from devportal.conformance.families.changes.single_resources import single_resource_probes
from devportal.conformance.families.changes.whole_changes import whole_change_probes
from devportal.conformance.families.creations.unusual_texts import change_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.request_variants import (
    request_variants,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    MOST_VARIANTS,
    REFUSED_STATUSES,
    CreatedResource,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    resource_json,
    sent_representation,
    with_if_match,
)
from devportal.conformance.knowledge.resources.neighbours import create_neighbour, neighbour_failures
from devportal.conformance.knowledge.resources.operation_resources import change_request, checkable_changes
from devportal.conformance.knowledge.resources.representation_match import (
    changed_members,
    echoed_members,
    leaf_members,
    resource_schema,
)
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.resources import Resource


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each operation that changes a resource that can be created and read."""
    for resource, change in checkable_changes(subject):
        yield Probe(operation=operation_label(change), run=partial(_check_change, subject, resource, change))
    yield from partial_update_probes(subject)
    yield from masked_change_probes(subject)
    yield from json_patch_probes(subject)
    yield from whole_change_probes(subject)
    yield from map_change_probes(subject)
    yield from list_change_probes(subject)
    yield from change_probes(subject)
    yield from single_resource_probes(subject)
    yield from nested_member_probes(subject)
    yield from history_probes(subject)
    yield from bulk_change_probes(subject)
    yield from bulk_order_probes(subject)


def _check_change(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    created = create_resource(subject, resource, send)
    read_again = partial(read_resource, subject, resource, created.id, send)
    neighbour = create_neighbour(subject, created, send)
    before = read_created(subject, created, send)
    changes = _accepted_changes(subject, created, change, before, send)
    update = next(changes, None)
    if update is None:
        raise Unsendable("a change that the deployment accepts and makes at once")
    paths = _promised_members(subject, resource, change, before, update)
    expected = {
        **leaf_members(sent_representation(resource, update.request)),
        **leaf_members(resource_json(resource, update)),
    }
    after = poll_until(
        read_again,
        send,
        lambda exchange: (
            not changed_members(expected, leaf_members(resource_json(resource, exchange)), iter(paths))
            and is_success(exchange)
        ),
    )
    if not is_success(before) or not is_success(after) or is_from_cache(after):
        raise Unsendable("a created resource that can be read")
    if wrong := changed_members(expected, leaf_members(resource_json(resource, after)), iter(paths)):
        message = f"what was changed is read with another value in: {', '.join(wrong)}"
        failure = _failure(change, "a change is not read back", message, created.exchange, update, after)
        yield replace(failure, member=wrong[0])
    yield from neighbour_failures(subject, neighbour, change, update, after, send)
    yield from _check_change_has_effect(subject, created, change, before, chain([update], changes), send)


def _check_change_has_effect(
    subject: Subject,
    created: CreatedResource,
    change: Operation,
    before: Exchange,
    updates: Iterator[Exchange],
    send: Send,
) -> Iterator[CheckFailure]:
    """Find an operation that executes none of several updates: a single member may be managed by the server."""
    attempts: list[tuple[Exchange, tuple[MemberPath, ...]]] = []
    for update in updates:
        paths = requested_changes(subject, created, before, update)
        if is_change_visible(created.resource, before, update, update, paths) or not (paths or attempts):
            return
        attempts.append((update, paths))

    def is_any_made(read_exchange: Exchange) -> bool:
        return any(
            is_change_visible(created.resource, before, update, read_exchange, paths)
            for update, paths in attempts
        )

    after = poll_until(partial(read_resource, subject, created.resource, created.id, send), send, is_any_made)
    if is_success(after) and not is_from_cache(after) and not is_any_made(after):
        named = ", ".join(dict.fromkeys(".".join(path) for _, paths in attempts for path in paths))
        message = f"the changed members still have their old values, in the response and when read: {named}"
        yield _failure(change, "a change does nothing", message, created.exchange, attempts[0][0], after)


def _accepted_changes(
    subject: Subject, created: CreatedResource, change: Operation, before: Exchange, send: Send
) -> Iterator[Exchange]:
    """Update a resource, with another value of one member after another and with the default request; yield
    the accepted exchanges.
    """
    resource_subject = with_resource_id(subject, created.resource, created.id)
    is_partial = change.method == "PATCH"
    valid_request = change_request(subject, created, change) if is_partial else resource_subject.valid(change)
    if valid_request is None:
        raise Unsendable(NO_VALID_REQUEST)
    for request in (
        *islice(request_variants(resource_subject, change, valid_request), MOST_VARIANTS),
        valid_request,
    ):
        exchange = send(
            change, with_if_match(change, with_new_idempotency_key(resource_subject, change, request), before)
        )
        if is_success(exchange) and exchange.status != ACCEPTED:
            yield exchange
        elif exchange.status not in REFUSED_STATUSES:
            return


def _promised_members(
    subject: Subject, resource: Resource, change: Operation, before: Exchange, update: Exchange
) -> tuple[tuple[str, ...], ...]:
    """Return the paths of members that the response shows as they were sent. Without a response body, of the
    numbers and booleans that were sent, since a server may rewrite texts.
    """
    sent, shown = sent_representation(resource, update.request), resource_json(resource, update)
    if isinstance(shown, dict):
        schema = resource_schema(subject, resource, change, update.status)
        return tuple(echoed_members(subject, sent, shown, schema))
    before_members = leaf_members(resource_json(resource, before))
    return tuple(
        path
        for path, value in leaf_members(sent).items()
        if isinstance(value, bool | int | float) and type(before_members.get(path)) is type(value)
    )


def _failure(change: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    return response_failure(change, evidence[1], title, message, *evidence)


FAMILY = Family(
    name="changed-things",
    summary="changes can be read",
    words=CheckDescription(
        promise="The response to a change matches what is read afterwards, and a successful change has an "
        "effect. Numbers, booleans and enumerated texts are stored as sent. A `PATCH` leaves the members it does "
        "not name unchanged, and a change of one resource leaves all others. A change moves the time of the last "
        "change, and neither the identifier nor the creation time.",
        test="Resources are created, changed to other values, and read for up to three seconds. What the "
        "client sent and received is compared. Then one boolean, one number, one text of an enumeration and "
        "one free text are changed alone, and a text gets quotes and letters beyond ASCII. "
        "Only members that the client set at creation are compared. A text that stays as it was is not a failure, "
        "because somebody may have to approve it first. Members that may be null "
        "are patched with null; a merge patch also changes part of an object, and a list. "
        "A change with an update mask, such as `updateMask=name`, sends two members and stores the one that is named. "
        "A JSON Patch replaces and removes members, adds items to lists, and changes nothing if its `test` fails. "
        "One entry of a map, such as labels, is changed, then another member: the other entries stay. "
        "A `PUT` that replaces by its words is sent without optional members, which keep no value. A list of objects "
        "is changed to that of another resource: computed numbers must follow. A `version` never falls, and grows if "
        "its description promises that. The `ETag` of the response is that of the next reading. A resource whose "
        "address ends without an identifier, such as settings, is changed in two members, one after another, and set "
        "back; those of another resource stay. A change below a resource whose body is a member of it, such as "
        "`PUT /users/{id}/address`, is "
        "read there. "
        "A number that counts what is below a resource by its description stays, and so does the state if the change "
        "has only what a client may set by its description. A request that takes a list of identifiers and returns a "
        "result with a status for each, such as a 207, is sent for two resources and one that does not exist, and by "
        "another account: each has its own result.",
        remedy="Write the change before you respond, and only the members it names. Respond with what you "
        "wrote.",
        sources=("RFC 5789 §2", "RFC 6902 §4", "RFC 7396 §2", "RFC 9110 §9.3.4"),
    ),
    needs="a resource that can be created, read and changed, or settings at an address without an identifier",
    probes=probes,
    about_state=True,
)
