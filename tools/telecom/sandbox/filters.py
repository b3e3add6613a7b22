"""The filters of lists: conditions made from the query parameters that were sent."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from telecom.problems import Kind
from telecom.sandbox.exchange import Call, Refused
from telecom.times import nearest_rfc3339


def equal(call: Call, columns: Mapping[str, sa.Column[Any]]) -> tuple[sa.ColumnElement[bool], ...]:
    """Return a condition for each of these parameters that was sent: its column has the value."""
    return tuple(column == call.query[name] for name, column in columns.items() if name in call.query)


def fits(call: Call, values: Mapping[str, Any]) -> bool:
    """Say whether something that no table holds has the value of each of these parameters that was sent."""
    return all(call.query[name] == value for name, value in values.items() if name in call.query)


def created_between(call: Call, at: sa.Column[datetime]) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions of `created_after` (inclusive) and `created_before` (exclusive; decision 0018).

    Raises Refused (400) for what is no time.
    """
    after, before = _time(call, "created_after"), _time(call, "created_before")
    return (
        *((at >= after,) if after is not None else ()),
        *((at < before,) if before is not None else ()),
    )


def _time(call: Call, name: str) -> datetime | None:
    text = call.query.get(name)
    if text is None:
        return None
    moment = nearest_rfc3339(text)
    if moment is None:
        raise Refused(Kind.INVALID_PARAMETER, f"The query parameter {name!r}: {text!r} is no time we know.")
    return moment
