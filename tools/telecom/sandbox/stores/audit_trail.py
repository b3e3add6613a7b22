"""The audit log of rate versions in the database: an entry for each write, in the transaction of the write.

Entries and rules are those of `devportal.catalog`: what the catalog would report as a problem is never
written. Rows are only ever added; the publication gate replays them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from devportal.catalog import AuditEntry, AuditLog
from devportal.catalog.audit.history import histories
from devportal.catalog.audit.journal import Journal, Write
from devportal.catalog.audit.lifecycle import Action, History, Role, State
from devportal.catalog.audit.log import FIRST, with_line_sha256
from devportal.catalog.records.version_ref import RecordRef
from telecom.sandbox.database.tables import METADATA, UtcTime

_PREFIX = "aud_"

AUDIT = sa.Table(
    "rate_audit",
    METADATA,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("at", UtcTime, nullable=False),
    sa.Column("actor", sa.String(80), nullable=False),
    sa.Column("role", sa.String(16), nullable=False),
    sa.Column("action", sa.String(16), nullable=False),
    sa.Column("record", sa.String(100), nullable=False, index=True),
    sa.Column("from_state", sa.String(16)),
    sa.Column("to_state", sa.String(16), nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("content_sha256", sa.String(64), nullable=False),
    sa.Column("previous_sha256", sa.String(64), nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
)


def append_entry(
    connection: sa.Connection,
    *,
    at: datetime,
    actor: str,
    action: Action,
    record: RecordRef,
    content_sha256: str,
    reason: str = "",
) -> None:
    """Add an entry; raises RefusedWrite if the lifecycle, the four-eyes rule or the content forbids it.

    Times are whole seconds and never go back, whatever the clock does: the log is the order of the writes.
    """
    last = _latest_entries(connection)
    others = tuple(entry for entry in last if entry.record != record)
    journal = Journal(AuditLog(entries=(*_entries_of(connection, record), *others)))
    write = Write(
        at=max([at.replace(microsecond=0), *(entry.at for entry in last)]),
        actor=actor,
        action=action,
        record=record,
        content_sha256=content_sha256,
        reason=reason,
    )
    _insert(connection, (journal.record(write),))


def add_entries(connection: sa.Connection, entries: Iterable[AuditEntry]) -> Sequence[AuditEntry]:
    """Add entries of another log in their order, and return them as stored.

    They are linked to the existing ones; one that is older than the latest gets its time.
    """
    linked: list[AuditEntry] = []
    last = next(iter(_latest_entries(connection)), None)
    for entry in entries:
        at = entry.at if last is None else max(entry.at, last.at)
        previous = FIRST if last is None else last.line_sha256
        linked_entry = replace(entry, at=at, previous_sha256=previous)
        last = with_line_sha256(linked_entry)
        linked.append(last)
    _insert(connection, linked)
    return linked


def _insert(connection: sa.Connection, entries: Iterable[AuditEntry]) -> None:
    entry_id = last_entry_id(connection)
    rows = []
    for entry in entries:
        entry_id = _next_entry_id(entry_id)
        rows.append(_row(entry_id, entry))
    if rows:
        connection.execute(sa.insert(AUDIT), rows)


def _row(entry_id: str, entry: AuditEntry) -> dict[str, Any]:
    return {
        "id": entry_id,
        "at": entry.at,
        "actor": entry.actor,
        "role": entry.role.value,
        "action": entry.action.value,
        "record": str(entry.record),
        "from_state": entry.from_state.value if entry.from_state is not None else None,
        "to_state": entry.to_state.value,
        "reason": entry.reason,
        "content_sha256": entry.content_sha256,
        "previous_sha256": entry.previous_sha256,
        "sha256": entry.line_sha256,
    }


def history_of(connection: sa.Connection, record: RecordRef) -> History:
    """Return the history of a version by its entries."""
    return histories(AuditLog(entries=_entries_of(connection, record))).get(record, History())


def audit_log(connection: sa.Connection) -> AuditLog:
    """Return the whole log. Hashes are computed again, so that a changed row breaks the chain."""
    return AuditLog(entries=_entries(connection, sa.select(AUDIT).order_by(AUDIT.c.id)))


def last_entry_id(connection: sa.Connection) -> str | None:
    """Return the identifier of the latest entry, None if there is none. Identifiers sort in the order of
    writing."""
    last: str | None = connection.execute(sa.select(sa.func.max(AUDIT.c.id))).scalar()
    return last


def entry_json(row: sa.RowMapping) -> dict[str, Any]:
    """Return a row with its version's `rate_version_id` as the schema `AuditEntry` has it."""
    entry = _entry(row)
    return {
        "id": row["id"],
        "rate_version_id": row["rate_version_id"],
        "at": entry.at.isoformat().replace("+00:00", "Z"),
        "actor": entry.actor,
        "role": str(entry.role),
        "action": str(entry.action),
        "record": str(entry.record),
        "from": None if entry.from_state is None else str(entry.from_state),
        "to": str(entry.to_state),
        "reason": entry.reason,
        "content_sha256": entry.content_sha256,
        "previous_sha256": entry.previous_sha256,
        "sha256": row["sha256"],
    }


def _next_entry_id(entry_id: str | None) -> str:
    number = int(entry_id.removeprefix(_PREFIX)) if entry_id is not None else 0
    return f"{_PREFIX}{number + 1:012}"


def _entries_of(connection: sa.Connection, record: RecordRef) -> tuple[AuditEntry, ...]:
    query = sa.select(AUDIT).where(AUDIT.c.record == str(record)).order_by(AUDIT.c.id)
    return _entries(connection, query)


def _latest_entries(connection: sa.Connection) -> tuple[AuditEntry, ...]:
    return _entries(connection, sa.select(AUDIT).order_by(AUDIT.c.id.desc()).limit(1))


def _entries(connection: sa.Connection, query: sa.Select[Any]) -> tuple[AuditEntry, ...]:
    return tuple(_entry(row) for row in connection.execute(query).mappings())


def _entry(row: sa.RowMapping) -> AuditEntry:
    entry = AuditEntry(
        at=row["at"],
        actor=row["actor"],
        role=Role(row["role"]),
        action=Action(row["action"]),
        record=RecordRef.parse(row["record"]),
        from_state=State(row["from_state"]) if row["from_state"] is not None else None,
        to_state=State(row["to_state"]),
        reason=row["reason"],
        content_sha256=row["content_sha256"],
        previous_sha256=row["previous_sha256"],
    )
    return with_line_sha256(entry)
