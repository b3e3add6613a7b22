"""Filters of lists by a bound of a number or of a day: `min_price`, `due_from`, `weight_lte`."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import (
    FilterExpectation,
    check_filter,
    filter_parameters,
)
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_bounds import is_inclusive_bound, quoted_member
from devportal.conformance.knowledge.paging import ListTarget, PageWalk, list_target, read_filtered_list
from devportal.conformance.knowledge.requests.request_variants import is_allowed_value
from devportal.conformance.knowledge.resources.varied_resources import create_varied
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter, ParameterLocation, Schema
from devportal.contract.conventions import filtered_member, matches_any_name, name_stem
from devportal.contract.resources import Listing, item_properties
from devportal.contract.values.instants import parse_day

LEAST_VALUES = 3
"""How many different values a list needs: one on each side of a bound, and one at it."""
INCLUSIVE = ("min_*", "max_*", "*_min", "*_max", "*_gte", "*_lte", "*[gte]", "*[lte]", "*.gte", "*.lte")
"""Names of bounds that belong to the range themselves; others may exclude them, unless they are described."""
Bounded = int | float | date


@dataclass(frozen=True, slots=True, kw_only=True)
class _RangeBound:
    """A query parameter that bounds a member of the items, from below or from above."""

    parameter: Parameter
    member: str
    is_lower: bool
    is_day: bool
    is_inclusive: bool | None
    """Whether the bound itself belongs to the range, None if the contract does not say so."""

    def value(self, item: Any) -> Bounded | None:
        """Return the value that an item shows, None if it shows none."""
        shown = item.get(self.member) if isinstance(item, dict) else None
        if self.is_day:
            return parse_day(shown)
        return shown if isinstance(shown, int | float) and not isinstance(shown, bool) else None

    def is_inside(self, bound: Bounded, item: Any) -> bool:
        """Return whether an item surely lies within a bound."""
        value = self.value(item)
        return (self.is_inclusive is True and value == bound) or self._is_beyond(value, bound)

    def is_outside(self, bound: Bounded, item: Any) -> bool:
        """Return whether an item surely lies outside a bound."""
        value = self.value(item)
        return (self.is_inclusive is False and value == bound) or self._is_beyond(bound, value)

    def _is_beyond(self, first: Bounded | None, second: Bounded | None) -> bool:
        if first is None or second is None:
            return False
        return bool(first > second if self.is_lower else first < second)  # type: ignore[operator]


def range_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list with query parameters that bound a number or a day of its items."""
    for listing in subject.listings:
        bounds = tuple(_range_bounds(subject, listing))
        if bounds:
            run = partial(_check_bounds, list_target(subject, listing), bounds)
            yield Probe(operation=operation_label(listing.operation), run=run)


def _range_bounds(subject: Subject, listing: Listing) -> Iterator[_RangeBound]:
    for parameter in filter_parameters(subject.api, listing.operation):
        kind = _kind(subject, parameter.schema)
        if parameter.location_in is not ParameterLocation.QUERY or not kind or listing.item is None:
            continue
        for is_lower, patterns in ((True, subject.conventions.since), (False, subject.conventions.until)):
            stem = name_stem(filtered_member(parameter.name), patterns)
            names = (stem, f"{stem}date", f"{stem}on", f"date{stem}") if stem else ()
            members = [
                property_.name
                for property_ in item_properties(subject.api, listing.item)
                if _kind(subject, property_.schema) == kind
            ]
            named = (name for name in members if matches_any_name(name, names))
            member = next(named, "") or (quoted_member(parameter, members) if stem is not None else "")
            if member:
                yield _RangeBound(
                    parameter=parameter,
                    member=member,
                    is_lower=is_lower,
                    is_day=kind == "date",
                    is_inclusive=_is_inclusive(parameter),
                )
                break


def _is_inclusive(parameter: Parameter) -> bool | None:
    """Return whether a bound belongs to its range, by its description or else by its name."""
    described = is_inclusive_bound(parameter)
    return described if described is not None else name_stem(parameter.name, INCLUSIVE) is not None or None


def _kind(subject: Subject, schema: Schema | None) -> str:
    """Return `date` or `number` for a schema of days or numbers, else an empty text."""
    resolved = subject.api.resolve(schema) if schema is not None else None
    if resolved is None or resolved.enum:
        return ""
    if resolved.format == "date":
        return "date"
    return "number" if {"integer", "number"} & set(resolved.types) else ""


def _check_bounds(target: ListTarget, bounds: tuple[_RangeBound, ...], send: Send) -> Iterator[CheckFailure]:
    unfiltered = read_filtered_list(target, send, {})
    if any(len(_values(bound, unfiltered)) < LEAST_VALUES for bound in bounds):
        create_varied(target, send)
        unfiltered = read_filtered_list(target, send, {})
    is_compared = False
    for bound in bounds:
        with suppress(Unsendable):  # rejected: it may require another parameter
            expectation = _expectation(target, bound, unfiltered)
            yield from check_filter(target, unfiltered, expectation, send)
            is_compared = True
    if not is_compared:
        names = ", ".join(f"`{bound.member}`" for bound in bounds)
        raise Unsendable(f"list items with different values of {names}")


def _values(bound: _RangeBound, walk: PageWalk) -> list[Bounded]:
    """Return the different values of a list, from the outermost one."""
    values = {value for value in map(bound.value, walk.items) if value is not None}
    return sorted(values, reverse=not bound.is_lower)


def _expectation(target: ListTarget, bound: _RangeBound, walk: PageWalk) -> FilterExpectation:
    """Return what the second value of a list as the bound should find: all items but the outermost ones.

    Raises Unsendable if the list has too few values, or the contract does not allow this one.
    """
    values = _values(bound, walk)
    allowed = [
        value
        for value in values[1:-1]
        if is_allowed_value(target.subject, bound.parameter, str(value) if bound.is_day else value)
    ]
    if not allowed:
        raise Unsendable("a value that the contract allows for the bound")
    return FilterExpectation(
        parameter=bound.parameter,
        value=str(allowed[0]),
        is_inside=partial(bound.is_inside, allowed[0]),
        is_outside=partial(bound.is_outside, allowed[0]),
    )
