"""Messages follow their own course and have a pace, and workers lease what they deliver."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_SECOND_US = 1_000_000


def upgrade() -> None:
    """Change the tables; what was to be reported of a message is reported at the same time."""
    _follow_courses()
    _lease()
    _pace()


def _follow_courses() -> None:
    op.add_column("messages", sa.Column("starts_at", sa.BigInteger))
    op.add_column("messages", sa.Column("pace_us", sa.BigInteger))
    op.add_column("messages", sa.Column("reported", sa.Integer))
    op.add_column("messages", sa.Column("due_at", sa.BigInteger))
    reports = sa.table("message_reports", *map(sa.column, ("account", "message_id", "number", "at")))
    names = ("account", "id", "created_at", "starts_at", "pace_us", "reported", "due_at")
    messages = sa.table("messages", *map(sa.column, names))
    is_of = (reports.c.account == messages.c.account) & (reports.c.message_id == messages.c.id)
    op.execute(
        sa.update(messages).values(
            starts_at=messages.c.created_at,
            pace_us=_SECOND_US,
            reported=sa.func.coalesce(
                sa.select(sa.func.min(reports.c.number)).where(is_of).scalar_subquery(), 0
            ),
            due_at=sa.select(sa.func.min(reports.c.at)).where(is_of).scalar_subquery(),
        )
    )
    with op.batch_alter_table("messages") as table:
        for name, kind in (
            ("starts_at", sa.BigInteger()),
            ("pace_us", sa.BigInteger()),
            ("reported", sa.Integer()),
        ):
            table.alter_column(name, existing_type=kind, nullable=False)
    _due_index("messages_due", "messages", "due_at")
    op.drop_table("message_reports")
    op.drop_index("calls_due", "calls")
    _due_index("calls_due", "calls", "due_at")


def _lease() -> None:
    op.add_column("deliveries", sa.Column("leased_until", sa.BigInteger))
    op.drop_index("deliveries_to_send", "deliveries")
    _due_index("deliveries_to_send", "deliveries", "account", "endpoint_id", "due_at")


def _pace() -> None:
    op.create_table(
        "paces",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("of", sa.String(16), primary_key=True),
        sa.Column("free_at", sa.BigInteger, nullable=False),
    )


def _due_index(name: str, table: str, *columns: str) -> None:
    is_due = sa.text(f"{columns[-1]} IS NOT NULL")
    op.create_index(name, table, list(columns), sqlite_where=is_due, postgresql_where=is_due)
