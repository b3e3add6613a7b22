"""Ranges of prices: what the cheapest and the dearest of some rates cost, by currency and unit."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from devportal.catalog.pages.labels import label
from devportal.catalog.publication import PublishedRate
from devportal.catalog.rate import Direction, Product, Unit


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
        terms = rate.terms
        found[terms.currency, terms.unit].append(terms.price)
    return tuple(
        PriceRange(low=min(prices), high=max(prices), currency=currency, unit=unit)
        for (currency, unit), prices in sorted(found.items())
    )


def offered(rates: Sequence[PublishedRate]) -> Sequence[PublishedRate]:
    """Return the rates for what leaves the platform; where there are none, those for what reaches it.

    What comes in often costs next to nothing: as the lowest price it would say that sending is cheap.
    """
    return [rate for rate in rates if rate.terms.direction is Direction.OUTBOUND] or rates


def told_direction(rates: Sequence[PublishedRate]) -> str:
    """Return the direction of what `offered` returns, or nothing where that goes without saying.

    So it does where there is nothing but what leaves, and of numbers, which are rented.
    """
    chosen = offered(rates)
    if not chosen or chosen[0].terms.product is Product.NUMBER:
        return ""
    is_outbound = chosen[0].terms.direction is Direction.OUTBOUND
    return "" if is_outbound and len(chosen) == len(rates) else label(chosen[0].terms.direction).lower()


def least_words(rates: Sequence[PublishedRate]) -> str:
    """Return where the prices of a product start: `from 0.10 EUR or 0.12 USD per segment`.

    The prices are those of what leaves the platform. Others name their direction: `inbound from 0.01 EUR`.
    """
    chosen = offered(rates)
    if not chosen:
        return ""
    direction = "" if chosen[0].terms.direction is Direction.OUTBOUND else told_direction(rates)
    least = " or ".join(one.least for one in ranges_of(chosen))
    return f"{f'{direction} ' if direction else ''}from {least} {label(chosen[0].terms.unit)}"
