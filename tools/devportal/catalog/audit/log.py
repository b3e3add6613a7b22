"""The audit log as a file: its lines, and how to read them."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from devportal.catalog.audit.lifecycle import Action, History, Role, State
from devportal.catalog.audit.roles import Roles
from devportal.catalog.records.json_schemas import shape_of
from devportal.catalog.records.version_ref import RecordRef
from devportal.documents import Document, parse_document
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level

FIRST = "0" * 64
"""The previous hash in the first line."""
DENIED = "denied"
"""The `outcome` of an entry that changed nothing; other entries have no `outcome`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One write: when, who in which role did what to which version, and the content.

    A `denied` entry was refused because the actor may not do it. It changed nothing: `role` is the role that
    it needs, `to_state` the state it would have led to.
    """

    at: datetime
    actor: str
    role: Role
    action: Action
    record: RecordRef
    from_state: State | None
    to_state: State
    reason: str
    content_sha256: str
    previous_sha256: str
    denied: bool = False
    line_sha256: str = field(default="", compare=False)
    file: str = field(default="audit.jsonl", compare=False, repr=False)
    line_number: int = field(default=0, compare=False, repr=False)
    """The number of its line in the file, from 1; 0 if it has none yet."""

    @property
    def place(self) -> Place:
        """Return where the entry is. It is made when it is asked for: logs have hundreds of thousands of entries."""
        return Place(file=self.file, line=self.line_number, column=min(self.line_number, 1))

    def line(self) -> str:
        """Return the entry as its line of the log, without a line break."""
        members = {
            "at": self.at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "actor": self.actor,
            "role": self.role,
            "action": self.action,
            "record": str(self.record),
            "from": self.from_state,
            "to": self.to_state,
            "reason": self.reason,
            "content_sha256": self.content_sha256,
            "previous_sha256": self.previous_sha256,
        }
        if self.denied:
            members["outcome"] = DENIED
        return json.dumps(members, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLog:
    """The entries in the order written; `complete` is false if a line, or the roles, could not be read.

    `roles` lists who may write. It is None if there is no such file, or if the log `has_unread_roles`. A log
    that `is_unread` exists, but has no entries here.
    """

    entries: tuple[AuditEntry, ...] = ()
    complete: bool = True
    roles: Roles | None = None
    is_unread: bool = False
    has_unread_roles: bool = False
    kept_histories: Mapping[RecordRef, History] | None = field(
        init=False, default=None, compare=False, repr=False
    )
    """The cached result of `devportal.catalog.audit.history.histories` for this log."""

    @property
    def last_sha256(self) -> str:
        """Return the hash that the next entry names as the line before it."""
        return self.entries[-1].line_sha256 if self.entries else FIRST

    def with_entry(self, entry: AuditEntry) -> "AuditLog":
        """Return the log with an entry added. Its hashes and line number follow from the log."""
        linked = replace(entry, previous_sha256=self.last_sha256)
        entry_with_hash = replace(with_line_sha256(linked), line_number=len(self.entries) + 1)
        return replace(self, entries=(*self.entries, entry_with_hash))

    def text(self) -> str:
        """Return the whole log as its file holds it."""
        return "".join(entry.line() + "\n" for entry in self.entries)


def with_line_sha256(entry: AuditEntry) -> AuditEntry:
    """Return an entry with the hash of its line, which the next entry names."""
    return replace(entry, line_sha256=line_sha256(entry.line()))


def line_sha256(line: str) -> str:
    """Return the SHA-256 of a line of the log, without its line break."""
    return hashlib.sha256(line.encode()).hexdigest()


_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
_ACTOR = r"(?=.{1,80}\")[a-z0-9]+(?:[._-][a-z0-9]+)*"
_RECORD = r"(?:rates|coverage)/[a-z0-9]+(?:-[a-z0-9]+)*@[1-9][0-9]{0,5}"
_REASON = r"[^\"\\\x00-\x1f\ud800-\udfff]{0,2000}"
_SHA256 = r"[0-9a-f]{64}"
_LINE = re.compile(
    rf'\{{"at": "({_TIME})", "actor": "({_ACTOR})", "role": "([a-z]+)", "action": "([a-z]+)", '
    rf'"record": "({_RECORD})", "from": (null|"[a-z]+"), "to": "([a-z]+)", "reason": "({_REASON})", '
    rf'"content_sha256": "({_SHA256})", "previous_sha256": "({_SHA256})"(, "outcome": "{DENIED}")?\}}'
)
_ROLES = {role.value: role for role in Role}
_ACTIONS = {action.value: action for action in Action}
_TO = {state.value: state for state in State}
_FROM: dict[str, State | None] = {f'"{state.value}"': state for state in State} | {"null": None}


class LineReader:
    """Reads the lines of one log. Repeated values (actors, versions, hashes) are stored once."""

    def __init__(self, name: str) -> None:
        """Start without entries, for a log that messages call `name`."""
        self._name = name
        self._refs: dict[str, RecordRef] = {}
        self._last_sha256 = FIRST
        texts: dict[str, str] = {}
        self._shared = texts.setdefault

    def parse_line(self, line: str, number: int) -> AuditEntry | None:
        """Return the entry of a line, by its number from 1; None if the line needs the slower parser."""
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        at, actor, role, action, record, before, after, reason, content, previous, denied = match.groups()
        shared, last_sha256 = self._shared, self._last_sha256
        self._last_sha256 = line_sha256(line)
        try:
            return AuditEntry(
                at=datetime.fromisoformat(at),
                actor=shared(actor, actor),
                role=_ROLES[role],
                action=_ACTIONS[action],
                record=self._ref(record),
                from_state=_FROM[before],
                to_state=_TO[after],
                reason=shared(reason, reason),
                content_sha256=shared(content, content),
                previous_sha256=last_sha256 if previous == last_sha256 else previous,
                denied=denied is not None,
                line_sha256=self._last_sha256,
                file=self._name,
                line_number=number,
            )
        except (KeyError, ValueError):
            return None

    def _ref(self, record: str) -> RecordRef:
        ref = self._refs.get(record)
        if ref is None:
            ref = self._refs[record] = RecordRef.parse(record)
        return ref


MAX_LINE = 32_768
"""The longest line that is read, in code points: the longest reason fits, even if all of it is escaped. The
number of lines is not limited, because a log cannot be split.
"""


def parse_audit(text: str, *, name: str) -> tuple[AuditLog, tuple[Finding, ...]]:
    """Return the log and its findings. A log with findings is not complete, so it publishes nothing."""
    entries: list[AuditEntry] = []
    findings: list[Finding] = []
    reader = LineReader(name)
    number = 0
    for number, line in enumerate(_lines(text), 1):
        entry = reader.parse_line(line, number)
        if entry is None:
            entry, line_findings = parse_irregular_line(line, name, number)
            findings.extend(line_findings)
        if entry is not None:
            entries.append(entry)
    rest = text[text.rfind("\n") + 1 :]
    if rest:
        findings.append(_broken_log_finding(name, number + 1, f"the last line does not end: {rest[:40]!r}"))
    return AuditLog(entries=tuple(entries), complete=not findings), tuple(findings)


def _lines(text: str) -> Iterator[str]:
    """Yield the complete lines. Unlike `split`, this does not copy all of a long log."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1


def parse_irregular_line(line: str, name: str, number: int) -> tuple[AuditEntry | None, tuple[Finding, ...]]:
    """Return the entry of any line, by its number from 1, or the findings of the line."""
    if len(line) > MAX_LINE:
        return None, (
            _broken_log_finding(
                name, number, f"this line has {len(line):,} characters, more than {MAX_LINE:,}"
            ),
        )
    if not line.startswith('{"'):
        return None, (_broken_log_finding(name, number, f"this line is not a JSON object: {line[:40]!r}"),)
    try:
        document = parse_document(line, name=name, first_line=number)
    except UnreadableInput as error:
        place = error.place or Place(file=name, line=number)
        return None, (_broken_log_finding(name, number, error.message, place),)
    shape_findings = tuple(misfit.finding for misfit in shape_of("audit-entry").misfits(document))
    return (None, shape_findings) if shape_findings else _parse_entry(document, line)


def _parse_entry(document: Document, line: str) -> tuple[AuditEntry | None, tuple[Finding, ...]]:
    data: dict[str, str] = document.data
    try:
        at = datetime.fromisoformat(data["at"]).astimezone(UTC)
    except ValueError:
        place = document.place(("at",))
        return None, (
            _broken_log_finding(place.file, place.line, f"at is {data['at']!r}, which is not a time", place),
        )
    entry = AuditEntry(
        at=at,
        actor=data["actor"],
        role=Role(data["role"]),
        action=Action(data["action"]),
        record=RecordRef.parse(data["record"]),
        from_state=State(data["from"]) if data["from"] is not None else None,
        to_state=State(data["to"]),
        reason=data["reason"],
        content_sha256=data["content_sha256"],
        previous_sha256=data["previous_sha256"],
        denied=data.get("outcome") == DENIED,
        line_sha256=line_sha256(line),
        file=document.name,
        line_number=document.first_line,
    )
    return entry, ()


def _broken_log_finding(name: str, line: int, message: str, place: Place | None = None) -> Finding:
    return Finding(
        rule="catalog-log",
        level=Level.ERROR,
        place=place or Place(file=name, line=line, column=1),
        message=message,
        help="restore the line from the history of the repository: entries are only ever appended",
    )
