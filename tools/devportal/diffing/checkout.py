"""What a forge calls the files: by their paths in its checkout, wherever the command is run."""

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from devportal.contract import Contract
from devportal.diffing.revisions import RevisionContract


def checkout_paths(contracts: Iterable[Contract], *, workspace: Path | None) -> Mapping[str, str]:
    """Return the path in the checkout of each file of contracts, by the name that messages call it.

    That is the path from the workspace if the file is in it, else from the root of the git work tree that
    holds it, else the name; always with `/`. A file of a revision has its path in the repository.
    """
    return {name: path for contract in contracts for name, path in _paths(contract, workspace)}


def _paths(contract: Contract, workspace: Path | None) -> Iterator[tuple[str, str]]:
    root_of = cache(_work_tree)
    for document in contract.source.documents().values():
        if isinstance(contract, RevisionContract):
            in_repository = document.name.removeprefix(f"{contract.revision}:")
            yield f"{contract.revision}:{in_repository}", in_repository
            continue
        file = Path(os.path.normpath(Path.cwd() / document.name))
        roots = (workspace, root_of(file.parent)) if file.exists() else ()
        path = next((found for root in roots if root and (found := _within(root, file))), Path(document.name))
        yield document.name, path.as_posix()


def _within(root: Path, file: Path) -> Path | None:
    """Return the path of a file from a folder, None where it is not in it; either may be named by a link."""
    for one, folder in ((file, root), (file.parent.resolve() / file.name, root.resolve())):
        if one.is_relative_to(folder):
            return one.relative_to(folder)
    return None


def _work_tree(folder: Path) -> Path | None:
    """Return the nearest folder above with a `.git`: a folder, or a file in linked work trees."""
    return next((one for one in (folder, *folder.parents) if (one / ".git").exists()), None)
