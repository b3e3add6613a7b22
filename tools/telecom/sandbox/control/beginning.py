"""The way back to the beginning: everything is deleted that was not there before the first start."""

import sqlalchemy as sa

from telecom.sandbox.heartbeats import WORKERS
from telecom.sandbox.pages.sessions import SESSIONS
from telecom.sandbox.probes import PROBES
from telecom.sandbox.quotas import QUOTAS
from telecom.sandbox.tables import METADATA, TOKENS
from telecom.sandbox.timekeeping import CLOCK

KEPT = frozenset({TOKENS, SESSIONS, CLOCK, WORKERS, PROBES, QUOTAS})
"""Who may do what and how often, what time it is, and how the sandbox fares, stay as they are."""


def clear(connection: sa.Connection) -> None:
    """Delete everything but what is kept."""
    for table in reversed(METADATA.sorted_tables):
        if table not in KEPT:
            connection.execute(sa.delete(table))
