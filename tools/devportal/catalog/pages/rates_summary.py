"""The rates of a product country by country, one row each: what a page shows that cannot hold them all."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from devportal.catalog.pages.addresses import country_uri
from devportal.catalog.pages.labels import label
from devportal.catalog.pages.rates_range import ranges_of
from devportal.catalog.pages.rates_table import framed
from devportal.catalog.pages.rendering import markdown_cell
from devportal.catalog.publication import PublishedRate
from devportal.catalog.rate import Direction, NumberType
from devportal.pages import href, twin_href


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryRates:
    """Some rates of a product in one country, and the anchor that has all of them on the country's page."""

    code: str
    name: str
    anchor: str
    rates: tuple[PublishedRate, ...]

    @property
    def prices(self) -> str:
        """Return what they cost: `0.10 to 0.25 EUR`, by currency."""
        return "; ".join(one.span for one in ranges_of(self.rates))

    @property
    def directions(self) -> str:
        """Return the directions that have a price."""
        found = {rate.terms.direction for rate in self.rates}
        return ", ".join(label(one) for one in Direction if one in found)

    @property
    def types(self) -> str:
        """Return the kinds of numbers that have a price of their own."""
        found = {rate.terms.number_type for rate in self.rates}
        return ", ".join(label(one) for one in NumberType if one in found)

    @property
    def networks(self) -> int:
        """Return how many networks have a price of their own."""
        return len({(one.mcc, one.mnc) for rate in self.rates if (one := rate.terms.network)})


_TITLES = ("Country", "Rates", "Prices", "Directions", "Number types", "Networks")


def summary_html(page: str, caption: str, countries: Iterable[CountryRates]) -> str:
    """Return the table for a page; each country leads to its rates."""
    head = "".join(f'<th role="columnheader" scope="col">{title}</th>' for title in _TITLES)
    return framed(caption, head, "".join(_row(page, country) for country in countries))


def _row(page: str, country: CountryRates) -> str:
    link = escape(href(page, f"{country_uri(country.code)}#{country.anchor}"))
    cells = (
        f'<a href="{link}">{escape(country.name)}</a>',
        f"{len(country.rates):,}",
        f"<span>{escape(country.prices)}</span>",
        country.directions,
        country.types or '<span class="dp-muted">any</span>',
        f"{country.networks:,}" if country.networks else '<span class="dp-muted">all</span>',
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
        f"| [{markdown_cell(one.name)}]({twin_href(page, country_uri(one.code))}) | {len(one.rates):,} "
        f"| {one.prices} | {one.directions} | {one.types or 'any'} | {one.networks or 'all'} |\n"
        for one in countries
    )
