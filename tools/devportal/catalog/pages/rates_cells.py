"""The cells of a rate's row, in HTML and in Markdown.

Strings joined by hand, for a page of everything has tens of thousands of rows: every text goes through
`escape`. Filters, estimator and leak scan read the `data-` attributes of a row.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TypeVar

from devportal.catalog.book.book import Book, Field, GroupForm, group_code
from devportal.catalog.pages.rendering import markdown_cell
from devportal.catalog.publication import PublishedRate
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.values import FieldValue

TextT = TypeVar("TextT", bound=str | tuple[str, str])

_SAMPLE = ' <span class="dp-badge dp-badge--beta">Sample</span>'


def anchor_of(terms: RateTerms) -> str:
    """Return the anchor of a rate on the pages that show it."""
    return f"rate-{terms.id}-{terms.version}"


def short_code(field: Field, value: FieldValue) -> str:
    """Return what names a group in addresses: its code, as `242-010`."""
    return "-".join(group_code(field.form, value)) if isinstance(field.form, GroupForm) else ""


def code_words(form: GroupForm, value: FieldValue, between: str = " ") -> str:
    """Return the code of a group, each part with its title."""
    values = zip(form.code, group_code(form, value), strict=True)
    return between.join(f"{part.short} {text}" for part, text in values)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """A column of declared fields: a row shows the first of them that it has."""

    title: str
    fields: tuple[Field, ...]

    @property
    def name(self) -> str:
        """Return the column of the public files that says what it means."""
        return self.fields[0].name

    @property
    def data_name(self) -> str:
        """Return what addresses, attributes and files for scripts call it."""
        first = self.fields[0]
        return first.filter.name if first.filter else first.name

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of its fields."""
        return tuple(one.name for one in self.fields)

    def first_value(self, terms: RateTerms) -> tuple[Field, FieldValue] | None:
        """Return the first of the fields that a rate has, with its value."""
        for field in self.fields:
            value = terms.declared.get(field.name)
            if value:
                return field, value
        return None

    @property
    def is_wide(self) -> bool:
        """Say whether what it shows has several parts."""
        return any(one.group or not one.is_text for one in self.fields)

    def nothing(self, terms: RateTerms) -> str:
        """Return what stands where a rate has none of the fields, as text."""
        return terms.product.fallback(self.names) if self.is_wide else self.fields[0].absent

    def cell(self, terms: RateTerms) -> str:
        """Return the cell of a rate."""
        inside = self._inside(terms)
        inside = f"<span>{inside}</span>" if self.is_wide else inside
        return f'<td role="cell" data-label="{escape(self.title)}">{inside}</td>'

    def _inside(self, terms: RateTerms) -> str:
        found = self.first_value(terms)
        if found is None:
            nothing = escape(self.nothing(terms))
            return nothing if self.is_wide or not nothing else f'<span class="dp-muted">{nothing}</span>'
        field, value = found
        if group := field.group:
            code = escape(code_words(group, value))
            return (
                f'{escape(field.display_value(value))} <span class="dp-muted dp-catalog-nowrap">{code}</span>'
            )
        if not field.is_text:
            items = (escape(one) for one in field.display_items(value))
            return ", ".join(f'<span class="dp-catalog-nowrap">{one}</span>' for one in items)
        return escape(field.display_value(value))

    def markdown(self, terms: RateTerms) -> str:
        """Return the cell of a rate in Markdown."""
        found = self.first_value(terms)
        if found is None:
            return self.nothing(terms)
        field, value = found
        if group := field.group:
            return f"{markdown_cell(field.display_value(value))} ({markdown_cell(code_words(group, value, ', '))})"
        return ", ".join(map(markdown_cell, field.display_items(value)))


@lru_cache(maxsize=8)
def table_columns(book: Book) -> tuple[TableColumn, ...]:
    """Return the columns of what is priced: in the order of the declaration, the headline last."""
    fields = [one for one in book.before_price if one is not book.headline]
    fields += [book.headline] if book.headline else []
    return _columns(fields)


@lru_cache(maxsize=8)
def billing_columns(book: Book) -> tuple[TableColumn, ...]:
    """Return the columns of how a price is billed."""
    return _columns(book.after_price)


def _columns(fields: "list[Field] | tuple[Field, ...]") -> tuple[TableColumn, ...]:
    by_title: dict[str, list[Field]] = {}
    for field in fields:
        by_title.setdefault(field.column, []).append(field)
    return tuple(TableColumn(title=title, fields=tuple(found)) for title, found in by_title.items())


_MOST_KEPT = 4096
"""How many texts of a column are kept."""


def cache_column_text(
    column: TableColumn, text: Callable[[RateTerms], TextT]
) -> Callable[[RateTerms], TextT]:
    """Return what gives the text of a column for a rate, each worked out once: most occur in many rows.

    It follows from the product and from the values of the column's fields; where it is one text, from that.
    """
    known: dict[object, TextT] = {}
    first, *others = column.names
    is_plain = not column.is_wide

    def column_text(terms: RateTerms) -> TextT:
        get = terms.declared.get
        value = get(first)
        key = value if is_plain else (value, terms.product.key, *map(get, others))
        try:
            return known[key]
        except KeyError:
            if len(known) == _MOST_KEPT:
                known.clear()  # a column in which all differ
            made = known[key] = text(terms)
            return made

    return column_text


@lru_cache(maxsize=4)
def rate_rows(book: Book) -> "RateRows":
    """Return what makes rows by a book."""
    return RateRows(book)


class RateRows:
    """The rows of the rates of a project; what of them the book decides is worked out once."""

    def __init__(self, book: Book) -> None:
        """Take the book of the project."""
        self._what = [cache_column_text(one, one.cell) for one in table_columns(book)]
        self._billing = [cache_column_text(one, one.cell) for one in billing_columns(book)]
        self.markdown = [cache_column_text(one, one.markdown) for one in table_columns(book)]
        self.billing_markdown = [cache_column_text(one, one.markdown) for one in billing_columns(book)]
        self._market = book.markets.kind
        self._attributes = tuple(
            (f' data-{one.filter.name if one.filter else one.name}="', one)
            for one in book.before_price
            if one.filter
        )

    def data_attributes(self, terms: RateTerms) -> str:
        """Return the attributes that say what a row holds, for programs."""
        declared = terms.declared
        told = ""
        for start, field in self._attributes:
            value = declared.get(field.name)
            if value is not None:
                text = value if isinstance(value, str) else short_code(field, value)
                told += f'{start}{escape(text)}"'
        steps = terms.unit.steps
        billed = declared.get(steps.field) if steps else None
        increment = f' data-increment="{billed}"' if billed else ""
        return (
            f' data-{self._market}="{terms.market}"{told} data-currency="{terms.currency}"'
            f' data-price="{terms.price:f}" data-unit="{terms.unit.key}"'
            f"{increment}"
        )

    def what_cells(self, terms: RateTerms) -> str:
        """Return the cells of what is priced, and of the price."""
        cells = "".join([cell(terms) for cell in self._what])
        return (
            f'{cells}<td role="cell" data-label="Price" class="dp-catalog-number"><span>'
            f"<strong>{terms.price:f}</strong> {terms.currency} "
            f'<span class="dp-muted">{escape(terms.unit.title)}</span></span></td>'
        )

    def billing_cells(self, terms: RateTerms) -> str:
        """Return the cells of how a price is billed."""
        return "".join([cell(terms) for cell in self._billing])


@lru_cache(maxsize=1024)
def market_cell(title: str, name: str, link: str) -> str:
    """Return the cell of a market, which leads to its page."""
    return f'<td role="cell" data-label="{escape(title)}"><a href="{escape(link)}">{escape(name)}</a></td>'


def when_cells(rate: PublishedRate) -> str:
    """Return the cells of the days on which a version holds and was approved, and of its version."""
    terms = rate.terms
    until = (
        f' <span class="dp-catalog-nowrap">before <time>{terms.effective_to}</time></span>'
        if terms.effective_to
        else ""
    )
    return (
        f'<td role="cell" data-label="Effective"><span><span class="dp-catalog-nowrap">from '
        f"<time>{terms.effective_from}</time></span>{until}</span></td>"
        f'<td role="cell" data-label="Approved"><time>{rate.approved_on}</time></td>'
        f'<td role="cell" data-label="Version"><span class="dp-catalog-nowrap">{terms.version}'
        f"{_SAMPLE if terms.sample else ''}</span></td>"
    )
