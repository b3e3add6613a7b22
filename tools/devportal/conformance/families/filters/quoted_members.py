"""Filters by a member inside an object of an item, which their descriptions quote (“whose `address.country` is this”),
and parameters such as `include_archived`, which only add items.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import (
    FilterExpectation,
    check_expectations,
    filter_parameters,
)
from devportal.conformance.families.filters.text_filters import is_searchable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.paging import (
    ListTarget,
    list_target,
    read_filled_list,
    read_filtered_list,
)
from devportal.conformance.knowledge.requests.request_variants import is_allowed_value
from devportal.conformance.knowledge.resources.varied_resources import create_varied
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter, ParameterLocation, Schema
from devportal.contract.resources import Listing, item_properties, object_properties
from devportal.contract.wording import name_words, one_line_sentences
from devportal.documents import member_at

MOST_VALUES = 3
_QUOTED = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)`")
_EQUALS = re.compile(r"\b(?:is|are|equals?|by|with|has|have|in)\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:unless|except|not|or|before|after|since|until|at least|at most|from|than|between|contain\w*|starts?|begins?|"
    r"prefix|pattern|fuzzy|any|all|sort\w*|(?:order|group)(?:s|ed|ing)?\s+by|in\s+(?:this|that|these|the|an?|one)\s+\w+)\b",
    re.IGNORECASE,
)
"""Comparisons with something else than the value itself, such as "in this region", and what is not a filter."""
_ADDING_WORDS = ("include", "including")
_REPLACES_ITEMS = re.compile(r"\b(?:only|just|instead|rather)\b", re.IGNORECASE)
_ADDS_ITEMS = re.compile(r"\b(?:also|too|as well|in addition|includ\w+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _NestedFilter:
    """A filter by a member inside an object, given by its path in an item."""

    parameter: Parameter
    path: tuple[str, ...]

    def expectation(self, value: Any) -> FilterExpectation:
        """Return the items that a value should find; one that has it as a part may be found too."""
        text = str(value)
        return FilterExpectation(
            parameter=self.parameter,
            value=text,
            is_inside=lambda item: self.read_value(item) == value,
            is_outside=lambda item: (
                self.read_value(item) is not None
                and text.casefold() not in str(self.read_value(item)).casefold()
            ),
        )

    def read_value(self, item: Any) -> Any:
        """Return the value of an item, None if it has none that a query can have."""
        value = member_at(item, self.path)
        is_value = isinstance(value, str | int) and not isinstance(value, bool) and is_searchable(str(value))
        return value if is_value else None


def quoted_member_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list with filters by members inside objects, and one if parameters add items to it."""
    for listing in subject.listings:
        parameters = filter_parameters(subject.api, listing.operation)
        nested = tuple(
            _NestedFilter(parameter=parameter, path=path)
            for parameter in parameters
            if (path := _quoted_path(subject, listing, parameter))
        )
        name, target = operation_label(listing.operation), list_target(subject, listing)
        if nested:
            yield Probe(operation=name, run=partial(_check_nested, target, nested))
        adding = tuple(parameter for parameter in parameters if _adds_items(subject, parameter))
        if adding and target.key:
            yield Probe(operation=name, run=partial(_check_additions, target, adding))


def _adds_items(subject: Subject, parameter: Parameter) -> bool:
    """Return whether a parameter only adds items to a list by its name, such as `include_archived`. Those such as
    `show_archived` do so by their description: many show nothing else.
    """
    first, *others = name_words(parameter.name) or ("",)
    is_adding = first in _ADDING_WORDS or (first == "show" and _ADDS_ITEMS.search(parameter.description))
    if not is_adding or not others or "only" in others or _REPLACES_ITEMS.search(parameter.description):
        return False
    is_flag = parameter.schema is not None and subject.api.resolve(parameter.schema).types == ("boolean",)
    return is_flag and parameter.location_in is ParameterLocation.QUERY


def _quoted_path(subject: Subject, listing: Listing, parameter: Parameter) -> tuple[str, ...]:
    """Return the path of the member that the description of a filter quotes, empty if it quotes none, or several."""
    quoted = set(_QUOTED.findall(parameter.description))
    is_equality = all(
        _EQUALS.search(sentence) and not _COMPARES.search(sentence)
        for sentence in one_line_sentences(parameter.description)
        if _QUOTED.search(sentence)
    )
    is_sent = parameter.location_in is ParameterLocation.QUERY and parameter.schema is not None
    if len(quoted) != 1 or not is_equality or not is_sent or listing.item is None:
        return ()
    path = tuple(next(iter(quoted)).split("."))
    schema = _schema_at(subject, listing.item, path)
    wanted = subject.api.resolve(parameter.schema) if parameter.schema is not None else None
    if schema is None or wanted is None or "date-time" in (schema.format, wanted.format):
        return ()
    types = {"string", "integer"}
    return path if types & set(schema.types) & set(wanted.types) else ()


def _schema_at(subject: Subject, item: Schema, path: Sequence[str]) -> Schema | None:
    """Return the schema of a member inside the objects of an item, None if there is none."""
    members = tuple(item_properties(subject.api, item))
    for number, name in enumerate(path):
        found = next((member.schema for member in members if member.name == name), None)
        if found is None:
            return None
        schema = subject.api.resolve(found)
        if number == len(path) - 1:
            return schema
        members = tuple(object_properties(subject.api, found))
    return None


def _check_nested(
    target: ListTarget, filters: tuple[_NestedFilter, ...], send: Send
) -> Iterator[CheckFailure]:
    """Filter by values of items, and by one that no item has."""
    read_filled_list(target, send)
    create_varied(target, send)
    unfiltered = read_filtered_list(target, send, {})
    is_compared = False
    for each in filters:
        shown = [value for value in map(each.read_value, unfiltered.items) if value is not None]
        values = [
            value
            for value in list(dict.fromkeys(shown))[:MOST_VALUES]
            if is_allowed_value(target.subject, each.parameter, value)
        ]
        # A filter that takes no value of an item has values of another kind, such as regions for countries.
        others = _other_values(target, each, values) if values else ()
        absent = (
            value
            for value in others
            if value not in shown and is_allowed_value(target.subject, each.parameter, value)
        )
        allowed = (*values, *islice(absent, 1))
        is_compared |= yield from check_expectations(target, unfiltered, map(each.expectation, allowed), send)
    if not is_compared:
        names = ", ".join(f"`{'.'.join(each.path)}`" for each in filters)
        raise Unsendable(f"list items with {names}, which the run cannot create")


def _other_values(target: ListTarget, nested: _NestedFilter, values: Sequence[Any]) -> Iterator[Any]:
    """Yield values that differ from those of items: others of an enumeration, or the letters of one turned round."""
    schema = nested.parameter.schema
    enum = target.subject.api.resolve(schema).enum if schema is not None else ()
    yield from (value for value in enum if isinstance(value, str))
    if not enum:
        yield from (value[::-1] for value in values if isinstance(value, str))
        yield from (value + 10_007 for value in values if isinstance(value, int))


def _check_additions(
    target: ListTarget, parameters: tuple[Parameter, ...], send: Send
) -> Iterator[CheckFailure]:
    """Read a list with each parameter that adds items: it still has all others."""
    read_filled_list(target, send)
    unfiltered = read_filtered_list(target, send, {})
    is_compared = False
    for parameter in parameters if unfiltered.items else ():
        everything = FilterExpectation(
            parameter=parameter, value="true", is_inside=lambda _: True, is_outside=lambda _: False
        )
        is_compared |= yield from check_expectations(target, unfiltered, (everything,), send)
    if not is_compared:
        raise Unsendable("list items, which the run cannot create")
