"""Repositories of git to read contracts from."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_OWN = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
}


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder, whatever the machine is set to."""
    around = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", *arguments], cwd=folder, env=around | _OWN, check=True, capture_output=True)


def repository(folder: Path, files: Mapping[str, str]) -> Path:
    """Make a repository with files committed on the branch `main`, and return where."""
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    write(folder, files)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Begin")
    return folder


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files by their paths, in folders that are made."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
