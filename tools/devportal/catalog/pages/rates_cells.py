"""The cells of a rate's row, in HTML and in Markdown.

Strings are joined by hand, because a page of everything has tens of thousands of rows. Every text is escaped.
Filters, estimator and leak search read the `data-` attributes of a row.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial
from html import escape
from typing import TypeVar

from devportal.catalog.book.book import Book, Field, GroupForm, group_code
from devportal.catalog.pages.prices import price_text
from devportal.catalog.pages.rendering import markdown_cell
from devportal.catalog.publication import PublishedRate
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.values import FieldValue
from devportal.translation import cached_words, gettext

NAMING = ' class="dp-rates-name"'
"""The attribute of a cell that says by itself what it is: on a phone, where a row is a card, it has no label."""
EFFECTIVE = ' class="dp-rates-effective"'
"""The same for effective days, which stand below what is priced."""

TextT = TypeVar("TextT", bound=str | tuple[str, str])


def sample_mark() -> str:
    """Return the mark of a row of sample data, on pages that have other rows too."""
    return f' <span class="dp-muted">{escape(gettext("Sample"), quote=False)}</span>'


def anchor_of(terms: RateTerms) -> str:
    """Return the anchor of a rate on the pages that show it."""
    return f"rate-{terms.id}-{terms.version}"


def short_code(field: Field, value: FieldValue) -> str:
    """Return the code of a group in URLs, such as `242-010`."""
    return "-".join(group_code(field.form, value)) if isinstance(field.form, GroupForm) else ""


def steps_text(terms: RateTerms) -> str:
    """Return the steps in which a rate is billed, such as `60/30`; empty if there are none."""
    value = terms.declared.get(terms.unit.steps.field) if terms.unit.steps else None
    return value if isinstance(value, str) else ""


def code_words(form: GroupForm, value: FieldValue, separator: str = " ") -> str:
    """Return the code of a group, each part with its title."""
    values = zip(form.code, group_code(form, value), strict=True)
    return separator.join(f"{part.short} {text}" for part, text in values)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """A column of declared fields: a row shows the first of them that it has."""

    title: str
    fields: tuple[Field, ...]

    @property
    def name(self) -> str:
        """Return the column of the public files with its meaning."""
        return self.fields[0].name

    @property
    def data_name(self) -> str:
        """Return its name in URLs, attributes and files for scripts."""
        first = self.fields[0]
        return first.filter.name if first.filter else first.name

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of its fields."""
        return tuple(field.name for field in self.fields)

    def first_value(self, terms: RateTerms) -> tuple[Field, FieldValue] | None:
        """Return the first field that a rate has, with its value."""
        for field in self.fields:
            value = terms.declared.get(field.name)
            if value:
                return field, value
        return None

    @property
    def is_wide(self) -> bool:
        """Say whether its content has several parts."""
        return any(field.group or not field.is_text for field in self.fields)

    def absent_text(self, terms: RateTerms) -> str:
        """Return the text if a rate has none of the fields."""
        return terms.product.fallback(self.names) if self.is_wide else gettext(self.fields[0].absent)

    def cell(self, terms: RateTerms) -> str:
        """Return the cell of a rate."""
        return f'<td role="cell" data-label="{escape(self.title)}"{self.mark}>{self._content(terms)}</td>'

    @property
    def mark(self) -> str:
        """Return the attribute of its cells, for a style sheet, if their content needs no label."""
        return NAMING if self.is_wide else ""

    def _content(self, terms: RateTerms) -> str:
        field_and_value = self.first_value(terms)
        if field_and_value is None:
            absent = escape(self.absent_text(terms))
            return absent if self.is_wide or not absent else f'<span class="dp-muted">{absent}</span>'
        field, value = field_and_value
        if group := field.group:
            code = escape(code_words(group, value))
            return f'{escape(field.display_value(value))} <span class="dp-muted">{code}</span>'
        if not field.is_text:
            return ", ".join(map(escape, field.display_items(value)))
        return escape(field.display_value(value))

    def text(self, terms: RateTerms) -> str:
        """Return the content of a rate's cell as plain text."""
        field_and_value = self.first_value(terms)
        if field_and_value is None:
            return self.absent_text(terms)
        field, value = field_and_value
        if group := field.group:
            return f"{field.display_value(value)} ({code_words(group, value, ', ')})"
        return ", ".join(field.display_items(value))

    def markdown(self, terms: RateTerms) -> str:
        """Return the cell of a rate in Markdown."""
        return markdown_cell(self.text(terms))


@lru_cache(maxsize=8)
def table_columns(book: Book) -> tuple[TableColumn, ...]:
    """Return the columns that describe what is priced, in the order of the declaration, the headline last."""
    fields = [field for field in book.before_price if field is not book.headline]
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


_MAX_CACHED = 4096
"""How many texts of a column are cached."""


def column_key(column: TableColumn) -> Callable[[RateTerms], object]:
    """Return what decides the text of a rate in a column: the values of the column's fields, and the product if the
    text of a rate without them depends on it.
    """
    first_field, *other_fields = column.names
    if other_fields:
        names = column.names
        return lambda terms: (terms.product.key, *map(terms.declared.get, names))
    if column.is_wide:
        return lambda terms: (terms.product.key, terms.declared.get(first_field))
    return lambda terms: terms.declared.get(first_field)


class _TextByValue(dict[FieldValue, str]):
    """The texts of a field's values, each made once: most values occur in many rows."""

    def __init__(self, text: Callable[[FieldValue], str]) -> None:
        super().__init__()
        self._text = text

    def __missing__(self, value: FieldValue) -> str:
        if len(self) == _MAX_CACHED:
            self.clear()  # all values of the field differ
        text = self[value] = self._text(value)
        return text


def _data_attribute(field: Field, value: FieldValue) -> str:
    """Return the `data-` attribute of a row for a value of a field with a filter."""
    name = field.filter.name if field.filter else field.name
    text = value if isinstance(value, str) else short_code(field, value)
    return f' data-{name}="{escape(text)}"'


def cache_column_text(
    column: TableColumn, text: Callable[[RateTerms], TextT]
) -> Callable[[RateTerms], TextT]:
    """Return a cached function from a rate to the text of a column: most texts occur in many rows."""
    cache: dict[object, TextT] = {}
    key_of = column_key(column)

    def column_text(terms: RateTerms) -> TextT:
        key = key_of(terms)
        try:
            return cache[key]
        except KeyError:
            if len(cache) == _MAX_CACHED:
                cache.clear()  # all values of the column differ
            result = cache[key] = text(terms)
            return result

    return column_text


@cached_words(4)
def rate_rows(book: Book) -> "RateRows":
    """Return the row renderer of a book."""
    return RateRows(book)


class RateRows:
    """Renders the rows of rates of a project. Everything that depends only on the book is prepared once."""

    def __init__(self, book: Book) -> None:
        """Take the book of the project."""
        self._product_cells = [
            cache_column_text(table_column, table_column.cell) for table_column in table_columns(book)
        ]
        self._billing = [
            cache_column_text(billing_column, billing_column.cell) for billing_column in billing_columns(book)
        ]
        self.markdown = [
            cache_column_text(table_column, table_column.markdown) for table_column in table_columns(book)
        ]
        self.texts = [
            cache_column_text(table_column, table_column.text) for table_column in table_columns(book)
        ]
        self.billing_texts = [
            cache_column_text(billing_column, billing_column.text) for billing_column in billing_columns(book)
        ]
        self.billing_markdown = [
            cache_column_text(billing_column, billing_column.markdown)
            for billing_column in billing_columns(book)
        ]
        self._market = book.markets.kind
        self._price = escape(gettext("Price"))
        self._attributes = tuple(
            (field.name, _TextByValue(partial(_data_attribute, field)))
            for field in book.before_price
            if field.filter
        )

    def data_attributes(self, terms: RateTerms) -> str:
        """Return the `data-` attributes of a row, for scripts."""
        declared = terms.declared
        field_attributes = ""
        for name, attributes in self._attributes:
            value = declared.get(name)
            if value is not None:
                field_attributes += attributes[value]
        step_text = steps_text(terms)
        increment = f' data-increment="{step_text}"' if step_text else ""
        sample = ' data-sample=""' if terms.sample else ""
        return (
            f' data-{self._market}="{terms.market}"{field_attributes} data-currency="{terms.currency}"'
            f' data-price="{terms.price:f}" data-unit="{terms.unit.key}"'
            f"{increment}{sample}"
        )

    def product_cells(self, terms: RateTerms, places: int) -> str:
        """Return the cells of what is priced, and of the price with this many decimal places."""
        cells = "".join([cell(terms) for cell in self._product_cells])
        return (
            f'{cells}<td role="cell" data-label="{self._price}" class="dp-catalog-number">'
            f'{price_text(terms.price, places)} <span class="dp-currency">{terms.currency}</span></td>'
        )

    def billing_cells(self, terms: RateTerms) -> str:
        """Return the cells of how a price is billed."""
        return "".join([cell(terms) for cell in self._billing])


@lru_cache(maxsize=1024)
def market_cell(title: str, name: str, link: str) -> str:
    """Return the cell of a market, which leads to its page."""
    return f'<td role="cell" data-label="{escape(title)}"{NAMING}><a href="{escape(link)}">{escape(name)}</a></td>'


def effective_cell(terms: RateTerms, *, is_marked: bool) -> str:
    """Return the cell of the effective days; it marks sample data if the page has other rows too."""
    sample = sample_mark() if is_marked and terms.sample else ""
    return f"{_effective_days_cell(terms.effective_from, terms.effective_to)}{sample}</td>"


@cached_words(1024)
def _effective_days_cell(start: date, end: date | None) -> str:
    """Return the start of the cell of effective days."""
    days = escape(_effective_text(start, end), quote=False)
    return f'<td role="cell" data-label="{escape(gettext("Effective"))}"{EFFECTIVE}>{days}'


def effective_text(terms: RateTerms) -> str:
    """Return the effective days: `from 2026-01-01 before 2027-01-01`."""
    return _effective_text(terms.effective_from, terms.effective_to)


@cached_words(1024)
def _effective_text(start: date, end: date | None) -> str:
    return f"{gettext('from %(day)s', day=start)}{_until_text(end)}"


def until_text(terms: RateTerms) -> str:
    """Return the end of the effective days after a space: ` before 2027-01-01`; empty if there is none."""
    return _until_text(terms.effective_to)


def _until_text(end: date | None) -> str:
    return f" {gettext('before %(day)s', day=end)}" if end else ""


def approval_cells(rate: PublishedRate) -> str:
    """Return the cells of the approval and the version."""
    return _approval_cells(rate.approved_on, rate.terms.version)


@cached_words(4096)
def _approval_cells(approved_on: date, version: int) -> str:
    return (
        f'<td role="cell" data-label="{escape(gettext("Approved"))}" class="dp-rates-approved">{approved_on}</td>'
        f'<td role="cell" data-label="{escape(gettext("Version"))}">{version}</td>'
    )
