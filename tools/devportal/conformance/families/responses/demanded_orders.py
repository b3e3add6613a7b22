"""Two values whose order clients must keep are rejected in the wrong order: "It must be after `starts_at`"."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.descriptions.member_orders import demanded_orders
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    valid_body,
    varied_texts_request,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    at_new_address,
    create_resource,
    is_success,
    read_created,
    shown_members,
    with_if_match,
)
from devportal.conformance.knowledge.resources.operation_resources import change_body
from devportal.conformance.knowledge.resources.representation_match import is_json_number
from devportal.conformance.knowledge.response_check import (
    documents_exact_status,
    documents_invalid_refusal,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Schema
from devportal.contract.resources import Resource, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.instants import parse_day, parse_instant, shift_time, time_text
from devportal.contract.values.member_rules import (
    MemberOrder,
)
from devportal.contract.values.synthesis import synthesise
from devportal.contract.wording import quote_value

CONFLICT = 409
NO_ORDERED_PAIR = "a valid request with both values, which the deployment accepts in their order"


def order_probes(subject: Subject, resource: Resource) -> Iterator[Probe]:
    """Yield a probe for each creation and each change of a resource whose members have an order that clients must
    keep.
    """
    create = resource.create
    body = valid_body(subject, create)
    if create is None or body is None:
        return
    orders = _demanded_orders(subject, create, body)
    if orders:
        run = partial(_check_creation, subject, resource, orders)
        yield Probe(operation=operation_label(create), run=run)
    for change in resource.changes if resource.read is not None else ():
        change_orders = _orders_of_change(subject, change, orders)
        if change_orders:
            run = partial(_check_change, subject, resource, change, change_orders)
            yield Probe(operation=operation_label(change), run=run)


def _demanded_orders(subject: Subject, operation: Operation, body: ObjectBody) -> tuple[MemberOrder, ...]:
    """Return the orders of members that a client sets and that a request must keep: the operation documents a rejection
    of invalid data.
    """
    if not rejects_wrong_orders(operation):
        return ()
    return demanded_orders(subject, body.schema, operation_sentences(operation))


def rejects_wrong_orders(operation: Operation) -> bool:
    """Return whether an operation documents a rejection of invalid data."""
    return documents_invalid_refusal(operation) or documents_exact_status(operation, CONFLICT)


def _orders_of_change(
    subject: Subject, change: Operation, orders: tuple[MemberOrder, ...]
) -> tuple[MemberOrder, ...]:
    """Return the orders of a creation, and those of a change, whose first member the change can set."""
    body = valid_body(subject, change)
    if body is None:
        return ()
    names = {property_.name for property_ in object_properties(subject.api, body.schema)}
    own = _demanded_orders(subject, change, body)
    is_refused = rejects_wrong_orders(change)
    known = {(order.name, order.other) for order in own}
    others = [order for order in orders if is_refused and (order.name, order.other) not in known]
    return tuple(order for order in (*own, *others) if order.name in names)


def _check_creation(
    subject: Subject, resource: Resource, orders: tuple[MemberOrder, ...], send: Send
) -> Iterator[CheckFailure]:
    """Create a resource with two values in their order, then try it with values in the opposite one."""
    create = resource.create
    body = valid_body(subject, create)
    if create is None or body is None:
        raise Unsendable(NO_VALID_REQUEST)
    has_compared = False
    for order, good, bad in _first_pairs(subject, body, orders):
        created = create_resource(subject, resource, send, request=body.request(good))
        if not isinstance(created.sent_json, Mapping) or order.is_met(created.sent_json) is not True:
            continue
        has_compared = True
        for broken in _broken_members(order, bad):
            members = {**created.sent_json, order.name: broken[order.name], order.other: broken[order.other]}
            if not body.is_valid(subject, members):
                continue
            exchange = send_out_of_order(subject, resource, create, body.request(members), send)
            if is_success(exchange) and exchange.status != ACCEPTED:
                yield accepted_failure(create, order, broken, created.exchange, exchange)
                break
    if not has_compared:
        raise Unsendable(NO_ORDERED_PAIR)


def send_out_of_order(
    subject: Subject, resource: Resource, create: Operation, request: Request, send: Send
) -> Exchange:
    """Send a creation whose values are out of order. It has other texts than the accepted one, which may be unique."""
    varied = varied_texts_request(subject, create, request)
    addressed = at_new_address(subject, resource, varied)
    return send(create, with_new_idempotency_key(subject, create, addressed))


def _check_change(
    subject: Subject, resource: Resource, change: Operation, orders: tuple[MemberOrder, ...], send: Send
) -> Iterator[CheckFailure]:
    """Create a resource with two values in their order, then move the first one beyond the second."""
    whole = valid_body(subject, resource.create)
    if whole is None:
        raise Unsendable(NO_ORDERED_PAIR)
    has_compared = False
    for order, good, bad in _first_pairs(subject, whole, orders):
        created = create_resource(subject, resource, send, request=whole.request(good))
        before = read_created(subject, created, send)
        shown = shown_members(resource, before)
        body = change_body(subject, created, change)
        for broken in _broken_members(order, bad):
            members = _changed_members(change, order, body, broken)
            if order.is_met(shown) is not True or not body.is_valid(subject, members):
                continue
            has_compared = True
            request = with_if_match(change, body.request(members), before)
            exchange = send(change, with_new_idempotency_key(subject, change, request))
            if is_success(exchange) and exchange.status != ACCEPTED:
                sent = {**shown, **members}
                yield accepted_failure(change, order, sent, created.exchange, before, exchange)
                break
    if not has_compared:
        raise Unsendable(NO_ORDERED_PAIR)


def _changed_members(
    change: Operation, order: MemberOrder, body: ObjectBody, broken: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the members of a change that breaks an order: the first one alone if the change is partial."""
    if change.method != "PUT":
        return {order.name: broken[order.name]}
    return {**body.members, order.name: broken[order.name], order.other: broken[order.other]}


def _broken_members(order: MemberOrder, bad: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield members with values in the opposite order, and with two equal values if these break the order too."""
    yield bad
    if order.relation.is_strict:
        yield {**bad, order.name: bad[order.other]}


def _first_pairs(
    subject: Subject, body: ObjectBody, orders: tuple[MemberOrder, ...]
) -> Iterator[tuple[MemberOrder, Mapping[str, Any], Mapping[str, Any]]]:
    """Yield each order with a request that keeps it and one that breaks it, if both are valid by their schema."""
    for order in orders:
        for kept, broken in ordered_members(subject, body.schema, body.members, order):
            if body.is_valid(subject, kept) and body.is_valid(subject, broken):
                yield order, kept, broken
                break


def ordered_members(
    subject: Subject, schema: Schema, members: Mapping[str, Any], order: MemberOrder
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Yield the members of an object with values that keep an order, each with those that break it."""
    properties = {property_.name: property_ for property_ in object_properties(subject.api, schema)}
    if order.name not in properties or order.other not in properties:
        return
    other_schema = properties[order.other].schema
    for other in (members.get(order.other), synthesise(subject.api, other_schema, Direction.REQUEST)):
        lower, upper = _shift(other, -1), _shift(other, 1)
        if lower is None or upper is None:
            continue
        good, bad = (upper, lower) if order.relation.is_upwards else (lower, upper)
        kept = {**members, order.other: other, order.name: good}
        yield kept, {**kept, order.name: bad}


def _shift(value: Any, steps: int) -> Any:
    """Return a time or a day some days later, or a number some units greater; None for any other value."""
    if is_json_number(value):
        return value + steps
    day, time = parse_day(value), parse_instant(value) if isinstance(value, str) else None
    shift = timedelta(days=steps)
    moved = (
        shift_time(day, shift) if day is not None else shift_time(time, shift) if time is not None else None
    )
    return time_text(moved) if moved is not None else None


def accepted_failure(
    operation: Operation, order: MemberOrder, members: Mapping[str, Any], *evidence: Exchange
) -> CheckFailure:
    """Return the failure of a request that breaks an order and is accepted, with the members that it sent."""
    sent = (
        f"{order.name!r} {quote_value(members[order.name])} was accepted with {order.other!r} "
        f"{quote_value(members[order.other])}"
    )
    return CheckFailure(
        title=f"{order.name!r} is accepted out of order",
        message=f'{sent}: {evidence[-1].status}. The contract says: "{order.sentence}"',
        operation=operation_label(operation),
        promise=order.location,
        evidence=evidence,
    )
