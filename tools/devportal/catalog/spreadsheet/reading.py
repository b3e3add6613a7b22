"""A spreadsheet read: its sheet, its header, its rows, and rows that repeat each other."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import Any, NamedTuple, TypeVar

from devportal.catalog.book.book import Book
from devportal.catalog.cells import unguarded
from devportal.catalog.records.fields import Fields
from devportal.catalog.records.json_schemas import record_shape
from devportal.catalog.records.parsing import parse_coverage, parse_rate
from devportal.catalog.records.text import Records, Source
from devportal.catalog.records.version_ref import Kind
from devportal.catalog.spreadsheet.advice import advice
from devportal.catalog.spreadsheet.columns import Column, columns_of, split
from devportal.documents import Document, Pointer, ShapeProblem
from devportal.documents.pointer import LineIndex
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level

_LINES = 5


class Noted(NamedTuple):
    """A finding, and what it has in common with others of the same fault in the same column."""

    cause: tuple[str, ...]
    finding: Finding


def told_once(noted: Iterable[Noted]) -> tuple[Finding, ...]:
    """Return the findings by place: of those with one cause the ones of the first line, which name the rest.

    Where any were left out, a note at the end says how many there are in all.
    """
    by_cause: dict[tuple[str, ...], list[Finding]] = {}
    for one in sorted(noted, key=lambda one: one.finding.place):
        by_cause.setdefault(one.cause, []).append(one.finding)
    told = sorted(
        (finding for alike in by_cause.values() for finding in _told(alike)), key=lambda told: told.place
    )
    every = [finding for alike in by_cause.values() for finding in alike]
    return (*told, *([_count(every, causes=len(by_cause))] if len(told) < len(every) else ()))


def _told(alike: Sequence[Finding]) -> tuple[Finding, ...]:
    first, *others = (finding for finding in alike if finding.place.line == alike[0].place.line)
    more = sorted({finding.place.line for finding in alike} - {first.place.line})
    if not more:
        return (first, *others)
    shown = ", ".join(map(str, more[:_LINES])) + (", …" if len(more) > _LINES else "")
    rows = f"{len(more):,} more rows" if len(more) > 1 else "1 more row"
    lines = "lines" if len(more) > 1 else "line"
    return (
        replace(first, message=f"{first.message}; the same in {rows} of this column: {lines} {shown}"),
        *others,
    )


def _count(every: Sequence[Finding], *, causes: int) -> Finding:
    rows = len({finding.place.line for finding in every})
    kinds = f"{causes:,} different ones" if causes > 1 else "all the same"
    return Finding(
        rule="catalog-csv",
        level=Level.NOTE,
        place=Place(file=every[0].place.file),
        message=f"{len(every):,} faults in {rows:,} {'rows' if rows > 1 else 'row'}, {kinds}",
        help="mend each in its whole column, then read the file again",
    )


_HINT = re.compile(r"sep=(.)(?:\r\n|\n|\r)", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\n|\r")
_QUOTED = re.compile(r'"((?:[^"]++|"")*+)"')


class Cell(NamedTuple):
    """The text of a cell, its quotes taken off, and the offset in the file at which it starts."""

    text: str
    offset: int


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A header and the rows below it; a row in which nothing is written is left out."""

    header: Row
    rows: tuple[Row, ...]


def parse_table(text: str, *, name: str) -> Table:
    """Return the cells of a file that messages call `name`; raises UnreadableInput for wrong quotes."""
    start, delimiter = _start(text)
    plain = re.compile(rf"[^{re.escape(delimiter)}\r\n]*+")
    rows: list[Row] = []
    cells: list[Cell] = []
    position = start
    while True:
        cell, position = _cell(text, position, plain, name)
        cells.append(cell)
        if text.startswith(delimiter, position):
            position += 1
            continue
        rows.append(tuple(cells))
        cells = []
        line_end = _LINE_END.match(text, position)
        if line_end is None and position < len(text):
            raise _wrong_quote(text, position, name)
        if line_end is None or line_end.end() == len(text):
            break
        position = line_end.end()
    written = [row for row in rows[1:] if any(cell.text for cell in row)]
    return Table(header=rows[0], rows=tuple(written))


def _start(text: str) -> tuple[int, str]:
    """Return where the header starts, and what parts the cells."""
    start = 1 if text.startswith("\ufeff") else 0
    if hint := _HINT.match(text, start):
        return hint.end(), hint.group(1)
    first = _LINE_END.split(text[start:], maxsplit=1)[0]
    return start, max(",;\t", key=first.count)


def _cell(text: str, position: int, plain: re.Pattern[str], name: str) -> tuple[Cell, int]:
    """Return the cell that starts at a position, and where it ends."""
    if text.startswith('"', position):
        quoted = _QUOTED.match(text, position)
        if quoted is None:
            raise _wrong_quote(text, position, name)
        return Cell(quoted.group(1).replace('""', '"'), position), quoted.end()
    found = plain.match(text, position)
    end = found.end() if found else position
    return Cell(text[position:end], position), end


def _wrong_quote(text: str, position: int, name: str) -> UnreadableInput:
    line, column = LineIndex(text).at(position)
    found = text[position : position + 20]
    is_open = found.startswith('"')
    return UnreadableInput(
        f"this quote is never closed: {found!r}"
        if is_open
        else f"text goes on after a closing quote: {found!r}",
        place=Place(file=name, line=line, column=column),
        help='put the whole cell between two ", and write each " inside it twice',
    )


class Fault(NamedTuple):
    """What is wrong with a table: the offset of the cell, what it says, what to do, and why it may recur."""

    offset: int
    message: str
    help: str
    habit: str = ""


def places_of(table: Table, columns: Sequence[Column]) -> Mapping[Column, int]:
    """Return the place in a row of each column that the table has."""
    titles = [cell.text.strip() for cell in table.header]
    return {column: titles.index(column.name) for column in columns if column.name in titles}


def faults_of(table: Table, columns: Sequence[Column]) -> Iterator[Fault]:
    """Yield what is wrong with the columns; one without a name counts where something stands in it."""
    known = [column.name for column in columns]
    seen: set[str] = set()
    for place, cell in enumerate(table.header):
        title = cell.text.strip()
        if title in seen and title:
            yield Fault(cell.offset, f"the column {title!r} is there twice", "remove one of the two")
        elif title not in known and (title or _is_used(table, place)):
            yield _unknown(cell.offset, title, known)
        seen.add(title)
    missing = [column.name for column in columns if column.is_required and column.name not in seen]
    if missing:
        what = f"{'columns' if len(missing) > 1 else 'column'} {', '.join(map(repr, missing))}"
        help_ = f"add {'them' if len(missing) > 1 else 'it'}; a file has: {', '.join(known)}"
        message = f"the {what} {'are' if len(missing) > 1 else 'is'} missing"
        yield Fault(table.header[0].offset, message, help_)
    if not table.rows:
        yield Fault(table.header[0].offset, "there is no row below the header", "write one for each version")
    yield from _beyond(table)


def _is_used(table: Table, place: int) -> bool:
    return any(len(row) > place and row[place].text for row in table.rows)


def _unknown(offset: int, title: str, known: list[str]) -> Fault:
    if not title:
        return Fault(offset, "this column has no name", f"name it; a file has: {', '.join(known)}")
    close = get_close_matches(title.lower(), known, n=1)
    help_ = f"did you mean {close[0]!r}?" if close else f"remove it; a file has: {', '.join(known)}"
    return Fault(offset, f"the column {title!r} is not known", help_)


def _beyond(table: Table) -> Iterator[Fault]:
    """Yield the cells that stand right of the last column, as a delimiter without quotes makes them."""
    for row in table.rows:
        for cell in row[len(table.header) :]:
            if cell.text:
                help_ = "put a text that holds the delimiter between quotes"
                message = f"{cell.text[:60]!r} stands right of the last column"
                yield Fault(cell.offset, message, help_, habit="delimiter without quotes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Rows of a kind of records: `places` tells the place in the row of each column that the table has."""

    kind: Kind
    rows: tuple[Row, ...]
    places: Mapping[Column, int]
    has_features: bool = False

    def cell(self, position: int, path: Pointer) -> Cell:
        """Return the cell that holds, or is nearest to, what stands at a path of a record."""
        row = self.rows[position]
        for length in range(len(path), 0, -1):
            for column, place in self.places.items():
                if column.path[:length] == path[:length] and place < len(row):
                    return row[place]
        return row[0]

    def column_of(self, path: Pointer) -> Column | None:
        """Return the column of a field, part of a field or item of a list."""
        found = (column for column in self.places if path[: len(column.path)] == column.path)
        return next(found, None)

    def document(self, text: str, *, name: str) -> Document:
        """Return the rows as a document of records, which knows the place of each field in the text."""
        records = [self._record(row) for row in self.rows]
        located = partial(_located, self, LineIndex(text))
        return Document(name=name, text=text, data={str(self.kind): records}, locate=located)

    def _record(self, row: Row) -> dict[str, Any]:
        """Return the fields that a row says, and an empty text for each that it had to say."""
        record: dict[str, Any] = {"status": "draft"}
        if self.has_features:
            record["features"] = {}
        for column, place in self.places.items():
            text = unguarded(row[place].text) if place < len(row) else ""
            if not text and not column.is_required:
                continue
            holder = record.setdefault(column.path[0], {}) if len(column.path) > 1 else record
            holder[column.path[-1]] = split(text) if column.is_list else text
        return record


def _located(sheet: Sheet, lines: LineIndex, _text: str, pointer: Pointer) -> tuple[int, int]:
    """Return line and column of the cell that a pointer into the records leads to."""
    if len(pointer) < 2:
        return 1, 1
    return lines.at(sheet.cell(int(pointer[1]), pointer[2:]).offset)


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
