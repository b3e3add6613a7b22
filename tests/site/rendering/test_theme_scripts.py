"""The theme's own scripts: only where a project asks for what they do."""

import re
from pathlib import Path
from typing import Any

import pytest

from devportal.site.rendering.theme_assets import EXTRAS_NEEDING_SCRIPTS, FEATURES_WITHOUT_SCRIPTS
from tests.site.building import ROOT, built_project, contents, write_project


def scripts_of(folder: Path, **settings: Any) -> tuple[bool, bool, bool]:
    """Return whether a page loads the theme's scripts, whether ours, and whether the site has the theme's."""
    built = built_project(write_project(folder, **settings), folder / "site")
    files = contents(built.site_dir)
    page = files["reference/parcels/get-parcel/index.html"].decode()
    ours = b"".join(
        files[name] for name in re.findall(r"assets/devportal/immutable/portal\.\w+\.(?:js|css)", page)
    )
    return (
        "assets/javascripts/bundle." in page and "devportal/themed.js" in page and "__config" in page,
        b'".dp-menu"' in ours and b".md-sidebar--secondary .md-sidebar__scrollwrap{max-height" in ours,
        any(name.startswith("assets/javascripts/") for name in files),
    )


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"theme": {"name": "material", "features": ["toc.integrate", "search.suggest", "content.tabs.link"]}},
        {"extra": {"social": [], "consent": None}},
    ],
)
def test_plain_project_has_ours_only(settings: dict[str, Any], folder: Path) -> None:
    """Neither on its pages nor in its folder, also with features that need no script or that we have."""
    assert scripts_of(folder, **settings) == (False, True, False)


@pytest.mark.parametrize(
    "settings",
    [
        {"theme": {"name": "material", "features": ["navigation.instant"]}},
        {"theme": {"name": "material", "features": ["content.tooltips"]}},
        {"theme": {"name": "material", "features": ["a.feature.of.tomorrow"]}},
        {"extra": {"annotate": {"json": [".s2"]}}},
        {"extra": {"analytics": {"provider": "google", "property": "G-1"}}},
        {"plugin": {"theme_scripts": True}},
    ],
)
def test_project_that_asks_for_more_has_the_themes(settings: dict[str, Any], folder: Path) -> None:
    """By a feature, by what the theme reads under `extra`, or by the setting."""
    assert scripts_of(folder, **settings) == (True, False, True)


def test_own_files_beside_those_of_the_theme_stay(folder: Path) -> None:
    """A project may keep scripts of its own under the same folder, and they are loaded."""
    config = write_project(folder, extra_javascript=["assets/javascripts/mine.js"])
    mine = folder / "docs" / "assets" / "javascripts" / "mine.js"
    mine.parent.mkdir(parents=True)
    mine.write_text("document$.subscribe(() => {})\n", encoding="utf-8")

    files = contents(built_project(config, folder / "site").site_dir)

    assert [name for name in files if name.startswith("assets/javascripts/")] == [
        "assets/javascripts/mine.js"
    ]
    assert '<script src="assets/javascripts/mine.js"></script>' in files["index.html"].decode()


def test_documents_name_the_features_that_need_no_script_of_the_theme() -> None:
    """All of them, in order, and none that does."""
    text = (ROOT / "docs" / "toolkit" / "settings.md").read_text(encoding="utf-8")
    section = text.partition("## Features of the theme\n")[2].partition("\n## ")[0]
    (line,) = (line for line in section.splitlines() if line.startswith("`"))

    assert re.findall(r"`([^`]+)`", line) == sorted(FEATURES_WITHOUT_SCRIPTS)


def test_documents_name_what_needs_the_scripts_of_the_theme_under_extra() -> None:
    """All keys of it, in order."""
    text = (ROOT / "docs" / "toolkit" / "settings.md").read_text(encoding="utf-8")
    (keys,) = re.findall(r"^- (`[^:]*?) under `extra`$", text, re.MULTILINE)

    assert re.findall(r"`([^`]+)`", keys) == [*EXTRAS_NEEDING_SCRIPTS]
