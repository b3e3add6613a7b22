"""The tables of the databases that were made before there were migrations."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    _messages()
    _webhooks()
    _calls()
    _registrations()
    _rates()


def _messages() -> None:
    op.create_table(
        "tokens",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
    )
    op.create_table(
        "messages",
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
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("sent_at", sa.BigInteger),
        sa.Column("finished_at", sa.BigInteger),
    )
    op.create_index("messages_newest_first", "messages", ["account", "created_at", "id"])
    op.create_table(
        "message_reports",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("message_id", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("happened_at", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("carrier_status", sa.String(16)),
        sa.Column("error_code", sa.String(64)),
        sa.Column("sent_as", sa.String(16), nullable=False),
        sa.Column("is_receipt", sa.Boolean, nullable=False),
    )
    op.create_index("message_reports_due", "message_reports", ["at"])
    op.create_table(
        "idempotency",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("operation", sa.String(128), primary_key=True),
        sa.Column("key", sa.String(128), primary_key=True),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("subject", sa.String(64)),
        sa.Column("body", sa.Text),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_index("idempotency_by_subject", "idempotency", ["account", "subject"])
    op.create_index("idempotency_expiry", "idempotency", ["expires_at"])


def _webhooks() -> None:
    op.create_table(
        "events",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("type", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_index("events_by_time", "events", ["account", "created_at", "id"])
    op.create_table(
        "deliveries",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("event_id", sa.String(64), primary_key=True),
        sa.Column("endpoint_id", sa.String(64), primary_key=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("attempts_before", sa.Integer, nullable=False),
        sa.Column("replays", sa.Integer, nullable=False),
        sa.Column("due_at", sa.BigInteger),
    )
    op.create_index("deliveries_to_send", "deliveries", ["account", "endpoint_id", "due_at"])
    op.create_table(
        "attempts",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("event_id", sa.String(64), primary_key=True),
        sa.Column("endpoint_id", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("error", sa.Text),
        sa.Column("duration_ms", sa.Integer, nullable=False),
    )
    op.create_table(
        "webhook_endpoints",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("event_types", sa.Text, nullable=False),
        sa.Column("description", sa.Text),
        sa.Column("disabled_reason", sa.String(16)),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("previous_secret", sa.Text),
        sa.Column("previous_expires_at", sa.BigInteger),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
    )
    op.create_index("webhook_endpoints_by_time", "webhook_endpoints", ["account", "created_at", "id"])


def _calls() -> None:
    op.create_table(
        "calls",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("direction", sa.String(16), nullable=False),
        sa.Column("from", sa.String(16), nullable=False),
        sa.Column("to", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("reference", sa.String(64)),
        sa.Column("answered_by", sa.String(16)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("answered_at", sa.BigInteger),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("duration_s", sa.Integer),
        sa.Column("billed_s", sa.Integer),
        sa.Column("end_cause", sa.String(32)),
        sa.Column("sip_code", sa.Integer),
        sa.Column("request", sa.Text),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("pace_us", sa.BigInteger, nullable=False),
        sa.Column("due_at", sa.BigInteger),
    )
    op.create_index("calls_by_age", "calls", ["account", "created_at"])
    op.create_index("calls_due", "calls", ["due_at"])
    op.create_table(
        "numbers",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("number", sa.String(16), nullable=False),
        sa.Column("country", sa.String(2), nullable=False),
        sa.Column("region", sa.String(6)),
        sa.Column("type", sa.String(16), nullable=False),
        sa.Column("features", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("account", "number"),
    )
    op.create_table(
        "available_numbers",
        sa.Column("number", sa.String(16), primary_key=True),
        sa.Column("country", sa.String(2), nullable=False),
        sa.Column("region", sa.String(6)),
        sa.Column("type", sa.String(16), nullable=False),
        sa.Column("features", sa.String(64), nullable=False),
        sa.Column("offered_at", sa.BigInteger, nullable=False),
    )
    op.create_index("available_numbers_by_country", "available_numbers", ["country", "offered_at"])


def _registrations() -> None:
    op.create_table(
        "brands",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("registered", sa.Text, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("decision", sa.String(16), nullable=False),
        sa.Column("reason", sa.String(64)),
        sa.Column("later", sa.String(16)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("decided_at", sa.BigInteger),
        sa.Column("due_at", sa.BigInteger),
    )
    op.create_index("brands_to_decide", "brands", ["due_at"])
    op.create_table(
        "campaigns",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("brand_id", sa.String(64), nullable=False),
        sa.Column("registered", sa.Text, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("decision", sa.String(16), nullable=False),
        sa.Column("reason", sa.String(64)),
        sa.Column("later", sa.String(16)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("decided_at", sa.BigInteger),
        sa.Column("due_at", sa.BigInteger),
    )
    op.create_index("campaigns_of_brand", "campaigns", ["account", "brand_id"])
    op.create_index("campaigns_to_decide", "campaigns", ["due_at"])


def _rates() -> None:
    op.create_table(
        "rate_audit",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.String(80), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("record", sa.String(100), nullable=False),
        sa.Column("from_state", sa.String(16)),
        sa.Column("to_state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("content_sha256", sa.String(64), nullable=False),
        sa.Column("previous_sha256", sa.String(64), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
    )
    op.create_index("ix_rate_audit_record", "rate_audit", ["record"])
    op.create_table(
        "rate_versions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("record", sa.String(100), nullable=False),
        sa.Column("rate_id", sa.String(80), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("country", sa.String(2), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("content_sha256", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.String(80), nullable=False),
        sa.Column("approved_at", sa.BigInteger),
        sa.Column("approved_by", sa.String(80)),
        sa.UniqueConstraint("record"),
    )
    op.create_index("ix_rate_versions_rate_id", "rate_versions", ["rate_id"])
    op.create_index("ix_rate_versions_status", "rate_versions", ["status"])
