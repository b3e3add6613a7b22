"""Reads a CSV file: its table, its header, and its rows as versions. Repeated findings are merged."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from devportal.catalog.book.book import Book
from devportal.catalog.cells import unguard_formula
from devportal.catalog.records.fields import Fields
from devportal.catalog.records.json_schemas import record_shape
from devportal.catalog.records.parsing import parse_coverage, parse_rate
from devportal.catalog.records.text import Records, Source
from devportal.catalog.records.version_ref import Kind
from devportal.catalog.spreadsheet.advice import advice
from devportal.catalog.spreadsheet.columns import Column, columns_of, split_items
from devportal.documents import Document, Pointer, ShapeProblem
from devportal.documents.pointer import LineIndex
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level
from devportal.suggestions import suggest_name

_MAX_LISTED_LINES = 5


class CellFinding(NamedTuple):
    """A finding, and the cause it shares with others in the same column."""

    cause: tuple[str, ...]
    finding: Finding


def merge_repeated_findings(cell_findings: Iterable[CellFinding]) -> tuple[Finding, ...]:
    """Return the findings by place. Of findings with the same cause, only those of the first line are kept,
    which name the other lines.

    If any were left out, a note at the end has the total.
    """
    by_cause: dict[tuple[str, ...], list[Finding]] = {}
    for cell_finding in sorted(cell_findings, key=lambda cell_finding: cell_finding.finding.place):
        by_cause.setdefault(cell_finding.cause, []).append(cell_finding.finding)
    merged = sorted(
        (finding for alike in by_cause.values() for finding in _merge_repeated(alike)),
        key=lambda merged: merged.place,
    )
    all_findings = [finding for alike in by_cause.values() for finding in alike]
    return (
        *merged,
        *([_count_note(all_findings, causes=len(by_cause))] if len(merged) < len(all_findings) else ()),
    )


def _merge_repeated(alike: Sequence[Finding]) -> tuple[Finding, ...]:
    first, *others = (finding for finding in alike if finding.place.line == alike[0].place.line)
    other_lines = sorted({finding.place.line for finding in alike} - {first.place.line})
    if not other_lines:
        return (first, *others)
    line_list = ", ".join(map(str, other_lines[:_MAX_LISTED_LINES])) + (
        ", …" if len(other_lines) > _MAX_LISTED_LINES else ""
    )
    rows = f"{len(other_lines):,} more rows" if len(other_lines) > 1 else "1 more row"
    lines = "lines" if len(other_lines) > 1 else "line"
    return (
        replace(first, message=f"{first.message}; the same in {rows} of this column: {lines} {line_list}"),
        *others,
    )


def _count_note(all_findings: Sequence[Finding], *, causes: int) -> Finding:
    rows = len({finding.place.line for finding in all_findings})
    kinds = f"{causes:,} different ones" if causes > 1 else "all the same"
    return Finding(
        rule="catalog-csv",
        level=Level.NOTE,
        place=Place(file=all_findings[0].place.file),
        message=f"{len(all_findings):,} problems in {rows:,} {'rows' if rows > 1 else 'row'}, {kinds}",
        help="fix each in its whole column, then read the file again",
    )


_SEPARATOR_HINT = re.compile(r"sep=(.)(?:\r\n|\n|\r)", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\n|\r")
_QUOTED = re.compile(r'"((?>(?:[^"]++|"")*))"')


class Cell(NamedTuple):
    """The text of a cell without quotes, and its offset in the file."""

    text: str
    offset: int


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A header and the rows below it, without empty rows."""

    header: Row
    rows: tuple[Row, ...]


def parse_table(text: str, *, name: str) -> Table:
    """Return the cells of a file that messages call `name`; raises UnreadableInput for wrong quotes."""
    start, delimiter = _find_start(text)
    unquoted = re.compile(rf"[^{re.escape(delimiter)}\r\n]*+")
    rows: list[Row] = []
    cells: list[Cell] = []
    position = start
    while True:
        cell, position = _read_cell(text, position, unquoted, name)
        cells.append(cell)
        if text.startswith(delimiter, position):
            position += 1
            continue
        rows.append(tuple(cells))
        cells = []
        line_end = _LINE_END.match(text, position)
        if line_end is None and position < len(text):
            raise _quote_error(text, position, name)
        if line_end is None or line_end.end() == len(text):
            break
        position = line_end.end()
    non_empty = [row for row in rows[1:] if any(cell.text for cell in row)]
    return Table(header=rows[0], rows=tuple(non_empty))


def _find_start(text: str) -> tuple[int, str]:
    """Return where the header starts, and the delimiter."""
    start = 1 if text.startswith("\ufeff") else 0
    if hint := _SEPARATOR_HINT.match(text, start):
        return hint.end(), hint.group(1)
    first_line = _LINE_END.split(text[start:], maxsplit=1)[0]
    return start, max(",;\t", key=first_line.count)


def _read_cell(text: str, position: int, unquoted: re.Pattern[str], name: str) -> tuple[Cell, int]:
    """Return the cell that starts at a position, and where it ends."""
    if text.startswith('"', position):
        quoted = _QUOTED.match(text, position)
        if quoted is None:
            raise _quote_error(text, position, name)
        return Cell(quoted.group(1).replace('""', '"'), position), quoted.end()
    match = unquoted.match(text, position)
    end = match.end() if match else position
    return Cell(text[position:end], position), end


def _quote_error(text: str, position: int, name: str) -> UnreadableInput:
    line, column = LineIndex(text).at(position)
    excerpt = text[position : position + 20]
    is_open = excerpt.startswith('"')
    return UnreadableInput(
        f"this quote is never closed: {excerpt!r}"
        if is_open
        else f"text goes on after a closing quote: {excerpt!r}",
        place=Place(file=name, line=line, column=column),
        help='put the whole cell between two ", and write each " inside it twice',
    )


class TableProblem(NamedTuple):
    """A problem of a table: the offset of the cell, the message, what to do, and the cause, if it may recur."""

    offset: int
    message: str
    help: str
    cause: str = ""


def column_indexes(table: Table, columns: Sequence[Column]) -> Mapping[Column, int]:
    """Return the index in a row of each column of the table."""
    titles = [cell.text.strip() for cell in table.header]
    return {column: titles.index(column.name) for column in columns if column.name in titles}


def find_table_problems(table: Table, columns: Sequence[Column]) -> Iterator[TableProblem]:
    """Yield the problems of the columns. A column without a name counts if it has any text."""
    names = [column.name for column in columns]
    if not any(cell.text.strip() for row in (table.header, *table.rows) for cell in row):
        yield TableProblem(
            table.header[0].offset,
            "the file is empty",
            f"write a header and a row for each version: {', '.join(names)}",
        )
        return
    if header := _header_below(table, columns):
        yield TableProblem(
            header[0].offset, "the header is here, and not in the first row", "remove the rows above it"
        )
        return
    seen: set[str] = set()
    for index, cell in enumerate(table.header):
        title = cell.text.strip()
        if title in seen and title:
            yield TableProblem(cell.offset, f"the column {title!r} is there twice", "remove one of the two")
        elif title not in names and (title or _is_used(table, index)):
            yield _unknown_column(cell.offset, title, names)
        seen.add(title)
    missing = [column.name for column in columns if column.is_required and column.name not in seen]
    if missing:
        missing_columns = f"{'columns' if len(missing) > 1 else 'column'} {', '.join(map(repr, missing))}"
        help_ = f"add {'them' if len(missing) > 1 else 'it'}; a file has: {', '.join(names)}"
        message = f"the {missing_columns} {'are' if len(missing) > 1 else 'is'} missing"
        yield TableProblem(table.header[0].offset, message, help_)
    elif not table.rows:
        yield TableProblem(
            table.header[0].offset, "there is no row below the header", "write one for each version"
        )
    yield from _cells_beyond_header(table)


def _header_below(table: Table, columns: Sequence[Column]) -> tuple[Cell, ...]:
    """Return a row that has the required columns while the first one has none of them, such as below a title."""
    required = {column.name for column in columns if column.is_required}
    rows = (table.header, *table.rows)
    titles = ({cell.text.strip() for cell in row} for row in rows)
    found = next((row for row, texts in zip(rows, titles, strict=True) if required <= texts), rows[0])
    is_below = found is not rows[0] and required.isdisjoint(cell.text.strip() for cell in rows[0])
    return tuple(found) if is_below else ()


def _is_used(table: Table, index: int) -> bool:
    return any(len(row) > index and row[index].text for row in table.rows)


def _unknown_column(offset: int, title: str, names: list[str]) -> TableProblem:
    if not title:
        return TableProblem(offset, "this column has no name", f"name it; a file has: {', '.join(names)}")
    advice = suggest_name(title, names, f"remove it; a file has: {', '.join(names)}")
    return TableProblem(offset, f"the column {title!r} is not known", advice)


def _cells_beyond_header(table: Table) -> Iterator[TableProblem]:
    """Yield the cells beyond the last column, which an unquoted delimiter creates."""
    for row in table.rows:
        for cell in row[len(table.header) :]:
            if cell.text:
                help_ = "put a text that holds the delimiter between quotes"
                message = f"{cell.text[:60]!r} stands right of the last column"
                yield TableProblem(cell.offset, message, help_, cause="delimiter without quotes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Rows of a kind of records; `indexes` holds the index in the row of each column."""

    kind: Kind
    rows: tuple[Row, ...]
    indexes: Mapping[Column, int]
    has_features: bool = False

    def cell(self, position: int, path: Pointer) -> Cell:
        """Return the cell of a path of a record, or the nearest one."""
        row = self.rows[position]
        for length in range(len(path), 0, -1):
            for column, index in self.indexes.items():
                if column.path[:length] == path[:length] and index < len(row):
                    return row[index]
        return row[0]

    def column_of(self, path: Pointer) -> Column | None:
        """Return the column of a field, part of a field or item of a list."""
        columns = (column for column in self.indexes if path[: len(column.path)] == column.path)
        return next(columns, None)

    def document(self, text: str, *, name: str) -> Document:
        """Return the rows as a document of records that locates each field in the text."""
        records = [self._record(row) for row in self.rows]
        located = partial(_locate_cell, self, LineIndex(text))
        return Document(name=name, text=text, data={str(self.kind): records}, locate=located)

    def _record(self, row: Row) -> dict[str, Any]:
        """Return the fields of a row, with an empty text for each missing required field."""
        record: dict[str, Any] = {"status": "draft"}
        if self.has_features:
            record["features"] = {}
        for column, index in self.indexes.items():
            text = unguard_formula(row[index].text) if index < len(row) else ""
            if not text and not column.is_required:
                continue
            holder = record.setdefault(column.path[0], {}) if len(column.path) > 1 else record
            holder[column.path[-1]] = split_items(text) if column.is_list else text
        return record


def _locate_cell(sheet: Sheet, lines: LineIndex, _text: str, pointer: Pointer) -> tuple[int, int]:
    """Return line and column of the cell that a pointer into the records leads to."""
    if len(pointer) < 2:
        return 1, 1
    return lines.at(sheet.cell(int(pointer[1]), pointer[2:]).offset)


_VersionT = TypeVar("_VersionT")


def read_csv(text: str, *, name: str, kind: Kind, book: Book) -> tuple[Records, tuple[Finding, ...]]:
    """Return the versions of a CSV file that messages call `name`, and its findings.

    Columns may have any order, and optional ones may be missing. A row without a status is a draft. A row
    with a finding is not among the versions, and if a column has a problem, none is. Places are the line and
    column at which the cell starts. The same problem in many rows of a column is reported once, for the first
    of them.
    """
    try:
        table = parse_table(text, name=name)
    except UnreadableInput as error:
        return Records(book=book), (_finding(error.place or Place(file=name), error.message, error.help),)
    lines, columns = LineIndex(text), columns_of(kind, book)
    if table_findings := [
        _table_finding(lines, problem, name) for problem in find_table_problems(table, columns)
    ]:
        return Records(book=book), merge_repeated_findings(table_findings)
    sheet = Sheet(
        kind=kind,
        rows=table.rows,
        indexes=column_indexes(table, columns),
        has_features=kind is Kind.COVERAGE and bool(book.coverage.features),
    )
    document = sheet.document(text, name=name)
    cell_findings: list[CellFinding] = []
    if kind is Kind.RATE:
        records = Records(
            book=book, rates=tuple(_parse_versions(sheet, document, book, parse_rate, cell_findings))
        )
    else:
        records = Records(
            book=book, coverage=tuple(_parse_versions(sheet, document, book, parse_coverage, cell_findings))
        )
    return records, merge_repeated_findings(cell_findings)


def _parse_versions(
    sheet: Sheet,
    document: Document,
    book: Book,
    parse: Callable[[Fields, Book], _VersionT | None],
    cell_findings: list[CellFinding],
) -> Iterator[_VersionT]:
    """Yield the versions of the valid rows, and collect the findings of the others."""
    shape_problems = list(record_shape(sheet.kind, book).misfits(document))
    cell_findings.extend(_cell_finding(sheet, document, book, problem) for problem in shape_problems)
    broken = {problem.pointer[1] for problem in shape_problems}
    for position, data in enumerate(document.data[sheet.kind]):
        if str(position) not in broken:
            source = Source(document=document, pointer=(str(sheet.kind), str(position)))
            fields = Fields(data=data, source=source)
            version = parse(fields, book)
            cell_findings.extend(
                CellFinding((finding.rule, finding.message), finding) for finding in fields.findings
            )
            if version is not None:
                yield version


def _cell_finding(sheet: Sheet, document: Document, book: Book, problem: ShapeProblem) -> CellFinding:
    """Return the finding of a cell, with advice if a spreadsheet changed the value."""
    finding = problem.finding
    name = f"`{'.'.join(problem.pointer)}`"
    column = sheet.column_of(problem.pointer[2:])
    help_ = finding.help.removeprefix(f"{name}: ")
    if column is None:
        return CellFinding((finding.message,), replace(finding, help=help_))
    message = finding.message.replace(name, f"`{column.name}`")
    cell_advice = advice(column.name, _text_at(document, problem.pointer), book)
    cause = (column.name, cell_advice.cause if cell_advice else message)
    return CellFinding(
        cause, replace(finding, message=message, help=cell_advice.text if cell_advice else help_)
    )


def _text_at(document: Document, pointer: Pointer) -> str:
    """Return the text at a pointer; empty for a list."""
    value = document.data[pointer[0]][int(pointer[1])]
    for token in pointer[2:]:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value if isinstance(value, str) else ""


def _table_finding(lines: LineIndex, problem: TableProblem, name: str) -> CellFinding:
    line, column = lines.at(problem.offset)
    finding = _finding(Place(file=name, line=line, column=column), problem.message, problem.help)
    return CellFinding((problem.cause or problem.message,), finding)


def _finding(place: Place, message: str, help: str) -> Finding:  # noqa: A002 - Finding's word
    return Finding(rule="catalog-csv", level=Level.ERROR, place=place, message=message, help=help)
