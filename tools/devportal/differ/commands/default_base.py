"""The contract to compare with if nobody names one: that of the commit where the branch began."""

import os
from collections.abc import Iterable
from pathlib import Path

from devportal.errors import InvalidSettings
from devportal.git import missing_revision_help, run_git

DEFAULT_BRANCHES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""The branches that others are merged into, the first that there is."""


def old_contract(new: str, *, branches: Iterable[str] = DEFAULT_BRANCHES) -> str:
    """Return the file of the new contract as it is where HEAD left the first branch that git knows.

    Raises InvalidSettings outside a repository, if git knows none of the branches or no commit that both have, or if
    the file is not in a folder of its repository.
    """
    branches = tuple(branches)
    if run_git("rev-parse", "--git-dir") is None:
        raise InvalidSettings(
            f"--old: this folder is not in a git repository, so nothing can be compared with {new!r}",
            help="name the contract that clients have, such as --old old-openapi.yaml",
        )
    path = os.path.relpath(new) if Path(new).is_absolute() else new
    for branch in branches:
        if (base := merge_base(branch)) is not None:
            return f"{base}:./{path}"
    known = [branch for branch in branches if run_git("rev-parse", "--verify", "--quiet", branch) is not None]
    why = (
        f"git finds no commit where HEAD left {known[0]}"
        if known
        else f"git knows none of the branches {', '.join(branches)} here"
    )
    raise InvalidSettings(
        f"--old: {why}, so nothing can be compared with {new!r}",
        help=f"name the contract that clients have, such as --old origin/main:openapi.yaml; {missing_revision_help()}",
    )


def merge_base(branch: str) -> str | None:
    """Return the short id of the commit at which HEAD left a branch, None if git knows no such branch."""
    commit = run_git("merge-base", "HEAD", branch)
    return commit.decode().strip()[:12] if commit is not None else None
