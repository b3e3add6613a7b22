"""`.ci/find-python`: chooses the interpreter that the virtual environment is made with."""

import shutil
import subprocess
from pathlib import Path

import pytest

from .repository import ROOT

ROOT_USER, OTHER_USER = 0, 1000
CAN_MAKE_ENVIRONMENTS, WITHOUT_ENSUREPIP = 0, 1


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return a folder with what the script needs besides interpreters."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "bash").symlink_to(str(shutil.which("bash")))
    return folder


def find(programs: Path, *, user: int) -> str:
    """Return what the script prints for a user, where Debian's interpreter is at `debians` beside the programs."""
    _write_program(programs / "id", f"echo {user}")
    found = subprocess.run(
        [ROOT / ".ci" / "find-python", programs.parent / "debians"],
        env={"PATH": str(programs)},
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.strip()


def add_interpreter(path: Path, exit_code: int) -> None:
    """Make what can be asked to import ensurepip, like an interpreter."""
    _write_program(path, f"exit {exit_code}")


def _write_program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def test_debians_comes_before_that_of_the_path(programs: Path) -> None:
    """It is the faster one."""
    add_interpreter(programs.parent / "debians", CAN_MAKE_ENVIRONMENTS)
    add_interpreter(programs / "python3.11", CAN_MAKE_ENVIRONMENTS)
    assert find(programs, user=OTHER_USER) == str(programs.parent / "debians")


def test_without_ensurepip_only_root_gets_it(programs: Path) -> None:
    """Another user could not install what is missing, and has one that works."""
    add_interpreter(programs.parent / "debians", WITHOUT_ENSUREPIP)
    add_interpreter(programs / "python3.11", CAN_MAKE_ENVIRONMENTS)
    assert find(programs, user=OTHER_USER) == str(programs / "python3.11")
    assert find(programs, user=ROOT_USER) == str(programs.parent / "debians")


def test_the_next_best_is_taken_where_debians_is_missing(programs: Path) -> None:
    """3.11 is what the lock was made with; any other is better than none."""
    add_interpreter(programs / "python3", CAN_MAKE_ENVIRONMENTS)
    assert find(programs, user=OTHER_USER) == str(programs / "python3")
    add_interpreter(programs / "python3.11", CAN_MAKE_ENVIRONMENTS)
    assert find(programs, user=OTHER_USER) == str(programs / "python3.11")


def test_nothing_is_printed_where_none_is(programs: Path) -> None:
    """`.ci/make-venv` says then what to do."""
    assert find(programs, user=OTHER_USER) == ""
