"""Public files: CSV for spreadsheets and JSON for programs, with the same rows and columns.

The same rows give the same bytes, so a checksum shows whether anything changed. A row is rendered once,
although several files contain it: that of all rates, of its product and of its country.
"""

import hashlib
import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain, repeat
from typing import Generic, TypeAlias

from devportal.catalog.cells import guard_formula
from devportal.catalog.pages.columns import Cell, Column, PublishedT
from devportal.markup import Artefact

_encode = json.JSONEncoder(ensure_ascii=False).encode

RowKey: TypeAlias = tuple[str, int]
"""Names a row among those of its kind: id and version. Rows are looked up too often for a `RecordRef`."""

_MAX_CACHED = 4096
"""How many texts of a column are cached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A file that a page offers; `size` is in bytes."""

    uri: str
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """Return the name under which the file is saved."""
        return self.uri.rpartition("/")[2]


class _Text:
    """Lines one behind another: tens of thousands of objects would need more memory, and keep it once they are gone."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._ends = array("Q", [0])

    def append(self, line: str) -> None:
        """Add a line."""
        self._text += line.encode()
        self._ends.append(len(self._text))

    def line(self, number: int) -> bytearray:
        """Return a line by its number from 0."""
        return self._text[self._ends[number] : self._ends[number + 1]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines(Generic[PublishedT]):
    """Rows of one kind as lines of CSV and of JSON."""

    member: str
    header: bytes
    numbers: Mapping[RowKey, int] = field(repr=False)
    """The numbers of the lines of each row, by its key."""
    csv: _Text = field(repr=False)
    json: _Text = field(repr=False)

    def csv_file(self, uri: str, rows: Iterable[PublishedT]) -> Artefact:
        """Return the rows as CSV in UTF-8 with a header (RFC 4180); items of a list are joined by `; `."""
        return self._csv(uri, self._numbers_of(rows))

    def json_file(self, uri: str, rows: Iterable[PublishedT]) -> Artefact:
        """Return the rows as a JSON object with one member, which lists an object on a line for each row."""
        return self._json(uri, self._numbers_of(rows))

    def files(self, stem: str, rows: Iterable[PublishedT]) -> tuple[Artefact, ...]:
        """Return the rows in both formats; `stem` is the URI of the files without the ending."""
        numbers = self._numbers_of(rows)
        return (self._csv(f"{stem}.csv", numbers), self._json(f"{stem}.json", numbers))

    def _numbers_of(self, rows: Iterable[PublishedT]) -> Sequence[int]:
        return [self.numbers[row.terms.id, row.terms.version] for row in rows]

    def _csv(self, uri: str, numbers: Sequence[int]) -> Artefact:
        content = BytesIO()
        content.write(self.header)
        content.writelines(map(self.csv.line, numbers))
        return Artefact(uri=uri, content=content.getvalue())

    def _json(self, uri: str, numbers: Sequence[int]) -> Artefact:
        content = BytesIO()
        content.write(b"{%b: [" % _encode(self.member).encode())
        separators = chain((b"\n",), repeat(b",\n"))
        for separator, line in zip(separators, map(self.json.line, numbers), strict=False):
            content.write(separator)
            content.write(line)
        content.write(b"\n]}\n" if numbers else b"]}\n")
        return Artefact(uri=uri, content=content.getvalue())


def lines_of(
    member: str, columns: Sequence[Column[PublishedT]], rows: Iterable[PublishedT]
) -> Lines[PublishedT]:
    """Return the rows as lines; `member` is the name of their list in JSON."""
    readers = [(column.value, _TextCache()) for column in columns]
    names = [column.name for column in columns]
    json_template = f"{{{', '.join(f'{_encode(name)}: %s' for name in names)}}}"
    csv_lines, json_lines = _Text(), _Text()
    numbers: dict[RowKey, int] = {}
    for number, row in enumerate(rows):
        texts = [cache[value(row)] for value, cache in readers]
        numbers[row.terms.id, row.terms.version] = number
        csv_lines.append(_csv_line([in_csv for in_csv, _ in texts]))
        json_lines.append(json_template % tuple([text for _, text in texts]))
    header = _csv_line([_quote_csv_cell(name) for name in names]).encode()
    return Lines(member=member, header=header, numbers=numbers, csv=csv_lines, json=json_lines)


class _TextCache(dict[Cell, tuple[str, str]]):
    """The texts of a column's values in CSV and in JSON. Most values occur in many rows."""

    def __missing__(self, value: Cell) -> tuple[str, str]:
        if len(self) == _MAX_CACHED:
            self.clear()  # all values of the column differ
        texts = self[value] = _quote_csv_cell(csv_cell(value)), _encode(value)
        return texts


def _csv_line(cells: Iterable[str]) -> str:
    return f"{','.join(cells)}\r\n"


def _quote_csv_cell(cell: str) -> str:
    """Return a cell, in quotes if it contains a delimiter (RFC 4180, 2.5 to 2.7)."""
    if "," in cell or '"' in cell or "\n" in cell or "\r" in cell:
        return '"{}"'.format(cell.replace('"', '""'))
    return cell


def csv_file(uri: str, columns: Sequence[Column[PublishedT]], rows: Sequence[PublishedT]) -> Artefact:
    """Return the rows as one CSV file; see `Lines.csv_file`."""
    return lines_of("", columns, rows).csv_file(uri, rows)


def json_file(
    uri: str, member: str, columns: Sequence[Column[PublishedT]], rows: Sequence[PublishedT]
) -> Artefact:
    """Return the rows as one JSON file; see `Lines.json_file`."""
    return lines_of(member, columns, rows).json_file(uri, rows)


def csv_cell(value: Cell) -> str:
    """Return a value as text, guarded against spreadsheets that would take it for a formula."""
    if isinstance(value, str):
        return value if value[:1].isalnum() else guard_formula(value)
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case tuple():
            return csv_cell("; ".join(value))


def downloads_of(files: Iterable[Artefact]) -> tuple[Download, ...]:
    """Return the downloads that a page offers."""
    return tuple(Download(uri=file.uri, size=len(file.content), sha256=sha256(file)) for file in files)


def sha256(artefact: Artefact) -> str:
    """Return the checksum of a file as `sha256sum` prints it."""
    return hashlib.sha256(artefact.content).hexdigest()
