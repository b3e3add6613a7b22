"""What came into force in rates and coverage, as a feed tells it: whole days, the newest first.

Only what the gate let out comes in, so a change is to a version that is public or that a public one has
replaced.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, groupby
from typing import TypeAlias, TypeVar

from devportal.catalog.pages.stories import Step, Story, coverage_stories, rate_stories
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.ref import Kind

LEAST_CHANGES = 50
"""A feed goes back day by day until it tells of so many changes."""
MOST_OF_A_DAY = 500
"""So many changes of one day are told one by one; what is more is told together."""

_RowT = TypeVar("_RowT", PublishedRate, PublishedCoverage)
_AnyStory: TypeAlias = Story[RateTerms] | Story[CoverageTerms]
AnyStep: TypeAlias = Step[RateTerms] | Step[CoverageTerms]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One version that came into force, as one step of its record's story."""

    story: _AnyStory
    step: AnyStep

    @property
    def is_new(self) -> bool:
        """Say whether there was no version of the record before."""
        return self.step.terms.version == 1

    @property
    def is_of_price(self) -> bool:
        """Say whether the price is another than before."""
        return any(one.title == "Price" for one in self.step.differences)

    @property
    def order(self) -> tuple[object, ...]:
        """Return what changes of one day are sorted by: prices, other terms, what is new; then by name."""
        rank = 0 if self.is_of_price else 2 if self.is_new else 1
        return (rank, self.step.terms.ref)

    @property
    def market(self) -> tuple[Kind, str, str]:
        """Return what changes are told together by: kind of record, country, product or channel."""
        terms = self.step.terms
        match terms:
            case RateTerms():
                return (terms.kind, terms.market, terms.product.key)
            case CoverageTerms():
                return (terms.kind, terms.market, terms.channel.key)


Told: TypeAlias = tuple[Change, ...]
"""What one item tells of: a change, or changes to one market on one day."""


def told(public: Published) -> Iterator[Told]:
    """Yield what the items of a feed tell of, the newest first; nothing of a day is left out."""
    since = _since(public)
    changes = [
        Change(story=story, step=step)
        for story in _stories(public, since)
        for step in story.steps
        if step.held_from >= since
    ]
    changes.sort(key=lambda change: change.step.held_from, reverse=True)
    for _day, of_day in groupby(changes, key=lambda change: change.step.held_from):
        ordered = sorted(of_day, key=lambda change: change.order)
        yield from ((change,) for change in ordered[:MOST_OF_A_DAY])
        yield from _together(ordered[MOST_OF_A_DAY:])


def _since(public: Published) -> date:
    """Return the oldest day of which changes are told; there is at least one."""
    number_on = Counter(
        chain(
            (row.held_from for row in public.rates),
            (row.held_from for row in public.replaced_rates),
            (row.held_from for row in public.coverage),
            (row.held_from for row in public.replaced_coverage),
        )
    )
    count, oldest = 0, public.on
    for oldest in sorted(number_on, reverse=True):
        count += number_on[oldest]
        if count >= LEAST_CHANGES:
            break
    return oldest


def _stories(public: Published, since: date) -> Iterator[_AnyStory]:
    """Yield the stories of the records with a past, and of those that are new since a day.

    To tell the story of each of 50,000 rates takes longer than to make the feed of the newest.
    """
    changed_rates = {row.terms.id for row in public.replaced_rates}
    changed_coverage = {row.terms.id for row in public.replaced_coverage}
    likely = replace(
        public,
        rates=tuple(_likely(public.rates, changed_rates, since)),
        coverage=tuple(_likely(public.coverage, changed_coverage, since)),
    )
    yield from rate_stories(likely)
    yield from coverage_stories(likely)


def _likely(rows: Iterable[_RowT], changed: Set[str], since: date) -> Iterator[_RowT]:
    return (row for row in rows if row.held_from >= since or row.terms.id in changed)


def _together(changes: Sequence[Change]) -> Iterator[Told]:
    """Yield changes of one day by their markets, in the order of the first of each."""
    markets: defaultdict[tuple[Kind, str, str], list[Change]] = defaultdict(list)
    for change in changes:
        markets[change.market].append(change)
    yield from map(tuple, markets.values())
