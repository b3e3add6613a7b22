"""The story of the sample records under `data/`, and the audit log that follows from it.

`data/audit.jsonl` is this log and nothing else (`--update-golden` writes it): after a change to a sample
record, the story is told again with the new content.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from devportal.catalog import AuditLog, Records, content_sha256
from devportal.catalog.journal import Write, recorded
from devportal.catalog.lifecycle import TRANSITIONS, Action, Role
from devportal.catalog.ref import RecordRef

ACTORS = {Role.EDITOR: "ida.berg", Role.APPROVER: "omar.haddad", Role.PUBLISHER: "lin.zhao"}

STORY = {
    "rates/no-sms-fjord@1": "create 2026-01-12, submit 2026-01-13, approve 2026-01-20, activate 2026-02-01, "
    "supersede 2026-06-01",
    "rates/no-sms-fjord@2": "create 2026-05-04, submit 2026-05-05, approve 2026-05-18, activate 2026-06-01",
    "rates/no-voice-mobile@1": "create 2026-01-12, submit 2026-01-13, approve 2026-01-20, "
    "activate 2026-02-01",
    "rates/gb-sms-albion@1": "create 2026-02-03, submit 2026-02-04, approve 2026-02-16, activate 2026-03-01",
    "rates/gb-sms-albion@2": "create 2026-11-02, submit 2026-11-03, approve 2026-11-16",
    "rates/gb-voice-fixed@1": "create 2026-10-05, submit 2026-10-06, approve 2026-10-12, activate 2026-10-13",
    "rates/us-sms-summit@1": "create 2026-02-03, submit 2026-02-04, reject 2026-02-05, revise 2026-02-06, "
    "submit 2026-02-09, approve 2026-02-16, activate 2026-03-01",
    "rates/us-sms-inbound@1": "create 2026-02-03, submit 2026-02-04, approve 2026-02-16, activate 2026-03-01",
    "rates/us-voice-geographic@1": "create 2026-11-09, edit 2026-11-10",
    "rates/de-sms-rhein@1": "create 2026-11-09, submit 2026-11-10",
    "rates/de-voice-fixed@1": "create 2026-02-03, submit 2026-02-04, approve 2026-02-16, "
    "activate 2026-03-01, supersede 2026-11-20",
    "rates/de-voice-fixed@2": "create 2026-11-17, submit 2026-11-18, approve 2026-11-19, activate 2026-11-20",
    "rates/br-voice-mobile@1": "create 2026-02-03, submit 2026-02-04, approve 2026-02-16, "
    "activate 2026-03-01, withdraw 2026-08-17",
    "rates/in-sms-ganga@1": "create 2026-11-02, submit 2026-11-03, reject 2026-11-16",
    "coverage/no-sms@1": "create 2026-01-20, submit 2026-01-20, approve 2026-01-22, activate 2026-02-01",
    "coverage/no-voice@1": "create 2026-01-20, submit 2026-01-20, approve 2026-01-22, activate 2026-02-01",
    "coverage/gb-sms@1": "create 2026-02-10, submit 2026-02-11, approve 2026-02-17, activate 2026-03-01",
    "coverage/de-sms@1": "create 2026-11-02, submit 2026-11-03",
    "coverage/us-sms@1": "create 2026-02-12, submit 2026-02-12, approve 2026-02-17, activate 2026-03-01",
    "coverage/in-sms@1": "create 2026-10-05, submit 2026-10-06, approve 2026-10-12",
    "coverage/br-rcs@1": "create 2026-02-15, submit 2026-02-16, approve 2026-02-17, activate 2026-03-01",
    "coverage/jp-sms@1": "create 2026-11-10",
}
"""What happened to each version, and on which day."""


def sample_log(records: Records) -> AuditLog:
    """Return the audit log of the sample records, made by the same writer that refuses faults."""
    contents = {version.ref: content_sha256(version.terms) for version in records.all()}
    log = AuditLog()
    for at, record, action in sorted(_steps()):
        role = TRANSITIONS[action].role
        log = recorded(
            log,
            Write(
                at=at,
                actor=ACTORS[role],
                role=role,
                action=action,
                record=record,
                content_sha256=contents[record],
                reason="Sample record",
            ),
        )
    return log


def _steps() -> Iterator[tuple[datetime, RecordRef, Action]]:
    """Yield each step with a time of its day: 09:00 UTC and one minute more for each step of its record."""
    for name, steps in STORY.items():
        for position, step in enumerate(steps.split(", ")):
            action, day = step.split(" ")
            at = datetime.fromisoformat(day).replace(hour=9, tzinfo=UTC) + timedelta(minutes=position)
            yield at, RecordRef.parse(name), Action(action)
