"""The changes since a version or a day, of an impact, or of an operation."""

import pytest

from devportal.docs.changes import select_changes
from devportal.docs.records import parse_records
from devportal.errors import InvalidSettings, UnreadableInput

from .sites import records_text

RECORDS = parse_records(records_text())


def ids(**options: object) -> list[str]:
    """Return the ids of the entries that are selected."""
    return [one.id for one in select_changes(RECORDS, **options)]  # type: ignore[arg-type]


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
def test_since(since: str, expected: list[str]) -> None:
    """Entries of the version itself are left out, those of the day are in; one without version has its day."""
    assert ids(since=since) == expected


@pytest.mark.parametrize(
    ("impacts", "expected"),
    [
        (("risky",), ["weight"]),
        (("breaking-beta",), ["weight"]),
        (("fix",), []),
        (("additive", "docs"), ["later", "opened"]),
    ],
)
def test_impact(impacts: tuple[str, ...], expected: list[str]) -> None:
    """The impact of the file and the severity for readers both count."""
    assert ids(impacts=impacts) == expected


@pytest.mark.parametrize("name", ["getParcel", "GET /parcels/{id}", "get /parcels/42"])
def test_operation(name: str) -> None:
    """By its id, its name, or a path with values."""
    assert ids(operation=name) == ["weight", "opened"]


def test_a_removed_operation_is_known_by_its_changes() -> None:
    """The contract does not have it any more."""
    assert ids(operation="GET /gone") == ["weight"]


def test_an_unknown_version_or_operation_is_an_error() -> None:
    """With what was perhaps meant."""
    with pytest.raises(InvalidSettings) as version:
        select_changes(RECORDS, since="1.2")
    with pytest.raises(InvalidSettings) as operation:
        select_changes(RECORDS, operation="getParcels")

    assert "did you mean 1.2.0" in version.value.help
    assert operation.value.help.startswith("did you mean getParcel")


def test_a_site_without_changelog_is_an_error() -> None:
    """It is not the same as no changes."""
    with pytest.raises(UnreadableInput, match="has no changelog"):
        select_changes(parse_records(records_text(changes=None)))
