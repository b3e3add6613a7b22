"""Public files: CSV for spreadsheets and JSON for programs, the same rows and columns in both.

The same rows give the same bytes, so that a checksum tells whether anything changed.
"""

import csv
import hashlib
import io
import json
from collections.abc import Sequence

from devportal.catalog.cells import guarded
from devportal.catalog.pages.columns import Cell, Column, PublishedT
from devportal.pages import Artefact


def csv_file(uri: str, columns: Sequence[Column[PublishedT]], rows: Sequence[PublishedT]) -> Artefact:
    """Return the rows as CSV in UTF-8 with a header (RFC 4180); items of a list are joined by `; `."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(column.name for column in columns)
    writer.writerows([csv_cell(column.value(row)) for column in columns] for row in rows)
    return Artefact(uri=uri, content=text.getvalue().encode())


def csv_cell(value: Cell) -> str:
    """Return a value as text; a `'` goes before what a spreadsheet would take for a formula."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case tuple():
            return csv_cell("; ".join(value))
    return guarded(value)


def json_file(
    uri: str, member: str, columns: Sequence[Column[PublishedT]], rows: Sequence[PublishedT]
) -> Artefact:
    """Return the rows as a JSON object whose one member holds them as a list of objects."""
    items = [{column.name: column.value(row) for column in columns} for row in rows]
    return Artefact(
        uri=uri, content=json.dumps({member: items}, ensure_ascii=False, indent=1).encode() + b"\n"
    )


def sha256(artefact: Artefact) -> str:
    """Return the checksum of a file as `sha256sum` prints it."""
    return hashlib.sha256(artefact.content).hexdigest()
