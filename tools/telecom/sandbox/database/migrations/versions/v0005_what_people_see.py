"""What people and monitors see: signs of life, who is signed in, and how attempts were signed."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the tables and columns; of attempts that were made before, nobody knows how they were signed."""
    op.create_table(
        "workers",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "probes",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("written_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "page_sessions",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("token_digest", sa.String(64), nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.add_column("attempts", sa.Column("signed_at", sa.BigInteger))
    op.add_column("attempts", sa.Column("signed_with", sa.Text))
