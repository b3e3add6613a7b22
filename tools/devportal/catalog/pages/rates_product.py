"""The page of one product's rates, and its summary at the top."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from html import escape
from itertools import islice
from typing import TypeAlias

from markupsafe import Markup

from devportal.catalog.book.book import Book, Field, Product
from devportal.catalog.pages.addresses import country_uri, product_uri
from devportal.catalog.pages.countries_sections import MAX_ROWS, Section
from devportal.catalog.pages.country import Country
from devportal.catalog.pages.downloads import Download, RowKey
from devportal.catalog.pages.estimate import SCRIPTS, STYLES, estimate_heading, estimator_html
from devportal.catalog.pages.names import attribute, inline_attribute, rates_name, sample_share, value_name
from devportal.catalog.pages.prices import price_places
from devportal.catalog.pages.rates_cells import short_code
from devportal.catalog.pages.rates_filters import (
    Choice,
    Contact,
    Facet,
    choice_uri,
    facets_of,
    rates_by_choice,
)
from devportal.catalog.pages.rates_groups import group_page, lowest_price_words, offered_prices, price_ranges
from devportal.catalog.pages.rates_table import ROW_PER_RATE, RateTable, row_template, rows_file, table_html
from devportal.catalog.pages.rendering import HAND_OUT, markdown_cell, templates
from devportal.catalog.pages.unpriced import UnpricedMarket, unpriced_data
from devportal.catalog.publication import PublishedRate
from devportal.markup import Artefact, Heading, Page, SearchEntry, href, render_page, twin_href
from devportal.translation import format_number, gettext, ngettext


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The values of a market's rates in one field: their text, or the number of groups; `absent` if they have
    none.
    """

    text: str
    absent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryRates:
    """Some rates of a product in one market, as texts; `anchor` is where all of them are on its page."""

    code: str
    name: str
    anchor: str
    count: int
    prices: str
    """The prices by currency: `0.10 to 0.25 EUR`."""
    cells: tuple[Cell, ...]
    """The values by filter field."""


_MAX_MARKETS_WITH_FIELDS = 100
"""How many markets a table lists with all columns; for more, it has only prices."""


def summary_fields(book: Book, count: int) -> tuple[Field, ...]:
    """Return the fields with a column, for this many markets: choices first, then the other filter fields."""
    if count > _MAX_MARKETS_WITH_FIELDS:
        return ()
    return tuple(sorted(book.filter_fields, key=lambda filter_field: not filter_field.choices))


def country_rates(
    country: Country[PublishedRate],
    anchor: str,
    rates: Sequence[PublishedRate],
    fields: Iterable[Field],
    places: int,
) -> CountryRates:
    """Return rates of a market as texts; `places` is the number of decimal places."""
    return CountryRates(
        code=country.code,
        name=country.name,
        anchor=anchor,
        count=len(rates),
        prices="; ".join(price_range.span for price_range in price_ranges(rates, places)),
        cells=tuple(_summary_cell(field, rates) for field in fields),
    )


def _summary_cell(field: Field, rates: Sequence[PublishedRate]) -> Cell:
    values = {value for rate in rates if (value := rate.terms.declared.get(field.name))}
    if field.group:
        count = len({short_code(field, value) for value in values})
        is_everywhere = field.name in rates[0].terms.product.everywhere
        return Cell(
            text=format_number(count) if count else "", absent=gettext("all") if is_everywhere else ""
        )
    if field.choices:
        text = ", ".join(choice.title for choice in field.choices if choice.key in values)
        return Cell(text=text, absent=gettext("any"))
    texts = sorted(value for value in values if isinstance(value, str))
    return Cell(
        text=format_number(len(texts)) if len(texts) > 1 else "".join(map(field.display_value, texts)),
        absent=gettext("any"),
    )


_NUMBER = ' class="dp-catalog-number"'


def column_titles(book: Book, count: int) -> tuple[str, ...]:
    """Return the titles of the columns of a table with this many markets."""
    counts = (gettext("Rates"),) if count <= _MAX_MARKETS_WITH_FIELDS else ()
    return (
        book.markets.title,
        *counts,
        gettext("Prices"),
        *(summary_field.plural for summary_field in summary_fields(book, count)),
    )


def summary_html(page: str, caption: str, countries: Sequence[CountryRates], book: Book) -> str:
    """Return the table for a page; each market leads to its rates."""
    titles, rates_title = column_titles(book, len(countries)), gettext("Rates")
    head = "".join(
        f'<th role="columnheader" scope="col"{_NUMBER if title == rates_title else ""}>{escape(title)}</th>'
        for title in titles
    )
    return table_html(caption, head, "".join(_row_html(page, country, titles) for country in countries))


def _row_html(page: str, country: CountryRates, titles: tuple[str, ...]) -> str:
    rates_title = gettext("Rates")
    link = escape(href(page, f"{country_uri(country.code)}#{country.anchor}"))
    cells = (
        (f'<a href="{link}">{escape(country.name)}</a>', ""),
        *([(format_number(country.count), _NUMBER)] if rates_title in titles else []),
        (escape(country.prices), ""),
        *(
            (escape(cell.text or cell.absent), "" if cell.text else ' class="dp-muted"')
            for cell in country.cells
        ),
    )
    cells_html = "".join(
        f'<td role="cell" data-label="{escape(title)}"{attributes}>{cell}</td>'
        for title, (cell, attributes) in zip(titles, cells, strict=True)
    )
    return f'<tr role="row">{cells_html}</tr>\n'


def summary_markdown(page: str, countries: Sequence[CountryRates], book: Book) -> str:
    """Return the table for the Markdown twin of a page."""
    titles, rates_title = [*map(markdown_cell, column_titles(book, len(countries)))], gettext("Rates")
    rules = " | ".join("---:" if title == rates_title else "---" for title in titles)
    rows = "".join(_markdown_row(page, country, has_count=rates_title in titles) for country in countries)
    return f"| {' | '.join(titles)} |\n| {rules} |\n{rows}"


def _markdown_row(page: str, country: CountryRates, *, has_count: bool) -> str:
    link = twin_href(page, country_uri(country.code))
    counts = (format_number(country.count),) if has_count else ()
    cells = (*counts, country.prices, *(cell.text or cell.absent for cell in country.cells))
    return f"| [{markdown_cell(country.name)}]({link}) | {' | '.join(map(markdown_cell, cells))} |\n"


_FILTER = "assets/devportal/catalog.js"
"""The script that filters the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductRates:
    """The rates of one product, market by market, and where each is on a market's page."""

    on: date
    book: Book
    product: Product
    contact: Contact | None
    sections: tuple[Section, ...]
    row_links: Mapping[RowKey, str] = field(repr=False)
    products: tuple[Product, ...]
    """All products that have rates. Their pages link to each other."""
    unpriced: tuple[UnpricedMarket, ...]
    """The markets with their own page that have no rate of the product."""

    @property
    def rates(self) -> tuple[PublishedRate, ...]:
        """Return the rates in the order of tables."""
        return tuple(rate for section in self.sections for rate in section.rates)

    @property
    def uri(self) -> str:
        """Return the page of all of them."""
        return product_uri(self.product)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The rates that one page shows: all of a product, or those of a choice."""

    uri: str
    title: str
    rates: tuple[PublishedRate, ...]
    choice: Choice | None = None

    @property
    def is_long(self) -> bool:
        """Say whether there are too many rates for a row each."""
        return len(self.rates) > MAX_ROWS

    @property
    def countries(self) -> int:
        """Return how many markets they are for."""
        return len({rate.terms.market for rate in self.rates})


def product_pages(product_rates: ProductRates, downloads: Sequence[Download]) -> Iterator[Page | Artefact]:
    """Yield the page of a product, one for each choice, those of its groups, and the file of its rows."""
    rates = product_rates.rates
    choices = {
        facet.name: rates_by_choice(facet, _rates_for_choices(facet, rates))
        for facet in facets_of(product_rates.book)
    }
    folder = product_rates.uri.removesuffix("index.md")
    for selection in _selections(product_rates, rates, choices):
        if selection.choice is None and selection.is_long:
            yield rows_file(f"{folder}rows.json", product_rates.book, rates)
        yield _page(product_rates, selection, choices, downloads)
    for group_field in product_rates.book.groups:
        groups = group_page(
            group_field,
            product_rates.product,
            product_rates.sections,
            product_rates.row_links,
            book=product_rates.book,
            on=product_rates.on,
        )
        if groups and group_field.filter:
            yield groups


def _rates_for_choices(facet: Facet, rates: tuple[PublishedRate, ...]) -> Iterable[PublishedRate]:
    """Return the rates whose choices pages show. Groups share a page, so one is enough."""
    if not facet.is_within:
        return rates
    return islice((rate for rate in rates if facet.value(rate.terms)), 1)


_Choices: TypeAlias = Mapping[str, Mapping[Choice, tuple[PublishedRate, ...]]]


def _selections(
    product_rates: ProductRates, rates: tuple[PublishedRate, ...], choices: _Choices
) -> Iterator[Selection]:
    """Yield the selection of each page: first all rates, then each choice."""
    yield Selection(uri=product_rates.uri, title=rates_name(product_rates.product), rates=rates)
    for facet in facets_of(product_rates.book):
        for choice, chosen_rates in choices[facet.name].items() if not facet.shares_pages else ():
            title = _title(product_rates.product, facet, choice)
            uri = choice_uri(product_rates.product, facet, choice)
            yield Selection(uri=uri, title=title, rates=chosen_rates, choice=choice)


def _title(product: Product, facet: Facet, choice: Choice) -> str:
    field = facet.field
    if field is None:
        return gettext("%(product)s rates in %(currency)s", product=attribute(product), currency=choice.words)
    if field.headline:
        return gettext("%(choice)s %(product)s rates", choice=choice.words, product=inline_attribute(product))
    return gettext(
        "%(product)s rates for %(choice)s", product=attribute(product), choice=value_name(field, choice.value)
    )


def _page(
    product_rates: ProductRates,
    selection: Selection,
    choices: _Choices,
    downloads: Sequence[Download],
) -> Page:
    is_whole = selection.choice is None
    estimated = selection.rates if is_whole else ()
    description = _description(selection, product_rates.book, product_rates.on)
    headings = (
        *((estimate_heading(),) if is_whole else ()),
        Heading(level=2, anchor="rates", title=gettext("Rates")),
        Heading(level=2, anchor="downloads", title=gettext("Downloads")),
    )
    context = {
        **_page_values(product_rates, selection),
        "description": description,
        "facets": [
            _facet_view(product_rates, selection, facet, choices[facet.name])
            for facet in facets_of(product_rates.book)
        ],
        "downloads": downloads,
        "contact": product_rates.contact,
        "in_files": _files_note(product_rates),
        "products": [(product, product_uri(product)) for product in product_rates.products],
        "unpriced": product_rates.unpriced if is_whole else (),
        "unpriced_data": unpriced_data(
            product_rates.unpriced,
            {section.country.code for section in product_rates.sections},
            product_rates.book.markets,
            selection.uri,
        ),
        "estimator": estimator_html(
            estimated,
            selection.uri,
            product_rates.book,
            group=product_rates.book.markets.title,
            rows="rows.json" if selection.is_long else "",
            is_folded=True,
        ),
    }
    body, markdown = render_page(templates(), "rates_product", selection.uri, context)
    return Page(
        uri=selection.uri,
        title=selection.title,
        description=description,
        body=body,
        markdown=markdown,
        headings=headings,
        search=_search_entries(selection, description),
        layout="wide",
        scripts=(HAND_OUT, *((_FILTER, *SCRIPTS) if is_whole else ())),
        styles=STYLES if is_whole else (),
        data_files=tuple(download.uri for download in downloads),
        prices=offered_prices(selection.rates),
    )


def _files_note(product_rates: ProductRates) -> str:
    """Return a note about the files, which hold more than a page of a choice or a filter shows."""
    count = len(product_rates.rates)
    if count == 1:
        return gettext(
            "The one %(product)s rate there is, as CSV for spreadsheets and as JSON for programs.",
            product=inline_attribute(product_rates.product),
        )
    return ngettext(
        "The %(number)s %(product)s rate, as CSV for spreadsheets and as JSON for programs.",
        "All %(number)s %(product)s rates, not only those shown, as CSV for spreadsheets and as JSON for programs.",
        count,
        product=inline_attribute(product_rates.product),
    )


def _description(selection: Selection, book: Book, on: date) -> str:
    least = lowest_price_words(selection.rates, book)
    return gettext(
        "%(title)s for %(markets)s, %(prices)s, in force on %(day)s.",
        title=selection.title,
        markets=book.markets.count(selection.countries),
        prices=least,
        day=on,
    )


def _page_values(product_rates: ProductRates, selection: Selection) -> dict[str, object]:
    """Return the template values of a selection, including its table."""
    places = price_places(selection.rates)
    table = RateTable(
        book=product_rates.book,
        page=selection.uri,
        caption=selection.title,
        rates=selection.rates,
        places=places,
    )
    countries = tuple(_by_country(product_rates, selection, places)) if selection.is_long else ()
    html = (
        summary_html(selection.uri, selection.title, countries, product_rates.book)
        if countries
        else table.html()
    )
    is_filtered_from_file = selection.is_long and selection.choice is None
    return {
        "page": selection.uri,
        "on": product_rates.on,
        "book": product_rates.book,
        "product": product_rates.product,
        "product_uri": product_rates.uri,
        "selection": selection,
        "table": Markup(html),  # noqa: S704 - every text in it is escaped
        "found": Markup(_empty_table(table)) if is_filtered_from_file else "",  # noqa: S704 - the same
        "markdown_table": summary_markdown(selection.uri, countries, product_rates.book)
        if countries
        else table.markdown(),
        "samples": sample_share(rate.terms for rate in selection.rates),
    }


def _empty_table(table: RateTable) -> str:
    """Return a table for the script to fill, and the row to fill it with."""
    frame = table_html(
        gettext("%(title)s, filtered", title=table.caption),
        table.header_html(),
        "",
        kind=ROW_PER_RATE,
        hidden=True,
    )
    return frame + row_template(table.book, is_billed=table.is_billed, marks_samples=table.marks_samples)


def _by_country(product_rates: ProductRates, selection: Selection, places: int) -> Iterator[CountryRates]:
    rates_by_market: defaultdict[str, list[PublishedRate]] = defaultdict(list)
    for rate in selection.rates:
        rates_by_market[rate.terms.market].append(rate)
    fields = summary_fields(product_rates.book, len(rates_by_market))
    for section in product_rates.sections:
        if section.country.code in rates_by_market:
            rates = rates_by_market[section.country.code]
            yield country_rates(section.country, section.anchor, rates, fields, places)


def _facet_view(
    product_rates: ProductRates, selection: Selection, facet: Facet, choices: Iterable[Choice]
) -> dict[str, object]:
    return {
        "facet": facet,
        "column": facet.field.column if facet.field else "",
        "choices": [
            {
                "choice": choice,
                "uri": choice_uri(product_rates.product, facet, choice),
                "is_chosen": choice == selection.choice,
            }
            for choice in choices
        ],
    }


def _search_entries(selection: Selection, description: str) -> tuple[SearchEntry, ...]:
    """Return the entry of a page. Only that of all rates is about prices: a choice comes after a country."""
    text = description if selection.choice else f"{description} {gettext('What it costs: prices.')}"
    return (SearchEntry(title=selection.title, text=text),)
