"""The folder of a site: what a build may empty, and what it leaves in it."""

from pathlib import Path

import pytest
from mkdocs.config import load_config

from devportal.errors import InvalidSettings
from devportal.site.cache.site_folder import empty_site_folder, mark_as_site, refuse_foreign_folder
from devportal.site.cache.targets import remove_targets
from devportal.site.project_file import load_project
from tests.site.building import write_project

HIDDEN = (".git/HEAD", ".nojekyll", ".well-known/security.txt")
OF_BUILDS = (".well-known/api-catalog", ".well-known/agent-skills/index.json")
VISIBLE = ("index.html", "reference/index.html", "assets/logo.svg", "assets/devportal/portal.js")


def write_files(folder: Path, *names: str) -> None:
    """Write files with nothing of interest in them."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("text", encoding="utf-8")


def paths_below(folder: Path) -> set[str]:
    """Return the names of all files and empty folders."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() or not any(path.iterdir())
    }


def test_an_emptied_folder_has_its_mark_and_hidden_files_of_others(tmp_path: Path) -> None:
    """A link to a folder goes, and what is in that folder stays."""
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    write_files(site, *HIDDEN, *OF_BUILDS, *VISIBLE)
    write_files(elsewhere, "kept.txt")
    (site / "link").symlink_to(elsewhere)

    empty_site_folder(site)

    assert paths_below(site) == {*HIDDEN, "assets/devportal"}
    assert paths_below(elsewhere) == {"kept.txt"}


def test_emptying_a_folder_that_is_not_there_makes_none(tmp_path: Path) -> None:
    """A first build has nothing to empty."""
    empty_site_folder(tmp_path / "site")

    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("names", [(), HIDDEN, (*HIDDEN, *OF_BUILDS)])
def test_a_folder_with_hidden_files_only_may_be_built_into(names: tuple[str, ...], tmp_path: Path) -> None:
    """Such as a branch with pages, or what a build leaves that was interrupted as it emptied the folder."""
    config, inputs = load_project(write_project(tmp_path))
    write_files(Path(config.site_dir), *names)

    refuse_foreign_folder(load_config(str(tmp_path / "mkdocs.yml")), inputs)


def test_a_folder_of_others_is_refused_until_it_is_marked(tmp_path: Path) -> None:
    """A build marks the folder before it writes anything else: so one that is interrupted leaves a site."""
    config, inputs = load_project(write_project(tmp_path))
    write_files(Path(config.site_dir), "thesis.odt")

    with pytest.raises(InvalidSettings, match="holds no site"):
        refuse_foreign_folder(config, inputs)
    mark_as_site(Path(config.site_dir))
    refuse_foreign_folder(config, inputs)


def test_removed_files_take_the_folders_with_them_that_they_leave_empty(tmp_path: Path) -> None:
    """Never the folder of the site itself; a file that is gone already is no error."""
    write_files(tmp_path, "a/b/c.html", "a/d.html", "e/f.html")

    remove_targets(tmp_path, ["a/b/c.html", "e/f.html", "g/h.html"])
    assert paths_below(tmp_path) == {"a/d.html"}

    remove_targets(tmp_path, ["a/d.html"])
    assert tmp_path.is_dir()
