"""Members of one object agree as the contract describes: counts, sums, products, orders of two values, and the
states in which a member has one.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.responses.demanded_orders import order_probes
from devportal.conformance.families.responses.demanded_totals import total_probes
from devportal.conformance.families.responses.nested_orders import nested_order_probes
from devportal.conformance.families.responses.query_orders import query_order_probes
from devportal.conformance.families.responses.ruled_objects import broken_rules, rule_failure, shows_rules
from devportal.conformance.families.responses.state_presences import presence_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.json_api import members_schema
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    valid_body,
)
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
)
from devportal.conformance.knowledge.resources.representation_match import response_schema
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Location, Operation
from devportal.contract.resources import Resource
from devportal.contract.values.member_rules import (
    ComputedMember,
    MemberPresence,
    Terms,
    member_rules,
)

MOST_CHANGES = 4
"""How many earlier changes of a resource are shown with its state."""
MOST_RESPONSES = 300
"""How many successful responses of one operation are checked."""


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each rule that a response of an operation breaks, with the first such response."""
    seen: dict[str, set[bytes]] = {}
    found: set[tuple[str, Location, str]] = set()
    for exchange in exchanges:
        bodies, body = (
            seen.setdefault(exchange.operation, set()),
            exchange.answer.body if exchange.answer else b"",
        )
        if body in bodies or len(bodies) >= MOST_RESPONSES or not shows_rules(subject, exchange):
            continue
        bodies.add(body)
        for broken in broken_rules(subject, exchange):
            key = (exchange.operation, broken.rule.location, broken.rule.name)
            if key not in found:
                found.add(key)
                changes = (
                    _changes_before(exchanges, exchange) if isinstance(broken.rule, MemberPresence) else ()
                )
                yield rule_failure(broken, exchange, *changes)


def _changes_before(exchanges: tuple[Exchange, ...], shown: Exchange) -> tuple[Exchange, ...]:
    """Return the last changes of the resource that a response shows: they led to its state."""
    address = shown.request.url.partition("?")[0]
    earlier = exchanges[: next(place for place, each in enumerate(exchanges) if each is shown)]
    changes = (
        exchange
        for exchange in earlier
        if exchange.is_success
        and exchange.request.method in ("PUT", "PATCH", "POST")
        and f"{exchange.request.url}/".startswith(f"{address}/")
        and exchange.operation
        and shown.request.method != "POST"
    )
    return tuple(deque(changes, MOST_CHANGES))


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each type of resources: longer lists, and values in an order that the contract forbids."""
    for resource in subject.resources:
        create = resource.create
        body = valid_body(subject, create)
        lists = (
            _summed_lists(subject, resource, create, body) if create is not None and body is not None else ()
        )
        if create is not None and body is not None and lists:
            run = partial(_check_longer_lists, subject, resource, body, lists)
            yield Probe(operation=operation_label(create), run=run)
        yield from order_probes(subject, resource)
        yield from nested_order_probes(subject, resource)
        yield from presence_probes(subject, resource)
        yield from total_probes(subject, resource)
    yield from query_order_probes(subject)


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
        for broken in broken_rules(subject, created.exchange):
            yield rule_failure(broken, created.exchange)
    if not has_compared:
        raise Unsendable("a creation that the deployment accepts with a longer list")


FAMILY = Family(
    name="consistent-members",
    summary="members agree with each other",
    words=CheckDescription(
        promise="A number that the contract computes from other members of its object, by a plain sentence of its "
        "description, is that number: “The number of `lines`”, “The sum of `debit` of all lines”, “`quantity` × "
        "`unit_price`”, “`net` plus `tax`”. Two times, days or numbers have the order that the contract describes: "
        "“Never before `created_at`”. An order that clients must keep is checked: “It must be after `starts_at`”, "
        "and so is a total: “The weights of all variants must add up to 100”. A member has a value in the states "
        "that the contract names: “Null unless the issue is `closed`”.",
        test="All successful responses of the run are compared with these sentences, and resources are created "
        "whose lists are twice as long. An amount with decimals may be "
        "rounded, and two times may differ by a second. A sentence with an exception, and a list that "
        "shows only some of its items, are skipped. Resources are created and changed with two values in the wrong "
        "order, and with lists of another total: these must be rejected, if the operation documents a rejection of "
        "invalid data. They are also taken "
        "through their states, by changes and actions, if a member has a value in some states only.",
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
