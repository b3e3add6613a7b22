"""The rates of one product as a table, in HTML and in Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from devportal.catalog.codes import country_names
from devportal.catalog.pages.addresses import RATES, country_uri
from devportal.catalog.pages.labels import label
from devportal.catalog.pages.rates_cells import (
    ANY_TYPE,
    anchor_of,
    country_cell,
    data_attributes,
    increment_cell,
    network_markdown,
    what_cells,
    when_cells,
)
from devportal.catalog.pages.rendering import markdown_cell
from devportal.catalog.publication import PublishedRate
from devportal.catalog.rate import Direction, NumberType
from devportal.pages import href

_RANK = {each: place for place, each in enumerate((*Direction, *NumberType))}
_COUNTRY, _TIMED = "Country", "Increment"
_HEAD = (
    (_COUNTRY, "country"),
    ("Network or prefix", "network"),
    ("Number type", "number_type"),
    ("Direction", "direction"),
    ("Price", "price"),
    (_TIMED, "billing_increment"),
    ("Effective", "effective_from"),
    ("Approved", "approved_on"),
    ("Version", "version"),
)
"""The columns: title, and the name of the column of the public files that says what it means."""


def table_order(rate: PublishedRate) -> tuple[object, ...]:
    """Return what rates are sorted by in a table: country, direction, kind of number, network or prefix."""
    terms = rate.terms
    network = (terms.network.name, terms.network.mcc, terms.network.mnc) if terms.network else ()
    type_rank = _RANK[terms.number_type] if terms.number_type else -1
    where = country_names()[terms.country]
    return (where, _RANK[terms.direction], type_rank, network, terms.prefixes, terms.id, terms.version)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTable:
    """A table of rates on the page `page`: with a column of countries, or of one country alone."""

    page: str
    caption: str
    rates: Sequence[PublishedRate]
    has_countries: bool = True

    @property
    def is_timed(self) -> bool:
        """Say whether there is a column for billing increments."""
        return any(rate.terms.billing_increment for rate in self.rates)

    def html(self) -> str:
        """Return the table, in a region that scrolls where it is too wide."""
        return framed(self.caption, self.head(), "".join(self._rows()), kind=ROW_PER_RATE)

    def head(self) -> str:
        """Return the row of the columns' titles, each a link to what the column means."""
        hidden = {_COUNTRY: not self.has_countries, _TIMED: not self.is_timed}
        return "".join(
            _header(title, name, href(self.page, f"{RATES}#column-{name}"))
            for title, name in _HEAD
            if not hidden.get(title)
        )

    def _rows(self) -> Iterator[str]:
        names, is_timed = country_names(), self.is_timed
        for rate in self.rates:
            terms, country = rate.terms, ""
            if self.has_countries:
                country = country_cell(names[terms.country], href(self.page, country_uri(terms.country)))
            yield (
                f'<tr role="row" id="{anchor_of(terms)}"{data_attributes(terms)}>{country}{what_cells(terms)}'
                f"{increment_cell(terms) if is_timed else ''}{when_cells(rate)}</tr>\n"
            )

    def markdown(self) -> str:
        """Return the table in Markdown."""
        country, rule = ("| Country ", "| --- ") if self.has_countries else ("", "")
        head = (
            f"{country}| Network or prefix | Number type | Direction | Price | Unit | Increment | Effective "
            f"| Approved | Version |\n{rule}| --- | --- | --- | ---: | --- | --- | --- | --- | --- |\n"
        )
        return head + "".join(map(self._markdown_row, self.rates))

    def _markdown_row(self, rate: PublishedRate) -> str:
        terms = rate.terms
        country = f"| {markdown_cell(country_names()[terms.country])} " if self.has_countries else ""
        until = f" before {terms.effective_to}" if terms.effective_to else ""
        return (
            f"{country}| {network_markdown(terms)} "
            f"| {label(terms.number_type) if terms.number_type else ANY_TYPE} | {label(terms.direction)} "
            f"| {terms.price:f} {terms.currency} | {label(terms.unit)} "
            f"| {terms.billing_increment or 'not timed'} | from {terms.effective_from}{until} "
            f"| {rate.approved_on} | {terms.version}{' (sample)' if terms.sample else ''} |\n"
        )


ROW_PER_RATE = " dp-rates-table"
"""The class of tables with a row for each rate: on a phone their cards are short."""


def framed(caption: str, head: str, rows: str, *, kind: str = "", hidden: bool = False) -> str:
    """Return rows as a table in the frame of all tables of rates, which becomes cards on a phone."""
    return (
        f'<div class="dp-catalog"{" hidden" if hidden else ""}>\n<div class="dp-table-wrap" role="region" '
        f'tabindex="0" aria-label="{escape(caption)}">\n'
        f'<table class="dp-table dp-catalog-table{kind}" role="table">\n'
        f'<thead role="rowgroup">\n<tr role="row">{head}</tr>\n</thead>\n'
        f'<tbody role="rowgroup">\n{rows}</tbody>\n</table>\n</div>\n</div>\n'
    )


def _header(title: str, name: str, link: str) -> str:
    kinds = f"dp-column-{name}{' dp-catalog-number' if name == 'price' else ''}"
    return f'<th role="columnheader" scope="col" class="{kinds}"><a href="{escape(link)}">{title}</a></th>'
