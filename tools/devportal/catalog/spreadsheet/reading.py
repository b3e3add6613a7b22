"""The text of a CSV file to versions, by the shape and the parsing that record files go through."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from devportal.catalog.book.book import Book
from devportal.catalog.records.fields import Fields
from devportal.catalog.records.parsing import parse_coverage, parse_rate
from devportal.catalog.records.ref import Kind
from devportal.catalog.records.shape import record_shape
from devportal.catalog.records.version import Records, Source
from devportal.catalog.spreadsheet.advice import advice
from devportal.catalog.spreadsheet.columns import columns_of
from devportal.catalog.spreadsheet.header import Fault, faults_of, places_of
from devportal.catalog.spreadsheet.repeats import Noted, told_once
from devportal.catalog.spreadsheet.sheet import Sheet
from devportal.catalog.spreadsheet.table import parse_table
from devportal.documents import Document, Pointer, ShapeProblem
from devportal.documents.pointer import LineIndex
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level

_VersionT = TypeVar("_VersionT")


def read_csv(text: str, *, name: str, kind: Kind, book: Book) -> tuple[Records, tuple[Finding, ...]]:
    """Return the versions of a CSV file that messages call `name`, and a finding for all that is wrong in it.

    Columns may stand in any order, and those whose cells may be empty may be missing; a row without a status
    is a draft. A row with a finding is not among the versions, and where a column is wrong none is. Places
    are the line and column at which the cell starts. The same fault in many rows of a column is told once,
    for the first of them.
    """
    try:
        table = parse_table(text, name=name)
    except UnreadableInput as error:
        return Records(book=book), (_finding(error.place or Place(file=name), error.message, error.help),)
    lines, columns = LineIndex(text), columns_of(kind, book)
    if wrong := [_at(lines, fault, name) for fault in faults_of(table, columns)]:
        return Records(book=book), told_once(wrong)
    sheet = Sheet(
        kind=kind,
        rows=table.rows,
        places=places_of(table, columns),
        has_features=kind is Kind.COVERAGE and bool(book.coverage.features),
    )
    document = sheet.document(text, name=name)
    noted: list[Noted] = []
    if kind is Kind.RATE:
        records = Records(book=book, rates=tuple(_versions(sheet, document, book, parse_rate, noted)))
    else:
        records = Records(book=book, coverage=tuple(_versions(sheet, document, book, parse_coverage, noted)))
    return records, told_once(noted)


def _versions(
    sheet: Sheet,
    document: Document,
    book: Book,
    parse: Callable[[Fields, Book], _VersionT | None],
    noted: list[Noted],
) -> Iterator[_VersionT]:
    """Yield the versions of the rows; what is wrong with the others is noted."""
    misfits = list(record_shape(sheet.kind, book).misfits(document))
    noted.extend(_advised(sheet, document, book, misfit) for misfit in misfits)
    broken = {misfit.pointer[1] for misfit in misfits}
    for position, data in enumerate(document.data[sheet.kind]):
        if str(position) not in broken:
            source = Source(document=document, pointer=(str(sheet.kind), str(position)))
            fields = Fields(data=data, source=source)
            version = parse(fields, book)
            noted.extend(Noted((finding.rule, finding.message), finding) for finding in fields.findings)
            if version is not None:
                yield version


def _advised(sheet: Sheet, document: Document, book: Book, misfit: ShapeProblem) -> Noted:
    """Return the finding about a cell, which says what to do where a spreadsheet spoilt the value."""
    finding = misfit.finding
    name = f"`{'.'.join(misfit.pointer)}`"
    column = sheet.column_of(misfit.pointer[2:])
    help_ = finding.help.removeprefix(f"{name}: ")
    if column is None:
        return Noted((finding.message,), replace(finding, help=help_))
    message = finding.message.replace(name, f"`{column.name}`")
    spoilt = advice(column.name, _value(document, misfit.pointer), book)
    cause = (column.name, spoilt.habit if spoilt else message)
    return Noted(cause, replace(finding, message=message, help=spoilt.words if spoilt else help_))


def _value(document: Document, pointer: Pointer) -> str:
    """Return the text at a pointer, or nothing where there is a list."""
    value = document.data[pointer[0]][int(pointer[1])]
    for token in pointer[2:]:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value if isinstance(value, str) else ""


def _at(lines: LineIndex, fault: Fault, name: str) -> Noted:
    line, column = lines.at(fault.offset)
    finding = _finding(Place(file=name, line=line, column=column), fault.message, fault.help)
    return Noted((fault.habit or fault.message,), finding)


def _finding(place: Place, message: str, help: str) -> Finding:  # noqa: A002 - Finding's word
    return Finding(rule="catalog-csv", level=Level.ERROR, place=place, message=message, help=help)
