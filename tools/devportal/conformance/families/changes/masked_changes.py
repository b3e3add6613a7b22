"""A change with an update mask stores the members that the mask names, and no others (AIP-134)."""

import uuid
from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.creations.lost_members import create_whole
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.requests.request_variants import ObjectBody, with_new_idempotency_key
from devportal.conformance.knowledge.requests.update_masks import update_mask, with_update_mask
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    is_from_cache,
    is_success,
    read_created,
    read_resource,
    shown_members,
    with_if_match,
)
from devportal.conformance.knowledge.resources.operation_resources import change_body, checkable_changes
from devportal.conformance.knowledge.resources.representation_match import (
    is_certainly_different,
    is_equivalent,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Parameter, Schema
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.wording import quote_value


def masked_change_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each change that takes an update mask."""
    for resource, change in checkable_changes(subject):
        mask = update_mask(change)
        if mask is not None and change.method == "PATCH":
            run = partial(_check_mask, subject, resource, change, mask)
            yield Probe(operation=operation_label(change), run=run)


def _check_mask(
    subject: Subject, resource: Resource, change: Operation, mask: Parameter, send: Send
) -> Iterator[CheckFailure]:
    """Send two members with a mask that names one: it changes, and the other one stays."""
    created = create_whole(subject, resource, send)
    before = read_created(subject, created, send)
    body = change_body(subject, created, change)
    values = dict(_other_values(subject, resource, body, mask, created, before))
    if len(values) < 2:
        raise Unsendable("two members that a change with a mask can change")
    for named, other in zip(values, [*values][1:] + [*values][:1], strict=True):
        members = {**_required_members(subject, body), named: values[named], other: values[other]}
        request = with_if_match(change, body.request(members), before)
        masked = with_update_mask(request, (named,), mask.name)
        update = send(change, with_new_idempotency_key(subject, change, masked))
        if not is_success(update) or update.status == ACCEPTED:
            continue
        after = read_resource(subject, resource, created.id, send)
        if not is_success(after) or is_from_cache(after):
            continue
        first, last = shown_members(resource, before), shown_members(resource, after)
        if is_equivalent(last.get(other), values[other]):
            title = "a change stores what its mask does not name"
            message = f"{mask.name}={named} changes {other!r} to {quote_value(values[other], 100)} too"
        elif is_equivalent(last.get(named), first.get(named)):
            title = "a change ignores what its mask names"
            message = (
                f"{mask.name}={named} leaves {named!r} as it was; {quote_value(values[named], 100)} was sent"
            )
        else:
            return
        yield CheckFailure(
            title=title,
            message=message,
            operation=operation_label(change),
            promise=mask.location,
            evidence=(created.exchange, before, update, after),
        )
        return
    raise Unsendable("a change with a mask that the deployment accepts")


def _required_members(subject: Subject, body: ObjectBody) -> dict[str, Any]:
    required = {each.name for each in object_properties(subject.api, body.schema) if each.required}
    return {name: value for name, value in body.members.items() if name in required}


def _other_values(
    subject: Subject,
    resource: Resource,
    body: ObjectBody,
    mask: Parameter,
    created: CreatedResource,
    before: Exchange,
) -> Iterator[tuple[str, Any]]:
    """Yield the members that a client has set and a mask can name, each with another valid value."""
    shown, names = shown_members(resource, before), _mask_names(subject, mask)
    for property_ in object_properties(subject.api, body.schema):
        name = property_.name
        if (
            name not in created.sent_members
            or (names and name not in names)
            or shown.get(name) in EMPTY_VALUES
        ):
            continue
        if names_resource(name, (*resource.key[-1:], *subject.reference_names)):
            continue
        value = other_value(subject.api.resolve(property_.schema), shown[name])
        is_valid = body.is_valid(subject, {**_required_members(subject, body), name: value})
        if is_valid and is_certainly_different(value, shown[name]):
            yield name, value


def _mask_names(subject: Subject, mask: Parameter) -> tuple[Any, ...]:
    """Return the members that a mask can name, none if the contract does not list them."""
    schema = subject.api.resolve(mask.schema) if mask.schema is not None else None
    items = subject.api.resolve(schema.items) if schema is not None and schema.items is not None else schema
    return tuple(items.enum) if items is not None else ()


def other_value(schema: Schema, value: Any) -> Any:
    """Return another value of the same form; in an object or a list, the first part that has one is another."""
    if schema.enum:
        return next((item for item in schema.enum if item not in (value, None)), value)
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str() if not schema.format:
            return f"{value} {uuid.uuid4().hex[:5]}"
        case [str() as first, *others]:
            return [f"{first}{uuid.uuid4().hex[:3]}", *others]
        case _:
            return value
