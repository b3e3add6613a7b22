"""Rates of one market in groups, and the range of their prices."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from devportal.catalog.book.book import Book, Choice, Field, GroupForm, Product, Unit
from devportal.catalog.pages.addresses import product_uri
from devportal.catalog.pages.countries_sections import Section
from devportal.catalog.pages.downloads import RowKey
from devportal.catalog.pages.names import attribute, sample_share
from devportal.catalog.pages.prices import price_places, price_text
from devportal.catalog.pages.rates_cells import short_code
from devportal.catalog.pages.rates_filters import group_uri
from devportal.catalog.pages.rendering import templates
from devportal.catalog.publication import PublishedRate
from devportal.markup import Heading, Page, PriceSpan, SearchEntry, render_page
from devportal.translation import format_number, gettext, in_sentence

_MAX_GROUPS = 200
"""How many groups one page names; for more, it links to those of each market."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLink:
    """A group, and where the first of its rates is."""

    name: str
    code: str
    uri: str
    is_sample: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketGroups:
    """The groups of a market that have prices, and the section with all rates of the market."""

    section: Section
    groups: tuple[GroupLink, ...]


def group_page(
    field: Field,
    product: Product,
    sections: Sequence[Section],
    row_links: Mapping[RowKey, str],
    *,
    book: Book,
    on: date,
) -> Page | None:
    """Return the page, or None if no price is for a group.

    If there are more groups than a page can hold, it links to those of each market.
    """
    markets = tuple(
        market_groups
        for section in sections
        if (market_groups := _market_groups(field, section, row_links)).groups
    )
    if not markets:
        return None
    count = sum(len(market.groups) for market in markets)
    singular, plural = in_sentence(field.title), in_sentence(field.plural)
    title = gettext("%(product)s rates by %(field)s", product=attribute(product), field=singular)
    description = gettext(
        "%(product)s prices for %(number)s %(groups)s in %(markets)s, in force on %(day)s.",
        product=attribute(product),
        number=format_number(count),
        groups=singular if count == 1 else plural,
        markets=book.markets.count(len(markets)),
        day=on,
    )
    uri, heading = group_uri(product, field), groups_heading(field, book)
    context = {
        "page": uri,
        "product": product,
        "product_uri": product_uri(product),
        "title": title,
        "description": description,
        "heading": heading,
        "anchor": f"by-{book.markets.kind}",
        "markets": markets,
        "singular": singular,
        "plural": plural,
        "field": field,
        "is_short": count <= _MAX_GROUPS,
        "samples": sample_share(rate.terms for section in sections for rate in section.rates),
    }
    names = " ".join(sorted({link.name for market in markets for link in market.groups})[:_MAX_GROUPS])
    body, markdown = render_page(templates(), "rates_groups", uri, context)
    return Page(
        uri=uri,
        title=title,
        description=description,
        body=body,
        markdown=markdown,
        headings=(Heading(level=2, anchor=f"by-{book.markets.kind}", title=heading),),
        search=(SearchEntry(title=title, text=names),),
        layout="wide",
    )


def groups_heading(field: Field, book: Book) -> str:
    """Return the heading of the groups of all markets: `Networks by country`."""
    return gettext("%(groups)s by %(market)s", groups=field.plural, market=book.markets.noun)


def _market_groups(field: Field, section: Section, row_links: Mapping[RowKey, str]) -> MarketGroups:
    return MarketGroups(
        section=section, groups=tuple(sorted(_group_links(field, section.rates, row_links), key=_by_name))
    )


def _group_links(
    field: Field, rates: Sequence[PublishedRate], row_links: Mapping[RowKey, str]
) -> Iterator[GroupLink]:
    seen: set[str] = set()
    for rate in rates:
        value = rate.terms.declared.get(field.name)
        if value is None or not isinstance(field.form, GroupForm):
            continue
        code = short_code(field, value)
        if code not in seen:
            seen.add(code)
            yield GroupLink(
                name=field.display_value(value),
                code=code,
                uri=row_links[rate.terms.id, rate.terms.version],
                is_sample=rate.terms.sample,
            )


def _by_name(link: GroupLink) -> tuple[str, str]:
    return (link.name, link.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRange:
    """Prices from `low` to `high`, shown with this many decimal places."""

    low: Decimal
    high: Decimal
    currency: str
    unit: Unit
    places: int

    def __str__(self) -> str:
        """Return the range in words: `0.10 to 0.25 EUR per piece`."""
        return f"{self.span} {self.unit.title}"

    @property
    def span(self) -> str:
        """Return the range without its unit: `0.10 to 0.25 EUR`."""
        low = price_text(self.low, self.places)
        if self.low == self.high:
            return f"{low} {self.currency}"
        return gettext(
            "%(low)s to %(high)s %(currency)s",
            low=low,
            high=price_text(self.high, self.places),
            currency=self.currency,
        )

    @property
    def least(self) -> str:
        """Return the lower end in words: `0.10 EUR`."""
        return f"{price_text(self.low, self.places)} {self.currency}"


def price_ranges(rates: Sequence[PublishedRate], places: int | None = None) -> tuple[PriceRange, ...]:
    """Return the ranges of the prices, ordered by currency and unit.

    They have as many decimal places as the prices need, unless `places` says how many.
    """
    places = price_places(rates) if places is None else places
    prices_by_unit: defaultdict[tuple[str, str], list[Decimal]] = defaultdict(list)
    units: dict[str, Unit] = {}
    for rate in rates:
        terms = rate.terms
        units[terms.unit.key] = terms.unit
        prices_by_unit[terms.currency, terms.unit.key].append(terms.price)
    return tuple(
        PriceRange(low=min(prices), high=max(prices), currency=currency, unit=units[unit], places=places)
        for (currency, unit), prices in sorted(prices_by_unit.items())
    )


def offered_prices(rates: Sequence[PublishedRate]) -> tuple[PriceSpan, ...]:
    """Return the ranges of the prices that are an offer, which those of sample data are not."""
    offers = [rate for rate in rates if not rate.terms.sample]
    counts = Counter((rate.terms.currency, rate.terms.unit.key) for rate in offers)
    return tuple(
        PriceSpan(
            currency=price_range.currency,
            unit=price_range.unit.key,
            lowest=f"{price_range.low:f}",
            highest=f"{price_range.high:f}",
            count=counts[price_range.currency, price_range.unit.key],
        )
        for price_range in price_ranges(offers)
    )


def headline_rates(rates: Sequence[PublishedRate], book: Book) -> Sequence[PublishedRate]:
    """Return the rates whose prices represent the product: those with the headline, if there are any.

    Other rates may cost next to nothing. As the lowest price they would make the product look cheap.
    """
    headline = book.headline
    if headline is None:
        return rates
    name, value = headline.name, headline.headline
    return [rate for rate in rates if rate.terms.declared.get(name) == value] or rates


def stated_headline(rates: Sequence[PublishedRate], book: Book) -> Choice | None:
    """Return the headline value of the rates from `headline_rates`, or None if it need not be named.

    That is the case if all rates have it, and for products that the book marks.
    """
    return _stated_headline(headline_rates(rates, book), len(rates), book)


def _stated_headline(shown_rates: Sequence[PublishedRate], count: int, book: Book) -> Choice | None:
    """Return the headline value of the rates that represent many others, or None if it need not be named."""
    headline = book.headline
    if not shown_rates or headline is None or headline.name in shown_rates[0].terms.product.unsaid:
        return None
    value = shown_rates[0].terms.declared.get(headline.name)
    if value is None or (value == headline.headline and len(shown_rates) == count):
        return None
    return next(choice for choice in headline.choices if choice.key == value)


def lowest_price_words(rates: Sequence[PublishedRate], book: Book) -> str:
    """Return the lowest prices of a product: `from 0.10 EUR or 0.12 USD per piece`.

    The prices are those of the headline, whose value is named if not all rates have it:
    `outbound from 0.10 EUR`.
    """
    shown_rates = headline_rates(rates, book)
    if not shown_rates:
        return ""
    headline = _stated_headline(shown_rates, len(rates), book)
    least = gettext(" or ").join(price_range.least for price_range in price_ranges(shown_rates))
    price = gettext("from %(price)s %(unit)s", price=least, unit=shown_rates[0].terms.unit.title)
    return f"{in_sentence(headline.title)} {price}" if headline else price
