"""What an earlier state of records proves: a log that only grew, and published versions as they were."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog import AuditLog, Catalog, RateVersion
from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.records.append_only import check_log_grew, check_published_versions, published_versions
from devportal.findings import Finding
from tests.catalog.own_book import replace

from .build import RATE, TO_ACTIVE, log_of, rate, records

LOG = b"one\ntwo\nthree\n"
DEARER = replace(RATE, price=Decimal("0.20"))


def log_findings(before: bytes, now: bytes) -> tuple[Finding, ...]:
    """Return the findings of a log, compared with that of the branch `main`."""
    return tuple(check_log_grew(before, now, name="data/audit.jsonl", base="main"))


@pytest.mark.parametrize("now", [LOG, LOG + b"four\n", LOG + b"four"])
def test_a_log_may_grow(now: bytes) -> None:
    """By whole lines, or by one that is torn: that is for the check of the log itself."""
    assert log_findings(LOG, now) == ()


@pytest.mark.parametrize(
    ("now", "line", "message"),
    [
        (b"one\nTWO\nthree\nfour\n", 2, "this line of the log is not the one that main has here"),
        (b"one\nthree\n", 2, "this line of the log is not the one that main has here"),
        (b"zero\none\ntwo\nthree\n", 1, "this line of the log is not the one that main has here"),
        (b"two\none\nthree\n", 1, "this line of the log is not the one that main has here"),
        (b"one\ntwo\nthreefour\n", 3, "this line of the log is not the one that main has here"),
        (b"one\r\ntwo\r\nthree\r\n", 1, "this line of the log is not the one that main has here"),
        (b"one\ntwo\n", 2, "this log ends here, and main has 1 more lines"),
        (b"", 1, "this log ends here, and main has 3 more lines"),
    ],
)
def test_a_log_that_is_rewritten_is_found_at_its_first_other_line(
    now: bytes, line: int, message: str
) -> None:
    """A changed, removed, added or swapped line, and a log that is cut short."""
    (found,) = log_findings(LOG, now)

    assert (found.rule, found.place.line, found.message) == ("since-log", line, message)


def test_a_torn_line_counts() -> None:
    """What stands behind the last line break of the earlier log is a line of it too."""
    assert log_findings(b"one\ntw", b"one\ntw") == ()
    assert [log_finding.place.line for log_finding in log_findings(b"one\ntw", b"one\ntwo\n")] == [2]


@given(st.lists(st.binary(max_size=3)), st.lists(st.binary(max_size=3)))
def test_only_what_begins_with_the_log_is_grown(before: list[bytes], now: list[bytes]) -> None:
    """For any lines: there is a finding just where the earlier ones are not the first of the later ones."""
    lines = [b"".join(line.replace(b"\n", b"") + b"\n" for line in each) for each in (before, now)]

    assert bool(log_findings(*lines)) == (not lines[1].startswith(lines[0]))


def catalog(*versions: RateVersion, log: AuditLog) -> Catalog:
    """Return versions with a log."""
    return Catalog(records=records(*versions), audit=log)


def version_findings(before: Catalog, now: Catalog) -> list[tuple[str, str]]:
    """Return rule and message of each finding on versions, compared with those of the branch `main`."""
    found = check_published_versions(before, now, name="data", base="main")
    return [(finding.rule, finding.message) for finding in found]


@pytest.mark.parametrize(
    ("status", "steps"),
    [
        (State.ACTIVE, TO_ACTIVE),
        (State.SUPERSEDED, (*TO_ACTIVE, Action.SUPERSEDE)),
        (State.WITHDRAWN, (*TO_ACTIVE, Action.WITHDRAW)),
    ],
)
def test_what_was_active_once_stays(status: State, steps: tuple[Action, ...]) -> None:
    """Whatever became of it since: neither its content nor the version itself may go."""
    before = catalog(rate(RATE, status), log=log_of(RATE, steps=steps))
    changed = catalog(rate(DEARER, status), log=log_of(DEARER, steps=steps))

    assert version_findings(before, before) == []
    assert version_findings(before, changed) == [
        ("since-version", "the content of rates/no-sms@1, which was published in main, is not the same here")
    ]
    assert version_findings(before, catalog(log=AuditLog())) == [
        ("since-version", "rates/no-sms@1 was published in main, and no file holds it in a readable form")
    ]


@pytest.mark.parametrize("steps", [TO_ACTIVE[:count] for count in range(1, 4)])
def test_what_was_never_active_may_change(steps: tuple[Action, ...]) -> None:
    """Drafts, and what waits for its day: the log says whether it may."""
    status = (State.DRAFT, State.SUBMITTED, State.APPROVED)[len(steps) - 1]
    before = catalog(rate(RATE, status), log=log_of(RATE, steps=steps))

    assert version_findings(before, catalog(log=AuditLog())) == []


def test_what_the_gate_did_not_believe_was_not_published() -> None:
    """A version that is not as it was approved may be restored."""
    before = catalog(rate(DEARER), log=log_of(RATE))

    assert published_versions(before) == ()
    assert version_findings(before, catalog(rate(RATE), log=log_of(RATE))) == []


def test_a_status_may_change() -> None:
    """What was active is superseded or withdrawn: its content stays."""
    before = catalog(rate(RATE), log=log_of(RATE))

    assert version_findings(before, catalog(rate(RATE, State.WITHDRAWN), log=log_of(RATE))) == []
