"""Findings about records and log together."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from devportal.catalog import AuditLog, Catalog, Records, check_catalog
from devportal.catalog.audit.lifecycle import Action, Role, State
from devportal.catalog.records.text import RateVersion
from devportal.findings import Finding, Level
from tests.catalog.own_book import BOOK, replace

from .build import (
    COVERAGE,
    RATE,
    ROLES,
    SOURCE,
    START,
    TO_ACTIVE,
    TODAY,
    coverage,
    log_of,
    rate,
    with_rehashed_change,
    with_unchecked_entry,
)


def findings_of(log: AuditLog, *rates: RateVersion, today: date = TODAY) -> list[Finding]:
    """Return the findings of a catalog of rates."""
    audit = replace(log, roles=ROLES)
    return list(check_catalog(Catalog(records=Records(book=BOOK, rates=rates), audit=audit), today=today))


def rules(log: AuditLog, *rates: RateVersion, today: date = TODAY) -> set[str]:
    """Return the rules that a catalog of rates breaks."""
    return {finding.rule for finding in findings_of(log, *rates, today=today)}


def test_records_that_the_log_explains_have_no_findings() -> None:
    """A clean catalog is silent."""
    records = Records(book=BOOK, rates=(rate(),), coverage=(coverage(),))
    catalog = Catalog(records=records, audit=replace(log_of(RATE, COVERAGE), roles=ROLES))

    assert list(check_catalog(catalog, today=TODAY)) == []


def test_a_state_without_entries_is_found_at_the_record() -> None:
    """A record that claims to be active, of which the log knows nothing."""
    (finding,) = findings_of(AuditLog(), rate())

    assert finding.rule == "catalog-state"
    assert finding.level is Level.ERROR
    assert finding.message == "the audit log has no entry of rates/no-sms@1, whose status is 'active'"
    assert finding.help == "set it to 'draft', and record it with 'devportal rates draft no-sms@1'"
    assert finding.place == SOURCE.place("status")


def test_a_new_draft_is_to_be_recorded() -> None:
    """Its author wrote the file by hand, and has nothing to change in it."""
    (finding,) = findings_of(AuditLog(), rate(status=State.DRAFT))

    assert finding.help == "record it with 'devportal rates draft no-sms@1'"


@pytest.mark.parametrize(
    ("steps", "state"), [(TO_ACTIVE[:2], State.SUBMITTED), (TO_ACTIVE[:3], State.APPROVED)]
)
def test_a_state_ahead_of_the_log_is_found(steps: tuple[Action, ...], state: State) -> None:
    """The file says active, the log has not got that far."""
    (finding,) = findings_of(log_of(RATE, steps=steps), rate())

    assert f"says '{state}'" in finding.message


def test_an_edit_after_approval_is_found() -> None:
    """The content no longer has the hash that the approval pinned."""
    (finding,) = findings_of(log_of(RATE), rate(replace(RATE, price=Decimal("0.11"))))

    assert finding.rule == "catalog-content"
    assert "was approved" in finding.message
    assert finding.help == "undo the change, or make it as version 2"


def test_an_edit_after_submission_is_found() -> None:
    """What waits for approval may not change under the approver's eyes."""
    edited = rate(replace(RATE, price=Decimal("0.11")), status=State.SUBMITTED)

    assert rules(log_of(RATE, steps=TO_ACTIVE[:2]), edited) == {"catalog-content"}


def test_a_draft_may_be_edited() -> None:
    """A draft is work in progress."""
    edited = rate(replace(RATE, price=Decimal("0.11")), status=State.DRAFT)

    assert rules(log_of(RATE, steps=TO_ACTIVE[:1]), edited) == set()


@pytest.mark.parametrize(
    ("position", "changes", "rule"),
    [
        (2, {"actor": "ida"}, "catalog-four-eyes"),
        (2, {"role": Role.EDITOR}, "catalog-permission"),
        (2, {"content_sha256": "a" * 64}, "catalog-content"),
        (2, {"from_state": State.DRAFT}, "catalog-transition"),
        (3, {"to_state": State.SUPERSEDED}, "catalog-transition"),
        (3, {"at": START - timedelta(days=1)}, "catalog-order"),
        (3, {"at": START + timedelta(days=365)}, "catalog-future"),
    ],
)
def test_a_forged_entry_is_found_at_its_line(position: int, changes: dict[str, object], rule: str) -> None:
    """Hashes that fit do not help an entry that breaks a rule."""
    findings = findings_of(with_rehashed_change(log_of(RATE), position, **changes), rate())

    broken = min(each.place for each in findings if each.rule == rule and each.place.file == "audit.jsonl")
    assert (broken.line, broken.column) == (position + 1, 1)


def test_an_entry_that_misstates_the_state_before_it_is_found() -> None:
    """A withdrawal may start from 'approved', but not of a version that was active by then."""
    log = with_rehashed_change(
        log_of(RATE, steps=(*TO_ACTIVE, Action.WITHDRAW)), 4, from_state=State.APPROVED
    )

    (finding,) = findings_of(log, rate(status=State.WITHDRAWN))
    assert finding.rule == "catalog-transition"
    assert "but rates/no-sms@1 was 'active'" in finding.message


def test_a_step_out_of_turn_is_found() -> None:
    """An activation of what was never approved, written with the states that were true."""
    log = with_unchecked_entry(
        log_of(RATE, steps=TO_ACTIVE[:2]), Action.ACTIVATE, RATE.ref, from_state=State.SUBMITTED
    )

    (finding,) = [each for each in findings_of(log, rate()) if each.rule == "catalog-transition"]
    assert finding.message == (
        "activate from 'submitted', but rates/no-sms@1 was 'submitted' and activate needs 'approved'"
    )


@pytest.mark.parametrize("position", range(4))
def test_a_changed_line_breaks_the_chain(position: int) -> None:
    """Every line but the last is held by the line after it; the first by the zeros before it."""
    log = log_of(RATE)
    entries = list(log.entries)
    entries[position] = replace(entries[position], previous_sha256="e" * 64, line_sha256="e" * 64)

    findings = findings_of(AuditLog(entries=tuple(entries)), rate())

    lines = [finding.place.line for finding in findings if finding.rule == "catalog-chain"]
    assert lines == [position + 1, *([position + 2] if position < 3 else [])]


def test_a_removed_line_breaks_the_chain() -> None:
    """The line after the gap no longer fits."""
    entries = log_of(RATE).entries

    assert "catalog-chain" in rules(AuditLog(entries=(entries[0], *entries[2:])), rate())


def test_a_cut_log_no_longer_explains_the_records() -> None:
    """The chain has no next line at its end: there the records themselves tell that lines are missing."""
    assert rules(AuditLog(entries=log_of(RATE).entries[:-1]), rate()) == {"catalog-state"}


def test_a_record_that_vanished_is_found() -> None:
    """What the log knows has to be there: nobody deletes a published price."""
    (finding,) = findings_of(log_of(RATE))

    assert finding.rule == "catalog-lost"
    assert finding.place.line == 1


def test_a_version_written_down_twice_is_found() -> None:
    """Two records with one name."""
    assert rules(log_of(RATE), rate(), rate()) >= {"catalog-duplicate"}


def test_an_effect_before_the_approval_is_found() -> None:
    """A price cannot hold on days on which nobody had approved it."""
    terms = replace(RATE, effective_from=date(2026, 1, 4))

    assert rules(log_of(terms), rate(terms)) == {"catalog-backdated"}


@pytest.mark.parametrize(
    ("first_end", "second", "overlap"),
    [
        (None, {}, True),
        (date(2026, 6, 1), {}, True),
        (date(2026, 5, 1), {}, False),
        (None, {"id": "other"}, True),
        (None, {"id": "other", "currency": "USD"}, False),
        (None, {"id": "other", "country": "SE"}, False),
        (None, {"id": "other", "network": None}, False),
        (None, {"currency": "USD"}, True),
        (None, {"effective_from": date(2026, 1, 5), "effective_to": date(2026, 2, 1)}, False),
        (None, {"effective_from": date(2026, 1, 5), "effective_to": date(2026, 2, 2)}, True),
    ],
)
def test_two_active_versions_for_one_thing_at_one_time_are_found(
    first_end: date | None, second: dict[str, object], *, overlap: bool
) -> None:
    """One thing has one price on one day, and one record one version; the end is not part of a window."""
    first = replace(RATE, effective_to=first_end)
    other = replace(RATE, version=2, **{"effective_from": date(2026, 5, 1), **second})

    assert rules(log_of(first, other), rate(first), rate(other)) == (
        {"catalog-overlap"} if overlap else set()
    )
