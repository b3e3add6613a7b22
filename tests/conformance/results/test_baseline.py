"""Known failures: what they excuse, for how long, and what is said of entries that excuse nothing."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from devportal.conformance.results.baseline import Baseline, baseline_text, parse_baseline
from devportal.conformance.results.result import KnownFailure, Standing
from devportal.documents import parse_document
from devportal.errors import InvalidSettings
from tests.conformance.values import FAILURE, FLUKE, LABEL, result

TODAY = date(2026, 11, 21)
ENTRY = f"""\
known:
  - operation: {LABEL}
    check: unique-ids
    title: two resources have the same 'id'
    reason: Ids of the old store, JIRA-12
    owner: storage
    expires: 2026-12-01
"""


def baseline(text: str = ENTRY, today: date = TODAY) -> Baseline:
    return parse_baseline(parse_document(text, name="baseline.yaml"), today=today)


def doubts(known: Baseline, *failures: object, tested: tuple[str, ...] = (LABEL,)) -> list[str]:
    found = known.doubts(failures, tested, (LABEL, "GET /v1/health"))  # type: ignore[arg-type]
    return [f"{baseline_warning.place}: {baseline_warning.reason}" for baseline_warning in found]


def test_a_known_failure_does_not_fail_the_run() -> None:
    """It says why it is there, whose it is, and until when."""
    weighed = baseline().mark_known(FAILURE)

    assert weighed.standing is Standing.KNOWN
    assert not weighed.fails
    assert weighed.known == KnownFailure(
        reason="Ids of the old store, JIRA-12", owner="storage", expires=date(2026, 12, 1)
    )
    assert result(weighed).is_clean


@pytest.mark.parametrize(
    "change",
    [{"operation": "GET /v1/health"}, {"check": "methods"}, {"title": "other"}],
)
def test_another_failure_is_not_known(change: dict[str, str]) -> None:
    """Operation, check and title must all fit."""
    other = replace(FAILURE, **change)  # type: ignore[arg-type]

    assert baseline().mark_known(other) is other


def test_a_fingerprint_tells_failures_of_one_title_apart() -> None:
    """The place in the schema that is broken belongs to it; messages and identifiers do not."""
    text = ENTRY.replace("    reason", f"    fingerprint: {FAILURE.fingerprint}\n    reason")
    known = baseline(text)

    assert known.mark_known(replace(FAILURE, message="'pcl_9'", count=7)).standing is Standing.KNOWN
    assert known.mark_known(replace(FAILURE, where="properties/id")).fails


def test_an_entry_is_over_after_its_last_day() -> None:
    """On that day it counts still; on the next the failure fails the run again, and the entry is told."""
    last = date(2026, 12, 1)

    assert not baseline(today=last).mark_known(FAILURE).fails
    over = baseline(today=last + timedelta(days=1))
    assert over.mark_known(FAILURE).fails
    assert doubts(over, FAILURE) == ["baseline.yaml:2:5: expired on 2026-12-01: the failure counts again"]


def test_an_entry_that_fits_nothing_is_told() -> None:
    """Not where its operation was not tested, nor where the fault was met without being confirmed."""
    assert doubts(baseline()) == [
        "baseline.yaml:2:5: was not met in this run: delete the entry if it is fixed"
    ]
    assert doubts(baseline(), FLUKE) == []
    assert doubts(baseline(), tested=("GET /v1/health",)) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("reason: Ids of the old store, JIRA-12", "reason: ''", "`known.0.reason` is empty"),
        ("reason: Ids of the old store, JIRA-12", "reason: '  '", "`known.0.reason`"),
        ("    reason: Ids of the old store, JIRA-12\n", "", "the field 'reason' is missing"),
        ("expires: 2026-12-01", "expires: soon", "which is not a valid date"),
        ("    expires: 2026-12-01\n", "", "the field 'expires' is missing"),
        ("owner", "ownr", "the field 'ownr' is not known here"),
        ("known:", "none:", "the field 'known' is missing"),
    ],
)
def test_a_wrong_file_is_explained(old: str, new: str, message: str) -> None:
    """With the place and what to write; an empty reason is refused."""
    with pytest.raises(InvalidSettings) as caught:
        baseline(ENTRY.replace(old, new))

    assert message in str(caught.value)
    assert "baseline.yaml:" in str(caught.value)


def test_what_is_written_asks_for_reasons() -> None:
    """As written it is refused; with reasons it makes the same run green."""
    text = baseline_text(result(FAILURE, FLUKE), Baseline(today=TODAY))

    with pytest.raises(InvalidSettings):
        baseline(text)
    filled = baseline(text.replace('reason: ""', "reason: Because."))
    assert [entry.about for entry in filled.entries] == [f"{LABEL}: {FAILURE.title} [unique-ids]"]
    assert not filled.mark_known(FAILURE).fails


def test_what_is_written_keeps_what_fits_still() -> None:
    """Reasons that were given stay, entries that fit nothing go, new failures come."""
    known = baseline(ENTRY + "  - {check: methods, reason: Old., expires: 2027-01-01}\n")
    new = replace(FAILURE, title="new")

    text = baseline_text(result(known.mark_known(FAILURE), new), known)

    written = baseline(text.replace('reason: ""', "reason: Because."))
    assert [(entry.title, entry.known.reason) for entry in written.entries] == [
        (FAILURE.title, "Ids of the old store, JIRA-12"),
        ("new", "Because."),
    ]
