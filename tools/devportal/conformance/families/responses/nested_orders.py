"""Two values of an object inside a request whose order clients must keep: `closesAt` of a window after `opensAt`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.creations.lost_members import whole_request
from devportal.conformance.families.responses.demanded_orders import (
    NO_ORDERED_PAIR,
    accepted_failure,
    ordered_members,
    rejects_wrong_orders,
    send_out_of_order,
)
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.member_orders import demanded_orders
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    object_body,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    create_resource,
    is_success,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Schema
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.member_rules import MemberOrder

DEEPEST = 3
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _NestedOrder:
    """An order of two members of an object in a body, and the path, the schema and the members of that object."""

    order: MemberOrder
    path: Path
    schema: Schema
    members: Mapping[str, Any]


def nested_order_probes(subject: Subject, resource: Resource) -> Iterator[Probe]:
    """Yield a probe for a creation whose body has an object with members in an order that clients must keep."""
    create = resource.create
    if create is None or not rejects_wrong_orders(create):
        return
    if any(True for body in _bodies(subject, create) for _ in _nested_orders(subject, body)):
        run = partial(_check_creation, subject, resource, create)
        yield Probe(operation=operation_label(create), run=run)


def _bodies(subject: Subject, create: Operation) -> Iterator[ObjectBody]:
    """Yield the body of a valid request, then that with all members."""
    has_body = create.request_body is not None
    for request in (subject.valid(create), whole_request(subject, create)) if has_body else ():
        body = object_body(subject, create, request) if request is not None else None
        if body is not None:
            yield body


def _nested_orders(subject: Subject, body: ObjectBody) -> Iterator[_NestedOrder]:
    """Yield the orders of the objects inside a body."""
    for property_ in object_properties(subject.api, body.schema):
        value = body.members.get(property_.name)
        yield from _orders_within(subject, property_.schema, value, (property_.name,))


def _orders_within(subject: Subject, schema: Schema, value: Any, path: Path) -> Iterator[_NestedOrder]:
    if isinstance(value, list) and value and len(path) < DEEPEST:
        items = subject.api.resolve(schema).items
        if items is not None:
            yield from _orders_within(subject, items, value[0], (*path, 0))
    elif isinstance(value, dict) and len(path) <= DEEPEST:
        for order in demanded_orders(subject, schema):
            yield _NestedOrder(order=order, path=path, schema=schema, members=value)
        for property_ in object_properties(subject.api, schema):
            inner = value.get(property_.name)
            yield from _orders_within(subject, property_.schema, inner, (*path, property_.name))


def _check_creation(
    subject: Subject, resource: Resource, create: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Create a resource with two inner values in their order, then try it with values in the opposite one."""
    compared = set[Path]()
    for body in _bodies(subject, create):
        for nested in _nested_orders(subject, body):
            place = (*nested.path, nested.order.name)
            pair = next(_ordered_bodies(subject, body, nested), None) if place not in compared else None
            if pair is None:
                continue
            kept, shown = pair
            try:
                created = create_resource(subject, resource, send, request=body.request(kept))
            except Unsendable:
                continue
            if _object_at(created.sent_members, nested.path) != _object_at(kept, nested.path):
                continue  # another request was accepted
            compared.add(place)
            members = _with_object(created.sent_members, nested.path, shown)
            exchange = send_out_of_order(subject, resource, create, body.request(members), send)
            if is_success(exchange) and exchange.status != ACCEPTED:
                yield accepted_failure(create, nested.order, shown, created.exchange, exchange)
    if not compared:
        raise Unsendable(NO_ORDERED_PAIR)


def _ordered_bodies(
    subject: Subject, body: ObjectBody, nested: _NestedOrder
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Yield the members of a body that keep an order, and the object that breaks it."""
    for kept, broken in ordered_members(subject, nested.schema, nested.members, nested.order):
        bodies = tuple(_with_object(body.members, nested.path, members) for members in (kept, broken))
        if all(body.is_valid(subject, members) for members in bodies):
            yield bodies[0], broken


def _with_object(value: Any, path: Path, members: Mapping[str, Any]) -> Any:
    """Return a value with another object at a path."""
    if not path:
        return members
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return [
            _with_object(item, rest, members) if index == step else item for index, item in enumerate(value)
        ]
    return {**value, step: _with_object(value[step], rest, members)}


def _object_at(value: Any, path: Path) -> Any:
    """Return the value at a path, None if there is none."""
    for step in path:
        is_there = len(value) > step if isinstance(step, int) and isinstance(value, list) else False
        value = value.get(step) if isinstance(value, dict) else value[step] if is_there else None
    return value
