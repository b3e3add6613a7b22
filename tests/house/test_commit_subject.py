"""The hook that checks the subject of a commit."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .repository import ROOT

HOOK = ROOT / ".ci" / "commit-subject"


def run_hook(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, HOOK, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "message",
    [
        "Add a language of code samples\n\nWhy: …",
        "Speed up the second build",
        "# a comment of git\nFix the feed of a changelog without entries\n",
        "Merge branch 'main'",
    ],
)
def test_a_plain_subject_passes(tmp_path: Path, message: str) -> None:
    """What follows the subject is free, and so is what git writes by itself."""
    path = tmp_path / "COMMIT_EDITMSG"
    path.write_text(message, encoding="utf-8")

    assert run_hook(str(path)).returncode == 0


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Feeds: fix dates", "does not start with a plain verb"),
        ("Adding things", "does not start with a plain verb"),
        ("", "does not start with a plain verb"),
        ("Add a page.", "full stop"),
        (f"Add {'a long story ' * 12}", "at most 120"),
    ],
)
def test_another_subject_is_refused(tmp_path: Path, message: str, said: str) -> None:
    """The message quotes the subject and says what to do."""
    path = tmp_path / "COMMIT_EDITMSG"
    path.write_text(message, encoding="utf-8")

    done = run_hook(str(path))

    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize("arguments", [(), ("one", "two"), ("there-is-no-such-file",)])
def test_no_message_is_an_error_of_its_own(arguments: tuple[str, ...]) -> None:
    """Nothing was checked, so the exit code is not that of a wrong subject."""
    assert run_hook(*arguments).returncode == 2


def test_every_hook_of_the_configuration_runs_what_is_there() -> None:
    """A hook without its program would stop every commit."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0][
        "hooks"
    ]
    targets = (ROOT / "Makefile").read_text(encoding="utf-8")

    for hook in hooks:
        program, *arguments = hook["entry"].split()
        if program == "make":
            assert f"\n{arguments[0]}:" in targets, hook["id"]
        else:
            assert program.startswith(".venv/bin/") or (ROOT / program).is_file(), hook["id"]
