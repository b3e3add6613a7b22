"""A table whose columns are known, as a document of records: what reads record files reads it, too."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.catalog.cells import unguarded
from devportal.catalog.records.ref import Kind
from devportal.catalog.spreadsheet.columns import Column
from devportal.catalog.spreadsheet.lists import split
from devportal.catalog.spreadsheet.table import Cell, Row
from devportal.documents import Document, Pointer
from devportal.documents.pointer import LineIndex


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
