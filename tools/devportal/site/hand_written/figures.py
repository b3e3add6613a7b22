"""What is published of prices and markets, as a row of figures for hand-written pages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from devportal.catalog import Published
from devportal.catalog.book.book import Product
from devportal.catalog.pages.addresses import COVERAGE, product_uri
from devportal.catalog.pages.rates_groups import PriceRange, headline_rates, price_ranges
from devportal.catalog.publication import PublishedRate
from devportal.markup import escape_markdown, href, twin_href
from devportal.translation import format_number, gettext


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with its name, what it counts, and the page that lists it: `Parcels from`, `4.50 EUR`."""

    name: str
    value: str
    note: str = ""
    uri: str


def priced_products(public: Published) -> tuple[Product, ...]:
    """Return the products that have a public price, in the order of the rate book."""
    priced = {rate.terms.product for rate in public.rates}
    return tuple(product for product in public.book.products if product in priced)


def figures_of(public: Published, products: Sequence[Product]) -> Iterator[Figure]:
    """Yield the lowest price of each product, then in how many markets any of them is sold."""
    rates = [rate for rate in public.rates if rate.terms.product in products]
    currencies = Counter(rate.terms.currency for rate in public.rates)
    for product in products:
        lowest = _lowest_price(
            headline_rates([rate for rate in rates if rate.terms.product is product], public.book), currencies
        )
        yield Figure(
            name=gettext("%(product)s from", product=product.title),
            value=lowest.least,
            note=lowest.unit.title,
            uri=product_uri(product),
        )
    markets = {rate.terms.market for rate in rates}
    markets |= {
        covered.terms.market
        for covered in public.coverage
        if _is_channel_of(products, str(covered.terms.channel))
    }
    noun = public.book.markets.plural
    yield Figure(
        name=noun, value=format_number(len(markets)), note=gettext("with published records"), uri=COVERAGE
    )


def _is_channel_of(products: Iterable[Product], channel: str) -> bool:
    return any(product.channel == channel for product in products)


def _lowest_price(rates: Sequence[PublishedRate], currencies: Counter[str]) -> PriceRange:
    """Return the range whose lower end is the price: that in the currency with most rates of all products."""
    return max(price_ranges(rates), key=lambda price_range: currencies[price_range.currency])


def figures_html(figures: Iterable[Figure], source: str) -> str:
    """Return the figures as a list on the page `source`."""
    return f'<dl class="dp-figures">{"".join(_figure_html(figure, source) for figure in figures)}</dl>'


def _figure_html(figure: Figure, source: str) -> str:
    return (
        f'<div><dt dir="auto">{escape(figure.name)}</dt>'
        f'<dd><a href="{escape(href(source, figure.uri))}">{escape(figure.value)}</a>'
        f" <span>{escape(figure.note)}</span></dd></div>"
    )


def figures_markdown(figures: Iterable[Figure], source: str) -> str:
    """Return the figures as a list in Markdown."""
    return "\n".join(
        f"- {escape_markdown(figure.name)}: [{escape_markdown(figure.value)}]({twin_href(source, figure.uri)})"
        f" {escape_markdown(figure.note)}"
        for figure in figures
    )
