"""Adds entries to the audit log. An entry that would break a rule of the log is refused."""

from dataclasses import dataclass, replace
from datetime import datetime

from devportal.catalog.audit.history import apply_entry, histories
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, History, Role
from devportal.catalog.audit.log import FIRST, AuditEntry, AuditLog, with_line_sha256
from devportal.catalog.records.version_ref import RecordRef
from devportal.errors import RefusedWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One write: who does what to which version, when, and with which content. `at` is aware, in UTC."""

    at: datetime
    actor: str
    action: Action
    record: RecordRef
    content_sha256: str
    reason: str = ""
    role: Role | None = None
    """The role the actor acts in. None means the role that the action needs."""


class Journal:
    """Appends entries to a log, each in constant time."""

    def __init__(self, log: AuditLog, *, name: str = "audit.jsonl") -> None:
        """Start at the end of a log that messages call `name`."""
        self._log = log
        self._name = name
        self._histories = dict(histories(log))
        self._added: list[AuditEntry] = []

    @property
    def added_entries(self) -> tuple[AuditEntry, ...]:
        """Return the entries that were added, in their order."""
        return tuple(self._added)

    @property
    def log(self) -> AuditLog:
        """Return the whole log with the added entries."""
        return replace(self._log, entries=(*self._log.entries, *self._added))

    def history(self, record: RecordRef) -> History:
        """Return the current history of a version."""
        return self._histories.get(record, History())

    def record(self, write: Write) -> AuditEntry:
        """Add a write and return its entry. Raises RefusedWrite, which names the broken rule."""
        entry = self._new_entry(write)
        history = self.history(write.record)
        next_history = apply_entry(history, entry, self._log.roles)
        if findings := next_history.findings[len(history.findings) :]:
            raise RefusedWrite(f"{findings[0].message} [{findings[0].rule}]", help=findings[0].help)
        self._histories[write.record] = next_history
        return self._add(entry)

    def deny(self, write: Write) -> AuditEntry:
        """Add a denied attempt and return its entry. It changes no state."""
        return self._add(replace(self._new_entry(write), denied=True))

    def _new_entry(self, write: Write) -> AuditEntry:
        transition = TRANSITIONS[write.action]
        last = self._last_entry
        return AuditEntry(
            at=write.at,
            actor=write.actor,
            role=write.role or transition.role,
            action=write.action,
            record=write.record,
            from_state=self.history(write.record).state,
            to_state=transition.target,
            reason=write.reason,
            content_sha256=write.content_sha256,
            previous_sha256=last.line_sha256 if last else FIRST,
            file=self._name,
            line_number=len(self._log.entries) + len(self._added) + 1,
        )

    def _add(self, entry: AuditEntry) -> AuditEntry:
        last = self._last_entry
        if last is not None and entry.at < last.at:
            raise RefusedWrite(
                f"{entry.at.isoformat()} is earlier than the latest entry, {last.at.isoformat()}",
                help="correct the clock of this machine",
            )
        self._added.append(with_line_sha256(entry))
        return self._added[-1]

    @property
    def _last_entry(self) -> AuditEntry | None:
        entries = self._added or self._log.entries
        return entries[-1] if entries else None
