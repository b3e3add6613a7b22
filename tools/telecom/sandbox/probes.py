"""Writes that show that a database takes what is written: nothing else does (decision 0045)."""

from datetime import datetime

import sqlalchemy as sa

from telecom.sandbox.database import Database
from telecom.sandbox.tables import METADATA, UtcTime, insert_or_update

_SMALL, _LARGE = 1, 2
_FILLER = "0" * 262_144
"""More than any request writes: a disk that is nearly full takes a small row, and refuses a message."""

PROBES = sa.Table(
    "probes",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("written_at", UtcTime, nullable=False),
    sa.Column("filler", sa.Text),
)
"""One row, which each look at the health writes, and for a moment a large one beside it."""


def write_probe(connection: sa.Connection, now: datetime) -> None:
    """Write a row."""
    _write(connection, {"id": _SMALL, "written_at": now, "filler": None})


def try_to_recover(database: Database, now: datetime) -> bool:
    """Try to write to a database that fails; return whether it takes what is written, at once if it does not
    fail. Raises what it refuses with."""
    failure = database.availability.failure
    if failure is None:
        return True
    if not failure.is_over_when_written:
        return False
    with database.write(shared=True) as connection:
        _write(connection, {"id": _LARGE, "written_at": now, "filler": _FILLER})
    with database.write(shared=True) as connection:
        connection.execute(sa.delete(PROBES).where(PROBES.c.id == _LARGE))
    database.availability.note_write()
    return True


def _write(connection: sa.Connection, row: dict[str, object]) -> None:
    connection.execute(_WRITE[connection.dialect.name], row)


_WRITE = insert_or_update(PROBES, "written_at", "filler")
