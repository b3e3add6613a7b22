"""Releasing: everything is checked first, written in order, and done once."""

import pytest

from devportal.releasing import command
from tests.changelog.history import contract, with_weight
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


def test_second_release_names_the_first(released_desk: Desk) -> None:
    """Entries of a later release say what it follows."""
    released_desk.write(with_weight(contract("1.1.0")))
    path = released_desk.entry("2026-05-20-weight", covers=COVERS)

    result = released_desk.run("release", "1.1.0")

    assert result.exit_code == 0, result.output
    assert 'spec_from: "1.0.0"\nspec_to: "1.1.0"' in path.read_text(encoding="utf-8")
    assert released_desk.run("check").exit_code == 0


def test_again_is_nothing(released_desk: Desk) -> None:
    """The same command once more changes nothing and says so."""
    before = released_desk.snapshot()

    result = released_desk.run("release", "1.0.0")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "1.0.0 was released on 2026-05-01: nothing to do" in result.stderr
    assert released_desk.snapshot() == before


def test_dry_run_writes_nothing(desk: Desk) -> None:
    """It says what it would write."""
    before = desk.snapshot()

    result = desk.run("release", "1.0.0", "--dry-run")

    assert result.exit_code == 0
    assert "would write openapi/releases/1.0.0.yaml" in result.stdout
    assert desk.snapshot() == before


def test_announcement_of_the_future_waits(released_desk: Desk) -> None:
    """An entry of a later day belongs to the release that has the change."""
    path = released_desk.entry(
        "2026-05-20-soon",
        impact="breaking",
        kind="changed",
        action_required=True,
        effective="2026-09-01",
        covers=[{"operation": "GET /parcels"}],
    )
    released_desk.write(contract("1.0.1"))

    assert released_desk.run("release", "1.0.1").exit_code == 0
    assert "spec_to" not in path.read_text(encoding="utf-8")


def test_release_records_the_policy(released_desk: Desk) -> None:
    """A release is judged for ever as it was judged on its day."""
    settings = (released_desk.root / "mkdocs.yml").read_text(encoding="utf-8")
    (released_desk.root / "mkdocs.yml").write_text(
        settings.replace("changelog: changelog", "changelog: changelog, policy: policy.yaml"),
        encoding="utf-8",
    )
    (released_desk.root / "policy.yaml").write_text("first_bound: risky\n", encoding="utf-8")
    released_desk.write(contract("1.0.1"))

    assert released_desk.run("release", "1.0.1").exit_code == 0
    assert released_desk.manifest()["releases"][1]["policy"] == {"first_bound": "risky"}


def test_softer_policy_is_told(released_desk: Desk) -> None:
    """What is judged less gravely from now on is named; a policy that stays is not spoken of."""
    settings = (released_desk.root / "mkdocs.yml").read_text(encoding="utf-8")
    (released_desk.root / "mkdocs.yml").write_text(
        settings.replace("changelog: changelog", "changelog: changelog, policy: policy.yaml"),
        encoding="utf-8",
    )
    (released_desk.root / "policy.yaml").write_text("first_bound: risky\n", encoding="utf-8")
    released_desk.write(contract("1.0.1"))

    softer = released_desk.run("release", "1.0.1")
    again = released_desk.run("release", "1.0.1")
    released_desk.write(contract("1.0.2"))
    same = released_desk.run("release", "1.0.2")

    assert "the policy is less strict than for 1.0.0: `first_bound` from breaking to risky" in softer.stderr
    assert [result.exit_code for result in (softer, again, same)] == [0, 0, 0]
    assert "softer" not in again.stderr + same.stderr


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


@pytest.mark.parametrize(("version", "is_told"), [("1.0.1", True), ("1.1.0", False)])
def test_release_of_nothing_new_is_told(released_desk: Desk, version: str, *, is_told: bool) -> None:
    """It is no mistake, and may be one."""
    released_desk.write(contract(version) if is_told else with_weight(contract(version)))
    if not is_told:
        released_desk.entry("2026-05-20-weight", covers=COVERS)

    result = released_desk.run("release", version)

    assert result.exit_code == 0, result.output
    assert ("only the version changed since 1.0.0" in result.stderr) == is_told
    assert f"{version} is released, with the date {DAY}" in result.stderr


def test_two_releases_of_one_day(released_desk: Desk) -> None:
    """The day of the last release is early enough."""
    released_desk.write(contract("1.0.1"))

    assert released_desk.run("release", "1.0.1", "--date", "2026-05-01").exit_code == 0


@pytest.mark.parametrize(("effective", "belongs"), [("2026-05-31", True), (DAY, True), ("2026-06-02", False)])
def test_entry_of_behaviour_belongs_to_the_release_in_which_it_is_live(
    released_desk: Desk, effective: str, *, belongs: bool
) -> None:
    """On its day at the latest; what is announced waits."""
    path = released_desk.entry("2026-05-20-faster", contract="none", effective=effective)
    released_desk.write(contract("1.0.1"))

    assert released_desk.run("release", "1.0.1").exit_code == 0
    assert ("spec_to" in path.read_text(encoding="utf-8")) == belongs
