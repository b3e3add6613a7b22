"""Members of one object agree as the contract describes: counts, sums, products, and orders of two values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.created_resources import (
    ACCEPTED,
    at_new_address,
    create_resource,
    is_success,
    read_created,
    response_json,
    shown_members,
    with_if_match,
)
from devportal.conformance.knowledge.described_rules import operation_sentences
from devportal.conformance.knowledge.inputs import conjunction_for_value
from devportal.conformance.knowledge.json_api import members_schema
from devportal.conformance.knowledge.operation_resources import change_body
from devportal.conformance.knowledge.representation_match import is_json_number, response_schema
from devportal.conformance.knowledge.request_variants import (
    ObjectBody,
    valid_body,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.response_check import (
    documents_exact_status,
    documents_invalid_refusal,
)
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.conformance.knowledge.valid_request import body_schema
from devportal.contract import Location, Operation, Schema
from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.resources import PAGE_SIZE, Resource, has_page_parameter, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.instants import parse_day, parse_instant
from devportal.contract.values.member_rules import (
    ComputedMember,
    MemberOrder,
    MemberRule,
    Terms,
    has_member_rules,
    member_rules,
)
from devportal.contract.values.synthesis import synthesise

DEEPEST = 6
MOST_ITEMS = 20
"""How many objects of one list are checked."""
MOST_RESPONSES = 50
"""How many successful responses of one operation are checked."""
CONFLICT = 409
NO_ORDERED_PAIR = "a valid request with both values, which the deployment accepts in their order"


@dataclass(frozen=True, slots=True, kw_only=True)
class _BrokenRule:
    """A rule that an object of a response breaks, with the path of the object, such as `data.*.lines`."""

    rule: MemberRule
    path: str
    members: Mapping[str, Any]


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each rule that a response of an operation breaks, with the first such response."""
    seen: dict[str, int] = {}
    found: set[tuple[str, Location, str]] = set()
    for exchange in exchanges:
        if not shows_rules(subject, exchange) or seen.get(exchange.operation, 0) >= MOST_RESPONSES:
            continue
        seen[exchange.operation] = seen.get(exchange.operation, 0) + 1
        for broken in _broken_rules(subject, exchange):
            key = (exchange.operation, broken.rule.location, broken.rule.name)
            if key not in found:
                found.add(key)
                yield _failure(broken, exchange)


def shows_rules(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a successful response shows an object with members that the contract relates."""
    return any(True for _ in _ruled_objects(subject, exchange))


def _broken_rules(subject: Subject, exchange: Exchange) -> Iterator[_BrokenRule]:
    for rules, path, members in _ruled_objects(subject, exchange):
        for rule in rules:
            if rule.is_met(members) is False:
                yield _BrokenRule(rule=rule, path=path, members=members)


def _ruled_objects(
    subject: Subject, exchange: Exchange
) -> Iterator[tuple[tuple[MemberRule, ...], str, Mapping[str, Any]]]:
    """Yield the objects of a successful response for which the contract has rules that their members can break."""
    operation = subject.operation(exchange.operation)
    if operation is None or not is_success(exchange):
        return
    schema = response_schema(operation, exchange.status)
    if schema is None or not has_member_rules(subject.api, schema):
        return
    is_page = _is_paged(subject, operation)
    for path, members, inner in _objects(subject, schema, response_json(exchange), ()):
        if (is_page and len(path) < 2) or _has_next_page(subject.conventions, members):
            continue  # a page shows some of the items that it may count
        rules = tuple(rule for rule in member_rules(subject.api, inner) if rule.is_met(members) is not None)
        if rules:
            yield rules, ".".join(path), members


def _is_paged(subject: Subject, operation: Operation) -> bool:
    """Return whether a request asks for a page: by a parameter, or by a limit and a place in the body of a search."""
    conventions = subject.conventions
    if has_page_parameter(conventions, operation):
        return True
    schema = body_schema(operation)
    names = [property_.name for property_ in object_properties(subject.api, schema)] if schema else []
    limits = [name for name in names if matches_any_name(name, (*conventions.limit, *PAGE_SIZE))]
    places = (*conventions.limit, *conventions.cursor, *conventions.page, *conventions.offset)
    return bool(limits) and any(matches_any_name(name, places) for name in names if name not in limits)


def _has_next_page(conventions: Conventions, members: Mapping[str, Any]) -> bool:
    """Return whether an object is a page of a list, such as `{"data": […], "has_more": false}`."""
    return any(matches_any_name(name, conventions.next_cursor) for name in members)


def _objects(
    subject: Subject, schema: Schema, value: Any, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any], Schema]]:
    """Yield the objects in a value of a response, with their paths and schemas."""
    if len(path) > DEEPEST or not isinstance(value, dict | list):
        return
    combined = conjunction_for_value(subject, schema, value, Direction.RESPONSE).schema
    if isinstance(value, list):
        if combined.items is not None:
            for item in value[:MOST_ITEMS]:
                yield from _objects(subject, combined.items, item, (*path, "*"))
        return
    yield path, value, combined
    for property_ in combined.properties:
        yield from _objects(subject, property_.schema, value.get(property_.name), (*path, property_.name))


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each creation and each change whose members have an order that clients must keep."""
    for resource in subject.resources:
        create = resource.create
        body = valid_body(subject, create)
        if create is None or body is None:
            continue
        lists = _summed_lists(subject, resource, create, body)
        if lists:
            run = partial(_check_longer_lists, subject, resource, body, lists)
            yield Probe(operation=operation_label(create), run=run)
        orders = _demanded_orders(subject, create, body)
        if orders:
            yield Probe(
                operation=operation_label(create), run=partial(_check_creation, subject, resource, orders)
            )
        for change in resource.changes if resource.read is not None else ():
            change_orders = _orders_of_change(subject, change, orders)
            if change_orders:
                run = partial(_check_change, subject, resource, change, change_orders)
                yield Probe(operation=operation_label(change), run=run)


def _summed_lists(
    subject: Subject, resource: Resource, create: Operation, body: ObjectBody
) -> tuple[str, ...]:
    """Return the lists of a creation that its response counts or sums up."""
    statuses = [int(success.status) for success in create.successes if success.status.isdigit()]
    schema = response_schema(create, statuses[0]) if statuses else None
    if schema is None:
        return ()
    whole = members_schema(subject.api, schema, resource.envelope)
    computed = (rule for rule in member_rules(subject.api, whole) if isinstance(rule, ComputedMember))
    names = {rule.formula.items for rule in computed if not isinstance(rule.formula, Terms)}
    return tuple(
        name for name, value in body.members.items() if name in names and isinstance(value, list) and value
    )


def _check_longer_lists(
    subject: Subject, resource: Resource, body: ObjectBody, lists: tuple[str, ...], send: Send
) -> Iterator[CheckFailure]:
    """Create resources with each list twice as long: whatever its items add up to stays in proportion."""
    has_compared = False
    for name in lists:
        longer = {**body.members, name: [*body.members[name], *body.members[name]]}
        if not body.is_valid(subject, longer):
            continue
        created = create_resource(subject, resource, send, request=body.request(longer))
        has_compared |= isinstance(created.sent_json, Mapping) and created.sent_json.get(name) == longer[name]
        for broken in _broken_rules(subject, created.exchange):
            yield _failure(broken, created.exchange)
    if not has_compared:
        raise Unsendable("a creation that the deployment accepts with a longer list")


def _demanded_orders(subject: Subject, operation: Operation, body: ObjectBody) -> tuple[MemberOrder, ...]:
    """Return the orders of members that a client sets and that a request must keep: the operation documents a rejection
    of invalid data.
    """
    if not (documents_invalid_refusal(operation) or documents_exact_status(operation, CONFLICT)):
        return ()
    rules = member_rules(subject.api, body.schema, operation_sentences(operation))
    sent = {
        property_.name
        for property_ in object_properties(subject.api, body.schema)
        if not (property_.schema.read_only or subject.api.resolve(property_.schema).read_only)
    }
    orders = (rule for rule in rules if isinstance(rule, MemberOrder) and rule.is_demanded)
    return tuple(order for order in orders if {order.name, order.other} <= sent)


def _orders_of_change(
    subject: Subject, change: Operation, orders: tuple[MemberOrder, ...]
) -> tuple[MemberOrder, ...]:
    """Return the orders of a creation, and those of a change, whose first member the change can set."""
    body = valid_body(subject, change)
    if body is None:
        return ()
    names = {property_.name for property_ in object_properties(subject.api, body.schema)}
    own = _demanded_orders(subject, change, body)
    is_refused = documents_invalid_refusal(change) or documents_exact_status(change, CONFLICT)
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
    for order in orders:
        pair = next(_ordered_pairs(subject, body, order), None)
        if pair is None:
            continue
        good, bad = pair
        created = create_resource(subject, resource, send, request=body.request(good))
        if not isinstance(created.sent_json, Mapping) or order.is_met(created.sent_json) is not True:
            continue
        has_compared = True
        exchange = send(
            create,
            with_new_idempotency_key(subject, create, at_new_address(subject, resource, body.request(bad))),
        )
        if is_success(exchange) and exchange.status != ACCEPTED:
            yield _accepted_failure(create, order, bad, created.exchange, exchange)
    if not has_compared:
        raise Unsendable(NO_ORDERED_PAIR)


def _check_change(
    subject: Subject, resource: Resource, change: Operation, orders: tuple[MemberOrder, ...], send: Send
) -> Iterator[CheckFailure]:
    """Create a resource with two values in their order, then move the first one beyond the second."""
    whole = valid_body(subject, resource.create)
    if whole is None:
        raise Unsendable(NO_ORDERED_PAIR)
    has_compared = False
    for order in orders:
        pair = next(_ordered_pairs(subject, whole, order), None)
        if pair is None:
            continue
        good, bad = pair
        created = create_resource(subject, resource, send, request=whole.request(good))
        before = read_created(subject, created, send)
        shown = shown_members(resource, before)
        body = change_body(subject, created, change)
        given = body.members if change.method == "PUT" else {}
        members = {**given, order.name: bad[order.name]}
        if change.method == "PUT":
            members[order.other] = bad[order.other]
        if order.is_met(shown) is not True or not body.is_valid(subject, members):
            continue
        has_compared = True
        request = with_if_match(change, body.request(members), before)
        exchange = send(change, with_new_idempotency_key(subject, change, request))
        if is_success(exchange) and exchange.status != ACCEPTED:
            sent = {**shown, **members}
            yield _accepted_failure(change, order, sent, created.exchange, before, exchange)
    if not has_compared:
        raise Unsendable(NO_ORDERED_PAIR)


def _ordered_pairs(
    subject: Subject, body: ObjectBody, order: MemberOrder
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Yield requests that keep an order, each with one that breaks it and is valid by its schema."""
    properties = {property_.name: property_ for property_ in object_properties(subject.api, body.schema)}
    if order.name not in properties or order.other not in properties:
        return
    schema = properties[order.other].schema
    for other in (body.members.get(order.other), synthesise(subject.api, schema, Direction.REQUEST)):
        lower, upper = _shift(other, -1), _shift(other, 1)
        if lower is None or upper is None:
            continue
        good, bad = (upper, lower) if order.relation.is_upwards else (lower, upper)
        kept = {**body.members, order.other: other, order.name: good}
        broken = {**kept, order.name: bad}
        if body.is_valid(subject, kept) and body.is_valid(subject, broken):
            yield kept, broken


def _shift(value: Any, steps: int) -> Any:
    """Return a time or a day some days later, or a number some units greater; None for any other value."""
    if is_json_number(value):
        return value + steps
    day, time = parse_day(value), parse_instant(value) if isinstance(value, str) else None
    if day is not None:
        return (day + timedelta(days=steps)).isoformat()
    if time is None:
        return None
    return (time + timedelta(days=steps)).isoformat().replace("+00:00", "Z")


def _accepted_failure(
    operation: Operation, order: MemberOrder, members: Mapping[str, Any], *evidence: Exchange
) -> CheckFailure:
    sent = (
        f"{order.name!r} {members[order.name]!r} was accepted with {order.other!r} {members[order.other]!r}"
    )
    return CheckFailure(
        title=f"{order.name!r} is accepted out of order",
        message=f'{sent}: {evidence[-1].status}. The contract says: "{order.sentence}"',
        operation=operation_label(operation),
        promise=order.location,
        evidence=evidence,
    )


def _failure(broken: _BrokenRule, exchange: Exchange) -> CheckFailure:
    rule, where = broken.rule, f" of {broken.path!r}" if broken.path else ""
    shown = broken.members[rule.name]
    if isinstance(rule, ComputedMember):
        title = f"{rule.name!r} is not what its description says"
        message = (
            f"{rule.name!r}{where} is {shown!r}, but its other members give {rule.compute(broken.members)}"
        )
    else:
        other = broken.members[rule.other]
        title = str(rule)
        message = f"{rule.name!r}{where} is {shown!r}, and {rule.other!r} is {other!r}"
    return CheckFailure(
        title=title,
        message=f'{message}. The contract says: "{rule.sentence}"',
        operation=exchange.operation,
        promise=rule.location,
        evidence=(exchange,),
        member=".".join(part for part in (broken.path, rule.name) if part),
    )


FAMILY = Family(
    name="consistent-members",
    summary="members agree with each other",
    words=CheckDescription(
        promise="A number that the contract computes from other members of its object, by a plain sentence of its "
        "description, is that number: “The number of `lines`”, “The sum of `debit` of all lines”, “`quantity` × "
        "`unit_price`”, “`net` plus `tax`”. Two times, days or numbers have the order that the contract describes: "
        "“Never before `created_at`”. An order that clients must keep is checked: “It must be after `starts_at`”.",
        test="All successful responses of the run are compared with these sentences, and resources are created "
        "whose lists are twice as long. An amount with decimals may be "
        "rounded, and two times may differ by a second. A sentence with an exception, and a list that "
        "shows only some of its items, are skipped. Resources are created and changed with two values in the wrong "
        "order: both must be rejected, if the operation documents a rejection of invalid data.",
        remedy="Compute the number from what the response shows, and compare both values before you store one of "
        "them, also in a change that sends only one.",
        sources=("OAS 3.0.3 §4.7.24",),
    ),
    needs="a description that computes a member from others or orders two, such as “The sum of `amount` of all lines”",
    probes=probes,
    sees=find_failures,
    compares=shows_rules,
    about_state=True,
)
