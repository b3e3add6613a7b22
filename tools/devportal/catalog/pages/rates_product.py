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
from devportal.catalog.pages.countries_sections import MOST_ROWS, Section
from devportal.catalog.pages.country import Country
from devportal.catalog.pages.downloads import Download, Lines, RowKey, downloads_of
from devportal.catalog.pages.estimate import HEADING as ESTIMATE
from devportal.catalog.pages.estimate import SCRIPTS, STYLES, estimator_html, estimator_markdown
from devportal.catalog.pages.names import attribute, inline_attribute, value_name
from devportal.catalog.pages.rates_cells import short_code
from devportal.catalog.pages.rates_filters import Choice, Facet, by_choice, choice_uri, facets_of
from devportal.catalog.pages.rates_groups import group_page, least_words, ranges_of
from devportal.catalog.pages.rates_table import ROW_PER_RATE, RateTable, row_template, rows_file, table_html
from devportal.catalog.pages.rendering import markdown_cell, templates
from devportal.catalog.publication import PublishedRate
from devportal.markup import Artefact, Heading, Page, SearchEntry, href, twin_href


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What rates of a market have in one field: words, or how many groups; `nothing` if they have none."""

    text: str
    nothing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryRates:
    """Some rates of a product in one market, in words; `anchor` is where all of them are on its page."""

    code: str
    name: str
    anchor: str
    count: int
    prices: str
    """What they cost, by currency: `0.10 to 0.25 EUR`."""
    cells: tuple[Cell, ...]
    """By field that rates are filtered by."""


def summed_fields(book: Book) -> tuple[Field, ...]:
    """Return the fields that have a column: choices first, then the others that rates are filtered by."""
    return tuple(sorted(book.filter_fields, key=lambda one: not one.choices))


def country_rates(
    country: Country[PublishedRate], anchor: str, rates: Sequence[PublishedRate], book: Book
) -> CountryRates:
    """Return rates of a market in words."""
    return CountryRates(
        code=country.code,
        name=country.name,
        anchor=anchor,
        count=len(rates),
        prices="; ".join(one.span for one in ranges_of(rates)),
        cells=tuple(_cell(field, rates) for field in summed_fields(book)),
    )


def _cell(field: Field, rates: Sequence[PublishedRate]) -> Cell:
    values = {value for rate in rates if (value := rate.terms.declared.get(field.name))}
    if field.group:
        count = len({short_code(field, value) for value in values})
        is_everywhere = field.name in rates[0].terms.product.everywhere
        return Cell(text=f"{count:,}" if count else "", nothing="all" if is_everywhere else "")
    if field.choices:
        text = ", ".join(one.title for one in field.choices if one.key in values)
        return Cell(text=text, nothing="any")
    texts = sorted(value for value in values if isinstance(value, str))
    return Cell(
        text=f"{len(texts):,}" if len(texts) > 1 else "".join(map(field.display_value, texts)), nothing="any"
    )


def titles_of(book: Book) -> tuple[str, ...]:
    """Return the titles of the columns."""
    return (book.markets.title, "Rates", "Prices", *(one.plural for one in summed_fields(book)))


def summary_html(page: str, caption: str, countries: Iterable[CountryRates], book: Book) -> str:
    """Return the table for a page; each market leads to its rates."""
    titles = titles_of(book)
    head = "".join(f'<th role="columnheader" scope="col">{escape(title)}</th>' for title in titles)
    return table_html(caption, head, "".join(_row(page, country, titles) for country in countries))


def _row(page: str, country: CountryRates, titles: tuple[str, ...]) -> str:
    link = escape(href(page, f"{country_uri(country.code)}#{country.anchor}"))
    cells = (
        f'<a href="{link}">{escape(country.name)}</a>',
        f"{country.count:,}",
        f"<span>{escape(country.prices)}</span>",
        *(escape(one.text) or f'<span class="dp-muted">{one.nothing}</span>' for one in country.cells),
    )
    told = "".join(
        f'<td role="cell" data-label="{escape(title)}">{cell}</td>'
        for title, cell in zip(titles, cells, strict=True)
    )
    return f'<tr role="row">{told}</tr>\n'


def summary_markdown(page: str, countries: Iterable[CountryRates], book: Book) -> str:
    """Return the table for the Markdown twin of a page."""
    titles = [*map(markdown_cell, titles_of(book))]
    rules = " | ".join("---:" if title == "Rates" else "---" for title in titles)
    rows = "".join(_markdown_row(page, country) for country in countries)
    return f"| {' | '.join(titles)} |\n| {rules} |\n{rows}"


def _markdown_row(page: str, country: CountryRates) -> str:
    link = twin_href(page, country_uri(country.code))
    cells = (country.prices, *(one.text or one.nothing for one in country.cells))
    return (
        f"| [{markdown_cell(country.name)}]({link}) | {country.count:,} "
        f"| {' | '.join(map(markdown_cell, cells))} |\n"
    )


_FILTER = "assets/devportal/catalog.js"
"""The script that filters at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductRates:
    """The rates of one product, market by market, and where each stands on a market's page."""

    on: date
    book: Book
    product: Product
    sections: tuple[Section, ...]
    row_links: Mapping[RowKey, str] = field(repr=False)
    products: tuple[Product, ...]
    """All products that have rates: their pages lead to each other."""

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
        """Say whether a page cannot hold a row for each."""
        return len(self.rates) > MOST_ROWS

    @property
    def countries(self) -> int:
        """Return how many markets they are for."""
        return len({rate.terms.market for rate in self.rates})


def product_pages(each: ProductRates, lines: Lines[PublishedRate]) -> Iterator[Page | Artefact]:
    """Yield the page of a product, one for each choice, those of its groups, and the files they offer."""
    rates = each.rates
    choices = {facet.name: by_choice(facet, _deciding(facet, rates)) for facet in facets_of(each.book)}
    folder = each.uri.removesuffix("index.md")
    files = lines.files(f"{folder}rates-{each.product}", rates)
    yield from files
    downloads = downloads_of(files)
    for selection in _selections(each, rates, choices):
        if selection.choice is None and selection.is_long:
            yield rows_file(f"{folder}rows.json", each.book, rates)
        yield _page(each, selection, choices, downloads)
    for one in each.book.groups:
        groups = group_page(one, each.product, each.sections, each.row_links, book=each.book, on=each.on)
        if groups and one.filter:
            yield groups


def _deciding(facet: Facet, rates: tuple[PublishedRate, ...]) -> Iterable[PublishedRate]:
    """Return the rates whose choices pages show: of groups, which share a page, one is enough."""
    if not facet.is_within:
        return rates
    return islice((rate for rate in rates if facet.value(rate.terms)), 1)


_Choices: TypeAlias = Mapping[str, Mapping[Choice, tuple[PublishedRate, ...]]]


def _selections(
    each: ProductRates, rates: tuple[PublishedRate, ...], choices: _Choices
) -> Iterator[Selection]:
    """Yield what each page shows: the first shows all, and each other a choice."""
    yield Selection(uri=each.uri, title=f"{attribute(each.product)} rates", rates=rates)
    for facet in facets_of(each.book):
        for choice, chosen in choices[facet.name].items() if not facet.shares_pages else ():
            title = _title(each.product, facet, choice)
            uri = choice_uri(each.product, facet, choice)
            yield Selection(uri=uri, title=title, rates=chosen, choice=choice)


def _title(product: Product, facet: Facet, choice: Choice) -> str:
    field = facet.field
    if field is None:
        return f"{attribute(product)} rates in {choice.words}"
    if field.headline:
        return f"{choice.words} {inline_attribute(product)} rates"
    return f"{attribute(product)} rates for {value_name(field, choice.value)}"


def _page(
    each: ProductRates,
    selection: Selection,
    choices: _Choices,
    downloads: Sequence[Download],
) -> Page:
    is_whole = selection.choice is None
    has_estimator = is_whole and not selection.is_long
    estimated = selection.rates if has_estimator else ()
    description = _description(selection, each.book, each.on)
    headings = (
        *((ESTIMATE,) if has_estimator else ()),
        Heading(level=2, anchor="rates", title="Rates"),
        Heading(level=2, anchor="downloads", title="Downloads"),
    )
    shown = {
        **_page_values(each, selection),
        "description": description,
        "facets": [_facet(each, selection, one, choices[one.name]) for one in facets_of(each.book)],
        "downloads": downloads,
        "in_files": _in_files(each),
        "products": [(one, product_uri(one)) for one in each.products],
        "below": headings[-1],
        "estimator": estimator_html(estimated, selection.uri, each.book, is_folded=True),
        "estimator_markdown": estimator_markdown(estimated, each.book),
    }
    return Page(
        uri=selection.uri,
        title=selection.title,
        description=description,
        body=templates().get_template("rates_product.html.jinja").render(shown),
        markdown=templates().get_template("rates_product.md.jinja").render(shown),
        headings=headings,
        search=(SearchEntry(title=selection.title, text=f"{description} What it costs: prices."),),
        layout="wide",
        scripts=(_FILTER, *(SCRIPTS if has_estimator else ())) if is_whole else (),
        styles=STYLES if has_estimator else (),
    )


def _in_files(each: ProductRates) -> str:
    """Return what the files hold, which is more than a page of a choice or a filter shows."""
    count = len(each.rates)
    if count == 1:
        return f"The one {inline_attribute(each.product)} rate there is"
    return f"All {count:,} {inline_attribute(each.product)} rates, not only those shown"


def _description(selection: Selection, book: Book, on: date) -> str:
    least = least_words(selection.rates, book)
    return f"{selection.title} for {book.markets.count(selection.countries)}, {least}, in force on {on}."


def _page_values(each: ProductRates, selection: Selection) -> dict[str, object]:
    """Return what the templates show of a selection, its table among it."""
    table = RateTable(book=each.book, page=selection.uri, caption=selection.title, rates=selection.rates)
    countries = tuple(_by_country(each, selection)) if selection.is_long else ()
    html = summary_html(selection.uri, selection.title, countries, each.book) if countries else table.html()
    is_filtered_from_file = selection.is_long and selection.choice is None
    return {
        "page": selection.uri,
        "on": each.on,
        "book": each.book,
        "product": each.product,
        "product_uri": each.uri,
        "selection": selection,
        "table": Markup(html),  # noqa: S704 - every text in it is escaped
        "found": Markup(_empty_table(table)) if is_filtered_from_file else "",  # noqa: S704 - the same
        "markdown_table": summary_markdown(selection.uri, countries, each.book)
        if countries
        else table.markdown(),
        "is_sample": any(rate.terms.sample for rate in selection.rates),
    }


def _empty_table(table: RateTable) -> str:
    """Return a table for the script to fill, and the row to fill it with."""
    frame = table_html(f"{table.caption}, filtered", table.head(), "", kind=ROW_PER_RATE, hidden=True)
    return frame + row_template(table.book, is_billed=table.is_billed)


def _by_country(each: ProductRates, selection: Selection) -> Iterator[CountryRates]:
    found: defaultdict[str, list[PublishedRate]] = defaultdict(list)
    for rate in selection.rates:
        found[rate.terms.market].append(rate)
    for section in each.sections:
        if section.country.code in found:
            yield country_rates(section.country, section.anchor, found[section.country.code], each.book)


def _facet(
    each: ProductRates, selection: Selection, facet: Facet, choices: Iterable[Choice]
) -> dict[str, object]:
    return {
        "facet": facet,
        "column": facet.field.column if facet.field else "",
        "choices": [
            {
                "choice": choice,
                "uri": choice_uri(each.product, facet, choice),
                "is_chosen": choice == selection.choice,
            }
            for choice in choices
        ],
    }
