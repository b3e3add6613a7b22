"""The page of a country, which sales share: what works there, what it costs, since when, in which version."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from devportal.catalog.book.book import Book, Named, Product
from devportal.catalog.pages.addresses import country_uri, history_uri
from devportal.catalog.pages.columns import coverage_columns
from devportal.catalog.pages.countries_sections import Section
from devportal.catalog.pages.country import Country, by_country, market_order
from devportal.catalog.pages.coverage_markets import market_words
from devportal.catalog.pages.downloads import Lines, downloads_of, lines_of
from devportal.catalog.pages.estimate import HEADING as ESTIMATE
from devportal.catalog.pages.estimate import SCRIPTS, STYLES, estimator_html, estimator_markdown
from devportal.catalog.pages.history import histories
from devportal.catalog.pages.names import attribute, inline_label, value_name
from devportal.catalog.pages.rates import Priced
from devportal.catalog.pages.rates_filters import Options
from devportal.catalog.pages.rates_groups import least_words, ranges_of
from devportal.catalog.pages.rates_table import RateTable
from devportal.catalog.pages.rendering import templates
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.catalog.records.codes import country_names
from devportal.markup import Artefact, Heading, Page, SearchEntry

_NAMES = 60
"""So many names of groups search finds a market by."""


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
    def is_sample(self) -> bool:
        """Say whether any of it is sample data."""
        return any(rate.terms.sample for rate in self.rates) or any(
            record.terms.sample for record in self.coverage
        )

    @property
    def own(self) -> tuple[tuple[str, str], ...]:
        """Return what the coverage records say of the market itself: titles and words."""
        return market_words(self.coverage, self.book, in_order=False)

    @property
    def countries(self) -> tuple[str, ...]:
        """Return the names of the countries in a zone; none of a country."""
        markets = self.book.markets
        return tuple(country_names()[one] for one in markets.countries_of(self.code)) if markets.zones else ()

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
        return tuple(one.product for one in self.sections if one.product.channel not in explained)


def markets_of(
    countries: Iterable[Country[PublishedCoverage]],
    sections: Mapping[str, tuple[Section, ...]],
    with_history: Iterable[str],
    book: Book,
) -> tuple[Market, ...]:
    """Return the markets of which anything is public, in their order.

    `sections` are by the market's key; `with_history` are the keys of the markets that have a history.
    """
    names, with_past = book.markets.names, frozenset(with_history)
    coverage = {country.code: country.rows for country in countries}
    codes = coverage.keys() | sections.keys()
    order = market_order(book.markets, codes)
    return tuple(
        Market(
            code=code,
            name=names[code],
            coverage=tuple(sorted(coverage.get(code, ()), key=lambda one: one.terms.channel.rank)),
            sections=sections.get(code, ()),
            has_history=code in with_past,
            book=book,
        )
        for code in sorted(codes, key=lambda code: (order[code], code))
    )


def country_pages(priced: Priced, public: Published, options: Options) -> Iterator[Page | Artefact]:
    """Yield the page of each country, those of its rates where they are many, and the files they offer."""
    coverage_lines = lines_of("coverage", coverage_columns(public.book), public.coverage)
    with_history = histories(public, options).keys()
    markets = markets_of(
        by_country(public.coverage, public.book.markets), priced.sections, with_history, public.book
    )
    for around in zip((None, *markets), markets, (*markets[1:], None), strict=False):
        market = around[1]
        files = tuple(_files(market, priced.lines, coverage_lines))
        yield from files
        yield _page(market, (around[0], around[2]), files, public.on)
        for section in market.sections:
            if section.is_apart:
                yield from _parts(market, section, public.on)


def _files(
    market: Market, rate_lines: Lines[PublishedRate], coverage_lines: Lines[PublishedCoverage]
) -> Iterator[Artefact]:
    folder, code = market.uri.removesuffix("index.md"), market.code.lower()
    if market.rates:
        yield from rate_lines.files(f"{folder}rates-{code}", market.rates)
    if market.coverage:
        yield from coverage_lines.files(f"{folder}coverage-{code}", market.coverage)


def _page(
    market: Market,
    around: tuple[Market | None, Market | None],
    files: Sequence[Artefact],
    on: date,
) -> Page:
    here = tuple(rate for one in market.sections if not one.is_apart for rate in one.rates)
    description = _description(market, on)
    shown = {
        "page": market.uri,
        "market": market,
        "book": market.book,
        "on": on,
        "description": description,
        "prices": [_price_view(market, section) for section in market.sections],
        "history": history_uri(market.code) if market.has_history else "",
        "before": around[0],
        "after": around[1],
        "downloads": downloads_of(files),
        "is_sample": market.is_sample,
        "value_name": value_name,
        "estimator": estimator_html(here, market.uri, market.book),
        "estimator_markdown": estimator_markdown(here, market.book),
    }
    return Page(
        uri=market.uri,
        title=f"{market.name}: coverage and rates",
        description=description,
        body=templates().get_template("countries.html.jinja").render(shown),
        markdown=templates().get_template("countries.md.jinja").render(shown),
        headings=_headings(market, has_estimator=bool(here)),
        search=(_search_entry(market, description),),
        layout="wide",
        scripts=SCRIPTS if here else (),
        styles=STYLES if here else (),
    )


def _price_view(market: Market, section: Section) -> dict[str, object]:
    """Return what the templates show of the prices of a product."""
    table = RateTable(
        book=market.book,
        page=market.uri,
        caption=f"{attribute(section.product)} rates for {market.name}",
        rates=section.rates,
        has_countries=False,
    )
    return {
        "section": section,
        "ranges": ranges_of(section.rates),
        "least": least_words(section.rates, market.book),
        "table": Markup("" if section.is_apart else table.html()),  # noqa: S704 - its texts are escaped
        "markdown": "" if section.is_apart else table.markdown(),
    }


def _description(market: Market, on: date) -> str:
    """Return what a link preview shows: what reaches the country, what it costs, and on which day."""
    prices = [
        f"{inline_label(section.product)} {least_words(section.rates, market.book)}"
        for section in market.sections
    ]
    channels = [inline_label(record.terms.channel) for record in market.coverage]
    told = [
        f"Prices for {market.name}: {', '.join(prices)}" if prices else f"No rate for {market.name}",
        f"covered: {', '.join(channels)}" if channels else "no coverage record",
    ]
    return f"{'; '.join(told)}; in force on {on}."


def _headings(market: Market, *, has_estimator: bool) -> tuple[Heading, ...]:
    return (
        Heading(level=2, anchor="coverage", title="What works"),
        Heading(level=2, anchor="rates", title="What it costs"),
        *(
            Heading(level=3, anchor=section.anchor, title=f"{attribute(section.product)} rates")
            for section in market.sections
        ),
        *((ESTIMATE,) if has_estimator else ()),
        Heading(level=2, anchor="downloads", title="Downloads"),
    )


def _search_entry(market: Market, description: str) -> SearchEntry:
    groups = {
        field.display_value(value)
        for field in market.book.groups
        for rate in market.rates
        if (value := rate.terms.declared.get(field.name))
    }
    names = " ".join(sorted(groups)[:_NAMES])
    codes = " ".join((*market.countries, *(words.replace(", ", " ") for _, words in market.own)))
    asked = "What it costs: prices." if market.sections else ""
    text = " ".join(filter(None, (description, asked, market.code, codes, names)))
    return SearchEntry(title=f"{market.name}: coverage and rates", text=text)


def _parts(market: Market, section: Section, on: date) -> Iterator[Page]:
    """Yield the pages of a section that does not stand on the country's page."""
    name = attribute(section.product)
    for number, part in enumerate(section.parts, 1):
        of_all = f", page {number} of {len(section.parts)}" if len(section.parts) > 1 else ""
        title = f"{market.name}: {name} rates{of_all}"
        table = RateTable(
            book=market.book, page=part.uri, caption=title, rates=part.rates, has_countries=False
        )
        least = least_words(part.rates, market.book)
        description = f"{name} rates for {market.name}, {least}, in force on {on}{of_all}."
        shown = {
            "page": part.uri,
            "market": market,
            "section": section,
            "number": number,
            "title": title,
            "description": description,
            "table": Markup(table.html()),  # noqa: S704 - its texts are escaped
            "markdown": table.markdown(),
            "is_sample": any(rate.terms.sample for rate in part.rates),
        }
        yield Page(
            uri=part.uri,
            title=title,
            description=description,
            body=templates().get_template("countries_part.html.jinja").render(shown),
            markdown=templates().get_template("countries_part.md.jinja").render(shown),
            headings=(Heading(level=2, anchor="rates", title="Rates"),),
            search=(SearchEntry(title=title, text=description),),
            layout="wide",
        )
