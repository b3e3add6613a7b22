"""What an earlier state of releases and entries proves: what was published is as it was."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from devportal.changelog import Amendment, Entry, Releases, load_releases
from devportal.changelog.releases.append_only import check_entries_kept, check_releases_kept
from devportal.changelog.releases.manifest import Manifest, Publication, Record, publication_of
from devportal.changelog.releases.publishing import with_publications
from tests.changelog.history import FIRST, Shelf, contract
from tests.changelog.samples import entry

ANNOUNCED = entry(id="2026-02-01-soon", date="2026-02-01", title="Something comes")
CORRECTION = Amendment(date=date(2026, 3, 1), note="The day was wrong.")


@pytest.fixture
def releases(tmp_path: Path) -> Releases:
    """Return two releases, the first with an entry, and an entry that is announced."""
    shelf = Shelf(tmp_path, contract("1.0.0"), contract("1.1.0"))
    manifest = load_releases(shelf.folder, name="releases")[0].manifest
    shelf.record(with_publications(manifest, [ANNOUNCED]))
    return load_releases(shelf.folder, name="releases")[0]


def release_messages(before: Releases, now: Releases) -> list[str]:
    """Return the messages on releases, compared with those of the branch `main`."""
    found = list(check_releases_kept(before, now, base="main"))
    assert {finding.rule for finding in found} <= {"since-release"}
    return [finding.message for finding in found]


def with_record(releases: Releases, position: int, **changes: object) -> Releases:
    """Return releases with one record of the manifest changed."""
    records = list(releases.manifest.records)
    records[position] = replace(records[position], **changes)  # type: ignore[arg-type]  # of one test
    return replace(releases, manifest=replace(releases.manifest, records=tuple(records)))


def test_releases_may_be_added(releases: Releases) -> None:
    """A new one, the entries that were announced with it, and corrections of others."""
    (announced,) = releases.manifest.announced.values()
    corrected = Publication(sha256="c" * 64, amended=1)
    first = releases.manifest.records[0].entries[FIRST.id]
    grown = with_record(releases, 0, entries={FIRST.id: (*first, corrected)})
    made = Record(version="1.2.0", date=date(2026, 4, 1), sha256="a" * 64, entries={ANNOUNCED.id: announced})
    manifest = Manifest(records=(*grown.manifest.records, made))

    assert release_messages(releases, releases) == []
    assert release_messages(releases, replace(grown, manifest=manifest)) == []


def test_a_frozen_contract_that_changed_or_is_gone(releases: Releases) -> None:
    """With its digest in the manifest or without."""
    first, second = releases.releases
    edited = replace(second, content=b"other", sha256="b" * 64)

    assert release_messages(releases, replace(releases, releases=(first, edited))) == [
        "the contract that was published as 1.1.0 is not the file that main has"
    ]
    assert release_messages(releases, replace(releases, releases=(second,))) == [
        "the contract that was published as 1.0.0 is gone"
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"sha256": "b" * 64},
        {"date": date(2026, 1, 2)},
        {"version": "1.0.1"},
        {"policy": {"fail_on": "never"}},
    ],
)
def test_a_record_that_changed(releases: Releases, changes: dict[str, object]) -> None:
    """Its digest, day, number or policy."""
    assert release_messages(releases, with_record(releases, 0, **changes)) == [
        "the release 1.0.0, which main has on record, is not as it was recorded"
    ]


def test_a_record_that_is_gone_or_elsewhere(releases: Releases) -> None:
    """The order is that of the releases, so what comes before another moves it."""
    first, second = releases.manifest.records

    def with_records(*records: Record) -> Releases:
        return replace(releases, manifest=replace(releases.manifest, records=records))

    assert release_messages(releases, with_records(first)) == [
        "the release 1.1.0, which main has on record, is gone"
    ]
    assert release_messages(releases, with_records(second, first)) == [
        "the release 1.0.0, which main has on record, is not as it was recorded"
    ]


def test_a_release_before_one_that_is_published_is_named(releases: Releases) -> None:
    """A fix of an older version came with a merge: what was published has not changed, but its order has."""
    first, second = releases.manifest.records
    fix = Record(version="1.0.1", date=date(2026, 4, 1), sha256="a" * 64)
    now = replace(releases, manifest=replace(releases.manifest, records=(first, fix, second)))

    assert release_messages(releases, now) == [
        "1.0.1 is new, but stands before 1.1.0, which main has on record"
    ]


@pytest.mark.parametrize(
    ("publications", "message"),
    [
        ((), "the record of the entry 2026-01-01-first that main has is gone"),
        (
            (Publication(sha256="c" * 64),),
            "the record of the entry 2026-01-01-first that main has is gone",
        ),
        (
            (publication_of(FIRST), Publication(sha256="c" * 64)),
            "the entry 2026-01-01-first was published again since main without a correction",
        ),
    ],
)
def test_publications_of_a_released_entry(
    releases: Releases, publications: tuple[Publication, ...], message: str
) -> None:
    """Taken away, put in place of another, or added without a correction."""
    changed = with_record(releases, 0, entries={FIRST.id: publications})

    assert release_messages(releases, changed) == [message.replace("2026-01-01-first", FIRST.id)]


def test_publications_of_an_announced_entry(releases: Releases) -> None:
    """An announcement is a publication, too."""
    silent = replace(releases, manifest=replace(releases.manifest, announced={}))

    assert release_messages(releases, silent) == [
        f"the record of the entry {ANNOUNCED.id} that main has is gone"
    ]


def test_what_was_edited_before_may_be_restored(releases: Releases) -> None:
    """A frozen contract that was not as recorded proves nothing: the record does."""
    first, second = releases.releases
    broken = replace(releases, releases=(replace(first, content=b"edited", sha256="b" * 64), second))

    assert release_messages(broken, releases) == []


def entries_kept(releases: Releases, now: list[Entry]) -> list[tuple[str, str]]:
    """Return file and message of what is wrong with entries, held against those of `main`."""
    found = list(check_entries_kept([ANNOUNCED], now, releases, name="changelog", base="main"))
    assert {finding.rule for finding in found} <= {"since-entry"}
    return [(finding.place.file, finding.message) for finding in found]


@pytest.mark.parametrize(
    "change",
    [
        lambda item: item,
        lambda item: replace(item, spec_to="1.2.0"),
        lambda item: replace(item, title="Something else comes", amended=(CORRECTION,)),
    ],
    ids=["as it was", "released", "corrected"],
)
def test_an_entry_may_be_released_and_corrected(releases: Releases, change: Callable[[Entry], Entry]) -> None:
    """A correction says what was wrong; which release an entry is of is no part of what it says."""
    assert entries_kept(releases, [change(ANNOUNCED)]) == []


def test_an_entry_that_says_something_else_or_is_gone(releases: Releases) -> None:
    """Its words changed without a correction."""
    assert entries_kept(releases, [replace(ANNOUNCED, title="Nothing comes")]) == [
        (
            f"changelog/{ANNOUNCED.id}.md",
            "this entry was published in main and changed since",
        )
    ]
    assert entries_kept(releases, []) == [
        ("changelog", f"the entry {ANNOUNCED.id}, which was published in main, is gone")
    ]


def test_a_correction_stays(releases: Releases) -> None:
    """What readers were told of a mistake is neither taken back nor put in other words."""
    corrected = replace(ANNOUNCED, amended=(CORRECTION,))
    recorded = replace(releases, manifest=with_publications(releases.manifest, [corrected]))
    other = replace(CORRECTION, note="Nothing was wrong.")

    def finding_count(now: Entry) -> int:
        return len(list(check_entries_kept([corrected], [now], recorded, name="changelog", base="main")))

    assert [finding_count(item) for item in (corrected, ANNOUNCED, replace(ANNOUNCED, amended=(other,)))] == [
        0,
        1,
        1,
    ]


def test_an_entry_that_was_not_published_may_change(releases: Releases) -> None:
    """It was a draft."""
    draft = entry(id="2026-03-05-a-thing", title="A draft")

    assert list(check_entries_kept([draft], [], releases, name="changelog", base="main")) == []
