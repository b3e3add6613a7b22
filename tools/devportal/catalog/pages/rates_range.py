"""Ranges of prices: what the cheapest and the dearest of some rates cost, by currency and unit."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from devportal.catalog.book.book import Book, Choice, Unit
from devportal.catalog.publication import PublishedRate


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRange:
    """Prices from `low` to `high`, with the digits that the records give them."""

    low: Decimal
    high: Decimal
    currency: str
    unit: Unit

    def __str__(self) -> str:
        """Return the range in words: `0.10 to 0.25 EUR per piece`."""
        return f"{self.span} {self.unit.title}"

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
    found: defaultdict[tuple[str, str], list[Decimal]] = defaultdict(list)
    units: dict[str, Unit] = {}
    for rate in rates:
        terms = rate.terms
        units[terms.unit.key] = terms.unit
        found[terms.currency, terms.unit.key].append(terms.price)
    return tuple(
        PriceRange(low=min(prices), high=max(prices), currency=currency, unit=units[unit])
        for (currency, unit), prices in sorted(found.items())
    )


def offered(rates: Sequence[PublishedRate], book: Book) -> Sequence[PublishedRate]:
    """Return the rates whose prices stand for the product: those with the headline, if there are any.

    What is beside it may cost next to nothing: as the lowest price it would say that the product is cheap.
    """
    headline = book.headline
    if headline is None:
        return rates
    name, value = headline.name, headline.headline
    return [rate for rate in rates if rate.terms.declared.get(name) == value] or rates


def told_headline(rates: Sequence[PublishedRate], book: Book) -> Choice | None:
    """Return the value of the headline that `offered` returns, or None where that goes without saying.

    So it does where there is nothing else, and of products for which the book says so.
    """
    chosen, headline = offered(rates, book), book.headline
    if not chosen or headline is None or headline.name in chosen[0].terms.product.unsaid:
        return None
    value = chosen[0].terms.declared.get(headline.name)
    if value is None or (value == headline.headline and len(chosen) == len(rates)):
        return None
    return next(one for one in headline.choices if one.key == value)


def least_words(rates: Sequence[PublishedRate], book: Book) -> str:
    """Return where the prices of a product start: `from 0.10 EUR or 0.12 USD per piece`.

    The prices are those of the headline. Others name their value: `inbound from 0.01 EUR`.
    """
    chosen = offered(rates, book)
    if not chosen:
        return ""
    told = told_headline(rates, book)
    is_said = told is not None and book.headline is not None and told.key != book.headline.headline
    least = " or ".join(one.least for one in ranges_of(chosen))
    return f"{f'{told.title.lower()} ' if told and is_said else ''}from {least} {chosen[0].terms.unit.title}"
