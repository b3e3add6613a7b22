"""Results of a bulk creation, one for each item: `{"index": 0, "status": 201, "order": {…}}` in a 207, for example."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.json_api import members_schema, with_attributes_as_members
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.resources.representation_match import is_certainly_different
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Property, Schema
from devportal.contract.body_schemas import success_schemas
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import object_properties
from devportal.contract.resources.bulk_creations import BulkOperation
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.wording import quote_value
from devportal.documents import member_at

STATUS_NAMES = ("status", "status_code", "http_status", "http_code", "code")
INDEX_NAMES = ("index", "position", "item_index", "request_index", "row")
ERROR_NAMES = ("error", "errors", "problem", "problems")
SUCCESS_CLASS = 2
ERROR_CLASSES = (4, 5)
CONFLICT = 409
_SOME_ONLY = re.compile(r"fail|error|reject|problem|invalid|missing|found|success|succeed|ed$", re.IGNORECASE)
"""Names of lists that have the results of some items only: `failures`, `notFound`, `updated`."""
_FIRST_INDEX = re.compile(
    r"\b(?:zero|0)[- ]based\b|\b(?P<one>one|1)[- ]based\b|"
    r"\b(?:counts?|counted|starts?|starting|begins?|beginning)\s+(?:from|at|with)\s+(?P<digit>[01])\b",
    re.IGNORECASE,
)
IN_ORDER = re.compile(
    r"\bin (?:the|their|its) (?:same )?order\b|\bin the order\b|\bsame order\b|"
    r"\border of the (?:request|items|ids|identifiers)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultShape:
    """The members of the results of a bulk creation: the status of an item, its position in the request, what was
    created, and what went wrong. Empty if a result has none.
    """

    status: str
    index: str
    representation: str
    error: str
    is_in_order: bool
    first_index: int | None
    """The position of the first item, None if the contract does not state it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResult:
    """The result of one item of a request: its status (None if it has none) and what was created, if anything was."""

    item: Mapping[str, Any]
    status: int | None
    created: Mapping[str, Any] | None

    @property
    def is_success(self) -> bool:
        """Whether the item was created, by its status, or else by what the result shows."""
        return self.created is not None if self.status is None else self.status // 100 == SUCCESS_CLASS

    @property
    def is_error(self) -> bool:
        """Whether the status is 4xx or 5xx. Greater numbers are codes of the API, which may stand for success."""
        return self.status is not None and self.status // 100 in ERROR_CLASSES


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongResult:
    """What is wrong with the results of a bulk creation: a title and a message."""

    title: str
    message: str


def result_shape(subject: Subject, bulk: BulkOperation) -> ResultShape | None:
    """Return the shape of the results of a bulk creation, None if its response lists the resources themselves, or the
    results of some items only.
    """
    members = tuple(object_properties(subject.api, bulk.shown_item))
    representation = next((member.name for member in members if _holds_resource(subject, bulk, member)), "")
    status = member_named(subject, members, STATUS_NAMES, ("integer",))
    is_resource = _has_key(subject, bulk, bulk.shown_item)
    if is_resource or has_some_only(bulk.shown) or not (representation and status):
        return None
    index = member_named(subject, members, INDEX_NAMES, ("integer",))
    meanings = (subject.api.resolve(member.schema).description for member in members if member.name == index)
    return ResultShape(
        status=status,
        index=index,
        first_index=_first_index(" ".join((*meanings, *operation_sentences(bulk.operation))))
        if index
        else None,
        representation=representation,
        error=member_named(subject, members, ERROR_NAMES, ("object", "array", "string")),
        is_in_order=any(map(IN_ORDER.search, operation_sentences(bulk.operation))),
    )


def _first_index(text: str) -> int | None:
    """Return the position of the first item by a text, None if it states none."""
    found = _FIRST_INDEX.search(text)
    if found is None:
        return None
    return 1 if found["one"] or found["digit"] == "1" else 0


def has_some_only(name: str) -> bool:
    """Return whether a list of results has those of some items only, by its name."""
    return _SOME_ONLY.search(name) is not None


def member_named(
    subject: Subject, members: Sequence[Property], names: tuple[str, ...], types: tuple[str, ...]
) -> str:
    """Return the first member with one of these names and one of these types, empty if there is none."""
    return next(
        (
            member.name
            for name in names
            for member in members
            if matches_any_name(member.name, (name,))
            and set(types) & set(subject.api.resolve(member.schema).types)
        ),
        "",
    )


def _has_key(subject: Subject, bulk: BulkOperation, schema: Schema) -> bool:
    plain = members_schema(subject.api, schema, "")
    return any(property_.name == bulk.resource.key[0] for property_ in object_properties(subject.api, plain))


def _holds_resource(subject: Subject, bulk: BulkOperation, member: Property) -> bool:
    """Return whether a member holds what was created: it has the schema of the reading, or an identifier."""
    read = bulk.resource.read
    shown = {
        subject.api.resolve(members_schema(subject.api, schema, bulk.resource.envelope)).location
        for schema in (success_schemas(read) if read is not None else ())
    }
    is_same = subject.api.resolve(member.schema).location in shown
    return is_same or (
        _has_key(subject, bulk, member.schema) and not matches_any_name(member.name, ERROR_NAMES)
    )


def item_results(
    bulk: BulkOperation, shape: ResultShape, sent: Sequence[Mapping[str, Any]], exchange: Exchange
) -> tuple[ItemResult, ...] | WrongResult | None:
    """Return the result of each item that was sent, in their order, or what is wrong with the list of results; None if
    the response has none.
    """
    answer = response_json(exchange)
    results = member_at(answer, (bulk.shown,)) if bulk.shown else answer
    if not isinstance(results, list) or not all(isinstance(result, dict) for result in results):
        return None
    if len(results) != len(sent):
        message = (
            f"{len(sent)} items were sent, and the response to {exchange.status} has {len(results)} results"
        )
        return WrongResult(title="a bulk response has another number of results", message=message)
    positions = [result.get(shape.index) for result in results] if shape.index else []
    counted = [position for position in positions if isinstance(position, int)]
    if len(counted) == len(sent):
        first = min(counted)
        allowed = (0, 1) if shape.first_index is None else (shape.first_index,)
        if first not in allowed or sorted(counted) != [*range(first, first + len(sent))]:
            message = f"{shape.index!r} is {', '.join(map(str, counted))} in the results of {len(sent)} items"
            return WrongResult(title="the results of a bulk request do not name its items", message=message)
        if shape.is_in_order and counted != sorted(counted):
            message = f"{shape.index!r} is {', '.join(map(str, counted))}, not in the order of the request"
            return WrongResult(title="the results of a bulk request are in another order", message=message)
        results = [
            result for _, result in sorted(zip(counted, results, strict=True), key=lambda pair: pair[0])
        ]
    return tuple(_item_result(bulk, shape, item, result) for item, result in zip(sent, results, strict=True))


def _item_result(
    bulk: BulkOperation, shape: ResultShape, item: Mapping[str, Any], result: Mapping[str, Any]
) -> ItemResult:
    status = result.get(shape.status)
    created = with_attributes_as_members(result.get(shape.representation))
    has_id = isinstance(created, dict) and member_at(created, bulk.resource.key) not in EMPTY_VALUES
    return ItemResult(
        item=item,
        status=status if isinstance(status, int) and not isinstance(status, bool) else None,
        created=created if has_id else None,
    )


def wrong_results(
    bulk: BulkOperation, shape: ResultShape, results: Sequence[ItemResult], exchange: Exchange
) -> Iterator[WrongResult]:
    """Yield what contradicts itself: a status and what the result shows, two results with one identifier, and a
    result with the values of another item.
    """
    shown = response_json(exchange)
    listed = member_at(shown, (bulk.shown,)) if bulk.shown else shown
    for position, result in enumerate(results):
        if result.is_error and result.created is not None and not _may_show_existing(bulk, result):
            message = f"result {position} has the status {result.status}, and shows {shape.representation!r}"
            yield WrongResult(title="a result with an error shows what was created", message=message)
            return
    for raw in listed if shape.error else ():
        status = raw.get(shape.status)
        is_positive = isinstance(status, int) and status // 100 == SUCCESS_CLASS
        if is_positive and not _is_no_error(raw.get(shape.error)):
            message = (
                f"a result has the status {status}, and {shape.error!r} is {quote_value(raw[shape.error])}"
            )
            yield WrongResult(title="a successful result has an error", message=message)
            return
    created = [result for result in results if result.is_success and result.created is not None]
    ids = [str(member_at(result.created, bulk.resource.key)) for result in created]
    if len(set(ids)) != len(ids):
        message = f"{len(ids)} items were created, and two results have one identifier"
        yield WrongResult(title="two items of a bulk creation are one", message=message)
        return
    for result in created:
        differing = [
            name
            for name, value in result.item.items()
            if result.created is not None
            and isinstance(value, str | int | float | bool)
            and type(result.created.get(name)) is type(value)
            and is_certainly_different(value, result.created[name])
        ]
        others = [
            other for other in results if other is not result and _shows(other.item, result.created or {})
        ]
        if differing and others:
            message = f"the result of an item has the values of another one in: {', '.join(differing)}"
            yield WrongResult(title="a result shows another item", message=message)
            return


def _may_show_existing(bulk: BulkOperation, result: ItemResult) -> bool:
    """Return whether a result with an error may show a resource: the one with which the item is in conflict, or the
    item itself, with the identifier that the client chose.
    """
    shown, sent = (member_at(value, bulk.resource.key) for value in (result.created, result.item))
    return result.status == CONFLICT or shown == sent


def _is_no_error(value: Any) -> bool:
    """Return whether a value stands for no error: nothing, or an object whose members are all empty or zero."""
    members = value.values() if isinstance(value, dict) else (value,)
    return all(member in EMPTY_VALUES or member == 0 for member in members)


def _shows(item: Mapping[str, Any], created: Mapping[str, Any]) -> bool:
    """Return whether what was created has all values of an item that it shows."""
    return all(
        not is_certainly_different(value, created[name])
        for name, value in item.items()
        if isinstance(value, str | int | float | bool) and type(created.get(name)) is type(value)
    )
