"""Releases beside a contract: they cannot be done away with, and are checked without a changelog, too."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from devportal.findings import Finding
from devportal.project.inputs import Inputs
from devportal.project.settings import path_settings
from devportal.site.load_inputs import load_inputs
from tests.changelog.history import FIRST, Shelf, contract, rules
from tests.changelog.samples import BODY, file_text

DAY = date(2026, 6, 1)


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    """Return a project with one release and the entry that tells it."""
    shelf = Shelf(tmp_path, contract())
    shelf.read(contract())
    (tmp_path / "changelog").mkdir()
    text = file_text(
        BODY,
        id=FIRST.id,
        date=str(FIRST.date),
        spec_to="1.0.0",
        covers=[{"operation": "POST /parcels"}],
    )
    (tmp_path / "changelog" / f"{FIRST.id}.md").write_text(text, encoding="utf-8")
    return _inputs(tmp_path)


def _inputs(folder: Path, *, has_changelog: bool = True) -> Inputs:
    """Return what the plugin gives where `releases` is left to itself."""
    return Inputs(
        root=folder,
        contract=folder / "openapi.yaml",
        changelog=folder / "changelog" if has_changelog else None,
        releases=path_settings()["releases"].find_beside(folder / "openapi.yaml"),
        today=DAY,
    )


def record_findings(inputs: Inputs) -> tuple[Finding, ...]:
    """Return the findings on releases and entries."""
    return tuple(
        finding
        for finding in load_inputs(inputs).findings
        if finding.rule.startswith(("release-", "changelog-")) and finding.rule != "changelog-published"
    )


def test_entries_of_releases_need_the_releases(inputs: Inputs) -> None:
    """Who takes the folder away, or its place, is told so once, at the entry that names a release."""
    assert record_findings(inputs) == ()
    shutil.rmtree(inputs.root / "releases")

    (gone,) = record_findings(_inputs(inputs.root))
    (inputs.root / "releases").write_text("", encoding="utf-8")
    no_folder = record_findings(_inputs(inputs.root))

    assert gone.rule == "changelog-release"
    assert (gone.place.file, gone.place.line > 1) == (f"changelog/{FIRST.id}.md", True)
    assert "releases/releases.yaml" in gone.message
    assert rules(no_folder) == ["changelog-release", "release-file"]


def test_empty_folder_of_releases_is_none(inputs: Inputs) -> None:
    """A folder without frozen contracts and manifest proves nothing."""
    for path in (inputs.root / "releases").iterdir():
        path.unlink()

    assert rules(record_findings(_inputs(inputs.root))) == ["changelog-release"]


def test_releases_are_checked_without_a_changelog(inputs: Inputs) -> None:
    """A project that publishes no changelog keeps its releases all the same."""
    frozen = inputs.root / "releases" / "1.0.0.yaml"
    assert record_findings(_inputs(inputs.root, has_changelog=False)) == ()
    frozen.write_text(frozen.read_text(encoding="utf-8") + "# better\n", encoding="utf-8")

    assert rules(record_findings(_inputs(inputs.root, has_changelog=False))) == ["release-edited"]


def test_folder_of_that_name_without_a_manifest_is_none_of_ours(inputs: Inputs) -> None:
    """Whatever lies in a folder called releases is only ours with its manifest."""
    (inputs.root / "releases" / "releases.yaml").unlink()

    assert record_findings(_inputs(inputs.root, has_changelog=False)) == ()
