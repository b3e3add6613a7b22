"""Tokens can be issued: with a name, a role, networks, an expiry, and an end."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns; the tokens that are there are those of the last start, and known since now."""
    for name, kind in (
        ("name", sa.Text()),
        ("role", sa.String(16)),
        ("networks", sa.Text()),
        ("is_issued", sa.Boolean()),
        ("created_at", sa.BigInteger()),
        ("expires_at", sa.BigInteger()),
        ("revoked_at", sa.BigInteger()),
    ):
        op.add_column("tokens", sa.Column(name, kind))
    now_us = (datetime.now(UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    tokens = sa.table(
        "tokens",
        sa.column("networks", sa.Text),
        sa.column("is_issued", sa.Boolean),
        sa.column("created_at", sa.BigInteger),
    )
    op.execute(sa.update(tokens).values(networks="", is_issued=False, created_at=now_us))
    with op.batch_alter_table("tokens") as table:
        table.alter_column("networks", existing_type=sa.Text(), nullable=False)
        table.alter_column("is_issued", existing_type=sa.Boolean(), nullable=False)
        table.alter_column("created_at", existing_type=sa.BigInteger(), nullable=False)
    op.create_index("tokens_by_account", "tokens", ["account"])
