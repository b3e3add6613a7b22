"""The rates of a product country by country, one row each: what a page shows that cannot hold them all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from devportal.catalog.pages.addresses import country_uri
from devportal.catalog.pages.country import Country
from devportal.catalog.pages.labels import label
from devportal.catalog.pages.rates_range import ranges_of
from devportal.catalog.pages.rates_table import framed
from devportal.catalog.pages.rendering import markdown_cell
from devportal.catalog.publication import PublishedRate
from devportal.catalog.rate import Direction, NumberType, Product
from devportal.pages import href, twin_href


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryRates:
    """Some rates of a product in one country, in words; `anchor` is where all of them are on its page."""

    code: str
    name: str
    anchor: str
    count: int
    prices: str
    """What they cost, by currency: `0.10 to 0.25 EUR`."""
    directions: str
    types: str
    """The kinds of numbers that have a price of their own."""
    networks: int
    """How many networks have a price of their own."""
    everywhere: str
    """What stands where none has: of numbers nothing."""


def country_rates(
    country: Country[PublishedRate], anchor: str, rates: Sequence[PublishedRate]
) -> CountryRates:
    """Return rates of a country in words."""
    directions = {rate.terms.direction for rate in rates}
    types = {rate.terms.number_type for rate in rates}
    networks = {(one.mcc, one.mnc) for rate in rates if (one := rate.terms.network)}
    return CountryRates(
        code=country.code,
        name=country.name,
        anchor=anchor,
        count=len(rates),
        prices="; ".join(one.span for one in ranges_of(rates)),
        directions=", ".join(label(one) for one in Direction if one in directions),
        types=", ".join(label(one) for one in NumberType if one in types),
        networks=len(networks),
        everywhere="all" if rates[0].terms.product in _BY_NETWORK else "",
    )


_BY_NETWORK = (Product.SMS, Product.MMS, Product.RCS)
_TITLES = ("Country", "Rates", "Prices", "Directions", "Number types", "Networks")


def summary_html(page: str, caption: str, countries: Iterable[CountryRates]) -> str:
    """Return the table for a page; each country leads to its rates."""
    head = "".join(f'<th role="columnheader" scope="col">{title}</th>' for title in _TITLES)
    return framed(caption, head, "".join(_row(page, country) for country in countries))


def _row(page: str, country: CountryRates) -> str:
    link = escape(href(page, f"{country_uri(country.code)}#{country.anchor}"))
    cells = (
        f'<a href="{link}">{escape(country.name)}</a>',
        f"{country.count:,}",
        f"<span>{escape(country.prices)}</span>",
        country.directions,
        country.types or '<span class="dp-muted">any</span>',
        f"{country.networks:,}"
        if country.networks
        else f'<span class="dp-muted">{country.everywhere}</span>',
    )
    told = "".join(
        f'<td role="cell" data-label="{title}">{cell}</td>'
        for title, cell in zip(_TITLES, cells, strict=True)
    )
    return f'<tr role="row">{told}</tr>\n'


def summary_markdown(page: str, countries: Iterable[CountryRates]) -> str:
    """Return the table for the Markdown twin of a page."""
    head = f"| {' | '.join(_TITLES)} |\n| --- | ---: | --- | --- | --- | --- |\n"
    return head + "".join(
        f"| [{markdown_cell(one.name)}]({twin_href(page, country_uri(one.code))}) | {one.count:,} "
        f"| {one.prices} | {one.directions} | {one.types or 'any'} | {one.networks or one.everywhere} |\n"
        for one in countries
    )
