"""The tables of the sandbox's database."""

from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class UtcTime(TypeDecorator[datetime]):
    """An aware time, kept as whole microseconds since 1970, so that every database orders it alike."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> int | None:
        """Return what goes into the database."""
        del dialect
        return None if value is None else (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Any) -> datetime | None:
        """Return what comes out of it."""
        del dialect
        return None if value is None else _EPOCH + value * _MICROSECOND


METADATA = sa.MetaData()

TOKENS = sa.Table(
    "tokens",
    METADATA,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("account", sa.String(64), nullable=False),
    sa.Column("scopes", sa.Text, nullable=False),
)

MESSAGES = sa.Table(
    "messages",
    METADATA,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("account", sa.String(64), nullable=False),
    sa.Column("to", sa.String(16), nullable=False),
    sa.Column("channel", sa.String(16), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("segments", sa.Integer, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("accepted_at", UtcTime, nullable=False),
    sa.Column("settles_at", UtcTime, nullable=False),
    sa.Index("messages_to_settle", "status", "settles_at"),
)

IDEMPOTENCY = sa.Table(
    "idempotency",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("operation", sa.String(128), primary_key=True),
    sa.Column("key", sa.String(128), primary_key=True),
    sa.Column("fingerprint", sa.String(64), nullable=False),
    sa.Column("status", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("expires_at", UtcTime, nullable=False),
    sa.Index("idempotency_expiry", "expires_at"),
)

EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("account", sa.String(64), nullable=False),
    sa.Column("subject", sa.String(64), nullable=False),
    sa.Column("type", sa.String(64), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("created_at", UtcTime, nullable=False),
    sa.Column("due_at", UtcTime, nullable=False),
    sa.Index("events_to_send", "state", "due_at"),
)

ATTEMPTS = sa.Table(
    "attempts",
    METADATA,
    sa.Column("event_id", sa.ForeignKey("events.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", UtcTime, nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("status", sa.Integer),
    sa.Column("error", sa.Text),
    sa.Column("duration_ms", sa.Integer, nullable=False),
)

RECEIVERS = sa.Table(
    "receivers",
    METADATA,
    sa.Column("url", sa.Text, primary_key=True),
    sa.Column("disabled_at", UtcTime),
)
