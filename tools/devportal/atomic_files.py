"""Files written whole or not at all: aside first, brought to the disk, then put in their place by name."""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from devportal.errors import EnvironmentProblem

_TEMPORARY_PREFIX = ".new-"
_TEMPORARY_FILE = re.compile(rf"{re.escape(_TEMPORARY_PREFIX)}[a-z0-9_]{{8}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWrite:
    """A file and the bytes that it is to hold."""

    path: Path
    content: bytes


def write_atomically(changes: Iterable[FileWrite]) -> None:
    """Write files one after the other, in their order. Raises EnvironmentProblem if the machine refuses.

    Each is written aside, brought to the disk, and put in its place by its name.
    """
    for change in changes:
        try:
            _write_file(change)
        except OSError as error:
            raise EnvironmentProblem(
                f"{change.path} cannot be written: {error.strerror or error}",
                help="fix that and run the command again: it goes on where it ended",
            ) from error


def leftover_files(folder: Path) -> tuple[Path, ...]:
    """Return the files of a folder that were written aside and, after a kill, not put in their place."""
    if not folder.is_dir():
        return ()
    return tuple(
        path for path in sorted(folder.iterdir()) if _TEMPORARY_FILE.fullmatch(path.name) and path.is_file()
    )


def remove_files(paths: Iterable[Path]) -> None:
    """Remove files. Raises EnvironmentProblem if the machine refuses."""
    for path in paths:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise EnvironmentProblem(
                f"{path} cannot be removed: {error.strerror or error}",
                help="it is of no use: remove it yourself",
            ) from error


def _write_file(change: FileWrite) -> None:
    folder = change.path.parent
    folder.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("wb", dir=folder, prefix=_TEMPORARY_PREFIX, delete=False) as file:
        aside = Path(file.name)
        try:
            file.write(change.content)
            file.flush()
            os.fsync(file.fileno())
            aside.chmod(change.path.stat().st_mode if change.path.exists() else 0o644)
            aside.replace(change.path)
        finally:
            with suppress(OSError):
                aside.unlink()
