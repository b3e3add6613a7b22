"""Bodies that show a list in another way than JSON does: streams, and tables."""

import csv
from collections.abc import Sequence
from typing import Any

from devportal.contract.conventions import matches_any_name
from devportal.contract.streams import is_event_stream, is_server_event
from devportal.contract.wire_format.serialisation import scalar_text
from devportal.contract.wire_format.tables import is_table, table_text
from devportal.mock.json_values import write_json


def stream_body(name: str, items: Sequence[Any], event: Any) -> bytes:
    """Return items as a stream of a media type (OAS 3.2.0 §4.14.4). `event` is a sample of the events of the stream:
    other items are sent in its `data`.
    """
    if is_event_stream(name):
        return b"".join(server_event(_in_event(item, event)) for item in items)
    start = b"\x1e" if "json-seq" in name else b""
    return b"".join(start + write_json(item) + b"\n" for item in items)


def _in_event(item: Any, event: Any) -> Any:
    if is_server_event(item) or not is_server_event(event) or "data" not in event:
        return item
    has_id = "id" in event and isinstance(item, dict) and isinstance(item.get("id"), str | int)
    return {**event, **({"id": str(item["id"])} if has_id else {}), "data": item}


def server_event(item: Any) -> bytes:
    """Return an item of a stream as a server-sent event (HTML §9.2.6)."""
    if not is_server_event(item):
        return f"data: {scalar_text(item)}\n\n".encode("utf-8", "replace")
    lines = []
    for name in ("event", "id", "retry", "data"):
        if name in item:
            value = item[name]
            text = value if isinstance(value, str) else write_json(value).decode()
            lines += [f"{name}: {line}" for line in text.splitlines() or [""]]
    return ("\n".join(lines) + "\n\n").encode("utf-8", "replace")


def table_body(name: str, rows: Any, example: Any) -> str | None:
    """Return objects as a table with the columns of an example, or else with all their members. None for other media
    types and values, and if the example has columns that are not members.
    """
    if not is_table(name) or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    if not isinstance(example, str):
        return table_text(name, rows)
    columns = _columns(name, example)
    known = {column: _member(column, rows) for column in columns}
    if not rows or not all(known.values()):
        return None if rows else table_text(name, [columns])
    return table_text(name, [{column: row.get(member) for column, member in known.items()} for row in rows])


def _columns(name: str, table: str) -> list[str]:
    delimiter = "\t" if "tab" in name else ","
    return [cell.strip() for cell in next(csv.reader(table.splitlines(), delimiter=delimiter), [])]


def _member(column: str, rows: Sequence[dict[str, Any]]) -> str:
    """Return the member that a column shows, empty if no row has it."""
    names = dict.fromkeys(name for row in rows for name in row)
    return (
        column if column in names else next((text for text in names if matches_any_name(text, (column,))), "")
    )
