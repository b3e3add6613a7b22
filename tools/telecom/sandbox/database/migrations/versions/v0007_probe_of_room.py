"""Room that a probe takes, to see whether there is some."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column, empty but for the moment in which a probe writes to it."""
    op.add_column("probes", sa.Column("filler", sa.Text))
