"""The repository's root, and the files that git tracks."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def tracked_files() -> tuple[Path, ...]:
    """Return the files that git tracks; skips the test where this is no clone."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git clone")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    files = (ROOT / name for name in listed.stdout.split("\0") if name)
    return tuple(path for path in files if path.is_file() and not path.is_symlink())


def fenced_blocks(page: str, language: str) -> tuple[str, ...]:
    """Return the code blocks of one language in a Markdown file, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return tuple(re.findall(rf"^```{language}[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
