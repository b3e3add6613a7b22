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
from devportal.documents import Pointer, read_text
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

_HOW_TO_SAVE = "in the spreadsheet, save it as 'CSV UTF-8 (comma delimited)', and read that file"


def read_csv_text(path: Path, *, name: str) -> str:
    """Return the text of a CSV file in UTF-8 that messages call `name`.

    Raises UnreadableInput for other formats, with how to save a CSV file in a spreadsheet.
    """
    try:
        text = read_text(path, name=name)
    except UnreadableInput as error:
        if not isinstance(error.__cause__, UnicodeDecodeError):
            raise
        raise _encoding_error(error.__cause__.object, error.__cause__.start, name) from error
    if "\0" in text:
        raise _encoding_error(text.encode("utf-8"), text.index("\0"), name)
    return text


def _encoding_error(content: bytes, start: int, name: str) -> UnreadableInput:
    """Return the error for bytes that stop being UTF-8 text at an offset."""
    if content.startswith(_WORKBOOKS):
        return UnreadableInput(
            "this is a workbook, not a CSV file", place=Place(file=name), help=_HOW_TO_SAVE
        )
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content:
        return UnreadableInput("this file is UTF-16, not UTF-8", place=Place(file=name), help=_HOW_TO_SAVE)
    before = content[:start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    line = before.count(b"\n") + 1
    column = len(before.rpartition(b"\n")[2].removeprefix(b"\xef\xbb\xbf").decode("utf-8")) + 1
    return UnreadableInput(
        f"this file is not UTF-8: byte {content[start]:#04x}",
        place=Place(file=name, line=line, column=column),
        help=_HOW_TO_SAVE,
    )
