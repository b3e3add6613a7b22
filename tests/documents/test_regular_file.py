"""Only a regular file, reached through no link, is where its path says."""

import os
from pathlib import Path

import pytest

from devportal.documents import why_irregular


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with something of each kind in it."""
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "file").touch()
    (tmp_path / "link").symlink_to("below/file")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "linked").symlink_to("below")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("below/file", ""),
        ("below/new", ""),
        ("new/new", ""),
        ("link", "it is a link"),
        ("dangling", "it is a link"),
        ("linked", "it is a link"),
        ("linked/file", "it is below 'linked', which is a link"),
        ("below/file/new", "it is below 'below/file', which is not a folder"),
        ("pipe", "it is not a regular file"),
        ("below", "it is not a regular file"),
    ],
)
def test_what_is_no_regular_file(folder: Path, path: str, why: str) -> None:
    """Links of files and folders, pipes and folders are told apart; what is not there can be made."""
    assert why_irregular(folder, path) == why


def test_the_folder_itself_may_be_a_link(folder: Path) -> None:
    """Whoever names it means it."""
    assert why_irregular(folder / "linked", "file") == ""
