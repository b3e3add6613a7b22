"""The command that fills in fingerprints: what is selected is named, and nothing else differs."""

import re
from pathlib import Path

import pytest

from tests.changelog.history import contract, with_shorter_text, with_weight
from tests.releasing.conftest import Desk


def test_pin_fills_in_fingerprints(released_desk: Desk) -> None:
    """A breaking change that an entry selects is named by it; nothing else of the file changes."""
    released_desk.write(with_shorter_text(contract("2.0.0")))
    path = released_desk.entry(
        "2026-05-20-shorter",
        impact="breaking",
        kind="changed",
        action_required=True,
        effective="2026-05-20",
        covers=[{"schema": "NewParcel", "field": "to"}],
    )
    before = re.split('"?covers"?:', path.read_text(encoding="utf-8"))

    result = released_desk.run("changelog", "pin", "2026-05-20-shorter")

    after = re.split('"?covers"?:', path.read_text(encoding="utf-8"))
    assert (result.exit_code, result.stdout) == (0, "changelog/2026-05-20-shorter.md\n")
    assert after[0] == before[0]
    assert after[1].split("---", 1)[1] == before[1].split("---", 1)[1]
    assert "finding: " in after[1]
    assert released_desk.run("check").stdout == ""
    assert released_desk.run("changelog", "pin").stdout == ""


def test_pin_names_nothing_in_an_entry_of_less(released_desk: Desk) -> None:
    """A breaking change does not get under an entry that says it is something new."""
    released_desk.write(with_shorter_text(with_weight(contract("2.0.0"))))
    released_desk.entry("2026-05-20-new", covers=[{"rule": "schema.*"}])

    assert released_desk.run("changelog", "pin").stdout == ""


def test_pin_mends_stale_fingerprints(released_desk: Desk) -> None:
    """A fingerprint that no change has any more is found anew by the rest of its selector."""
    released_desk.write(with_shorter_text(contract("2.0.0")))
    path = released_desk.entry(
        "2026-05-20-shorter",
        impact="breaking",
        kind="changed",
        action_required=True,
        effective="2026-05-20",
        covers=[{"schema": "NewParcel", "field": "to", "finding": "0" * 16}],
    )
    assert "it may mean" in released_desk.run("check").stdout

    released_desk.run("changelog", "pin")

    assert "0000000000000000" not in path.read_text(encoding="utf-8")
    assert released_desk.run("check").stdout == ""


def test_pin_leaves_out_what_is_found_no_more(released_desk: Desk) -> None:
    """A pinned selector without any change like it goes; the others stay."""
    released_desk.write(with_weight(contract("1.1.0")))
    stale = {"schema": "Parcel", "field": "id", "rule": "schema.type.changed", "finding": "0" * 16}
    path = released_desk.entry("2026-05-20-weight", covers=[{"schema": "Parcel", "field": "weight"}, stale])

    released_desk.run("changelog", "pin")

    assert "schema.type.changed" not in path.read_text(encoding="utf-8")
    assert released_desk.run("check").stdout == ""


def breaking(desk: Desk, slug: str, cover: dict[str, str]) -> Path:
    """Write an entry about a breaking change that names no fingerprint."""
    fields: dict[str, object] = {"impact": "breaking", "kind": "changed", "action_required": True}
    return desk.entry(f"2026-05-20-{slug}", effective="2026-05-20", covers=[cover], **fields)


def test_pin_changes_the_entries_that_are_named(released_desk: Desk) -> None:
    """Others keep what they select for whoever looks at them."""
    released_desk.write(with_shorter_text(contract("2.0.0")))
    cover = {"schema": "NewParcel", "field": "to"}
    named, other = breaking(released_desk, "named", cover), breaking(released_desk, "other", cover)
    before = other.read_bytes()

    result = released_desk.run("changelog", "pin", named.stem)

    assert result.stdout == f"changelog/{named.name}\n"
    assert "finding: " in named.read_text(encoding="utf-8")
    assert other.read_bytes() == before


@pytest.mark.parametrize(("wide", "narrow"), [("a", "b"), ("b", "a")])
def test_pin_is_where_a_change_is_selected_most_narrowly(released_desk: Desk, wide: str, narrow: str) -> None:
    """In whichever order they stand: the wide selector tells of something else."""
    released_desk.write(with_shorter_text(contract("2.0.0")))
    breaking(released_desk, wide, {"schema": "NewParcel"})
    path = breaking(released_desk, narrow, {"schema": "NewParcel", "field": "to"})

    assert released_desk.run("changelog", "pin").stdout == f"changelog/{path.name}\n"


def test_pin_is_where_each_of_two_equal_selectors_is(released_desk: Desk) -> None:
    """Two entries may tell of one change."""
    released_desk.write(with_shorter_text(contract("2.0.0")))
    cover = {"schema": "NewParcel", "field": "to"}
    paths = [breaking(released_desk, slug, cover) for slug in ("a", "b")]

    assert set(released_desk.run("changelog", "pin").stdout.split()) == {
        f"changelog/{path.name}" for path in paths
    }
