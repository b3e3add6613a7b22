"""How a tree comes into its folder: what is written, what goes, and what a run that ends half-way leaves."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.scaffold.generate import command
from devportal.scaffold.generate.command import MANIFEST, refuse_foreign_folder, write_tree
from tests.scaffold.desk import files_of, run

FILES = {"a/b.html": b"one\n", "a/c.html": b"two\n", "d.md": b"three\n"}


def _content(folder: Path) -> dict[str, bytes]:
    return {name: content for name, content in files_of(folder).items() if name != MANIFEST}


def test_what_lies_there_counts(tmp_path: Path) -> None:
    """Not what the manifest says of it: a file that somebody changed or removed is written again."""
    first = write_tree(tmp_path, FILES)
    (tmp_path / "a/b.html").write_bytes(b"HALF")
    (tmp_path / "d.md").unlink()

    again = write_tree(tmp_path, FILES)

    assert (first, again) == ((3, 3), (3, 2))
    assert _content(tmp_path) == FILES


def test_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    """Engines keep pages by their sources; the manifest stays as it is, too."""
    write_tree(tmp_path, FILES)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}

    assert write_tree(tmp_path, FILES) == (3, 0)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_names_that_are_no_utf_8_are_known_again(tmp_path: Path) -> None:
    """A file system may hold any bytes: the next run finds its own manifest, and removes what it names."""
    odd = os.fsdecode(b"docs/caf\xe9.txt")
    try:
        write_tree(tmp_path, {odd: b"1"})
    except EnvironmentProblem:
        pytest.skip("this file system takes no such name")

    refuse_foreign_folder(tmp_path)
    assert write_tree(tmp_path, {odd: b"1"}) == (1, 0)
    assert write_tree(tmp_path, {"a": b"2"}) == (1, 1)
    assert _content(tmp_path) == {"a": b"2"}


def test_a_file_can_become_a_folder_and_a_folder_a_file(tmp_path: Path) -> None:
    """What is no more goes first."""
    write_tree(tmp_path, {"a": b"1", "b/c": b"2"})

    write_tree(tmp_path, {"a/d": b"1", "b": b"2"})

    assert _content(tmp_path) == {"a/d": b"1", "b": b"2"}


def test_a_file_that_became_a_folder_half_way_is_no_hindrance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest of a broken run names what was and what was to be."""
    write_tree(tmp_path, {"a": b"1", "b/c": b"2"})
    after = {"a/d": b"1", "b": b"2", "e": b"3"}
    monkeypatch.setattr(command, "_write", _full_after(3))
    with pytest.raises(EnvironmentProblem):
        write_tree(tmp_path, after)
    monkeypatch.undo()

    assert write_tree(tmp_path, after) == (3, 1)
    assert _content(tmp_path) == after


def test_a_run_that_stopped_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is ours from the first file on, and what only the broken run wrote goes."""
    tree = tmp_path / "tree"
    monkeypatch.setattr(command, "_write", _full_after(2))
    with pytest.raises(EnvironmentProblem, match="No space left"):
        write_tree(tree, FILES)
    monkeypatch.undo()

    refuse_foreign_folder(tree)
    assert len(_content(tree)) == 1
    assert write_tree(tree, {"d.md": b"other\n"}) == (1, 1)
    assert _content(tree) == {"d.md": b"other\n"}


def test_a_first_run_that_was_killed_can_be_repeated(tmp_path: Path) -> None:
    """Also before the manifest was there: what it was written to aside is nobody's, and goes."""
    (tmp_path / ".new-abcd1234").write_bytes(b"{")

    refuse_foreign_folder(tmp_path)
    write_tree(tmp_path, FILES)

    assert _content(tmp_path) == FILES


def test_a_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    """However it is hidden."""
    (tmp_path / ".new-mine").write_bytes(b"")

    with pytest.raises(InvalidSettings, match="not empty"):
        refuse_foreign_folder(tmp_path)


def _full_after(count: int) -> Callable[[Path, bytes], None]:
    """Return a way to write that finds the disk full the `count`th time."""
    left = iter(range(count - 1))
    write = command._write

    def write_until_full(path: Path, content: bytes) -> None:
        if next(left, None) is None:
            raise OSError(28, "No space left on device", str(path))
        write(path, content)

    return write_until_full


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("- a\n", "portal.yml:1:1: these are not the settings of a project"),
        ("docs_dir: docs\n", "portal.yml: the setting 'site_name' is missing"),
    ],
)
def test_settings_that_no_site_can_be_made_of_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, message: str
) -> None:
    """As in every other command, with the name of the file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "portal.yml").write_text(settings, encoding="utf-8")

    refused = run("generate", "-f", "portal.yml", "--output", tmp_path / "tree")

    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"error: {message}")
