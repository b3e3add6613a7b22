"""The columns of versions in a CSV file: one for each field, and for each part of a field that has parts."""

from dataclasses import dataclass
from functools import lru_cache

from devportal.catalog.book.book import Book, Field, ListForm
from devportal.catalog.records.ref import Kind
from devportal.catalog.records.text import parts_of, record_order
from devportal.documents import Pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its name, where its value stands in a record, and whether it is a list or never empty."""

    name: str
    path: Pointer
    is_list: bool = False
    is_required: bool = False


_LISTS = frozenset({"billing_terms", "restrictions"})
_REQUIRED = {
    Kind.RATE: frozenset({"id", "version", "product", "unit", "price", "currency", "effective_from"}),
    Kind.COVERAGE: frozenset(
        {"id", "version", "channel", "support", "registration", "reviewed_on", "effective_from"}
    ),
}
"""What a row must say, beside its market and what the book requires. A row without `status` is a draft."""


@lru_cache(maxsize=8)
def columns_of(kind: Kind, book: Book) -> tuple[Column, ...]:
    """Return the columns of a kind, in the order in which they are written."""
    fields = {one.name: one for one in (book.fields if kind is Kind.RATE else book.coverage.fields)}
    required = _REQUIRED[kind] | {str(book.markets.kind)}
    required |= {name for name, one in fields.items() if one.is_required and not one.group}
    lists = _LISTS | {name for name, one in fields.items() if isinstance(one.form, ListForm)}
    parts = parts_of(book)
    paths = [
        (field, *part)
        for field in record_order(book, kind)
        for part in ([(name,) for name in parts[field]] if field in parts else [()])
    ]
    named = [(_name(path, fields), path) for path in paths]
    return tuple(
        Column(name=name, path=path, is_list=path[0] in lists, is_required=name in required)
        for name, path in named
    )


def _name(path: Pointer, fields: dict[str, Field]) -> str:
    """Return the name of a column: as in the public files, where these have it."""
    match path:
        case ("registration", "scheme"):
            return "registration"
        case ("registration", "lead_time_days"):
            return "registration_days"
        case (field, part) if field in fields and (group := fields[field].group) and part == group.name.name:
            return f"{field}_{part}"
    return path[-1]
