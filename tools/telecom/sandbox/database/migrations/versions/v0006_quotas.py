"""What remains of the quotas of requests, where several processes answer them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the table. A server need not keep it over a crash, so writing to it waits for no disk."""
    is_server = op.get_bind().dialect.name == "postgresql"
    op.create_table(
        "quotas",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("api", sa.String(64), primary_key=True),
        sa.Column("address", sa.String(64), primary_key=True),
        sa.Column("ends_at", sa.BigInteger, nullable=False),
        sa.Column("used", sa.Integer, nullable=False),
        prefixes=["UNLOGGED"] if is_server else [],
    )
