"""Prints versions, their differences and their history, as text or as JSON. Nothing is interpreted as markup."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from devportal.catalog import AuditEntry, content_sha256
from devportal.catalog.book.book import Book, Field, GroupForm, group_code
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.text import AnyVersion, record_fields
from devportal.catalog.records.version_ref import Kind, RecordRef
from devportal.catalog.review.differences import Difference, field_text
from devportal.reporting.printable import escape_unprintable

_OUTPUT_WIDTH = 10_000
"""The width of a table for a file or program: its lines are not wrapped."""

_MAX_TABLE_ROWS = 1000
"""The longest list, in rows, that is printed as a table."""


def print_json(data: Any) -> None:
    """Print data as indented JSON."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def print_versions(
    versions: Sequence[AnyVersion], kind: Kind, book: Book, public: frozenset[RecordRef]
) -> None:
    """Print a line for each version."""
    columns = (
        ("product", *(filter_field.name for filter_field in book.filter_fields), "price")
        if kind is Kind.RATE
        else ("channel", "support", "scheme")
    )
    rows = [
        (
            f"{version.terms.id}@{version.terms.version}",
            str(version.status),
            "yes" if version.ref in public else "no",
            version.terms.market,
            *_kind_cells(version, book),
            str(version.terms.effective_from),
            str(version.terms.effective_to or ""),
        )
        for version in versions
    ]
    _print_table(("version", "state", "public", str(book.markets.kind), *columns, "from", "to"), rows)


def _kind_cells(version: AnyVersion, book: Book) -> tuple[str, ...]:
    """Return the cells that only this kind of record has."""
    match version.terms:
        case RateTerms() as rate:
            declared = (_cell(field, rate) for field in book.filter_fields)
            price = f"{format(rate.price, 'f')} {rate.currency}/{rate.unit}"
            return str(rate.product), *declared, price
        case CoverageTerms() as coverage:
            scheme = coverage.registration.scheme if coverage.registration else ""
            return str(coverage.channel), str(coverage.support), str(scheme)


def _cell(field: Field, rate: RateTerms) -> str:
    """Return the text of a declared field: for a group, its name and its code."""
    value = rate.declared.get(field.name)
    if value is None or isinstance(value, str | tuple):
        return field_text(list(value) if isinstance(value, tuple) else value)
    code = "-".join(group_code(field.form, value)) if isinstance(field.form, GroupForm) else ""
    return f"{field.display_value(value)} {code}"


def version_json(version: AnyVersion, book: Book, *, public: frozenset[RecordRef]) -> dict[str, Any]:
    """Return a version with its state, its content hash and the fields of its record."""
    return {
        "record": str(version.ref),
        "state": str(version.status),
        "public": version.ref in public,
        "content_sha256": content_sha256(version.terms),
        "fields": record_fields(version, book),
    }


def print_version(version: AnyVersion, book: Book, *, public: frozenset[RecordRef]) -> None:
    """Print the fields of a version and the hash of its content."""
    rows = [(name, field_text(value)) for name, value in record_fields(version, book).items()]
    rows.append(("public", "yes" if version.ref in public else "no"))
    rows.append(("content_sha256", content_sha256(version.terms)))
    _print_table(("field", str(version.ref)), rows)


def entry_json(entry: AuditEntry) -> dict[str, Any]:
    """Return an entry as its line of the log has it."""
    members: dict[str, Any] = json.loads(entry.line())
    return members


def print_entries(entries: Iterable[AuditEntry], *, with_records: bool = False) -> None:
    """Print a line for each entry of the log, with its record unless all are about the same one."""
    rows = [
        (
            f"{entry.at:%Y-%m-%d %H:%M:%S}",
            *([str(entry.record)] if with_records else []),
            entry.actor,
            f"{entry.action}{' (denied)' if entry.denied else ''}",
            f"stays {entry.from_state or 'nothing'}"
            if entry.denied
            else f"{entry.from_state or 'nothing'} → {entry.to_state}",
            entry.reason,
            entry.content_sha256[:12],
        )
        for entry in entries
    ]
    record_column = ["record"] if with_records else []
    _print_table(("at (UTC)", *record_column, "actor", "action", "state", "reason", "content"), rows)


def print_differences(
    changes: Sequence[Difference], *, before: str, after: str, is_result: bool = True
) -> None:
    """Print differences; to standard error if they are not the result of the command."""
    rows = [(each.field, field_text(each.before), field_text(each.after)) for each in changes]
    _print_table(("field", before, after), rows, is_result=is_result)


def print_summary(rows: Sequence[Sequence[str]]) -> None:
    """Print a line for each version with its differences, to standard error."""
    _print_table(("version", "market", "public", "to approve", "content"), rows, is_result=False)


def difference_json(difference: Difference) -> dict[str, Any]:
    """Return a difference with its values as a record has them."""
    return {"field": difference.field, "from": difference.before, "to": difference.after}


def _print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, is_result: bool = True) -> None:
    stream = sys.stdout if is_result else sys.stderr
    if len(rows) > _MAX_TABLE_ROWS:
        stream.writelines(_aligned_lines([heads, *rows]))
        return
    console = Console(file=stream, highlight=False, width=None if stream.isatty() else _OUTPUT_WIDTH)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in heads:
        table.add_column(Text(escape_unprintable(head)), overflow="fold")
    for row in rows:
        table.add_row(*(Text(escape_unprintable(cell)) for cell in row))
    console.print(table)


def _aligned_lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield aligned lines without a table: a table of many rows takes minutes."""
    escaped_rows = [[escape_unprintable(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*escaped_rows, strict=True)]
    for row in escaped_rows:
        padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True))
        yield "   ".join(padded).rstrip() + "\n"
