"""Builds versions and logs for the tests."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from devportal.catalog import AuditEntry, AuditLog, CoverageVersion, Records, content_sha256
from devportal.catalog.audit.journal import Journal, Write
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, Role, State
from devportal.catalog.audit.roles import Grant, Roles
from devportal.catalog.records.coverage import CoverageTerms, Registration, Support
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.text import RateVersion, Source, Version
from devportal.catalog.records.version_ref import RecordRef
from devportal.documents import Scalars, parse_document
from tests.catalog.own_book import (
    BOOK,
    Channel,
    Direction,
    Product,
    Scheme,
    Unit,
    channel_features,
    coverage_terms,
    net,
    rate_terms,
    replace,
)

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
TODAY = date(2026, 3, 1)

SOURCE = Source(
    document=parse_document("rates:\n- id: no-sms\n", name="data/rates/no.yaml", scalars=Scalars.TEXT),
    pointer=("rates", "0"),
)

RATE = rate_terms(
    id="no-sms",
    version=1,
    product=Product.SMS,
    direction=Direction.OUTBOUND,
    country="NO",
    network=net(name="Fjord", mcc="242", mnc="010"),
    unit=Unit.SEGMENT,
    price=Decimal("0.10"),
    currency="EUR",
    effective_from=date(2026, 2, 1),
)

COVERAGE = coverage_terms(
    id="no-sms",
    version=1,
    country="NO",
    dialling_code="47",
    channel=Channel.SMS,
    support=Support.FULL,
    features=channel_features(),
    registration=Registration(scheme=Scheme.NONE),
    reviewed_on=date(2026, 1, 2),
    effective_from=date(2026, 2, 1),
)

ROLES = Roles(grants={actor: (Grant(roles=frozenset(Role)),) for actor in ("ida", "omar", "lin", "mallory")})
"""Everybody may do everything: what else holds is not about roles."""

TO_ACTIVE = (Action.CREATE, Action.SUBMIT, Action.APPROVE, Action.ACTIVATE)


def rate(terms: RateTerms = RATE, status: State = State.ACTIVE, note: str = "") -> RateVersion:
    """Return a rate version."""
    return Version(terms=terms, status=status, note=note, source=SOURCE)


def coverage(terms: CoverageTerms = COVERAGE, status: State = State.ACTIVE) -> CoverageVersion:
    """Return a coverage record."""
    return Version(terms=terms, status=status, source=SOURCE)


def log_of(
    *terms: RateTerms | CoverageTerms, steps: tuple[Action, ...] = TO_ACTIVE, log: AuditLog | None = None
) -> AuditLog:
    """Return a log, without faults, in which each of the terms went through the steps, a minute apart."""
    log = log or AuditLog()
    journal = Journal(log)
    for each in terms:
        for action in steps:
            journal.record(
                Write(
                    at=START + timedelta(minutes=len(log.entries) + len(journal.added_entries)),
                    actor={"editor": "ida", "approver": "omar"}.get(TRANSITIONS[action].role, "lin"),
                    action=action,
                    record=each.ref,
                    content_sha256=content_sha256(each),
                )
            )
    return journal.log


def with_unchecked_entry(log: AuditLog, action: Action, record: RecordRef, **changes: object) -> AuditLog:
    """Return the log with an entry that nobody checked: as the lifecycle has it, but for the changes."""
    transition = TRANSITIONS[action]
    entry = AuditEntry(
        at=START + timedelta(minutes=len(log.entries)),
        actor="mallory",
        role=transition.role,
        action=action,
        record=record,
        from_state=log.entries[-1].to_state if log.entries else None,
        to_state=transition.target,
        reason="",
        content_sha256=log.entries[-1].content_sha256 if log.entries else "0" * 64,
        previous_sha256="",
    )
    return log.with_entry(replace(entry, **changes))


def with_rehashed_change(log: AuditLog, position: int, **changes: object) -> AuditLog:
    """Return the log with one entry changed and every later hash made to fit, as a careful forger would."""
    entries = list(log.entries)
    entries[position] = replace(entries[position], **changes)
    made = AuditLog()
    for entry in entries:
        made = made.with_entry(entry)
    return made


def records(*versions: RateVersion | CoverageVersion) -> Records:
    """Return the versions as records of their kinds."""
    return Records(
        book=BOOK,
        rates=tuple(v for v in versions if isinstance(v.terms, RateTerms)),
        coverage=tuple(v for v in versions if isinstance(v.terms, CoverageTerms)),
    )


def record_write(log: AuditLog, write: Write) -> AuditLog:
    """Return the log with one more entry; raises RefusedWrite as `Journal.record` does."""
    journal = Journal(log)
    journal.record(write)
    return journal.log
