"""Versions as the text of a CSV file: one row for each version, one column for each field."""

import csv
import io
from collections.abc import Iterable

from devportal.catalog.book.book import Book
from devportal.catalog.cells import guarded
from devportal.catalog.records.ref import Kind
from devportal.catalog.records.text import Field, record_fields
from devportal.catalog.records.version import CoverageVersion, RateVersion
from devportal.catalog.spreadsheet.columns import columns_of
from devportal.catalog.spreadsheet.lists import joined
from devportal.documents import Pointer


def rate_versions_csv(versions: Iterable[RateVersion], book: Book) -> str:
    """Return rate versions, in any review state, as CSV (RFC 4180: CRLF, a header) to be written as UTF-8.

    Prices, codes and dates stand as in the record; items of a list are joined by `; `; what a spreadsheet
    would take for a formula has a `'` before it. `read_csv` gives the same versions back.
    """
    return _csv(Kind.RATE, versions, book)


def coverage_versions_csv(versions: Iterable[CoverageVersion], book: Book) -> str:
    """Return coverage records, in any review state, as CSV: see `rate_versions_csv`."""
    return _csv(Kind.COVERAGE, versions, book)


def _csv(kind: Kind, versions: Iterable[RateVersion | CoverageVersion], book: Book) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    columns = columns_of(kind, book)
    writer.writerow(column.name for column in columns)
    for version in versions:
        record = record_fields(version, book)
        writer.writerow([guarded(_cell(record, column.path)) for column in columns])
    return text.getvalue()


def _cell(record: dict[str, Field], path: Pointer) -> str:
    """Return the text of the field, or part of a field, at a path; nothing where there is none."""
    value: Field = record.get(path[0], "")
    if isinstance(value, dict):
        return value.get(path[1], "")
    return value if isinstance(value, str) else joined(value)
