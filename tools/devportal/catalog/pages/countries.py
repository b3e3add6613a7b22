"""The page of a country, which sales can share: what works there, and what it costs."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from markupsafe import Markup

from devportal.catalog.book.book import Book, Named, Product, shown_country_names
from devportal.catalog.pages.addresses import country_uri, history_uri
from devportal.catalog.pages.columns import coverage_columns
from devportal.catalog.pages.countries_sections import Section
from devportal.catalog.pages.country import Country, by_country, market_sort_keys
from devportal.catalog.pages.coverage_markets import market_facts, registration_words
from devportal.catalog.pages.downloads import Lines, downloads_of, lines_of
from devportal.catalog.pages.estimate import SCRIPTS, STYLES, estimate_heading, estimator_html
from devportal.catalog.pages.history import country_histories
from devportal.catalog.pages.names import (
    SampleShare,
    attribute,
    inline_label,
    rates_name,
    sample_share,
)
from devportal.catalog.pages.rates import RatesByMarket
from devportal.catalog.pages.rates_filters import Contact, Options
from devportal.catalog.pages.rates_groups import lowest_price_words, price_ranges
from devportal.catalog.pages.rates_table import RateTable
from devportal.catalog.pages.rendering import HAND_OUT, PageSource, templates
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.markup import Artefact, Heading, Page, SearchEntry, render_page
from devportal.translation import gettext, gettext_noop

_MAX_SEARCH_NAMES = 60
"""How many names of groups are added to the search text of a market."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """Everything public of one market: what works there, and what it costs."""

    code: str
    name: str
    coverage: tuple[PublishedCoverage, ...]
    sections: tuple[Section, ...]
    has_history: bool
    book: Book

    @property
    def uri(self) -> str:
        """Return the page of the country."""
        return country_uri(self.code)

    @property
    def rates(self) -> tuple[PublishedRate, ...]:
        """Return the rates of all products."""
        return tuple(rate for section in self.sections for rate in section.rates)

    @property
    def samples(self) -> SampleShare:
        """Return how many of the records are sample data."""
        return sample_share(
            (
                *(rate.terms for rate in self.rates),
                *(covered.terms for covered in self.coverage),
            )
        )

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Return the facts about the market in the coverage records: titles and texts."""
        return market_facts(self.coverage, self.book, in_order=False)

    @property
    def countries(self) -> tuple[str, ...]:
        """Return the names of the countries in a zone; none of a country."""
        markets = self.book.markets
        return (
            tuple(shown_country_names()[country] for country in markets.countries_of(self.code))
            if markets.zones
            else ()
        )

    @property
    def channels_without_rate(self) -> tuple[Named, ...]:
        """Return the channels that reach the market, could have a rate, and have none published."""
        priced = {section.product.channel for section in self.sections}
        sold = {product.channel for product in self.book.products} - priced
        return tuple(record.terms.channel for record in self.coverage if record.terms.channel.key in sold)

    @property
    def products_without_coverage(self) -> tuple[Product, ...]:
        """Return the products that have a rate, and no published record of what works."""
        explained = {None, *(record.terms.channel.key for record in self.coverage)}
        return tuple(section.product for section in self.sections if section.product.channel not in explained)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketLink:
    """A market as the pages of its neighbours name it."""

    name: str
    uri: str


def markets_of(
    countries: Iterable[Country[PublishedCoverage]],
    sections: Mapping[str, tuple[Section, ...]],
    with_history: Iterable[str],
    book: Book,
) -> tuple[Market, ...]:
    """Return the markets with public records, in order.

    `sections` are by the market's key; `with_history` holds the keys of the markets that have a history.
    """
    names, codes_with_history = book.markets.shown_names, frozenset(with_history)
    coverage = {country.code: country.rows for country in countries}
    codes = coverage.keys() | sections.keys()
    order = market_sort_keys(book.markets, codes)
    return tuple(
        Market(
            code=code,
            name=names[code],
            coverage=tuple(sorted(coverage.get(code, ()), key=lambda item: item.terms.channel.rank)),
            sections=sections.get(code, ()),
            has_history=code in codes_with_history,
            book=book,
        )
        for code in sorted(codes, key=lambda code: (order[code], code))
    )


def country_sources(
    rates_by_market: RatesByMarket, public: Published, options: Options
) -> Iterator[PageSource]:
    """Yield the sources of the page of each country, the pages of its rates if there are many, and their files."""
    coverage_lines = lines_of("coverage", coverage_columns(public.book), public.coverage)
    with_history = country_histories(public, options).keys()
    markets = markets_of(
        by_country(public.coverage, public.book.markets), rates_by_market.sections, with_history, public.book
    )
    links = [MarketLink(name=market.name, uri=market.uri) for market in markets]
    for market, before, after in zip(markets, (None, *links), (*links[1:], None), strict=False):
        files = partial(_files, market, rates_by_market.lines, coverage_lines)
        causes = (market, (before, after), public.on, options)
        yield PageSource(name=market.uri, causes=causes, make=partial(_country_pages, files, *causes))


def _country_pages(
    make_files: Callable[[], Iterable[Artefact]],
    market: Market,
    neighbours: tuple[MarketLink | None, MarketLink | None],
    on: date,
    options: Options,
) -> Iterator[Page | Artefact]:
    files = tuple(make_files())
    yield from files
    sheets = tuple(_sheets(market, on, options))
    yield from sheets
    yield _page(market, neighbours, files, [sheet.uri for sheet in sheets], on=on, contact=options.contact)
    for section in market.sections:
        if section.has_own_pages:
            yield from _section_pages(market, section, on)


def _files(
    market: Market, rate_lines: Lines[PublishedRate], coverage_lines: Lines[PublishedCoverage]
) -> Iterator[Artefact]:
    folder, code = market.uri.removesuffix("index.md"), market.code.lower()
    if market.rates:
        yield from rate_lines.files(f"{folder}rates-{code}", market.rates)
    if market.coverage:
        yield from coverage_lines.files(f"{folder}coverage-{code}", market.coverage)


def _sheets(market: Market, on: date, options: Options) -> Iterator[Artefact]:
    """Yield the rate sheets of a market, if the site has them."""
    if options.sheets:
        from devportal.catalog.sheets import rate_sheets  # noqa: PLC0415 - needs the extra `pdf`

        yield from rate_sheets(market.sections, market.book, on, options)


def _page(
    market: Market,
    neighbours: tuple[MarketLink | None, MarketLink | None],
    files: Sequence[Artefact],
    sheets: Collection[str],
    *,
    on: date,
    contact: Contact | None,
) -> Page:
    rates_on_page = tuple(
        rate for section in market.sections if not section.has_own_pages for rate in section.rates
    )
    least = {
        section.product.key: lowest_price_words(section.rates, market.book) for section in market.sections
    }
    description = _description(market, least, on)
    context = {
        "page": market.uri,
        "market": market,
        "book": market.book,
        "on": on,
        "description": description,
        "prices": [
            _price_view(market, section, least[section.product.key], sheets) for section in market.sections
        ],
        "history": history_uri(market.code) if market.has_history else "",
        "contact": contact,
        "before": neighbours[0],
        "after": neighbours[1],
        "downloads": downloads_of(files),
        "samples": market.samples,
        "registration": registration_words,
        "estimator": estimator_html(rates_on_page, market.uri, market.book, group=gettext("Product")),
    }
    body, markdown = render_page(templates(), "countries", market.uri, context)
    return Page(
        uri=market.uri,
        title=market_title(market),
        description=description,
        body=body,
        markdown=markdown,
        headings=_headings(market, has_estimator=bool(rates_on_page)),
        search=(_search_entry(market, description),),
        layout="wide",
        scripts=(HAND_OUT, *(SCRIPTS if rates_on_page else ())),
        styles=STYLES if rates_on_page else (),
        data_files=tuple(file.uri for file in files),
    )


def market_title(market: Market) -> str:
    """Return the title of the page of a market."""
    return gettext("%(market)s: coverage and rates", market=market.name)


def _with_page_number(text: str, number: int, count: int) -> str:
    if count == 1:
        return text
    return gettext("%(title)s, page %(number)s of %(count)s", title=text, number=number, count=count)


def _price_view(market: Market, section: Section, least: str, sheets: Collection[str]) -> dict[str, object]:
    """Return the template values of the prices of a product, of which `least` are the lowest; `sheets` are the uris
    of all rate sheets.
    """
    caption = gettext(
        "%(product)s rates for %(market)s", product=attribute(section.product), market=market.name
    )
    table = RateTable.of_market(market.book, market.uri, caption, section.rates, section.places)
    return {
        "section": section,
        "sheet": section.sheet_uri if section.sheet_uri in sheets else "",
        "ranges": price_ranges(section.rates, section.places),
        "least": least,
        "table": Markup("" if section.has_own_pages else table.html()),  # noqa: S704 - its texts are escaped
        "markdown": "" if section.has_own_pages else table.markdown(),
    }


def _description(market: Market, least: Mapping[str, str], on: date) -> str:
    """Return the text of a link preview: the channels, the lowest prices by product, and the day."""
    prices = [f"{inline_label(section.product)} {least[section.product.key]}" for section in market.sections]
    channels = [inline_label(record.terms.channel) for record in market.coverage]
    values = {"market": market.name, "day": on, "prices": ", ".join(prices), "channels": ", ".join(channels)}
    if prices and channels:
        message = gettext_noop(
            "Prices for %(market)s: %(prices)s; covered: %(channels)s; in force on %(day)s."
        )
    elif prices:
        message = gettext_noop("Prices for %(market)s: %(prices)s; no coverage record; in force on %(day)s.")
    elif channels:
        message = gettext_noop("No rate for %(market)s; covered: %(channels)s; in force on %(day)s.")
    else:
        message = gettext_noop("No rate for %(market)s; no coverage record; in force on %(day)s.")
    return gettext(message, **values)


def _headings(market: Market, *, has_estimator: bool) -> tuple[Heading, ...]:
    return (
        Heading(level=2, anchor="coverage", title=gettext("What works")),
        Heading(level=2, anchor="rates", title=gettext("What it costs")),
        *(
            Heading(level=3, anchor=section.anchor, title=rates_name(section.product))
            for section in market.sections
        ),
        *((estimate_heading(),) if has_estimator else ()),
        Heading(level=2, anchor="downloads", title=gettext("Downloads")),
    )


def _search_entry(market: Market, description: str) -> SearchEntry:
    groups = {
        field.display_value(value)
        for field in market.book.groups
        for rate in market.rates
        if (value := rate.terms.declared.get(field.name))
    }
    names = " ".join(sorted(groups)[:_MAX_SEARCH_NAMES])
    codes = " ".join((*market.countries, *(words.replace(", ", " ") for _, words in market.facts)))
    price_phrase = gettext("What it costs: prices.") if market.sections else ""
    text = " ".join(filter(None, (description, price_phrase, market.code, codes, names)))
    return SearchEntry(title=market_title(market), text=text)


def _section_pages(market: Market, section: Section, on: date) -> Iterator[Page]:
    """Yield the pages of a section that is not on the country's page."""
    name = attribute(section.product)
    for number, part in enumerate(section.pages, 1):
        title = gettext("%(market)s: %(product)s rates", market=market.name, product=name)
        title = _with_page_number(title, number, len(section.pages))
        table = RateTable(
            book=market.book,
            page=part.uri,
            caption=title,
            rates=part.rates,
            places=section.places,
            has_countries=False,
        )
        least = lowest_price_words(part.rates, market.book)
        description = gettext(
            "%(product)s rates for %(market)s, %(prices)s, in force on %(day)s.",
            product=name,
            market=market.name,
            prices=least,
            day=_with_page_number(str(on), number, len(section.pages)),
        )
        context = {
            "page": part.uri,
            "market": market,
            "section": section,
            "number": number,
            "title": title,
            "description": description,
            "table": Markup(table.html()),  # noqa: S704 - its texts are escaped
            "markdown": table.markdown(),
            "samples": sample_share(rate.terms for rate in part.rates),
        }
        body, markdown = render_page(templates(), "countries_part", part.uri, context)
        yield Page(
            uri=part.uri,
            title=title,
            description=description,
            body=body,
            markdown=markdown,
            headings=(Heading(level=2, anchor="rates", title=gettext("Rates")),),
            search=(SearchEntry(title=title, text=description),),
            layout="wide",
        )
