"""The time of the sandbox is kept: until now it was real time."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the table; if a sandbox was started before, it has been going in real time until now."""
    clock = op.create_table(
        "clock",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("mode", sa.String(16), nullable=False),
        sa.Column("speed", sa.Float(53), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("real_at", sa.BigInteger, nullable=False),
        sa.Column("holder", sa.String(64)),
        sa.Column("held_until", sa.BigInteger),
    )
    if op.get_bind().execute(sa.select(sa.func.count()).select_from(sa.table("tokens"))).scalar():
        now_us = (datetime.now(UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
        op.bulk_insert(clock, [{"id": 1, "mode": "real", "speed": 1.0, "at": now_us, "real_at": now_us}])
