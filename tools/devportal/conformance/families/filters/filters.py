"""A filter of a list returns all matching items and no others."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.all_values import all_values_probe
from devportal.conformance.families.filters.combined_filters import combined_probes
from devportal.conformance.families.filters.day_filters import day_probes
from devportal.conformance.families.filters.described_texts import described_text_probes
from devportal.conformance.families.filters.filtering import (
    filter_failure,
    filter_parameters,
    listed_member,
    lost_items_title,
    named_member,
    query_text,
    unwanted_items_title,
)
from devportal.conformance.families.filters.posted_searches import posted_search_probes
from devportal.conformance.families.filters.quoted_members import quoted_member_probes
from devportal.conformance.families.filters.range_filters import range_probes
from devportal.conformance.families.filters.search_filters import search_probes
from devportal.conformance.families.filters.several_values import several_values_failures
from devportal.conformance.families.filters.text_filters import text_probes
from devportal.conformance.families.filters.time_filters import time_probes
from devportal.conformance.families.paging.later_pages import can_have_later_pages, later_page_probe
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    item_keys,
    list_target,
    read_filtered_list,
)
from devportal.conformance.knowledge.resources.varied_resources import VARIED_COUNT, create_varied
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter, ParameterLocation, Property, Schema
from devportal.contract.conventions import filtered_member
from devportal.contract.resources import item_properties
from devportal.contract.schemas import ABSENT
from devportal.contract.wording import name_words, quote_value, sentences_of

MOST_VALUES = 6
"""How many values of a filter are tried."""
MOST_PAGED_VALUES = 3
"""How many values of the filters of a list are read page by page."""
_FILTERS_BY = re.compile(
    r"filters?\s+(?:[\w`'-]+\s+){0,3}?(?:based\s+on|(?<!ed\s)by|on)\b(?!.*\bonly\W*$)", re.IGNORECASE
)
_ONLY = re.compile(
    r"^(?:(?:list|return|show|get|find|fetch)(?:e?s)?\s+)?only\s+(?:the\s+)?(?:[\w-]+\s+)?[\w-]+\s+(?:that|which|with|whose)\b|"
    r"\bonly\s+(?:[\w`-]+\s+){1,4}?(?:are|is|will\s+be)\s+(?:returned|shown|listed)\b|"
    r"\b(?:returns?|shows?|lists?)\s+only\b|\bonly\s+(?:returns?|shows?|lists?)\b|^only\s+[\w-]+\s+[\w-]+\.?$",
    re.IGNORECASE,
)
_NOT = r"not|non|(?:un-?|in|im|dis)(?:active|valid|complete\w*|{name}\w*)"
"""Words for the items without a flag."""
_FOR_FALSE = re.compile(r"\bunless\b|^(?!.*\btrue\b).*\bfalse\b", re.IGNORECASE | re.DOTALL)
"""Words of a parameter that leaves out the others if it is not set: "Only open projects, unless this is set"."""
_INCLUDES = re.compile(
    r"\b(?:includ\w*|also|too|as well|all|every\w*|by default|ignored?|admin\w*)\b", re.IGNORECASE
)
"""Words of flags that add items, or whose other value changes nothing."""
_FALSE_BY_DEFAULT = re.compile(r"\bdefaults?\b[^.;]{0,20}\bfalse\b", re.IGNORECASE)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each filter whose values the contract enumerates, and for those of texts and times.
    Other parameters may search in their own way.
    """
    targets = tuple(list_target(subject, listing) for listing in subject.listings)
    enumerated = tuple(
        (target, parameter)
        for target in targets
        for parameter in filter_parameters(target.subject.api, target.listing.operation)
        if enumerated_filter_values(target, parameter)
    )
    for target, parameter in enumerated:
        run = partial(check_filter_values, target, parameter)
        yield Probe(operation=operation_label(target.listing.operation), run=run)
        yield from all_values_probe(target, parameter, enumerated_filter_values(target, parameter))
    for target in targets:
        queries = tuple(
            {parameter.name: query_text(value)}
            for other_target, parameter in enumerated
            if other_target is target
            for value in enumerated_filter_values(other_target, parameter)[:MOST_PAGED_VALUES]
            if not isinstance(value, bool)
        )
        if queries and can_have_later_pages(target.listing):
            yield later_page_probe(target, queries[:MOST_PAGED_VALUES], is_order=False)
    yield from text_probes(subject)
    yield from described_text_probes(subject)
    yield from search_probes(subject)
    yield from posted_search_probes(subject)
    yield from time_probes(subject)
    yield from range_probes(subject)
    yield from quoted_member_probes(subject)
    yield from day_probes(subject)
    yield from combined_probes(subject, enumerated)


def enumerated_filter_values(target: ListTarget, parameter: Parameter) -> tuple[Any, ...]:
    """Return the values that both a filter and the member that it filters by can have. A list of values may have one,
    and so may a list that is the member.
    """
    api = target.subject.api
    member = _filtered_property(target, parameter)
    if parameter.location_in is not ParameterLocation.QUERY or parameter.schema is None or member is None:
        return ()
    meaning = api.resolve(member.schema)
    elements = meaning.items if "array" in meaning.types else None
    item_values = _enumerated_values(api.resolve(elements) if elements is not None else meaning)
    filter_schema = api.resolve(parameter.schema)
    items = filter_schema.items if "array" in filter_schema.types else None
    filter_values = _enumerated_values(api.resolve(items) if items is not None else filter_schema)
    return tuple(filter_value for filter_value in filter_values if filter_value in item_values)[:MOST_VALUES]


def _filtered_property(target: ListTarget, parameter: Parameter) -> Property | None:
    """Return the member of a list's items by which a parameter filters: that of its name, or a list of such values, as
    `genres` for `genre`. None if there is none.
    """
    api, item = target.subject.api, target.listing.item
    members = tuple(item_properties(api, item)) if item is not None else ()
    arrays = [member.name for member in members if "array" in api.resolve(member.schema).types]
    name = named_member((member.name for member in members), parameter.name)
    same = (member for member in members if member.name == name)
    lists = (member for member in members if member.name == listed_member(arrays, parameter.name))
    return next(chain(same, lists), None)


def _enumerated_values(schema: Schema) -> tuple[Any, ...]:
    """Return the values of a schema that enumerates them, none for others. `null` is not a value to filter by."""
    if "array" in schema.types or "object" in schema.types:
        return ()
    if schema.const is not ABSENT:
        return (schema.const,)
    if schema.enum:
        return tuple(item for item in schema.enum if item is not None)
    return (True, False) if schema.types == ("boolean",) else ()


def check_filter_values(target: ListTarget, parameter: Parameter, send: Send) -> Iterator[CheckFailure]:
    """Compare what a filter returns for each of its values with the unfiltered list."""
    values = enumerated_filter_values(target, parameter)
    member = _filtered_property(target, parameter)
    name = member.name if member is not None else ""
    before = read_filtered_list(target, send, {})
    shown = [value for value in values if any(_has_value(item, name, value) for item in before.items)]
    if len(shown) < min(len(values), VARIED_COUNT):  # what nobody has, no filter lets through
        create_varied(target, send)
        before = read_filtered_list(target, send, {})
    filtered_lists = {
        value: read_filtered_list(target, send, {parameter.name: query_text(value)}) for value in values
    }
    if not any(page_walk.items for page_walk in (before, *filtered_lists.values())):
        raise Unsendable(f"list items with `{parameter.name}`, which the run cannot create")
    for value, filtered in filtered_lists.items():
        if isinstance(value, bool) and not leaves_out_others(parameter, value):
            continue
        others = [
            item
            for item in filtered.items
            if _member_value(item, name) not in (ABSENT, None) and not _has_value(item, name, value)
        ]
        if others:
            other = _member_value(others[0], name)
            message = f"{parameter.name}={query_text(value)} shows an item with {quote_value(other)}"
            yield filter_failure(target, parameter, unwanted_items_title(parameter.name), message, filtered)
            return
    for value, filtered in filtered_lists.items():
        lost = _matching_ids(target, before, name, value) - {*item_keys(filtered.items, target.key)}
        if not (lost and before.is_complete and filtered.is_complete):
            continue
        after = read_filtered_list(target, send, {})
        lost &= _matching_ids(target, after, name, value)
        if lost and after.is_complete:
            message = f"{parameter.name}={query_text(value)} does not show {min(lost):.80}, which fits"
            yield filter_failure(target, parameter, lost_items_title(parameter.name), message, filtered)
            return
    yield from several_values_failures(target, parameter, filtered_lists, send)


def leaves_out_others(parameter: Parameter, value: Any) -> bool:
    """Return whether a boolean parameter leaves out items with the other value, by its name or description: by its name
    alone, `archived=true` may include the others, and `active=false` all. A description means `false` too if it names
    both: "Only plans that are active, or only those that are not".
    """
    if filtered_member(parameter.name) != parameter.name:
        return True
    first = next(iter(sentences_of(parameter.description)), "")
    if _INCLUDES.search(parameter.description) or _FOR_FALSE.search(first):
        return False
    if not value and _FALSE_BY_DEFAULT.search(parameter.description):  # what is listed without it
        return False
    others = _NOT.format(name=re.escape(" ".join(name_words(parameter.name)[-1:])))
    has_both = re.search(rf"(?:\bor\b[^.;]{{0,50}}\b|/\s*)(?:{others})\b", first, re.IGNORECASE) is not None
    is_only = _ONLY.search(first) and (has_both or not re.search(rf"\b(?:{others})\b", first, re.IGNORECASE))
    return bool(_FILTERS_BY.match(first) or (is_only and (value or has_both)))


def _matching_ids(target: ListTarget, walk: PageWalk, name: str, value: Any) -> set[str]:
    """Return the keys of the matching items of a list. Items without a key may change meanwhile. Raises
    Unsendable for them.
    """
    if not target.key:
        raise Unsendable("list items with an identifier (`conventions.identifier` in the settings)")
    return set(item_keys([item for item in walk.items if _has_value(item, name, value)], target.key))


def _has_value(item: Any, name: str, value: Any) -> bool:
    """Return whether a member of an item is a value, or a list that holds it."""
    shown = _member_value(item, name)
    return value in shown if isinstance(shown, list) else bool(shown == value)


def _member_value(item: Any, name: str) -> Any:
    return item.get(name, ABSENT) if isinstance(item, dict) else ABSENT


FAMILY = Family(
    name="filters",
    summary="filters return matching items",
    words=CheckDescription(
        promise="A query parameter named like a member of a list's items, or `genre` beside a list `genres`, returns "
        "all items with that value and no others. A filter such as `created_after`, `due_from` or `min_price` "
        "returns items within its bound. Two filters return the items that both return, and a list of "
        "values those of each, or those that have all of them if the description promises that. A search returns items "
        "that hold its text, and one by the body of a POST those that fit its members.",
        test="Filters with `enum`, `const` or `boolean` values in both parameter and items: each value is "
        "tried. Text filters, and numbers of other resources such as `warehouse_id`: two values from existing "
        "items; matching part of a text passes too. If the "
        "description says “starts with this text” or “contains this text”, parts are tried, and with “case does not "
        "matter” another case. A boolean filter leaves out the others if its description says “only” or “filter by”. "
        "Time filters, recognized by name, or by a description such as “that start at or after this time”: "
        "times of existing items, more than a second apart from "
        "others, also with another offset. Bounds of numbers and days, recognized by name: a value between "
        "others of the list, and the bound itself if its description calls it inclusive or exclusive. Days that "
        "bound a time: items of two days before and after. "
        "Results are compared with the unfiltered list. Two filters at once are compared with each of "
        "them, after resources with different values were created. Filtered lists are also read in small pages. "
        "A filter whose description quotes a member inside an object, such as `address.country`, gets values of items "
        "and another one. A list with `include_archived` has all items that it has without. "
        "A search such as `POST /orders/search` is sent with one member of its body after another. "
        "Searches for a text: a resource with a new word in each member that the description names, or in all "
        "texts, is found by that word, and nothing else is. Fuzzy searches and languages of queries are skipped.",
        remedy="Apply the filter before paging, and on every page.",
        sources=("OAS 3.0.3 §4.7.12",),
    ),
    needs="a query parameter of a list with the name of a member of its items, or one that searches, such as `q`",
    probes=probes,
    about_state=True,
)
