"""A cache of texts that follow from others, such as the changes between two contracts: in memory or on disk."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

_MOST_FILES = 400
"""How many results are kept on disk: those of a project's releases and of its latest changes."""


class Memory:
    """Texts by the parts that they follow from. Files of the folder may be deleted at any time; an error of the disk
    is a cache miss, and so is a file that does not hold what was written: its first line is a digest of the others.

    `toolkit` names the version of the code that makes the texts: those of another version are not used.
    """

    def __init__(self, folder: Path | None = None, *, toolkit: str = "") -> None:
        """Take the folder; without one, texts are kept for the life of the process."""
        self._folder = folder
        self._toolkit = toolkit
        self._known: dict[str, str] = {}

    def get(self, *parts: str) -> str | None:
        """Return the text that follows from parts, None if it is not cached."""
        key = self._key(parts)
        if key not in self._known and self._folder is not None:
            with suppress(OSError, ValueError):
                digest, _, text = (self._folder / key).read_bytes().decode().partition("\n")
                if digest == _digest(text):
                    self._known[key] = text
        return self._known.get(key)

    def put(self, text: str, *parts: str) -> None:
        """Cache the text that follows from parts."""
        key = self._key(parts)
        self._known[key] = text
        if self._folder is not None:
            with suppress(OSError, ValueError):
                self._keep(self._folder, key, text)

    def _key(self, parts: tuple[str, ...]) -> str:
        return _digest("\0".join((self._toolkit, *parts)))

    @staticmethod
    def _keep(folder: Path, key: str, text: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        content = f"{_digest(text)}\n{text}".encode()
        with NamedTemporaryFile(dir=folder, prefix=".new-", delete=False) as file:
            file.write(content)
        os.replace(file.name, folder / key)  # noqa: PTH105 - as one step
        kept = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        for path in kept[:-_MOST_FILES]:
            path.unlink(missing_ok=True)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
