"""Ranges of prices: what the cheapest and the dearest of some rates cost, by currency and unit."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from devportal.catalog.pages.labels import label
from devportal.catalog.publication import PublishedRate
from devportal.catalog.rate import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRange:
    """Prices from `low` to `high`, with the digits that the records give them."""

    low: Decimal
    high: Decimal
    currency: str
    unit: Unit

    def __str__(self) -> str:
        """Return the range in words: `0.10 to 0.25 EUR per segment`."""
        return f"{self.span} {label(self.unit)}"

    @property
    def span(self) -> str:
        """Return the range without its unit: `0.10 to 0.25 EUR`."""
        upwards = "" if self.low == self.high else f" to {self.high:f}"
        return f"{self.low:f}{upwards} {self.currency}"

    @property
    def least(self) -> str:
        """Return the lower end in words: `0.10 EUR`."""
        return f"{self.low:f} {self.currency}"


def ranges_of(rates: Iterable[PublishedRate]) -> tuple[PriceRange, ...]:
    """Return the ranges of the prices, in the order of currencies and units."""
    found: defaultdict[tuple[str, Unit], list[Decimal]] = defaultdict(list)
    for rate in rates:
        found[rate.terms.currency, rate.terms.unit].append(rate.terms.price)
    return tuple(
        PriceRange(low=min(prices), high=max(prices), currency=currency, unit=unit)
        for (currency, unit), prices in sorted(found.items())
    )


def least_words(ranges: Iterable[PriceRange]) -> str:
    """Return where the prices of one unit start: `from 0.10 EUR or 0.12 USD per segment`."""
    ranges = tuple(ranges)
    if not ranges:
        return ""
    return f"from {' or '.join(one.least for one in ranges)} {label(ranges[0].unit)}"
