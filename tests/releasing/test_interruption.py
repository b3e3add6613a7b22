"""A release that was killed is ended by the same command, whatever was written by then."""

import pytest

from devportal.atomic_files import write_atomically
from devportal.releasing import release
from devportal.releasing.project import read_project
from tests.changelog.history import contract, with_weight
from tests.releasing.conftest import Desk

COVERS = [{"schema": "Parcel", "field": "weight"}]


@pytest.mark.parametrize("written", [0, 1, 2, 3])
def test_interrupted_release_is_completed(desk: Desk, written: int) -> None:
    """However many files were written before it was killed, the same command ends it."""
    desk.write(contract())
    desk.entry("2026-05-02-second", contract="none")
    project = read_project(desk.root / "mkdocs.yml")
    plan = release.plan_release(project, "1.0.0", project.today)
    assert len(plan.changes) == 4
    write_atomically(plan.changes)
    whole = desk.snapshot()
    for change in plan.changes[written:]:
        if change.path.suffix == ".md":
            change.path.write_bytes(_text_before_release(change.path.name, desk))
        else:
            change.path.unlink()
    checked = desk.run("check").stdout

    result = desk.run("release", "1.0.0")

    assert (result.exit_code, desk.snapshot()) == (0, whole)
    assert ("run `devportal release 1.0.0` again" in checked) == (written > 0)
    assert checked.count("error: ") == (written > 0)


def _text_before_release(name: str, desk: Desk) -> bytes:
    text = (desk.changelog / name).read_text(encoding="utf-8")
    return "".join(line for line in text.splitlines(keepends=True) if "spec_" not in line).encode()


def test_interrupted_release_of_another_contract_is_refused(desk: Desk) -> None:
    """What is recorded is what is frozen, or nothing is."""
    assert desk.run("release", "1.0.0").exit_code == 0
    (desk.releases / "1.0.0.yaml").unlink()
    desk.write(with_weight(contract()))

    result = desk.run("release", "1.0.0")

    assert result.exit_code == 1
    assert "the contract was changed since" in result.stderr
    assert not (desk.releases / "1.0.0.yaml").exists()


def test_leftovers_of_a_kill_are_removed_and_told(desk: Desk) -> None:
    """What was written aside and not put in its place is of no use; anything else stays."""
    desk.releases.mkdir()
    left = [desk.releases / ".new-ab12_x9z", desk.changelog / ".new-00000000"]
    others = [desk.releases / ".new-notes-of-mine", desk.changelog / ".gitkeep"]
    for path in (*left, *others):
        path.write_text("half of it", encoding="utf-8")

    dry = desk.run("release", "1.0.0", "--dry-run")
    there = [path.exists() for path in (*left, *others)]
    result = desk.run("release", "1.0.0")

    assert "would remove openapi/releases/.new-ab12_x9z, left over from an interrupted run" in dry.stderr
    assert there == [True] * 4
    assert result.exit_code == 0, result.output
    assert "removed openapi/releases/.new-ab12_x9z, left over from an interrupted run" in result.stderr
    assert "removed changelog/.new-00000000" in result.stderr
    assert [path.exists() for path in (*left, *others)] == [False, False, True, True]


def test_interrupted_release_of_another_contract_is_told_alone(desk: Desk) -> None:
    """It is not said to run again what was just run."""
    assert desk.run("release", "1.0.0").exit_code == 0
    (desk.releases / "1.0.0.yaml").unlink()
    desk.write(with_weight(contract()))

    assert desk.run("release", "1.0.0").stderr.count("error: ") == 1
