"""Finds the operation that registers a receiver, and what its requests and responses hold."""

from typing import Any

from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.webhooks.discovery.event_subjects import created_resource, id_member
from devportal.conformance.webhooks.discovery.receiver_addresses import (
    AddressPlace,
    callback_address,
    named_address,
    request_with_address,
)
from devportal.conformance.webhooks.event_matching import event_kinds
from devportal.conformance.webhooks.payload_members import BodyMember, body_members
from devportal.conformance.webhooks.receiver_words import SECRET_NAMES, is_subscription
from devportal.contract import Operation
from devportal.contract.body_schemas import request_schema, success_schema
from devportal.contract.conventions import matches_any_name


def find_subscription(subject: Subject) -> tuple[Operation, AddressPlace] | None:
    """Return the operation that registers a receiver, and where it takes the address."""
    found = []
    for operation in subject.operations:
        if operation.method in ("POST", "PUT") and is_subscription(operation):
            places = [callback_address(callback.expression) for callback in operation.callbacks]
            place = next((place for place in places if place is not None), None) or named_address(
                subject, operation
            )
            if place is not None:
                found.append((operation, place))
    return min(found, key=lambda pair: (pair[0].path.count("{"), pair[0].method != "POST"), default=None)


def subscription_text(operation: Operation, place: AddressPlace) -> str:
    """Return a subscription in words."""
    return f"{operation_label(operation)} subscribes the address in {place.description}"


def subscription_settings(subject: Subject, operation: Operation, place: AddressPlace) -> dict[str, Any]:
    """Return a subscription in the words of the settings."""
    settings: dict[str, Any] = {
        "operation": operation_label(operation),
        **request_with_address(subject, operation, place),
        "id": id_member(subject, operation),
    }
    types = _type_list(subject, operation)
    if types is not None and "body" in settings:
        # Not only the events of the example are wanted.
        settings["body"] = {**settings["body"], types.name: sorted(_listed_types(subject, types))}
        settings["types"] = types.pointer
    secrets = body_members(subject.api, success_schema(operation))
    secret = next(
        (secret for secret in secrets if matches_any_name(secret.name, SECRET_NAMES) and secret.is_text), None
    )
    if secret is not None:
        settings["secret"] = secret.pointer
    resource = created_resource(subject, operation)
    if resource is not None and resource.delete is not None:
        settings["delete"] = operation_label(resource.delete)
    return settings


def _type_list(subject: Subject, operation: Operation) -> BodyMember | None:
    """Return the member of a subscription that lists the wanted events, None if it has none."""
    return next(
        (
            body_member
            for body_member in body_members(subject.api, request_schema(operation))
            if len(body_member.path) == 1
            and "array" in body_member.schema.types
            and _listed_types(subject, body_member)
        ),
        None,
    )


def _listed_types(subject: Subject, member: BodyMember) -> frozenset[str]:
    """Return the events of the contract that a list of texts may hold."""
    items = subject.api.resolve(member.schema.items) if member.schema.items is not None else None
    names = {
        name for event_kind in event_kinds(subject.api) for name in (event_kind.key, *event_kind.type_values)
    }
    if items is not None and items.enum:
        return frozenset(names & {item for item in items.enum if isinstance(item, str)})
    examples = [example for example in member.schema.examples if isinstance(example, list)]
    is_named = any(isinstance(value, str) and value in names for example in examples for value in example)
    return frozenset(names) if is_named else frozenset()
