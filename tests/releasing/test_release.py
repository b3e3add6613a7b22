"""Releasing: everything is checked first, written in order, and done once."""

import pytest

from devportal.releasing import command, releasing
from devportal.releasing.project import read_project
from devportal.releasing.writing import write
from tests.changelog.history import contract, noted, put, shorter
from tests.releasing.conftest import DAY, Desk

COVERS = [{"schema": "Parcel", "field": "weight"}]


def test_first_release_freezes_stamps_and_records(desk: Desk) -> None:
    """The contract is one file, the entry says its release, and the manifest has both."""
    result = desk.run("release", "1.0.0")

    assert result.exit_code == 0, result.output
    assert set(result.stdout.split()) == {
        "openapi/releases/releases.yaml",
        "openapi/releases/1.0.0.yaml",
        "changelog/2026-05-01-first.md",
    }
    (record,) = desk.manifest()["releases"]
    assert (record["version"], record["date"]) == ("1.0.0", DAY)
    assert list(record["entries"]) == ["2026-05-01-first"]
    assert 'spec_to: "1.0.0"' in (desk.changelog / "2026-05-01-first.md").read_text(encoding="utf-8")
    assert desk.run("check").exit_code == 0


def test_second_release_names_the_first(released: Desk) -> None:
    """Entries of a later release say what it follows."""
    released.write(noted(contract("1.1.0")))
    path = released.entry("2026-05-20-weight", covers=COVERS)

    result = released.run("release", "1.1.0")

    assert result.exit_code == 0, result.output
    assert 'spec_from: "1.0.0"\nspec_to: "1.1.0"' in path.read_text(encoding="utf-8")
    assert released.run("check").exit_code == 0


def test_again_is_nothing(released: Desk) -> None:
    """The same command once more changes nothing and says so."""
    before = released.snapshot()

    result = released.run("release", "1.0.0")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "1.0.0 was released on 2026-05-01: nothing to do" in result.stderr
    assert released.snapshot() == before


def test_again_after_a_change_wants_a_new_version(released: Desk) -> None:
    """What changed since is no part of what was released."""
    released.write(noted(contract()))

    result = released.run("release", "1.0.0")

    assert result.exit_code == 1
    assert "the contract has changed since" in result.stderr


def test_dry_run_writes_nothing(desk: Desk) -> None:
    """It says what it would write."""
    before = desk.snapshot()

    result = desk.run("release", "1.0.0", "--dry-run")

    assert result.exit_code == 0
    assert "would write openapi/releases/1.0.0.yaml" in result.stdout
    assert desk.snapshot() == before


@pytest.mark.parametrize("version", ["1.0.0-rc.1", "1.1", "one", "01.0.0", "-1.0.0"])
def test_version_has_three_numbers(desk: Desk, version: str) -> None:
    """Anything else cannot be ordered."""
    result = desk.run("release", "--", version) if version.startswith("-") else desk.run("release", version)

    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("1.0.0", "the contract has changed since"),
        ("0.9.0", "0.9.0 is not above the last release, 1.0.0"),
        ("1.0.1", "release it as 1.1.0 or later"),
    ],
)
def test_version_tells_what_changed(released: Desk, version: str, said: str) -> None:
    """It is above the last one, and as far as the changes ask for."""
    released.write(noted(contract(version)))
    released.entry("2026-05-20-weight", covers=COVERS)
    before = released.snapshot()

    result = released.run("release", version)

    assert result.exit_code == 1
    assert said in result.stderr
    assert released.snapshot() == before


def test_breaking_change_raises_the_first_number(released: Desk) -> None:
    """1.1.0 is refused, 2.0.0 is not."""
    released.write(shorter(contract("1.1.0")))
    fields: dict[str, object] = {"impact": "breaking", "kind": "changed", "action_required": True}
    path = released.entry(
        "2026-05-20-shorter", effective="2026-05-20", covers=[{"schema": "NewParcel"}], **fields
    )
    assert released.run("changelog", "pin").stdout == "changelog/2026-05-20-shorter.md\n"

    refused = released.run("release", "1.1.0")
    released.write(shorter(contract("2.0.0")))
    accepted = released.run("release", "2.0.0")

    assert (refused.exit_code, "release it as 2.0.0 or later" in refused.stderr) == (1, True)
    assert accepted.exit_code == 0, accepted.output
    assert 'spec_to: "2.0.0"' in path.read_text(encoding="utf-8")


def test_version_is_that_of_the_contract(released: Desk) -> None:
    """`info.version` says what is released, so it has to be right before."""
    released.write(noted(contract("1.0.0")))
    released.entry("2026-05-20-weight", covers=COVERS)

    result = released.run("release", "1.1.0")

    assert result.exit_code == 1
    assert "openapi/openapi.yaml:4:3: error: `info.version` is '1.0.0'" in result.stderr


@pytest.mark.parametrize("day", ["2026-04-30", "2026-06-02"])
def test_day_is_between_the_last_release_and_today(released: Desk, day: str) -> None:
    """History is written forwards."""
    released.write(contract("1.0.1"))

    assert released.run("release", "1.0.1", "--date", day).exit_code == 1


def test_untold_change_is_not_released(released: Desk) -> None:
    """The whole check runs first; its findings are the answer."""
    released.write(noted(contract("1.1.0")))
    before = released.snapshot()

    result = released.run("release", "1.1.0")

    assert result.exit_code == 1
    assert "[changelog-uncovered]" in result.stderr
    assert "nothing was written" in result.stderr
    assert released.snapshot() == before


def test_wrong_contract_is_not_released(released: Desk) -> None:
    """Neither is a contract with an error in it."""
    released.write(
        put(contract("1.0.1"), "paths", "/parcels", "get", "responses", "200", value={"$ref": "#/no"})
    )

    result = released.run("release", "1.0.1")

    assert (result.exit_code, "nothing was written" in result.stderr) == (1, True)


@pytest.mark.parametrize("written", [0, 1, 2, 3])
def test_interrupted_release_is_completed(desk: Desk, written: int) -> None:
    """However many files were written before it was killed, the same command ends it."""
    desk.write(contract())
    desk.entry("2026-05-02-second", contract="none")
    project = read_project(desk.root / "mkdocs.yml")
    plan = releasing.planned(project, "1.0.0", project.today)
    assert len(plan.changes) == 4
    write(plan.changes)
    whole = desk.snapshot()
    for change in plan.changes[written:]:
        if change.path.suffix == ".md":
            change.path.write_bytes(_before(change.path.name, desk))
        else:
            change.path.unlink()
    checked = desk.run("check").stdout

    result = desk.run("release", "1.0.0")

    assert (result.exit_code, desk.snapshot()) == (0, whole)
    assert ("run `devportal release 1.0.0` again" in checked) == (written > 0)
    assert checked.count("error: ") == (written > 0)


def _before(name: str, desk: Desk) -> bytes:
    text = (desk.changelog / name).read_text(encoding="utf-8")
    return "".join(line for line in text.splitlines(keepends=True) if "spec_" not in line).encode()


def test_interrupted_release_of_another_contract_is_refused(desk: Desk) -> None:
    """What is recorded is what is frozen, or nothing is."""
    assert desk.run("release", "1.0.0").exit_code == 0
    (desk.releases / "1.0.0.yaml").unlink()
    desk.write(noted(contract()))

    result = desk.run("release", "1.0.0")

    assert result.exit_code == 1
    assert "the contract was changed since" in result.stderr
    assert not (desk.releases / "1.0.0.yaml").exists()


def test_announcement_of_the_future_waits(released: Desk) -> None:
    """An entry of a later day belongs to the release that has the change."""
    path = released.entry(
        "2026-05-20-soon",
        impact="breaking",
        kind="changed",
        action_required=True,
        effective="2026-09-01",
        covers=[{"operation": "GET /parcels"}],
    )
    released.write(contract("1.0.1"))

    assert released.run("release", "1.0.1").exit_code == 0
    assert "spec_to" not in path.read_text(encoding="utf-8")


def test_release_records_the_policy(released: Desk) -> None:
    """A release is judged for ever as it was judged on its day."""
    settings = (released.root / "mkdocs.yml").read_text(encoding="utf-8")
    (released.root / "mkdocs.yml").write_text(
        settings.replace("changelog: changelog", "changelog: changelog, policy: policy.yaml"),
        encoding="utf-8",
    )
    (released.root / "policy.yaml").write_text("first_bound: risky\n", encoding="utf-8")
    released.write(contract("1.0.1"))

    assert released.run("release", "1.0.1").exit_code == 0
    assert released.manifest()["releases"][1]["policy"] == {"first_bound": "risky"}


def test_softer_policy_is_told(released: Desk) -> None:
    """What is judged less gravely from now on is named; a policy that stays is not spoken of."""
    settings = (released.root / "mkdocs.yml").read_text(encoding="utf-8")
    (released.root / "mkdocs.yml").write_text(
        settings.replace("changelog: changelog", "changelog: changelog, policy: policy.yaml"),
        encoding="utf-8",
    )
    (released.root / "policy.yaml").write_text("first_bound: risky\n", encoding="utf-8")
    released.write(contract("1.0.1"))

    softer = released.run("release", "1.0.1")
    again = released.run("release", "1.0.1")
    released.write(contract("1.0.2"))
    same = released.run("release", "1.0.2")

    assert "the policy got softer since 1.0.0: `first_bound` from breaking to risky" in softer.stderr
    assert [one.exit_code for one in (softer, again, same)] == [0, 0, 0]
    assert "softer" not in again.stderr + same.stderr


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

    assert "would remove openapi/releases/.new-ab12_x9z, left by a run" in dry.stderr
    assert there == [True] * 4
    assert result.exit_code == 0, result.output
    assert "removed openapi/releases/.new-ab12_x9z, left by a run that was interrupted" in result.stderr
    assert "removed changelog/.new-00000000" in result.stderr
    assert [path.exists() for path in (*left, *others)] == [False, False, True, True]


def test_adopts_what_was_frozen_elsewhere(desk: Desk) -> None:
    """A history that is older than the manifest is recorded release by release."""
    desk.releases.mkdir()
    desk.run("release", "1.0.0", "--dry-run")
    desk.entry("2026-05-01-first", covers=[{"operation": "POST /parcels"}], spec_to="1.0.0")
    (desk.releases / "1.0.0.yaml").write_bytes((desk.root / "openapi" / "openapi.yaml").read_bytes())
    assert "[release-unrecorded]" in desk.run("check").stdout

    result = desk.run("release", "1.0.0", "--adopt", "--date", "2026-05-01")

    assert result.exit_code == 0, result.output
    assert desk.run("check").exit_code == 0


@pytest.mark.parametrize(
    "arguments", [["release"], ["release", "1.0.0", "--date", "June"], ["changelog", "no"]]
)
def test_wrong_arguments(desk: Desk, arguments: list[str]) -> None:
    """They are told, and nothing is written."""
    before = desk.snapshot()

    assert desk.run(*arguments).exit_code == 2
    assert desk.snapshot() == before


def test_commands_have_their_names() -> None:
    """What the documentation calls them."""
    assert (command.release.name, command.changelog.name) == ("release", "changelog")
    assert sorted(command.changelog.commands) == ["draft", "pin", "publish"]


@pytest.mark.parametrize(
    "text", ["nonsense: [", "openapi: 3.0.3\ninfo: {title: T, version: 9.9.9}\npaths: {}\n"]
)
def test_adopts_nothing_that_is_no_such_release(desk: Desk, text: str) -> None:
    """What is recorded never changes again, so a file that is no contract, or another one, is refused."""
    folder = desk.releases
    folder.mkdir(exist_ok=True)
    (folder / "1.0.0.yaml").write_text(text, encoding="utf-8")

    result = desk.run("release", "1.0.0", "--adopt", "--date", "2026-05-01")

    assert result.exit_code != 0
    assert "1.0.0.yaml" in result.output
    assert not (folder / "releases.yaml").exists()
