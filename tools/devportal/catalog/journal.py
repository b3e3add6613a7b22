"""Adds an entry to the audit log, or refuses: what the log would call a fault is never written."""

from datetime import datetime

from devportal.catalog.audit import AuditEntry, AuditLog
from devportal.catalog.history import History, after, histories
from devportal.catalog.lifecycle import TRANSITIONS, Action, Role
from devportal.catalog.ref import RecordRef
from devportal.errors import RefusedWrite


def recorded(
    log: AuditLog,
    *,
    at: datetime,
    actor: str,
    role: Role,
    action: Action,
    record: RecordRef,
    content_sha256: str,
    reason: str = "",
) -> AuditLog:
    """Return the log with one more entry; raises RefusedWrite, which names the rule against it."""
    history = histories(log).get(record, History())
    entry = AuditEntry(
        at=at,
        actor=actor,
        role=role,
        action=action,
        record=record,
        from_state=history.state,
        to_state=TRANSITIONS[action].target,
        reason=reason,
        content_sha256=content_sha256,
        previous_sha256=log.last_sha256,
    )
    if faults := after(history, entry).faults[len(history.faults) :]:
        fault = faults[0]
        raise RefusedWrite(f"{fault.message} [{fault.rule}]", help=fault.help)
    if log.entries and at < log.entries[-1].at:
        raise RefusedWrite(
            f"{at.isoformat()} is earlier than the latest entry, {log.entries[-1].at.isoformat()}",
            help="correct the clock of this machine",
        )
    return log.chained(entry)
