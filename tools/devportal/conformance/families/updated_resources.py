"""An update is read back as it was acknowledged, and the rest of the resource is unchanged."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.ignored_updates import MemberPath, is_change_visible, requested_changes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.created_resources import (
    ACCEPTED,
    MOST_VARIANTS,
    REFUSED_STATUSES,
    CreatedResource,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_resource,
    request_for,
    response_json,
    response_location,
    with_if_match,
    with_resource_id,
)
from devportal.conformance.knowledge.representation_match import (
    EMPTY_VALUES,
    changed_members,
    echoed_members,
    leaf_members,
    response_schema,
)
from devportal.conformance.knowledge.request_variants import (
    request_json,
    request_variants,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources import Resource
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import Operation


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that changes a resource that can be created and read."""
    for resource in subject.resources:
        for change in resource.changes if resource.create is not None and resource.read is not None else ():
            yield Probe(
                operation=operation_label(change), run=partial(_check_change, subject, resource, change)
            )


def _check_change(
    subject: Subject, resource: Resource, change: Operation, send: Send
) -> Iterator[CheckFailure]:
    created = create_resource(subject, resource, send)
    read_again = partial(read_resource, subject, resource, created.id, send)
    before = poll_until(read_again, send, is_success)
    changes = _accepted_changes(subject, created, change, before, send)
    update = next(changes, None)
    if update is None:
        raise Unsendable("a change that the deployment accepts and makes at once")
    paths = _promised_members(subject, change, before, update)
    expected = {**leaf_members(_sent_json(update)), **leaf_members(response_json(update))}
    after = poll_until(
        read_again,
        send,
        lambda one: (
            not changed_members(expected, leaf_members(response_json(one)), iter(paths)) and is_success(one)
        ),
    )
    if not is_success(before) or not is_success(after) or is_from_cache(after):
        raise Unsendable("a created resource that can be read")
    if wrong := changed_members(expected, leaf_members(response_json(after)), iter(paths)):
        message = f"what was changed is read with another value in: {', '.join(wrong)}"
        failure = _failure(change, "a change is not read back", message, created.exchange, update, after)
        yield replace(failure, member=wrong[0])
    if lost := _lost_members(subject, created, before, update, after) if change.method == "PATCH" else []:
        message = f"the change does not name and takes away: {', '.join(lost)}"
        failure = _failure(
            change, "a change loses what it does not name", message, created.exchange, update, after
        )
        yield replace(failure, member=lost[0])
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
        if is_change_visible(before, update, update, paths) or not (paths or attempts):
            return
        attempts.append((update, paths))

    def is_any_made(read_exchange: Exchange) -> bool:
        return any(is_change_visible(before, update, read_exchange, paths) for update, paths in attempts)

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
    valid_request = request_for(resource_subject, change)
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


def _sent_json(update: Exchange) -> Any:
    return request_json(update.request)


def _promised_members(
    subject: Subject, change: Operation, before: Exchange, update: Exchange
) -> tuple[tuple[str, ...], ...]:
    """Return the paths of members that the response shows as they were sent. Without a response body, of the
    numbers and booleans that were sent, since a server may rewrite texts.
    """
    sent, shown = _sent_json(update), response_json(update)
    if isinstance(shown, dict):
        return tuple(echoed_members(subject, sent, shown, response_schema(change, update.status)))
    before_members = leaf_members(response_json(before))
    return tuple(
        path
        for path, value in leaf_members(sent).items()
        if isinstance(value, bool | int | float) and type(before_members.get(path)) is type(value)
    )


def _lost_members(
    subject: Subject, created: CreatedResource, before: Exchange, update: Exchange, after: Exchange
) -> list[str]:
    """Return the members that the client set at creation and that an update of others removed (RFC 5789 §2)."""
    sent, before_members, after_members = (
        _sent_json(update),
        leaf_members(response_json(before)),
        leaf_members(response_json(after)),
    )
    if not isinstance(sent, dict):
        return []
    schema = response_schema(created.resource.create, created.exchange.status)
    echoed = echoed_members(subject, created.sent_json, created.representation, schema)
    return [
        ".".join(path)
        for path in echoed
        if path[0] not in sent
        and before_members.get(path) not in EMPTY_VALUES
        and after_members.get(path) in EMPTY_VALUES
    ]


def _failure(change: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(change),
        promise=response_location(change, evidence[1]),
        evidence=evidence,
    )


FAMILY = Family(
    name="changed-things",
    summary="changes can be read",
    words=CheckDescription(
        promise="The response to a change matches what is read afterwards, and a successful change has an "
        "effect. A `PATCH` leaves the members it does not name unchanged.",
        test="Resources are created, changed to other values, and read for up to three seconds. What the "
        "client sent and received is compared. If no member in a change has a new value, others are "
        "tried: only an operation without any effect is a failure.",
        remedy="Write the change before you respond, and only the members it names.",
        sources=("RFC 5789 §2", "RFC 9110 §9.3.4"),
    ),
    needs="a resource that can be created, read and changed",
    probes=probes,
    about_state=True,
)
