"""What the history of a contract says of its parts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from devportal.changelog import Memory
from devportal.changelog.pages.part_history import PartLocation, VersionMark, part_history_marks
from devportal.changelog.pages.release_history import release_history
from tests.changelog.history import GET, TO, Shelf, contract, put, with_weight

from .test_release_pages import three_releases


def test_whole_operations_say_since_when_they_are_there(tmp_path: Path) -> None:
    """Also where that is the first release, and in which releases anything of them changed."""
    marks = part_history_marks(three_releases(tmp_path))

    assert marks["POST /parcels", ""] == (
        ("since 1.0.0", "changelog/2026-05-01-first.md"),
        ("changed in 2.0.0", "changelog/2026-05-01-shorter.md"),
    )
    assert marks["GET /parcels", ""][0] == ("since 1.0.0", "changelog/releases.md#1.0.0")


def test_a_field_says_when_it_came_and_when_it_changed(tmp_path: Path) -> None:
    """With a link to the entry that tells it."""
    marks = part_history_marks(three_releases(tmp_path))

    assert marks["schemas/Parcel", "weight"] == (("since 1.1.0", "changelog/2026-05-01-weight.md"),)
    assert marks["schemas/NewParcel", "to"] == (("changed in 2.0.0", "changelog/2026-05-01-shorter.md"),)


def test_what_no_entry_tells_leads_to_the_comparison(tmp_path: Path) -> None:
    """A change that only a wide selector selects is not covered by it."""
    marks = part_history_marks(three_releases(tmp_path, is_pinned=False))

    assert marks["schemas/NewParcel", "to"] == (("changed in 2.0.0", "changelog/compare/1.1.0...2.0.0.md"),)


def test_a_field_that_never_changed_says_nothing(tmp_path: Path) -> None:
    """Words alone are no change, nor is what was there from the beginning."""
    marks = part_history_marks(three_releases(tmp_path))

    assert ("schemas/NewParcel", "note") not in marks
    assert ("schemas/Parcel", "id") not in marks


def test_what_is_deprecated_no_more_says_nothing_of_it(tmp_path: Path) -> None:
    """A mark of the past would warn of what is meant to stay."""
    gone = put(contract("1.1.0"), *GET, "deprecated", value=True)
    back = contract("1.2.0")

    assert "deprecated in 1.1.0" in words(tmp_path / "one", contract(), gone)
    assert not [word for word in words(tmp_path / "two", contract(), gone, back) if "deprecated" in word]


def test_a_shared_response_says_it_where_it_is_used(tmp_path: Path) -> None:
    """It has no page of its own, so the operation tells of its parts; of a schema, its own page does."""
    left = {"X-Left": {"schema": {"type": "integer"}}}
    second = put(contract("1.1.0"), "components", "responses", "Parcels", "headers", value=left)
    marks = marks_after(
        tmp_path, contract(), second, with_weight(put(second, "info", "version", value="1.2.0"))
    )

    places = {place: marks[owner, place] for owner, place in marks if owner == "GET /parcels"}
    assert set(places) == {"", "response.200.header.X-Left"}
    assert [told for told, _ in places["response.200.header.X-Left"]] == ["since 1.1.0"]
    assert [told for told, _ in places[""]] == ["since 1.0.0", "changed in 1.1.0", "changed in 1.2.0"]


def test_a_shared_schema_says_that_a_field_of_it_changed(tmp_path: Path) -> None:
    """Its page has a head, as that of an operation has, and nobody else's is told there."""
    marks = marks_after(tmp_path, contract(), with_weight(contract("1.1.0")))

    assert [told for told, _ in marks["schemas/Parcel", ""]] == ["changed in 1.1.0"]
    assert ("schemas/NewParcel", "") not in marks


def test_a_field_tells_its_latest_change_and_a_whole_the_latest_three(tmp_path: Path) -> None:
    """There is less room at a field, and the pages that marks lead to tell the rest."""
    releases = [
        put(contract(f"{number}.0.0"), *TO, value={"type": "string", "maxLength": 9 - number})
        for number in range(1, 6)
    ]
    marks = marks_after(tmp_path, *releases)

    assert [told for told, _ in marks["schemas/NewParcel", "to"]] == ["changed in 5.0.0"]
    assert [told for told, _ in marks["schemas/NewParcel", ""]] == [
        "changed in 3.0.0",
        "changed in 4.0.0",
        "changed in 5.0.0",
    ]


def test_an_operation_says_that_a_parameter_of_it_is_new(tmp_path: Path) -> None:
    """The parameter is since then, the operation changed then."""
    limit = contract()["paths"]["/parcels"]["get"]["parameters"]
    after = {"name": "after", "in": "query", "schema": {"type": "string"}}
    marks = marks_after(
        tmp_path, contract(), put(contract("1.1.0"), *GET, "parameters", value=[*limit, after])
    )

    assert [told for told, _ in marks["GET /parcels", "query.after"]] == ["since 1.1.0"]
    assert [told for told, _ in marks["GET /parcels", ""]] == ["since 1.0.0", "changed in 1.1.0"]


def test_an_operation_that_is_deprecated_is_not_said_to_have_changed(tmp_path: Path) -> None:
    """One thing is told of one change."""
    gone = put(contract("1.1.0"), *GET, "deprecated", value=True)

    assert words(tmp_path / "all", contract(), gone) == ["since 1.0.0", "deprecated in 1.1.0"]


def words(folder: Path, *contracts: dict[str, Any]) -> list[str]:
    """Return what is told of an operation after some releases."""
    folder.mkdir()
    return [told for told, _ in marks_after(folder, *contracts)["GET /parcels", ""]]


def marks_after(folder: Path, *contracts: dict[str, Any]) -> Mapping[PartLocation, tuple[VersionMark, ...]]:
    """Return all marks after some releases."""
    history, _ = Shelf(folder, *contracts).read(contracts[-1])
    made = release_history(history, policy={}, cache=Memory())
    assert made is not None
    return part_history_marks(made)
