"""A release that was interrupted is told as that, and nothing that follows from it is."""

from dataclasses import replace
from pathlib import Path

import pytest

from devportal.changelog import Entry
from tests.changelog.history import FIRST, WEIGHT, Shelf, contract, rules, with_weight

THIRD = replace(WEIGHT, id="2026-05-01-third", covers=(), is_beside_contract=True)


def shelf_of(folder: Path, *entries: Entry) -> Shelf:
    """Return two releases, the second with two entries, as they are after it."""
    shelf = Shelf(folder, contract("1.0.0"), with_weight(contract("1.1.0")), entries=(FIRST, WEIGHT, THIRD))
    shelf.entries = (FIRST, *entries)
    return shelf


def without_versions(entry: Entry) -> Entry:
    """Return an entry before its release."""
    return replace(entry, spec_from="", spec_to="")


def test_ended_release_is_not_told(tmp_path: Path) -> None:
    """Where every entry names it, there is nothing to complete."""
    assert shelf_of(tmp_path, WEIGHT, THIRD).findings(with_weight(contract("1.1.0"))) == ()


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ((WEIGHT, without_versions(THIRD)), "the entry 2026-05-01-third does not name it yet"),
        ((without_versions(WEIGHT), THIRD), "the entry 2026-05-01-weight does not name it yet"),
        (
            (without_versions(WEIGHT), without_versions(THIRD)),
            "the entry 2026-05-01-weight and 1 more do not name it yet",
        ),
    ],
)
def test_entries_without_a_stamp_tell_it(tmp_path: Path, entries: tuple[Entry, ...], said: str) -> None:
    """One finding says what to run, at the record of the release, instead of what follows from it."""
    (finding,) = shelf_of(tmp_path, *entries).findings(with_weight(contract("1.1.0")))

    assert finding.rule == "release-interrupted"
    assert finding.message == f"the release 1.1.0 was interrupted: {said}"
    assert finding.help == "run `devportal release 1.1.0` again: it ends what it began"
    assert (finding.place.file, finding.place.line) == ("releases/releases.yaml", 10)


def test_contract_that_is_not_frozen_is_told_with_it(tmp_path: Path) -> None:
    """Killed sooner, neither the contract nor the entries are there; it is still one finding."""
    shelf = shelf_of(tmp_path, without_versions(WEIGHT), without_versions(THIRD))
    (shelf.folder / "1.1.0.yaml").unlink()

    (finding,) = shelf.findings(with_weight(contract("1.1.0")))

    assert "its contract is not frozen, and the entry 2026-05-01-weight and 1 more" in finding.message


def test_frozen_contract_that_is_gone_is_no_interruption(tmp_path: Path) -> None:
    """Entries with their stamp came after it: somebody removed it."""
    shelf = shelf_of(tmp_path, WEIGHT, THIRD)
    (shelf.folder / "1.1.0.yaml").unlink()

    assert rules(shelf.findings(with_weight(contract("1.1.0")))) == ["release-missing"]


def test_stamp_taken_from_an_older_release_is_no_interruption(tmp_path: Path) -> None:
    """Only the last release can be one that is not ended."""
    shelf = shelf_of(tmp_path, WEIGHT, THIRD)
    shelf.entries = (without_versions(FIRST), WEIGHT, THIRD)

    assert "release-interrupted" not in rules(shelf.findings(with_weight(contract("1.1.0"))))


def test_words_of_published_entries_are_told_beside_it(tmp_path: Path) -> None:
    """What does not follow from the interruption is no less wrong."""
    shelf = shelf_of(tmp_path, without_versions(WEIGHT), THIRD)
    shelf.entries = (replace(FIRST, title="Other words"), *shelf.entries[1:])

    assert rules(shelf.findings(with_weight(contract("1.1.0")))) == [
        "changelog-published",
        "release-interrupted",
    ]
