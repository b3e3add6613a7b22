"""The tables of the sandbox's database."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(time: datetime) -> int:
    """Return an aware time as whole microseconds since 1970."""
    return (time - _EPOCH) // _MICROSECOND


def from_microseconds(number: int) -> datetime:
    """Return the time that is this many microseconds after the beginning of 1970."""
    return _EPOCH + number * _MICROSECOND


class UtcTime(TypeDecorator[datetime]):
    """An aware time, stored as whole microseconds since 1970, so that every database sorts it alike."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> int | None:
        """Return the value to store."""
        del dialect
        return None if value is None else microseconds(value)

    def process_result_value(self, value: int | None, dialect: Any) -> datetime | None:
        """Return the stored value."""
        del dialect
        return None if value is None else from_microseconds(value)


METADATA = sa.MetaData()


def insert_or_update(table: sa.Table, *columns: str) -> Mapping[str, sa.Insert]:
    """Return, by the dialect's name, an INSERT that only changes these columns if its key exists."""
    inserts = (("sqlite", sqlite.insert(table)), ("postgresql", postgresql.insert(table)))
    return {
        name: insert.on_conflict_do_update(
            index_elements=list(table.primary_key),
            set_={column: insert.excluded[column] for column in columns},
        )
        for name, insert in inserts
    }


def is_running(
    until: sa.ColumnElement[datetime], now: sa.ColumnElement[datetime], duration: timedelta
) -> sa.ColumnElement[bool]:
    """Return an SQL condition: whether what lasts so long until then has not ended.

    What would last more than twice as long from now was begun by a clock that has been set back since; up to
    that the clocks of several machines may differ.
    """
    started = sa.type_coerce(sa.type_coerce(until, sa.BigInteger) - 2 * duration // _MICROSECOND, UtcTime)
    return sa.and_(until > now, started <= now)


def due_index(name: str, *columns: str) -> sa.Index:
    """Return an index on a time as last column, of the rows only that have one: most rows are finished."""
    is_due = sa.text(f"{columns[-1]} IS NOT NULL")
    return sa.Index(name, *columns, sqlite_where=is_due, postgresql_where=is_due)


TOKENS = sa.Table(
    "tokens",
    METADATA,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("account", sa.String(64), nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),
    sa.Column("name", sa.Text),
    sa.Column("role", sa.String(16)),
    sa.Column("networks", sa.Text, nullable=False),
    sa.Column("is_issued", sa.Boolean, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("expires_at", UtcTime),
    sa.Column("revoked_at", UtcTime),
    sa.Index("tokens_by_account", "account"),
)
"""Issued tokens stay until they are revoked; the others are replaced at each start."""

MESSAGES = sa.Table(
    "messages",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("asked", sa.Text, nullable=False),
    sa.Column("to", sa.String(16), nullable=False),
    sa.Column("channel", sa.String(16), nullable=False),
    sa.Column("sent_as", sa.String(16)),
    sa.Column("encoding", sa.String(16)),
    sa.Column("segments", sa.Integer, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("carrier_status", sa.String(16)),
    sa.Column("error_code", sa.String(64)),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("sent_at", UtcTime),
    sa.Column("finished_at", UtcTime),
    sa.Column("starts_at", UtcTime, nullable=False),
    sa.Column("pace_us", sa.BigInteger, nullable=False),
    sa.Column("reported", sa.Integer, nullable=False),
    sa.Column("due_at", UtcTime),
    sa.Index("messages_newest_first", "account", "created_at", "id"),
    due_index("messages_due", "due_at"),
)
"""`starts_at` is when a message leaves the queue, `pace_us` how long a second lasts for it, `reported` how
many of the reports of its course have come in, and `due_at` when the next one does, null if none does."""

IDEMPOTENCY = sa.Table(
    "idempotency",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("operation", sa.String(128), primary_key=True),
    sa.Column("key", sa.String(128), primary_key=True),
    sa.Column("fingerprint", sa.String(64), nullable=False),
    sa.Column("status", sa.Integer, nullable=False),
    sa.Column("subject", sa.String(64)),
    sa.Column("body", sa.Text),
    sa.Column("expires_at", UtcTime, nullable=False),
    sa.Index("idempotency_expiry", "expires_at"),
    sa.Index("idempotency_by_subject", "account", "subject"),
)
"""`subject` is the identifier of what the response shows; `body` is null if the response is no longer stored."""

EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("subject", sa.String(64), nullable=False),
    sa.Column("type", sa.String(64), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Index("events_by_time", "account", "created_at", "id"),
)
