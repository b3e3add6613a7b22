"""Files that are written whole or not at all, whatever is killed whenever."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from devportal.errors import EnvironmentProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A file and the bytes that it is to hold."""

    path: Path
    content: bytes

    @property
    def is_needed(self) -> bool:
        """Say whether the file does not hold them yet."""
        try:
            return self.path.read_bytes() != self.content
        except OSError:
            return True


def write(changes: Iterable[Change]) -> None:
    """Write files one after the other, in their order. Raises EnvironmentProblem where the machine refuses.

    Each is written aside, brought to the disk, and put in its place by its name.
    """
    for change in changes:
        try:
            _write(change)
        except OSError as error:
            raise EnvironmentProblem(
                f"{change.path} cannot be written: {error.strerror or error}",
                help="mend that and run the command again: it goes on where it ended",
            ) from error


def _write(change: Change) -> None:
    folder = change.path.parent
    folder.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("wb", dir=folder, prefix=".new-", delete=False) as file:
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
