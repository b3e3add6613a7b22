"""The changes since a version or a day, of an impact, or of an operation."""

from pathlib import Path

import pytest

from devportal.docs.changes import DocumentedChange, read_site_changes, select_changes
from devportal.docs.records import SiteRecords, parse_records
from devportal.docs.site_source import open_site
from devportal.errors import InvalidSettings, UnreadableInput

from .sites import CHANGE, CHANGES, CHANGES_JSON, changes_text, records_text, write_site

RECORDS = parse_records(records_text())


@pytest.fixture
def changes(tmp_path: Path) -> tuple[DocumentedChange, ...]:
    """Return the changes of the small site."""
    return changes_of(write_site(tmp_path, {CHANGES_JSON: changes_text()}))


def changes_of(site: Path, records: SiteRecords = RECORDS) -> tuple[DocumentedChange, ...]:
    """Return the changes of a site."""
    return read_site_changes(open_site(str(site)), records)


def ids(changes: tuple[DocumentedChange, ...], **options: object) -> list[str]:
    """Return the ids of the entries that are selected."""
    return [change.id for change in select_changes(RECORDS, changes, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        ("", ["later", "weight", "opened"]),
        ("1.1.0", ["later", "weight"]),
        ("1.2.0", ["later"]),
        ("2026-03-01", ["later", "weight"]),
        ("2026-03-02", ["later"]),
    ],
)
def test_since(since: str, expected: list[str], changes: tuple[DocumentedChange, ...]) -> None:
    """Entries of the version itself are left out, those of the day are in; one without version has its day."""
    assert ids(changes, since=since) == expected


@pytest.mark.parametrize(
    ("impacts", "expected"),
    [
        (("risky",), ["weight"]),
        (("breaking-beta",), ["weight"]),
        (("fix",), []),
        (("additive", "docs"), ["later", "opened"]),
    ],
)
def test_impact(impacts: tuple[str, ...], expected: list[str], changes: tuple[DocumentedChange, ...]) -> None:
    """The impact of the file and the severity for readers both count."""
    assert ids(changes, impacts=impacts) == expected


@pytest.mark.parametrize("name", ["getParcel", "GET /parcels/{id}", "get /parcels/42"])
def test_operation(name: str, changes: tuple[DocumentedChange, ...]) -> None:
    """By its id, its name, or a path with values."""
    assert ids(changes, operation=name) == ["weight", "opened"]


def test_a_removed_operation_is_known_by_its_changes(changes: tuple[DocumentedChange, ...]) -> None:
    """The contract does not have it any more."""
    assert ids(changes, operation="GET /gone") == ["weight"]


def test_an_unknown_version_or_operation_is_an_error(changes: tuple[DocumentedChange, ...]) -> None:
    """With what was perhaps meant."""
    with pytest.raises(InvalidSettings) as version:
        select_changes(RECORDS, changes, since="1.2")
    with pytest.raises(InvalidSettings) as operation:
        select_changes(RECORDS, changes, operation="getParcels")

    assert "did you mean 1.2.0" in version.value.help
    assert operation.value.help.startswith("did you mean getParcel")


def test_an_entry_has_its_changes_of_the_contract(changes: tuple[DocumentedChange, ...]) -> None:
    """As the published schema describes them, with what to do."""
    weight = changes[1]

    assert (weight.details, weight.what_to_do) == ((CHANGE,), "Read a number.")
    assert weight.url == "https://dev.example/portal/changelog/weight/"


@pytest.mark.parametrize(
    ("url", "expected"),
    [("changelog/later/", "./changelog/later/"), ("javascript:alert(1)", "./javascript:alert(1)")],
)
def test_an_address_below_the_root_stays_there(url: str, expected: str, tmp_path: Path) -> None:
    """A site without address has relative ones, and none that runs a script."""
    entries = {"later": {**CHANGES["entries"]["later"], "url": url}}
    site = write_site(tmp_path, {CHANGES_JSON: changes_text(entries=entries)})

    assert [change.url for change in changes_of(site, SiteRecords())] == [expected]


def test_a_site_without_changelog_is_an_error(tmp_path: Path) -> None:
    """It is not the same as no changes; so is a site of an older toolkit, whose `docs.json` has changes."""
    site = write_site(tmp_path, {"docs.json": records_text(changes=[{"id": "later"}])})

    with pytest.raises(UnreadableInput, match=r"has no changelog/changes\.json"):
        changes_of(site)


def test_another_shape_is_an_error(tmp_path: Path) -> None:
    """Of a newer version, and of an entry."""
    newer = write_site(tmp_path / "newer", {CHANGES_JSON: changes_text(version=2)})
    broken = write_site(tmp_path / "broken", {CHANGES_JSON: changes_text(entries={"a": {}})})

    with pytest.raises(UnreadableInput, match="has version 2, not 1"):
        changes_of(newer)
    with pytest.raises(UnreadableInput, match="entries/a does not have the shape"):
        changes_of(broken)
