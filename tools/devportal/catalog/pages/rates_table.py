"""Tables of rates with one row for each rate, in HTML, in Markdown, and as a file for the filter script."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache, partial
from html import escape
from operator import attrgetter
from typing import Any, TypeAlias

from devportal.catalog.book.book import Book, ChoiceForm, Field, GroupForm, NumberForm
from devportal.catalog.pages.addresses import RATES, country_uri
from devportal.catalog.pages.country import market_sort_keys
from devportal.catalog.pages.names import SampleShare, sample_share
from devportal.catalog.pages.prices import price_places, price_text
from devportal.catalog.pages.rates_cells import (
    EFFECTIVE,
    NAMING,
    TableColumn,
    anchor_of,
    approval_cells,
    billing_columns,
    code_words,
    column_key,
    effective_cell,
    effective_text,
    market_cell,
    rate_rows,
    short_code,
    steps_text,
    table_columns,
    until_text,
)
from devportal.catalog.pages.rendering import markdown_cell
from devportal.catalog.publication import PublishedRate
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Artefact, href
from devportal.translation import gettext, gettext_html


def table_sort_key(book: Book) -> Callable[[PublishedRate], tuple[object, ...]]:
    """Return the sort key of rates in a table: the market, then choices, then the other fields."""
    fields = sorted(book.before_price, key=lambda item: not item.choices or not item.is_text)
    ranks = [(field.name, lru_cache(maxsize=4096)(_rank_of_values(field))) for field in fields]
    markets, names = book.markets, book.markets.shown_names
    order = market_sort_keys(markets, names) if markets.zones else {}

    def sort_key(rate: PublishedRate) -> tuple[object, ...]:
        terms = rate.terms
        market_rank = order[terms.market] if order else names[terms.market]
        return (
            market_rank,
            *[rank(terms.declared.get(name)) for name, rank in ranks],
            terms.id,
            terms.version,
        )

    return sort_key


def _rank_of_values(field: Field) -> Callable[[Any], object]:
    """Return what makes a sort key of a value of a field; None, for rates without the field, comes first."""
    match field.form:
        case NumberForm():
            return lambda value: Decimal(value) if isinstance(value, str) else Decimal(-1)
        case GroupForm() as form:
            names = [part.name for part in form.parts]
            return lambda value: (
                tuple(value[name] for name in names) if value and not isinstance(value, str | tuple) else ()
            )
        case ChoiceForm() as form:
            ranks = {choice.key: choice.rank for choice in form.choices}
            return lambda value: ranks[value] if isinstance(value, str) else -1
    none: object = "" if field.is_text else ()
    return lambda value: value or none


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTable:
    """A table of rates on the page `page`: with a column of markets, or of one market alone.

    A table of one market also shows when each version was approved. `places` is the number of decimal places.
    """

    book: Book
    page: str
    caption: str
    rates: Sequence[PublishedRate]
    places: int
    has_countries: bool = True

    @property
    def marks_samples(self) -> bool:
        """Say whether rows of sample data are marked: only if other rows are none."""
        return sample_share(rate.terms for rate in self.rates) is SampleShare.SOME

    @property
    def is_billed(self) -> bool:
        """Say whether there are billing columns."""
        names = [field.name for field in self.book.after_price]
        return any(name in rate.terms.declared for name in names for rate in self.rates)

    def html(self) -> str:
        """Return the table, in a region that scrolls if it is too wide."""
        return table_html(self.caption, self.header_html(), "".join(self._rows()), kind=ROW_PER_RATE)

    def header_html(self) -> str:
        """Return the header row. Each title links to the meaning of its column."""
        return "".join(
            _header(title, name, href(self.page, f"{RATES}#column-{name}"), self._unit_words(name))
            for title, name in self._titles()
        )

    def _unit_words(self, name: str) -> str:
        """Return what the prices pay for, for the header of their column."""
        units = dict.fromkeys(rate.terms.unit.title for rate in self.rates) if name == "price" else ()
        return gettext(" or ").join(units)

    def _titles(self) -> Iterator[tuple[str, str]]:
        """Yield the columns: their titles, and the column of the public files with the meaning."""
        if self.has_countries:
            yield self.book.markets.title, str(self.book.markets.kind)
        yield from ((table_column.title, table_column.name) for table_column in table_columns(self.book))
        yield (gettext("Price"), "price")
        yield from ((billing_column.title, billing_column.name) for billing_column in self._billing_columns())
        yield (gettext("Effective"), "effective_from")
        if not self.has_countries:
            yield from ((gettext("Approved"), "approved_on"), (gettext("Version"), "version"))

    def _rows(self) -> Iterator[str]:
        markets, names, is_billed = self.book.markets, self.book.markets.shown_names, self.is_billed
        row, is_marked = rate_rows(self.book), self.marks_samples
        for rate in self.rates:
            terms, market, approval = rate.terms, "", approval_cells(rate)
            if self.has_countries:
                link = href(self.page, country_uri(terms.market))
                market = market_cell(markets.title, names[terms.market], link)
                approval = ""
            billing = row.billing_cells(terms) if is_billed else ""
            yield (
                f'<tr role="row" id="{anchor_of(terms)}"{row.data_attributes(terms)}>{market}'
                f"{row.product_cells(terms, self.places)}{billing}"
                f"{effective_cell(terms, is_marked=is_marked)}{approval}</tr>\n"
            )

    @classmethod
    def of_market(
        cls, book: Book, page: str, caption: str, rates: Sequence[PublishedRate], places: int
    ) -> "RateTable":
        """Return the table of the rates of one market."""
        return cls(book=book, page=page, caption=caption, rates=rates, places=places, has_countries=False)

    def _billing_columns(self) -> tuple[TableColumn, ...]:
        return billing_columns(self.book) if self.is_billed else ()

    def _text_titles(self) -> list[str]:
        return [
            *((self.book.markets.title,) if self.has_countries else ()),
            *(table_column.title for table_column in table_columns(self.book)),
            *(gettext("Price"), gettext("Unit")),
            *(billing_column.title for billing_column in self._billing_columns()),
            gettext("Effective"),
            *(() if self.has_countries else (gettext("Approved"), gettext("Version"))),
        ]

    def texts(self) -> Iterator[tuple[str, ...]]:
        """Yield the titles and the rows as plain texts."""
        yield tuple(self._text_titles())
        rows, is_marked = rate_rows(self.book), self.marks_samples
        billing = rows.billing_texts if self.is_billed else []
        for rate in self.rates:
            terms = rate.terms
            yield (
                *((self.book.markets.shown_names[terms.market],) if self.has_countries else ()),
                *[text(terms) for text in rows.texts],
                *self._price_texts(terms),
                *[text(terms) for text in billing],
                *self._validity_texts(rate, is_marked=is_marked),
            )

    def _price_texts(self, terms: RateTerms) -> tuple[str, str]:
        return f"{price_text(terms.price, self.places)} {terms.currency}", terms.unit.title

    def _validity_texts(self, rate: PublishedRate, *, is_marked: bool) -> tuple[str, ...]:
        terms = rate.terms
        sample = f" {gettext('(sample)')}" if is_marked and terms.sample else ""
        approval = () if self.has_countries else (str(rate.approved_on), str(terms.version))
        return (f"{effective_text(terms)}{sample}", *approval)

    def markdown(self) -> str:
        """Return the table in Markdown."""
        titles, price = [*map(markdown_cell, self._text_titles())], markdown_cell(gettext("Price"))
        rules = (" ---: " if title == price else " --- " for title in titles)
        head = f"| {' | '.join(titles)} |\n|{'|'.join(rules)}|\n"
        return head + "".join(self._markdown_rows())

    def _markdown_rows(self) -> Iterator[str]:
        rows, names, is_marked = rate_rows(self.book), self.book.markets.shown_names, self.marks_samples
        billing = rows.billing_markdown if self.is_billed else []
        for rate in self.rates:
            terms = rate.terms
            cells = [
                *((_common_markdown_cell(names[terms.market]),) if self.has_countries else ()),
                *[cell(terms) for cell in rows.markdown],
                *map(_common_markdown_cell, self._price_texts(terms)),
                *[cell(terms) for cell in billing],
                *self._validity_texts(rate, is_marked=is_marked),
            ]
            yield f"| {' | '.join(cells)} |\n"


@lru_cache(maxsize=4096)
def _common_markdown_cell(text: str) -> str:
    """Return the cell of a text that many rows have, such as a price."""
    return markdown_cell(text)


ROW_PER_RATE = " dp-rates-table"
"""The class of tables with a row for each rate: on a phone their cards are short."""


def table_html(caption: str, head: str, rows: str, *, kind: str = "", hidden: bool = False) -> str:
    """Return rows in the common frame of all rate tables, which shows cards on a phone."""
    return (
        f'<div class="dp-catalog"{" hidden" if hidden else ""}>\n<div class="dp-table-wrap" role="region" '
        f'tabindex="0" aria-label="{escape(caption)}">\n'
        f'<table class="dp-table dp-catalog-table{kind}" role="table">\n'
        f'<thead role="rowgroup">\n<tr role="row">{head}</tr>\n</thead>\n'
        f'<tbody role="rowgroup">\n{rows}</tbody>\n</table>\n</div>\n</div>\n'
    )


def _header(title: str, name: str, link: str, note: str) -> str:
    classes = f"dp-column-{name}{' dp-catalog-number' if name == 'price' else ''}"
    note_html = f" {escape(note)}" if note else ""
    link_html = f'<a href="{escape(link)}">{escape(title)}</a>'
    return f'<th role="columnheader" scope="col" class="{classes}">{link_html}{note_html}</th>'


_Text: TypeAlias = str | tuple[str, str]
"""A text, or a value and the text that people read."""


def rows_file(uri: str, book: Book, rates: Sequence[PublishedRate]) -> Artefact:
    """Return the file with the distinct texts of each column, and the index of each rate's text.

    A text is a string. For a filter it is a list of the value and the text that people read.
    """
    terms = [rate.terms for rate in rates]
    columns = {
        name: _index_texts(terms, key, text)
        for name, (key, text) in _text_readers(book, price_places(rates)).items()
    }
    content = json.dumps({"rows": len(rates), "columns": columns}, ensure_ascii=False, separators=(",", ":"))
    return Artefact(uri=uri, content=content.encode() + b"\n")


_Reader: TypeAlias = Callable[[RateTerms], object]
"""Reads what decides the text of a rate in a column."""


def _index_texts(
    terms: Sequence[RateTerms], key: _Reader, text: Callable[[RateTerms], _Text]
) -> tuple[list[_Text], list[int]]:
    """Return the distinct texts and the index of the text of each rate. Rates with the same key have the same text,
    which is written once.
    """
    keys = [*map(key, terms)]
    index_by_text: dict[_Text, int] = {}
    index_by_key = {
        key: index_by_text.setdefault(text(first), len(index_by_text))
        for key, first in _first_by_key(keys, terms).items()
    }
    return list(index_by_text), [index_by_key[key] for key in keys]


def _first_by_key(keys: Sequence[object], terms: Sequence[RateTerms]) -> Mapping[object, RateTerms]:
    """Return the first rate with each key, in their order."""
    last_by_key = dict(zip(reversed(keys), reversed(terms), strict=True))
    return {key: last_by_key[key] for key in dict.fromkeys(keys)}


def _text_readers(book: Book, places: int) -> Mapping[str, tuple[_Reader, Callable[[RateTerms], _Text]]]:
    """Return what decides a row's texts, and the texts, by the names of the parts of its template."""
    names = book.markets.shown_names
    return {
        "id": (attrgetter("id"), lambda terms: terms.id),
        "version": (attrgetter("version"), lambda terms: str(terms.version)),
        str(book.markets.kind): (attrgetter("market"), lambda terms: (terms.market, names[terms.market])),
        **dict(_declared_columns(table_columns(book))),
        "price": (attrgetter("price"), lambda terms: price_text(terms.price, places)),
        "currency": (attrgetter("currency"), lambda terms: (terms.currency, terms.currency)),
        "unit": (attrgetter("unit.key"), lambda terms: terms.unit.key),
        "increment": (steps_text, steps_text),
        **dict(_declared_columns(billing_columns(book))),
        "from": (attrgetter("effective_from"), lambda terms: terms.effective_from.isoformat()),
        "until": (attrgetter("effective_to"), until_text),
        "sample": (attrgetter("sample"), lambda terms: gettext("Sample") if terms.sample else ""),
    }


def _declared_columns(
    columns: Iterable[TableColumn],
) -> Iterator[tuple[str, tuple[_Reader, Callable[[RateTerms], _Text]]]]:
    for column in columns:
        key = column_key(column)
        yield column.data_name, (key, partial(_declared_text, column))
        if column.fields[0].group:
            yield code_part(column), (key, partial(_code_text, column))


def code_part(column: TableColumn) -> str:
    """Return the name of the row part that holds the code of a group."""
    return f"{column.data_name}-code"


def _declared_text(column: TableColumn, terms: RateTerms) -> _Text:
    field_and_value = column.first_value(terms)
    first = column.fields[0]
    if field_and_value is None:
        absent = column.absent_text(terms)
        return ("", absent) if first.filter else absent
    field, value = field_and_value
    text = ", ".join(field.display_items(value))
    if first.filter is None:
        return text
    if field is not first:
        return ("", text)
    return (value if isinstance(value, str) else short_code(field, value), text)


def _code_text(column: TableColumn, terms: RateTerms) -> _Text:
    field_and_value = column.first_value(terms)
    group = field_and_value[0].group if field_and_value else None
    return code_words(group, field_and_value[1]) if field_and_value and group else ""


def row_template(book: Book, *, is_billed: bool, marks_samples: bool) -> str:
    """Return an empty row. The script fills the elements that name a part."""
    market = _cell(book.markets.title, f'<a data-part="{book.markets.kind}"></a>', NAMING)
    sample = ' <span data-part="sample" class="dp-muted"></span>'
    days = _effective_days() + (sample if marks_samples else "")
    return (
        f'<template><tr role="row">{market}'
        f"{''.join(map(_declared_cell, table_columns(book)))}{_price_cell()}"
        f"{''.join(map(_declared_cell, billing_columns(book))) if is_billed else ''}"
        f"{_cell(gettext('Effective'), days, EFFECTIVE)}</tr></template>\n"
    )


def _declared_cell(column: TableColumn) -> str:
    content = f'<span data-part="{column.data_name}"></span>'
    if column.fields[0].group:
        content += f' <span class="dp-muted" data-part="{code_part(column)}"></span>'
    return _cell(column.title, content, column.mark)


def _cell(title: str, content: str, attributes: str = "") -> str:
    return f'<td role="cell" data-label="{escape(title)}"{attributes}>{content}</td>'


def _price_cell() -> str:
    return _cell(
        gettext("Price"),
        '<span data-part="price"></span> <span class="dp-currency" data-part="currency"></span>',
        ' class="dp-catalog-number"',
    )


def _effective_days() -> str:
    days = gettext_html("from %(day)s", day='<span data-part="from"></span>')
    return f'{days}<span data-part="until"></span>'
