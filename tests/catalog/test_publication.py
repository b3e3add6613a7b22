"""The publication gate."""

import ast
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from devportal.catalog import AuditLog, PublishedRate, Records, content_sha256, published
from devportal.catalog.audit.journal import Write
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, Role, State
from devportal.catalog.audit.log import FIRST
from devportal.catalog.records.coverage import Support
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.version_ref import RecordRef
from devportal.errors import RefusedWrite
from tests.catalog.build import record_write
from tests.catalog.own_book import BOOK, replace
from tests.waiting import PATIENCE_S

from .build import (
    COVERAGE,
    RATE,
    START,
    TO_ACTIVE,
    TODAY,
    coverage,
    log_of,
    rate,
    with_rehashed_change,
    with_unchecked_entry,
)

ROOT = Path(__file__).parents[2]


def test_an_approved_active_record_in_force_is_public() -> None:
    """Approved, active, unchanged and in force: the rate and the coverage record come out."""
    found = published(
        Records(book=BOOK, rates=(rate(),), coverage=(coverage(),)), log_of(RATE, COVERAGE), TODAY
    )

    assert [row.terms for row in found.rates] == [RATE]
    assert [row.terms for row in found.coverage] == [COVERAGE]
    assert found.rates[0].approved_on == date(2026, 1, 5)
    assert found.rates[0].content_sha256 == content_sha256(RATE)


@pytest.mark.parametrize("count", range(len(TO_ACTIVE)))
def test_nothing_is_public_before_the_last_step(count: int) -> None:
    """A version whose log stops before its activation is private, whatever its file claims."""
    log = log_of(RATE, steps=TO_ACTIVE[:count])

    assert published(Records(book=BOOK, rates=(rate(),)), log, TODAY).rates == ()


@pytest.mark.parametrize("status", [state for state in State if state is not State.ACTIVE])
def test_a_file_that_claims_another_state_is_private(status: State) -> None:
    """The log alone publishes nothing: the record has to say that it is active."""
    assert published(Records(book=BOOK, rates=(rate(status=status),)), log_of(RATE), TODAY).rates == ()


@pytest.mark.parametrize("action", [Action.SUPERSEDE, Action.WITHDRAW])
def test_what_was_ended_is_private(action: Action) -> None:
    """Superseding or withdrawing ends publication, even while the file still says active."""
    log = log_of(RATE, steps=(*TO_ACTIVE, action))

    assert published(Records(book=BOOK, rates=(rate(),)), log, TODAY).rates == ()


def test_an_edit_after_approval_makes_it_private() -> None:
    """A price changed by its last digit no longer has the content that was approved."""
    edited = rate(replace(RATE, price=Decimal("0.11")))

    assert published(Records(book=BOOK, rates=(edited,)), log_of(RATE), TODAY).rates == ()


def test_a_note_is_no_content() -> None:
    """An internal note may change after the approval: it is never published."""
    noted = rate(note="call the carrier")

    assert len(published(Records(book=BOOK, rates=(noted,)), log_of(RATE), TODAY).rates) == 1


@pytest.mark.parametrize(
    ("start", "end", "is_public"),
    [
        (TODAY, None, True),
        (TODAY + timedelta(days=1), None, False),
        (TODAY - timedelta(days=9), TODAY + timedelta(days=1), True),
        (TODAY - timedelta(days=9), TODAY, False),
    ],
)
def test_the_effective_window_includes_its_start_and_not_its_end(
    start: date, end: date | None, *, is_public: bool
) -> None:
    """effective_from <= today < effective_to."""
    terms = replace(RATE, effective_from=start, effective_to=end)

    assert bool(published(Records(book=BOOK, rates=(rate(terms),)), log_of(terms), TODAY).rates) is is_public


def test_an_activation_counts_from_its_day() -> None:
    """Seen from a day before its activation, a version was private."""
    terms = replace(RATE, effective_from=date(2025, 1, 1))
    records, log = Records(book=BOOK, rates=(rate(terms),)), log_of(terms)

    assert published(records, log, START.date()).rates
    assert not published(records, log, START.date() - timedelta(days=1)).rates


def test_an_unsupported_market_is_private() -> None:
    """A record that says a market is unavailable is for the records only."""
    terms = replace(COVERAGE, support=Support.UNAVAILABLE)

    assert published(Records(book=BOOK, coverage=(coverage(terms),)), log_of(terms), TODAY).coverage == ()


def test_self_approval_publishes_nothing() -> None:
    """Who wrote or submitted a version cannot approve it, even in a log whose hashes fit."""
    log = with_rehashed_change(log_of(RATE), 2, actor="ida")

    assert published(Records(book=BOOK, rates=(rate(),)), log, TODAY).rates == ()


def test_a_role_that_may_not_approve_publishes_nothing() -> None:
    """An approval by somebody who is no approver counts for nothing."""
    log = with_rehashed_change(log_of(RATE), 2, role=Role.EDITOR)

    assert published(Records(book=BOOK, rates=(rate(),)), log, TODAY).rates == ()


def test_an_approval_of_other_content_than_submitted_publishes_nothing() -> None:
    """What is approved is what was submitted."""
    other = replace(RATE, price=Decimal("0.01"))
    log = log_of(RATE)
    for position in (2, 3):
        log = with_rehashed_change(log, position, content_sha256=content_sha256(other))

    assert published(Records(book=BOOK, rates=(rate(other),)), log, TODAY).rates == ()


def test_a_broken_chain_publishes_nothing_at_all() -> None:
    """A log that was tampered with anywhere is trusted nowhere."""
    log = log_of(COVERAGE, RATE)
    entries = [replace(log.entries[0], previous_sha256="f" * 64), *log.entries[1:]]
    broken = AuditLog(entries=tuple(entries))

    found = published(Records(book=BOOK, rates=(rate(),), coverage=(coverage(),)), broken, TODAY)

    assert (found.rates, found.coverage) == ((), ())


def test_an_unreadable_line_publishes_nothing_at_all() -> None:
    """A log with a line that cannot be read is not complete, and so not trusted."""
    log = replace(log_of(RATE), complete=False)

    assert published(Records(book=BOOK, rates=(rate(),)), log, TODAY).rates == ()


def test_a_version_written_down_twice_is_private() -> None:
    """Of two records with one name neither is public."""
    assert published(Records(book=BOOK, rates=(rate(), rate())), log_of(RATE), TODAY).rates == ()


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        ({"version": 2}, 0),
        ({"version": 2, "currency": "USD"}, 0),
        ({"id": "other"}, 0),
        ({"id": "other", "currency": "USD"}, 2),
        ({"version": 2, "effective_from": TODAY + timedelta(days=1)}, 1),
        ({"version": 2, "effective_to": TODAY}, 1),
    ],
)
def test_of_two_that_are_in_force_for_one_thing_neither_is_public(
    changes: dict[str, Any], count: int
) -> None:
    """One thing has one price on one day, and one record one version; else nobody can say which holds."""
    other = replace(RATE, **changes)
    records = Records(book=BOOK, rates=(rate(), rate(other)))

    assert len(published(records, log_of(RATE, other), TODAY).rates) == count


def test_the_same_name_in_another_kind_is_another_record() -> None:
    """The log of a coverage record does not publish the rate of the same id and version."""
    assert published(Records(book=BOOK, rates=(rate(),)), log_of(COVERAGE), TODAY).rates == ()


def test_only_the_gate_makes_what_is_published() -> None:
    """Neither a call nor `dataclasses.replace` makes a published rate of a draft."""
    (public,) = published(Records(book=BOOK, rates=(rate(),)), log_of(RATE), TODAY).rates

    with pytest.raises(TypeError, match=r"only devportal\.catalog\.published makes a PublishedRate"):
        PublishedRate(
            seal=object(),  # type: ignore[arg-type]
            terms=RATE,
            approved_on=TODAY,
            content_sha256=FIRST,
            held_from=TODAY,
        )
    with pytest.raises((TypeError, ValueError), match="seal"):
        replace(public, terms=replace(RATE, price=Decimal(9)))


_SEALED = {"PublishedRate", "PublishedCoverage", "ReplacedRate", "ReplacedCoverage"}


def test_no_other_module_touches_the_seal() -> None:
    """The gate's module is the only one of the toolkit that names its seal or calls its types."""
    makers = set()
    for path in (ROOT / "tools").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if not any(name in source for name in (*_SEALED, "_SEAL", "_Seal")):
            continue
        for node in ast.walk(ast.parse(source)):
            called = (
                getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
            )
            named = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
            if called in _SEALED or named in {"_SEAL", "_Seal"}:
                makers.add(path.relative_to(ROOT / "tools").as_posix())

    assert makers == {"devportal/catalog/publication.py"}


_SNIPPET = """\
from datetime import date
from devportal.catalog import Catalog, PublishedRate, RateVersion, published
from devportal.catalog.book.book import Book
from devportal.catalog.pages.columns import rate_columns, row_id
from devportal.catalog.pages.downloads import csv_file
from devportal.catalog.pages.country import by_country

def good(catalog: Catalog, today: date) -> None:
    public = published(catalog.records, catalog.audit, today)
    csv_file("rates.csv", rate_columns(public.book), public.rates)
    by_country(public.rates, public.book.markets)

def bad(draft: RateVersion, book: Book) -> None:
    csv_file("rates.csv", rate_columns(book), (draft,))
    by_country((draft,), book.markets)
    row_id(draft)
    PublishedRate(terms=draft.terms, approved_on=date.min, content_sha256="", held_from=date.min)
"""


def test_a_draft_in_a_renderer_is_a_type_error(tmp_path: Path) -> None:
    """mypy accepts what the gate returned and refuses a draft in each renderer."""
    snippet = tmp_path / "snippet.py"
    snippet.write_text(_SNIPPET)

    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", str(snippet)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )

    lines = [line.split(":") for line in run.stdout.splitlines() if ": error:" in line]
    assert {int(line[1]) for line in lines} == {14, 15, 16, 17}, run.stdout + run.stderr


@dataclass
class _Story:
    """What the test itself holds to be true of one version, without looking at the code under test."""

    state: State | None = None
    written: int = 0
    pinned: int | None = None
    writers: set[str] = field(default_factory=set)
    active_since: date | None = None
    ended: date | None = None
    is_tainted: bool = False

    def allows(self, action: Action, person: str) -> bool:
        """Say whether the step is one that the lifecycle and the four eyes allow."""
        return (self.state, action) in _NEXT and not (action is Action.APPROVE and person in self.writers)

    def goes_on(self, action: Action, person: str, content: int, day: date) -> None:
        """Take the step."""
        self.state = _NEXT.get((self.state, action), TRANSITIONS[action].target)
        if action in {Action.CREATE, Action.EDIT, Action.SUBMIT, Action.REVISE}:
            self.writers.add(person)
            self.written = content
        if action is Action.APPROVE:
            self.pinned = self.written
        if action is Action.ACTIVATE:
            self.active_since = day
        if action in {Action.SUPERSEDE, Action.WITHDRAW}:
            self.ended = day

    def is_over(self, terms: RateTerms, day: date) -> bool:
        """Say whether the version held for a day at least, and no longer does."""
        if self.active_since is None or self.state not in {State.ACTIVE, State.SUPERSEDED}:
            return False
        first = max(self.active_since, terms.effective_from)
        ends = [end for end in (self.ended, terms.effective_to) if end is not None]
        return bool(ends) and first < min(ends) <= day


_NEXT = {
    (None, Action.CREATE): State.DRAFT,
    (State.DRAFT, Action.EDIT): State.DRAFT,
    (State.DRAFT, Action.SUBMIT): State.SUBMITTED,
    (State.SUBMITTED, Action.APPROVE): State.APPROVED,
    (State.SUBMITTED, Action.REJECT): State.REJECTED,
    (State.REJECTED, Action.REVISE): State.DRAFT,
    (State.APPROVED, Action.ACTIVATE): State.ACTIVE,
    (State.APPROVED, Action.WITHDRAW): State.WITHDRAWN,
    (State.ACTIVE, Action.SUPERSEDE): State.SUPERSEDED,
    (State.ACTIVE, Action.WITHDRAW): State.WITHDRAWN,
}

_PRICES = (Decimal("0.10"), Decimal("0.1"), Decimal("0.20"))
_MOSTLY = 12
_FORWARD = (Action.CREATE, Action.SUBMIT, Action.APPROVE, Action.ACTIVATE)


@st.composite
def _steps(draw: st.DrawFn) -> Sequence[tuple[int, Action, str, int, bool]]:
    """Return steps (version, action, person, content, forced), most of them on the way to publication."""
    step = st.tuples(
        st.integers(0, 2),
        st.sampled_from((*_FORWARD, *_FORWARD, *Action)),
        st.sampled_from(("ann", "bob", "cat")),
        st.integers(0, 2),
        st.sampled_from((True, False, False)),
    )
    start = [
        (version, action, "ann" if action is not Action.APPROVE else "bob", 0, False)
        for version in range(draw(st.sampled_from((3, 3, 2, 1))))
        for action in _FORWARD
    ]
    return [*start, *draw(st.lists(step, max_size=4))]


@given(
    steps=_steps(),
    files=st.lists(
        st.tuples(
            st.sampled_from((*_MOSTLY * (0,), 1, 2)),
            st.sampled_from((*_MOSTLY * (None, State.ACTIVE), *State)),
            st.sampled_from((*_MOSTLY * (None,), 0, 20, 60)),
        ),
        min_size=3,
        max_size=3,
    ),
    today=st.sampled_from((*range(-1, 5), 9, 9, 9, 20, 21, 22, 23, 61)),
    are_of_one_rate=st.booleans(),
)
def test_exactly_the_approved_active_effective_and_pinned_ones_are_public(
    steps: Sequence[tuple[int, Action, str, int, bool]],
    files: Sequence[tuple[int, State | None, int | None]],
    today: int,
    *,
    are_of_one_rate: bool,
) -> None:
    """Over random histories, files and days the gate lets out what the plain rule says, and nothing else."""
    day = START.date() + timedelta(days=today)
    contents = [
        [_terms(version, price, files[version][2], are_of_one_rate=are_of_one_rate) for price in _PRICES]
        for version in range(3)
    ]
    stories = [_Story() for _ in range(3)]
    log = AuditLog()
    for version, action, person, content, is_forced in steps:
        story = stories[version]
        is_of_the_writer = action in {Action.CREATE, Action.EDIT, Action.SUBMIT, Action.REVISE}
        named = content if is_of_the_writer else story.written
        log, is_taken = _take_step(log, story, contents[version][named], action, person, force=is_forced)
        if is_taken:
            story.goes_on(action, person, named, log.entries[-1].at.date())

    versions = tuple(
        rate(contents[version][content], claimed or story.state or State.DRAFT)
        for version, ((content, claimed, _end), story) in enumerate(zip(files, stories, strict=True))
    )
    found = published(Records(book=BOOK, rates=versions), log, day)
    event(f"{len(found.rates)} public, {sum(story.is_tainted for story in stories)} tainted")

    in_force = [
        version.ref
        for version, story, (content, _claimed, _end) in zip(versions, stories, files, strict=True)
        if not story.is_tainted
        and story.state is State.ACTIVE
        and version.status is State.ACTIVE
        and _PRICES[content] is _PRICES[story.pinned or 0]
        and story.active_since is not None
        and story.active_since <= day
        and version.terms.effective_from <= day
        and (version.terms.effective_to is None or day < version.terms.effective_to)
    ]
    is_clear = len(in_force) == 1 or not are_of_one_rate
    expected = set(in_force) if is_clear else set[RecordRef]()
    assert {row.terms.ref for row in found.rates} == expected
    assert len(found.rates) == len(expected)
    newest = max((ref.version for ref in expected), default=0)
    replaced = [
        version.ref
        for version, story, (content, _claimed, _end) in zip(versions, stories, files, strict=True)
        if not story.is_tainted
        and version.status is story.state
        and _PRICES[content] is _PRICES[story.pinned or 0]
        and story.is_over(version.terms, day)
        and version.ref.version < newest
        and are_of_one_rate
    ]
    assert [row.terms.ref for row in found.replaced_rates] == replaced
    event(f"{len(replaced)} replaced")


def _terms(version: int, price: Decimal, days: int | None, *, are_of_one_rate: bool) -> RateTerms:
    start = START.date() + timedelta(days=version)
    end = None if days is None else start + timedelta(days=days + 1)
    one = replace(RATE, version=version + 1, price=price, effective_from=start, effective_to=end)
    return one if are_of_one_rate else replace(one, id=f"rate-{version}", country=("NO", "SE", "FI")[version])


def _take_step(
    log: AuditLog, story: _Story, terms: RateTerms, action: Action, person: str, *, force: bool
) -> tuple[AuditLog, bool]:
    """Return the log after a step; one that is not allowed is refused, or forced in and taints the story."""
    at = START + timedelta(hours=6 * len(log.entries))
    sha256 = content_sha256(terms)
    write = Write(at=at, actor=person, action=action, record=terms.ref, content_sha256=sha256)
    if story.allows(action, person):
        return record_write(log, write), True
    if force:
        story.is_tainted = True
        return with_unchecked_entry(
            log, action, terms.ref, at=at, actor=person, from_state=story.state, content_sha256=sha256
        ), True
    with pytest.raises(RefusedWrite):
        record_write(log, write)
    return log, False
