"""The columns of a spreadsheet, and cells that hold lists."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from devportal.catalog.book.book import Book, Field, ListForm
from devportal.catalog.records.text import mapping_parts, record_order
from devportal.catalog.records.version_ref import Kind
from devportal.documents import Pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its name, the path of its value in a record, and whether it is a list or required."""

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
"""Required columns, besides the market and the required fields of the book. A row without `status` is a
draft.
"""


@lru_cache(maxsize=8)
def columns_of(kind: Kind, book: Book) -> tuple[Column, ...]:
    """Return the columns of a kind, in the order they are written."""
    fields = {field.name: field for field in (book.fields if kind is Kind.RATE else book.coverage.fields)}
    required = _REQUIRED[kind] | {str(book.markets.kind)}
    required |= {name for name, field in fields.items() if field.is_required and not field.group}
    lists = _LISTS | {name for name, field in fields.items() if isinstance(field.form, ListForm)}
    parts = mapping_parts(book)
    paths = [
        (field, *part)
        for field in record_order(book, kind)
        for part in ([(name,) for name in parts[field]] if field in parts else [()])
    ]
    named_paths = [(_column_name(path, fields), path) for path in paths]
    return tuple(
        Column(name=name, path=path, is_list=path[0] in lists, is_required=name in required)
        for name, path in named_paths
    )


def _column_name(path: Pointer, fields: dict[str, Field]) -> str:
    """Return the name of a column, as in the public files if it is there."""
    match path:
        case ("registration", "scheme"):
            return "registration"
        case ("registration", "lead_time_days"):
            return "registration_days"
        case (field, part) if field in fields and (group := fields[field].group) and part == group.name.name:
            return f"{field}_{part}"
    return path[-1]


_SPECIAL = re.compile(r"[\\;]|\A\s|\s\Z")
_ITEM = re.compile(r"(?:\\.|[^\\;]|\\\Z)*", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def join_items(items: Iterable[str]) -> str:
    """Return items, none of them empty, as the text of a cell."""
    return "; ".join(_SPECIAL.sub(lambda found: f"\\{found.group()}", item) for item in items)


def split_items(cell: str) -> list[str]:
    """Return the items of a cell, without surrounding blanks and a final `;`."""
    items: list[str] = []
    position = 0
    while cell[position:].strip():
        match = _ITEM.match(cell, position)
        end = match.end() if match else len(cell)
        items.append(_unescape_item(cell[position:end]))
        position = end + 1
    return items


def _unescape_item(item: str) -> str:
    stripped = item.lstrip()
    bare = stripped.rstrip()
    is_escaped = (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
    return _ESCAPE.sub(r"\1", stripped[: len(bare) + 1] if is_escaped else bare)
