"""Public files: CSV for spreadsheets and JSON for programs, the same rows and columns in both.

The same rows give the same bytes, so that a checksum tells whether anything changed. A row is rendered once,
however many files hold it: that of everything, that of its product, that of its country.
"""

import csv
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias

from devportal.catalog.cells import guarded
from devportal.catalog.pages.columns import Cell, Column, PublishedT
from devportal.pages import Artefact

_encode = json.JSONEncoder(ensure_ascii=False).encode

RowKey: TypeAlias = tuple[str, int]
"""What names a row among those of its kind: id and version. Made more often than a `RecordRef` is cheap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """What a page tells of a file that it offers; `size` is in bytes."""

    uri: str
    size: int
    sha256: str

    @property
    def name(self) -> str:
        """Return the name under which the file is saved."""
        return self.uri.rpartition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines(Generic[PublishedT]):
    """Rows of one kind as lines of CSV and of JSON, by what names them."""

    member: str
    header: bytes
    csv: Mapping[RowKey, bytes] = field(repr=False)
    json: Mapping[RowKey, bytes] = field(repr=False)

    def csv_file(self, uri: str, rows: Iterable[PublishedT]) -> Artefact:
        """Return the rows as CSV in UTF-8 with a header (RFC 4180); items of a list are joined by `; `."""
        content = self.header + b"".join(self.csv[row.terms.id, row.terms.version] for row in rows)
        return Artefact(uri=uri, content=content)

    def json_file(self, uri: str, rows: Iterable[PublishedT]) -> Artefact:
        """Return the rows as a JSON object whose one member holds them, an object on a line for each."""
        lines = b",\n".join(self.json[row.terms.id, row.terms.version] for row in rows)
        name = _encode(self.member).encode()
        return Artefact(uri=uri, content=b"{%b: [%b]}\n" % (name, b"\n%b\n" % lines if lines else b""))

    def files(self, stem: str, rows: Sequence[PublishedT]) -> tuple[Artefact, ...]:
        """Return the rows in both forms; `stem` is the uri of the files without the ending."""
        return (self.csv_file(f"{stem}.csv", rows), self.json_file(f"{stem}.json", rows))


def lines_of(
    member: str, columns: Sequence[Column[PublishedT]], rows: Iterable[PublishedT]
) -> Lines[PublishedT]:
    """Return the rows as lines; `member` is the name of their list in JSON."""
    in_csv = _CsvLines()
    names = [column.name for column in columns]
    header = in_csv.line(names)
    csv_lines, json_lines = {}, {}
    for row in rows:
        cells = [column.value(row) for column in columns]
        key = row.terms.id, row.terms.version
        csv_lines[key] = in_csv.line([csv_cell(cell) for cell in cells])
        json_lines[key] = _encode(dict(zip(names, cells, strict=True))).encode()
    return Lines(member=member, header=header, csv=csv_lines, json=json_lines)


class _CsvLines:
    """Writes lines of CSV one by one."""

    def __init__(self) -> None:
        self._written: list[str] = []
        self._writer = csv.writer(self)

    def write(self, text: str) -> None:
        self._written.append(text)

    def line(self, cells: Sequence[str]) -> bytes:
        self._writer.writerow(cells)
        text = "".join(self._written)
        self._written.clear()
        return text.encode()


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
        return value if value[:1].isalnum() else guarded(value)
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
    """Return what a page tells of these files."""
    return tuple(Download(uri=file.uri, size=len(file.content), sha256=sha256(file)) for file in files)


def sha256(artefact: Artefact) -> str:
    """Return the checksum of a file as `sha256sum` prints it."""
    return hashlib.sha256(artefact.content).hexdigest()
