"""Paths of files in the checkout, as a forge names them, regardless of the working directory."""

import os
from functools import cache
from pathlib import Path

_WORKSPACE = "GITHUB_WORKSPACE"
"""The environment variable with the folder of the checkout (GitHub Actions, default variables)."""


def github_workspace() -> Path | None:
    """Return the folder of the checkout, None if no forge names it."""
    found = os.environ.get(_WORKSPACE)
    return Path(found) if found else None


def checkout_path(name: str, *, workspace: Path | None) -> str:
    """Return the path of a file in the checkout, from its name in messages.

    That is the path from the workspace if the file is in it, else from the root of the git work tree that
    holds it, else the name; always with `/`.
    """
    file = Path(os.path.normpath(Path.cwd() / name))
    roots = (workspace, _git_work_tree(file.parent)) if file.exists() else ()
    path = next((found for root in roots if root and (found := _relative_path(root, file))), Path(name))
    return path.as_posix()


def _relative_path(root: Path, file: Path) -> Path | None:
    """Return the path of a file from a folder, None if it is not in it; either may be named by a link."""
    for path, folder in ((file, root), (file.parent.resolve() / file.name, root.resolve())):
        if path.is_relative_to(folder):
            return path.relative_to(folder)
    return None


@cache
def _git_work_tree(folder: Path) -> Path | None:
    """Return the nearest folder above with a `.git`: a folder, or a file in linked work trees."""
    return next((path for path in (folder, *folder.parents) if (path / ".git").exists()), None)
