"""What the history of a contract says of its parts."""

from pathlib import Path
from typing import Any

from devportal.changelog import Memory
from devportal.changelog.history import annals_of
from devportal.changelog.marks import contract_marks
from tests.changelog.history import GET, TODAY, Shelf, contract, put

from .test_release_pages import annals


def test_whole_operations_say_since_when_they_are_there(tmp_path: Path) -> None:
    """Also where that is the first release, and in which releases anything of them changed."""
    marks = contract_marks(annals(tmp_path))

    assert marks["POST /parcels", ""] == (
        ("since 1.0.0", "changelog/2026-05-01-first.md"),
        ("changed in 2.0.0", "changelog/2026-05-01-shorter.md"),
    )
    assert marks["GET /parcels", ""][0] == ("since 1.0.0", "changelog/releases.md#1.0.0")


def test_a_field_says_when_it_came_and_when_it_changed(tmp_path: Path) -> None:
    """With a link to the entry that tells it."""
    marks = contract_marks(annals(tmp_path))

    assert marks["schemas/Parcel", "weight"] == (("since 1.1.0", "changelog/2026-05-01-weight.md"),)
    assert marks["schemas/NewParcel", "to"] == (("changed in 2.0.0", "changelog/2026-05-01-shorter.md"),)


def test_what_no_entry_tells_leads_to_the_comparison(tmp_path: Path) -> None:
    """A change that only a wide selector selects is not covered by it."""
    marks = contract_marks(annals(tmp_path, is_pinned=False))

    assert marks["schemas/NewParcel", "to"] == (("changed in 2.0.0", "changelog/compare/1.1.0...2.0.0.md"),)


def test_a_field_that_never_changed_says_nothing(tmp_path: Path) -> None:
    """Words alone are no change, nor is what was there from the beginning."""
    marks = contract_marks(annals(tmp_path))

    assert ("schemas/NewParcel", "note") not in marks
    assert ("schemas/Parcel", "id") not in marks


def test_what_is_deprecated_no_more_says_nothing_of_it(tmp_path: Path) -> None:
    """A mark of the past would warn of what is meant to stay."""
    gone = put(contract("1.1.0"), *GET, "deprecated", value=True)
    back = contract("1.2.0")

    assert "deprecated in 1.1.0" in words(tmp_path / "one", contract(), gone)
    assert not [one for one in words(tmp_path / "two", contract(), gone, back) if "deprecated" in one]


def words(folder: Path, *contracts: dict[str, Any]) -> list[str]:
    """Return what is told of an operation after some releases."""
    folder.mkdir()
    history, _ = Shelf(folder, *contracts).read(contracts[-1])
    made = annals_of(history, policy={}, today=TODAY, memory=Memory())
    assert made is not None
    return [told for told, _ in contract_marks(made)["GET /parcels", ""]]
