"""The logo and favicon of a site that chose none."""

from pathlib import Path

import pytest

from devportal.site.rendering.site_logo import site_monogram
from tests.site.building import CONTRACT, built_from, built_project, write_contract, write_project

_SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>'


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Redocly Museum API", "RM"),
        ("Stripe API", "S"),
        ("Discord HTTP API (Preview)", "D"),
        ("Twilio - Api", "T"),
        ("GitHub v3 REST API", "G"),
        ("freee人事労務", "F"),
        ("人事労務", "人"),
        ("API", "A"),
        ("(Internal)", "I"),
        ("…", ""),
    ],
)
def test_a_monogram_is_the_initials_of_what_names_the_api(name: str, letters: str) -> None:
    """Words such as API and version numbers give no initials, unless there is nothing else."""
    assert site_monogram(name) == letters


def test_a_site_without_a_logo_has_a_monogram(folder: Path) -> None:
    """The header shows the initials of the contract's title, and the favicon is a file with them."""
    site = built_from(CONTRACT, folder).site_dir

    page = (site / "index.html").read_text(encoding="utf-8")

    assert 'dp-monogram dp-monogram--two"' in page
    assert ">PT</text>" in page
    assert '<link rel="icon" href="assets/devportal/monogram.svg">' in page
    assert ">PT</text>" in (site / "assets/devportal/monogram.svg").read_text(encoding="utf-8")


def test_the_logo_of_the_contract_is_that_of_the_site(folder: Path) -> None:
    """`x-logo` is copied, and shown in the header and in browser tabs; a later build follows its change."""
    info = {**CONTRACT["info"], "x-logo": {"url": "logo.svg"}}
    (folder / "logo.svg").write_text(_SVG, encoding="utf-8")

    site = built_from({**CONTRACT, "info": info}, folder).site_dir

    page = (site / "index.html").read_text(encoding="utf-8")
    assert '<img src="assets/devportal/logo.svg" alt="logo">' in page
    assert '<link rel="icon" href="assets/devportal/logo.svg">' in page
    assert (site / "assets/devportal/logo.svg").read_text(encoding="utf-8") == _SVG
    (folder / "logo.svg").unlink()
    built_from({**CONTRACT, "info": info}, folder)
    assert "dp-monogram" in (site / "index.html").read_text(encoding="utf-8")
    assert not (site / "assets/devportal/logo.svg").exists()


def test_the_settings_of_a_project_come_first(folder: Path) -> None:
    """A project with a logo and a favicon gets no files of its contract's."""
    theme = {"name": "material", "icon": {"logo": "material/message-check"}, "favicon": "assets/own.svg"}
    project = write_project(folder, theme=theme)
    info = {**CONTRACT["info"], "x-logo": {"url": "logo.svg"}}
    (folder / "logo.svg").write_text(_SVG, encoding="utf-8")
    write_contract(folder / "openapi.yaml", {**CONTRACT, "info": info})

    site = built_project(project, folder / "site").site_dir

    page = (site / "reference/index.html").read_text(encoding="utf-8")
    assert "assets/own.svg" in page
    assert "dp-monogram" not in page
    assert not (site / "assets/devportal/logo.svg").exists()
