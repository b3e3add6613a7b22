"""Changes that one edit of the contract made."""

from pathlib import Path
from typing import Any

import pytest

from devportal.changelog.proof.edits import join_directions, join_edits
from devportal.differ import Change, Verdict
from tests.changelog.edits import BOTH, EDITS, NEXT, SCHEMAS, STATE
from tests.changelog.history import Shelf, contract, put


def edits(folder: Path, old: dict[str, Any], new: dict[str, Any]) -> tuple[tuple[Change, ...], ...]:
    """Return the edits from one contract to another."""
    return join_edits(Shelf(folder, old).unreleased_step(new).step.changes_needing_entry)


@pytest.mark.parametrize("name", EDITS)
def test_one_edit_makes_changes_that_belong_together(tmp_path: Path, name: str) -> None:
    """Rules, directions and operations each make changes of it; all are one edit."""
    (edit,) = edits(tmp_path, *EDITS[name])

    assert len(edit) > 1


def test_different_parts_are_different_edits(tmp_path: Path) -> None:
    """Two properties that changed, each in its own way, have nothing in common."""
    new = put(NEXT, *STATE, value={"type": "string", "maxLength": 5})
    new = put(new, *SCHEMAS, "Parcel", "properties", "weight", value={"type": "integer"})

    found = edits(tmp_path, BOTH, new)

    assert [{change.field for change in edit} for edit in found] == [{"state"}, {"weight"}]


def test_copies_with_the_same_impact_are_different_edits(tmp_path: Path) -> None:
    """Two schemas that get the same property need not be in one entry, as nothing contradicts the other."""
    new = put(contract("1.1.0"), *SCHEMAS, "Parcel", "properties", "weight", value={"type": "integer"})
    new = put(new, *SCHEMAS, "NewParcel", "properties", "weight", value={"type": "integer"})

    found = edits(tmp_path, contract(), new)

    assert [{str(change.subject) for change in edit} for edit in found] == [
        {"schema NewParcel"},
        {"schema Parcel"},
    ]


def test_a_deprecation_is_an_edit_of_its_own(tmp_path: Path) -> None:
    """Its entry has another kind than that of a bound at the same part."""
    new = put(NEXT, *STATE, value={"type": "string", "maxLength": 5, "deprecated": True})

    found = edits(tmp_path, BOTH, new)

    assert len(found) == 2
    assert [change.rule for change in found[-1]] == ["deprecated.set"]


def test_the_order_of_changes_does_not_matter(tmp_path: Path) -> None:
    """Changes come in groups of the same members, however they are ordered."""
    changes = [change for edit in edits(tmp_path, *EDITS["a reference to another schema"]) for change in edit]

    joined = join_edits(reversed(changes))

    assert [set(map(id, edit)) for edit in joined] == [set(map(id, changes))]


def test_directions_of_one_change_are_joined(tmp_path: Path) -> None:
    """The more severe of the two stands for both, and a value that is not removed stays apart."""
    old, new = EDITS["a value in place of another"]
    changes = Shelf(tmp_path, old).unreleased_step(new).step.changes_needing_entry

    directed = join_directions(changes)

    assert [
        (directed_change.change.verdict, directed_change.opposite and directed_change.opposite.verdict)
        for directed_change in directed
    ] == [
        (Verdict.BREAKING, Verdict.COMPATIBLE),
        (Verdict.RISKY, Verdict.COMPATIBLE),
    ]
