"""What became of a part after a release, and the page that tells it."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from devportal.changelog import Memory, Release
from devportal.changelog.pages.release_history import ReleaseHistory, release_history
from devportal.reference.redirects.matching_pages import Counterparts, parts_of
from devportal.site.versions.removal_notices import Removal, RemovalHistory
from tests.changelog.history import (
    FIRST,
    GET,
    POST,
    Shelf,
    contract,
    covering_entry,
    fingerprint,
    put,
    with_weight,
)

TODAY = date(2026, 6, 1)


def parts(release: Release) -> Counterparts:
    """Return what the reference of a release would show."""
    folder = f"reference/{release.version}"
    return Counterparts(parts_of(release.contract().api, folder=folder, overview=f"{folder}/index.md"))


@pytest.fixture
def removal_history(folder: Path) -> ReleaseHistory:
    """Return three releases: something new in the second, an operation gone in the third and told, another
    one gone since, and not told.
    """
    third = put(with_weight(contract("2.0.0")), *GET, value=None)
    (folder / "before").mkdir()
    before = Shelf(folder / "before", contract(), with_weight(contract("1.1.0")))
    cover = {"operation": "GET /parcels", "finding": fingerprint(before, third)}
    gone = covering_entry(cover, slug="gone", spec_from="1.1.0", spec_to="2.0.0")
    shelf = Shelf(folder, contract(), with_weight(contract("1.1.0")), third, entries=(FIRST, gone))
    history, _ = shelf.read(put(third, *POST, value=None))
    made = release_history(history, policy={}, cache=Memory())
    assert made is not None
    return made


def removal(history: ReleaseHistory, operation: str, *, is_told: bool = True) -> Removal | None:
    """Return what became of an operation of the first release."""
    first = history.releases[0]
    part = next(part for part in parts(first).parts if part.owner == operation)
    return RemovalHistory(history.releases, parts, history if is_told else None).removal(part, first)


def test_the_entry_that_tells_a_removal_is_found(removal_history: ReleaseHistory) -> None:
    """Its page says what to do; where nobody told it, the page of all changes of that version does."""
    assert removal(removal_history, "GET /parcels") == Removal(
        version="2.0.0", uri="changelog/2026-05-01-gone.md"
    )
    assert removal(removal_history, "POST /parcels") == Removal(
        version="next", uri="changelog/compare/2.0.0...next.md"
    )


def test_a_schema_that_went_is_looked_for_too(removal_history: ReleaseHistory) -> None:
    """The differ has nothing to say of one that is not used any more: the changes of the version have."""
    first = removal_history.releases[0]
    part = next(part for part in parts(first).parts if part.owner == "schemas/Parcel")
    chronicle = RemovalHistory(
        removal_history.releases, lambda _: Counterparts(parts(first).parts[:1]), removal_history
    )

    assert chronicle.removal(part, first) == Removal(
        version="1.1.0", uri="changelog/compare/1.0.0...1.1.0.md"
    )


def test_without_a_changelog_the_version_is_told(removal_history: ReleaseHistory) -> None:
    """No page tells more, so nothing leads to one."""
    assert removal(removal_history, "GET /parcels", is_told=False) == Removal(version="2.0.0", uri="")
    assert RemovalHistory(removal_history.releases, parts).releases_uri == ""


def test_a_contract_that_cannot_be_read_leaves_open_when(removal_history: ReleaseHistory) -> None:
    """What is wrong with it is told elsewhere."""
    first, second, third = removal_history.releases
    second.path.write_text("openapi: [", encoding="utf-8")
    releases = (first, replace(second, sha256="another"), third)
    part = next(part for part in parts(first).parts if part.owner == "GET /parcels")

    assert RemovalHistory(releases, parts, removal_history).removal(part, first) is None


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.0.0", "changelog/compare/1.0.0...2.0.0.md"),
        ("1.1.0", "changelog/compare/1.1.0...2.0.0.md"),
        ("2.0.0", "changelog/compare/2.0.0...next.md"),
    ],
)
def test_what_changed_since_is_one_page(removal_history: ReleaseHistory, version: str, expected: str) -> None:
    """Up to the newest release, or from it to what is not released; only pages that there are."""
    chronicle = RemovalHistory(removal_history.releases, parts, removal_history)

    assert chronicle.since(version) == expected
    assert expected in {interval.uri for interval in removal_history.intervals.values()}
