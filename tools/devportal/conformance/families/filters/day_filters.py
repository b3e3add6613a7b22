"""Filters of lists by a day that bounds a time: `from=2026-05-01` and `to=2026-05-03` for `created_at`.

A day is a day of some time zone, so items at least two days away are compared, and those of the day itself if they are
of that day nearly everywhere.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import (
    FilterExpectation,
    check_values,
    filter_parameters,
)
from devportal.conformance.families.filters.time_filters import UTC_WORDS, bounded_member
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_bounds import is_inclusive_bound
from devportal.conformance.knowledge.paging import (
    ListTarget,
    PageWalk,
    list_target,
    listed_resource,
    read_filtered_list,
)
from devportal.conformance.knowledge.requests.request_variants import (
    shifted_times_request,
    valid_body,
)
from devportal.conformance.knowledge.resources.created_resources import create_resource
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter, ParameterLocation
from devportal.contract.conventions import filtered_member, name_stem
from devportal.contract.resources import Listing
from devportal.contract.values.instants import in_zone, parse_instant, shift_time

_CREATED = re.compile(r"\b(?:creat(?:ed|ion)|added)\b", re.IGNORECASE)
FAR = 2
"""How many days lie surely between two times, in every time zone."""
APART = timedelta(days=3)
"""How far apart the times of new items are, and the bounds."""
COMMON_HOUR = 10
"""An hour of UTC that is of the same day from ten hours west to thirteen hours east of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _DayBound:
    """A query parameter that bounds the times of a member of the items by a day, from below or from above."""

    parameter: Parameter
    member: str
    is_lower: bool

    def time(self, item: Any) -> datetime | None:
        """Return the time that an item shows in UTC, None if it shows none."""
        time = parse_instant(item.get(self.member)) if isinstance(item, dict) else None
        return in_zone(time, UTC) if time is not None else None

    def expectation(self, day: date) -> FilterExpectation:
        """Return what a day as the bound should find."""
        return FilterExpectation(
            parameter=self.parameter,
            value=day.isoformat(),
            is_inside=lambda item: self._is_surely(day, item, is_inside=True),
            is_outside=lambda item: self._is_surely(day, item, is_inside=False),
        )

    def _days_inside(self, day: date, item: Any) -> int | None:
        """Return how many days of UTC the time of an item lies inside a bound, None if it shows none."""
        time = self.time(item)
        days = (time.date() - day).days if time is not None else None
        return days if days is None or self.is_lower else -days

    def _is_surely(self, day: date, item: Any, *, is_inside: bool) -> bool:
        """Return whether an item is surely inside the range of a day, or surely outside of it."""
        time, days = self.time(item), self._days_inside(day, item)
        if time is None or days is None:
            return False
        is_of_day = days == 0 and (
            time.hour == COMMON_HOUR or UTC_WORDS.search(self.parameter.description) is not None
        )
        if is_of_day:
            return is_inclusive_bound(self.parameter) is is_inside
        return days >= FAR if is_inside else days <= -FAR


def day_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list with query parameters that bound a time of its items by a day."""
    for listing in subject.listings:
        bounds = tuple(_day_bounds(subject, listing))
        if bounds:
            run = partial(_check_day_filters, list_target(subject, listing), bounds)
            yield Probe(operation=operation_label(listing.operation), run=run)


def _day_bounds(subject: Subject, listing: Listing) -> Iterator[_DayBound]:
    for parameter in filter_parameters(subject.api, listing.operation):
        schema = subject.api.resolve(parameter.schema) if parameter.schema is not None else None
        is_day = schema is not None and schema.format == "date"
        if parameter.location_in is not ParameterLocation.QUERY or not is_day:
            continue
        for is_lower, patterns in ((True, subject.conventions.since), (False, subject.conventions.until)):
            stem = name_stem(filtered_member(parameter.name), patterns)
            if not stem and not _CREATED.search(f"{parameter.description} {listing.operation.description}"):
                continue  # `from` and `to` may be the period of a report
            member = bounded_member(subject, listing, parameter, stem) if stem is not None else ""
            if member:
                yield _DayBound(parameter=parameter, member=member, is_lower=is_lower)
                break


def _check_day_filters(
    target: ListTarget, bounds: tuple[_DayBound, ...], send: Send
) -> Iterator[CheckFailure]:
    """Create items of different days, if clients set their times, and filter by the days of items and by others."""
    for bound in bounds:
        with suppress(Unsendable):
            _create_around(target, bound, send)
    unfiltered = read_filtered_list(target, send, {})
    is_compared = False
    for bound in bounds:
        expectations = map(bound.expectation, _bound_days(bound, unfiltered))
        is_compared |= yield from check_values(target, unfiltered, expectations, send)
    if not is_compared:
        names = ", ".join(f"`{bound.member}`" for bound in bounds)
        raise Unsendable(f"list items with {names}")


def _create_around(target: ListTarget, bound: _DayBound, send: Send) -> None:
    """Create an item at the hour that is of one day nearly everywhere, one some days earlier, and one later. Raises
    Unsendable if clients do not set the time, or the deployment rejects one.
    """
    subject = target.subject
    owner = listed_resource(subject, target.listing)
    body = valid_body(subject, owner.create) if owner is not None else None
    time = bound.time(body.members) if body is not None else None
    if owner is None or body is None or time is None:
        raise Unsendable("a creation with the time that is bounded")
    middle = time.replace(hour=COMMON_HOUR, minute=30) - time
    for shift in (middle, middle + APART, middle - APART):
        create_resource(subject, owner, send, request=shifted_times_request(subject, body, shift))


def _bound_days(bound: _DayBound, walk: PageWalk) -> Iterator[date]:
    """Yield the day of a time in the list, if possible one at the common hour, and a day far on each side of it."""
    times = sorted(time for time in map(bound.time, walk.items) if time is not None)
    common = [time for time in times if time.hour == COMMON_HOUR] or times
    if common:
        day = common[len(common) // 2].date()
        yield from filter(None, (day, shift_time(day, -APART), shift_time(day, APART)))
