"""Environments of a theme that are made quick: they find what the theme's own find."""

from pathlib import Path

import pytest
from mkdocs.theme import Theme

from devportal.site.rendering.environments import speed_up_environments


@pytest.fixture
def theme(folder: Path) -> Theme:
    """Return the theme of our sites, with a folder of a user's own before it."""
    (folder / "own" / ".hidden").mkdir(parents=True)
    for name in ("main.html", ".hidden/icon.svg", "extra.css"):
        (folder / "own" / name).write_text("{{ 1 + 1 }}", encoding="utf-8")
    (folder / "own" / "linked").symlink_to(folder / "own")
    return Theme(name="material", custom_dir=str(folder / "own"))


def test_they_list_what_is_not_hidden(theme: Theme, folder: Path) -> None:
    """All that MkDocs could publish, in its order: the files of hidden folders are none of it."""
    listed = theme.get_env().list_templates()
    speed_up_environments(theme, folder / "compiled")

    quick = theme.get_env().list_templates()
    assert quick == [name for name in listed if "/." not in f"/{name.rpartition('/')[0]}"]
    assert "extra.css" in quick
    assert len(quick) < len(listed)


def test_what_is_hidden_can_be_included(theme: Theme, folder: Path) -> None:
    """Icons are, by their names."""
    speed_up_environments(theme, folder / "compiled")

    assert theme.get_env().get_template(".hidden/icon.svg").render() == "2"
    assert "<svg" in theme.get_env().get_template(".icons/material/tag.svg").render()


def test_templates_are_kept_compiled(theme: Theme, folder: Path) -> None:
    """Of the user's own as well as of the theme's."""
    speed_up_environments(theme, folder / "compiled")
    theme.get_env().get_template("main.html")

    assert [file.suffix for file in (folder / "compiled").iterdir()] == [".cache"]


def test_the_next_build_of_a_process_compiles_nothing_again(theme: Theme, folder: Path) -> None:
    """With or without a folder; a template that was edited is compiled."""
    speed_up_environments(theme, None)
    first = theme.get_env().get_template("main.html")
    speed_up_environments(theme, folder / "compiled")

    assert (
        theme.get_env().get_template("main.html").root_render_func.__code__ is first.root_render_func.__code__
    )
    (folder / "own" / "main.html").write_text("{{ 1 + 2 }}", encoding="utf-8")
    assert theme.get_env().get_template("main.html").render() == "3"


def test_a_folder_that_cannot_be_made_keeps_nothing(theme: Theme, folder: Path) -> None:
    """The build goes on without."""
    (folder / "file").write_text("", encoding="utf-8")

    speed_up_environments(theme, folder / "file" / "compiled")
    assert theme.get_env().get_template("main.html").render() == "2"
