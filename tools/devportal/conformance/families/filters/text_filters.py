"""Filters of lists by a text that an item shows: its number, its country, its name; or by a number that names another
resource.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import (
    FilterExpectation,
    check_filter,
    filter_parameters,
    listed_member,
    named_member,
)
from devportal.conformance.families.paging.later_pages import lost_filter_failures
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.json_api import relationship_names
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    list_target,
    read_filled_list,
    read_filtered_list,
)
from devportal.conformance.knowledge.requests.request_variants import is_allowed_value
from devportal.conformance.knowledge.requests.valid_request import is_reference_name
from devportal.conformance.knowledge.resources.representation_match import MASK_MARKS
from devportal.conformance.knowledge.resources.varied_resources import create_varied
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter, ParameterLocation, Schema
from devportal.contract.conventions import filtered_member
from devportal.contract.resources import Listing, item_properties

MOST_VALUES = 2
"""How many texts of a filter are tried."""
LONGEST = 100
UNUSED = 1_000_003
"""What makes the number of a resource that does not exist of that of one that does."""
_FINDS_MORE = re.compile(
    r"\b(?:sub|child|descend|recurs|nested|below|includ|starting|since|after)\w*", re.IGNORECASE
)
"""Words of filters that find what belongs to resources below one as well, or what follows it."""
TEXT_TYPES = frozenset({"string", "null"})


def text_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list with query parameters that have the name of a text member of its items."""
    for listing in subject.listings:
        found = tuple(
            parameter
            for parameter in filter_parameters(subject.api, listing.operation)
            if is_text_filter(subject, listing, parameter)
            or _is_reference_filter(subject, listing, parameter)
        )
        if found:
            run = partial(_check_text_filters, list_target(subject, listing), found)
            yield Probe(operation=operation_label(listing.operation), run=run)


def is_text_filter(subject: Subject, listing: Listing, parameter: Parameter) -> bool:
    """Return whether a parameter takes a free text and has the name of a text member of the items, or of a relationship
    of JSON:API.
    """
    pages = (listing.limit, listing.cursor, listing.page, listing.offset)
    if (
        parameter.location_in is not ParameterLocation.QUERY
        or parameter.schema is None
        or listing.item is None
    ):
        return False
    members = {member.name: member.schema for member in item_properties(subject.api, listing.item)}
    lists = [name for name, schema in members.items() if _is_list_of_texts(subject, schema)]
    name = named_member(members, parameter.name)
    member_schemas = [members[name]] if name else []
    filter_schema = subject.api.resolve(parameter.schema)
    is_free = _is_text(filter_schema) and not filter_schema.enum and parameter not in pages
    is_relationship = filtered_member(parameter.name) in relationship_names(subject.api, listing.item)
    is_of_text = any(_is_text(subject.api.resolve(member_schema)) for member_schema in member_schemas)
    is_of_list = bool(listed_member(lists, parameter.name))
    return is_free and (is_of_text or is_relationship or is_of_list)


def _is_reference_filter(subject: Subject, listing: Listing, parameter: Parameter) -> bool:
    """Return whether a parameter takes the number of another resource, such as `warehouse_id`, that items show: not of
    one with others below it, such as a category, whose items it may find too.
    """
    members = item_properties(subject.api, listing.item) if listing.item is not None else ()
    return (
        parameter.location_in is ParameterLocation.QUERY
        and is_reference_name(parameter.name)
        and not _FINDS_MORE.search(parameter.description)
        and parameter not in (listing.cursor, listing.page, listing.offset)
        and parameter.schema is not None
        and "integer" in subject.api.resolve(parameter.schema).types
        and any(
            member.name == parameter.name and "integer" in subject.api.resolve(member.schema).types
            for member in members
        )
    )


def _is_list_of_texts(subject: Subject, schema: Schema) -> bool:
    """Return whether a member is a list of plain texts, such as tags."""
    meaning = subject.api.resolve(schema)
    items = subject.api.resolve(meaning.items) if meaning.items is not None else None
    return "array" in meaning.types and items is not None and _is_text(items) and not items.enum


def _is_text(schema: Schema) -> bool:
    """Return whether a schema is that of texts; times are excluded, since their filters are bounds."""
    return (
        "string" in schema.types
        and TEXT_TYPES.issuperset(schema.types)
        and not schema.format.startswith("date")
    )


def _check_text_filters(
    target: ListTarget, parameters: tuple[Parameter, ...], send: Send
) -> Iterator[CheckFailure]:
    unfiltered = read_filled_list(target, send)
    if not all(_distinguishes(parameter, unfiltered) for parameter in parameters):
        create_varied(target, send)
        unfiltered = read_filtered_list(target, send, {})
    is_compared = False
    for parameter in parameters:
        with suppress(Unsendable):  # rejected: it may require another parameter
            for value in _filter_texts(target, parameter, unfiltered):
                is_compared = True
                found = list(check_filter(target, unfiltered, _text_expectation(parameter, value), send))
                found = found or list(lost_filter_failures(target, {parameter.name: value}, send))
                yield from found
                if found:
                    break
    if not is_compared:
        names = ", ".join(f"`{parameter.name}`" for parameter in parameters)
        raise Unsendable(f"list items with {names}, which the run cannot create")


def _distinguishes(parameter: Parameter, walk: PageWalk) -> bool:
    """Return whether the items of a list differ in the member of a filter."""
    return len({str(_member_value(parameter, item)) for item in walk.items}) > 1


def _text_expectation(parameter: Parameter, value: str) -> FilterExpectation:
    """Return the items that a text should find: those with that text; those that contain it may be listed
    too, as in a search.
    """

    def is_inside(item: Any) -> bool:
        return value in _shown_texts(parameter, item)

    def is_outside(item: Any) -> bool:
        shown = _member_value(parameter, item)
        if type(shown) is int:
            return str(shown) != value
        texts = shown if isinstance(shown, list) else [shown]
        return all(isinstance(text, str) and value.casefold() not in text.casefold() for text in texts)

    return FilterExpectation(parameter=parameter, value=value, is_inside=is_inside, is_outside=is_outside)


def _filter_texts(target: ListTarget, parameter: Parameter, unfiltered: PageWalk) -> list[str]:
    """Return texts of the list. One that its first item does not have comes first: then the filtered list
    differs from the list from that item on.
    """
    shown = [_shown_texts(parameter, item) for item in unfiltered.items]
    texts = [text for text in dict.fromkeys(chain.from_iterable(shown)) if is_searchable(text)]
    allowed = [
        text
        for text in texts
        if is_allowed_value(target.subject, parameter, text)
        or (text.isdecimal() and is_allowed_value(target.subject, parameter, int(text)))
    ]
    found = sorted(allowed, key=lambda text: text in shown[0])[:MOST_VALUES]
    if len(found) == 1 and type(_member_value(parameter, unfiltered.items[0])) is int:
        found.append(str(int(found[0]) + UNUSED))  # all items name one resource: no item names this one
    return found


def is_searchable(text: str) -> bool:
    """Return whether a text can be searched for: it is one word, and no part of it is masked."""
    is_word = 0 < len(text) <= LONGEST and text.split() == [text]
    return is_word and not any(cover in text for cover in MASK_MARKS)


def _shown_texts(parameter: Parameter, item: Any) -> tuple[str, ...]:
    """Return the texts by which a filter may find an item: a number as a query has it."""
    shown = _member_value(parameter, item)
    values = shown if isinstance(shown, list) else [shown]
    return tuple(str(value) for value in values if isinstance(value, str) or type(value) is int)


def _member_value(parameter: Parameter, item: Any) -> Any:
    if not isinstance(item, dict):
        return None
    lists = [name for name, value in item.items() if isinstance(value, list)]
    name = named_member(item, parameter.name) or listed_member(lists, parameter.name)
    return item.get(name)
