"""Filters of lists by time: from a time on, and up to a time."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import (
    FilterExpectation,
    check_filter,
    filter_parameters,
)
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_bounds import (
    is_inclusive_bound,
    member_of_verb,
    quoted_member,
)
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    list_target,
    listed_resource,
    read_filled_list,
    read_filtered_list,
)
from devportal.conformance.knowledge.requests.request_variants import (
    is_allowed_value,
    later_times_request,
    valid_body,
)
from devportal.conformance.knowledge.resources.created_resources import create_resource
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter, ParameterLocation, Schema
from devportal.contract.conventions import filtered_member, matches_any_name, name_stem
from devportal.contract.resources import Listing, item_properties, object_properties
from devportal.contract.values.instants import PRECISION, in_zone, parse_instant

DEEPEST = 3
"""How deep an item is searched for times that a filter may mean."""
LEAST_SPREAD = 3 * PRECISION
"""How far apart the times of a list must be for a bound to lie between them."""
TIME_FORMAT = "date-time"
UTC_WORDS = re.compile(r"\b(?:UTC|GMT|Zulu)\b|`Z`", re.IGNORECASE)
"""Words of parameters that may take no other offset."""
WEST, EAST = timedelta(hours=-11), timedelta(hours=13)
"""Offsets of UTC at both ends of the day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _TimeBound:
    """A query parameter that bounds the times of a member of the items, from below or from above."""

    parameter: Parameter
    member: str
    is_since: bool
    is_inclusive: bool | None = None
    """Whether the bound belongs to its range by its words, if clients set the times: else a server may know them more
    precisely than it shows them.
    """

    def time(self, item: Any) -> datetime | None:
        """Return the time that an item shows, None if it shows none."""
        return parse_instant(item.get(self.member)) if isinstance(item, dict) else None

    def is_farther_out(self, first: datetime, second: datetime) -> bool:
        """Return whether a time lies surely farther out than another."""
        return (second - first if self.is_since else first - second) > PRECISION

    def is_at(self, first: datetime, second: datetime) -> bool:
        """Return whether two times are surely one: both are of a whole second, and the same."""
        return first == second and not first.microsecond


def time_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list with query parameters that bound a time of its items."""
    for listing in subject.listings:
        bounds = tuple(_time_bounds(subject, listing))
        if bounds:
            run = partial(_check_time_filters, list_target(subject, listing), bounds)
            yield Probe(operation=operation_label(listing.operation), run=run)


def _time_bounds(subject: Subject, listing: Listing) -> Iterator[_TimeBound]:
    for parameter in filter_parameters(subject.api, listing.operation):
        if parameter.location_in is not ParameterLocation.QUERY or not _is_time(subject, parameter.schema):
            continue
        for is_since, patterns in ((True, subject.conventions.since), (False, subject.conventions.until)):
            stem = name_stem(filtered_member(parameter.name), patterns)
            member = bounded_member(subject, listing, parameter, stem) if stem is not None else ""
            if member:
                yield _TimeBound(
                    parameter=parameter,
                    member=member,
                    is_since=is_since,
                    is_inclusive=is_inclusive_bound(parameter)
                    if _is_sent(subject, listing, member)
                    else None,
                )
                break


def _is_sent(subject: Subject, listing: Listing, member: str) -> bool:
    """Return whether clients set a member when they create an item."""
    owner = listed_resource(subject, listing)
    body = valid_body(subject, owner.create) if owner is not None else None
    return body is not None and member in body.members


def _is_time(subject: Subject, schema: Schema | None) -> bool:
    return schema is not None and subject.api.resolve(schema).format == TIME_FORMAT


def bounded_member(subject: Subject, listing: Listing, parameter: Parameter, stem: str) -> str:
    """Return the member that a stem names: `created` names `created_at`, and `starts` names `start`. Without a stem it
    is the creation time, if items show no other times. Empty if there is none.
    """
    if listing.item is None:
        return ""
    members = {property_.name: property_.schema for property_ in item_properties(subject.api, listing.item)}
    times = [name for name, schema in members.items() if _is_time(subject, schema)]
    if parameter.name in members:
        return ""
    if stem:
        bases = dict.fromkeys((stem, stem.removesuffix("s")))  # `starts_after` bounds `start`
        ends = ("", "at", "on", "time", "date")
        names = (*(base + end for base in bases for end in ends), f"date{stem}")
        named = next((name for name in times if matches_any_name(name, names)), "")
        return named or quoted_member(parameter, times)
    if described := quoted_member(parameter, times) or member_of_verb(parameter, times):
        return described
    created_names = [name for name in times if matches_any_name(name, subject.conventions.created)]
    is_alone = bool(created_names) and [*_time_members(subject, listing.item)] == created_names[:1]
    return created_names[0] if is_alone else ""


def _time_members(subject: Subject, schema: Schema, depth: int = DEEPEST) -> Iterator[str]:
    """Yield the names of members that hold a time or a day, at any depth."""
    for member in object_properties(subject.api, schema):
        below = subject.api.resolve(member.schema)
        if below.format.startswith("date"):
            yield member.name
        elif depth:
            yield from _time_members(subject, below, depth - 1)


def _check_time_filters(
    target: ListTarget, bounds: tuple[_TimeBound, ...], send: Send
) -> Iterator[CheckFailure]:
    unfiltered = read_filled_list(target, send)
    if not any(_spans_enough_time(bound, unfiltered) for bound in bounds):
        unfiltered = _add_later_item(target, send)
    is_compared = False
    for bound in bounds:
        with suppress(Unsendable):  # rejected: it may require another parameter
            for expectation in _time_expectations(target, bound, unfiltered):
                is_compared = True
                found = list(check_filter(target, unfiltered, expectation, send))
                yield from found
                if found:
                    break
    if not is_compared:
        raise Unsendable("list items of different times")


def _spans_enough_time(bound: _TimeBound, unfiltered: PageWalk) -> bool:
    times = [time for time in map(bound.time, unfiltered.items) if time is not None]
    return bool(times) and max(times) - min(times) >= LEAST_SPREAD


def _add_later_item(target: ListTarget, send: Send) -> PageWalk:
    """Create another resource after a while, with later times if the client sets them. Raises Unsendable if none can
    be created.
    """
    owner = listed_resource(target.subject, target.listing)
    request = target.subject.valid(owner.create) if owner is not None and owner.create is not None else None
    if owner is None or owner.create is None or request is None:
        raise Unsendable("list items of different times")
    send.wait(LEAST_SPREAD.total_seconds())
    later = later_times_request(target.subject, owner.create, request)
    create_resource(target.subject, owner, send, request=later)
    return read_filtered_list(target, send, {})


def _time_expectations(
    target: ListTarget, bound: _TimeBound, unfiltered: PageWalk
) -> Iterator[FilterExpectation]:
    """Yield the outermost time of the list, which excludes all others, and the next one; then the outermost one with
    another offset, which a comparison of texts takes for a time farther in.
    """
    times_and_texts = [
        (time, item[bound.member]) for item in unfiltered.items if (time := bound.time(item)) is not None
    ]
    ordered = sorted(times_and_texts, key=lambda times_and_text: times_and_text[0], reverse=bound.is_since)
    inner = [pair for pair in ordered if bound.is_farther_out(pair[0], ordered[0][0])]
    for time, value in (*ordered[:1], *inner[:1]) if inner else ():
        if is_allowed_value(target.subject, bound.parameter, value):
            yield _time_expectation(bound, time, str(value))
    if inner and isinstance(ordered[0][1], str) and not UTC_WORDS.search(bound.parameter.description):
        elsewhere = in_zone(ordered[0][0], timezone(WEST if bound.is_since else EAST))
        value = elsewhere.isoformat() if elsewhere is not None else ""
        if value and is_allowed_value(target.subject, bound.parameter, value):
            yield _time_expectation(bound, ordered[0][0], value)


def _time_expectation(bound: _TimeBound, time: datetime, value: str) -> FilterExpectation:
    def is_inside(item: Any) -> bool:
        item_time = bound.time(item)
        return item_time is not None and (
            bound.is_farther_out(time, item_time)
            or (bound.is_inclusive is True and bound.is_at(time, item_time))
        )

    def is_outside(item: Any) -> bool:
        item_time = bound.time(item)
        return item_time is not None and (
            bound.is_farther_out(item_time, time)
            or (bound.is_inclusive is False and bound.is_at(time, item_time))
        )

    return FilterExpectation(
        parameter=bound.parameter, value=value, is_inside=is_inside, is_outside=is_outside
    )
