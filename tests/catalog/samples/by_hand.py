"""What happened to the sample records written by hand: those that guides and the contract quote."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from devportal.catalog import AuditLog, Catalog, Records
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, Role
from devportal.catalog.records.version_ref import RecordRef
from tests.catalog.own_book import BOOK

from .story import Step

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


def steps_by_hand() -> Iterator[Step]:
    """Yield each step with a time of its day: 09:00 UTC and one minute more for each step of its record."""
    for name, steps in STORY.items():
        for position, step in enumerate(steps.split(", ")):
            word, day = step.split(" ")
            action = Action(word)
            yield Step(
                at=datetime.fromisoformat(day).replace(hour=9, tzinfo=UTC) + timedelta(minutes=position),
                record=RecordRef.parse(name),
                action=action,
                actor=ACTORS[TRANSITIONS[action].role],
                reason="Sample record",
            )


def only_by_hand(catalog: Catalog) -> Catalog:
    """Return the few records that are written by hand, and a log that tells of nothing else."""
    log = AuditLog(roles=catalog.audit.roles)
    for entry in catalog.audit.entries:
        if str(entry.record) in STORY:
            log = log.with_entry(entry)
    records = Records(
        book=BOOK,
        rates=tuple(rate for rate in catalog.records.rates if str(rate.ref) in STORY),
        coverage=tuple(version for version in catalog.records.coverage if str(version.ref) in STORY),
    )
    return Catalog(records=records, audit=log)
