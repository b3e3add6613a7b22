"""The markets of the pages of coverage: what is public of each country, and the words that tell it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from devportal.catalog.coverage import Channel, Registration, Support
from devportal.catalog.pages.addresses import country_uri
from devportal.catalog.pages.country import by_country
from devportal.catalog.pages.labels import inline_label, label
from devportal.catalog.publication import PublishedCoverage, PublishedRate
from devportal.catalog.world import Region, region_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """The coverage of a country: its records in the order of the channels, and how many rates it has."""

    code: str
    name: str
    records: tuple[PublishedCoverage, ...] = field(repr=False)
    rates: int

    @property
    def anchor(self) -> str:
        """Return the anchor of the country on the pages of coverage, which stays the same."""
        return f"country-{self.code.lower()}"

    @property
    def uri(self) -> str:
        """Return the page of the country."""
        return country_uri(self.code)

    @property
    def dialling_codes(self) -> tuple[str, ...]:
        """Return what numbers there start with, without '+'; one, unless the records differ."""
        return tuple(sorted({record.terms.dialling_code for record in self.records}))

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
        """Return what works there in one line: `Norway: SMS full, voice limited`."""
        return f"{self.name}: {', '.join(map(_support, self.records))}"

    def on(self, channel: Channel) -> tuple[PublishedCoverage, ...]:
        """Return the records of a channel: one, or none where the channel is not served."""
        return tuple(record for record in self.records if record.terms.channel is channel)


def _support(record: PublishedCoverage) -> str:
    return f"{inline_label(record.terms.channel)} {inline_label(record.terms.support)}"


def markets_of(coverage: Sequence[PublishedCoverage], rates: Iterable[PublishedRate]) -> tuple[Market, ...]:
    """Return the countries with coverage, in the order of their names."""
    counts = Counter(rate.terms.country for rate in rates)
    order = list(Channel)
    ordered = sorted(coverage, key=lambda record: order.index(record.terms.channel))
    return tuple(
        Market(code=country.code, name=country.name, records=country.rows, rates=counts[country.code])
        for country in by_country(ordered)
    )


def channels_of(coverage: Iterable[PublishedCoverage]) -> tuple[Channel, ...]:
    """Return the channels that reach any market, in their order."""
    found = {record.terms.channel for record in coverage}
    return tuple(channel for channel in Channel if channel in found)


def by_region(markets: Iterable[Market]) -> Iterator[tuple[Region, tuple[Market, ...]]]:
    """Yield the regions that have markets, in their order, with these."""
    order = list(Region)
    ordered = sorted(markets, key=lambda market: order.index(region_of(market.code)))
    for region, members in groupby(ordered, key=lambda market: region_of(market.code)):
        yield region, tuple(members)


def registration_words(registration: Registration) -> str:
    """Return what a sender registers and how long it usually takes: `Sender ID, usually 5 days`."""
    days = registration.lead_time_days
    usually = "" if days is None else f", usually {days} day{'' if days == 1 else 's'}"
    return f"{label(registration.scheme)}{usually}"
