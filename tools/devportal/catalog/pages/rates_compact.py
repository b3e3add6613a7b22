"""The rates of a product for the script that filters them: a compact file, and the row that it fills.

The file holds texts, column by column, each different text once. They are the texts of the table, so that a
row that the script makes reads as one that stands on a page.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from typing import TypeAlias

from devportal.catalog.book.book import Book
from devportal.catalog.pages.rates_cells import (
    TableColumn,
    billing_columns,
    code_words,
    remembered,
    short_code,
    table_columns,
)
from devportal.catalog.publication import PublishedRate
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Artefact

_Text: TypeAlias = str | tuple[str, str]
"""A text, or a value and the text that people read."""


def rows_file(uri: str, book: Book, rates: Sequence[PublishedRate]) -> Artefact:
    """Return the file: for each column its different texts, and for each rate the place of its text there.

    A text is a string; of what is filtered by, it is a list of the value and of what people read.
    """
    columns = {name: _column(map(text, rates)) for name, text in _texts(book).items()}
    content = json.dumps({"rows": len(rates), "columns": columns}, ensure_ascii=False, separators=(",", ":"))
    return Artefact(uri=uri, content=content.encode() + b"\n")


def _column(texts: Iterable[_Text]) -> tuple[list[_Text], list[int]]:
    places: dict[_Text, int] = {}
    found = [places.setdefault(text, len(places)) for text in texts]
    return list(places), found


def _texts(book: Book) -> Mapping[str, Callable[[PublishedRate], _Text]]:
    """Return the texts of a row by the names of the parts of its template."""
    names = book.markets.names
    return {
        "id": lambda rate: rate.terms.id,
        "version": lambda rate: str(rate.terms.version),
        str(book.markets.kind): lambda rate: (rate.terms.market, names[rate.terms.market]),
        **dict(_declared(table_columns(book))),
        "price": lambda rate: f"{rate.terms.price:f}",
        "currency": lambda rate: (rate.terms.currency, rate.terms.currency),
        "unit": lambda rate: rate.terms.unit.title,
        **dict(_declared(billing_columns(book))),
        "from": lambda rate: rate.terms.effective_from.isoformat(),
        "until": lambda rate: f"before {rate.terms.effective_to}" if rate.terms.effective_to else "",
        "approved": lambda rate: rate.approved_on.isoformat(),
        "sample": lambda rate: "Sample" if rate.terms.sample else "",
    }


def _declared(
    columns: Iterable[TableColumn],
) -> Iterator[tuple[str, Callable[[PublishedRate], _Text]]]:
    for column in columns:
        yield column.data_name, _remembered(column, _value)
        if column.fields[0].group:
            yield code_part(column), _remembered(column, _code)


def _remembered(
    column: TableColumn, text: Callable[[TableColumn, RateTerms], _Text]
) -> Callable[[PublishedRate], _Text]:
    texts: Callable[[RateTerms], _Text] = remembered(column, partial(text, column))
    return lambda rate: texts(rate.terms)


def code_part(column: TableColumn) -> str:
    """Return the name of the part of a row that holds the code of a group."""
    return f"{column.data_name}-code"


def _value(column: TableColumn, terms: RateTerms) -> _Text:
    found = column.found(terms)
    first = column.fields[0]
    if found is None:
        nothing = column.nothing(terms)
        return ("", nothing) if first.filter else nothing
    field, value = found
    text = ", ".join(field.shown_items(value))
    if first.filter is None:
        return text
    if field is not first:
        return ("", text)
    return (value if isinstance(value, str) else short_code(field, value), text)


def _code(column: TableColumn, terms: RateTerms) -> _Text:
    found = column.found(terms)
    group = found[0].group if found else None
    return code_words(group, found[1]) if found and group else ""


def row_template(book: Book, *, is_billed: bool) -> str:
    """Return a row without texts: the script puts them into the elements that name a part."""
    market = _cell(book.markets.title, f'<a data-part="{book.markets.kind}"></a>')
    return (
        f'<template><tr role="row">{market}'
        f"{''.join(map(_declared_cell, table_columns(book)))}{_PRICE}"
        f"{''.join(map(_declared_cell, billing_columns(book))) if is_billed else ''}{_WHEN}</tr></template>\n"
    )


def _declared_cell(column: TableColumn) -> str:
    inside = f'<span data-part="{column.data_name}"></span>'
    if column.fields[0].group:
        code = f'<span class="dp-muted dp-catalog-nowrap" data-part="{code_part(column)}"></span>'
        inside = f"<span>{inside} {code}</span>"
    return _cell(column.title, inside)


def _cell(title: str, inside: str, more: str = "") -> str:
    return f'<td role="cell" data-label="{escape(title)}"{more}>{inside}</td>'


_PRICE = _cell(
    "Price",
    '<span><strong data-part="price"></strong> <span data-part="currency"></span> '
    '<span class="dp-muted" data-part="unit"></span></span>',
    ' class="dp-catalog-number"',
)
_WHEN = (
    _cell(
        "Effective",
        '<span><span class="dp-catalog-nowrap">from <time data-part="from"></time></span> '
        '<span class="dp-catalog-nowrap" data-part="until"></span></span>',
    )
    + _cell("Approved", '<time data-part="approved"></time>')
    + _cell(
        "Version",
        '<span class="dp-catalog-nowrap"><span data-part="version"></span> '
        '<span class="dp-badge dp-badge--beta" data-part="sample"></span></span>',
    )
)
