"""The way back to the beginning: everything is deleted that was not there before the first start."""

import sqlalchemy as sa

from telecom.sandbox.tables import METADATA, TOKENS
from telecom.sandbox.timekeeping import CLOCK

KEPT = frozenset({TOKENS, CLOCK})
"""Who may do what, and what time it is, stay as they are."""


def clear(connection: sa.Connection) -> None:
    """Delete everything but what is kept."""
    for table in reversed(METADATA.sorted_tables):
        if table not in KEPT:
            connection.execute(sa.delete(table))
