"""The cards of preview images: their texts and figures."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from devportal.catalog.book.book import Book, Choice, Named, Product
from devportal.catalog.pages.names import attribute, label, rates_name
from devportal.catalog.pages.rates_groups import headline_rates
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.catalog.records.coverage import Support
from devportal.translation import format_day, gettext, in_sentence, ngettext


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A figure with its label and a note: `Parcels from`, `0.10 EUR`, `per piece`."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The texts of one image. The first few facts and chips are drawn; all texts are plain."""

    service: str
    title: str
    subtitle: str = ""
    facts: tuple[Fact, ...] = ()
    chips: tuple[str, ...] = ()
    on: date
    """The day for which all of it was published."""
    address: str = ""
    """The address of the page without its scheme; empty if unknown."""
    is_sample: bool = False
    headline: str = ""
    """The headline value of its prices, if there are public prices with another value too."""

    @property
    def alt(self) -> str:
        """Return a text alternative of the image."""
        return f"{self.title}: {self.subtitle}"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return the warnings for the reader."""
        return (gettext("SAMPLE DATA"),) if self.is_sample else ()

    @property
    def day(self) -> str:
        """Return the day in a sentence."""
        return gettext("In force on %(day)s", day=format_day(self.on))

    def texts(self) -> Iterator[str]:
        """Yield every text that the image may show."""
        yield from (
            self.service,
            self.title,
            self.subtitle,
            *self.warnings,
            *self.chips,
            self.day,
            self.address,
        )
        for fact in self.facts:
            yield from (fact.label, fact.value, fact.note)


def rates_card(public: Published, *, service: str, address: str) -> Card:
    """Return the card of all rates."""
    return Card(
        service=service,
        title=gettext("Rates"),
        subtitle=_market_count(public.rates, public.book),
        facts=_price_facts(public.rates, public.book),
        on=public.on,
        address=address,
        is_sample=_has_samples(public.rates),
    )


def product_card(
    product: Product, rates: Sequence[PublishedRate], *, book: Book, on: date, service: str, address: str
) -> Card:
    """Return the card of a product: its lowest price in each currency, the most frequent currencies first."""
    shown_rates = headline_rates(rates, book)
    rate_counts = Counter(rate.terms.currency for rate in shown_rates)
    currencies = sorted(rate_counts, key=lambda code: (-rate_counts[code], code))
    headline = _headline(shown_rates, rates, book)
    return Card(
        service=service,
        title=rates_name(product),
        subtitle=_market_count(rates, book) + (f", {in_sentence(headline.title)}" if headline else ""),
        facts=tuple(
            _lowest_price_fact(
                gettext("In %(currency)s", currency=code),
                [rate for rate in shown_rates if rate.terms.currency == code],
            )
            for code in currencies
        ),
        headline=headline.key if headline else "",
        on=on,
        address=address,
        is_sample=_has_samples(rates),
    )


def coverage_card(public: Published, *, service: str, address: str) -> Card:
    """Return the card of all coverage: the number of markets of each channel."""
    return Card(
        service=service,
        title=gettext("Coverage"),
        subtitle=_market_count(public.coverage, public.book),
        facts=tuple(
            _channel_fact(channel, rows, public.book)
            for channel in public.book.coverage.channels
            if (rows := [row for row in public.coverage if row.terms.channel is channel])
        ),
        on=public.on,
        address=address,
        is_sample=_has_samples(public.coverage),
    )


def country_card(
    code: str,
    coverage: Sequence[PublishedCoverage],
    rates: Sequence[PublishedRate],
    *,
    book: Book,
    on: date,
    service: str,
    address: str,
) -> Card:
    """Return the card of a country: the channels that reach it, and the lowest prices."""
    topics = gettext("Coverage") if coverage else gettext("Rates")
    if coverage and rates:
        topics = gettext("Coverage and rates")
    return Card(
        service=service,
        title=book.markets.shown_names[code],
        subtitle=topics if coverage or rates else "",
        facts=_price_facts(rates, book),
        chips=tuple(
            f"{label(row.terms.channel)}: {in_sentence(label(row.terms.support))}"
            for channel in book.coverage.channels
            for row in coverage
            if row.terms.channel is channel
        ),
        on=on,
        address=address,
        is_sample=_has_samples(coverage) or _has_samples(rates),
    )


def _has_samples(rows: Sequence[PublishedRate] | Sequence[PublishedCoverage]) -> bool:
    return any(row.terms.sample for row in rows)


def _headline(
    shown_rates: Sequence[PublishedRate], rates: Sequence[PublishedRate], book: Book
) -> Choice | None:
    """Return the headline value of the shown rates, if other rates have another value."""
    if book.headline is None or len(shown_rates) == len(rates):
        return None
    return next(choice for choice in book.headline.choices if choice.key == book.headline.headline)


def _market_count(rows: Sequence[PublishedRate] | Sequence[PublishedCoverage], book: Book) -> str:
    """Return the number of markets as text."""
    count = len({row.terms.market for row in rows})
    return book.markets.count(count) if rows else gettext("Nothing is published yet")


def _channel_fact(channel: Named, rows: Sequence[PublishedCoverage], book: Book) -> Fact:
    limited = len({row.terms.market for row in rows if row.terms.support is Support.LIMITED})
    return Fact(
        label=label(channel),
        value=book.markets.count(len({row.terms.market for row in rows})),
        note=ngettext("%(number)s limited", "%(number)s limited", limited)
        if limited
        else gettext("all in full"),
    )


def _price_facts(rates: Sequence[PublishedRate], book: Book) -> tuple[Fact, ...]:
    """Return the lowest price of each product, in its most frequent currency."""
    facts = []
    for product in book.products:
        of_product = [rate for rate in rates if rate.terms.product is product]
        if of_product:
            shown_rates = headline_rates(of_product, book)
            headline = _headline(shown_rates, of_product, book)
            name = f"{attribute(product)} {headline.short}" if headline else label(product)
            rate_counts = Counter(rate.terms.currency for rate in shown_rates)
            code = min(rate_counts, key=lambda code: (-rate_counts[code], code))
            facts.append(
                _lowest_price_fact(name, [rate for rate in shown_rates if rate.terms.currency == code])
            )
    return tuple(facts)


def _lowest_price_fact(name: str, rates: Sequence[PublishedRate]) -> Fact:
    """Return the lowest price among rates of one currency and unit."""
    lowest = min(rates, key=lambda rate: rate.terms.price).terms
    differ = len({rate.terms.price for rate in rates}) > 1
    return Fact(
        label=gettext("%(product)s from", product=name) if differ else name,
        value=f"{lowest.price:f} {lowest.currency}",
        note=lowest.unit.title,
    )
