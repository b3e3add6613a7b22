"""What is recorded of releases and entries, and in which order."""

from datetime import date
from pathlib import Path

import pytest

from devportal.changelog import load_releases
from devportal.changelog.proof.comparing import verdict_settings
from devportal.changelog.proof.severity import VersionBump, least_version
from devportal.changelog.releases.manifest import Manifest, Publication, Record, entry_digest, manifest_text
from devportal.contract.semantic_version import Version
from devportal.derived_cache import Memory
from tests.changelog.history import FIRST, GET, Shelf, contract, put, with_weight
from tests.changelog.samples import entry

DEPRECATION = {"impact": "deprecation", "kind": "deprecated", "sunset": "2026-12-01"}


@pytest.mark.parametrize(
    "told",
    [
        {"sunset": "2026-12-02"},
        {"sunset": None},
        {"kind": "removed"},
        {"impact": "risky"},
        {"title": "Another"},
        {"effective": "2026-03-06"},
        {"action_required": True},
        {"apis": ["Numbers"]},
    ],
)
def test_digest_is_of_everything_that_is_told(told: dict[str, object]) -> None:
    """Whatever a reader plans by makes another publication."""
    assert entry_digest(entry(**(DEPRECATION | told))) != entry_digest(entry(**DEPRECATION))


def test_digest_leaves_selectors_alone() -> None:
    """What finds the changes is not what was told of them."""
    assert entry_digest(entry(covers=[{"operation": "GET /x"}])) == entry_digest(entry())


def test_entries_are_written_in_order() -> None:
    """The manifest of the same entries is the same text, whoever recorded which first."""
    one, two = Publication(sha256="1" * 64), Publication(sha256="2" * 64)

    def text(*ids: str) -> str:
        listed = {id_: (one if id_ == "a" else two,) for id_ in ids}
        record = Record(version="1.0.0", date=date(2026, 1, 1), sha256="0" * 64, entries=listed)
        return manifest_text(Manifest(records=(record,)))

    assert text("a", "b") == text("b", "a")


def test_releases_are_ordered_by_number(tmp_path: Path) -> None:
    """3.10 follows 3.2, as no sorting of names has it."""
    shelf = Shelf(tmp_path, contract("3.2.0"), contract("3.10.0"), entries=())

    releases, _ = load_releases(shelf.folder, name="releases")

    assert [release.version for release in releases.releases] == ["3.2.0", "3.10.0"]


@pytest.mark.parametrize(
    ("old", "rise", "least"),
    [
        ((0, 3, 1), VersionBump.MAJOR, (0, 4, 0)),
        ((1, 3, 1), VersionBump.MAJOR, (2, 0, 0)),
        ((1, 3, 1), VersionBump.MINOR, (1, 4, 0)),
        ((1, 3, 1), VersionBump.PATCH, (1, 3, 2)),
    ],
)
def test_least_version(old: tuple[int, ...], rise: VersionBump, least: tuple[int, ...]) -> None:
    """Each rise resets what is behind it; below 1.0.0 the second number tells what breaks."""
    found = least_version(Version(major=old[0], minor=old[1], patch=old[2]), rise)

    assert (found.major, found.minor, found.patch) == least


def _with_deprecated_limit(day: str, version: str) -> dict[str, object]:
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer"}}
    return put(contract(version), *GET, "parameters", value=[limit | {"deprecated": True, "x-sunset": day}])


def test_release_is_judged_on_its_own_day(tmp_path: Path) -> None:
    """What was taken away before its sunset broke, however long ago that day is now."""
    without = put(contract("2.0.0"), *GET, "parameters", value=None)
    shelf = Shelf(tmp_path, _with_deprecated_limit("2026-12-01", "1.0.0"), without, entries=(FIRST,))
    memory = Memory()

    verdicts = [
        [
            change.verdict
            for change in shelf.read(without, today=day, memory=memory)[0]
            .proofs[1]
            .step.changes_needing_entry
        ]
        for day in (date(2026, 6, 1), date(2027, 6, 1))
    ]

    assert verdicts[0] == verdicts[1] == ["breaking"]


def test_working_contract_is_judged_today(tmp_path: Path) -> None:
    """What is taken away after its sunset breaks nothing any more, whatever was remembered before that."""
    shelf = Shelf(tmp_path, _with_deprecated_limit("2026-12-01", "1.0.0"))
    without = put(contract(), *GET, "parameters", value=None)
    memory = Memory()

    def verdict(day: date) -> str:
        (change,) = shelf.unreleased_step(without, today=day, memory=memory).step.changes_needing_entry
        return change.verdict

    assert verdict(date(2026, 6, 1)) == "breaking"
    assert verdict(date(2027, 6, 1)) != "breaking"


def test_memory_is_of_one_pair(tmp_path: Path) -> None:
    """What was found of one working contract is not told of the next."""
    shelf = Shelf(tmp_path, contract())
    memory = Memory()

    assert shelf.unreleased_step(with_weight(contract()), memory=memory).step.changes_needing_entry != ()
    assert shelf.unreleased_step(contract(), memory=memory).step.changes_needing_entry == ()


def test_what_is_acknowledged_judges_nothing() -> None:
    """An acknowledged change is told all the same: two policies that differ in that alone judge alike."""
    assert verdict_settings({"first_bound": "risky", "acknowledged": {"0" * 16: {}}}) == {
        "first_bound": "risky"
    }


@pytest.mark.parametrize(
    ("versions", "days", "found"),
    [
        (("1.0.0", "1.1.0"), (1, 2), []),
        (("1.0.0", "1.1.0"), (1, 1), []),
        (("1.1.0", "1.0.0"), (1, 2), ["release-order"]),
        (("1.0.0", "1.0.0"), (1, 1), ["release-order"]),
        (("1.0.0", "1.1.0"), (2, 1), ["release-order"]),
    ],
)
def test_records_rise_in_version_and_day(
    tmp_path: Path, versions: tuple[str, str], days: tuple[int, int], found: list[str]
) -> None:
    """Two releases of one day are two releases; the same twice, or backwards, is a mistake."""
    shelf = Shelf(tmp_path, contract(), contract("1.1.0"), entries=())
    digests = {
        release.version: release.sha256
        for release in load_releases(shelf.folder, name="releases")[0].releases
    }
    records = tuple(
        Record(version=version, date=date(2026, 1, day), sha256=digests[version])
        for version, day in zip(versions, days, strict=True)
    )
    shelf.record(Manifest(records=records))

    findings = load_releases(shelf.folder, name="releases")[1]

    assert [finding.rule for finding in findings if finding.rule != "release-unrecorded"] == found
