"""Lists: filters, pages with the newest first, and cursors."""

import base64
import binascii
import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy as sa

from telecom.problems import ProblemKind
from telecom.sandbox.api.exchange import OperationRequest, RequestRefused
from telecom.sandbox.database.tables import UtcTime
from telecom.times import parse_rfc3339_clamped

DEFAULT_LIMIT = 20
_PAGE_PARAMETERS = frozenset({"limit", "cursor"})

_ItemT = TypeVar("_ItemT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The rows of one page, newest first, and the cursor of the next page, None if this is the last."""

    rows: tuple[sa.RowMapping, ...]
    next_cursor: str | None

    def body(self, item: Callable[[sa.RowMapping], dict[str, Any]]) -> dict[str, Any]:
        """Return the page as the JSON object of a list operation, each row written by `item`."""
        return {"data": [item(row) for row in self.rows], "next_cursor": self.next_cursor}


def read_page(
    connection: sa.Connection,
    query: sa.Select[Any],
    call: OperationRequest,
    *,
    at: sa.Column[datetime],
    key: sa.Column[str],
) -> Page:
    """Return the page that a request asks for, of the rows of a query without order and limit.

    Rows are ordered by the time `at`, then by the identifier `key`, both of them columns of the query. Raises
    RequestRefused (404) if the cursor is not of this list with these filters.
    """
    limit = call.query.get("limit", DEFAULT_LIMIT)
    if "cursor" in call.query:
        query = query.where(_after_position(_position(call), at, key))
    rows = connection.execute(query.order_by(at.desc(), key.desc()).limit(limit + 1)).mappings().all()
    page_rows = rows[:limit]
    has_more = len(rows) > limit
    return Page(
        rows=tuple(page_rows),
        next_cursor=_cursor(call, page_rows[-1][at], page_rows[-1][key]) if has_more else None,
    )


def list_page(
    items: Sequence[_ItemT],
    call: OperationRequest,
    *,
    key: Callable[[_ItemT], tuple[str, ...]],
    item: Callable[[_ItemT], dict[str, Any]],
) -> dict[str, Any]:
    """Return the page that a request asks for, of items that are in no table and are sorted by their unique
    keys. Raises RequestRefused (404) as `read_page` does."""
    if "cursor" in call.query:
        items = items[bisect_right(items, _decode_cursor(call), key=key) :]
    limit = call.query.get("limit", DEFAULT_LIMIT)
    page_items = items[:limit]
    next_cursor = _encode_cursor(call, *key(page_items[-1])) if len(items) > limit else None
    return {"data": [item(row) for row in page_items], "next_cursor": next_cursor}


def _after_position(
    position: tuple[datetime, str], at: sa.Column[datetime], key: sa.Column[str]
) -> sa.ColumnElement[bool]:
    moment, identifier = position
    return sa.or_(at < moment, sa.and_(at == moment, key < identifier))


def _cursor(call: OperationRequest, at: datetime, key: str) -> str:
    return _encode_cursor(call, str(UtcTime().process_bind_param(at, None)), key)


def _position(call: OperationRequest) -> tuple[datetime, str]:
    position = _decode_cursor(call)
    try:
        moment, key = position
        at = UtcTime().process_result_value(int(moment), None)
    except (ValueError, OverflowError):
        raise _invalid_cursor(call) from None
    if at is None:
        raise _invalid_cursor(call)
    return at, key


def _encode_cursor(call: OperationRequest, *position: str) -> str:
    json_text = json.dumps([*position, cursor_digest(call, position)], separators=(",", ":"))
    return base64.urlsafe_b64encode(json_text.encode()).decode("ascii").rstrip("=")


def _decode_cursor(call: OperationRequest) -> tuple[str, ...]:
    text: str = call.query["cursor"]
    try:
        padded = text + "=" * (-len(text) % 4)
        parts = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        raise _invalid_cursor(call) from None
    if not isinstance(parts, list) or not all(_is_text(part) for part in parts):
        raise _invalid_cursor(call)
    if not parts or parts[-1] != cursor_digest(call, parts[:-1]):
        raise _invalid_cursor(call)
    return tuple(parts[:-1])


def _is_text(part: Any) -> bool:
    """Return whether a part is a text that a database accepts: JSON can hold half of a surrogate pair."""
    return isinstance(part, str) and part.encode(errors="replace").decode() == part


def cursor_digest(call: OperationRequest, position: Sequence[str]) -> str:
    """Return the hash that binds a position to its list: the operation, its path, its filters and, unless the
    list is public, the account. A cursor that was cut or changed does not match it."""
    filters = {name: value for name, value in call.query.items() if name not in _PAGE_PARAMETERS}
    account = call.grant.account if call.operation.security else None
    canonical = json.dumps(
        [call.operation.id, dict(call.path), filters, account, list(position)], sort_keys=True
    )
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def _invalid_cursor(call: OperationRequest) -> RequestRefused:
    return RequestRefused(
        ProblemKind.INVALID_CURSOR,
        f"The cursor {call.query['cursor'][:60]!r} does not belong to this list with these filters. "
        "Start the list again.",
    )


def equality_filters(
    call: OperationRequest, columns: Mapping[str, sa.Column[Any]]
) -> tuple[sa.ColumnElement[bool], ...]:
    """Return a condition for each of these parameters that was sent: its column equals the value."""
    return tuple(column == call.query[name] for name, column in columns.items() if name in call.query)


def matches_filters(call: OperationRequest, values: Mapping[str, Any]) -> bool:
    """Return whether an item that is in no table matches each of these parameters that was sent."""
    return all(call.query[name] == value for name, value in values.items() if name in call.query)


def created_between(call: OperationRequest, at: sa.Column[datetime]) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions of `created_after` (inclusive) and `created_before` (exclusive; decision 0018).

    Raises RequestRefused (400) for a text that is not a time.
    """
    after, before = _parse_time(call, "created_after"), _parse_time(call, "created_before")
    return (
        *((at >= after,) if after is not None else ()),
        *((at < before,) if before is not None else ()),
    )


def _parse_time(call: OperationRequest, name: str) -> datetime | None:
    text = call.query.get(name)
    if text is None:
        return None
    moment = parse_rfc3339_clamped(text)
    if moment is None:
        raise RequestRefused(
            ProblemKind.INVALID_PARAMETER, f"The query parameter {name!r}: {text!r} is not a time we know."
        )
    return moment
