"""The rates of a product market by market, one row each: what a page shows that cannot hold them all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from devportal.catalog.book.book import Book, Field
from devportal.catalog.pages.addresses import country_uri
from devportal.catalog.pages.country import Country
from devportal.catalog.pages.rates_cells import short_code
from devportal.catalog.pages.rates_range import ranges_of
from devportal.catalog.pages.rates_table import framed
from devportal.catalog.pages.rendering import markdown_cell
from devportal.catalog.publication import PublishedRate
from devportal.markup import href, twin_href


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
    return tuple(sorted(book.filtered, key=lambda one: not one.choices))


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
    return Cell(text=f"{len(texts):,}" if len(texts) > 1 else "".join(map(field.shown, texts)), nothing="any")


def titles_of(book: Book) -> tuple[str, ...]:
    """Return the titles of the columns."""
    return (book.markets.title, "Rates", "Prices", *(one.plural for one in summed_fields(book)))


def summary_html(page: str, caption: str, countries: Iterable[CountryRates], book: Book) -> str:
    """Return the table for a page; each market leads to its rates."""
    titles = titles_of(book)
    head = "".join(f'<th role="columnheader" scope="col">{escape(title)}</th>' for title in titles)
    return framed(caption, head, "".join(_row(page, country, titles) for country in countries))


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
