"""Two parameters of a query whose order clients must keep: "`to` must be after `from`, otherwise 400"."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.responses.demanded_orders import NO_ORDERED_PAIR, accepted_failure
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.paging import with_query
from devportal.conformance.knowledge.requests.request_variants import is_allowed_value
from devportal.conformance.knowledge.resources.created_resources import is_success
from devportal.conformance.knowledge.response_check import documents_invalid_refusal
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Parameter, ParameterLocation, Property
from devportal.contract.values.instants import parse_instant, shift_time, time_text
from devportal.contract.values.member_rules import MemberOrder
from devportal.contract.values.member_rules.orders import member_order, ordered_member
from devportal.contract.wording import one_line_sentences

DAY = timedelta(days=1)
_START = parse_instant("2027-03-01T12:00:00Z")


def query_order_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each reading with two parameters in an order that clients must keep, if it documents a
    rejection of invalid data.
    """
    for operation in subject.operations:
        orders = tuple(query_orders(subject, operation)) if operation.method == "GET" else ()
        if orders and documents_invalid_refusal(operation):
            run = partial(_check_orders, subject, operation, orders)
            yield Probe(operation=operation_label(operation), run=run)


def query_orders(subject: Subject, operation: Operation) -> Iterator[MemberOrder]:
    """Yield the orders of the parameters of a query that the descriptions of these or of the operation demand, each
    once.
    """
    parameters = _parameters(operation)
    members = {
        name: Property(name=name, schema=parameter.schema)
        for name, parameter in parameters.items()
        if parameter.schema is not None
    }
    stated = [
        (member, sentence)
        for name, member in members.items()
        for sentence in one_line_sentences(parameters[name].description)
    ]
    for sentence in operation_sentences(operation):
        first = ordered_member(members, sentence)
        stated += [(first, sentence)] if first is not None else []
    found: dict[frozenset[str], MemberOrder] = {}
    for member, sentence in stated:
        order = member_order(subject.api, members, member, sentence)
        if order is not None and order.is_demanded and order.other in members:
            found.setdefault(frozenset((order.name, order.other)), order)
    yield from found.values()


def _parameters(operation: Operation) -> Mapping[str, Parameter]:
    queries = (each for each in operation.parameters if each.location_in is ParameterLocation.QUERY)
    return {parameter.name: parameter for parameter in queries}


def _check_orders(
    subject: Subject, operation: Operation, orders: tuple[MemberOrder, ...], send: Send
) -> Iterator[CheckFailure]:
    """Read with two values in their order, then with the same ones in the opposite order, or with two equal ones."""
    request, has_compared = subject.valid(operation), False
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    for order in orders:
        values = _values(subject, operation, order)
        if values is None:
            continue
        lower, upper = values if order.relation.is_upwards else values[::-1]
        kept = send(operation, with_query(request, _query(order, upper, lower)))
        if not is_success(kept):
            continue
        has_compared = True
        equal = [(lower, lower)] if order.relation.is_strict else []
        for first, second in ((lower, upper), *equal):
            exchange = send(operation, with_query(request, _query(order, first, second)))
            if is_success(exchange):
                members = {order.name: first, order.other: second}
                yield accepted_failure(operation, order, members, kept, exchange)
                break
    if not has_compared:
        raise Unsendable(NO_ORDERED_PAIR)


def _query(order: MemberOrder, first: Any, second: Any) -> dict[str, str]:
    return {order.name: str(first), order.other: str(second)}


def _values(subject: Subject, operation: Operation, order: MemberOrder) -> tuple[Any, Any] | None:
    """Return a smaller and a greater value that both parameters may have, None if the contract allows none."""
    parameters = _parameters(operation)
    later = shift_time(_START, DAY) if _START is not None else None
    if _START is None or later is None:
        return None
    pairs = (
        (str(_START.date()), str(later.date())),
        (time_text(_START), time_text(later)),
        *((number, number + 1) for number in (1, 10, 100)),
    )
    both = (parameters[order.name], parameters[order.other])
    return next(
        (
            pair
            for pair in pairs
            if all(is_allowed_value(subject, parameter, value) for parameter in both for value in pair)
        ),
        None,
    )
