"""What a request of an action sets and its response shows is read back: the new ward of `POST /visits/{id}/move`."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.changes.ignored_updates import is_confirmed_first
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import first_response_failure
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    object_body,
    request_variants,
    valid_body,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    resource_json,
    shown_members,
    with_if_match,
)
from devportal.conformance.knowledge.resources.representation_match import (
    is_certainly_different,
    is_equivalent,
    is_masked,
)
from devportal.conformance.knowledge.resources.state_actions import resource_actions
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.path_templates import action_name, action_target, names_resource
from devportal.contract.resources import Resource
from devportal.contract.wording import name_words, quote_value
from devportal.documents import member_at

_SETTING_VERBS = frozenset({"change", "set", "update", "switch", "replace", "edit", "move", "assign"})
_NOT_AT_ONCE = re.compile(
    r"preview|simulat|estimat|calculat|validat|dry|propos|request(?!\s+body)|schedul|queue|later|eventually|asynchron|"
    r"approv|confirm|verif|review|moderat|e-?mail|effective|next|until|at the end|takes? effect|pending",
    re.IGNORECASE,
)
"""Words of an action that may set its values later, or not at all."""


def action_value_probes(subject: Subject, resource: Resource) -> Iterator[Probe]:
    """Yield a probe for each action of a resource that takes members, and for each PUT and PATCH of a fixed segment
    below it, such as `/orders/{id}/quantity`.
    """
    if resource.create is None or resource.read is None:
        return
    setters = (
        operation
        for operation in subject.operations
        if operation.method in ("PUT", "PATCH") and action_target(operation.path) == resource.value_key
    )
    for action in (*resource_actions(subject, resource), *setters):
        body = valid_body(subject, action)
        if body is not None and body.members:
            run = partial(_check_values, subject, resource, action)
            yield Probe(operation=operation_label(action), run=run)


def _check_values(
    subject: Subject, resource: Resource, action: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Execute an action with values that the resource does not have, and read it."""
    created = create_resource(subject, resource, send)
    before = read_created(subject, created, send)
    body = valid_body(with_resource_id(subject, resource, created.id), action)
    if body is None or not is_success(before) or is_from_cache(before):
        raise Unsendable("a created resource that can be read, and a valid request of its action")
    sent: Mapping[str, Any] = _with_other_references(subject, body.members, send)
    if action.method in ("PUT", "PATCH") and not _changed_names(sent, shown_members(resource, before)):
        sent = _other_values(subject, action, body, shown_members(resource, before))
    request = with_if_match(
        action, body.request(sent if body.is_valid(subject, sent) else body.members), before
    )
    acted = send(action, with_new_idempotency_key(subject, action, request))
    shown_id = member_at(resource_json(resource, acted), resource.key)
    set_names = _set_names(sent, shown_members(resource, before), shown_members(resource, acted))
    if acted.status != ACCEPTED and str(shown_id) == created.id:
        ignored = tuple(_ignored_values(action, sent, (created.exchange, before, acted), resource))
        if ignored:
            yield from ignored
            return
    if acted.status == ACCEPTED or str(shown_id) != created.id or not set_names:
        raise Unsendable("an action whose response shows a value that its request sets")

    def unread_names(reading: Exchange) -> list[str]:
        shown = shown_members(resource, reading)
        return [name for name in set_names if name in shown and not is_equivalent(shown[name], sent[name])]

    after = poll_until(
        partial(read_resource, subject, resource, created.id, send),
        send,
        lambda reading: not unread_names(reading),
    )
    if (lost := unread_names(after)) and not is_from_cache(after):
        message = f"the response shows what was sent, and a reading shows other values of: {', '.join(lost)}"
        evidence = (created.exchange, before, acted, after)
        yield first_response_failure(action, "an action is not read back", message, *evidence)


def _ignored_values(
    action: Operation, sent: Mapping[str, Any], evidence: tuple[Exchange, ...], resource: Resource
) -> Iterator[CheckFailure]:
    """Yield a failure if an action that changes a member by its name, such as `change_plan` and `plan_id`, responds
    with the value that the resource had before.
    """
    before, shown = (shown_members(resource, exchange) for exchange in evidence[1:])
    for name in _changed_names(sent, before):
        is_kept = name in shown and is_equivalent(shown[name], before[name]) and not is_masked(before[name])
        if is_kept and sets_member_at_once(action, name):
            old, new = quote_value(shown[name]), quote_value(sent[name])
            message = f"{name!r} was sent as {new}; it is {old} before and after"
            title = f"an action leaves {name!r} as it was"
            yield first_response_failure(action, title, message, *evidence)
            return


def sets_member_at_once(action: Operation, name: str) -> bool:
    """Return whether an action sets a member by its name, a verb and the member, such as `change_plan` for `plan_id`.
    An address or a secret may be confirmed first, and a description may say that what is sent takes effect later.
    """
    words = name_words(action_name(action.path))
    member = tuple(word for word in name_words(name) if word not in ("id", "ids", "new"))
    if not words or not member or is_confirmed_first(name):
        return False
    if _NOT_AT_ONCE.search(f"{action.id} {action.summary} {action.description}"):
        return False
    if action.method in ("PUT", "PATCH"):
        return words == member
    return words == (f"re{name}",) or (words[0] in _SETTING_VERBS and words[1:] == member)


def _with_other_references(subject: Subject, members: Mapping[str, Any], send: Send) -> dict[str, Any]:
    """Return members in which those that name resources have the identifiers of new ones."""
    changed = dict(members)
    for name, value in members.items():
        for resource in subject.resources:
            is_id = isinstance(value, str | int) and not isinstance(value, bool)
            is_reference = is_id and names_resource(name, resource.reference_names)
            if is_reference and resource.create is not None:
                with suppress(Unsendable):
                    new_id = create_resource(subject, resource, send).id
                    changed[name] = int(new_id) if isinstance(value, int) and new_id.isdecimal() else new_id
                break
    return changed


def _changed_names(sent: Mapping[str, Any], before: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the members of a request that the resource shows with other values."""
    return tuple(
        name for name, value in sent.items() if name in before and is_certainly_different(before[name], value)
    )


def _other_values(
    subject: Subject, action: Operation, body: ObjectBody, before: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the members of a request with another value of one than the resource has, else as they are."""
    variants = request_variants(subject, action, body.request(body.members))
    bodies = (object_body(subject, action, variant) for variant in variants)
    changed = (variant.members for variant in bodies if variant is not None)
    return next((members for members in changed if _changed_names(members, before)), body.members)


def _set_names(
    sent: Mapping[str, Any], before: Mapping[str, Any], shown: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the members that a request sets by its response: the resource had other values."""
    return tuple(
        name
        for name in _changed_names(sent, before)
        if name in shown and is_equivalent(shown[name], sent[name])
    )
