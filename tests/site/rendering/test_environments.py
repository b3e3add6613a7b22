"""Environments of a theme that are made quick: they find what the theme's own find."""

import multiprocessing
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2 import TemplateSyntaxError
from mkdocs.theme import Theme

from devportal.site.rendering import environments
from devportal.site.rendering.environments import compiling_templates, speed_up_environments
from tests.waiting import PATIENCE_S


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


@pytest.mark.usefixtures("nothing_compiled")
def test_a_folder_that_cannot_be_looked_at_keeps_nothing(theme: Theme, folder: Path) -> None:
    """As the home folder of another user: the system refuses to say whether the cache is there."""
    cache = speed_up_environments(theme, folder / ("x" * 300) / "compiled")

    assert cache.is_empty
    assert theme.get_env().get_template("main.html").render() == "2"


@pytest.mark.usefixtures("nothing_compiled")
def test_a_folder_that_cannot_be_written_keeps_nothing(theme: Theme, folder: Path) -> None:
    """It may be another user's, or gone since the build began."""
    speed_up_environments(theme, folder / "compiled")
    (folder / "compiled").rmdir()

    assert theme.get_env().get_template("main.html").render() == "2"


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this process have compiled nothing, and no other thread."""
    monkeypatch.setattr(environments, "_COMPILED", {})
    monkeypatch.setattr("threading.active_count", lambda: 1)


@pytest.fixture
def refuses_to_compile(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return what has this process refuse to compile templates."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a template is compiled here")

    return lambda: monkeypatch.setattr("jinja2.Environment._generate", refuse)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do everything in one process")
@pytest.mark.usefixtures("nothing_compiled")
def test_another_process_compiles_templates(
    theme: Theme, folder: Path, refuses_to_compile: Callable[[], None]
) -> None:
    """Those of pages with all that they name, and others; one that is wrong is reported by whoever loads it."""
    (folder / "own" / "main.html").write_text("{% include ['part.html'] %}", encoding="utf-8")
    (folder / "own" / "part.html").write_text("{% extends 'whole.html' %}", encoding="utf-8")
    (folder / "own" / "whole.html").write_text("{{ 1 + 1 }}{# {% include 'no.html' %} #}", encoding="utf-8")
    (folder / "own" / "404.html").write_text("{% include 'missing.html' %}", encoding="utf-8")
    (folder / "own" / "sitemap.xml").write_text("{% if %}", encoding="utf-8")
    (folder / "own" / "other.html").write_text("{{ 1 + 2 }}", encoding="utf-8")
    cache = speed_up_environments(theme, None)

    assert cache.is_empty
    with compiling_templates(theme, lambda: theme.get_env().get_template("other.html")):
        pass
    refuses_to_compile()

    env = theme.get_env()
    assert (env.get_template("main.html").render(), env.get_template("other.html").render()) == ("2", "3")
    assert not speed_up_environments(theme, None).is_empty
    with pytest.raises(TemplateSyntaxError):
        env.get_template("sitemap.xml")


@pytest.mark.usefixtures("nothing_compiled")
def test_what_another_process_cannot_compile_is_compiled_here(theme: Theme) -> None:
    """It fails for all templates where it fails for those beside the theme."""
    speed_up_environments(theme, None)

    with compiling_templates(theme, lambda: 1 / 0):
        pass

    assert theme.get_env().get_template("main.html").render() == "2"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do everything in one process")
@pytest.mark.usefixtures("nothing_compiled")
def test_an_error_ends_the_process_that_compiles(theme: Theme) -> None:
    """Nobody waits for it."""
    speed_up_environments(theme, None)

    def wait_for_ever() -> None:
        signal.sigtimedwait((), 100 * PATIENCE_S)

    with pytest.raises(ZeroDivisionError), compiling_templates(theme, wait_for_ever):
        raise ZeroDivisionError

    assert multiprocessing.active_children() == []


@pytest.mark.usefixtures("nothing_compiled")
def test_a_folder_that_was_there_is_not_empty(theme: Theme, folder: Path) -> None:
    """Its templates are read; nobody need compile them beforehand."""
    assert speed_up_environments(theme, folder / "compiled").is_empty
    assert not speed_up_environments(theme, folder / "compiled").is_empty
