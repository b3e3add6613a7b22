"""The markets on the coverage pages: the public records of each country, and their texts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from devportal.catalog.book.book import Book, MarketKind, Named
from devportal.catalog.pages.addresses import country_uri
from devportal.catalog.pages.country import by_country
from devportal.catalog.pages.names import inline_label, label
from devportal.catalog.publication import PublishedCoverage, PublishedRate
from devportal.catalog.records.coverage import Registration, Support
from devportal.catalog.world import Region, region_of
from devportal.translation import ngettext


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """The coverage of a country: its records ordered by channel, and the number of its rates."""

    code: str
    name: str
    records: tuple[PublishedCoverage, ...] = field(repr=False)
    rates: int
    book: Book = field(repr=False)

    @property
    def anchor(self) -> str:
        """Return the anchor of the market on the coverage pages, which must not change."""
        return f"{self.book.markets.kind}-{self.code.lower()}"

    @property
    def uri(self) -> str:
        """Return the page of the country."""
        return country_uri(self.code)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Return the facts about the market in its records: titles and texts."""
        return market_facts(self.records, self.book)

    @property
    def is_sample(self) -> bool:
        """Say whether any of the records is sample data."""
        return any(record.terms.sample for record in self.records)

    @property
    def support(self) -> Support:
        """Return the best support of any channel."""
        is_full = any(record.terms.support is Support.FULL for record in self.records)
        return Support.FULL if is_full else Support.LIMITED

    @property
    def words(self) -> str:
        """Return what works there in one line: `Norway: letters full, parcels limited`."""
        return f"{self.name}: {', '.join(map(_support_words, self.records))}"

    def records_on(self, channel: Named) -> tuple[PublishedCoverage, ...]:
        """Return the records of a channel: one, or none if the channel is not served."""
        return tuple(record for record in self.records if record.terms.channel is channel)


def market_facts(
    records: Iterable[PublishedCoverage], book: Book, *, in_order: bool = True
) -> tuple[tuple[str, str], ...]:
    """Return the facts about the market in records, titles and texts: several values if records differ."""
    facts = []
    for market_field in book.coverage.market_fields:
        values = dict.fromkeys(
            value for row in records if (value := row.terms.declared.get(market_field.name))
        )
        words = [
            market_field.display_value(value) for value in (sorted(values, key=str) if in_order else values)
        ]
        facts.append((market_field.title, ", ".join(words)))
    return tuple(facts)


def _support_words(record: PublishedCoverage) -> str:
    return f"{inline_label(record.terms.channel)} {inline_label(record.terms.support)}"


def markets_of(
    coverage: Sequence[PublishedCoverage], rates: Iterable[PublishedRate], book: Book
) -> tuple[Market, ...]:
    """Return the markets with coverage, in order."""
    counts = Counter(rate.terms.market for rate in rates)
    ordered = sorted(coverage, key=lambda record: record.terms.channel.rank)
    return tuple(
        Market(
            code=country.code,
            name=country.name,
            records=country.rows,
            rates=counts[country.code],
            book=book,
        )
        for country in by_country(ordered, book.markets)
    )


def channels_of(coverage: Iterable[PublishedCoverage], book: Book) -> tuple[Named, ...]:
    """Return the channels that reach any market, in order."""
    keys = {record.terms.channel.key for record in coverage}
    return tuple(channel for channel in book.coverage.channels if channel.key in keys)


class Area(NamedTuple):
    """Markets that are listed together: a region of the world, or all zones."""

    key: str
    label: str


def area_of(market: Market) -> Area:
    """Return the area of a market."""
    if market.book.markets.kind is MarketKind.ZONE:
        return Area("zones", market.book.markets.plural)
    region = region_of(market.code)
    return Area(region.value, region.label)


def by_area(markets: Iterable[Market]) -> Iterator[tuple[Area, tuple[Market, ...]]]:
    """Yield the areas with markets, in order, and their markets."""
    order = [region.value for region in Region]
    ordered = sorted(markets, key=lambda market: _area_rank(order, area_of(market)))
    for area, members in groupby(ordered, key=area_of):
        yield area, tuple(members)


def _area_rank(order: Sequence[str], area: Area) -> int:
    return order.index(area.key) if area.key in order else -1


def registration_words(registration: Registration) -> str:
    """Return the registration and its usual duration: `Customs papers, usually 5 days`."""
    days, scheme = registration.lead_time_days, label(registration.scheme)
    if days is None:
        return scheme
    return ngettext(
        "%(registration)s, usually %(number)s day",
        "%(registration)s, usually %(number)s days",
        days,
        registration=scheme,
    )
