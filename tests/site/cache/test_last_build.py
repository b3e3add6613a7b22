"""Tests of builds that have nothing to do: they report what the last one did, and leave its site alone."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from devportal.cli import cli
from devportal.site.cache.last_build import BuildOutcome, ContractBuild, record_outcome
from tests.site.building import CONTRACT, contents, write_contract


class Command:
    """A contract in a folder, and `devportal build` for it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Take where."""
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796083200")
        self.monkeypatch = monkeypatch
        self.document = json.loads(json.dumps(CONTRACT))
        self.get = self.document["paths"]["/parcels/{id}"]["get"]
        self.folder = folder / "contract"
        self.folder.mkdir()
        self.site = folder / "site"
        self.written = write_contract(self.folder / "openapi.yaml", self.document)

    def save(self) -> None:
        """Write the contract."""
        write_contract(self.written, self.document)

    def run(self, *options: str) -> Result:
        """Run the command."""
        paths = ["--contract", str(self.written), "--site-dir", str(self.site)]
        return CliRunner().invoke(cli, ["build", *paths, *options])

    def builds_nothing(self, *options: str) -> bool:
        """Run the command; return whether MkDocs was left alone."""
        return "Reading the contract" not in self.run(*options).stderr


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(tmp_path, monkeypatch)


def test_unchanged_contract_is_not_read_again(command: Command) -> None:
    """The site stays as it is, and the command says how large it is."""
    first = command.run()
    site = contents(command.site)

    again = command.run()

    assert "Reading the contract" in first.stderr
    assert "Reading the contract" not in again.stderr
    assert again.stdout == first.stdout
    assert "1 operation, 4 generated pages (0 rendered)" in again.stderr
    assert contents(command.site) == site


@pytest.mark.deep
def test_name_of_a_folder_need_not_be_utf_8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File systems take any bytes, and archives from elsewhere bring them."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    command = Command(folder, monkeypatch)
    paths = ["--contract", str(command.written), "--site-dir", str(command.site)]
    line = [sys.executable, "-m", "devportal", "build", *paths]

    first, again = (subprocess.run(line, capture_output=True, check=True) for _ in range(2))

    assert b"Reading the contract" in first.stderr
    assert b"Reading the contract" not in again.stderr
    assert contents(command.site)


def test_build_whose_sources_cannot_be_read_again_succeeds(command: Command) -> None:
    """The site is made; the next build only has nothing to go by."""

    def fail(*_: object) -> None:
        raise PermissionError("a file that only the build could read")

    command.monkeypatch.setattr("devportal.site.cache.last_build.file_digest", fail)

    assert command.run().exit_code == 0
    assert not command.builds_nothing()


def test_problems_are_reported_again_with_their_places(command: Command) -> None:
    """Exit code, findings and outcome are those of the build that found them."""
    command.get["parameters"].append({"name": "page", "in": "nowhere", "schema": {"type": "string"}})
    command.save()
    first = command.run()

    again = command.run()

    problems = [line for line in first.stderr.splitlines() if "openapi.yaml:" in line or "help:" in line]
    assert problems
    assert "Reading the contract" not in again.stderr
    assert [line for line in again.stderr.splitlines() if line in problems] == problems
    assert again.exit_code == first.exit_code == 1


def edit(command: Command) -> None:
    """Change a description."""
    command.get["description"] = "New."
    command.save()


def change_site(command: Command) -> None:
    """Change a page of the site."""
    (command.site / "index.html").write_text("", encoding="utf-8")


def remove_page(command: Command) -> None:
    """Remove a page of the site."""
    (command.site / "index.html").unlink()


def add_redirects(command: Command) -> None:
    """Put redirects beside the contract, where there were none."""
    (command.folder / "redirects.yaml").write_text("redirects: []\n", encoding="utf-8")


def change_day(command: Command) -> None:
    """Build on another day."""
    command.monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796169600")


@pytest.mark.parametrize("change", [edit, change_site, remove_page, add_redirects, change_day])
def test_change_is_built(change: Callable[[Command], None], command: Command) -> None:
    """Whatever the site is made from, and the site itself, counts."""
    command.run()

    change(command)

    assert not command.builds_nothing()
    assert (command.site / "index.html").stat().st_size > 1000


@pytest.mark.parametrize(
    "options", [("--language", "de"), ("--site-url", "https://a.example/"), ("--no-cache",)]
)
def test_other_options_are_built(options: tuple[str, ...], command: Command) -> None:
    """An option that was not given before, and the one that asks for a build."""
    command.run()

    assert not command.builds_nothing(*options)


def test_changed_file_that_the_contract_refers_to_is_built(command: Command) -> None:
    """Not only the contract itself is looked at."""
    command.get["responses"]["404"] = {"$ref": "shared.yaml#/missing"}
    command.save()
    shared = command.folder / "shared.yaml"
    shared.write_text("missing: {description: There is no such parcel.}\n", encoding="utf-8")
    command.run()
    is_unchanged = command.builds_nothing()

    shared.write_text("missing: {description: It was never sent.}\n", encoding="utf-8")

    assert is_unchanged
    assert not command.builds_nothing()


def test_file_that_was_absent_is_read_once_it_is_there(command: Command) -> None:
    """A reference that led nowhere leads to it now."""
    command.get["responses"]["404"] = {"$ref": "shared.yaml#/missing"}
    command.save()
    failed = command.run()
    shared = command.folder / "shared.yaml"

    shared.write_text("missing: {description: There is no such parcel.}\n", encoding="utf-8")
    repaired = command.run()

    assert failed.exit_code == 1
    assert repaired.exit_code == 0, repaired.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="its file system keeps no time of a change of place")
def test_older_file_that_took_the_place_of_the_contract_during_a_build_is_built(tmp_path: Path) -> None:
    """`mv` and `cp -p` leave a file its time, so nothing is noted of a build that may have read another one."""
    contract, cache = write_contract(tmp_path / "openapi.yaml"), tmp_path / "cache"
    cache.mkdir()
    asked = ContractBuild(contract=contract, site_dir=tmp_path / "site")
    outcome = BuildOutcome(
        site_dir=asked.site_dir,
        findings=(),
        warnings=(),
        operations=1,
        pages=1,
        rendered=1,
        files=1,
        size_bytes=1,
        seconds=1,
    )
    started_ns = contract.stat().st_ctime_ns
    os.utime(contract, ns=(0, 0))

    record_outcome(asked, cache, outcome, paths=[contract], files={}, started_ns=started_ns)
    assert not list(cache.iterdir())

    started_ns = contract.stat().st_ctime_ns + 1
    record_outcome(asked, cache, outcome, paths=[contract], files={}, started_ns=started_ns)
    assert list(cache.iterdir())


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"build": "", "outcome": {}}'])
def test_record_of_another_version_is_not_used(text: str, command: Command) -> None:
    """A cache that an older or newer toolkit has left is made anew."""
    command.run()
    (record,) = (command.site.parent / "cache/devportal/pages").glob("*.json")
    record.write_text(text, encoding="utf-8")

    assert not command.builds_nothing()
