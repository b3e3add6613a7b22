"""Public files: CSV for spreadsheets and JSON for programs, with the same rows and columns.

The same rows give the same bytes, so a checksum shows whether anything changed. A row is rendered once,
although several files contain it: that of all rates, of its product and of its country.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines(Generic[PublishedT]):
    """Rows of one kind as lines of CSV and of JSON, by row key."""

    member: str
    header: bytes
    csv: Mapping[RowKey, bytes] = field(repr=False)
    json: Mapping[RowKey, bytes] = field(repr=False)

    def csv_file(self, uri: str, rows: Iterable[PublishedT]) -> Artefact:
        """Return the rows as CSV in UTF-8 with a header (RFC 4180); items of a list are joined by `; `."""
        return self._csv(uri, _keys(rows))

    def json_file(self, uri: str, rows: Iterable[PublishedT]) -> Artefact:
        """Return the rows as a JSON object with one member, which lists an object on a line for each row."""
        return self._json(uri, _keys(rows))

    def files(self, stem: str, rows: Iterable[PublishedT]) -> tuple[Artefact, ...]:
        """Return the rows in both formats; `stem` is the URI of the files without the ending."""
        keys = _keys(rows)
        return (self._csv(f"{stem}.csv", keys), self._json(f"{stem}.json", keys))

    def _csv(self, uri: str, keys: Sequence[RowKey]) -> Artefact:
        return Artefact(uri=uri, content=b"".join(chain((self.header,), map(self.csv.__getitem__, keys))))

    def _json(self, uri: str, keys: Sequence[RowKey]) -> Artefact:
        start = b"{%b: [" % _encode(self.member).encode()
        if not keys:
            return Artefact(uri=uri, content=start + b"]}\n")
        lines = map(self.json.__getitem__, keys)
        parts = chain(
            (start, b"\n", next(lines)),
            chain.from_iterable(zip(repeat(b",\n"), lines, strict=False)),
            (b"\n]}\n",),
        )
        return Artefact(uri=uri, content=b"".join(parts))


def _keys(rows: Iterable[PublishedT]) -> Sequence[RowKey]:
    return [(row.terms.id, row.terms.version) for row in rows]


def lines_of(
    member: str, columns: Sequence[Column[PublishedT]], rows: Iterable[PublishedT]
) -> Lines[PublishedT]:
    """Return the rows as lines; `member` is the name of their list in JSON."""
    readers = [(column.value, _TextCache()) for column in columns]
    names = [column.name for column in columns]
    json_template = f"{{{', '.join(f'{_encode(name)}: %s' for name in names)}}}"
    csv_lines, json_lines = {}, {}
    for row in rows:
        texts = [cache[value(row)] for value, cache in readers]
        key = row.terms.id, row.terms.version
        csv_lines[key] = _csv_line([in_csv for in_csv, _ in texts])
        json_lines[key] = (json_template % tuple([text for _, text in texts])).encode()
    header = _csv_line([_quote_csv_cell(name) for name in names])
    return Lines(member=member, header=header, csv=csv_lines, json=json_lines)


class _TextCache(dict[Cell, tuple[str, str]]):
    """The texts of a column's values in CSV and in JSON. Most values occur in many rows."""

    def __missing__(self, value: Cell) -> tuple[str, str]:
        if len(self) == _MAX_CACHED:
            self.clear()  # all values of the column differ
        texts = self[value] = _quote_csv_cell(csv_cell(value)), _encode(value)
        return texts


def _csv_line(cells: Iterable[str]) -> bytes:
    return f"{','.join(cells)}\r\n".encode()


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
