"""Members that a deployment fills: with the defaults of the contract, and with values computed from others."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.requests.request_variants import ObjectBody, valid_body
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    create_resource,
    is_success,
    read_created,
    resource_json,
)
from devportal.conformance.knowledge.resources.representation_match import (
    is_equivalent,
    is_json_number,
    resource_schema,
    schema_of_reading,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import ABSENT, Operation, Property, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.wording import quote_value

MOST_INFLUENCES = 4
"""How many members are changed at most to see whether a computed one follows."""

_ARITHMETIC = re.compile(
    r"[×*+−]|\b(sum|product|times|multiplied|plus|minus|less|difference|number of|count of|total of)\b",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(at most|at least|up to|no more than|maximum|minimum|limit\w*|capped|so far|remaining)\b",
    re.IGNORECASE,
)


def computed_probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each resource type with defaults or computed members."""
    for resource in subject.resources:
        create = resource.create
        body = valid_body(subject, create) if create is not None and resource.read is not None else None
        if create is None or body is None:
            continue
        name = operation_label(create)
        if any(True for _ in _defaults(subject, body.schema)):
            yield Probe(operation=name, run=partial(_check_defaults, subject, resource, body))
        influences = tuple(_influences(subject, resource, body))[:MOST_INFLUENCES]
        if influences:
            yield Probe(operation=name, run=partial(_check_influences, subject, resource, body, influences))


def _defaults(subject: Subject, schema: Schema) -> Iterator[Property]:
    """Yield the optional members of a request with a default that a server can apply (JSON Schema 2020-12
    Validation §9.2). A server moves states by itself.
    """
    for property_ in object_properties(subject.api, schema):
        member = subject.api.resolve(property_.schema)
        is_state = (
            matches_any_name(property_.name, subject.conventions.state) or member.state_machine is not None
        )
        is_plain = member.default is not ABSENT and member.default is not None
        if (
            is_plain
            and not property_.required
            and not is_state
            and not member.read_only
            and not member.write_only
        ):
            yield property_


def _check_defaults(
    subject: Subject, resource: Resource, body: ObjectBody, send: Send
) -> Iterator[CheckFailure]:
    """Create a resource without the members that have defaults, and compare what is read with these."""
    left_out = {default.name for default in _defaults(subject, body.schema)}
    members = {
        name: _without_defaults(subject, body.schema, name, value) for name, value in body.members.items()
    }
    sent = {name: value for name, value in members.items() if name not in left_out}
    if not body.is_valid(subject, sent):
        raise Unsendable("a valid request without the members that have a default")
    created = create_resource(subject, resource, send, request=body.request(sent))
    exchange = read_created(subject, created, send)
    shown = resource_json(resource, exchange)
    if not is_success(exchange) or not isinstance(shown, dict) or not isinstance(created.sent_json, dict):
        raise Unsendable("a created resource that can be read")
    schema = resource_schema(subject, resource, resource.read, exchange.status)
    wrong = tuple(_other_than_default(subject, body.schema, schema, created.sent_json, shown))
    if wrong:
        name, default, value = wrong[0]
        message = f"{name!r} was not sent and is read as {quote_value(value)}; its default is {quote_value(default)}"
        yield _failure(created, "a default of the contract is not applied", message, exchange)


def _without_defaults(subject: Subject, schema: Schema, name: str, value: Any) -> Any:
    """Return the value of a member without its optional members that have defaults."""
    inner = next(
        (property_.schema for property_ in object_properties(subject.api, schema) if property_.name == name),
        None,
    )
    if inner is None or not isinstance(value, dict):
        return value
    left_out = {default.name for default in _defaults(subject, inner)}
    return {key: item for key, item in value.items() if key not in left_out}


def _other_than_default(
    subject: Subject, sent_schema: Schema, shown_schema: Schema | None, sent: Any, shown: Any
) -> Iterator[tuple[str, Any, Any]]:
    """Yield the members that were not sent and are read with another value than their default: their names,
    defaults and values. A member without a value, or of another type, is not compared.
    """
    if shown_schema is None or not isinstance(shown, dict) or not isinstance(sent, dict):
        return
    described = {
        property_.name: property_.schema for property_ in object_properties(subject.api, shown_schema)
    }
    defaults = {
        default.name: subject.api.resolve(default.schema).default
        for default in _defaults(subject, sent_schema)
    }
    for property_ in object_properties(subject.api, sent_schema):
        if property_.name not in described or property_.name not in shown:
            continue
        value = shown[property_.name]
        if property_.name in sent:
            yield from _other_than_default(
                subject, property_.schema, described[property_.name], sent[property_.name], value
            )
        elif property_.name in defaults and type(value) is type(defaults[property_.name]):
            is_empty = value in EMPTY_VALUES and not isinstance(value, list)
            if not is_empty and not is_equivalent(value, defaults[property_.name]):
                yield property_.name, defaults[property_.name], value


def _influences(
    subject: Subject, resource: Resource, body: ObjectBody
) -> Iterator[tuple[Property, str, Mapping[str, Any]]]:
    """Yield the read-only numbers of a resource whose descriptions name members of the request, each with such
    a member and a request in which only that one is another.
    """
    schema = schema_of_reading(subject, resource)
    for computed in object_properties(subject.api, schema) if schema is not None else ():
        meaning = subject.api.resolve(computed.schema)
        is_number = bool({"integer", "number"} & set(meaning.types))
        if (
            not is_number
            or not _is_arithmetic(meaning.description)
            or not (meaning.read_only or computed.name not in body.members)
        ):
            continue
        for name, members in _changed_inputs(subject, body):
            is_named = re.search(rf"\b{re.escape(name)}\b", meaning.description) is not None
            if is_named and name != computed.name and body.is_valid(subject, members):
                yield computed, name, members


def _is_arithmetic(description: str) -> bool:
    """Return whether a description says how a number is computed, and names no bound: "at most `limit`" names a
    member that it does not depend on.
    """
    return _ARITHMETIC.search(description) is not None and _BOUND.search(description) is None


def _changed_inputs(subject: Subject, body: ObjectBody) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield requests in which one number is larger, or one list of objects has its first item twice, by the name
    of the member.
    """
    members = {
        property_.name: subject.api.resolve(property_.schema)
        for property_ in object_properties(subject.api, body.schema)
    }
    for name, schema in members.items():
        value = body.members.get(name, schema.default)
        if is_json_number(value):
            yield name, {**body.members, name: value + 1}
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield name, {**body.members, name: [*value, value[0]]}
            for inner, number in value[0].items():
                if is_json_number(number):
                    # Another factor may be zero or one, so all numbers of the item are.
                    first = {
                        **{key: _raise(member) for key, member in value[0].items()},
                        inner: number + 2,
                    }
                    yield inner, {**body.members, name: [first, *value[1:]]}


def _raise(value: Any) -> Any:
    return value + 1 if is_json_number(value) else value


def _check_influences(
    subject: Subject,
    resource: Resource,
    body: ObjectBody,
    influences: tuple[tuple[Property, str, Mapping[str, Any]], ...],
    send: Send,
) -> Iterator[CheckFailure]:
    """Create resources that differ in one member, and compare a value that is computed from it."""
    has_compared = False
    for computed, name, members in influences:
        values: list[tuple[Any, CreatedResource, Exchange]] = []
        for sent in (_base_members(body, name, members), members):
            created = create_resource(subject, resource, send, request=body.request(sent))
            exchange = read_created(subject, created, send)
            shown = resource_json(resource, exchange)
            is_comparable = is_success(exchange) and created.exchange.status != ACCEPTED
            if is_comparable and isinstance(shown, dict) and is_json_number(shown.get(computed.name)):
                values.append((shown[computed.name], created, exchange))
        if len(values) < 2 or not _is_sent_as_is(body, values[0][1]):
            continue
        has_compared = True
        (first, _, _), (second, other, exchange) = values
        if first == second:
            message = (
                f"{computed.name!r} is {quote_value(first)} for two values of {name!r}, which its description "
                "names"
            )
            title = f"{computed.name!r} does not depend on {name!r}"
            yield _failure(other, title, message, values[0][1].exchange, exchange)
            return
    if not has_compared:
        raise Unsendable("two resources that differ in one member only")


def _base_members(body: ObjectBody, name: str, members: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the request with which a changed one is compared: only the named member differs."""
    for key, value in members.items():
        before = body.members.get(key)
        is_item = isinstance(value, list) and isinstance(before, list) and len(value) == len(before)
        if is_item and value != before and isinstance(value[0], dict) and name in value[0]:
            return {**members, key: [{**value[0], name: value[0][name] - 1}, *value[1:]]}
    return body.members


def _is_sent_as_is(body: ObjectBody, created: CreatedResource) -> bool:
    """Return whether the first request was accepted, and no variant of it."""
    return isinstance(created.sent_json, dict) and set(created.sent_json) >= set(body.members)


def _failure(created: CreatedResource, title: str, message: str, *exchanges: Exchange) -> CheckFailure:
    create: Operation | None = created.resource.create
    last = exchanges[-1]
    operation = created.resource.read or create
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(create) if create is not None else last.operation,
        promise=response_location(operation, last) if operation is not None else None,
        evidence=(created.exchange, *exchanges),
    )
