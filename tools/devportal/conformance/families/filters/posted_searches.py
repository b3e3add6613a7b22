"""Searches whose conditions are in a body, such as `POST /orders/search` or `QUERY /orders` with
`{"statuses": ["open"]}`, find what fits, and nothing else.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.filters.filtering import lost_items_title, unwanted_items_title
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_filters import ignores_case
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.paging import item_keys, list_target
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    valid_body,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
    is_success,
    response_json,
)
from devportal.conformance.knowledge.resources.operation_resources import change_resource, different_id
from devportal.conformance.knowledge.resources.varied_resources import create_varied
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Property
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import last_segment, parent_path, singular
from devportal.contract.resources import Listing, Resource, item_properties, object_properties
from devportal.contract.resources.listings import listing_of
from devportal.contract.validate.schema_rules import constraint_value
from devportal.contract.wording import quote_value
from devportal.documents import member_at

LARGE_PAGE = 100
SHORTEST_WORD = 4
_METHODS = ("POST", "QUERY")
_SEARCH = re.compile(r"search|quer(?:y|ies)|find|filter|lookup", re.IGNORECASE)
_WORD = re.compile(r"(?<!\w)[A-Za-z]+(?!\w)")
_QUOTED = re.compile(r"`([^`\s]+)`")


@dataclass(frozen=True, slots=True, kw_only=True)
class _PostedSearch:
    """An operation that returns the resources of a type which fit the members of its body; `limit` takes the size of a
    page, and is empty if none does.
    """

    subject: Subject
    operation: Operation
    resource: Resource
    listing: Listing
    body: ObjectBody
    limit: Property | None

    def send(
        self, conditions: Mapping[str, Any], send: Send, *, size: int | None = None
    ) -> tuple[list[Any], Exchange, bool]:
        """Return the items that fit conditions, the exchange, and whether there are no others. Raises Unsendable if the
        deployment rejects them.
        """
        limit = {self.limit.name: size or self.largest} if self.limit is not None else {}
        members = {**conditions, **limit}
        if not self.body.is_valid(self.subject, members):
            raise Unsendable(NO_VALID_REQUEST)
        request = with_new_idempotency_key(self.subject, self.operation, self.body.request(members))
        exchange = send(self.operation, request)
        shown = response_json(exchange)
        items = member_at(shown, self.listing.items)
        if not is_success(exchange) or not isinstance(items, list):
            raise Unsendable("a search that the deployment accepts")
        names = self.subject.conventions.next_cursor
        following = [
            value
            for name, value in (shown.items() if isinstance(shown, dict) else ())
            if matches_any_name(name, names)
        ]
        is_whole = len(items) < self.largest and not any(following)
        return items, exchange, is_whole

    @property
    def largest(self) -> int:
        """The size of the largest page, or a large one."""
        schema = self.subject.api.resolve(self.limit.schema) if self.limit is not None else None
        maximum = constraint_value(schema, "maximum") if schema is not None else None
        return min(int(maximum), LARGE_PAGE) if isinstance(maximum, int | float) else LARGE_PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Condition:
    """A member of the body that an item fits if its `member` has one of the values; `is_list` if it takes several."""

    property_: Property
    member: str
    is_list: bool
    is_exact: bool

    def body_member(self, *values: Any) -> dict[str, Any]:
        """Return the member of the body."""
        return {self.property_.name: list(values) if self.is_list else values[0]}

    def excludes(self, item: Any, *values: Any) -> bool:
        """Return whether an item surely fits none of the values; a text may be looked for in others."""
        shown = item.get(self.member) if isinstance(item, dict) else None
        if shown is None or self.is_exact or not isinstance(shown, str):
            return shown is not None and shown not in values
        return not any(str(value).casefold() in shown.casefold() for value in values)


def posted_search_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each search of resources by the body of a POST or QUERY."""
    for operation in subject.operations:
        search = _posted_search(subject, operation) if operation.method in _METHODS else None
        if search is not None and (
            any(True for _ in chain(_conditions(search), _texts(search))) or search.limit
        ):
            yield Probe(operation=operation_label(operation), run=partial(_check_search, search))


def _posted_search(subject: Subject, operation: Operation) -> _PostedSearch | None:
    """Return how an operation searches in a collection, by its path: None if it does not, or needs more than optional
    members.
    """
    body, path = valid_body(subject, operation), operation.path.rstrip("/")
    is_query = operation.method == "QUERY"
    if body is None or body.envelope or not (is_query or _SEARCH.search(path)):
        return None
    listing = listing_of(subject.api, subject.conventions, operation)
    for resource in subject.resources:
        collection = parent_path(resource.path)
        is_in_collection = parent_path(path) == collection
        is_named = last_segment(path) == last_segment(collection) and path != collection
        is_of_collection = is_query and path == collection
        is_search = is_in_collection or is_named or is_of_collection
        if listing is None or resource.create is operation or not is_search:
            continue
        members = tuple(object_properties(subject.api, body.schema))
        if "{" in path or any(member.required for member in members) or not body.is_valid(subject, {}):
            return None
        numbers = [each for each in members if "integer" in subject.api.resolve(each.schema).types]
        limit = next(
            (each for each in numbers if matches_any_name(each.name, subject.conventions.limit)), None
        )
        return _PostedSearch(
            subject=subject, operation=operation, resource=resource, listing=listing, body=body, limit=limit
        )
    return None


def _conditions(search: _PostedSearch) -> Iterator[_Condition]:
    """Yield the members of the body that have the name of a member of the items, or its plural."""
    api = search.subject.api
    items = item_properties(api, search.listing.item) if search.listing.item is not None else ()
    scalars = {
        each.name: api.resolve(each.schema)
        for each in items
        if {"string", "integer", "boolean"} & set(api.resolve(each.schema).types)
    }
    for property_ in object_properties(api, search.body.schema):
        is_list = "array" in api.resolve(property_.schema).types
        names = (property_.name, singular(property_.name)) if is_list else (property_.name,)
        found = next((name for name in scalars if matches_any_name(name, names)), "")
        if found and not scalars[found].format.startswith("date"):
            meaning = scalars[found]
            is_exact = is_list or bool(meaning.enum) or "string" not in meaning.types
            yield _Condition(property_=property_, member=found, is_list=is_list, is_exact=is_exact)


def _texts(search: _PostedSearch) -> Iterator[tuple[Property, tuple[tuple[str, ...], ...]]]:
    """Yield the members of the body that take a text to look for, with the paths of the members of items in which it is
    looked for by the description.
    """
    for property_ in object_properties(search.subject.api, search.body.schema):
        if not matches_any_name(property_.name, search.subject.conventions.search):
            continue
        description = search.subject.api.resolve(property_.schema).description
        stated = [each for each in operation_sentences(search.operation) if f"`{property_.name}`" in each]
        quoted = [name for text in (description, *stated) for name in _QUOTED.findall(text)]
        paths = tuple(tuple(name.split(".")) for name in dict.fromkeys(quoted) if name != property_.name)
        if paths:
            yield property_, paths


def _check_search(search: _PostedSearch, send: Send) -> Iterator[CheckFailure]:
    """Search by each condition, and compare what is found with a search without conditions."""
    if search.resource.listing is not None:
        create_varied(list_target(search.subject, search.resource.listing), send)
    else:
        create_resource(search.subject, search.resource, send)
    with suppress(Unsendable):  # another state, if the first action leads to one
        change_resource(search.subject, create_resource(search.subject, search.resource, send), send)
    items, _, is_whole = search.send({}, send)
    if search.limit is not None and len(items) > 1:
        few, shown, _ = search.send({}, send, size=1)
        if len(few) > 1:
            message = f"{len(few)} items where at most 1 was asked for"
            yield _failure(
                search, search.limit, "a page holds more items than were asked for", message, shown
            )
    is_compared = False
    for condition in _conditions(search):
        with suppress(Unsendable):
            failure = _condition_failure(search, condition, items, send, is_whole=is_whole)
            is_compared = True
            if failure is not None:
                yield failure
    for property_, paths in _texts(search):
        with suppress(Unsendable):
            failure = _text_failure(search, property_, paths, items, send)
            is_compared = True
            if failure is not None:
                yield failure
    if not is_compared and search.limit is None:
        raise Unsendable("a search for values that only some of the items have")


def _condition_failure(
    search: _PostedSearch, condition: _Condition, items: list[Any], send: Send, *, is_whole: bool
) -> CheckFailure | None:
    shown = [item.get(condition.member) if isinstance(item, dict) else None for item in items]
    values = list(dict.fromkeys(value for value in shown if isinstance(value, str | int) and value != ""))
    if not values:
        raise Unsendable("items with values")
    other = values[1] if len(values) > 1 else _other_value(search, condition, values[0])
    for sought in ((other,), (values[0], other)) if condition.is_list else ((other,),):
        found, exchange, is_all = search.send(condition.body_member(*sought), send)
        name = condition.property_.name
        unwanted = [item for item in found if condition.excludes(item, *sought)]
        if unwanted:
            shown_value = unwanted[0][condition.member]
            message = (
                f"{json.dumps(condition.body_member(*sought))} shows an item with {quote_value(shown_value)}"
            )
            return _failure(search, condition.property_, unwanted_items_title(name), message, exchange)
        fitting = [item for item, value in zip(items, shown, strict=True) if value in sought]
        lost = _lost_id(search, fitting, found, send) if is_all and is_whole else ""
        if lost:
            message = f"{json.dumps(condition.body_member(*sought))} does not show {lost:.80}, which fits"
            return _failure(search, condition.property_, lost_items_title(name), message, exchange)
    return None


def _other_value(search: _PostedSearch, condition: _Condition, known: str | int) -> str | int:
    """Return a value of a condition that no item has, such as another one of its enumeration."""
    if isinstance(known, bool):
        return not known
    members = {
        each.name: search.subject.api.resolve(each.schema)
        for each in (item_properties(search.subject.api, search.listing.item) if search.listing.item else ())
    }
    others = [
        value for value in members[condition.member].enum if value != known and isinstance(value, str | int)
    ]
    if others or not isinstance(known, str):
        return next(iter(others), int(known) + 1) if isinstance(known, int) else others[0]
    return different_id(known)


def _text_failure(
    search: _PostedSearch,
    property_: Property,
    paths: tuple[tuple[str, ...], ...],
    items: list[Any],
    send: Send,
) -> CheckFailure | None:
    """Look for a word of each member in which a text is looked for: the items that have it are found."""
    is_compared = False
    text = " ".join(
        (search.subject.api.resolve(property_.schema).description, *operation_sentences(search.operation))
    )
    for path in paths:
        texts = [member_at(item, path) for item in items]
        words = (_WORD.findall(each) for each in texts if isinstance(each, str))
        word = next((word for found in words for word in found if len(word) >= SHORTEST_WORD), "")
        for sought in dict.fromkeys((word, word.swapcase() if ignores_case(text) else word)) if word else ():
            found, exchange, is_all = search.send({property_.name: sought}, send)
            is_compared = is_compared or is_all
            fitting = [
                item
                for item, shown in zip(items, texts, strict=True)
                if isinstance(shown, str) and word in shown
            ]
            lost = _lost_id(search, fitting, found, send) if is_all else ""
            if lost:
                message = (
                    f"{property_.name}={quote_value(sought)} does not show {lost:.80}, whose "
                    f"{'.'.join(path)!r} has it"
                )
                return _failure(search, property_, lost_items_title(property_.name), message, exchange)
    if not is_compared:
        raise Unsendable("items with texts that can be searched for")
    return None


def _lost_id(search: _PostedSearch, fitting: list[Any], found: list[Any], send: Send) -> str:
    """Return the identifier of an item that fits, is not found and is still there; empty if there is none."""
    key = search.resource.key
    lost = set(item_keys(fitting, key)) - set(item_keys(found, key)) if key else set()
    still = lost & set(item_keys(search.send({}, send)[0], key)) if lost else lost
    return min(still, default="")


def _failure(
    search: _PostedSearch, property_: Property, title: str, message: str, exchange: Exchange
) -> CheckFailure:
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(search.operation),
        promise=property_.schema.location,
        evidence=(exchange,),
    )
