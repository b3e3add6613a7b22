"""Two builds never write into one folder at the same time."""

import os
import threading
from io import StringIO
from pathlib import Path

import pytest

from devportal.progress import show_progress
from devportal.site.cache.folder_lock import site_folder_lock
from tests.waiting import wait_until


def test_the_second_build_says_that_it_waits_and_starts_when_the_first_has_ended(tmp_path: Path) -> None:
    """What each does in the folder stays together."""
    site, events, shown = tmp_path / "site", list[str](), StringIO()

    def build() -> None:
        with site_folder_lock(site):
            events.append("second starts")

    second = threading.Thread(target=build)
    with show_progress(stream=shown), site_folder_lock(site):
        second.start()
        wait_until(lambda: "Waiting for another build" in shown.getvalue(), shown.getvalue)
        events.append("first ends")
    second.join()

    assert events == ["first ends", "second starts"]
    assert str(site) in shown.getvalue()


def test_a_process_that_outlives_the_build_does_not_hold_the_folder(tmp_path: Path) -> None:
    """Such as one that rendered pages when its build was killed."""
    ended, end = os.pipe()
    with site_folder_lock(tmp_path):
        child = os.fork()
        if child == 0:
            os.close(end)
            os.read(ended, 1)
            os._exit(0)

    with site_folder_lock(tmp_path):  # or this would wait for the child
        os.close(end)
        _, status = os.waitpid(child, 0)

    os.close(ended)
    assert status == 0


def test_a_folder_that_is_left_empty_is_removed_if_it_was_made_here(tmp_path: Path) -> None:
    """A build that fails leaves what was there before it; one that succeeds leaves a site."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(RuntimeError), site_folder_lock(tmp_path / "a" / "site"):
        raise RuntimeError
    with site_folder_lock(tmp_path / "empty"):
        pass
    with site_folder_lock(tmp_path / "b" / "site"):
        (tmp_path / "b" / "site" / "index.html").touch()

    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")} == {
        "empty",
        "b",
        "b/site",
        "b/site/index.html",
    }
