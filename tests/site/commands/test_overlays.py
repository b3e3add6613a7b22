"""Overlays of a project and of a command: the site is that of the changed contract."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from devportal.cli import cli
from tests.site.building import built_project, write_contract, write_project

OVERLAY = """\
overlay: 1.1.0
info: {title: O, version: '1'}
actions:
  - target: $.paths['/parcels/{id}'].get.summary
    update: Where is my parcel?
"""
WRONG = OVERLAY.replace("/parcels/", "/letters/")
PAGE = "reference/parcels/get-parcel/index.html"


def test_a_site_is_that_of_the_changed_contract(tmp_path: Path) -> None:
    """And follows a change of the overlay."""
    config, site, overlay = (
        write_project(tmp_path, plugin={"overlays": ["o.yaml"]}),
        tmp_path / "site",
        tmp_path / "o.yaml",
    )
    overlay.write_text(OVERLAY, encoding="utf-8")
    built_project(config, site)
    first = (site / PAGE).read_text(encoding="utf-8")
    overlay.write_text(OVERLAY.replace("Where is", "Find"), encoding="utf-8")
    built_project(config, site)

    assert "Where is my parcel?" in first
    assert "Find my parcel?" in (site / PAGE).read_text(encoding="utf-8")
    assert "Find my parcel?" in (site / "openapi.json").read_text(encoding="utf-8")


def run(*arguments: object) -> tuple[int, str, str]:
    """Return exit code and output of a command."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def test_an_overlay_goes_with_a_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Built and checked; a target that selects nothing is an error at its place in the overlay."""
    monkeypatch.chdir(tmp_path)
    write_contract(tmp_path / "api.yaml")
    (tmp_path / "o.yaml").write_text(OVERLAY, encoding="utf-8")
    (tmp_path / "wrong.yaml").write_text(WRONG, encoding="utf-8")

    assert run("build", "--contract", "api.yaml", "--overlay", "o.yaml", "--no-cache")[0] == 0
    assert "Where is my parcel?" in (tmp_path / f"site/{PAGE}").read_text(encoding="utf-8")
    code, stdout, _ = run("check", "--contract", "api.yaml", "--overlay", "o.yaml", "--overlay", "wrong.yaml")
    assert code == 1
    assert (
        "wrong.yaml:4:5: error: the target \"$.paths['/letters/{id}'].get.summary\" selects nothing" in stdout
    )


def test_an_overlay_that_cannot_be_used_stops_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is missing or no overlay, and one beside a project."""
    monkeypatch.chdir(tmp_path)
    write_project(tmp_path)

    code, _, stderr = run("check", "--contract", "openapi.yaml", "--overlay", "lost.yaml")
    assert (code, "error: lost.yaml: this file cannot be read" in stderr) == (2, True)
    code, _, stderr = run("check", "--contract", "openapi.yaml", "--overlay", "openapi.yaml")
    assert (code, "this is not an OpenAPI Overlay" in stderr) == (2, True)
    code, _, stderr = run("build", "--overlay", "o.yaml")
    assert (code, "--overlay goes with --contract" in stderr) == (2, True)
