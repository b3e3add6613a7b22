"""The pages of prices: one for everything, and those of each product."""

from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from devportal.catalog.book.book import Book, GroupForm, NumberForm
from devportal.catalog.pages.addresses import RATES, product_uri
from devportal.catalog.pages.columns import rate_columns
from devportal.catalog.pages.countries_sections import Section, row_links, sections_of
from devportal.catalog.pages.country import Country, by_country
from devportal.catalog.pages.downloads import Download, Lines, downloads_of, lines_of
from devportal.catalog.pages.feed import STEM
from devportal.catalog.pages.names import inline_label, sample_share
from devportal.catalog.pages.rates_filters import Options
from devportal.catalog.pages.rates_groups import headline_rates, price_ranges, stated_headline
from devportal.catalog.pages.rates_product import ProductRates, product_pages
from devportal.catalog.pages.rendering import HAND_OUT, PageSource, templates
from devportal.catalog.pages.unpriced import unpriced_markets
from devportal.catalog.publication import Published, PublishedRate
from devportal.markup import Artefact, Heading, Page, SearchEntry, render_page
from devportal.markup.feeds import FeedFormat
from devportal.translation import gettext, in_sentence, join_words, ngettext


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesByMarket:
    """The public rates by country and by product, for all pages that show them."""

    on: date
    book: Book
    rates: tuple[PublishedRate, ...]
    covered: frozenset[str]
    """The codes of the markets with coverage."""
    countries: tuple[Country[PublishedRate], ...]
    sections: Mapping[str, tuple[Section, ...]]
    """By the code of the country."""
    lines: Lines[PublishedRate]


def group_rates(public: Published) -> RatesByMarket:
    """Return the public rates by country and by product. Each is rendered for files once."""
    countries = by_country(public.rates, public.book.markets)
    return RatesByMarket(
        on=public.on,
        book=public.book,
        rates=public.rates,
        covered=frozenset(record.terms.market for record in public.coverage),
        countries=countries,
        sections={country.code: sections_of(country, public.book) for country in countries},
        lines=lines_of("rates", rate_columns(public.book), public.rates),
    )


RateDownloads = Mapping[str, tuple[Download, ...]]
"""The files that the pages of rates offer, by the uri of the page."""


def rate_files(rates_by_market: RatesByMarket) -> Generator[Artefact, None, RateDownloads]:
    """Yield the files of all rates and of those of each product; return them as the pages offer them."""
    lines = rates_by_market.lines
    by_product: dict[str, list[PublishedRate]] = defaultdict(list)
    for market_sections in rates_by_market.sections.values():
        for section in market_sections:
            by_product[section.product.key] += section.rates
    downloads = {RATES: (yield from _offered_files(lines, "rates/rates", rates_by_market.rates))}
    for product in rates_by_market.book.products:
        if rates := by_product.get(product.key):
            uri = product_uri(product)
            stem = f"{uri.removesuffix('index.md')}rates-{product}"
            downloads[uri] = yield from _offered_files(lines, stem, rates)
    return downloads


def _offered_files(
    lines: Lines[PublishedRate], stem: str, rates: Iterable[PublishedRate]
) -> Generator[Artefact, None, tuple[Download, ...]]:
    """Yield the files of rates, one after the other; return how a page offers them."""
    rows = tuple(rates)
    downloads: list[Download] = []
    for ending, make_file in (("csv", lines.csv_file), ("json", lines.json_file)):
        file = make_file(f"{stem}.{ending}", rows)
        yield file
        downloads += downloads_of([file])
        del file  # the next one is as large
    return tuple(downloads)


def rate_sources(
    rates_by_market: RatesByMarket, downloads: RateDownloads, options: Options
) -> Iterator[PageSource]:
    """Yield the sources of the pages of all products, of each product and of its filters, and of their files."""
    sections = [
        section for market_sections in rates_by_market.sections.values() for section in market_sections
    ]
    sections_by_product = {
        product: product_sections
        for product in rates_by_market.book.products
        if (product_sections := tuple(section for section in sections if section.product is product))
    }
    names = tuple(sections_by_product)
    products = [
        ProductRates(
            on=rates_by_market.on,
            book=rates_by_market.book,
            product=product,
            contact=options.contact,
            sections=product_sections,
            row_links=row_links(product_sections),
            products=names,
            unpriced=tuple(
                unpriced_markets(
                    rates_by_market.sections,
                    rates_by_market.covered,
                    product,
                    rates_by_market.book.markets,
                )
            ),
        )
        for product, product_sections in sections_by_product.items()
    ]
    yield PageSource(
        name=RATES,
        causes=(rates_by_market.on, rates_by_market.book, rates_by_market.rates, downloads[RATES], options),
        make=lambda: [_overview(rates_by_market, products, downloads[RATES], options)],
    )
    for product_rates in products:
        files = downloads[product_rates.uri]
        yield PageSource(
            name=product_rates.uri,
            causes=(product_rates, files),
            make=partial(product_pages, product_rates, files),
        )


def _overview(
    rates_by_market: RatesByMarket,
    products: Sequence[ProductRates],
    downloads: Sequence[Download],
    options: Options,
) -> Page:
    split = _split_by(rates_by_market.book)
    lead = gettext("Prices by %(kinds)s.", kinds=split)
    context = {
        "on": rates_by_market.on,
        "book": rates_by_market.book,
        "lead": lead,
        "count": len(rates_by_market.rates),
        "countries": rates_by_market.countries,
        "products_of": {
            code: [section.product for section in found] for code, found in rates_by_market.sections.items()
        },
        "products": [_product_card(product_rates, rates_by_market.book) for product_rates in products],
        "columns": rate_columns(rates_by_market.book),
        "downloads": downloads,
        "feeds": _feeds(options) if rates_by_market.rates else (),
        "contact": options.contact,
        "samples": sample_share(rate.terms for rate in rates_by_market.rates),
    }
    description = _description(rates_by_market, products)
    body, markdown = render_page(templates(), "rates", RATES, context)
    return Page(
        uri=RATES,
        title=gettext("Rates"),
        description=description,
        body=body,
        markdown=markdown,
        headings=_headings(rates_by_market.book if rates_by_market.rates else None),
        search=(
            SearchEntry(
                title=gettext("Rates"),
                text=f"{description} {gettext('What it costs: prices by %(kinds)s.', kinds=split)}",
            ),
        ),
        layout="wide",
        scripts=(HAND_OUT,),
        data_files=tuple(download.uri for download in downloads),
    )


def _product_card(product_rates: ProductRates, book: Book) -> dict[str, object]:
    """Return what the overview shows of a product: how many rates and markets it has, and from what price on."""
    headline = stated_headline(product_rates.rates, book)
    return {
        "product": product_rates.product,
        "uri": product_uri(product_rates.product),
        "count": len(product_rates.rates),
        "countries": len(product_rates.sections),
        "ranges": price_ranges(headline_rates(product_rates.rates, book)),
        "headline": in_sentence(headline.title) if headline else "",
    }


def _feeds(options: Options) -> tuple[tuple[str, str], ...]:
    """Return the feeds of rate changes: their names and uris."""
    if not (options.settings.feed and options.site_url):
        return ()
    return tuple((form.label, f"{STEM}.{form}") for form in FeedFormat)


def _description(rates_by_market: RatesByMarket, products: Sequence[ProductRates]) -> str:
    if not products:
        return gettext("Published prices, in force on %(day)s: none yet.", day=rates_by_market.on)
    names = ", ".join(inline_label(product_rates.product) for product_rates in products)
    count, country_count = len(rates_by_market.rates), len(rates_by_market.countries)
    markets = rates_by_market.book.markets.count(country_count)
    return ngettext(
        "Published prices, in force on %(day)s: %(number)s rate for %(products)s in %(markets)s.",
        "Published prices, in force on %(day)s: %(number)s rates for %(products)s in %(markets)s.",
        count,
        day=rates_by_market.on,
        products=names,
        markets=markets,
    )


def _split_by(book: Book) -> str:
    """Return how prices are divided: `country, network and product`."""
    kinds = (GroupForm, NumberForm)
    fields = (in_sentence(field.title) for field in book.before_price if isinstance(field.form, kinds))
    return join_words(
        (book.markets.noun, *fields, gettext("product")),
        english=lambda words: " and ".join(", ".join(words).rsplit(", ", 1)),
    )


def _headings(book: Book | None) -> tuple[Heading, ...]:
    """Return the entries of the table of contents; without a book there are no rates."""
    tables = (
        (
            Heading(level=2, anchor="by-product", title=gettext("Rates by product")),
            Heading(
                level=2,
                anchor=f"by-{book.markets.kind}",
                title=gettext("Rates by %(market)s", market=book.markets.noun),
            ),
        )
        if book
        else ()
    )
    return (
        *tables,
        Heading(level=2, anchor="downloads", title=gettext("Downloads")),
        Heading(level=2, anchor="columns", title=gettext("What the columns mean")),
    )
