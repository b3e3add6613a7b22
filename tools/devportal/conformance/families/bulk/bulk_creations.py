"""A bulk creation stores every item, once and with its values, and lists them in the order of the request."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.bulk.bulk_results import (
    ResultShape,
    WrongResult,
    item_results,
    result_shape,
    wrong_results,
)
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.request_variants import (
    request_json,
    valid_body,
    with_json,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CREATED,
    GONE_STATUSES,
    is_success,
    poll_until,
    read_resource,
    resource_json,
    response_json,
)
from devportal.conformance.knowledge.resources.representation_match import (
    is_certainly_different,
    is_equivalent,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Schema
from devportal.contract.resources import object_properties
from devportal.contract.resources.bulk_creations import BulkOperation, find_bulk_operations
from devportal.contract.validate.json_schema import Direction
from devportal.documents import member_at

ITEMS = 3
"""How many resources are created with one request."""


def bulk_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that creates several resources of one type."""
    for bulk in bulk_creations(subject):
        yield Probe(operation=operation_label(bulk.operation), run=partial(_check_bulk, subject, bulk))


def bulk_creations(subject: Subject) -> Iterator[BulkOperation]:
    """Yield the operations that create several resources of one type."""
    found = find_bulk_operations(subject.api, subject.operations, subject.resources, body_schema)
    yield from (bulk for bulk in found if "{" not in bulk.operation.path)


def shown_items(bulk: BulkOperation, exchange: Exchange) -> Any:
    """Return what a response has where its items are, None if it has nothing there."""
    answer = response_json(exchange)
    return member_at(answer, (bulk.shown,)) if bulk.shown else answer


def _check_bulk(subject: Subject, bulk: BulkOperation, send: Send) -> Iterator[CheckFailure]:
    """Create several different resources with one request, and read each."""
    sent = tuple(different_items(subject, bulk))
    exchange = send_items(subject, bulk, sent, send)
    shown = shown_items(bulk, exchange)
    if not is_success(exchange) or exchange.status == ACCEPTED or not isinstance(shown, list):
        raise Unsendable("a bulk creation that the deployment accepts")
    shape = result_shape(subject, bulk)
    if shape is not None:
        yield from _result_failures(subject, bulk, shape, sent, exchange, send)
        return
    failure = _response_failure(bulk, sent, shown, exchange)
    if failure is not None:
        yield failure
    elif len(shown) == len(sent):
        must_exist = exchange.status == CREATED
        yield from _stored_failures(subject, bulk, sent, shown, exchange, send, must_exist=must_exist)


def _result_failures(
    subject: Subject,
    bulk: BulkOperation,
    shape: ResultShape,
    sent: tuple[Mapping[str, Any], ...],
    exchange: Exchange,
    send: Send,
) -> Iterator[CheckFailure]:
    """Yield a failure if the results contradict themselves or the request, if what they show as created is not stored,
    and if an invalid item is.
    """
    results = item_results(bulk, shape, sent, exchange)
    match results:
        case None:
            wrong = None
        case WrongResult():
            wrong = results
        case _:
            wrong = next(wrong_results(bulk, shape, results, exchange), None)
    if wrong is not None:
        yield _failure(bulk, wrong.title, wrong.message, exchange)
        return
    listed = results if isinstance(results, tuple) else ()
    created = [result for result in listed if result.is_success and result.created is not None]
    if not created:
        raise Unsendable("a bulk creation with a valid item that the deployment creates")
    yield from _stored_failures(
        subject,
        bulk,
        tuple(result.item for result in created),
        [result.created for result in created],
        exchange,
        send,
        must_exist=all(result.status == CREATED for result in created),
    )
    yield from _invalid_item_failures(subject, bulk, shape, sent, send)


def _invalid_item_failures(
    subject: Subject, bulk: BulkOperation, shape: ResultShape, sent: tuple[Mapping[str, Any], ...], send: Send
) -> Iterator[CheckFailure]:
    """Send an item without a required member among valid ones: the request or the result of the item is an error."""
    required = [
        property_.name
        for property_ in object_properties(subject.api, bulk.item)
        if property_.required and property_.name in sent[1]
    ]
    request = subject.valid(bulk.operation)
    if not required or request is None:
        return
    broken = {name: value for name, value in sent[1].items() if name != required[0]}
    items = (sent[0], broken, *sent[2:])
    exchange = send(bulk.operation, _bulk_request(subject, bulk, request, items))
    results = item_results(bulk, shape, items, exchange) if is_success(exchange) else None
    if isinstance(results, tuple) and results[1].is_success:
        message = f"item 1 has no {required[0]!r}, which is required, and its result is {results[1].status}"
        yield _failure(bulk, "an invalid item of a bulk creation is accepted", message, exchange)


def send_items(
    subject: Subject, bulk: BulkOperation, items: Sequence[Mapping[str, Any]], send: Send
) -> Exchange:
    """Send a bulk creation with these items. Raises Unsendable if the contract does not allow it."""
    request = subject.valid(bulk.operation)
    if request is None or len(items) < 2:
        raise Unsendable("a valid request with several items")
    whole = _bulk_request(subject, bulk, request, items)
    schema = body_schema(bulk.operation)
    if schema is None or not subject.validator.is_valid(schema, request_json(whole), Direction.REQUEST):
        raise Unsendable("a valid request with several items")
    return send(bulk.operation, whole)


def _bulk_request(
    subject: Subject, bulk: BulkOperation, request: Request, items: Sequence[Mapping[str, Any]]
) -> Request:
    """Return a request with other items."""
    body = request_json(request)
    whole = {**body, bulk.sent: list(items)} if bulk.sent and isinstance(body, dict) else list(items)
    return with_new_idempotency_key(subject, bulk.operation, with_json(request, whole))


def different_items(subject: Subject, bulk: BulkOperation) -> Iterator[Mapping[str, Any]]:
    """Yield valid items that differ in every text without a form and in each other member that may differ."""
    create = bulk.resource.create
    body = valid_body(subject, create)
    if body is None:
        return
    members = {
        property_.name: subject.api.resolve(property_.schema)
        for property_ in object_properties(subject.api, body.schema)
    }
    for number in range(ITEMS):
        item = dict(body.members)
        for name, schema in members.items():
            if name not in item and schema.enum == () and "integer" not in schema.types:
                continue
            for value in _item_values(item.get(name), schema, number):
                if body.is_valid(subject, {**item, name: value}):
                    item[name] = value
                    break
        yield item


def _item_values(value: Any, schema: Schema, number: int) -> Iterator[Any]:
    if schema.read_only:
        return
    if schema.enum:
        values = [item for item in schema.enum if item is not None]
        yield values[number % len(values)]
    elif isinstance(value, str) and not schema.format:
        yield f"{value} {uuid.uuid4().hex[:8]}"
        yield f"{value}{uuid.uuid4().hex[:8]}"
        yield uuid.uuid4().hex[:12]
        yield f"{value[:-6]}{uuid.uuid4().int % 1_000_000:06}"
    elif isinstance(value, str) and schema.format == "email":
        yield f"{uuid.uuid4().hex[:12]}@example.com"
    elif "integer" in schema.types:
        yield from (base + number for base in (1, 10, 100))


def _response_failure(
    bulk: BulkOperation, sent: tuple[Mapping[str, Any], ...], shown: list[Any], exchange: Exchange
) -> CheckFailure | None:
    """Return the failure of a response that has other items than the request, or not in its order."""
    objects = [item for item in shown if isinstance(item, dict)]
    ids = [member_at(object_, bulk.resource.key) for object_ in objects]
    if len(objects) != len(shown) or any(id_ is None for id_ in ids):
        return None  # the list holds something else, such as results with a status
    if len(shown) != len(sent):
        message = f"{len(sent)} items were sent, and the response to {exchange.status} lists {len(shown)}"
        return _failure(bulk, "a bulk creation answers with another number of items", message, exchange)
    if len({str(id_) for id_ in ids}) != len(ids):
        message = f"{len(sent)} items were sent, and two of the response have one identifier"
        return _failure(bulk, "two items of a bulk creation are one", message, exchange)
    orders = [[_agree(item, other) for other in objects] for item in sent]
    if all(any(row) for row in orders) and not all(row[index] for index, row in enumerate(orders)):
        message = "each item that was sent is in the response, at another position"
        return _failure(bulk, "a bulk creation answers in another order", message, exchange)
    return None


def _agree(sent: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    """Return whether an object shows what was sent, in the numbers, booleans and texts that both have."""
    return all(
        not is_certainly_different(value, shown[name])
        for name, value in sent.items()
        if name in shown and isinstance(value, str | int | float | bool) and type(shown[name]) is type(value)
    )


def _stored_failures(
    subject: Subject,
    bulk: BulkOperation,
    sent: tuple[Mapping[str, Any], ...],
    shown: list[Any],
    exchange: Exchange,
    send: Send,
    *,
    must_exist: bool,
) -> Iterator[CheckFailure]:
    """Read each item that a response shows. One that is not found is a failure if it `must_exist`."""
    resource = bulk.resource
    for wanted, item in zip(sent, shown, strict=True):
        resource_id = str(member_at(item, resource.key))
        reading = poll_until(
            partial(read_resource, subject, resource, resource_id, send),
            send,
            lambda observed: observed.status not in GONE_STATUSES,
        )
        if reading.status in GONE_STATUSES and must_exist:
            message = f"{resource_id!r} is in the response, and reading it gets {reading.status}"
            yield _failure(bulk, "an item of a bulk creation cannot be read", message, exchange, reading)
            return
        stored = resource_json(resource, reading)
        differing = [
            name
            for name, value in wanted.items()
            if isinstance(stored, dict)
            and is_success(reading)
            and name in stored
            and type(stored[name]) is type(value)
            and isinstance(value, bool | int | float)
            and not is_equivalent(stored[name], value)
        ] + [
            name
            for name, value in wanted.items()
            if isinstance(stored, dict) and _is_other_text(subject, bulk, name, value, stored.get(name))
        ]
        if differing:
            message = f"{resource_id!r} is read with another value than was sent in: {', '.join(differing)}"
            yield _failure(bulk, "an item of a bulk creation has other values", message, exchange, reading)
            return


def _is_other_text(subject: Subject, bulk: BulkOperation, name: str, sent: Any, shown: Any) -> bool:
    members = {property_.name: property_.schema for property_ in object_properties(subject.api, bulk.item)}
    is_enumerated = name in members and bool(subject.api.resolve(members[name]).enum)
    is_text = isinstance(sent, str) and isinstance(shown, str)
    return is_text and is_enumerated and is_certainly_different(sent, shown)


def _failure(bulk: BulkOperation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    return response_failure(bulk.operation, evidence[0], title, message, *evidence)
