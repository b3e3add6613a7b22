"""`devportal check --since`: whoever rewrites what was published is caught, however well the rest fits."""

from collections.abc import Callable
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from devportal.catalog.audit.lifecycle import Action
from devportal.changelog import load_changelog
from devportal.changelog.releases.manifest import entry_digest
from devportal.cli import cli
from tests.catalog.build import log_of
from tests.catalog.own_book import replace
from tests.changelog.history import contract
from tests.differ.output.repositories import git
from tests.releasing.conftest import Desk
from tests.site.leaks.written import NEXT, PUBLIC, write_records

ENTRY = "changelog/2026-05-01-first.md"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Return a project with records, a release and a published entry, all of it on the branch `main`."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780315200")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "repository" / "portal").mkdir(parents=True)
    desk = Desk(tmp_path / "repository" / "portal")
    change(desk, "mkdocs.yml", "changelog: changelog}", "changelog: changelog, records: data}")
    write_records(desk.root / "data")
    released = desk.run("release", "1.0.0", "--date", "2026-05-01")
    assert released.exit_code == 0, released.output
    git(desk.root.parent, "init", "--quiet", "--initial-branch", "main")
    commit(desk)
    return desk


def commit(desk: Desk) -> None:
    """Commit all of the project."""
    git(desk.root.parent, "add", "--all")
    git(desk.root.parent, "commit", "--quiet", "--message", "Publish")


def change(desk: Desk, path: str, old: str, new: str) -> None:
    """Change the text of a file."""
    file = desk.root / path
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def check(desk: Desk, since: str = "main") -> Result:
    """Check the project, and hold it against a revision."""
    return desk.run("check", "--since", since)


def findings(desk: Desk, since: str = "main") -> list[str]:
    """Return the places and rules of what is wrong since a revision; nothing else may be wrong."""
    alone = desk.run("check")
    assert alone.exit_code == 0, alone.output
    found = [line for line in check(desk, since).stdout.splitlines() if not line.startswith(" ")]
    return [f"{line.partition(': error')[0]} {line.rpartition('[')[2].strip(']')}" for line in found]


def recompute_log(desk: Desk) -> None:
    """Change a published price, and work out anew the log from its first line on: each hash fits."""
    dearer = replace(PUBLIC, price=Decimal("0.0910"))
    change(desk, "data/rates/gb.yaml", f"price: {PUBLIC.price}", f"price: {dearer.price}")
    log = log_of(NEXT, steps=(Action.CREATE, Action.SUBMIT, Action.APPROVE), log=log_of(dearer))
    (desk.root / "data" / "audit.jsonl").write_text(log.text(), encoding="utf-8")


def refreeze(desk: Desk) -> None:
    """Change a frozen contract and the working one, and record the digest of what is there now."""
    frozen = desk.releases / "1.0.0.yaml"
    digest = sha256(frozen.read_bytes()).hexdigest()
    for path in ("openapi/releases/1.0.0.yaml", "openapi/openapi.yaml"):
        change(desk, path, "title: Parcels", "title: Packages")
    change(desk, "openapi/releases/releases.yaml", digest, sha256(frozen.read_bytes()).hexdigest())


def republish_by_hand(desk: Desk) -> None:
    """Change a published entry, and publish it anew by hand."""
    change(desk, ENTRY, "A thing is new", "Nothing is new")
    change(desk, "openapi/releases/releases.yaml", recorded_digest(desk), current_digest(desk))


def recorded_digest(desk: Desk) -> str:
    """Return the digest of the entry that is on record."""
    (listed,) = desk.manifest()["releases"][0]["entries"].values()
    digest: str = listed[0]["sha256"]
    return digest


def current_digest(desk: Desk) -> str:
    """Return the digest of the entry as it is."""
    (entry,), _ = load_changelog(desk.changelog, name="changelog")
    return entry_digest(entry)


def test_nothing_has_changed(project: Desk) -> None:
    """What was compared is said, so that a check of nothing cannot look like one."""
    result = check(project)

    assert (result.exit_code, result.stdout) == (0, "")
    compared, count = result.stderr.splitlines()
    assert compared.removeprefix("compared with main: ").split(", ") == [
        "7 entries of the audit log",
        "1 published version",
        "1 release",
        "1 changelog entry",
    ]
    assert count == "No problems found."


def test_what_is_added_is_no_change(project: Desk) -> None:
    """A step of the review, a release with its entry, and a correction."""
    log = log_of(NEXT, steps=(Action.CREATE, Action.SUBMIT, Action.APPROVE), log=log_of(PUBLIC))
    log = log_of(NEXT, steps=(Action.WITHDRAW,), log=log)
    (project.root / "data" / "audit.jsonl").write_text(log.text(), encoding="utf-8")
    change(project, "data/rates/gb.yaml", "status: approved", "status: withdrawn")
    change(project, ENTRY, "A thing is new", "A thing is different")
    change(project, ENTRY, '"apis":', 'amended: [{date: "2026-05-20", note: "It was different."}]\n"apis":')
    assert project.run("changelog", "publish").exit_code == 0
    project.write(contract("1.0.1"))
    assert project.run("release", "1.0.1", "--date", "2026-06-01").exit_code == 0

    assert findings(project) == []


@pytest.mark.parametrize(
    ("rewrite", "found"),
    [
        (recompute_log, ["data/audit.jsonl:1:1 since-log", "data/rates/gb.yaml:2:5 since-version"]),
        (
            refreeze,
            ["openapi/releases/1.0.0.yaml since-release", "openapi/releases/releases.yaml:3:5 since-release"],
        ),
        (republish_by_hand, [f"{ENTRY}:2:1 since-entry", "openapi/releases/releases.yaml since-release"]),
    ],
)
def test_whoever_rewrites_what_was_published_is_caught(
    project: Desk, rewrite: Callable[[Desk], None], found: list[str]
) -> None:
    """With every hash worked out anew, so that nothing else shows it."""
    rewrite(project)

    assert findings(project) == found
    assert check(project).exit_code == 1


def test_whoever_moves_the_folders_is_caught(project: Desk) -> None:
    """The settings of the revision say where they were."""
    recompute_log(project)
    refreeze(project)
    republish_by_hand(project)
    for old, new in (("data", "records"), ("openapi", "api"), ("changelog", "news")):
        (project.root / old).rename(project.root / new)
        change(project, "mkdocs.yml", f": {old}", f": {new}")

    assert {finding.rpartition(" ")[2] for finding in findings(project)} == {
        "since-log", "since-version", "since-release", "since-entry",
    }  # fmt: skip


def test_whoever_takes_the_folders_out_of_the_settings_is_caught(project: Desk) -> None:
    """A project that publishes nothing has still published what it had."""
    (project.root / "openapi" / "releases").rename(project.root / "elsewhere")
    change(project, "mkdocs.yml", ", changelog: changelog, records: data", "")

    assert findings(project) == [
        "main:portal/changelog since-entry",
        "main:portal/data/audit.jsonl:1:1 since-log",
        "main:portal/openapi/releases/1.0.0.yaml since-release",
        "main:portal/openapi/releases/releases.yaml since-release",
    ]


def test_settings_that_inherit_are_followed(project: Desk) -> None:
    """The folders may be named by a file that the settings inherit from."""
    settings = (project.root / "mkdocs.yml").read_text(encoding="utf-8")
    (project.root.parent / "base.yml").write_text(settings, encoding="utf-8")
    (project.root / "mkdocs.yml").write_text("INHERIT: ../base.yml\nsite_name: Mine\n", encoding="utf-8")
    commit(project)
    recompute_log(project)

    assert "data/audit.jsonl:1:1 since-log" in findings(project)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ("INHERIT: mkdocs.yml\n", "it inherits from itself"),
        ("INHERIT: ../../x.yml\n", "'../../x.yml' leads out of the repository"),
        ("INHERIT: nowhere.yml\n", "it cannot be read"),
        ("plugins: [", "it cannot be read"),
        ("plugins: [{devportal: {records: ../../data}}]\n", "'../../data' leads out of the repository"),
        ("plugins: [{devportal: {records: 7}}]\n", "the setting 'records' is not text"),
    ],
)
def test_settings_that_cannot_be_followed_prove_nothing(project: Desk, settings: str, why: str) -> None:
    """The command could not run: it does not say that all is well."""
    mine = (project.root / "mkdocs.yml").read_text(encoding="utf-8")
    (project.root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    commit(project)
    (project.root / "mkdocs.yml").write_text(mine, encoding="utf-8")

    result = check(project)

    assert result.exit_code == 2
    assert f"main:portal/mkdocs.yml: what main has published cannot be found: {why}" in result.stderr


def test_releases_that_could_not_be_read_prove_nothing(project: Desk) -> None:
    """They are no empty list of releases."""
    manifest = project.releases / "releases.yaml"
    kept = manifest.read_bytes()
    manifest.write_bytes(b"releases: [")
    commit(project)
    manifest.write_bytes(kept)

    (found,) = findings(project)

    assert found.startswith("main:portal/openapi/releases/releases.yaml")
    assert found.endswith(" since-unreadable")


@pytest.mark.parametrize("since", ["0" * 40, "empty"])
def test_a_project_that_is_new_is_a_warning(project: Desk, since: str) -> None:
    """It fails nothing, and it is said that nothing was compared."""
    git(project.root.parent, "checkout", "--quiet", "--orphan", "empty")
    git(project.root.parent, "rm", "-r", "--quiet", "--cached", ".")
    git(project.root.parent, "commit", "--quiet", "--allow-empty", "--message", "Begin")

    result = check(project, since)

    assert result.exit_code == 0
    assert f"{since}: warning: nothing is compared with {since}" in result.stdout


def test_a_revision_that_is_not_there_is_no_pass(project: Desk) -> None:
    """A checkout without history is the usual cause."""
    result = check(project, "origin/main")

    assert result.exit_code == 2
    assert "git knows no revision 'origin/main' here" in result.stderr


def check_records(folder: Path) -> Result:
    """Check a folder of records alone, and hold it against the branch `main`."""
    return CliRunner().invoke(cli, ["check", "--records", str(folder), "--since", "main"])


def test_records_alone(project: Desk) -> None:
    """A folder of records in a repository needs no project."""
    data = project.root / "data"
    clean = check_records(data)
    recompute_log(project)

    wrong = check_records(data)

    assert (clean.exit_code, "compared with main: 7 entries" in clean.stderr) == (0, True)
    assert (wrong.exit_code, wrong.stdout.count("since-log")) == (1, 1)


def test_records_that_are_new(project: Desk) -> None:
    """Under a name that the revision does not have nothing is compared, and that is said."""
    (project.root / "data").rename(project.root / "other")

    result = check_records(project.root / "other")

    assert result.exit_code == 0
    assert "nothing is compared with main: it has no folder portal/other" in result.stdout


def test_records_that_are_a_repository(project: Desk) -> None:
    """As they are where the rest of the project is public."""
    data = project.root / "data"
    git(data, "init", "--quiet", "--initial-branch", "main")
    git(data, "add", "--all")
    git(data, "commit", "--quiet", "--message", "Keep")
    recompute_log(project)

    assert check_records(data).stdout.count("since-") == 2


def test_a_contract_alone_has_published_nothing(project: Desk) -> None:
    """The option is refused instead of being ignored."""
    contract_file = str(project.root / "openapi" / "openapi.yaml")

    result = CliRunner().invoke(cli, ["check", "--contract", contract_file, "--since", "main"])

    assert result.exit_code == 2
    assert "--since goes with a project or with --records" in result.stderr


def test_nothing_is_written(project: Desk) -> None:
    """Neither in the work tree nor in the repository, nor is anything left among temporary files."""
    before = contents(project.root.parent)

    check(project)

    assert contents(project.root.parent) == before


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
