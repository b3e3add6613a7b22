"""The plug-in that the page about plug-ins shows works as it is written there."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from devportal.conformance.families.registry import plugin_families
from devportal.conformance.settings import parse_settings
from devportal.documents import parse_document
from tests.apps.parcels import Parcels
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of
from tests.plugging import write_plugin

from .repository import fenced_blocks

PAGE = "docs/toolkit/plugins.md"


@pytest.fixture(autouse=True)
def _install_distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the distribution that the page describes."""
    (project,), (checks,) = fenced_blocks(PAGE, "toml"), fenced_blocks(PAGE, "python")
    read = tomllib.loads(project)["project"]
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in rows.items())
        for group, rows in read["entry-points"].items()
    )
    (tmp_path / "parcels").mkdir()
    write_plugin(tmp_path, read["name"], points=points, modules={"parcels/checks": checks})
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.conformance
@pytest.mark.parametrize(("heaviest_g", "is_green"), [(30000, True), (1000, False)])
def test_the_check_of_the_page_finds_its_fault(heaviest_g: int, *, is_green: bool) -> None:
    """A server whose limit is what the settings say is green, and red if it is another."""
    text = fenced_blocks(PAGE, "yaml")[0].replace("30000", str(heaviest_g))
    settings = parse_settings(parse_document(text, name="conformance.yaml"), folder=Path())
    subject = replace(subject_of(), plugins=settings.plugins)
    (family,) = plugin_families(settings.plugins)

    failures = run_family(family, Parcels(), subject).failures

    assert [failure.title for failure in failures if failure.fails] == (
        [] if is_green else ["a parcel that is too heavy is accepted"]
    )
    assert family.lacks is not None
    assert "heaviest_g" in family.lacks(replace(subject, plugins={"parcels-devportal": {}}))
