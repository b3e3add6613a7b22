"""The text of a CSV file to versions, by the shape and the parsing that record files go through."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from devportal.catalog.fields import Fields
from devportal.catalog.parsing import parse_coverage, parse_rate
from devportal.catalog.ref import Kind
from devportal.catalog.shape import shape_of
from devportal.catalog.spreadsheet.advice import advice
from devportal.catalog.spreadsheet.header import Fault, faults_of, places_of
from devportal.catalog.spreadsheet.sheet import Sheet
from devportal.catalog.spreadsheet.table import parse_table
from devportal.catalog.version import Records, Source
from devportal.documents import Document, Misfit, Pointer
from devportal.documents.positions import Lines
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level

_VersionT = TypeVar("_VersionT")


def read_csv(text: str, *, name: str, kind: Kind) -> tuple[Records, tuple[Finding, ...]]:
    """Return the versions of a CSV file that messages call `name`, and a finding for all that is wrong in it.

    Columns may stand in any order, and those whose cells may be empty may be missing; a row without a status
    is a draft. A row with a finding is not among the versions, and where a column is wrong none is. Places
    are the line and column at which the cell starts.
    """
    try:
        table = parse_table(text, name=name)
    except UnreadableInput as error:
        return Records(), (_finding(error.place or Place(file=name), error.message, error.help),)
    lines = Lines(text)
    if wrong := tuple(_at(lines, fault, name) for fault in faults_of(table, kind)):
        return Records(), wrong
    sheet = Sheet(kind=kind, rows=table.rows, places=places_of(table, kind))
    document = sheet.document(text, name=name)
    findings: list[Finding] = []
    if kind is Kind.RATE:
        return Records(rates=tuple(_versions(sheet, document, parse_rate, findings))), tuple(findings)
    return Records(coverage=tuple(_versions(sheet, document, parse_coverage, findings))), tuple(findings)


def _versions(
    sheet: Sheet, document: Document, parse: Callable[[Fields], _VersionT | None], findings: list[Finding]
) -> Iterator[_VersionT]:
    """Yield the versions of the rows; what is wrong with the others is added to the findings."""
    misfits = list(shape_of(sheet.kind).misfits(document))
    findings.extend(_advised(sheet, document, misfit) for misfit in misfits)
    broken = {misfit.pointer[1] for misfit in misfits}
    for position, data in enumerate(document.data[sheet.kind]):
        if str(position) not in broken:
            source = Source(document=document, pointer=(str(sheet.kind), str(position)))
            fields = Fields(data=data, source=source)
            version = parse(fields)
            findings.extend(fields.findings)
            if version is not None:
                yield version


def _advised(sheet: Sheet, document: Document, misfit: Misfit) -> Finding:
    """Return the finding about a cell, which says what to do where a spreadsheet spoilt the value."""
    column = sheet.column_of(misfit.pointer[2:])
    if column is None:
        return misfit.finding
    message = misfit.finding.message.replace(f"`{'.'.join(misfit.pointer)}`", f"`{column.name}`")
    spoilt = advice(column.name, _value(document, misfit.pointer))
    return replace(misfit.finding, message=message, help=spoilt or misfit.finding.help)


def _value(document: Document, pointer: Pointer) -> str:
    """Return the text at a pointer, or nothing where there is a list."""
    value = document.data[pointer[0]][int(pointer[1])]
    for token in pointer[2:]:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value if isinstance(value, str) else ""


def _at(lines: Lines, fault: Fault, name: str) -> Finding:
    line, column = lines.at(fault.offset)
    return _finding(Place(file=name, line=line, column=column), fault.message, fault.help)


def _finding(place: Place, message: str, help: str) -> Finding:  # noqa: A002 - Finding's word
    return Finding(rule="catalog-csv", level=Level.ERROR, place=place, message=message, help=help)
