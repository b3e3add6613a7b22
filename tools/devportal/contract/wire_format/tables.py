"""Bodies that are tables: comma-separated and tab-separated values."""

import csv
import io
from typing import Any

from devportal.contract.media_types import media_type_essence
from devportal.contract.wire_format.serialisation import scalar_text

_DELIMITERS = {"text/csv": ",", "application/csv": ",", "text/tab-separated-values": "\t"}


def is_table(media_type: str) -> bool:
    """Say whether bodies of a media type are tables."""
    return media_type_essence(media_type) in _DELIMITERS


def table_text(media_type: str, value: Any) -> str | None:
    """Return objects, or lists, as the rows of a table; objects have their names in the first row (RFC 4180 §2).

    An object is one row. None if the media type is not a table, or the value has no rows.
    """
    delimiter = _DELIMITERS.get(media_type_essence(media_type))
    rows = value if isinstance(value, list) else [value]
    if delimiter is None or not rows:
        return None
    if all(isinstance(row, dict) for row in rows):
        names = tuple(dict.fromkeys(name for row in rows for name in row))
        rows = [names, *([row.get(name) for name in names] for row in rows)]
    elif not all(isinstance(row, list) for row in rows):
        return None
    written = io.StringIO()
    writer = csv.writer(written, delimiter=delimiter)
    writer.writerows([_cell_text(cell) for cell in row] for row in rows)
    return written.getvalue()


def _cell_text(cell: Any) -> str:
    return "" if cell is None else scalar_text(cell)
