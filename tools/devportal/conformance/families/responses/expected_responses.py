"""Expectation × row: do responses hold what the settings expect of them, and nothing else?"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.expectations import ExpectedResponse, ExpectedRow
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import operation_failure
from devportal.conformance.knowledge.paging import ListTarget, walk_pages, with_query
from devportal.conformance.knowledge.requests.request_variants import with_json, with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import is_success, response_json
from devportal.conformance.knowledge.resources.representation_match import is_equivalent
from devportal.conformance.knowledge.subject import Subject, named_operation, operation_label
from devportal.contract import Operation, ParameterLocation
from devportal.documents import parse_pointer, value_at

MOST_REQUESTS = 500
"""How many requests one expectation may send; a list in one response needs one."""
MOST_PAGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _RowRequest:
    """One request, and the rows that its response is compared with."""

    values: Mapping[str, str]
    body: Any
    rows: tuple[ExpectedRow, ...]


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each request that an expectation needs."""
    for expected in subject.expected:
        operation = named_operation(subject.operations, expected.operation)
        if operation is None:
            continue
        for row_request in _row_requests(expected)[:MOST_REQUESTS]:
            yield Probe(
                operation=operation_label(operation),
                run=partial(_check_response, subject, expected, operation, row_request),
            )


def _row_requests(expected: ExpectedResponse) -> list[_RowRequest]:
    """Return the requests of an expectation: rows that lead to the same request belong together."""
    requests: dict[str, _RowRequest] = {}
    for row in expected.rows.rows:
        values, body = _fill_columns(dict(expected.values), row), _fill_columns(expected.body, row)
        key = json.dumps([values, body], sort_keys=True, default=str)
        known = requests.get(key)
        rows = (*known.rows, row) if known is not None else (row,)
        requests[key] = _RowRequest(values=values, body=body, rows=rows)
    return list(requests.values())


def _fill_columns(document: Any, row: ExpectedRow) -> Any:
    """Return a document in which `{column}` is replaced by the value of a row."""
    match document:
        case str():
            for name, value in row.values.items():
                if document == "{" + name + "}":
                    return value
                document = document.replace("{" + name + "}", _text(value))
            return document
        case dict():
            return {name: _fill_columns(value, row) for name, value in document.items()}
        case list():
            return [_fill_columns(item, row) for item in document]
    return document


def _check_response(
    subject: Subject, expected: ExpectedResponse, operation: Operation, row_request: _RowRequest, send: Send
) -> Iterator[CheckFailure]:
    request = _request(subject, operation, row_request)
    exchange = send(operation, request)
    if not is_success(exchange):
        yield operation_failure(
            operation, "an expected response does not come", f"it is {exchange.outcome}", exchange
        )
    elif expected.items is None:
        yield from _row_failures(expected, operation, row_request.rows[0], response_json(exchange), exchange)
    else:
        items, last = _read_items(subject, expected, operation, exchange, send)
        yield from _list_failures(expected, operation, row_request.rows, items, last)


def _request(subject: Subject, operation: Operation, row_request: _RowRequest) -> Request:
    values = {name: _text(value) for name, value in row_request.values.items()}
    request = replace(subject, values={**subject.values, **values}).valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    query = [
        parameter.name
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.QUERY
    ]
    request = with_query(request, {name: value for name, value in values.items() if name in query})
    if row_request.body is not None:
        request = with_json(request, row_request.body)
    return with_new_idempotency_key(subject, operation, request)


def _read_items(
    subject: Subject, expected: ExpectedResponse, operation: Operation, first: Exchange, send: Send
) -> tuple[Sequence[Any], Exchange]:
    """Return the items of a list, of all pages. Raises Unsendable if its end is not reached."""
    path = parse_pointer(expected.items or "")
    listing = next((listing for listing in subject.listings if listing.operation is operation), None)
    if listing is not None and listing.items == path and listing.has_pages:
        walk = walk_pages(ListTarget(subject=subject, listing=listing), send, first.request, MOST_PAGES)
        if not walk.is_complete:
            raise Unsendable("a list that can be read to its end")
        return walk.items, walk.pages[-1].exchange
    items = value_at(response_json(first), expected.items or "")
    if not isinstance(items, list):
        raise Unsendable(f"a list at {expected.items!r} of the response")
    return items, first


def _list_failures(
    expected: ExpectedResponse,
    operation: Operation,
    rows: Sequence[ExpectedRow],
    items: Sequence[Any],
    exchange: Exchange,
) -> Iterator[CheckFailure]:
    by_key: dict[tuple[str, ...], list[Any]] = {}
    for item in items:
        by_key.setdefault(_item_key(expected, item), []).append(item)
    expected_keys = {_row_key(expected, row): row for row in rows}
    missing = [row for key, row in expected_keys.items() if key not in by_key]
    if missing:
        message = (
            f"{_count(missing, rows)}: {_row_name(expected, missing[0])} ({missing[0].place}) is missing"
        )
        yield operation_failure(operation, "an expected item is missing", message, exchange)
    for key, row in expected_keys.items():
        failures = [
            row_failure
            for item in by_key.get(key, ())[:1]
            for row_failure in _row_failures(expected, operation, row, item, exchange)
        ]
        if failures:
            yield failures[0]
            break
    repeated = [key for key, found in by_key.items() if key in expected_keys and len(found) > 1]
    if repeated:
        yield operation_failure(operation, "an expected item comes twice", ", ".join(repeated[0]), exchange)
    if expected.is_whole:
        others = [item for key, found in by_key.items() if key not in expected_keys for item in found]
        yield from _unexpected_failures(expected, operation, others, exchange)


def _unexpected_failures(
    expected: ExpectedResponse, operation: Operation, others: Sequence[Any], exchange: Exchange
) -> Iterator[CheckFailure]:
    unapproved = [item for item in others if expected.rows.unapproved & set(_item_texts(item))]
    for title, items in (
        ("an unapproved record is published", unapproved),
        ("an item is not expected", [item for item in others if item not in unapproved]),
    ):
        if items:
            name = ", ".join(_item_key(expected, items[0]))
            message = f"{len(items)} of them, such as {name[:80]!r}, are not in {expected.rows.source}"
            yield operation_failure(operation, title, message, exchange)


def _row_failures(
    expected: ExpectedResponse, operation: Operation, row: ExpectedRow, item: Any, exchange: Exchange
) -> Iterator[CheckFailure]:
    """Yield a failure if the values of an item are not those of its row."""
    wrong = [
        (column, value_at(item, expected.pointer(column)))
        for column in expected.compared_columns
        if column in row.values
        and not is_expected_value(row.values[column], value_at(item, expected.pointer(column)))
    ]
    if wrong:
        column, value = wrong[0]
        shown, wanted = json.dumps(value)[:60], json.dumps(row.values[column], default=str)[:60]
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        message = f"`{expected.pointer(column)}` is {shown}; expected: {wanted} ({row.place}){more}"
        yield operation_failure(operation, "a value is not the expected one", message, exchange)


def is_expected_value(wanted: Any, value: Any) -> bool:
    """Return whether a value is as a file expects it. A text in a file, as every cell of CSV is, stands for
    the number, truth value or list that it is written like; an empty cell for no value.
    """
    if not isinstance(wanted, str):
        return is_equivalent(wanted, value)
    match value:
        case None:
            return not wanted
        case bool():
            return wanted.strip().lower() == ("true" if value else "false")
        case int() | float():
            try:
                return Decimal(wanted) == Decimal(str(value))
            except InvalidOperation:
                return False
        case list():
            return wanted == "; ".join(map(_text, value))
        case str():
            return is_equivalent(wanted, value)
    return False


def _item_key(expected: ExpectedResponse, item: Any) -> tuple[str, ...]:
    return tuple(_text(value_at(item, expected.pointer(column))) for column in expected.key)


def _row_key(expected: ExpectedResponse, row: ExpectedRow) -> tuple[str, ...]:
    return tuple(_text(row.values.get(column)) for column in expected.key)


def _row_name(expected: ExpectedResponse, row: ExpectedRow) -> str:
    return ", ".join(f"{column} {_text(row.values.get(column))!r}" for column in expected.key)


def _item_texts(item: Any) -> Iterator[str]:
    for value in item.values() if isinstance(item, dict) else ():
        if isinstance(value, str):
            yield value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _count(part: Sequence[object], whole: Sequence[object]) -> str:
    return f"{len(part)} of {len(whole)} expected items"


FAMILY = Family(
    name="expected-responses",
    summary="responses hold what the settings expect",
    words=CheckDescription(
        promise="The responses of an operation hold the items and values that `expected` in the settings takes "
        "from a file or from published records: none is missing, wrong or unapproved.",
        test="Each expectation is requested, lists to their end, and compared with its rows.",
        remedy="Serve the data from the source that was approved, or correct the file.",
    ),
    needs="expected values: write them under `expected` in the settings",
    probes=probes,
    about_state=True,
)
