"""What the gate lets out for histories: earlier versions of what is public, and nothing else of the past."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from devportal.catalog import AuditLog, Published, Records, published
from devportal.catalog.audit.journal import Write
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, State
from devportal.catalog.records.content import content_sha256
from devportal.catalog.records.coverage import Support
from devportal.catalog.records.rate import RateTerms
from tests.catalog.build import COVERAGE, RATE, START, TO_ACTIVE, coverage, log_of, rate, record_write
from tests.catalog.own_book import BOOK, replace

FIRST = replace(RATE, effective_from=START.date())
SECOND = replace(RATE, version=2, price=Decimal("0.12"), effective_from=START.date() + timedelta(days=30))
LATER = START.date() + timedelta(days=40)


def log_of_steps(*steps: tuple[RateTerms, Action, int]) -> AuditLog:
    """Return the log of steps, each on a day counted from the start."""
    log = AuditLog()
    for number, (terms, action, day) in enumerate(steps):
        role = TRANSITIONS[action].role
        log = record_write(
            log,
            Write(
                at=START + timedelta(days=day, minutes=number),
                actor=str(role),
                role=role,
                action=action,
                record=terms.ref,
                content_sha256=content_sha256(terms),
            ),
        )
    return log


def to_active(terms: RateTerms, day: int) -> list[tuple[RateTerms, Action, int]]:
    """Return the steps of one day that make a version public."""
    return [(terms, action, day) for action in TO_ACTIVE]


def publish_versions(
    log: AuditLog, first: State, second: State = State.ACTIVE, day: date = LATER
) -> Published:
    """Return what is public of both versions, with these states in their files."""
    return published(Records(book=BOOK, rates=(rate(FIRST, first), rate(SECOND, second))), log, day)


REPLACED = log_of_steps(*to_active(FIRST, 0), (FIRST, Action.SUPERSEDE, 30), *to_active(SECOND, 30))


def test_a_superseded_version_is_history() -> None:
    """It held from its first day until the day on which the next version took its place."""
    found = publish_versions(REPLACED, State.SUPERSEDED)

    (old,) = found.replaced_rates
    assert [row.terms for row in found.rates] == [SECOND]
    assert (old.terms, old.approved_on) == (FIRST, START.date())
    assert (old.held_from, old.held_until) == (START.date(), START.date() + timedelta(days=30))


def test_a_version_whose_window_is_over_is_history() -> None:
    """A version that ended by itself held until its end, though its state is still active."""
    ended = replace(FIRST, effective_to=START.date() + timedelta(days=10))
    log = log_of_steps(*to_active(ended, 0), *to_active(SECOND, 30))

    found = published(Records(book=BOOK, rates=(rate(ended), rate(SECOND))), log, LATER)

    assert [(row.terms, row.held_until) for row in found.replaced_rates] == [(ended, ended.effective_to)]


def test_a_withdrawn_version_is_never_history() -> None:
    """What was withdrawn is not returned again, although it was public once."""
    log = log_of_steps(*to_active(FIRST, 0), (FIRST, Action.WITHDRAW, 20), *to_active(SECOND, 30))

    assert publish_versions(log, State.WITHDRAWN).replaced_rates == ()


def test_there_is_no_history_of_what_is_not_public() -> None:
    """When the version in force goes, its past goes with it."""
    log = log_of_steps(
        *to_active(FIRST, 0),
        (FIRST, Action.SUPERSEDE, 30),
        *to_active(SECOND, 30),
        (SECOND, Action.WITHDRAW, 35),
    )

    assert publish_versions(log, State.SUPERSEDED, State.WITHDRAWN) == Published(on=LATER)


def test_a_version_that_never_held_is_no_history() -> None:
    """Superseded on its first day, a version held for no day."""
    log = log_of_steps(*to_active(FIRST, 0), (FIRST, Action.SUPERSEDE, 0), *to_active(SECOND, 30))

    assert publish_versions(log, State.SUPERSEDED).replaced_rates == ()


@pytest.mark.parametrize(
    "changed",
    [
        rate(replace(FIRST, price=Decimal("0.09")), State.SUPERSEDED),
        rate(FIRST, State.ACTIVE),
        rate(FIRST, State.DRAFT),
    ],
)
def test_a_past_that_was_edited_is_no_history(changed: object) -> None:
    """A past version with another price or state than the log tells of is not shown."""
    records = Records(book=BOOK, rates=(changed, rate(SECOND)))  # type: ignore[arg-type]  # versions, all three

    found = published(records, REPLACED, LATER)

    assert (len(found.rates), found.replaced_rates) == (1, ())


def test_an_unserved_market_is_no_history() -> None:
    """That a market was unavailable is never published, in the past neither."""
    past = replace(COVERAGE, support=Support.UNAVAILABLE, effective_to=date(2026, 2, 10))
    now = replace(COVERAGE, version=2, effective_from=date(2026, 2, 10))

    found = published(
        Records(book=BOOK, coverage=(coverage(past), coverage(now))), log_of(past, now), date(2026, 3, 1)
    )

    assert ([row.terms for row in found.coverage], found.replaced_coverage) == ([now], ())


def test_a_market_that_changed_is_history() -> None:
    """Coverage has a past as rates have."""
    past = replace(COVERAGE, support=Support.LIMITED, effective_to=date(2026, 2, 10))
    now = replace(COVERAGE, version=2, effective_from=date(2026, 2, 10))

    found = published(
        Records(book=BOOK, coverage=(coverage(past), coverage(now))), log_of(past, now), date(2026, 3, 1)
    )

    assert [row.terms for row in found.replaced_coverage] == [past]
