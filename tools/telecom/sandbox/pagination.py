"""Pages of a list, newest first: what was asked for, what is returned, and where the next page goes on.

A cursor is the key of the last item of a page, with the mark of the list and filters it belongs to. It holds
nothing secret and is kept nowhere: what it can name, the query finds only among the account's own things.
"""

import base64
import binascii
import hashlib
import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import sqlalchemy as sa

from telecom.problems import Kind
from telecom.sandbox.exchange import Call, Refused
from telecom.sandbox.tables import UtcTime

DEFAULT_LIMIT = 20
_SELECTIONS = frozenset({"limit", "cursor"})

_ItemT = TypeVar("_ItemT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The rows of one page, newest first, and the cursor of the next one, None where this is the last."""

    rows: tuple[sa.RowMapping, ...]
    next_cursor: str | None

    def body(self, item: Callable[[sa.RowMapping], dict[str, Any]]) -> dict[str, Any]:
        """Return the page as the JSON object of a list operation, each row written by `item`."""
        return {"data": [item(row) for row in self.rows], "next_cursor": self.next_cursor}


def read_page(
    connection: sa.Connection,
    query: sa.Select[Any],
    call: Call,
    *,
    at: sa.Column[datetime],
    key: sa.Column[str],
) -> Page:
    """Return the page that a call asks for, of the rows of a query that has no order and no limit.

    Rows are ordered by the time `at`, then by the identifier `key`, both of them columns of the query. Raises
    Refused (404) where the cursor is none of this list with these filters.
    """
    limit = call.query.get("limit", DEFAULT_LIMIT)
    if "cursor" in call.query:
        query = query.where(_after(_position(call), at, key))
    rows = connection.execute(query.order_by(at.desc(), key.desc()).limit(limit + 1)).mappings().all()
    shown = rows[:limit]
    more = len(rows) > limit
    return Page(
        rows=tuple(shown),
        next_cursor=_cursor(call, shown[-1][at], shown[-1][key]) if more else None,
    )


def page_of(
    items: Sequence[_ItemT],
    call: Call,
    *,
    key: Callable[[_ItemT], tuple[str, ...]],
    item: Callable[[_ItemT], dict[str, Any]],
) -> dict[str, Any]:
    """Return the page that a call asks for, of items that no table holds and that stand in the order of
    their keys, each of which is another. Raises Refused (404) as `read_page` does.
    """
    if "cursor" in call.query:
        items = items[bisect_right(items, _decoded(call), key=key) :]
    limit = call.query.get("limit", DEFAULT_LIMIT)
    shown = items[:limit]
    next_cursor = _encoded(call, *key(shown[-1])) if len(items) > limit else None
    return {"data": [item(one) for one in shown], "next_cursor": next_cursor}


def _after(
    position: tuple[datetime, str], at: sa.Column[datetime], key: sa.Column[str]
) -> sa.ColumnElement[bool]:
    moment, identifier = position
    return sa.or_(at < moment, sa.and_(at == moment, key < identifier))


def _cursor(call: Call, at: datetime, key: str) -> str:
    return _encoded(call, str(UtcTime().process_bind_param(at, None)), key)


def _position(call: Call) -> tuple[datetime, str]:
    position = _decoded(call)
    try:
        moment, key = position
        at = UtcTime().process_result_value(int(moment), None)
    except (ValueError, OverflowError):
        raise _refused(call) from None
    if at is None:
        raise _refused(call)
    return at, key


def _encoded(call: Call, *position: str) -> str:
    written = json.dumps([*position, _mark(call)], separators=(",", ":"))
    return base64.urlsafe_b64encode(written.encode()).decode("ascii").rstrip("=")


def _decoded(call: Call) -> tuple[str, ...]:
    text: str = call.query["cursor"]
    try:
        padded = text + "=" * (-len(text) % 4)
        written = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        raise _refused(call) from None
    if not isinstance(written, list) or not all(_is_text(part) for part in written):
        raise _refused(call)
    if not written or written[-1] != _mark(call):
        raise _refused(call)
    return tuple(written[:-1])


def _is_text(part: Any) -> bool:
    """Say whether a part is a text that a database can take: JSON can write half of a surrogate pair."""
    return isinstance(part, str) and part.encode(errors="replace").decode() == part


def _mark(call: Call) -> str:
    """Return what ties a cursor to the operation, its path and its filters."""
    filters = {name: value for name, value in call.query.items() if name not in _SELECTIONS}
    listed = json.dumps([call.operation.id, dict(call.path), filters], sort_keys=True)
    return hashlib.sha256(listed.encode()).hexdigest()[:12]


def _refused(call: Call) -> Refused:
    return Refused(
        Kind.INVALID_CURSOR,
        f"The cursor {call.query['cursor'][:60]!r} does not belong to this list with these filters. "
        "Start the list anew.",
    )
