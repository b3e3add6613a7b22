"""Writes versions as CSV, and reads the text of CSV files."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from devportal.catalog.book.book import Book
from devportal.catalog.cells import guard_formula
from devportal.catalog.records.text import CoverageVersion, Field, RateVersion, record_fields
from devportal.catalog.records.version_ref import Kind
from devportal.catalog.spreadsheet.columns import columns_of, join_items
from devportal.documents import NotUtf8, Pointer, read_text
from devportal.errors import Place, UnreadableInput


def rate_versions_csv(versions: Iterable[RateVersion], book: Book) -> str:
    """Return rate versions, in any review state, as CSV (RFC 4180: CRLF, a header) to be written as UTF-8.

    Prices, codes and dates are written as in the record. Items of a list are joined by `; `. Text that a
    spreadsheet would take for a formula has a `'` before it. `read_csv` returns the same versions.
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
        writer.writerow([guard_formula(_cell(record, column.path)) for column in columns])
    return text.getvalue()


def _cell(record: dict[str, Field], path: Pointer) -> str:
    """Return the text of the field, or part of a field, at a path; empty if there is none."""
    value: Field = record.get(path[0], "")
    if isinstance(value, dict):
        return value.get(path[1], "")
    return value if isinstance(value, str) else join_items(value)


_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""The first bytes of `.xlsx` and `.ods`, and of the older `.xls`."""
_FIRST_BYTES = 8

_HOW_TO_SAVE = "in the spreadsheet, save it as 'CSV UTF-8 (comma delimited)', and read that file"


def read_csv_text(path: Path, *, name: str) -> str:
    """Return the text of a CSV file in UTF-8 that messages call `name`.

    Raises UnreadableInput for other formats, with how to save a CSV file in a spreadsheet.
    """
    try:
        text = read_text(path, name=name)
    except NotUtf8 as error:
        with path.open("rb") as file:
            _refuse_workbook(file.read(_FIRST_BYTES), name)
        raise UnreadableInput(error.message, place=error.place, help=_HOW_TO_SAVE) from error
    _refuse_workbook(text[:_FIRST_BYTES].encode(), name)
    if "\0" in text:
        raise UnreadableInput("this file is not text", place=Place(file=name), help=_HOW_TO_SAVE)
    return text


def _refuse_workbook(first_bytes: bytes, name: str) -> None:
    """Raise UnreadableInput for a file that begins as a workbook does."""
    if first_bytes.startswith(_WORKBOOKS):
        raise UnreadableInput("this is a workbook, not a CSV file", place=Place(file=name), help=_HOW_TO_SAVE)
