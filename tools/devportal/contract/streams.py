"""Bodies that are a sequence of items: lines of JSON, JSON text sequences, and server-sent events (OAS 3.2.0
§4.14.4).
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from devportal.contract.media_types import media_type_essence
from devportal.contract.model import MediaType
from devportal.contract.schemas import Schema

_JSON_LINES = frozenset(
    {
        "application/jsonl",
        "application/x-jsonlines",
        "application/ndjson",
        "application/x-ndjson",
        "application/json-seq",
    }
)
_SEPARATOR = "\x1e"
"""What stands before each text of a JSON text sequence (RFC 7464 §2.2)."""
_EVENT_FIELDS = frozenset({"event", "data", "id", "retry"})
_LINE_END = re.compile(r"\r\n|\r|\n")


class UnreadableItem(ValueError):
    """Raised for a text that is not made of items; it says which line is wrong."""


def is_json_lines(media_type: str) -> bool:
    """Say whether a media type is values of JSON, one a line, or one after the other (RFC 7464)."""
    kind = media_type_essence(media_type)
    return kind in _JSON_LINES or kind.endswith("+json-seq")


def is_event_stream(media_type: str) -> bool:
    """Say whether a media type is a stream of server-sent events."""
    return media_type_essence(media_type) == "text/event-stream"


def is_stream(media_type: str) -> bool:
    """Say whether a body of a media type is a sequence of items, which may arrive one by one."""
    return is_json_lines(media_type) or is_event_stream(media_type)


def items_schema(media: MediaType) -> Schema | None:
    """Return a schema for all items of a stream as an array, None for a body that is not a stream with
    `itemSchema`.
    """
    if media.item_schema is None or not is_stream(media.name):
        return None
    return Schema(location=media.item_schema.location, types=("array",), items=media.item_schema)


def stream_items(media_type: str, value: Any) -> list[Any]:
    """Return the items of a stream that an example gives as a list, as one item, or as the text that is sent.
    Raises UnreadableItem if the text is none.
    """
    if isinstance(value, list):
        return value
    if not isinstance(value, str):
        return [value]
    return [*_read_events(value)] if is_event_stream(media_type) else [*_read_json_lines(value)]


def _read_json_lines(text: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip(f"{_SEPARATOR} \t\r"):
            try:
                yield json.loads(line.strip(_SEPARATOR))
            except ValueError as error:
                raise UnreadableItem(f"line {number} is not JSON") from error


def _read_events(text: str) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream; comments are none (HTML §9.2.6)."""
    for block in re.split(r"\n{2,}", _LINE_END.sub("\n", text)):
        event: dict[str, Any] = {}
        for line in block.split("\n"):
            name, _, content = line.partition(":")
            content = content.removeprefix(" ")
            if name == "data" and "data" in event:
                event["data"] += f"\n{content}"
            elif name == "retry" and content.isdecimal():
                event["retry"] = int(content)
            elif name in _EVENT_FIELDS:
                event[name] = content
        if event:
            yield event


def stream_text(media_type: str, value: Any, *, has_separators: bool = False) -> str | None:
    """Return a value as the text of a stream: a list is several items. None if the media type is not a stream,
    or the value no event of one. With `has_separators`, a JSON text sequence is written as it is sent.
    """
    items = value if isinstance(value, list) else [value]
    if is_json_lines(media_type):
        before = _SEPARATOR if has_separators and media_type_essence(media_type).endswith("json-seq") else ""
        return "".join(f"{before}{_json_text(item)}\n" for item in items)
    if is_event_stream(media_type) and items and all(map(is_server_event, items)):
        return "\n".join(map(_event_text, items))
    return None


def is_server_event(item: Any) -> bool:
    """Say whether an item of a stream has the fields of a server-sent event, and no others (HTML §9.2.6)."""
    return isinstance(item, dict) and bool(item) and item.keys() <= _EVENT_FIELDS


def _event_text(event: dict[str, Any]) -> str:
    texts = ((name, value if isinstance(value, str) else _json_text(value)) for name, value in event.items())
    return "".join(f"{name}: {line}\n" for name, text in texts for line in _LINE_END.split(text))


def _json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
