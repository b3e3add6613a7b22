"""The pages of prices: one of everything, and those of each product."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from devportal.catalog.pages.addresses import RATES, product_uri
from devportal.catalog.pages.columns import RATE_COLUMNS
from devportal.catalog.pages.countries_sections import Section, row_links, sections_of
from devportal.catalog.pages.country import Country, by_country
from devportal.catalog.pages.downloads import Lines, downloads_of, lines_of
from devportal.catalog.pages.feed import STEM
from devportal.catalog.pages.labels import inline_label
from devportal.catalog.pages.options import Options
from devportal.catalog.pages.rates_product import ProductRates, product_pages
from devportal.catalog.pages.rates_range import offered, ranges_of, told_direction
from devportal.catalog.pages.rendering import templates
from devportal.catalog.publication import Published, PublishedRate
from devportal.catalog.rate import Product
from devportal.pages import Artefact, Heading, Page, SearchEntry
from devportal.pages.feeds import Form

_ASKED = "What it costs: prices by country, network and product."
"""What those who search for prices may type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """What is public of rates, by country and by product, for all pages that show some of it."""

    on: date
    rates: tuple[PublishedRate, ...]
    countries: tuple[Country[PublishedRate], ...]
    sections: Mapping[str, tuple[Section, ...]]
    """By the code of the country."""
    lines: Lines[PublishedRate]


def priced_of(public: Published) -> Priced:
    """Return the public rates by country and by product, each rendered for files once."""
    countries = by_country(public.rates)
    return Priced(
        on=public.on,
        rates=public.rates,
        countries=countries,
        sections={country.code: sections_of(country) for country in countries},
        lines=lines_of("rates", RATE_COLUMNS, public.rates),
    )


def rate_pages(priced: Priced, options: Options) -> Iterator[Page | Artefact]:
    """Yield the pages of all products, of each product and of its filters, and the files that they offer."""
    sections = [section for found in priced.sections.values() for section in found]
    links = row_links(sections)
    by_product = {
        product: found
        for product in Product
        if (found := tuple(one for one in sections if one.product is product))
    }
    names = tuple(by_product)
    products = [
        ProductRates(on=priced.on, product=product, sections=found, row_links=links, products=names)
        for product, found in by_product.items()
    ]
    files = priced.lines.files("rates/rates", priced.rates)
    yield from files
    yield _overview(priced, products, files, options)
    for each in products:
        yield from product_pages(each, priced.lines, options)


def _overview(
    priced: Priced, products: Sequence[ProductRates], files: Iterable[Artefact], options: Options
) -> Page:
    shown = {
        "on": priced.on,
        "count": len(priced.rates),
        "countries": priced.countries,
        "products_of": {code: [one.product for one in found] for code, found in priced.sections.items()},
        "products": [
            {
                "product": each.product,
                "uri": product_uri(each.product),
                "count": len(each.rates),
                "countries": len(each.sections),
                "ranges": ranges_of(offered(each.rates)),
                "direction": told_direction(each.rates),
            }
            for each in products
        ],
        "columns": RATE_COLUMNS,
        "downloads": downloads_of(files),
        "feeds": _feeds(options) if priced.rates else (),
        "is_sample": any(rate.terms.sample for rate in priced.rates),
    }
    description = _description(priced, products)
    return Page(
        uri=RATES,
        title="Rates",
        description=description,
        body=templates().get_template("rates.html.jinja").render(shown),
        markdown=templates().get_template("rates.md.jinja").render(shown),
        headings=_headings(is_empty=not priced.rates),
        search=(
            SearchEntry(
                title="Rates", text=f"{description} What it costs: prices by country, network and product."
            ),
        ),
        layout="wide",
    )


def _feeds(options: Options) -> tuple[tuple[str, str], ...]:
    """Return the feeds of rate changes: their names and uris."""
    if not (options.feed and options.site_url):
        return ()
    return tuple((form.label, f"{STEM}.{form}") for form in Form)


def _description(priced: Priced, products: Sequence[ProductRates]) -> str:
    if not products:
        return f"Published prices, in force on {priced.on}: none yet."
    names = ", ".join(inline_label(each.product) for each in products)
    count, where = len(priced.rates), len(priced.countries)
    rates = f"{count:,} rate{'' if count == 1 else 's'}"
    countries = f"{where:,} {'country' if where == 1 else 'countries'}"
    return f"Published prices, in force on {priced.on}: {rates} for {names} in {countries}."


def _headings(*, is_empty: bool) -> tuple[Heading, ...]:
    tables = (
        Heading(level=2, anchor="by-product", title="Rates by product"),
        Heading(level=2, anchor="by-country", title="Rates by country"),
    )
    return (
        *(() if is_empty else tables),
        Heading(level=2, anchor="downloads", title="Downloads"),
        Heading(level=2, anchor="columns", title="What the columns mean"),
    )
