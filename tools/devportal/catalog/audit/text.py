"""The text of the audit log to its entries; a line that cannot be read is a finding."""

from collections.abc import Iterator
from datetime import UTC, datetime

from devportal.catalog.audit.lifecycle import Action, Role, State
from devportal.catalog.audit.log import DENIED, AuditEntry, AuditLog, LineReader, line_sha256
from devportal.catalog.records.ref import RecordRef
from devportal.catalog.records.shape import shape_of
from devportal.documents import Document, parse_document
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level

MAX_LINE = 32_768
"""The longest line that is read, in code points: the longest reason fits, were it all escapes. How many lines
a log has is not limited, for it cannot be split."""


def parse_audit(text: str, *, name: str) -> tuple[AuditLog, tuple[Finding, ...]]:
    """Return the log and the findings; a log with findings is not complete, and so publishes nothing."""
    entries: list[AuditEntry] = []
    findings: list[Finding] = []
    reader = LineReader(name)
    number = 0
    for number, line in enumerate(_lines(text), 1):
        entry = reader.entry(line, number)
        if entry is None:
            entry, found = read_with_care(line, name, number)
            findings.extend(found)
        if entry is not None:
            entries.append(entry)
    rest = text[text.rfind("\n") + 1 :]
    if rest:
        findings.append(_broken(name, number + 1, f"the last line does not end: {rest[:40]!r}"))
    return AuditLog(entries=tuple(entries), complete=not findings), tuple(findings)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines that end; unlike `split`, this does not hold all of a long log a second time."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1


def read_with_care(line: str, name: str, number: int) -> tuple[AuditEntry | None, tuple[Finding, ...]]:
    """Return the entry of any line, by its number from 1, or what is wrong with the line."""
    if len(line) > MAX_LINE:
        return None, (
            _broken(name, number, f"this line has {len(line):,} characters, more than {MAX_LINE:,}"),
        )
    if not line.startswith('{"'):
        return None, (_broken(name, number, f"this line is no JSON object: {line[:40]!r}"),)
    try:
        document = parse_document(line, name=name, first_line=number)
    except UnreadableInput as error:
        place = error.place or Place(file=name, line=number)
        return None, (_broken(name, number, error.message, place),)
    wrong = tuple(misfit.finding for misfit in shape_of("audit-entry").misfits(document))
    return (None, wrong) if wrong else _read(document, line)


def _read(document: Document, line: str) -> tuple[AuditEntry | None, tuple[Finding, ...]]:
    data: dict[str, str] = document.data
    try:
        at = datetime.fromisoformat(data["at"]).astimezone(UTC)
    except ValueError:
        place = document.place(("at",))
        return None, (_broken(place.file, place.line, f"at is {data['at']!r}, which is no time", place),)
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
        place=document.place(),
    )
    return entry, ()


def _broken(name: str, line: int, message: str, place: Place | None = None) -> Finding:
    return Finding(
        rule="catalog-log",
        level=Level.ERROR,
        place=place or Place(file=name, line=line, column=1),
        message=message,
        help="restore the line from the history of the repository: entries are only ever appended",
    )
