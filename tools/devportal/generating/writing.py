"""Writes a tree into a folder: what changed, and nothing else. What was there before and is no more goes."""

import json
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from devportal.errors import EnvironmentProblem, InvalidSettings

MANIFEST = "generated.json"
"""The file that says what belongs to the tree; a folder without it, or with another's, is somebody's own."""
_MADE_BY = "devportal generate"


def refuse_other(folder: Path) -> None:
    """Raise InvalidSettings for a folder that holds something else than a generated tree."""
    if folder.exists() and not folder.is_dir():
        raise InvalidSettings(f"{folder}: this is no folder", help="give the name of a new or empty one")
    if folder.is_dir() and any(folder.iterdir()) and _noted(folder) is None:
        raise InvalidSettings(
            f"{folder}: this folder is not empty and holds no generated pages",
            help="give the name of a new or empty folder",
        )


def refuse_input(folder: Path, config: MkDocsConfig) -> None:
    """Raise InvalidSettings for a folder among the pages: what is generated would be an input next time."""
    if folder.resolve().is_relative_to(Path(config.docs_dir).resolve()):
        raise InvalidSettings(
            f"{folder}: this folder lies among the pages of the project", help="give one beside them"
        )


def write_tree(folder: Path, files: Iterable[tuple[str, bytes]]) -> tuple[int, int]:
    """Write the files of a tree; return how many there are, and how many were written.

    Raises EnvironmentProblem where the machine refuses.
    """
    before, now, written = _noted(folder) or {}, dict[str, str](), 0
    try:
        for name, content in files:
            digest = sha256(content).hexdigest()[:16]
            now[name] = digest
            if before.get(name) != digest or not (folder / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
                written += 1
        for name in before.keys() - now.keys():
            _remove(folder, name)
        told = {"made_by": _MADE_BY, "files": dict(sorted(now.items()))}
        note = json.dumps(told, ensure_ascii=False, indent=0)
        (folder / MANIFEST).write_text(f"{note}\n", encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblem(
            f"{error.filename or folder} cannot be written: {error.strerror or error}",
            help="check the folder and its permissions",
        ) from error
    return len(now), written


def _noted(folder: Path) -> dict[str, str] | None:
    """Return the files of the tree that was written here, by name; None where none was."""
    try:
        noted = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    is_ours = isinstance(noted, dict) and noted.get("made_by") == _MADE_BY
    return noted["files"] if is_ours and isinstance(noted.get("files"), dict) else None


def _remove(folder: Path, name: str) -> None:
    """Remove a file of the tree, and the folders that it leaves empty."""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        return  # no name that we have written
    path.unlink(missing_ok=True)
    with suppress(OSError):
        for above in path.parents:
            if above == folder:
                break
            above.rmdir()
