"""Filters of lists by time: what is from a time on, and what is up to one."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from devportal.conformance.agreement import PRECISION, instant
from devportal.conformance.conventions import is_called, stem_of
from devportal.conformance.families.filtering import Question, asked, filtered
from devportal.conformance.family import Fault, Probe, Send
from devportal.conformance.line import Unsendable
from devportal.conformance.paging import Walk, Way, owner_of, stock, way_of
from devportal.conformance.resources import Listing, members
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import make
from devportal.conformance.variation import is_allowed
from devportal.contract import In, Parameter, Schema

DEEPEST = 3
"""How far within an item times are looked for that a filter may mean."""
SPREAD = 3 * PRECISION
"""How far apart the times of a list have to be for a bound to lie surely between them."""
TIME = "date-time"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bound:
    """A query parameter that bounds the times of a member of the items, from below or else from above."""

    parameter: Parameter
    member: str
    is_since: bool

    def time(self, item: Any) -> datetime | None:
        """Return the time that an item shows, None where it shows none."""
        return instant(item.get(self.member)) if isinstance(item, dict) else None

    def before(self, first: datetime, second: datetime) -> bool:
        """Say whether a time lies surely farther out than another."""
        return first < second - PRECISION if self.is_since else first > second + PRECISION


def time_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list with query parameters that bound a time of its items."""
    for listing in subject.listings:
        bounds = tuple(_bounds(subject, listing))
        if bounds:
            run = partial(_tried, way_of(subject, listing), bounds)
            yield Probe(operation=label(listing.operation), run=run)


def _bounds(subject: Subject, listing: Listing) -> Iterator[_Bound]:
    for parameter in listing.operation.parameters:
        if parameter.location_in is not In.QUERY or not _is_time(subject, parameter.schema):
            continue
        for is_since, patterns in ((True, subject.conventions.since), (False, subject.conventions.until)):
            stem = stem_of(parameter.name, patterns)
            member = _member(subject, listing, parameter, stem) if stem is not None else ""
            if member:
                yield _Bound(parameter=parameter, member=member, is_since=is_since)
                break


def _is_time(subject: Subject, schema: Schema | None) -> bool:
    return schema is not None and subject.api.resolve(schema).format == TIME


def _member(subject: Subject, listing: Listing, parameter: Parameter, stem: str) -> str:
    """Return the member that a stem names: `created` names `created_at`. Without a stem it is when things
    were made, where items show no other times that could be meant. Empty where none is.
    """
    if listing.item is None:
        return ""
    shown = {one.name: one.schema for one in members(subject.api, listing.item)}
    times = [name for name, schema in shown.items() if _is_time(subject, schema)]
    if parameter.name in shown:
        return ""
    if stem:
        names = (stem, *(stem + end for end in ("at", "on", "time", "date")), f"date{stem}")
        return next((name for name in times if is_called(name, names)), "")
    made = [name for name in times if is_called(name, subject.conventions.created)]
    return made[0] if [*_times(subject, listing.item)] == made[:1] else ""


def _times(subject: Subject, schema: Schema, depth: int = DEEPEST) -> Iterator[str]:
    """Yield the names of members that hold a time or a day, at any depth."""
    for one in members(subject.api, schema):
        below = subject.api.resolve(one.schema)
        if below.format.startswith("date"):
            yield one.name
        elif depth:
            yield from _times(subject, below, depth - 1)


def _tried(way: Way, bounds: tuple[_Bound, ...], send: Send) -> Iterator[Fault]:
    stock(way, send)
    before = filtered(way, send, {})
    if not any(_is_spread(one, before) for one in bounds):
        before = _later(way, send)
    for bound in bounds:
        with suppress(Unsendable):  # refused: it may need another parameter beside it
            for question in _questions(way, bound, before):
                found = list(asked(way, before, question, send))
                yield from found
                if found:
                    break


def _is_spread(bound: _Bound, seen: Walk) -> bool:
    times = [time for time in map(bound.time, seen.items) if time is not None]
    return bool(times) and max(times) - min(times) >= SPREAD


def _later(way: Way, send: Send) -> Walk:
    """Make one more thing after a while. Raises Unsendable where none can be made."""
    owner = owner_of(way.subject, way.listing)
    if owner is None:
        raise Unsendable("all items are of one time")
    send.wait(SPREAD.total_seconds())
    make(way.subject, owner, send)
    return filtered(way, send, {})


def _questions(way: Way, bound: _Bound, seen: Walk) -> Iterator[Question]:
    """Yield the last time of the list, which leaves out all others, and the last one surely before it."""
    shown = [(time, item[bound.member]) for item in seen.items if (time := bound.time(item)) is not None]
    ordered = sorted(shown, key=lambda one: one[0], reverse=bound.is_since)
    inner = [one for one in ordered if bound.before(one[0], ordered[0][0])]
    for time, value in (*ordered[:1], *inner[:1]) if inner else ():
        if is_allowed(way.subject, bound.parameter, value):
            yield _question(bound, time, str(value))


def _question(bound: _Bound, time: datetime, value: str) -> Question:
    def is_inside(item: Any) -> bool:
        shown = bound.time(item)
        return shown is not None and bound.before(time, shown)

    def is_outside(item: Any) -> bool:
        shown = bound.time(item)
        return shown is not None and bound.before(shown, time)

    return Question(parameter=bound.parameter, value=value, is_inside=is_inside, is_outside=is_outside)
