"""`devportal accept` writes what a person has decided into the policy, and nothing else."""

import json
import subprocess
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from devportal.cli import cli
from tests.differ.output.comparing import CONTRACTS
from tests.differ.output.repositories import repository

OLD, NEW = str(CONTRACTS / "old.yaml"), str(CONTRACTS / "new.yaml")
REMOVED, SHORTER = "8394b7fffd7fe7dd", "a42962b32b004854"
DAY = ("--today", "2026-11-02")
SIDES = ("--old", OLD, "--new", NEW)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_command(*arguments: str) -> Result:
    """Run the command line."""
    return CliRunner().invoke(cli, arguments, prog_name="devportal")


def run_accept(*arguments: str) -> Result:
    """Run `devportal accept` on the small pair of contracts, on a day of November."""
    return run_command("accept", *arguments, *SIDES, *DAY)


def run_diff(day: str = "2026-11-02") -> Result:
    """Compare the small pair of contracts by the policy."""
    return run_command("diff", OLD, NEW, "--policy", "diff-policy.yaml", "--today", day, "--format", "json")


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and return what it prints."""
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def test_several_changes_are_accepted_at_once(folder: Path) -> None:
    """In a file that is made, with their places; the comparison passes, and both are said."""
    result = run_accept(SHORTER, REMOVED, "--reason", "Agreed: #12")

    written = yaml.safe_load((folder / "diff-policy.yaml").read_text(encoding="utf-8"))["acknowledged"]
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "Accepted in diff-policy.yaml: 2 changes"
    assert list(written) == [SHORTER, REMOVED]
    assert written[SHORTER]["reason"] == "Agreed: #12"
    assert written[SHORTER]["places"] == ["PATCH /parcels/{id} request", "POST /parcels request"]
    assert run_diff().exit_code == 0


def test_comments_and_order_of_the_policy_stay(folder: Path) -> None:
    """The row is added, and no other line changes."""
    before = "# Ours.\nunknown_input: ignored  # by the gateway\nacknowledged: {}  # reviewed\n"
    (folder / "diff-policy.yaml").write_text(before, encoding="utf-8")

    run_accept(REMOVED, "--reason", "Gone.", "--until", "2026-12-31")

    text = (folder / "diff-policy.yaml").read_text(encoding="utf-8")
    assert text == (
        f'{before.replace(" {}", "")}  "{REMOVED}":\n    reason: "Gone."\n    date: 2026-11-02\n    until: 2026-12-31\n'
        '    places:\n    - "DELETE /parcels/{id}"\n'
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("day", "code"), [("2026-12-31", 0), ("2027-01-01", 1)])
def test_an_acknowledgement_ends(day: str, code: int) -> None:
    """On its last day it counts; on the day after, the change is not reviewed, and a warning says why."""
    run_accept(SHORTER, REMOVED, "--reason", "For a time.", "--until", "2026-12-31")

    result = run_diff(day)

    report = json.loads(result.stdout)
    assert result.exit_code == code
    assert report["summary"]["acknowledged"] == (2 if code == 0 else 0)
    assert ("this acknowledgement ended on 2026-12-31" in result.stderr) == (code == 1)


def test_an_expired_row_is_renewed(folder: Path) -> None:
    """Its last day goes if none is given, and its comments stay."""
    run_accept(REMOVED, "--reason", "For a time.", "--until", "2026-11-02")
    file = folder / "diff-policy.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("date: 2026-11-02", "date: 2026-11-02 # Ada"))

    result = run_command("accept", REMOVED, *SIDES, "--reason", "For good.", "--today", "2027-01-01")

    text = file.read_text(encoding="utf-8")
    assert result.exit_code == 0
    assert 'reason: "For good."\n    date: 2027-01-01 # Ada\n    places:' in text
    assert "until" not in text


def test_what_is_accepted_already_is_not_written_again(folder: Path) -> None:
    """The file stays as it is, the day of the review too."""
    run_accept(REMOVED, "--reason", "Gone.")
    before = (folder / "diff-policy.yaml").read_bytes()

    result = run_command("accept", REMOVED, *SIDES, "--reason", "Gone.", "--today", "2026-11-09")

    assert result.stdout.startswith("Already accepted in diff-policy.yaml for this reason: 1 change\n")
    assert (folder / "diff-policy.yaml").read_bytes() == before


def test_an_unknown_fingerprint_lists_the_present_ones(folder: Path) -> None:
    """The nearest first; nothing is written, also not for those that are known."""
    result = run_accept(REMOVED, "a42962b32b004855", "--reason", "x")

    lines = result.stderr.splitlines()
    assert result.exit_code == 2
    assert "'a42962b32b004855' is not a fingerprint of a change of this comparison" in lines[0]
    assert (
        lines[2]
        .strip()
        .startswith(f"{SHORTER} breaking: schema Parcel, note, sent by clients: maxLength is lowered")
    )
    assert not (folder / "diff-policy.yaml").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing option '--reason'"),
        (("--reason", "  "), "--reason: it is empty"),
        (("--reason", "x", "--until", "2026-11-01"), "'2026-11-01' has passed: today is 2026-11-02"),
        (("--reason", "x", "--until", "2026-13-01"), "'2026-13-01' is not a day: write it as YYYY-MM-DD"),
        (("--reason", "x", "--until", "20261201"), "is not a day"),
    ],
)
def test_a_reason_and_a_day_to_come_are_needed(
    folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Nothing is written without them."""
    result = run_accept(REMOVED, *arguments)

    assert result.exit_code == 2
    assert message in result.stderr
    assert list(folder.iterdir()) == []


def test_a_policy_with_problems_is_not_written(folder: Path) -> None:
    """They are reported at their places."""
    (folder / "diff-policy.yaml").write_text("unknown: 1\n", encoding="utf-8")

    result = run_accept(REMOVED, "--reason", "x")

    assert result.exit_code == 2
    assert "diff-policy.yaml:1:1" in result.stderr
    assert (folder / "diff-policy.yaml").read_text(encoding="utf-8") == "unknown: 1\n"


def test_a_file_that_cannot_be_added_to_is_left_alone(folder: Path) -> None:
    """A row would change another setting, which has the same anchor."""
    policy = "rules: &none {}\nacknowledged: *none\n"
    (folder / "diff-policy.yaml").write_text(policy, encoding="utf-8")

    result = run_accept(REMOVED, "--reason", "x")

    assert result.exit_code == 2
    assert "add the rows yourself" in result.stderr
    assert (folder / "diff-policy.yaml").read_text(encoding="utf-8") == policy


def test_the_contract_is_compared_with_the_default_branch(folder: Path) -> None:
    """As it is where HEAD left it; the commit has the policy alone, whatever else is staged."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ada")
    git(folder, "config", "user.email", "ada@example.com")
    (folder / "openapi.yaml").write_bytes(Path(OLD).read_bytes())
    git(folder, "add", "openapi.yaml")
    git(folder, "commit", "--quiet", "--message", "Release")
    git(folder, "checkout", "--quiet", "-b", "topic")
    (folder / "openapi.yaml").write_bytes(Path(NEW).read_bytes())
    git(folder, "add", "openapi.yaml")

    result = run_command("accept", REMOVED, "--reason", "Gone.", "--commit", *DAY)

    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "Committed diff-policy.yaml."
    assert git(folder, "show", "--name-only", "--format=%s%n%n%b").splitlines()[:3] == [
        "Accept 1 change of openapi.yaml", "", "Gone.",
    ]  # fmt: skip
    assert git(folder, "show", "--name-only", "--format=").splitlines() == ["diff-policy.yaml"]
    assert git(folder, "status", "--short").splitlines() == ["M  openapi.yaml"]


def test_a_commit_that_git_refuses_is_reported(folder: Path) -> None:
    """The file is written all the same, and the message says so."""
    result = run_accept(REMOVED, "--reason", "Gone.", "--commit")

    assert result.exit_code == 2
    assert "diff-policy.yaml is written, but git did not commit it" in result.stderr
    assert (folder / "diff-policy.yaml").exists()


def test_the_project_names_contract_and_policy(folder: Path) -> None:
    """As it does for a build: both are read from `mkdocs.yml`."""
    settings = {"plugins": [{"devportal": {"contract": "api/parcels.yaml", "policy": "api/policy.yaml"}}]}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    (folder / "api").mkdir()
    (folder / "api/parcels.yaml").write_bytes(Path(NEW).read_bytes())

    result = run_command("accept", REMOVED, "--reason", "Gone.", "--old", OLD, *DAY)

    assert result.exit_code == 0, result.stderr
    assert list(yaml.safe_load((folder / "api/policy.yaml").read_text("utf-8"))["acknowledged"]) == [REMOVED]
    assert not (folder / "diff-policy.yaml").exists()


def test_a_project_of_several_contracts_asks_which_one(folder: Path) -> None:
    """Each may have a policy of its own, which counts if the contract is chosen."""
    contracts = {"orders": {"file": "orders.yaml", "policy": "orders-policy.yaml"}, "parcels": "parcels.yaml"}
    (folder / "mkdocs.yml").write_text(
        yaml.safe_dump({"plugins": [{"devportal": {"contracts": contracts}}]}), encoding="utf-8"
    )
    (folder / "orders.yaml").write_bytes(Path(NEW).read_bytes())
    arguments = ("accept", REMOVED, "--reason", "Gone.", "--old", OLD, *DAY)

    asked, accepted = run_command(*arguments), run_command(*arguments, "--new", "./orders.yaml")

    assert asked.exit_code == 2
    assert "choose one with --new: orders.yaml, parcels.yaml" in asked.stderr
    assert accepted.exit_code == 0, accepted.stderr
    assert (folder / "orders-policy.yaml").exists()


@pytest.mark.usefixtures("folder")
def test_a_contract_that_nobody_names_is_asked_for() -> None:
    """Before git is asked for an older version of it."""
    result = run_command("accept", REMOVED, "--reason", "Gone.", *DAY)

    assert result.exit_code == 2
    assert "no contract is named, and there is no openapi.yaml here" in result.stderr


@pytest.mark.usefixtures("folder")
def test_without_a_branch_to_compare_with_the_old_contract_is_asked_for() -> None:
    """Outside of a repository."""
    result = run_command("accept", REMOVED, "--reason", "x", "--new", NEW)

    assert result.exit_code == 2
    assert "--old: this folder is not in a git repository, so nothing can be compared" in result.stderr


def test_a_repository_without_a_known_branch_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the names that were looked for."""
    place = repository(tmp_path / "clone", {"openapi.yaml": "{}"})
    git(place, "branch", "--move", "trunk")
    monkeypatch.chdir(place)

    result = run_command("accept", REMOVED, "--reason", "x")

    assert result.exit_code == 2
    assert "--old: git knows none of the branches origin/HEAD" in result.stderr


def test_a_branch_without_a_common_commit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clone that lacks older commits has the branch, but not the commit where HEAD left it."""
    place = repository(tmp_path / "clone", {"openapi.yaml": "{}"})
    git(place, "checkout", "--quiet", "--orphan", "topic")
    git(place, "-c", "user.name=Ada", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "Begin")
    monkeypatch.chdir(place)

    result = run_command("accept", REMOVED, "--reason", "x")

    assert result.exit_code == 2
    assert "--old: git finds no commit where HEAD left main, so nothing" in result.stderr
